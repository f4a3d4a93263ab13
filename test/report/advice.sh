#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# advice.sh NP: programs with one planted mistake each, on 4 ranks; the first advice of pcioreport names it. Nothing is
# timed: the mistakes cost so much that no noise makes another advice the first.
set -u
np=${1:-4}
[ "$np" = 4 ] || exit 0
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/advice.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
report=$PCIO_BUILDDIR/tools/pcioreport
failed=0
run() {  # mistake, options
  rm -f "$folder/log" "$folder/out.h5"
  PCIO_RUN_QUIET=1 PCIO_REPORT=$folder/log "$PCIO_RUN_PAR" "$np" "${PAR_SECONDS:-120}" \
    "$PCIO_BUILDDIR/test/report/planted" "$1" "$folder/out.h5" ${2+"$2"} >/dev/null || { failed=1; echo "$1 failed"; }
  "$report" --names "$folder/log" >"$folder/names" || { failed=1; echo "no report of $1"; }
}
for mistake in independent chunks conversion fill straddle straddle-filtered busy rows appends; do
  run "$mistake"
  first=$(head -n 1 "$folder/names" | cut -f 1)
  [ "$first" = "${mistake%-filtered}" ] || { failed=1; echo "$mistake: first advice: $(cat "$folder/names")"; }
  run "$mistake" --mended
  # What needs no clock to be gone is gone.
  [ "$mistake" = busy ] || ! grep -q "^${mistake%-filtered}	" "$folder/names" || { failed=1; echo "mended $mistake: $(cat "$folder/names")"; }
done
# The page, and the ends.
"$report" --html "$folder/page.html" "$folder/log" >/dev/null && grep -q '</html>' "$folder/page.html" || failed=1
echo '{"kind":' >>"$folder/log"
"$report" "$folder/log" >/dev/null 2>&1; [ $? = 3 ] || { failed=1; echo "status of a spoiled line"; }
"$report" "$folder/none" >/dev/null 2>&1; [ $? = 1 ] || { failed=1; echo "status of no log"; }
"$report" >/dev/null 2>&1; [ $? = 2 ] || { failed=1; echo "status of wrong usage"; }
"$report" --html "$folder/no/page.html" "$folder/log" >/dev/null 2>&1; [ $? = 1 ] || { failed=1; echo "status of no page"; }
exit $failed
