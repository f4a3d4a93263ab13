#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# random_files under rapidcheck: a sample in `make check`, 2000 files in `make check-long`.
# RC_PARAMS given from outside wins.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
program=$ORACLE_PCIO/random_files
[ -x "$program" ] || { echo "SKIP: built without rapidcheck"; exit 77; }
count=60
[ -z "${PCIO_LONG-}" ] || count=2000
export RC_PARAMS="${RC_PARAMS:-max_success=$count seed=1}"
exec "$program"
