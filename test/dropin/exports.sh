#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The drop-in libraries beside Debian's libhdf5_openmpi.so.103 and libhdf5_serial.so.103: the same SONAME and
# version nodes, every public symbol that those have, of the same kind and size and in the same node, the
# seven that HDF5's tools use, and nothing else. Room: test/dropin.
set -u
[ "$PCIO_WITH_DROPIN" = yes ] || { echo "SKIP: built without drop-in libraries"; exit 77; }
work=$(mktemp -d "$PCIO_TEST_TMP/exports.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0 compared=0
complain() { failed=$((failed + 1)); echo "FAIL: $1"; [ ! -s "${2-/dev/null}" ] || sed 's/^/  /' "$2" | head -20; }
# exports LIBRARY: "name@@node kind [size of a variable]", without the nodes themselves.
exports() {
  nm -D -S --with-symbol-versions --defined-only "$1" |
    awk '$(NF-1) != "A" { print $NF, $(NF-1) == "T" ? "F" : "D " $2 }' | LC_ALL=C sort
}
# nodes LIBRARY: each with its parent; those of the C++ library, which nobody names, left out.
nodes() {
  readelf -V -W "$1" | awk '/Version needs/ { exit }
    /Name: HDF5_/ { node = $NF; print node } /Parent/ { print node, $NF }' | grep -v '^HDF5_CPP' | LC_ALL=C sort
}
tools_use='H5SL_create H5SL_insert H5SL_search H5SL_destroy H5_get_option H5_optarg H5_optind'
"$PCIO_SRCDIR/tools/gen-map" --symbols | awk '{ print $2 }' | LC_ALL=C sort >"$work/public"
# flavour NAME ALSO...
flavour() {
  local name=libhdf5_$1.so.103 own debian
  shift
  own=$PCIO_BUILDDIR/dropin/.libs/$name
  debian=$(${PCIO_CC:-cc} -print-file-name="$name")
  [ -e "$own" ] || { complain "$own is not there"; return; }
  readelf -d "$own" | grep -q "SONAME.*\[$name\]" || complain "$name: another SONAME"
  ! readelf -d "$own" | grep -q SYMBOLIC || complain "$name: linked with -Bsymbolic"
  [ -e "$debian" ] || { echo "SKIP: no $name of Debian's to compare with"; return; }
  compared=$((compared + 1))
  exports "$own" >"$work/ours"
  exports "$debian" >"$work/theirs"
  { cat "$work/public"; printf '%s\n' "$@"; } | LC_ALL=C sort >"$work/wanted"
  awk 'NR == FNR { wanted[$1] = 1; next } { split($1, name, "@"); if (name[1] in wanted) print }' \
    "$work/wanted" "$work/theirs" >"$work/expected"
  [ "$(wc -l <"$work/expected")" -gt 900 ] || complain "$name: Debian's library has few public symbols"
  diff "$work/expected" "$work/ours" >"$work/diff" || complain "$name: symbols (< Debian's, > ours)" "$work/diff"
  nodes "$debian" >"$work/their-nodes"
  nodes "$own" >"$work/our-nodes"
  [ "$(grep -vc ' ' "$work/their-nodes")" = 19 ] || complain "$name: Debian's library has other nodes"
  diff "$work/their-nodes" "$work/our-nodes" >"$work/diff" || complain "$name: version nodes" "$work/diff"
  echo "$name: $(wc -l <"$work/ours") symbols"
}
flavour openmpi
# shellcheck disable=SC2086 # names are words
flavour serial $tools_use
[ $failed = 0 ] || exit 1
[ $compared -gt 0 ] || exit 77
