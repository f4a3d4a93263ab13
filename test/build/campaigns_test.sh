#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The campaigns of differing lists, of ranks that don't come and of memory that runs out know all there is:
# every setter has a row in testpar/lists/list_rows.cpp or a reason in without_row.txt, every function that
# waits for ranks is called in both others or has a reason in testpar/absent/communicating.txt. Which ones do the
# headers say as well (\communicates, \transfer): no pattern of that list hides a new one.
set -uf
top=${PCIO_CAMPAIGNS_OF:-$PCIO_SRCDIR}
failed=0
complain() { echo "FAIL: $*"; failed=1; }
exported=$(sed -n 's/^ *\([A-Za-z0-9_]*\);$/\1/p' "$top/lib/libpcio.map")
[ -n "$exported" ] || { echo "FAIL: no exported names"; exit 1; }

# ---- lists
rows=$top/testpar/lists/list_rows.cpp excuses=$top/testpar/lists/without_row.txt
setters=0 excused=0
for name in $(printf '%s\n' $exported | grep -E '^(H5Pset(_|$)|pcio_set_)'); do
  setters=$((setters + 1))
  row=no reason=no
  grep -qE "\\b$name\\(" "$rows" && row=yes
  grep -qE "^$name +[^ ]" "$excuses" && reason=yes
  case $row$reason in
    nono) complain "$name has no row in list_rows.cpp, and no reason" ;;
    yesyes) complain "$name has a row in list_rows.cpp, and a reason to have none" ;;
    noyes) excused=$((excused + 1)) ;;
  esac
done
for name in $(sed -n 's/^\([A-Za-z][A-Za-z0-9_]*\) .*/\1/p' "$excuses"); do
  printf '%s\n' $exported | grep -qx "$name" || complain "without_row.txt: $name is not exported"
done

# ---- calls
table=$top/testpar/absent/communicating.txt
absent=$top/testpar/absent/absent_cases.cpp memory=$top/testpar/memory/scenes.cpp
waiting=0
# line_of NAME: the rest of the first line that matches it.
line_of() {
  while read -r pattern rest; do
    case $pattern in '' | '#'*) continue ;; esac
    case $1 in $pattern) printf '%s\n' "$rest"; return ;; esac
  done <"$table"
}
together=$(awk '
  /\\(communicates|transfer|metadata|local)([^a-z]|$)/ { tag = /\\(communicates|transfer)/ }
  /^(H5_DLL|PCIO_DLL) / { if (tag && match($0, /[A-Za-z0-9_]+ *\(/)) {
                            name = substr($0, RSTART, RLENGTH); sub(/ *\(/, "", name); print name }
                          tag = 0 }' $(find "$top/include" -name '*.h') | tr '\n' ' ')
[ "$(printf '%s' "$together" | wc -w)" -gt 15 ] || complain "the headers name few functions that communicate: $together"
for name in $exported; do
  line=$(line_of "$name")
  case " $together $line" in *" $name "*' alone '*)
    complain "$name: its header says that it communicates, communicating.txt that it waits for nobody" ;;
  esac
  case $line in
    'alone '*[a-z]*) continue ;;
    waits*) waiting=$((waiting + 1)) ;;
    *) complain "$name: communicating.txt does not know whether it waits for other ranks"; continue ;;
  esac
  excuse=$(printf '%s' "$line" | sed 's/^waits *//; s/-[a-z]* *//g')
  for campaign in absent memory; do
    case $line in
      *"-$campaign"*)
        [ -n "$excuse" ] || complain "$name: not in the campaign $campaign, without a reason" ;;
      *) grep -qE "\\b$name\\(" "${!campaign}" || complain "$name is not called in ${!campaign#"$top/"}" ;;
    esac
  done
done
echo "campaigns: $setters setters, $excused without a row; $waiting functions that wait; failures: $failed"
# A function that communicates, under a pattern of those that don't, is found.
if [ -z "${PCIO_CAMPAIGNS_OF-}" ]; then
  planted=$(mktemp -d "$PCIO_TEST_TMP/campaigns.XXXXXX")
  trap 'rm -rf "$planted"' EXIT
  mkdir "$planted/lib" "$planted/include" "$planted/testpar"
  cp -r "$top/testpar/lists" "$top/testpar/absent" "$top/testpar/memory" "$planted/testpar"
  (cat "$top/lib/libpcio.map"; echo ' H5Dplanted;') >"$planted/lib/libpcio.map"
  (cat $(find "$top/include" -name '*.h'); printf '/** \\communicates */\nH5_DLL herr_t H5Dplanted(void);\n') \
    >"$planted/include/all.h"
  PCIO_CAMPAIGNS_OF=$planted bash "$0" | grep -q '^FAIL: H5Dplanted: its header' ||
    complain "a planted function that communicates was not found"
fi
[ $failed = 0 ] && [ $setters -gt 50 ] && [ $waiting -gt 15 ]
