#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Every file under version control is in the release, or on the list of those that stay out; and
# every file that is listed for the release is there.
set -u
# Under make -j a make of our own would speak of the jobserver.
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$PCIO_SRCDIR" || exit 1
if ! git rev-parse --git-dir >/dev/null 2>&1 || [ "$(git rev-parse --show-toplevel)" != "$PWD" ]; then
  echo "SKIP: not a git checkout"
  exit 77
fi
work=$(mktemp -d "$PCIO_TEST_TMP/dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Where a Makefile.am is newer, the first make speaks of making the Makefile.
(cd "$PCIO_BUILDDIR" && make -s --no-print-directory print-distfiles >"$work/log" 2>&1 &&
  make -s --no-print-directory print-distfiles) |
  tr ' ' '\n' | sed "s|^$PCIO_SRCDIR/||" | LC_ALL=C sort -u > "$work/dist"
[ -s "$work/dist" ] || { echo "FAIL: make print-distfiles says nothing"; exit 1; }
# The release is made of files of the source folder and, where configure or make wrote them, the build folder.
while read -r file; do
  [ -e "$file" ] || [ -e "$PCIO_BUILDDIR/$file" ] || echo "$file"
done < "$work/dist" > "$work/absent"
if [ -s "$work/absent" ]; then
  echo "FAIL: listed for the release (a Makefile.inc, Makefile.am) but not there:"
  cat "$work/absent"
  exit 1
fi
# A listed folder stands for what is in it.
git ls-files | grep -v -e '^\.gitignore$' -e '^tools/aux/\.keep$' -e '^tools/m4/' | LC_ALL=C sort |
  LC_ALL=C comm -23 - "$work/dist" | while read -r file; do
    folder=$file
    while folder=$(dirname "$folder") && [ "$folder" != . ]; do
      grep -qx -- "$folder" "$work/dist" && continue 2
    done
    [ -e "$file" ] && echo "$file"
  done > "$work/missing"
if [ -s "$work/missing" ]; then
  echo "FAIL: not in the release (add to a Makefile.inc):"
  cat "$work/missing"
  exit 1
fi
