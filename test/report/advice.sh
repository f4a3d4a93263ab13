#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# advice.sh: programs with one planted mistake each, on 4 ranks; the first advice of pcioreport names it, and has nothing
# to say of it where it is mended. What is told is that of the counts of their logs (steady.py): no clock has a say.
# With PCIO_LONG=1 that of the times which they took, too. Room: test/report.
set -u
report=$PCIO_BUILDDIR/tools/pcioreport
[ -x "$report" ] || { echo "SKIP: built without pcioreport (CLI11 and fmt)"; exit 77; }
[ -n "${PYTHON-}" ] || { echo "SKIP: no Python"; exit 77; }
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/advice.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; head -n 4 "$folder/names"; fi
}
# run MISTAKE WAITING [mended]: its log, and names of what is told of it, the first one first
run() {
  rm -f "$folder/log" "$folder/out.h5"
  PCIO_RUN_QUIET=1 PCIO_REPORT=$folder/log "$PCIO_RUN_PAR" 4 "${PAR_SECONDS:-120}" \
    "$PCIO_BUILDDIR/test/report/planted" "$1" "$folder/out.h5" 1 ${3+"$3"} >/dev/null
  verdict $? "$1 ${3-}: the program"
  [ "${PCIO_LONG-0}" = 1 ] && [ $# -lt 3 ] && first "$1" "by the clock" "$folder/log"
  "$PYTHON" "$PCIO_SRCDIR/test/report/steady.py" "$folder/log" "$2" >"$folder/steady"
  verdict $? "$1 ${3-}: times of its counts"
}
# first MISTAKE HOW LOG
first() {
  "$report" --names "$3" >"$folder/names" && [ "$(head -n 1 "$folder/names" | cut -f 1)" = "${1%-filtered}" ]
  verdict $? "$1, $2: the first advice names it"
}
for mistake in independent chunks conversion fill straddle straddle-filtered busy rows appends; do
  late=0
  [ $mistake = busy ] && late=30
  run $mistake $late
  first $mistake "by its counts" "$folder/steady"
  run $mistake 0 mended
  "$report" --names "$folder/steady" >"$folder/names" && ! grep -q "^${mistake%-filtered}	" "$folder/names"
  verdict $? "$mistake, mended: no advice names it"
done
# The page, and the ends.
: >"$folder/names"
"$report" --html "$folder/page.html" "$folder/log" >/dev/null && grep -q '</html>' "$folder/page.html"; verdict $? "the page"
# ends STATUS WHAT ARGUMENTS...
ends() {
  local status=$1 what=$2
  shift 2
  "$report" "$@" >/dev/null 2>&1
  [ $? -eq "$status" ]; verdict $? "status of $what"
}
ends 0 "a log" "$folder/log"
echo '{"kind":' >>"$folder/log"
ends 3 "a spoiled line" "$folder/log"
ends 1 "no log" "$folder/none"
ends 1 "no page" --html "$folder/no/page.html" "$folder/log"
ends 2 "wrong usage"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
