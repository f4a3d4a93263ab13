#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# All that libhdf5_hl's headers declare is declared here, equal, and exported; nothing else is.
set -eu
. "$PCIO_SRCDIR/test/abi/abi_env.sh"
[ -n "${PCIO_HDF5_MPI_LIBS-}" ] || skip "no parallel libhdf5 to compare with"
python=${PYTHON:-python3}
command -v "$python" > /dev/null || skip "no Python"
library=$(dirname "$libpcio")/libpcio_hl.so
[ -f "$library" ] || skip "$library is not built"
nm -D --defined-only "$library" > "$tmp/exports"
"$python" "$top_srcdir/tools/compare-headers" --high-level --cc "$CC" --exports "$tmp/exports" \
  --ours "-I$top_srcdir/hl/include -I$top_builddir/include -I$top_srcdir/include $PCIO_MPI_CPPFLAGS" \
  --theirs "$PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS" > "$tmp/missing" 2> "$tmp/counts" ||
  { cat "$tmp/counts"; fail "tools/compare-headers"; }
cat "$tmp/counts"
if grep . "$tmp/missing"; then fail "missing, or other than in libhdf5_hl"; fi
exported=$(awk '$2 != "A"' "$tmp/exports" | wc -l)
declared=$(cat "$top_srcdir"/hl/include/H5*.h | grep -c "^H5_HLDLL")
[ "$exported" -eq "$declared" ] || fail "$declared functions are declared, $exported exported"
echo "$exported functions are exported as declared"
