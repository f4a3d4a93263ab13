#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Random filtered chunks beside libhdf5: a sample, or with PCIO_LONG=1 the whole. Room: test/filter.
set -u
program=$PCIO_BUILDDIR/test/filter/campaign
[ -x "$program" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
if [ "${PCIO_LONG-}" = 1 ]; then
  exec "$program" 100000 60000
fi
exec "$program" 1 3000
