#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The binary interface is what was recorded (test/abi/*.abi): no function of it changes its parameters, no structure its members, no
# enumerator its number. tools/record-abi --renew records what was meant to be added. Debian's packages know all names (debian/*.symbols).
set -eu
. "$(dirname "$0")/abi_env.sh"
"${PYTHON:-python3}" -B "$top_srcdir/tools/gen-symbols" --check
[ "${MPI_FLAVOR-}" = openmpi ] || skip "recorded with Open MPI's types"
[ "${PCIO_WITH_ASAN:-no}" = no ] || skip "the same without sanitizers"
command -v abidw >/dev/null || skip "no abidw (Debian: abigail-tools)"
export PCIO_CC="$CC" PCIO_MPI_CPPFLAGS
"${PYTHON:-python3}" -B "$top_srcdir/tools/record-abi" "$top_builddir/include"
