#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The library exports exactly what the public headers declare, each symbol in version PCIO_1, in a
# way that executables can take copy relocations on the variables.
set -eu
. "$(dirname "$0")/abi_env.sh"

bad=0
complain() { bad=$((bad + 1)); echo "FAIL: $1"; [ ! -s "${2-/dev/null}" ] || sed 's/^/  /' "$2" | head -50; }

# The committed map is what the headers say.
"$top_srcdir/tools/gen-map" --print > "$tmp/map"
cmp -s "$tmp/map" "$top_srcdir/lib/libpcio.map" || {
  diff "$top_srcdir/lib/libpcio.map" "$tmp/map" > "$tmp/diff" || true
  complain "lib/libpcio.map is out of date, run tools/gen-map" "$tmp/diff"
}

# The error codes inside are the error codes outside.
sed -n 's/^PCIO_M[AI][JN]OR(\([A-Z0-9_]*\),.*/H5E_\1_g/p' "$top_srcdir/src/base/error_codes.def" |
  sort > "$tmp/inside"
sed -n 's/^H5_DLLVAR hid_t \(H5E_[A-Z0-9_]*_g\);/\1/p' "$top_srcdir/include/H5Epubgen.h" |
  sort > "$tmp/outside"
diff "$tmp/inside" "$tmp/outside" > "$tmp/diff" ||
  complain "src/base/error_codes.def and include/H5Epubgen.h differ" "$tmp/diff"

if [ ! -f "$libpcio" ]; then
  [ "$bad" -eq 0 ] || fail "$bad checks failed"
  skip "$libpcio is not built"
fi

# By name, both ways: "F name" and "D name".
{ "$top_srcdir/tools/gen-map" --symbols; echo "D H5Z_SZIP"; } | sort > "$tmp/declared"
nm -D --defined-only "$libpcio" > "$tmp/nm"
awk '$2 ~ /^[TW]$/ { k = "F" } $2 ~ /^[BDRV]$/ { k = "D" } $2 == "A" { next }
     { split($3, part, "@"); print k, part[1] }' "$tmp/nm" | sort > "$tmp/exported"
comm -23 "$tmp/declared" "$tmp/exported" > "$tmp/missing"
comm -13 "$tmp/declared" "$tmp/exported" > "$tmp/extra"
[ ! -s "$tmp/missing" ] ||
  complain "declared but not exported ($(wc -l < "$tmp/missing")):" "$tmp/missing"
[ ! -s "$tmp/extra" ] || complain "exported but not declared ($(wc -l < "$tmp/extra")):" "$tmp/extra"

# Version node and soname.
awk '$2 != "A" && $3 !~ /@@PCIO_1$/ { print $3 }' "$tmp/nm" > "$tmp/unversioned"
[ ! -s "$tmp/unversioned" ] || complain "not in version PCIO_1:" "$tmp/unversioned"
readelf -dW "$libpcio" > "$tmp/dynamic"
soname=libpcio${PCIO_LIBRARY_SUFFIX-}.so.0
grep -q "SONAME.*\[$soname\]" "$tmp/dynamic" || complain "the soname is not $soname"

# Copy relocations: no -Bsymbolic, default visibility, and the size that clients compiled in.
if grep -Eq 'SYMBOLIC' "$tmp/dynamic"; then complain "linked with -Bsymbolic"; fi
# Symbol table lines are: number, value, size, type, binding, visibility, section, name.
readelf --dyn-syms -W "$libpcio" | awk '$4 == "OBJECT" && $7 != "UND" && $8 ~ /@@PCIO_1/ && $8 !~ /^H5Z_SZIP@/' \
  > "$tmp/objects"
awk '$6 != "DEFAULT"' "$tmp/objects" > "$tmp/protected"
[ ! -s "$tmp/protected" ] || complain "visibility is not default:" "$tmp/protected"
# (A sanitizer pads variables.)
[ "${PCIO_WITH_ASAN:-no}" = yes ] || awk '{ want = ($8 ~ /^H5FD_mpi_opt_types_g@/) ? 1 : 8 } $3 != want' "$tmp/objects" > "$tmp/size"
[ ! -e "$tmp/size" ] || [ ! -s "$tmp/size" ] || complain "size of variables is wrong:" "$tmp/size"

[ "$bad" -eq 0 ] || fail "$bad checks failed"
echo "$(grep -c '^F' "$tmp/exported") functions and $(grep -c '^D' "$tmp/exported") variables" \
  "are exported as declared"
