# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# PyTables' own tests; known: the space of a file that holds one small array (test_carray.py). Room: test/dropin/parts.
[ -d "$clients/usr/lib/python3/dist-packages/tables" ] || { skip "no PyTables in PCIO_CLIENTS"; return; }
# Every fourth module's: four processes side by side.
cat >quarter.py <<'PROGRAM'
import sys, unittest, tables.tests
unittest.TextTestRunner().run(unittest.TestSuite(list(tables.tests.suite())[int(sys.argv[1])::4]))
PROGRAM
clock=3600
for quarter in 0 1 2 3; do
  mkdir room$quarter && (cd room$quarter && with ours 1800 "$PYTHON" ../quarter.py $quarter >../quarter$quarter.log 2>&1) &
done
wait
known="FAIL: None (tables.tests.test_carray.SizeOnDiskInMemoryPropertyTestCase.None)"
for quarter in 0 1 2 3; do
  log=quarter$quarter.log
  grep -a '^Ran [1-9][0-9]* tests' $log; verdict $? "PyTables' own tests ran to the end: $(tail -n 3 $log | cut -c1-300)"
  ! grep -aE '^(FAIL|ERROR): ' $log | grep -vxF "$known" >unknown.failed
  verdict $? "PyTables' own tests: $(head -n 20 unknown.failed)"
done
