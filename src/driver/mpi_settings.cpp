// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: settings of the MPI drivers.

#include "driver/mpi_settings.hpp"

#include "mpi/error.hpp"

namespace pcio {

namespace {

Result<std::shared_ptr<const mpi::Comm>> share_duplicate(MPI_Comm comm) {
  PCIO_ASSIGN(mpi::Comm copy, mpi::Comm::duplicate(comm));
  return std::shared_ptr<const mpi::Comm>(std::make_shared<mpi::Comm>(std::move(copy)));
}

/// The user's duplicate keeps MPI's default error handling, as any communicator of theirs.
Result<MPI_Comm> duplicate_for_user(const mpi::Comm& comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  PCIO_TRY(mpi::check(MPI_Comm_dup(comm.raw(), &copy), "MPI_Comm_dup"));
  PCIO_TRY(
      mpi::check(MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL), "MPI_Comm_set_errhandler"));
  return copy;
}

}  // namespace

Result<MpioSettings> MpioSettings::create(MPI_Comm comm, MPI_Info info) {
  PCIO_ASSIGN(auto shared_comm, share_duplicate(comm));
  PCIO_ASSIGN(mpi::Info copy, mpi::Info::duplicate(info));
  return MpioSettings(std::move(shared_comm), std::make_shared<const mpi::Info>(std::move(copy)));
}

bool MpioSettings::equals(const DriverSettings& other) const {
  const auto* same = dynamic_cast<const MpioSettings*>(&other);
  return same != nullptr && same->comm_ == comm_ && same->info_ == info_;
}

Result<MPI_Comm> MpioSettings::duplicate_comm() const { return duplicate_for_user(*comm_); }

Result<MPI_Info> MpioSettings::duplicate_info() const {
  MPI_Info copy = MPI_INFO_NULL;
  if (!info_->is_null()) PCIO_TRY(mpi::check(MPI_Info_dup(info_->raw(), &copy), "MPI_Info_dup"));
  return copy;
}

Result<MpiposixSettings> MpiposixSettings::create(MPI_Comm comm) {
  PCIO_ASSIGN(auto shared_comm, share_duplicate(comm));
  return MpiposixSettings(std::move(shared_comm));
}

bool MpiposixSettings::equals(const DriverSettings& other) const {
  const auto* same = dynamic_cast<const MpiposixSettings*>(&other);
  return same != nullptr && same->comm_ == comm_;
}

Result<MPI_Comm> MpiposixSettings::duplicate_comm() const { return duplicate_for_user(*comm_); }

}  // namespace pcio
