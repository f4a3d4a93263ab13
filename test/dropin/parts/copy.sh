# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# h5copy: of each file the first four members, and the whole with -f ref and with -f ext -f soft, into one file; h5dump finds in it what it
# finds in libhdf5's. What libhdf5 does not copy is left out, and where its own two copies differ, too. Room: test/dropin/parts.
[ -n "${PCIO_CORPUS-}" ] || { skip "no corpus"; return; }
# members FILE: the paths of the first four in the root group.
members() { with theirs 20 h5dump -n "$1" 2>/dev/null | sed -nE 's|^ [a-z]+ +(/[^/]+)$|\1|p' | grep -v -e ' -> ' | head -n 4; }
# copy PLACE FILE SOURCE GOAL OPTIONS...: into copies.h5.
copy() { local place=$1 file=$2 from=$3 to=$4; shift 4; with "$place" 20 h5copy "$@" -i "$file" -o copies.h5 -s "$from" -d "$to"; }
# try FILE SOURCE GOAL OPTIONS...: with libhdf5; what works is put on the list, what fails leaves no trace.
try() {
  rm -f before.h5
  [ ! -e copies.h5 ] || cp copies.h5 before.h5
  if copy theirs "$@" >log 2>&1; then list+=("$(printf '%q ' "$@")"); return; fi
  leave "libhdf5 does not copy it" "h5copy $*"
  rm -f copies.h5
  [ ! -e before.h5 ] || mv before.h5 copies.h5
}
# again PLACE: what is on the list once more; its status, and what is in the copy, but for addresses in references, and for links that have
# addresses as names: libhdf5 makes one to what a reference leads to, also where a link is copied that leads there.
again() {
  local words
  rm -f copies.h5
  for words in "${list[@]}"; do
    eval "copy $1 $words" || { echo "h5copy $words: $?"; return; }
  done
  with theirs 5 h5dump copies.h5 >dump || echo "h5dump: $?"
  sed -E -e 's/^( +(\([0-9,]+\): )?(GROUP|DATASET|DATATYPE)) [0-9]+ /\1 /' \
    -e 's|"(/?)#[0-9]+"|"\1#"|' -e '/^   [A-Z]+ "~obj_pointed_by_/,/^   }/d' dump
}
while read -r file; do
  ! differs "$file" && ! differs "$file" h5copy || continue
  rm -f copies.h5
  list=()
  while read -r member; do try "$file" "$member" "$member"; done < <(members "$file")
  try "$file" / /with_references -f ref
  try "$file" / /with_links -f ext -f soft
  [ ${#list[@]} -gt 0 ] || continue
  again theirs >theirs.out 2>&1
  again ours >ours.out 2>&1
  if ! cmp -s theirs.out ours.out; then
    grep -q '^h5dump: ' theirs.out && ! grep -q '^h5dump: ' ours.out && { leave "libhdf5 does not read its own copy" "h5copy $file"; continue; }
    again theirs >second.out 2>&1
    cmp -s theirs.out second.out || { leave "libhdf5's own two copies differ" "h5copy $file"; continue; }
  fi
  cmp -s theirs.out ours.out; verdict $? "h5copy $file: $(diff -a theirs.out ours.out | head -n 4)"
done < <(corpus 300k)
