// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: what a killed program leaves behind that would stop the next one.

#pragma once

namespace pcio::mpi {

/// Removes the semaphore of `path` that nobody gives back.
///
/// ompio takes a named semaphore for a moment in each MPI_File_open, for shared file pointers. Its name is made of
/// the file's last name alone. Where a program dies in that moment, every later open of a file
/// with that name on this machine, whoever's and in whatever folder, waits for ever. It is taken for left behind
/// where it can't be had for a second. Should its holder live all the same, only
/// the order of accesses through shared file pointers is lost, which this library never makes.
///
/// Collective: no. Costs one system call where there is none. Never fails, never throws.
/// Source: watched, Open MPI 4.1.4.
void remove_left_semaphore(const char* path) noexcept;

}  // namespace pcio::mpi
