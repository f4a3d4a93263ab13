// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: ids of file drivers (H5FD_SEC2, H5FD_MPIO ...).

#pragma once

#include "lib/handles.hpp"
#include "props/driver_settings.hpp"

namespace pcio {

struct DriverObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kDriver;
  explicit DriverObject(DriverKind k) : kind(k) {}
  DriverKind kind;
};

/// The id of a driver: always the same while the library is open.
Result<HandleId> driver_id(DriverKind kind);

}  // namespace pcio
