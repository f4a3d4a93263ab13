// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: which file driver a file access list asks for, as a value that knows how to copy
// itself.
//
// A property list holds a DriverChoice, which owns one DriverSettings or none. The MPI drivers'
// settings are defined in driver/mpi_settings.hpp: this room never sees mpi.h. A clone shares the
// communicator and info that were duplicated when the property was set, so copying a list never
// communicates.

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "base/never_destroyed.hpp"

namespace pcio {

/// kCustom: an opener of its own (driver/custom_settings.hpp). kProgram: a driver that the program has
/// registered (H5FDregister).
enum class DriverKind : std::uint8_t {
  kPosix,
  kMemory,
  kMpio,
  kMpiposix,
  kCustom,
  kStdio,
  kLog,
  kFamily,
  kMulti,
  kProgram
};
inline constexpr unsigned kDriverKinds = static_cast<unsigned>(DriverKind::kProgram) + 1;

/// Base of the settings of one file driver. Threads: immutable after construction.
class DriverSettings {
 public:
  virtual ~DriverSettings() = default;
  [[nodiscard]] virtual std::unique_ptr<DriverSettings> clone() const = 0;
  [[nodiscard]] virtual DriverKind kind() const = 0;
  /// HDF5's name of the driver: "sec2", "core", "mpio", "mpiposix".
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// True where `other` is of the same kind and means the same.
  [[nodiscard]] virtual bool equals(const DriverSettings& other) const {
    return kind() == other.kind();
  }
  [[nodiscard]] bool is_parallel() const {
    return kind() == DriverKind::kMpio || kind() == DriverKind::kMpiposix;
  }

 protected:
  DriverSettings() = default;
  DriverSettings(const DriverSettings&) = default;
  DriverSettings& operator=(const DriverSettings&) = default;
};

/// The default driver: pread and pwrite. Source: H5Pset_fapl_sec2.
class PosixSettings final : public DriverSettings {
 public:
  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<PosixSettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kPosix; }
  [[nodiscard]] std::string_view name() const override { return "sec2"; }
};

/// The file lives in memory. Source: H5Pset_fapl_core.
class MemorySettings final : public DriverSettings {
 public:
  enum class BackingStore : std::uint8_t { kNone, kWriteAtClose };

  /// `increment` in bytes (0 stands for one byte).
  MemorySettings(std::uint64_t increment, BackingStore backing_store)
      : increment_(increment), backing_store_(backing_store) {}
  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<MemorySettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kMemory; }
  [[nodiscard]] std::string_view name() const override { return "core"; }
  [[nodiscard]] bool equals(const DriverSettings& other) const override {
    const auto* same = dynamic_cast<const MemorySettings*>(&other);
    return same != nullptr && same->increment_ == increment_ &&
           same->backing_store_ == backing_store_;
  }
  [[nodiscard]] std::uint64_t increment() const { return increment_; }
  [[nodiscard]] BackingStore backing_store() const { return backing_store_; }

 private:
  std::uint64_t increment_;
  BackingStore backing_store_;
};

/// Owns the settings of one driver, copies deeply, compares by value. Empty: the default, posix.
class DriverChoice {
 public:
  DriverChoice() = default;
  explicit DriverChoice(std::unique_ptr<DriverSettings> settings)
      : settings_(std::move(settings)) {}
  DriverChoice(const DriverChoice& other)
      : settings_(other.settings_ ? other.settings_->clone() : nullptr) {}
  DriverChoice& operator=(const DriverChoice& other) {
    if (this != &other) *this = DriverChoice(other);
    return *this;
  }
  DriverChoice(DriverChoice&&) noexcept = default;
  DriverChoice& operator=(DriverChoice&&) noexcept = default;
  ~DriverChoice() = default;

  [[nodiscard]] bool empty() const { return settings_ == nullptr; }
  [[nodiscard]] const DriverSettings* get() const { return settings_.get(); }
  /// The settings, or those of the default driver.
  [[nodiscard]] const DriverSettings& value() const {
    static NeverDestroyed<const PosixSettings> default_settings;
    if (settings_) return *settings_;
    return *default_settings;
  }

  friend bool operator==(const DriverChoice& a, const DriverChoice& b) {
    return a.value().equals(b.value());
  }

 private:
  std::unique_ptr<DriverSettings> settings_;
};

}  // namespace pcio
