#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# H5LT, H5LD and H5DO beside libhdf5_hl: one program against both; its output and h5dump of its files are equal. Then
# what only libpcio_hl is asked.
set -u
. "$PCIO_SRCDIR/test/hl/beside.sh" lite
compare_files || exit 1
timeout 60 "$program" "$work/alone.h5" alone | tail -n 1
exit "${PIPESTATUS[0]}"
