#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Every function of the API with one bad argument at a time (bad_arguments.c): no crash, no hang, an error that names
# function and argument. What is meant otherwise stands in exceptions.txt. With a path as argument the names of the
# functions that refuse something are left there.
set -eu
python=${PYTHON:-python3}
command -v "$python" > /dev/null || { echo "SKIP: no Python"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
here=$PCIO_SRCDIR/test/api/arguments
tmp=$(mktemp -d "${PCIO_TEST_TMP:-${TMPDIR:-/tmp}}/arguments.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

"$python" "$here/table.py" > "$tmp/table.h"
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=gnu99 -O0 -w -I"$tmp" -I"$PCIO_BUILDDIR/include" -I"$PCIO_SRCDIR/include" $PCIO_MPI_CPPFLAGS \
  "$here/bad_arguments.c" -o "$tmp/bad_arguments" -L"$PCIO_BUILDDIR/.libs" -lpcio ${PCIO_MPI_LIBS-} \
  ${PCIO_SANITIZE_FLAGS-} || { echo "FAIL: bad_arguments.c does not build"; exit 1; }
mkdir "$tmp/run"
export LD_LIBRARY_PATH=$PCIO_BUILDDIR/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
(cd "$tmp/run" && timeout 300 ../bad_arguments > ../output 2> ../errors) ||
  { echo "FAIL: bad_arguments did not end"; tail -3 "$tmp/errors"; exit 1; }
"$python" "$here/judge.py" "$tmp/output" "$here/exceptions.txt" "${1:-$tmp/refusing}"
