#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Virtual datasets: libpcio answers as libhdf5 1.10.8 does, and each reads what the other, and h5py, has
# made. Room: test/api.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/virtual_calls.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
unset HDF5_VDS_PREFIX
pcio=$PCIO_BUILDDIR/test/api/virtual_calls hdf5=$dir/virtual_calls
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=gnu99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/api/virtual_calls.c" \
    -o "$hdf5" $PCIO_HDF5_SERIAL_LIBS || exit 1
failed=0 lines=0
same() {
  diff -u "$1" "$2" | head -60
  [ "${PIPESTATUS[0]}" = 0 ] || { echo "FAILED: $3"; failed=1; }
  lines=$((lines + $(wc -l <"$1")))
}
for maker in hdf5 pcio; do
  mkdir -p "$dir/$maker"
  ${!maker} "$dir/$maker" answers >"$dir/answers.$maker" || exit 1
  ${!maker} "$dir/$maker" make >"$dir/make.$maker" || exit 1
  [ -z "${ORACLE_H5PY-}" ] ||
    "$ORACLE_H5PY" "$PCIO_SRCDIR/test/api/virtual_calls.py" make "$dir/$maker" || exit 1
  for reader in hdf5 pcio; do
    ${!reader} "$dir/$maker" show >"$dir/show.$reader" || { echo "FAILED: $reader"; failed=1; }
  done
  same "$dir/show.hdf5" "$dir/show.pcio" "what $maker has made"
done
same "$dir/answers.hdf5" "$dir/answers.pcio" answers
same "$dir/make.hdf5" "$dir/make.pcio" makes
echo "virtual datasets: $lines lines compared, failed $failed"
[ "$lines" -gt 200 ] || exit 1
exit $failed
