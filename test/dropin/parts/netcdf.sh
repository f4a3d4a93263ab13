# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# A parallel program with netCDF's library. Room: test/dropin/parts.
[ -n "$clients" ] && [ -e "$theirs_path/libnetcdf_mpi.so.19" ] || { skip "no libnetcdf_mpi in PCIO_CLIENTS"; return; }
export PCIO_RUN_QUIET=1
# shellcheck disable=SC2086 # flags are words
$PCIO_CC -I"$theirs_path/netcdf/mpi/include" $PCIO_MPI_CPPFLAGS "$here/netcdf_ranks.c" -o netcdf_ranks "$theirs_path/libnetcdf_mpi.so.19" \
  -Wl,-rpath-link,"$theirs_path" -Wl,--allow-shlib-undefined $PCIO_MPI_LIBS || exit 1
LD_LIBRARY_PATH=$theirs_path "$PCIO_RUN_PAR" 4 "$clock" ./netcdf_ranks theirs.nc >log 2>&1; verdict $? "netCDF with libhdf5: $(tail -n 2 log)"
LD_LIBRARY_PATH=$theirs_path status 0 "netCDF on 4 ranks" "$run" "$PCIO_RUN_PAR" 4 "$clock" ./netcdf_ranks ours.nc
says err "pcio-run: 4 processes used libhdf5_openmpi.so.103 of libpcio"
says err "pcio-run: 3 transfers were asked to be collective, 3 of them were; 4 independent; 0 failed"
h5diff theirs.nc ours.nc >log; verdict $? "netCDF wrote the same through both: $(cat log)"
