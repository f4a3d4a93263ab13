// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: settings of serial drivers that say more than their name, or that stand on other drivers.

#pragma once

#include <array>
#include <string>

#include "props/driver_settings.hpp"

namespace pcio {

/// What H5Pset_fapl_stdio asks for.
class StdioSettings final : public DriverSettings {
 public:
  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<StdioSettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kStdio; }
  [[nodiscard]] std::string_view name() const override { return "stdio"; }
};

/// The POSIX driver, which writes down what it does. Source: H5Pset_fapl_log.
struct LogSettings final : public DriverSettings {
  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<LogSettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kLog; }
  [[nodiscard]] std::string_view name() const override { return "log"; }
  [[nodiscard]] bool equals(const DriverSettings& other) const override {
    const auto* same = dynamic_cast<const LogSettings*>(&other);
    return same != nullptr && same->log_file == log_file && same->flags == flags &&
           same->buffer_size == buffer_size;
  }
  std::string log_file;           ///< empty: standard error
  unsigned long long flags = 0;   ///< H5FD_LOG_...
  std::uint64_t buffer_size = 0;  ///< bytes of the file that are counted one by one
};

/// One address space cut into files of equal size. Source: H5Pset_fapl_family.
struct FamilySettings final : public DriverSettings {
  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<FamilySettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kFamily; }
  [[nodiscard]] std::string_view name() const override { return "family"; }
  [[nodiscard]] bool equals(const DriverSettings& other) const override {
    const auto* same = dynamic_cast<const FamilySettings*>(&other);
    return same != nullptr && same->member_size == member_size && same->member == member;
  }
  std::uint64_t member_size = 0;  ///< bytes; 0: what the file says
  DriverChoice member;            ///< with which each file is opened
};

}  // namespace pcio
