#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Each source file compiles by itself, whatever a unity build reads before it, and one that doesn't is found. An eighth of them;
# with PCIO_LONG=1 all.
set -u
work=$(mktemp -d "$PCIO_TEST_TMP/each.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
each=any/8
[ "${PCIO_LONG:-0}" = 0 ] || each=1/1
(cd "$PCIO_BUILDDIR" && ${MAKE:-make} -s each EACH="$each") || exit 1

mkdir -p "$work/src/base"
printf 'int twice(int n);\n' >"$work/src/base/twice.hpp"
printf '#include "base/twice.hpp"\nint twice(int n) { return 2 * n; }\n' >"$work/src/base/a.cpp"
printf 'int four_times(int n) { return twice(twice(n)); }\n' >"$work/src/base/b.cpp"
if "$PCIO_SRCDIR/tools/check-each" 0/1 "$work" g++ -I"$work/src" >"$work/out" 2>&1 || ! grep -q "2 of 2 files.* 1 not by" "$work/out"; then
  cat "$work/out"
  echo "FAIL: a planted fault is not found"
  exit 1
fi
