# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What clients.sh and part.sh begin and end with; both source it. Room: test/dropin.
set -u
[ "$PCIO_WITH_DROPIN" = yes ] || { echo "SKIP: built without drop-in libraries"; exit 77; }
run=$PCIO_BUILDDIR/tools/pcio-run folder=$PCIO_BUILDDIR/dropin/.libs here=$PCIO_SRCDIR/test/dropin
[ -x "$run" ] || { echo "SKIP: built without tools"; exit 77; }
work=$(mktemp -d "$PCIO_TEST_TMP/clients.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset LD_LIBRARY_PATH PCIO_REPORT HDF5_PLUGIN_PATH
export LC_ALL=C.UTF-8
passed=0 failed=0 reasons=
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi
}
skip() { echo "SKIP: $1"; reasons="$reasons${reasons:+; }$1"; }
# limited SECONDS COMMAND...: at most that much processor time (status 152), so that a loaded machine fails nothing. The clock is against
# hangs that use none; ranks wait by turning, so that it is their only limit. memory: in KiB, where a part sets one.
clock=600
limited() { (ulimit -S -v "${memory-unlimited}" -t "$1"; shift; exec timeout --kill-after=10 "$clock" "$@"); }
# says FILE TEXT: a line of FILE is that.
says() { grep -qxF -- "$2" "$1"; verdict $? "$1 says: $2 (it says: $(head -c 600 "$1"))"; }
# status WANTED WHAT COMMAND...
status() {
  local wanted=$1 what=$2 got
  shift 2
  "$@" >out 2>err
  got=$?
  [ $got -eq "$wanted" ]; verdict $? "$what: status $got, not $wanted: $(tail -n 3 err)"
}
# finish: what was not compared, and the sum, as the last line.
finish() {
  [ -z "${left-}" ] || printf 'left out:\n%s' "$left"
  [ -z "$reasons" ] || echo "not tested: $reasons"
  echo "$passed passed, $failed failed"
  [ $failed -eq 0 ]
}
