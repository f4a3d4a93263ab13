// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: settings that bring their own way of opening a file, e.g. one that injects faults.

#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "driver/open_driver.hpp"

namespace pcio {

/// Settings that know how to open a serial file. Threads: immutable.
class OpenerSettings : public DriverSettings {
 public:
  [[nodiscard]] virtual Result<OpenedFile> open(const OpenRequest& request) const = 0;
};

/// Threads: immutable.
class CustomSettings final : public OpenerSettings {
 public:
  using Opener = std::function<Result<OpenedFile>(const OpenRequest&)>;

  explicit CustomSettings(Opener opener)
      : opener_(std::make_shared<const Opener>(std::move(opener))) {}
  [[nodiscard]] std::unique_ptr<DriverSettings> clone() const override {
    return std::make_unique<CustomSettings>(*this);
  }
  [[nodiscard]] DriverKind kind() const override { return DriverKind::kCustom; }
  [[nodiscard]] std::string_view name() const override { return "custom"; }
  [[nodiscard]] bool equals(const DriverSettings& other) const override {
    const auto* same = dynamic_cast<const CustomSettings*>(&other);
    return same != nullptr && same->opener_ == opener_;
  }
  [[nodiscard]] Result<OpenedFile> open(const OpenRequest& request) const override {
    return (*opener_)(request);
  }

 private:
  std::shared_ptr<const Opener> opener_;
};

}  // namespace pcio
