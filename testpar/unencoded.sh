#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# unencoded.sh: the long forms of t_unencoded_chunks and t_nested_calls, on 1, 2, 3, 4 and 6 ranks. PCIO_SEED and
# PCIO_CASES choose.
set -u
failed=0
# A rank that waits for nobody says so, and the job ends.
export PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}" PCIO_HANG_ABORT=1
for np in 1 2 3 4 6; do
  for program in t_unencoded_chunks t_nested_calls; do
    PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" 3600 "$PCIO_BUILDDIR/testpar/$program" || failed=1
  done
done
exit $failed
