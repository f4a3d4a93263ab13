#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What libhdf5's headers declare and ours don't, or otherwise, is what test/abi/missing_names.txt says: that
# list can only shrink. With --renew it is written anew, if it does.
set -eu
. "$(dirname "$0")/abi_env.sh"
export LC_ALL=C

[ -n "${PCIO_HDF5_MPI_LIBS-}" ] || skip "no parallel libhdf5 to compare with"
python=${PYTHON:-python3}
command -v "$python" > /dev/null || skip "no Python"
[ -f "$libpcio" ] || skip "$libpcio is not built"
nm -D --defined-only "$libpcio" > "$tmp/exports"
"$python" "$top_srcdir/tools/compare-headers" --cc "$CC" --exports "$tmp/exports" \
  --ours "-I$top_builddir/include -I$top_srcdir/include $PCIO_MPI_CPPFLAGS" \
  --theirs "$PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS" > "$tmp/missing" 2> "$tmp/counts" ||
  { cat "$tmp/counts"; fail "tools/compare-headers"; }
list=$top_srcdir/test/abi/missing_names.txt
grep -v '^#' "$list" | sort > "$tmp/listed" || true
{ grep . "$tmp/missing" || true; } | sort > "$tmp/found"
comm -13 "$tmp/listed" "$tmp/found" > "$tmp/more"
comm -23 "$tmp/listed" "$tmp/found" > "$tmp/fewer"
[ ! -s "$tmp/more" ] || { cat "$tmp/more"; fail "missing, or other than in libhdf5"; }
if [ "${1-}" = --renew ]; then
  { grep '^#' "$list"; cat "$tmp/found"; } > "$tmp/new"
  cp "$tmp/new" "$list"
elif [ -s "$tmp/fewer" ]; then
  cat "$tmp/fewer"
  fail "no longer missing: test/abi/compare_headers.sh --renew takes them off the list"
fi
echo "$(cat "$tmp/counts"); missing: $(cut -d ' ' -f 1 "$tmp/found" | sort | uniq -c | tr -s ' \n' ' ')"
