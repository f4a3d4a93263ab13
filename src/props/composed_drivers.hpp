// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: settings of serial drivers that say more than their name, or that stand on other drivers.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
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

/// One address space whose parts are files, by the use of their bytes: a place for each H5FD_mem_t.
/// Source: H5Pset_fapl_multi.
struct MultiSettings final : public DriverSettings {
  static constexpr std::size_t kUses = 7;  ///< H5FD_MEM_NTYPES
  /// Numbers as H5FD_mem_t.
  enum Use : std::uint8_t { kDefault, kSuper, kBtree, kDraw, kGheap, kLheap, kOhdr };

  /// What H5Pset_fapl_multi has where it is given nothing: a file for each use.
  MultiSettings() {
    constexpr char kLetters[] = "Xsbrglo";
    for (std::size_t use = 0; use < kUses; ++use) {
      names[use] = std::string("%s-") + kLetters[use] + ".h5";
      addresses[use] = use == 0 ? 0 : (use - 1) * ((UINT64_MAX - 1) / (kUses - 1));
      members[use].emplace();
    }
  }
  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<MultiSettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kMulti; }
  [[nodiscard]] std::string_view name() const override { return "multi"; }
  [[nodiscard]] bool equals(const DriverSettings& other) const override {
    const auto* same = dynamic_cast<const MultiSettings*>(&other);
    return same != nullptr && same->map == map && same->names == names &&
           same->addresses == addresses && same->members == members && same->relax == relax;
  }
  /// In which use's file bytes of `use` lie.
  [[nodiscard]] std::size_t file_of(std::size_t use) const {
    return map[use] == kDefault ? use : map[use];
  }

  std::array<std::uint8_t, kUses> map{};  ///< kDefault: a file of its own
  /// With what each file is opened; nullopt: never given (H5Pset_fapl_split).
  std::array<std::optional<DriverChoice>, kUses> members;
  std::array<std::string, kUses> names;  ///< %s stands for the name that is opened; empty: none
  std::array<std::uint64_t, kUses> addresses{};  ///< where each file begins; all ones: nowhere
  bool relax = false;  ///< files may be missing where the set is only read
};

}  // namespace pcio
