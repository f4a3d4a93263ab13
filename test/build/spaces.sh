#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# A source folder with a space in its name (tools/m4/pcio_spaces.m4): two libraries, one of which needs the other, are configured, made,
# installed to another such folder and cleaned up; where that can't be, configure says so. On a project of a few lines, with libpcio's macro.
set -u
command -v autoreconf >/dev/null && command -v libtoolize >/dev/null || { echo "SKIP: no Autotools"; exit 77; }
work=$(mktemp -d "$PCIO_TEST_TMP/spaces.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
export TMPDIR=$work/tmp
top="$work/a source" passed=0 failed=0
mkdir -p "$top/m4" "$top/build" "$top/my build" "$work/beside it" "$TMPDIR"
cp "$PCIO_SRCDIR/tools/m4/pcio_spaces.m4" "$top/m4/"
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; tail -n 5 "$work/log"; fi
}
cat >"$top/configure.ac" <<'EOT'
AC_INIT([two], [1])
AC_CONFIG_AUX_DIR([aux])
AC_CONFIG_MACRO_DIRS([m4])
AM_INIT_AUTOMAKE([foreign])
PCIO_WITHOUT_SPACES
AC_PROG_CC
AM_PROG_AR
LT_INIT([disable-static])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
EOT
{
  sed -n '/^distclean-local:/,/^.PHONY/p' "$PCIO_SRCDIR/Makefile.am"
  cat <<'EOT'
lib_LTLIBRARIES = libone.la libother.la
libone_la_SOURCES = one.c
libother_la_SOURCES = other.c
libother_la_LIBADD = libone.la
bin_PROGRAMS = program
program_SOURCES = program.c
program_LDADD = libother.la
EOT
} >"$top/Makefile.am"
echo 'int one(void); int one(void) { return 1; }' >"$top/one.c"
echo 'int one(void); int other(void); int other(void) { return one(); }' >"$top/other.c"
echo 'int other(void); int main(void) { return other() - 1; }' >"$top/program.c"
(mkdir "$top/aux" && cd "$top" && autoreconf -fi) >"$work/log" 2>&1; verdict $? "the project"

(cd "$top/build" && ../configure CC="$PCIO_CC" CFLAGS=-O1 --prefix=/opt/two) >"$work/log" 2>&1; verdict $? "configure in a folder below the source's"
make -C "$top/build" >"$work/log" 2>&1; verdict $? "make"
"$top/build/program"; verdict $? "a program in place"
rm -rf "${TMPDIR:?}"/*
touch "$top/one.c" "$top/configure.ac"
make -C "$top/build" >"$work/log" 2>&1; verdict $? "make once temporary files are gone, and configure has changed"
make -C "$top/build" install DESTDIR="$work/to here" >"$work/log" 2>&1; verdict $? "make install, to a folder with a space"
LD_LIBRARY_PATH="$work/to here/opt/two/lib" "$work/to here/opt/two/bin/program"; verdict $? "a program that is installed"
! grep -rqF "$TMPDIR" "$work/to here"; verdict $? "nothing that is installed, but for debug information, knows of the way"
make -C "$top/build" distclean >"$work/log" 2>&1; verdict $? "make distclean"
[ -z "$(ls "$top/build" "$TMPDIR" | grep -v :)" ]; verdict $? "leaves nothing: $(ls "$top/build" "$TMPDIR")"

# refused FOLDER WHAT OPTION...
refused() {
  local in=$1 what=$2
  shift 2
  (cd "$in" && "../$([ "${in%/*}" = "$top" ] || echo "link/")configure" CC="$PCIO_CC" "$@") >"$work/log" 2>&1; [ $? -eq 1 ]
  verdict $? "$what is refused"
  grep -q "folder with a space in its name" "$work/log"; verdict $? "$what: configure says why"
}
ln -s "$top" "$work/link"
refused "$top/my build" "a space further down"
refused "$work/beside it" "a space elsewhere"
refused "$top/build" "a prefix with a space" --prefix="/opt/a place"
[ -z "$(ls "$TMPDIR")" ]; verdict $? "and no way is left"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
