#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# slow_and_poor.sh: the long forms of t_slow_ranks (thousands of cases under slow ranks) and t_out_of_memory (each
# allocation of each call on each rank), with shared memory and by messages. PCIO_SEED chooses another
# seed.
set -u
failed=0
export PCIO_LONG=1
for np in ${1:-1 2 3 4 6}; do
  "$PCIO_RUN_PAR" "$np" 7200 "$PCIO_BUILDDIR/testpar/t_slow_ranks" || failed=1
  "$PCIO_RUN_PAR" "$np" 7200 "$PCIO_BUILDDIR/testpar/t_out_of_memory" || failed=1
  PCIO_CHECK=messages "$PCIO_RUN_PAR" "$np" 7200 "$PCIO_BUILDDIR/testpar/t_out_of_memory" || failed=1
done
exit $failed
