#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Variable-length data, written and changed by libpcio and libhdf5 in turn: a sample for `make check`,
# all of it in `make check-long`. PCIO_SEED and PCIO_SEEDS choose other seeds.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
count=48
[ -z "${PCIO_LONG-}" ] || count=2000
exec "$PYTHON" "$PCIO_SRCDIR/test/oracle/sequences.py" "${PCIO_SEED:-0}" "${PCIO_SEEDS:-$count}"
