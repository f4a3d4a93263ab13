// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: an info object that the library owns.

#pragma once

#include <optional>
#include <string>
#include <utility>

#include <mpi.h>

#include "base/status.hpp"

namespace pcio::mpi {

/// Move-only; null (MPI_INFO_NULL) by default and after a move. Threads: thread-compatible.
class Info {
 public:
  Info() = default;
  /// Of MPI_INFO_NULL: a null Info. Collective: independent.
  static Result<Info> duplicate(MPI_Info info);
  static Info adopt(MPI_Info info) { return Info(info); }

  Info(Info&& other) noexcept : info_(std::exchange(other.info_, MPI_INFO_NULL)) {}
  Info& operator=(Info&& other) noexcept {
    std::swap(info_, other.info_);
    return *this;
  }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  ~Info();

  [[nodiscard]] bool is_null() const { return info_ == MPI_INFO_NULL; }
  [[nodiscard]] MPI_Info raw() const { return info_; }
  /// Value of a key, where there is one.
  [[nodiscard]] std::optional<std::string> get(const std::string& key) const;
  /// Gives a key a value; a null Info becomes one that holds it. Collective: independent.
  Status set(const std::string& key, const std::string& value);
  /// Takes a key away that is there. Collective: independent.
  Status erase(const std::string& key);
  /// True where some key begins with `prefix`. Errors: MPI can't say.
  [[nodiscard]] Result<bool> has_key_prefix(const std::string& prefix) const;

 private:
  explicit Info(MPI_Info info) : info_(info) {}
  MPI_Info info_ = MPI_INFO_NULL;
};

}  // namespace pcio::mpi
