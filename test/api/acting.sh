#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Functions of the program in the midst of calls (acting_test.cpp): with 60 seeds, from PCIO_SEED on.
set -u
[ -x test/api_tests ] || { echo "SKIP: no GoogleTest"; exit 77; }
PCIO_LONG=1 PCIO_SEED="${PCIO_SEED:-1}" timeout 1800 test/api_tests --gtest_filter='Acting.*' --gtest_brief=1 \
  > "$PCIO_TEST_TMP/acting.log" 2>&1
status=$?
grep '^acting:' "$PCIO_TEST_TMP/acting.log" || { status=1; echo "no result"; }
[ $status = 0 ] || head -n 40 "$PCIO_TEST_TMP/acting.log"
rm -f "$PCIO_TEST_TMP/acting.log"
exit $status
