# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Where h5repack works with libhdf5 and h5diff can compare what it makes, what the drop-in repacks holds what the file holds, as
# libhdf5 says. (Of references in variable-length members of attributes h5repack keeps memory that nobody has written, with
# either library.) Room: test/dropin/parts.
[ -n "${PCIO_CORPUS-}" ] || { skip "no corpus"; return; }
# repack PLACE SECONDS FILE: packed.h5 is made with that library, and holds what FILE holds.
repack() {
  rm -f packed.h5
  with "$1" "$2" h5repack -f GZIP=3 -m 10 "$3" packed.h5 >"$1.out" 2>&1 && [ ! -s "$1.out" ] &&
    with theirs "$2" h5diff "$3" packed.h5 >>"$1.out" 2>&1
}
while read -r file; do
  ! differs "$file" && ! differs "$file" h5repack || continue
  repack theirs 10 "$file" || { leave "libhdf5 does not repack it, or does not find in it what the file holds" "h5repack $file"; continue; }
  repack ours 60 "$file"
  verdict $? "h5repack $file: $(head -n 3 ours.out)"
done < <(corpus 400k .jld2)
