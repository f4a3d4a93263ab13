# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# h5ls, h5stat and h5diff of the corpus. Room: test/dropin/parts.
[ -n "${PCIO_CORPUS-}" ] || { skip "no corpus"; return; }
while read -r file; do
  ! differs "$file" || continue
  differs "$file" h5ls || alike h5ls "$file" h5ls -rv "$file"
  differs "$file" h5stat || alike h5stat "$file" h5stat "$file"
  differs "$file" h5diff || alike h5diff "$file" h5diff -v "$file" "$file"
done < <(corpus 400k .jld2)
