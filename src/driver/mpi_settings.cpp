// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: settings of the MPI drivers.

#include "driver/mpi_settings.hpp"

#include "base/without_throwing.hpp"
#include "mpi/error.hpp"

namespace pcio {

namespace {

/// The user's duplicate keeps MPI's default error handling, as any communicator of theirs.
Result<MPI_Comm> duplicate_for_user(Lobby& lobby, std::string_view function) {
  PCIO_ASSIGN(mpi::Comm copy, lobby.duplicate({function, {}}));
  PCIO_TRY(mpi::check(MPI_Comm_set_errhandler(copy.raw(), MPI_ERRORS_ARE_FATAL),
                      "MPI_Comm_set_errhandler"));
  return copy.release();
}

}  // namespace

Result<MpioSettings> MpioSettings::create(MPI_Comm comm, MPI_Info info, const Status& ready) {
  std::shared_ptr<const mpi::Info> copy;
  Status prepared = ready;
  if (prepared.ok())
    prepared = without_throwing([&]() -> Status {
      PCIO_ASSIGN(mpi::Info made, mpi::Info::duplicate(info));
      copy = std::make_shared<const mpi::Info>(std::move(made));
      return Status();
    });
  PCIO_ASSIGN(auto lobby, Lobby::create(comm, "H5Pset_fapl_mpio", prepared));
  return MpioSettings(std::move(lobby), std::move(copy));
}

bool MpioSettings::equals(const DriverSettings& other) const {
  const auto* same = dynamic_cast<const MpioSettings*>(&other);
  return same != nullptr && same->lobby_ == lobby_ && same->info_ == info_;
}

Result<MPI_Comm> MpioSettings::duplicate_comm() const {
  return duplicate_for_user(*lobby_, "H5Pget_fapl_mpio");
}

Result<MPI_Info> MpioSettings::duplicate_info() const {
  MPI_Info copy = MPI_INFO_NULL;
  if (!info_->is_null()) PCIO_TRY(mpi::check(MPI_Info_dup(info_->raw(), &copy), "MPI_Info_dup"));
  return copy;
}

Result<MpiposixSettings> MpiposixSettings::create(MPI_Comm comm, const Status& ready) {
  PCIO_ASSIGN(auto lobby, Lobby::create(comm, "H5Pset_fapl_mpiposix", ready));
  return MpiposixSettings(std::move(lobby));
}

bool MpiposixSettings::equals(const DriverSettings& other) const {
  const auto* same = dynamic_cast<const MpiposixSettings*>(&other);
  return same != nullptr && same->lobby_ == lobby_;
}

Result<MPI_Comm> MpiposixSettings::duplicate_comm() const {
  return duplicate_for_user(*lobby_, "H5Pget_fapl_mpiposix");
}

}  // namespace pcio
