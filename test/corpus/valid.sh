#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Foreign files that are well-formed: what libpcio lists and reads of each is what libhdf5 does, or
# it is refused with a reason. Room: test/corpus.
set -u
. "$PCIO_SRCDIR/test/corpus/corpus_env.sh" valid
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
exec "$PYTHON" "$PCIO_SRCDIR/test/corpus/valid.py" "$@"
