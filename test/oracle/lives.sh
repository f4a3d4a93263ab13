#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Lives of files with all of the data model, changed by libpcio and libhdf5 in turn: a sample for `make check`,
# all of it in `make check-long`. PCIO_SEED and PCIO_SEEDS choose other seeds. Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
count=12
[ -z "${PCIO_LONG-}" ] || count=2000
exec "$PYTHON" "$PCIO_SRCDIR/test/oracle/lives.py" "${PCIO_SEED:-1}" "${PCIO_SEEDS:-$count}"
