#!/usr/bin/env bash
# shellcheck disable=SC1090,SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# part.sh PART: one of parts/, with libhdf5 and through the drop-in. PCIO_CLIENTS: a folder in which packages were unpacked
# (dpkg -x): netcdf-bin, libnetcdf19, libnetcdf-mpi-19, libnetcdf-mpi-dev, python3-tables, python3-tables-lib, python3-pytest,
# python3-pytest-mpi and what they need. Room: test/dropin.
. "$PCIO_SRCDIR/test/dropin/common.sh"
clients=${PCIO_CLIENTS-}
# Where libraries are looked for with libhdf5, and with the drop-in.
theirs_path=${clients:+$clients/usr/lib/$(gcc -print-multiarch)}
ours_path=$folder${theirs_path:+:$theirs_path}
export PYTHONPATH=${PCIO_H5PY_MPI:+$PCIO_H5PY_MPI:}${clients:+$clients/usr/lib/python3/dist-packages}
with() { local path=${1}_path; shift; LD_LIBRARY_PATH=${!path} limited "$@"; }

# leave WHY WHAT: it is not compared; the end tells of each.
left=
leave() { left="$left  $2: $1"$'\n'; }
# differs FILE [TOOL]: what is known to be different; known_differences.txt says why.
differs() {
  grep -qxF -- "${2:+$2 }${1#"$PCIO_CORPUS/valid/"}" "$here/known_differences.txt" || return 1
  leave "known to be different" "${2:-all tools} $1"
}
# slow STATUS WHAT: a limit has ended it with libhdf5.
slow() {
  case $1 in 124 | 137 | 152) leave "too slow with libhdf5" "$2" ;; *) return 1 ;; esac
}
# alike TOOL FILE COMMAND...: status and text are equal with both; what is too slow with libhdf5 is left out.
alike() {
  local tool=$1 file=$2
  shift 2
  with theirs 10 "$@" >theirs.out 2>&1; theirs=$?
  ! slow $theirs "$tool $file" || return 1
  with ours 60 "$@" >ours.out 2>&1; ours=$?
  [ $theirs = $ours ] && cmp -s theirs.out ours.out
  verdict $? "$tool $file: status $ours, with libhdf5 $theirs: $(diff -a theirs.out ours.out | head -n 4)"
}
# corpus SIZE [SUFFIX]: the corpus' files of up to that size.
corpus() {
  find "$PCIO_CORPUS/valid" -type f \( -name '*.h5' -o -name '*.hdf5' -o -name '*.nc' -o -name "*${2-.h5}" \) -size "-$1" | LC_ALL=C sort
}
[ -e "$here/parts/$1.sh" ] || { echo "there is no part $1"; exit 1; }
. "$here/parts/$1.sh"
finish
