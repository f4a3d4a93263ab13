#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The long part of clients.sh: each of parts/ (or of PCIO_CLIENTS_PARTS), PCIO_CLIENTS_JOBS at a time, else 2. What a part
# says is printed when it has ended; the last line is the sum of all. Room: test/dropin.
set -u
here=$PCIO_SRCDIR/test/dropin
# The longest first.
all="copy ncdump jam pytables repack h5py lists h5py_mpi dump netcdf summary"
logs=$(mktemp -d "$PCIO_TEST_TMP/parts.XXXXXX")
trap 'rm -rf "$logs"' EXIT
# one PART
one() {
  local started=$SECONDS
  bash "$here/part.sh" "$1" >"$logs/$1" 2>&1 </dev/null
  printf '==== %s, %d s\n%s\n' "$1" $((SECONDS - started)) "$(cat "$logs/$1")"
}
export here logs
export -f one
printf '%s\n' ${PCIO_CLIENTS_PARTS:-$all} | xargs -P "${PCIO_CLIENTS_JOBS:-2}" -I{} bash -c 'one {}'
# A part that ends without a sum counts as failed.
tail -qn 1 "$logs"/* | awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3; next } /^SKIP: / { next } { failed++ }
  END { print passed + 0 " passed, " failed + 0 " failed in the parts"; exit failed > 0 }'
