#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Debian's filter plugins, unchanged: libpcio writes through them and libhdf5 reads, and the other way
# round, with the same stored parameters; the calls that they make reach libpcio and no libhdf5, as
# ld.so tells. Room: test/filter.
set -u
if [ "$PCIO_WITH_ASAN" = yes ]; then echo "SKIP: plugins of the system know no sanitizer"; exit 77; fi
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
ours=$PCIO_BUILDDIR/test/filter/plugin_use
work=$(mktemp -d "$PCIO_TEST_TMP/plugins.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# Debian's plugin for lzf does not say that it needs liblzf; libpcio helps it, libhdf5 must be helped.
lzf=
LD_PRELOAD=liblzf.so.1 true 2>&1 | grep -q . || lzf=liblzf.so.1
unset HDF5_PLUGIN_PATH HDF5_PLUGIN_PRELOAD
passed=0 failed=0 skipped=0
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi
}
reasons=
# skip REASON
skip() {
  echo "SKIP: $1"
  skipped=$((skipped + 1)) reasons="$reasons${reasons:+; }$1"
}
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -D_POSIX_C_SOURCE=200809L $PCIO_HDF5_SERIAL_CPPFLAGS \
  "$PCIO_SRCDIR/test/filter/plugin_use.c" -o theirs $PCIO_HDF5_SERIAL_LIBS || exit 1

# plugin FILE PACKAGE FILTER VALUES...
plugin() {
  local file=$1 package=$2 filter=$3 found
  shift 3
  found=$(find /usr/lib -path '*hdf5/serial/plugins/*' -name "$file" 2>/dev/null | head -1)
  if [ -z "$found" ]; then
    skip "$file of the package $package is not installed"
    return
  fi
  "$ours" write "ours$filter.h5" "$filter" "$@" > ours.txt
  verdict $? "$file: libpcio writes"
  LD_PRELOAD=$lzf ./theirs write "theirs$filter.h5" "$filter" "$@" > theirs.txt
  verdict $? "$file: libhdf5 writes"
  cmp -s ours.txt theirs.txt; verdict $? "$file: parameters: $(cat ours.txt), libhdf5's: $(cat theirs.txt)"
  "$ours" read "theirs$filter.h5"; verdict $? "$file: libpcio reads what libhdf5 wrote"
  LD_PRELOAD=$lzf ./theirs read "ours$filter.h5"; verdict $? "$file: libhdf5 reads what libpcio wrote"
  "$ours" read "ours$filter.h5"; verdict $? "$file: libpcio reads its own"
  LD_PRELOAD=$lzf h5dump -d /d "ours$filter.h5" > dump.txt 2>&1; verdict $? "$file: h5dump: $(tail -1 dump.txt)"
}
plugin libh5bz2.so hdf5-filter-plugin 307 9
plugin libh5lz4.so hdf5-filter-plugin 32004 0
plugin libh5zzfp.so hdf5-filter-plugin-zfp-serial 32013 5
plugin libH5Zblosc.so hdf5-filter-plugin-blosc-serial 32001 2 2 0 0 5 1 0
if [ -n "$lzf" ]; then
  plugin liblzf_filter.so hdf5-plugin-lzf 32000
else
  skip "liblzf.so.1 of the package liblzf1 is not installed"
fi

# bindings FILE FILTER SYMBOL NAMED: the plugin's SYMBOL; NAMED yes: by way of the shim.
bindings() {
  local file=$1 filter=$2 symbol=$3 named=$4 suffix=${PCIO_LIBRARY_SUFFIX-}
  [ -e "ours$filter.h5" ] || return
  rm -f bind.*
  LD_DEBUG=bindings LD_BIND_NOW=1 LD_DEBUG_OUTPUT=$work/bind "$ours" write again.h5 "$filter" ${5-} \
    > /dev/null 2>&1
  cat bind.* > all.txt 2>/dev/null
  if [ "$named" = yes ]; then
    grep "binding file .*/$file .* to .*/libpcio$suffix/libhdf5_serial.so.103 .*symbol .$symbol'" all.txt |
      grep -q "HDF5_SERIAL"
    verdict $? "$file: $symbol is bound to the shim"
    grep -q "binding file .*/libhdf5_serial.so.103 .* to .*/libpcio$suffix.so.0 .*symbol .$symbol' .PCIO_1." \
      all.txt
    verdict $? "the shim's $symbol is libpcio's"
  else
    grep -q "binding file .*/$file .* to .*/libpcio$suffix.so.0 .*symbol .$symbol'" all.txt
    verdict $? "$file: $symbol is bound to libpcio"
  fi
  ! grep "/$file " all.txt | grep " to " | grep "symbol .H5" |
    grep -v -e "/libpcio$suffix/libhdf5_serial.so.103 " -e "/libpcio$suffix.so.0 " | grep -q -v "to [^ ]*/$file "
  verdict $? "$file: no HDF5 call goes elsewhere"
  ! grep -q "to /usr/[^ ]*libhdf5" all.txt; verdict $? "$file: the real libhdf5 is not loaded"
}
bindings libH5Zblosc.so 32001 H5Pmodify_filter yes
bindings libh5lz4.so 32004 H5allocate_memory yes 0
bindings libh5zzfp.so 32013 H5Tget_size yes 5
bindings liblzf_filter.so 32000 H5Pmodify_filter no

# Where plugins are forbidden or elsewhere the error says so.
if [ -e ours32001.h5 ]; then
  HDF5_PLUGIN_PRELOAD=:: "$ours" read ours32001.h5 2> err.txt; [ $? -ne 0 ]
  verdict $? "HDF5_PLUGIN_PRELOAD=:: forbids plugins"
  grep -q "forbidden" err.txt; verdict $? "and the error says so"
  HDF5_PLUGIN_PATH=/nowhere "$ours" read ours32001.h5 2> err.txt; [ $? -ne 0 ]
  verdict $? "HDF5_PLUGIN_PATH leads elsewhere"
  grep -q "/nowhere" err.txt; verdict $? "and the error names it"
fi
[ $skipped -eq 0 ] || echo "$skipped skipped ($reasons)"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] || exit 1
[ $passed -gt 0 ] || exit 77
