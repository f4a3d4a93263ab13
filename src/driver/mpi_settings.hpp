// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: settings of the two MPI drivers, as values for a file access list.
//
// The user's communicator and info are duplicated once, when the property is set (collective over
// the communicator, as in HDF5); clones share the duplicates. A getter hands out fresh duplicates
// that the caller frees.

#pragma once

#include "agree/lobby.hpp"
#include "mpi/comm.hpp"
#include "mpi/info.hpp"
#include "props/driver_settings.hpp"

namespace pcio {

/// H5Pset_fapl_mpio. Threads: immutable.
class MpioSettings final : public DriverSettings {
 public:
  /// Nothing to be used until it is assigned to.
  MpioSettings() = default;
  /// Collective: over `comm`. `ready`: as Lobby::create. Errors: MPI not initialized, MPI_COMM_NULL, a
  /// failing duplicate.
  static Result<MpioSettings> create(MPI_Comm comm, MPI_Info info, const Status& ready = Status());

  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<MpioSettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kMpio; }
  [[nodiscard]] std::string_view name() const override { return "mpio"; }
  /// True for clones of one setting: two duplicates of one communicator are not the same.
  [[nodiscard]] bool equals(const DriverSettings& other) const override;
  [[nodiscard]] const mpi::Comm& comm() const { return lobby_->comm(); }
  [[nodiscard]] Lobby& lobby() const { return *lobby_; }
  [[nodiscard]] const mpi::Info& info() const { return *info_; }
  /// Of these what Open MPI's MPI-IO is told.
  [[nodiscard]] const mpi::Info& opening_info() const { return *opening_info_; }

  /// Duplicates for the user, who frees them. Collective: over the communicator.
  [[nodiscard]] Result<MPI_Comm> duplicate_comm() const;
  /// MPI_INFO_NULL where none was set.
  [[nodiscard]] Result<MPI_Info> duplicate_info() const;

 private:
  std::shared_ptr<Lobby> lobby_;
  std::shared_ptr<const mpi::Info> info_, opening_info_;
};

/// H5Pset_fapl_mpiposix (HDF5 up to 1.8.12). Threads: immutable.
class MpiposixSettings final : public DriverSettings {
 public:
  /// Nothing to be used until it is assigned to.
  MpiposixSettings() = default;
  /// Collective: over `comm`. `ready`: as Lobby::create.
  static Result<MpiposixSettings> create(MPI_Comm comm, const Status& ready = Status());

  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<MpiposixSettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kMpiposix; }
  [[nodiscard]] std::string_view name() const override { return "mpiposix"; }
  [[nodiscard]] bool equals(const DriverSettings& other) const override;
  [[nodiscard]] const mpi::Comm& comm() const { return lobby_->comm(); }
  [[nodiscard]] Lobby& lobby() const { return *lobby_; }
  /// A duplicate for the user, who frees it. Collective: over the communicator.
  [[nodiscard]] Result<MPI_Comm> duplicate_comm() const;

 private:
  explicit MpiposixSettings(std::shared_ptr<Lobby> lobby) : lobby_(std::move(lobby)) {}
  std::shared_ptr<Lobby> lobby_;
};

}  // namespace pcio
