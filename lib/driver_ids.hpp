// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: ids of file drivers (H5FD_SEC2, H5FD_MPIO ...), and drivers of programs.

#pragma once

#include "driver/custom_settings.hpp"
#include "lib/handles.hpp"
#include "lib/public_api.hpp"
#include "props/driver_settings.hpp"

namespace pcio {

struct DriverObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kDriver;
  explicit DriverObject(DriverKind k) : kind(k) {}
  DriverObject(DriverKind k, const H5FD_class_t& c) : kind(k), cls(c) {}
  ~DriverObject() override;
  DriverKind kind;
  H5FD_class_t cls{};  ///< kProgram only
  HandleId id = kInvalidHandle;
};
using DriverObjectPtr = std::shared_ptr<DriverObject>;

/// The id of a driver of the library's own: always the same while the library is open.
Result<HandleId> driver_id(DriverKind kind);
/// The id of the driver that a list asks for.
Result<HandleId> driver_id(const DriverSettings& settings);

/// A driver of a program in a list, with a copy of its settings. Threads: immutable.
class ProgramSettings final : public OpenerSettings {
 public:
  /// Errors: settings that can't be copied.
  static Result<std::unique_ptr<ProgramSettings>> make(DriverObjectPtr driver, const void* info);
  ProgramSettings(const ProgramSettings& other);
  ProgramSettings& operator=(const ProgramSettings&) = delete;
  ~ProgramSettings() override;

  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<ProgramSettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kProgram; }
  [[nodiscard]] std::string_view name() const override;
  [[nodiscard]] bool equals(const DriverSettings& other) const override;
  [[nodiscard]] Result<OpenedFile> open(const OpenRequest& request) const override;

  [[nodiscard]] const DriverObjectPtr& driver() const { return driver_; }
  [[nodiscard]] const void* info() const { return info_; }

 private:
  ProgramSettings(DriverObjectPtr driver, void* info) : driver_(std::move(driver)), info_(info) {}
  DriverObjectPtr driver_;
  void* info_;
};

/// The functions of one of the library's own serial drivers, for files that H5FDopen opens.
const H5FD_class_t& own_driver_class(DriverKind kind);
/// Opens a file with the list's driver; fills what files of all drivers begin with.
Result<H5FD_t*> open_driver_file(const char* name, unsigned flags, hid_t fapl_id, haddr_t maxaddr);

}  // namespace pcio
