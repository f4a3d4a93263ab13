#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# A sample of the campaign of random files for `make check`; `make check-long` runs all of it.
# The seeds of the sample are fixed, so that a failure is there again; PCIO_SEED and PCIO_SEEDS
# choose others.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
count=120
[ -z "${PCIO_LONG-}" ] || count=2000
exec "$PYTHON" "$PCIO_SRCDIR/test/oracle/campaign.py" "${PCIO_SEED:-1}" "${PCIO_SEEDS:-$count}"
