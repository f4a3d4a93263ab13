// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: owned info objects.

#include "mpi/info.hpp"

#include <string_view>
#include <vector>

#include "mpi/environment.hpp"
#include "mpi/error.hpp"

namespace pcio::mpi {

Result<Info> Info::duplicate(MPI_Info info) {
  if (info == MPI_INFO_NULL) return Info();
  PCIO_TRY(require_active());
  Info copy;
  PCIO_TRY(check(MPI_Info_dup(info, &copy.info_), "MPI_Info_dup"));
  return copy;
}

Info::~Info() {
  if (info_ != MPI_INFO_NULL && is_active()) MPI_Info_free(&info_);
}

std::optional<std::string> Info::get(const std::string& key) const {
  if (is_null()) return std::nullopt;
  int length = 0;
  int found = 0;
  if (MPI_Info_get_valuelen(info_, key.c_str(), &length, &found) != MPI_SUCCESS || found == 0)
    return std::nullopt;
  std::vector<char> value(static_cast<std::size_t>(length) + 1, '\0');
  if (MPI_Info_get(info_, key.c_str(), length, value.data(), &found) != MPI_SUCCESS || found == 0)
    return std::nullopt;
  return std::string(value.data());
}

Status Info::set(const std::string& key, const std::string& value) {
  PCIO_TRY(require_active());
  if (is_null()) PCIO_TRY(check(MPI_Info_create(&info_), "MPI_Info_create"));
  return check(MPI_Info_set(info_, key.c_str(), value.c_str()), "MPI_Info_set");
}

Status Info::erase(const std::string& key) {
  PCIO_TRY(require_active());
  return check(MPI_Info_delete(info_, key.c_str()), "MPI_Info_delete");
}

Result<bool> Info::has_key_prefix(const std::string& prefix) const {
  if (is_null()) return false;
  int keys = 0;
  PCIO_TRY(check(MPI_Info_get_nkeys(info_, &keys), "MPI_Info_get_nkeys"));
  for (int i = 0; i < keys; ++i) {
    char key[MPI_MAX_INFO_KEY + 1] = {};
    PCIO_TRY(check(MPI_Info_get_nthkey(info_, i, key), "MPI_Info_get_nthkey"));
    if (std::string_view(key).starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace pcio::mpi
