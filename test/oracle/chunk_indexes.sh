#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Every chunk index, written and changed by libpcio and libhdf5 in turn: a sample for `make check`,
# all of it in `make check-long`. PCIO_SEED and PCIO_SEEDS choose other seeds.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
count=108
[ -z "${PCIO_LONG-}" ] || count=2000
lives() { "$PYTHON" "$PCIO_SRCDIR/test/oracle/chunk_indexes.py" "$@"; }
failed=0
# Datasets with an implicit index that libhdf5 has made or cut, and libpcio extends.
for seed in 1047 1131 1269; do lives $seed 1 | tail -n 1; [ "${PIPESTATUS[0]}" = 0 ] || failed=1; done
lives "${PCIO_SEED:-0}" "${PCIO_SEEDS:-$count}" || failed=1
exit $failed
