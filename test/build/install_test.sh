#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What a user finds after make install; the program in the README compiles with the installed pciocc
# and runs on 3 ranks. (test/abi/check_programs.sh builds others through pkg-config.)
set -u
if [ "$PCIO_WITH_ASAN" = yes ]; then echo "SKIP: a sanitized library is not for users"; exit 77; fi
work=$(mktemp -d "$PCIO_TEST_TMP/install.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
# Into a staging folder, as packagers do; the libraries are linked for the configured prefix.
make -C "$PCIO_BUILDDIR" install DESTDIR="$work/stage" >"$work/install.log" 2>&1 || {
  tail -n 20 "$work/install.log"; echo "FAIL: make install"; exit 1; }
wrapper=$(find "$work/stage" -path '*/bin/pciocc')
prefix=${wrapper%/bin/pciocc}
pc=$(find "$work/stage" -name pcio.pc)
libdir=${pc%/pkgconfig/pcio.pc}
passed=0 failed=0
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi
}
for file in "$pc" "$libdir/libpcio.so.0" "$prefix/include/pcio/hdf5.h" \
    "$prefix/include/pcio/H5pubconf.h" "$prefix/bin/pciocc" "$prefix/bin/pcioinfo"; do
  [ -e "$file" ]; verdict $? "$file is installed"
done
if [ "$PCIO_WITH_FORTRAN" = yes ]; then
  for file in "$libdir/libpcio_fortran.so.0" "$prefix/include/pcio/hdf5.mod" "$prefix/bin/pciofc"; do
    [ -e "$file" ]; verdict $? "$file is installed"
  done
fi
[ ! -e "$prefix/include/hdf5.h" ]; verdict $? "no header outside include/pcio"
readelf -d "$libdir/libpcio.so.0" | grep -q 'SONAME.*\[libpcio\.so\.0\]'; verdict $? "SONAME"

# The wrapper names the configured prefix.
sed -i -e "s|^prefix=.*|prefix=$prefix|" -e "s|^exec_prefix=.*|exec_prefix=$prefix|" \
  -e "s|^libdir=.*|libdir=$libdir|" -e "s|^includedir=.*|includedir=$prefix/include|" \
  "$prefix/bin/pciocc"
cd "$work" || exit 1
sed -n '/^```c$/,/^```$/p' "$PCIO_SRCDIR/README.md" | sed '/^```/d' > readme.c
[ "$(wc -l < readme.c)" -le 33 ]; verdict $? "the README's program is short"
"$prefix/bin/pciocc" -Wall -Werror -o readme readme.c; status=$?
verdict $status "the README's program compiles with pciocc"
if [ $status -eq 0 ]; then
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
