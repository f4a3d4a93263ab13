#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# A user who does literally what the site's pages say sees what they show: every program is compiled, every command run, what it prints
# compared. site.sh PAGE.md...: those only. site.sh --renew PAGE.md...: write what is printed into pages of the source instead.
set -u
if [ "$PCIO_WITH_ASAN" = yes ]; then echo "SKIP: a sanitized library is not for users"; exit 77; fi
if [ "$MPI_FLAVOR" != openmpi ]; then echo "SKIP: the pages show Open MPI"; exit 77; fi
work=$(mktemp -d "$PCIO_TEST_TMP/site.XXXXXX")
trap 'rm -rf "$work"' EXIT
. "$PCIO_SRCDIR/test/doc/installed.sh"
export PCIO_TEST_TMP=$work
site=$PCIO_SRCDIR/doc/site
if [ "${1-}" = --renew ]; then
  shift
  cd "$site" && "${PYTHON:-python3}" -B "$PCIO_SRCDIR/tools/run-document" --renew "$@"
  exit
fi
pages="install.md tutorial-c.md why-not-collective.md tuning.md"
[ ! -x "$PCIO_BUILDDIR/tools/pcioexplain" ] || pages="$pages plan-first.md"
[ "$PCIO_WITH_FORTRAN" = no ] || pages="$pages tutorial-fortran.md"
if command -v cmake && command -v autoreconf && command -v pkg-config; then pages="$pages porting.md"; fi >/dev/null
[ $# -eq 0 ] || pages=$*
failed=0
for page in $pages; do
  "${PYTHON:-python3}" -B "$PCIO_SRCDIR/tools/run-document" "$site/$page" || failed=$((failed + 1))
done
# What must fail does: a page whose command fails, one that shows something else, one without a command.
printf '<!-- run -->\n```console\n$ false\n```\n' >"$work/fails.md"
printf '<!-- run -->\n```console\n$ echo one\ntwo\n```\n' >"$work/other.md"
echo 'Nothing.' >"$work/empty.md"
printf '<!-- run -->\n```console\n$ echo new >map.svg\n```\n<!-- picture map.svg -->\n' >"$work/picture.md"
echo old >"$work/map.svg"
for page in fails other empty picture; do
  if "${PYTHON:-python3}" -B "$PCIO_SRCDIR/tools/run-document" "$work/$page.md" >/dev/null; then
    echo "FAIL: run-document sees nothing wrong in $page.md"
    failed=$((failed + 1))
  fi
done
[ $failed -eq 0 ]
