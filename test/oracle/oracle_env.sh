# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Sourced by the scripts that compare libpcio with libhdf5: builds the oracle's programs against
# libhdf5 in the build folder, and names both sets. Room: test/oracle.
# Sets ORACLE_HDF5 (folder), ORACLE_PCIO (folder), ORACLE_H5PY. Exits 77 where libhdf5 is absent.

ORACLE_PCIO=$PCIO_BUILDDIR/test/oracle
ORACLE_HDF5=$PCIO_BUILDDIR/test/oracle/hdf5
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }

# build_oracle: compiles into a folder of its own and moves it into place, so that two tests that
# start together do not meet.
build_oracle() {
  local src=$PCIO_SRCDIR/test/oracle new
  [ -x "$ORACLE_HDF5/randfile" ] && [ -x "$ORACLE_HDF5/listall" ] &&
    [ -x "$ORACLE_HDF5/indexsteps" ] && [ -x "$ORACLE_HDF5/filter_campaign" ] &&
    [ -x "$ORACLE_HDF5/spacealt" ] && [ -x "$ORACLE_HDF5/rewrites" ] &&
    [ -x "$ORACLE_HDF5/dense_turns" ] && [ -x "$ORACLE_HDF5/sequencesteps" ] &&
    [ -x "$ORACLE_HDF5/shared_messages" ] && [ -x "$ORACLE_HDF5/lives" ] && [ -x "$ORACLE_HDF5/kinds" ] &&
    [ -x "$ORACLE_HDF5/shared_turns" ] &&
    [ -z "$(find "$src" \( -name '*.[ch]' -o -name '*.?pp' \) -newer "$ORACLE_HDF5/randfile")" ] && return
  mkdir -p "$ORACLE_PCIO"
  new=$(mktemp -d "$ORACLE_PCIO/hdf5.XXXXXX") || exit 1
  # shellcheck disable=SC2086 # flags are words
  ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src/listall.c" -o "$new/listall" \
      $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src/indexsteps.c" \
      -o "$new/indexsteps" $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src/sequencesteps.c" \
      -o "$new/sequencesteps" $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src/spacealt.c" -o "$new/spacealt" \
      $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src/rewrites.c" -o "$new/rewrites" \
      $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src/dense_turns.c" \
      -o "$new/dense_turns" $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src/shared_turns.c" \
      -o "$new/shared_turns" $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src/shared_messages.c" \
      -o "$new/shared_messages" $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src"/lives*.c -o "$new/lives" \
      $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$src/kinds.c" "$src"/lives_{types,values}.c \
      -o "$new/kinds" $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CXX:-c++} ${PCIO_CXXSTD:--std=c++20} -O1 $PCIO_HDF5_SERIAL_CPPFLAGS \
      "$src/filter_campaign.cpp" -o "$new/filter_campaign" $PCIO_HDF5_SERIAL_LIBS &&
    ${PCIO_CXX:-c++} ${PCIO_CXXSTD:--std=c++20} -O1 $PCIO_HDF5_SERIAL_CPPFLAGS \
      "$src"/randfile.cpp "$src"/random_{types,plan,write,check}.cpp \
      -o "$new/randfile" $PCIO_HDF5_SERIAL_LIBS || { echo "cannot build the oracle"; exit 1; }
  mkdir -p "$ORACLE_HDF5"
  mv "$new/listall" "$new/indexsteps" "$new/filter_campaign" "$new/randfile" \
    "$new/rewrites" "$new/dense_turns" "$new/sequencesteps" "$new/shared_messages" "$new/shared_turns" "$new/lives" "$new/kinds" "$new/spacealt" "$ORACLE_HDF5/" && rmdir "$new"
}
build_oracle

ORACLE_H5PY=
for python in "${PYTHON-}" /usr/bin/python3 python3; do
  [ -n "$python" ] && "$python" -c 'import h5py' 2>/dev/null && { ORACLE_H5PY=$python; break; }
done
PYTHON=${PYTHON:-python3}
export ORACLE_HDF5 ORACLE_PCIO ORACLE_H5PY PYTHON
