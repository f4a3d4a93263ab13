# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# h5dump of every file of the corpus. Room: test/dropin/parts.
[ -n "${PCIO_CORPUS-}" ] || { skip "no corpus"; return; }
while read -r file; do
  ! differs "$file" || continue
  with theirs 10 h5dump "$file" >theirs.out 2>theirs.err; theirs=$?
  ! slow $theirs "h5dump $file" || continue
  [ "$(stat -c %s theirs.out)" -lt 10000000 ] || { leave "more than 10 MB of text" "h5dump $file"; continue; }
  with ours 60 h5dump "$file" >ours.out 2>ours.err; ours=$?
  [ $theirs = $ours ] && cmp -s theirs.out ours.out
  verdict $? "h5dump $file: status $ours, with libhdf5 $theirs: $(head -n 2 ours.err)"
done < <(corpus 20M)
