# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Sourced by the corpus tests: finds the corpus or ends the test as skipped. Room: test/corpus.
corpus=${PCIO_CORPUS:-$PCIO_SRCDIR/../shared/corpus}
if [ ! -f "$corpus/$1/INDEX.tsv" ]; then
  echo "SKIP: no corpus of foreign files in $corpus/$1 (configure --with-corpus=DIR)"
  exit 77
fi
PCIO_CORPUS=$corpus
PYTHON=${PYTHON:-python3}
export PCIO_CORPUS PYTHON
