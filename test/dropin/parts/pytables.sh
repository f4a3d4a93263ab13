# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# PyTables' own tests; known: the space of a file that holds one small array (test_carray.py). Room: test/dropin/parts.
[ -d "$clients/usr/lib/python3/dist-packages/tables" ] || { skip "no PyTables in PCIO_CLIENTS"; return; }
clock=3600 with ours 1800 "$PYTHON" -m tables.tests.test_all >pytables.log 2>&1
grep -qa '^Ran [1-9][0-9]* tests' pytables.log; verdict $? "PyTables' own tests ran to the end: $(tail -n 3 pytables.log | cut -c1-300)"
grep -a '^Ran ' pytables.log
known="FAIL: None (tables.tests.test_carray.SizeOnDiskInMemoryPropertyTestCase.None)"
! grep -aE '^(FAIL|ERROR): ' pytables.log | grep -vxF "$known" >unknown.failed
verdict $? "PyTables' own tests: $(head -n 20 unknown.failed)"
