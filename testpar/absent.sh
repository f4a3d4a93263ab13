#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# absent.sh NP: ranks that don't come (absent_cases) on NP ranks: who is missing is said, and with
# PCIO_HANG_ABORT=1 the job ends; so it is where one stays in the midst of a call, in a letter to another node with which it
# shares stripes. A sample on 2 and 3 ranks.
# With PCIO_LONG=1, as in `make check-long`: each rank in turn, on 2, 3, 4 and 6, every call aborted.
set -u
case ${PCIO_LONG-}:${1-} in
  :2|:3) ranks=$1 ;;
  :*) exit 77 ;;
  *) ranks="2 3 4 6" ;;
esac
folder=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/absent.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
program=$PCIO_BUILDDIR/testpar/absent_cases
seconds=${PAR_SECONDS:-300}
[ -z "${PCIO_LONG-}" ] || seconds=3600
failed=0

# aborted NP CALL: the job is ended, by the library, and says so.
aborted() {
  local log=$folder/abort.log
  if PCIO_RUN_QUIET=1 PCIO_HANG_SECONDS=1 PCIO_HANG_ABORT=1 \
    "$PCIO_RUN_PAR" "$1" 60 "$program" "$folder/abort.h5" "$2" >"$log" 2>&1 ||
    [ $? = 124 ] || ! grep -q 'PCIO_HANG_ABORT is set: aborting' "$log"; then
    echo "$2 on $1 ranks: not aborted"
    tail -n 20 "$log"
    failed=1
  fi
}

calls="set_fapl create write_view close" letters="columns stripes"
[ -z "${PCIO_LONG-}" ] || calls=$(sed -n 's/^ *{"\([a-z_]*\)", "H5.*kU*[Nn]*amed,.*/\1/p' \
  "$PCIO_SRCDIR/testpar/absent/absent_cases.cpp")
for np in $ranks; do
  "$PCIO_RUN_PAR" "$np" "$seconds" "$program" "$folder/absent.h5" || failed=1
  # Two nodes of two ranks and one meet unequally often, and who is missing is told right nevertheless.
  [ "$np" != 3 ] || PCIO_CHECK=nodes:2 "$PCIO_RUN_PAR" "$np" "$seconds" "$program" "$folder/absent.h5" || failed=1
  "$PCIO_RUN_PAR" "$np" 60 "$program" "$folder/absent.h5" finalize || failed=1
  [ "$np" = 2 ] || [ -n "${PCIO_LONG-}" ] || continue
  for call in $calls; do aborted "$np" "$call"; done
  [ "$np" = 2 ] || continue
  export PCIO_CHECK=nodes:2,stripe:4096
  "$PCIO_RUN_PAR" 2 60 "$program" "$folder/absent.h5" letters || failed=1
  for call in $letters; do aborted 2 "$call"; done
  unset PCIO_CHECK
done
[ $failed = 0 ] && echo "absent: all told, all aborted: $(echo $calls $letters | wc -w) calls"
exit $failed
