#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Calls of serial files in which memory lacks once, or from then on, and flushes and closes behind them: a sample, of which some files
# are compared by h5dump as well. With PCIO_LONG=1: each allocation of each scene. PCIO_SEED, PCIO_CASES choose.
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/retries.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
program=$PCIO_BUILDDIR/test/retries/retry_cases
choice=(--seed "${PCIO_SEED:-1}" --cases "${PCIO_CASES:-450}" --keep 20)
[ -z "${PCIO_LONG-}" ] || choice=(--all 1 --keep 200)
failed=0
"$program" "${choice[@]}" --folder "$folder" >"$folder/log" 2>&1 || failed=1
grep -q '^retries: seed' "$folder/log" || failed=1
tail -n 60 "$folder/log"
compared=0
for file in "$folder"/kept*.like.h5; do
  [ -n "${H5DUMP-}" ] && [ -e "$file" ] || continue
  compared=$((compared + 1))
  "$H5DUMP" "$file" 2>&1 | tail -n +2 >"$folder/wanted"
  "$H5DUMP" "${file%.like.h5}.h5" 2>&1 | tail -n +2 >"$folder/found"
  cmp -s "$folder/wanted" "$folder/found" && continue
  # A call that failed has changed all or nothing.
  if [ -e "${file%.like.h5}.or.h5" ]; then
    "$H5DUMP" "${file%.like.h5}.or.h5" 2>&1 | tail -n +2 >"$folder/wanted"
    cmp -s "$folder/wanted" "$folder/found" && continue
  fi
  echo "h5dump finds another file:"
  diff "$folder/wanted" "$folder/found" | head -n 10
  failed=1
done
echo "h5dump compared $compared files"
[ -z "${H5DUMP-}" ] || [ "$compared" -gt 2 ] || failed=1
exit $failed
