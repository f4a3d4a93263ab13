// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: settings of the MPI drivers.

#include "driver/mpi_settings.hpp"

#include "base/without_throwing.hpp"
#include "driver/file_stripes.hpp"
#include "mpi/environment.hpp"
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

/// What ompio does with this hint loses elements: each of so many ranks reads what lies between its pieces and writes it back,
/// over what another one has written meanwhile (seen with Open MPI 4.1.4, also without this library). How many ranks it takes
/// by itself was not seen to. Before a file is opened nobody knows whether it will be ompio.
Result<std::shared_ptr<const mpi::Info>> info_for_opening(std::shared_ptr<const mpi::Info> given) {
  if (!mpi::is_library("Open MPI") || !given->get(kBufferingNodes)) return given;
  PCIO_ASSIGN(mpi::Info fewer, mpi::Info::duplicate(given->raw()));
  PCIO_TRY(fewer.erase(kBufferingNodes));
  return std::make_shared<const mpi::Info>(std::move(fewer));
}

}  // namespace

Result<MpioSettings> MpioSettings::create(MPI_Comm comm, MPI_Info info, const Status& ready) {
  MpioSettings settings;
  Status prepared = ready;
  if (prepared.ok())
    prepared = without_throwing([&]() -> Status {
      PCIO_ASSIGN(mpi::Info made, mpi::Info::duplicate(info));
      settings.info_ = std::make_shared<const mpi::Info>(std::move(made));
      PCIO_ASSIGN(settings.opening_info_, info_for_opening(settings.info_));
      return Status();
    });
  PCIO_ASSIGN(settings.lobby_, Lobby::create(comm, "H5Pset_fapl_mpio", prepared));
  return settings;
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
