#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# All sources are as .clang-format has them, and one that isn't is found.
set -u
work=$(mktemp -d "$PCIO_TEST_TMP/format.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$PCIO_SRCDIR/tools/check-format" "$PCIO_SRCDIR" || exit $?
mkdir -p "$work/src/base"
cp "$PCIO_SRCDIR/.clang-format" "$work"
printf 'int  twice( int n ){return 2*n;}\n' > "$work/src/base/twice.cpp"
if "$PCIO_SRCDIR/tools/check-format" "$work"; then
  echo "FAIL: a planted fault is not found"
  exit 1
fi
