#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# pcioinfo on every well-formed foreign file: it ends, and says of each file what is in it or why
# not; on a file that is none, and on wrong options, it ends with its exit status for that.
# Room: test/corpus.
set -u
. "$PCIO_SRCDIR/test/corpus/corpus_env.sh" valid
info=$PCIO_BUILDDIR/tools/pcioinfo
[ -x "$info" ] || { echo "SKIP: built without pcioinfo (CLI11 and fmt)"; exit 77; }
log=$(mktemp "${PCIO_TEST_TMP:-.}/pcioinfo.XXXXXX") || exit 1
trap 'rm -f "$log" "$log.err"' EXIT
passed=0 failed=0

# expect WORDS STATUS...: the last status is one of these and nothing looks like a crash.
expect() {
  local what=$1 status=$2
  shift 2
  case " $* " in
    *" $status "*) passed=$((passed + 1)) ;;
    *) failed=$((failed + 1)); echo "FAILED $what: exit status $status"; tail -n 3 "$log.err" ;;
  esac
}

tail -n +2 "$PCIO_CORPUS/valid/INDEX.tsv" >"$log.index"
while IFS=$'\t' read -r file _; do
  timeout 20 "$info" "$PCIO_CORPUS/valid/$file" >"$log" 2>"$log.err"
  status=$?
  expect "$file" $status 0 1 3
  if [ $status -ne 0 ] && [ ! -s "$log.err" ]; then
    failed=$((failed + 1)); echo "FAILED $file: status $status without a word"
  elif [ $status -eq 3 ] && ! grep -q refused "$log"; then
    failed=$((failed + 1)); echo "FAILED $file: status 3 but nothing refused"
  fi
done <"$log.index"
rm -f "$log.index"
"$info" "$PCIO_SRCDIR/configure.ac" >"$log" 2>"$log.err"; expect "no HDF5 file" $? 1
"$info" >"$log" 2>"$log.err"; expect "no argument" $? 2
"$info" --no-such-option x >"$log" 2>"$log.err"; expect "an unknown option" $? 2
"$info" --help >"$log" 2>"$log.err"; expect "--help" $? 0
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
