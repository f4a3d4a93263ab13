#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Each public header compiles alone in C99 and C++11, all together also in C11, C++17 and C++20, in every API dialect,
# without a warning; the layouts are right; a name without number leads to the version that its dialect says.
set -eu
. "$(dirname "$0")/abi_env.sh"

includes="-I$top_builddir/include -I$top_srcdir/include $mpi_cppflags"
bad=0

compile() { # compiler+language flags, macro, file
  # shellcheck disable=SC2086
  $1 $2 $warn_flags $includes -fsyntax-only "$3" > "$tmp/log" 2>&1 || {
    bad=$((bad + 1))
    echo "FAIL: $1 $2: $(grep -m1 include "$3")"
    head -20 "$tmp/log"
  }
}

count=0
for header in "$top_srcdir"/include/*.h "$top_builddir"/include/H5pubconf.h; do
  [ -f "$header" ] || continue
  name=$(basename "$header")
  printf '#include "%s"\nextern int pcio_probe;\nint pcio_probe = 0;\n' "$name" > "$tmp/alone.c"
  compile "$CC -std=c99 -D_POSIX_C_SOURCE=200809L" "" "$tmp/alone.c"
  compile "$CXX -x c++ -std=c++11" "" "$tmp/alone.c"
  count=$((count + 1))
done
[ "$count" -ge 28 ] || fail "only $count headers found"

printf '#include <hdf5.h>\n#include <pcio.h>\nextern int pcio_probe;\nint pcio_probe = 0;\n' \
  > "$tmp/all.c"
for macro in -DH5_USE_16_API -DH5_USE_18_API -DH5_USE_110_API -DH5_NO_DEPRECATED_SYMBOLS \
    -DPCIO_INSIDE "-DH5Dopen_vers=1 -DH5Ewalk_vers=1"; do
  compile "$CC -std=c99 -D_POSIX_C_SOURCE=200809L" "$macro" "$tmp/all.c"
  compile "$CC -std=c11" "$macro" "$tmp/all.c"
  for standard in c++11 c++17 c++20; do compile "$CXX -x c++ -std=$standard" "$macro" "$tmp/all.c"; done
done

# dialect, then names with the version that each must have
expect() {
  macro=$1; shift
  { echo '#include <hdf5.h>'; for w in "$@"; do echo "pcio_map ${w%[0-9]} ${w}"; done; } > "$tmp/map.c"
  # shellcheck disable=SC2086
  $CC -std=c99 -D_POSIX_C_SOURCE=200809L $macro $includes -E "$tmp/map.c" | grep '^pcio_map' |
    while read -r _ got want; do
      [ "$got" = "$want" ] || echo "FAIL: with '$macro' a name leads to $got, not $want"
    done > "$tmp/wrong"
  if [ -s "$tmp/wrong" ]; then cat "$tmp/wrong"; bad=$((bad + 1)); fi
}
newest="H5Acreate2 H5Aiterate2 H5Dcreate2 H5Dopen2 H5Eclear2 H5Eget_auto2 H5Eprint2 H5Epush2
  H5Eset_auto2 H5Ewalk2 H5Gcreate2 H5Gopen2 H5Pget_filter2 H5Pget_filter_by_id2 H5Pinsert2
  H5Rget_obj_type2 H5Tarray_create2 H5Tcommit2 H5Tget_array_dims2 H5Topen2"
oldest=$(echo "$newest" | sed 's/2/1/g')
# shellcheck disable=SC2086
{
  expect "" $newest H5Rdereference2 H5Fget_info2
  expect -DH5_USE_110_API $newest H5Rdereference2 H5Fget_info2
  expect -DH5_USE_18_API $newest H5Rdereference1 H5Fget_info1
  expect -DH5_USE_16_API $oldest H5Rdereference1 H5Fget_info2
  expect "-DH5_USE_16_API -DH5Dopen_vers=2" H5Dopen2 H5Dcreate1
  expect "-DH5Dopen_vers=1" H5Dopen1 H5Dcreate2
}

# shellcheck disable=SC2086
$CC -std=c11 -D_POSIX_C_SOURCE=200809L $warn_flags $includes \
  "$top_srcdir/test/abi/abi_layout.c" -o "$tmp/abi_layout" || bad=$((bad + 1))
[ ! -x "$tmp/abi_layout" ] || "$tmp/abi_layout" || bad=$((bad + 1))

[ "$bad" -eq 0 ] || fail "$bad checks of the headers failed"
echo "$count headers compile alone in C99 and C++; dialects and layouts are right"
