#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Lives of files with shared object header messages (one to three indexes, lists and trees and changes between
# them, all bounds of format), changed at random by libpcio and libhdf5 by turns; after each turn both compare all
# of it with a model, and h5dump reads the file. In the end all is deleted, and nothing may be left in any heap:
# who counts a reference too many or too few is found. 6 lives in `make check`, 400 in `make check-long`.
# Room: test/oracle.
set -u
program=shared_turns sample=6 all=400
. "$PCIO_SRCDIR/test/oracle/turns_env.sh"

for ((n = 0; n < lives; ++n, ++seed)); do
  begin_life
  turn "$one" 0 1 && turn "$two" 1 2 && turn "$one" 2 3 && turn "$two" 3 5 && turn "$one" 5 6 || continue
  if [ $((seed / 2 % 2)) = 0 ]; then one=$two; fi
  play "$one" end 6 || { fail "deleting all by $one: $(tail -n 3 "$work/err")"; continue; }
  for reader in "$ORACLE_HDF5" "$ORACLE_PCIO"; do
    play "$reader" empty 6 || fail "something is left after $one: $reader: $(tail -n 3 "$work/err")"
  done
done
sum_up made removed grown rewritten renamed huge dense flushes reopened list tree
