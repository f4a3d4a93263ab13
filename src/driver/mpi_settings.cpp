// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: settings of the MPI drivers.

#include "driver/mpi_settings.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include "base/without_throwing.hpp"
#include "driver/file_stripes.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"

namespace pcio {

namespace {

constexpr const char* kBufferSize = "cb_buffer_size";

/// The user's duplicate keeps MPI's default error handling, as any communicator of theirs.
Result<MPI_Comm> duplicate_for_user(Lobby& lobby, std::string_view function) {
  PCIO_ASSIGN(mpi::Comm copy, lobby.duplicate({function, {}}));
  PCIO_TRY(mpi::check(MPI_Comm_set_errhandler(copy.raw(), MPI_ERRORS_ARE_FATAL),
                      "MPI_Comm_set_errhandler"));
  return copy.release();
}

/// A number of bytes that is none: what both of Open MPI's components do with it loses elements, or ends the program.
bool is_no_size(const std::optional<std::string>& hint) {
  return hint && std::strtoll(hint->c_str(), nullptr, 10) <= 0;
}

/// What ompio does with cb_nodes loses elements: each of so many ranks reads what lies between its pieces and writes it back,
/// over what another one has written meanwhile (seen with Open MPI 4.1.4, also without this library). How many ranks it takes
/// by itself was not seen to. Before a file is opened nobody knows whether it will be ompio.
Result<std::shared_ptr<const mpi::Info>> info_for_opening(std::shared_ptr<const mpi::Info> given) {
  if (!mpi::is_library("Open MPI")) return given;
  const bool has_nodes = given->get(kBufferingNodes).has_value(),
             has_no_size = is_no_size(given->get(kBufferSize));
  if (!has_nodes && !has_no_size) return given;
  PCIO_ASSIGN(mpi::Info fewer, mpi::Info::duplicate(given->raw()));
  if (has_nodes) PCIO_TRY(fewer.erase(kBufferingNodes));
  if (has_no_size) PCIO_TRY(fewer.erase(kBufferSize));
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
