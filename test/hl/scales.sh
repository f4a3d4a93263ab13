#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Dimension scales beside libhdf5_hl: one program against both; its output and h5dump of its files are equal.
set -u
. "$PCIO_SRCDIR/test/hl/beside.sh" scales
compare_files
