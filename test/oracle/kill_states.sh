#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# States of killed programs (test/storage/kill_test.cpp) beside libhdf5 and pciorecover.
# Room: test/oracle.
set -u -o pipefail
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
tests=$PCIO_BUILDDIR/test/engine_tests recover=$PCIO_BUILDDIR/tools/pciorecover
[ -x "$tests" ] || { echo "SKIP: built without GoogleTest"; exit 77; }
[ -x "$recover" ] || { echo "SKIP: built without pciorecover (CLI11 and fmt)"; exit 77; }
[ -n "$ORACLE_H5PY" ] || { echo "SKIP: no h5py"; exit 77; }
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/kill_states.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
rounds=3
[ -z "${PCIO_LONG-}" ] || rounds=30
PCIO_KILL_STATES=$folder PCIO_KILL_ROUNDS=$rounds PCIO_KILL_SEED=${PCIO_SEED:-7} \
  "$tests" --gtest_filter='Kill.EveryPrefix*' | grep '^kill states' ||
  { echo "FAILED: the test failed, or left no states"; exit 1; }
"$ORACLE_H5PY" "$PCIO_SRCDIR/test/oracle/kill_states.py" "$folder" "$recover"
