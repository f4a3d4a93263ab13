# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# ncdump and nccopy of the corpus. Room: test/dropin/parts.
[ -n "${PCIO_CORPUS-}" ] || { skip "no corpus"; return; }
[ -x "$clients/usr/bin/ncdump" ] || { skip "no ncdump in PCIO_CLIENTS"; return; }
# It takes as much as a damaged or strange file asks for.
memory=8000000
# copied PLACE FILE: the status of nccopy, and what is in the copy. Where nccopy fails it leaves memory that nobody has written, with either library.
copied() {
  local status
  rm -f copy.nc
  with "$1" 60 "$clients/usr/bin/nccopy" -k nc4 -d 1 "$2" copy.nc 2>/dev/null; status=$?
  echo "status $status"
  [ $status != 0 ] || with theirs 60 "$clients/usr/bin/ncdump" copy.nc
}
while read -r file; do
  ! differs "$file" && ! differs "$file" ncdump || continue
  with theirs 10 "$clients/usr/bin/ncdump" -s "$file" >theirs.out 2>&1; theirs=$?
  # Files at which ncdump itself ends on a signal.
  [ $theirs -lt 124 ] || { leave "ends with status $theirs with libhdf5" "ncdump $file"; continue; }
  with ours 60 "$clients/usr/bin/ncdump" -s "$file" >ours.out 2>&1; ours=$?
  [ $theirs = $ours ] && cmp -s theirs.out ours.out
  verdict $? "ncdump $file: status $ours, with libhdf5 $theirs: $(diff -a theirs.out ours.out | head -n 4)"
  [ $theirs = 0 ] || { leave "ncdump fails with libhdf5" "nccopy $file"; continue; }
  ! differs "$file" nccopy || continue
  copied theirs "$file" >theirs.out 2>&1
  copied ours "$file" >ours.out 2>&1
  if ! cmp -s theirs.out ours.out; then
    copied theirs "$file" >second.out 2>&1
    cmp -s theirs.out second.out || { leave "libhdf5's own two copies differ" "nccopy $file"; continue; }
  fi
  cmp -s theirs.out ours.out; verdict $? "nccopy $file: $(diff -a theirs.out ours.out | head -n 4)"
done < <(corpus 3M)
