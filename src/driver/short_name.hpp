// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: names of files that are too long for MPI-IO.

#pragma once

#include <string>

#include "driver/posix_file.hpp"

namespace pcio {

/// Another name of a file, by way of a descriptor of its folder, where its own is one that MPI-IO can't have: Open MPI's
/// writes the name and a word behind it to 256 bytes, and ends the program where they are too few. Empty where the file's own
/// does.
///
/// It is this process's alone, and means something as long as the object lives, which is as long as MPI has the file open:
/// ROMIO may open the file once more. Threads: one.
class ShortName {
 public:
  ShortName() = default;
  /// For a file that `ranks` ranks open, whose folder exists. Collective: independent. Errors: CANTOPENFILE: the folder can't be
  /// opened; BADVALUE: the last part of the name alone is too long.
  static Result<ShortName> of(const std::string& path, int ranks);
  /// By which MPI opens the file `path`: no memory is asked for.
  [[nodiscard]] const char* name_for_mpi(const std::string& path) const;

 private:
  PosixFile folder_;
  std::string text_;
};

}  // namespace pcio
