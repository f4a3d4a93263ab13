#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Random calls of four threads on one and two files, and every way from file to file, with many seeds (check-long).
# PCIO_SEED: the first one; PCIO_CASES: calls of each thread. A seed alone does not repeat who comes first.
[ -x test/api_tests ] || { echo "SKIP: no GoogleTest"; exit 77; }
first=${PCIO_SEED:-1}
seeds=3
[ "${PCIO_LONG:-0}" = 0 ] || seeds=60
export PCIO_CASES=${PCIO_CASES:-1000}
failures=0
for ((seed = first; seed < first + seeds; ++seed)); do
  PCIO_SEED=$seed timeout 600 test/api_tests --gtest_filter='Threads.*' --gtest_brief=1 > "$PCIO_TEST_TMP/threads.log" 2>&1 || {
    failures=$((failures + 1))
    echo "seed $seed:"
    tail -n 40 "$PCIO_TEST_TMP/threads.log"
  }
done
echo "threads: seeds $first to $((first + seeds - 1)), $((seeds * 16 * PCIO_CASES)) random calls, $failures failures"
[ "$failures" = 0 ]
