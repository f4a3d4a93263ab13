#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# A sample of the campaign of filtered datasets for `make check`; `make check-long` runs all of it.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
count=150
[ -z "${PCIO_LONG-}" ] || count=3000
exec "$PYTHON" "$PCIO_SRCDIR/test/oracle/filter_campaign.py" "${PCIO_SEED:-1}" "${PCIO_SEEDS:-$count}"
