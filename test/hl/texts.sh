#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Texts of types beside libhdf5_hl, equal to the byte; then types that it can't read back, by libpcio_hl alone.
# PCIO_SEED and PCIO_CASES choose others; PCIO_LONG=1: many.
set -u
. "$PCIO_SRCDIR/test/hl/beside.sh" texts
cases=${PCIO_CASES:-300}
[ -z "${PCIO_LONG-}" ] || cases=100000
timeout 300 "$work/hdf5" "${PCIO_SEED:-1}" "$cases" >"$work/hdf5.txt" || { tail -n 3 "$work/hdf5.txt"; echo "libhdf5_hl fails alone"; }
timeout 300 "$program" "${PCIO_SEED:-1}" "$cases" >"$work/pcio.txt" || { tail -n 3 "$work/pcio.txt"; exit 1; }
diff "$work/hdf5.txt" "$work/pcio.txt" | head -n 40
[ "${PIPESTATUS[0]}" -eq 0 ] && [ "$(wc -l <"$work/pcio.txt")" -gt 1000 ] || { echo "FAILED: other texts"; exit 1; }
tail -n 1 "$work/pcio.txt"
timeout 300 "$program" "${PCIO_SEED:-1}" "$cases" alone
