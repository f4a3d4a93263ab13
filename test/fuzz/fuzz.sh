#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# A sample of what `make fuzz` does, within seconds; PCIO_SEED and PCIO_CASES for another one. Room: test/fuzz.
set -u
corpus=${PCIO_CORPUS:-$PCIO_SRCDIR/../shared/corpus}/valid
[ -d "$corpus" ] || echo "no corpus of foreign files in $corpus: the fuzzer's own only"
exec "$PCIO_BUILDDIR/test/fuzz/fuzz" --seed "${PCIO_SEED:-1}" --cases "${PCIO_CASES:-1000}" --corpus "$corpus" \
  --keep "${PCIO_TEST_TMP:-.}"
