# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# h5jam and h5unjam make the same bytes, h5mkgrp the same groups, wherever they work with libhdf5. Room: test/dropin/parts.
[ -n "${PCIO_CORPUS-}" ] || { skip "no corpus"; return; }
head -c 512 /dev/zero | tr '\0' u >user
while read -r file; do
  for place in theirs ours; do
    rm -f jam.h5 unjam.h5 groups.h5
    cp "$file" groups.h5 && chmod u+w groups.h5
    {
      with $place 20 h5jam -u user -i "$file" -o jam.h5 && cksum <jam.h5
      with $place 20 h5unjam -i jam.h5 -u block -o unjam.h5 && cksum <unjam.h5
    } >$place.jam 2>&1
    with $place 20 h5mkgrp -p groups.h5 /a_new_one/a >$place.groups 2>&1
    echo $? >$place.status
    with theirs 20 h5dump -n groups.h5 >>$place.groups 2>&1
  done
  cmp -s theirs.jam ours.jam; verdict $? "h5jam $file: $(diff theirs.jam ours.jam | head -n 4)"
  [ "$(cat theirs.status)" = 0 ] || { leave "libhdf5 fails" "h5mkgrp $file"; continue; }
  cmp -s theirs.groups ours.groups; verdict $? "h5mkgrp $file: $(diff -a theirs.groups ours.groups | head -n 4)"
done < <(corpus 300k)
