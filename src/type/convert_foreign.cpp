// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: conversion by a program's own functions, which work in place on packed elements.

#include <algorithm>
#include <vector>

#include "type/foreign_conversion.hpp"
#include "type/kernel.hpp"

namespace pcio::detail {

namespace {

class ForeignKernel final : public Kernel {
 public:
  ForeignKernel(const Pair& pair, std::shared_ptr<const ForeignConversion> function)
      : function_(std::move(function)),
        source_size_(pair.source.size()),
        target_size_(pair.destination.size()) {}

  [[nodiscard]] bool needs_background() const override { return function_->needs_background(); }
  [[nodiscard]] bool leaves_gaps() const override { return function_->needs_background(); }

  Status run(Source src, Target dst, std::size_t n) const override {
    const std::size_t block =
        std::clamp<std::size_t>(kBlockBytes / std::max(source_size_, target_size_), 1, n);
    std::vector<std::byte> buffer(block * std::max(source_size_, target_size_));
    std::vector<std::byte> background(needs_background() ? block * target_size_ : 0);
    for (std::size_t done = 0; done < n; done += block) {
      const std::size_t count = std::min(block, n - done);
      const std::byte* from = src.at + done * src.step;
      std::byte* to = dst.at + done * dst.step;
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(buffer.data() + i * source_size_, from + i * src.step, source_size_);
      for (std::size_t i = 0; needs_background() && i < count; ++i)
        std::memcpy(background.data() + i * target_size_, to + i * dst.step, target_size_);
      PCIO_TRY(
          function_->run(buffer.data(), needs_background() ? background.data() : nullptr, count));
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(to + i * dst.step, buffer.data() + i * target_size_, target_size_);
    }
    return {};
  }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{256} << 10;

  std::shared_ptr<const ForeignConversion> function_;
  std::size_t source_size_;
  std::size_t target_size_;
};

}  // namespace

KernelPtr make_foreign(const Pair& pair) {
  const ConvertOptions& options = pair.options;
  if (!options.foreign || pair.source == pair.destination) return nullptr;
  // Heap ids mean nothing to a program.
  if (options.sequences.source != nullptr && !pair.source.is_fixed()) return nullptr;
  if (options.sequences.destination != nullptr && !pair.destination.is_fixed()) return nullptr;
  auto function = options.foreign->find(pair.source, pair.destination);
  return function ? std::make_shared<ForeignKernel>(pair, std::move(function)) : nullptr;
}

}  // namespace pcio::detail
