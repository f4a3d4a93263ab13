#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What a user does: install, then build programs only through `pkg-config pcio` and pciocc: C99, C++,
# the 1.6 dialect, a C program without MPI calls, the program in the README; run each.
set -u
if ! command -v pkg-config >/dev/null; then echo "SKIP: no pkg-config"; exit 77; fi
if [ "$PCIO_WITH_ASAN" = yes ]; then echo "SKIP: a sanitized library is not for users"; exit 77; fi
work=$(mktemp -d "$PCIO_TEST_TMP/install.XXXXXX")
trap 'rm -rf "$work"' EXIT
prefix=$work/local
unset MAKEFLAGS MFLAGS MAKELEVEL
make -C "$PCIO_BUILDDIR" install prefix="$prefix" exec_prefix="$prefix" libdir="$prefix/lib" \
  includedir="$prefix/include" bindir="$prefix/bin" >"$work/install.log" 2>&1 || {
  tail -n 20 "$work/install.log"; echo "FAIL: make install"; exit 1; }
passed=0 failed=0
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi
}
for file in lib/libpcio.so.0 lib/pkgconfig/pcio.pc include/pcio/hdf5.h include/pcio/H5pubconf.h \
    bin/pciocc bin/pcioinfo; do
  [ -e "$prefix/$file" ]; verdict $? "$file is installed"
done
[ ! -e "$prefix/include/hdf5.h" ]; verdict $? "no header outside include/pcio"
readelf -d "$prefix/lib/libpcio.so.0" | grep -q 'SONAME.*\[libpcio\.so\.0\]'; verdict $? "SONAME"

# The prefix of this installation is not the configured one.
sed -i -e "s|^prefix=.*|prefix=$prefix|" -e "s|^exec_prefix=.*|exec_prefix=$prefix|" \
  -e "s|^libdir=.*|libdir=$prefix/lib|" -e "s|^includedir=.*|includedir=$prefix/include|" \
  "$prefix/lib/pkgconfig/pcio.pc" "$prefix/bin/pciocc"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
flags=$(pkg-config --cflags pcio) libs=$(pkg-config --libs pcio)
cd "$work" || exit 1

# program NAME COMPILER-WORDS SOURCE: build and run in one process, warnings are errors.
program() {
  # shellcheck disable=SC2086 # words
  $2 -Wall -Wextra -Werror $flags -o "$1" "$3" $libs >"$1.log" 2>&1
  local status=$?
  [ $status -eq 0 ] || head -n 20 "$1.log"
  verdict $status "$1 compiles"
  [ $status -eq 0 ] || return
  "./$1" >"$1.log" 2>&1
  status=$?
  [ $status -eq 0 ] || head -n 20 "$1.log"
  verdict $status "$1 runs"
}
here=$PCIO_SRCDIR/test/build/programs
program plain_c "$PCIO_CC -std=c99 -pedantic" "$here/plain.c"
program plain_cpp "$PCIO_CXX -std=c++11" "$here/plain_cpp.cpp"
program dialect_16 "$PCIO_CC -std=c99" "$here/dialect_16.c"

sed -n '/^```c$/,/^```$/p' "$PCIO_SRCDIR/README.md" | sed '/^```/d' > readme.c
[ "$(wc -l < readme.c)" -le 33 ]; verdict $? "the README's program is short"
"$prefix/bin/pciocc" -Wall -Werror -o readme readme.c; status=$?
verdict $status "the README's program compiles with pciocc"
if [ $status -eq 0 ]; then
  unset LD_LIBRARY_PATH # pciocc puts the path into the program
  "$PCIO_RUN_PAR" 3 60 ./readme >readme.log 2>&1; status=$?
  [ $status -eq 0 ] || tail -n 20 readme.log
  verdict $status "the README's program runs on 3 ranks"
  if [ -n "$H5DUMP" ] && [ $status -eq 0 ]; then
    # The last element of the last row is 1000 * 2 + 999.
    "$H5DUMP" -d /rows -s 2,999 -c 1,1 rows.h5 | grep -q 2999; verdict $? "h5dump reads rows.h5"
  fi
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
