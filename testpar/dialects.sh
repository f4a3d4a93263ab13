#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# dialects.sh NP: programs as they were written for HDF5 1.6, 1.8 and 1.10, compiled with libhdf5 and with libpcio without
# a changed line, run on NP ranks: they print the same, h5diff finds no difference between their files, and h5dump's
# texts are equal but for addresses in references.
set -u
np=${1:-4}
case $np in 1 | 2 | 4) ;; *) echo "done on 1, 2 and 4 ranks"; exit 0 ;; esac
tmp=$(mktemp -d "${PCIO_TEST_TMP:-.}/dialects.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
source=$PCIO_SRCDIR/testpar/dialects
theirs=$PCIO_BUILDDIR/testpar/dialects/hdf5
failed=0
fail() { echo "FAIL: $*"; failed=1; }

# Once for all numbers of ranks; two that start together don't meet.
build() { # program
  [ -x "$theirs/$1" ] && [ "$theirs/$1" -nt "$source/$1.c" ] && return
  mkdir -p "$theirs"
  # shellcheck disable=SC2086 # flags are words
  ${PCIO_CC:-cc} -std=c99 -D_POSIX_C_SOURCE=200809L -w $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS "$source/$1.c" \
    -o "$tmp/$1.new" $PCIO_HDF5_MPI_LIBS $PCIO_MPI_LIBS -lm && mv "$tmp/$1.new" "$theirs/$1"
}

run() { # program, word, path of the executable
  mkdir -p "$tmp/$2"
  (cd "$tmp/$2" && PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" "${PAR_SECONDS:-120}" "$3" "$1.h5" > "$1.txt" 2> "$1.err") &&
    grep -q '^0 failures$' "$tmp/$2/$1.txt" || { fail "$1 with $2"; head -20 "$tmp/$2/$1.err"; return 1; }
}

# What h5dump says but for the file's name and the addresses of objects that are referred to.
dump() { "$H5DUMP" "$1" | sed -e 1d -e 's/DATASET [0-9]* "/DATASET "/g'; }

compare() { # program
  diff "$tmp/hdf5/$1.txt" "$tmp/pcio/$1.txt" || fail "$1 prints other text ('<' is libhdf5's)"
  if command -v h5diff > /dev/null; then
    h5diff "$tmp/hdf5/$1.h5" "$tmp/pcio/$1.h5" > "$tmp/diff" 2>&1 || { fail "$1: h5diff"; head -20 "$tmp/diff"; }
  fi
  [ -n "${H5DUMP-}" ] || return
  dump "$tmp/hdf5/$1.h5" > "$tmp/hdf5/$1.dump"
  dump "$tmp/pcio/$1.h5" > "$tmp/pcio/$1.dump"
  [ -s "$tmp/pcio/$1.dump" ] || fail "$1: h5dump has nothing"
  diff "$tmp/hdf5/$1.dump" "$tmp/pcio/$1.dump" > "$tmp/diff" || { fail "$1: h5dump"; head -20 "$tmp/diff"; }
}

for program in nbody16 ocean18 plasma110; do
  run $program pcio "$PCIO_BUILDDIR/testpar/dialects/$program" || continue
  [ -n "${PCIO_HDF5_MPI_LIBS-}" ] || continue
  build $program || { fail "$program does not build with libhdf5"; continue; }
  # libhdf5 writes no filtered chunks without derived types.
  (unset HDF5_MPI_OPT_TYPES; run $program hdf5 "$theirs/$program") || { failed=1; continue; }
  compare $program
done
[ -n "${PCIO_HDF5_MPI_LIBS-}" ] || echo "no parallel libhdf5 here: nothing was compared with it"
exit $failed
