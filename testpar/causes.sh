#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# causes.sh NP: t_reported_causes on NP ranks, with a filtered dataset that h5py made, where there is h5py.
set -u
np=${1:-4}
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/causes.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
for python in "${PYTHON-}" /usr/bin/python3; do
  [ -n "$python" ] || continue
  "$python" - "$folder/filtered.h5" 2>/dev/null <<'PY' && break
import sys
import h5py
import numpy
with h5py.File(sys.argv[1], "w") as file:
    file.create_dataset("data", data=numpy.arange(120, dtype="<i4").reshape(12, 10), chunks=(5, 4),
                        compression="gzip")
PY
done
if [ -f "$folder/filtered.h5" ]; then
  export PCIO_FILTERED_FILE=$folder/filtered.h5
else
  echo "no h5py: without a filtered dataset"
fi
PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" "${PAR_SECONDS:-120}" "$PCIO_BUILDDIR/testpar/t_reported_causes"
