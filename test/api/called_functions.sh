#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Counts the functions that tests call, as the dynamic linker tells it: a function that a program of the tests calls through
# its table is bound when it is called first (LD_DEBUG=bindings; what is bound before the program begins is not counted).
# The programs are those that check what calls do: api_tests, and those whose answers other tests compare with libhdf5's.
# Fails where a function of the API is called by none of them, or has an argument to refuse and refuses none
# (arguments/bad_arguments.sh). called.txt says of each function whether programs call it whose answers are compared with
# libhdf5's ("compared") or only others ("checked"), for tools/gen-compatibility; it must not promise too much. With --renew it
# is written anew.
set -eu
[ "${PCIO_WITH_ASAN:-no}" != yes ] || { echo "SKIP: the sanitizer binds for itself"; exit 77; }
tmp=$(mktemp -d "${PCIO_TEST_TMP:-${TMPDIR:-/tmp}}/called.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
build=$(cd "$PCIO_BUILDDIR" && pwd)
[ -x "$build/test/api_tests" ] || { echo "SKIP: test/api_tests is not built"; exit 77; }

record() { # word for the record, folder, program, arguments
  local word=$1 folder=$tmp/run/$2 program=$build/test/$3
  shift 3
  mkdir -p "$folder"
  (cd "$folder" && unset LD_BIND_NOW && LD_DEBUG=files,bindings LD_DEBUG_OUTPUT="$tmp/$word" \
    timeout 300 "$program" "$@" > "$tmp/text" 2>&1) ||
    { echo "FAIL: $program $*"; tail -5 "$tmp/text"; exit 1; }
}
record checked api api_tests
for program in defaults errors failures id_types list_classes old_calls type_calls; do record compared $program oracle/$program; done
record compared list_bytes oracle/list_bytes 50 1
record compared space api/space_calls 50
record compared chunk api/chunk_calls chunks.h5
record compared program_driver api/program_driver .
record compared drivers api/driver_calls . answers
mkdir -p "$tmp/run/convert"
record compared convert api/convert_calls . make
record compared converted api/convert_calls ../convert convert
record compared files api/external_calls . answers
record compared virtual api/virtual_calls . answers
for program in comments copies external mounts user_links; do record compared $program api/elsewhere/$program; done

# "binding file PROGRAM [0] to LIBRARY [0]: normal symbol `NAME' ...", from where the program has control.
called_in() { # record
  local file
  for file in "$tmp/$1".*; do
    # From the program itself: plugins and the library bind without calling.
    awk -v from="binding file $build/test/" '/transferring control: / { on = 1 }
      on && index($0, from) && / to [^ ]*libpcio\.so/ {
        match($0, /`[^'\'']*/); print substr($0, RSTART + 1, RLENGTH - 1) }' "$file"
  done | sort -u
}
called_in compared > "$tmp/by_compared"
called_in checked > "$tmp/by_checked"
sort -u "$tmp/by_compared" "$tmp/by_checked" > "$tmp/called"
[ -s "$tmp/called" ] || { echo "SKIP: the dynamic linker tells no bindings"; exit 77; }
"$PCIO_SRCDIR/tools/gen-map" --symbols | awk '$1 == "F" { print $2 }' | LC_ALL=C sort > "$tmp/all"
"$PCIO_SRCDIR/test/api/arguments/bad_arguments.sh" "$tmp/refusing" > "$tmp/text" || { cat "$tmp/text"; exit 1; }
while read -r name; do
  called=no refuses=no
  ! grep -qx "$name" "$tmp/called" || called=yes
  ! grep -qx "$name" "$tmp/refusing" || refuses=yes
  echo "$name $called $refuses"
done < "$tmp/all" > "$tmp/table"

list=$PCIO_SRCDIR/test/api/called.txt
while read -r name; do
  if grep -qx "$name" "$tmp/by_compared"; then echo "$name compared"; else echo "$name checked"; fi
done < "$tmp/all" > "$tmp/evidence"
if [ "${1-}" = --renew ]; then
  { grep '^#' "$list"; cat "$tmp/evidence"; } > "$tmp/new"
  cp "$tmp/new" "$list"
fi
grep -v '^#' "$list" | LC_ALL=C sort > "$tmp/promised"
# More than is promised is no fault.
awk 'NR == FNR { is[$1] = $2; next } !($1 in is) || ($2 == "compared" && is[$1] != "compared") { print "FAIL: called.txt: " $0; bad = 1 }
  { seen[$1] } END { for (name in is) if (!(name in seen)) { print "FAIL: not in called.txt: " name; bad = 1 } exit bad }' \
  "$tmp/evidence" "$tmp/promised" || { echo "test/api/called_functions.sh --renew writes it anew"; exit 1; }

# Those that libhdf5's own headers declare, where they are there.
theirs=
for flag in ${PCIO_HDF5_MPI_CPPFLAGS-}; do
  [ ! -f "${flag#-I}/H5Dpublic.h" ] || theirs=${flag#-I}
done
if [ -n "$theirs" ]; then
  sed -n 's/^H5_DLL .*[ *]\(H5[A-Za-z0-9_]*\)(.*/\1/p' "$theirs"/H5*.h | sort -u > "$tmp/theirs"
  awk 'NR == FNR { theirs[$1]; next } $1 in theirs { all++; if ($2 == "yes") called++ }
    END { printf "%d of the %d functions of libhdf5 are called; ", called, all }' "$tmp/theirs" "$tmp/table"
fi
awk '{ all++; if ($2 == "yes") called++; else missing = missing " " $1; if ($3 == "yes") refuses++ }
  END { printf "%d of %d of libpcio, of which %d refuse bad arguments\n", called, all, refuses
        if (missing != "") { print "FAIL: called by no test:" missing; exit 1 } }' "$tmp/table"
