#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Lives of groups with many links and attributes in dense storage (up to 4,000 and 400; each fiftieth life
# 20,000 and 2,000), changed at random by libpcio and libhdf5 by turns; after each turn both compare all of
# it with a model, and h5dump reads the file. 4 lives in `make check`, 300 in `make check-long`.
# Room: test/oracle.
set -u
program=dense_turns sample=4 all=300
. "$PCIO_SRCDIR/test/oracle/turns_env.sh"

for ((n = 0; n < lives; ++n, ++seed)); do
  begin_life
  turn "$one" 0 2 && turn "$two" 2 3 && turn "$one" 3 5 && turn "$two" 5 7 && turn "$one" 7 8
done
sum_up dense compact huge large removed renamed rewritten flushes
