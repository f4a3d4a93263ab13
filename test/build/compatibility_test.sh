#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# doc/COMPATIBILITY.md is what tools/gen-compatibility makes of the headers and the tests' records.
set -u
python=${PYTHON:-python3}
command -v "$python" > /dev/null || { echo "SKIP: no Python"; exit 77; }
tmp=$(mktemp "${PCIO_TEST_TMP:-${TMPDIR:-/tmp}}/compatibility.XXXXXX") || exit 1
trap 'rm -f "$tmp"' EXIT
PYTHONDONTWRITEBYTECODE=1 "$python" "$PCIO_SRCDIR/tools/gen-compatibility" --print > "$tmp" || exit 1
diff "$PCIO_SRCDIR/doc/COMPATIBILITY.md" "$tmp" | head -20
[ "${PIPESTATUS[0]}" = 0 ] || { echo "FAIL: run tools/gen-compatibility"; exit 1; }
