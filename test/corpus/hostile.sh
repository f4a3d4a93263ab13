#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Foreign files made to harm: each is opened, listed and all of it read, within 2 s of processor
# time and 256 MiB, without a signal; in a sanitizer build without a report. Room: test/corpus.
set -u
. "$PCIO_SRCDIR/test/corpus/corpus_env.sh" hostile
exec "$PYTHON" "$PCIO_SRCDIR/test/corpus/hostile.py" "$@"
