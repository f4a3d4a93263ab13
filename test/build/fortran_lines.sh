#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# A procedure of the Fortran modules is a row of a table where it can be. Before there was one the folder had 5,143 lines of
# Fortran and C, for 206 procedures (as tools/count-fortran counts): at most half of that is written by hand today, for at least twice as many.
# That what it counts is what the modules offer is seen in test/abi/compare_modules.sh.
set -u
python=${PYTHON:-python3}
command -v "$python" > /dev/null || { echo "SKIP: no Python"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
then_lines=5143 then_procedures=206
counted=$("$python" "$PCIO_SRCDIR/tools/count-fortran") || { echo "FAIL: tools/count-fortran"; exit 1; }
read -r _ hand _ table _ generator _ procedures <<< "$counted"
echo "$counted; before: hand $then_lines procedures $then_procedures"
[ "$table" -gt 0 ] && [ "$generator" -gt 0 ] || { echo "FAIL: no table, or nothing that reads it"; exit 1; }
[ $((2 * hand)) -le $then_lines ] || { echo "FAIL: more than half of $then_lines lines are written by hand"; exit 1; }
[ "$procedures" -ge $((2 * then_procedures)) ] || { echo "FAIL: less than twice $then_procedures procedures"; exit 1; }
