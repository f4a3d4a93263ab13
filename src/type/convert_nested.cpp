// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: conversion of arrays (element by element) and compounds (member by member, by name).

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "type/kernel.hpp"

namespace pcio::detail {

namespace {

class ArrayKernel final : public Kernel {
 public:
  ArrayKernel(const Pair& pair, KernelPtr element)
      : element_(std::move(element)),
        source_size_(pair.source.node().super->size()),
        target_size_(pair.destination.node().super->size()),
        count_(pair.source.size() / source_size_),
        source_step_(pair.source.size()),
        target_step_(pair.destination.size()) {}

  [[nodiscard]] bool is_noop() const override { return element_->is_noop(); }
  [[nodiscard]] bool needs_background() const override { return element_->needs_background(); }
  [[nodiscard]] bool leaves_gaps() const override { return element_->leaves_gaps(); }

  Status run(Source src, Target dst, std::size_t n) const override {
    // Arrays that follow each other without gaps are one long array.
    if (src.step == source_step_ && dst.step == target_step_)
      return element_->run({src.at, source_size_}, {dst.at, target_size_}, n * count_);
    for (std::size_t i = 0; i < n; ++i)
      PCIO_TRY(element_->run({src.at + i * src.step, source_size_},
                             {dst.at + i * dst.step, target_size_}, count_));
    return {};
  }

 private:
  KernelPtr element_;
  std::size_t source_size_;
  std::size_t target_size_;
  std::size_t count_;
  std::size_t source_step_;
  std::size_t target_step_;
};

/// One member, or several neighbours that are only copied.
struct Field {
  std::size_t source = 0;  // byte offsets
  std::size_t target = 0;
  KernelPtr kernel;
  std::size_t copied = 0;  // bytes, where the kernel is a copy
};

/// What a conversion between compounds leaves of the destination.
struct Kept {
  bool members = false;  // some, or parts of some
  bool bytes = false;    // some, named or not
};

class CompoundKernel final : public Kernel {
 public:
  CompoundKernel(std::vector<Field> fields, Kept kept) : fields_(std::move(fields)), kept_(kept) {}

  [[nodiscard]] bool needs_background() const override { return kept_.members; }
  [[nodiscard]] bool leaves_gaps() const override { return kept_.bytes; }

  Status run(Source src, Target dst, std::size_t n) const override {
    // In blocks, so that the elements are still in the cache for the next member.
    constexpr std::size_t kBlock = 256;
    for (std::size_t done = 0; done < n; done += kBlock) {
      const std::size_t count = std::min(kBlock, n - done);
      const std::byte* from = src.at + done * src.step;
      std::byte* to = dst.at + done * dst.step;
      for (const Field& f : fields_)
        PCIO_TRY(f.kernel->run({from + f.source, src.step}, {to + f.target, dst.step}, count));
    }
    return {};
  }

 private:
  std::vector<Field> fields_;
  Kept kept_;
};

/// Joins copies that continue each other in both elements.
std::vector<Field> joined(std::vector<Field> fields) {
  std::sort(fields.begin(), fields.end(),
            [](const Field& a, const Field& b) { return a.target < b.target; });
  std::vector<Field> out;
  for (Field& field : fields) {
    if (!out.empty() && field.copied != 0 && out.back().copied != 0 &&
        out.back().source + out.back().copied == field.source &&
        out.back().target + out.back().copied == field.target) {
      out.back().copied += field.copied;
      out.back().kernel = make_copy(out.back().copied);
    } else {
      out.push_back(std::move(field));
    }
  }
  return out;
}

}  // namespace

Result<KernelPtr> make_array(const Pair& pair) {
  const TypeNode& from = pair.source.node();
  const TypeNode& to = pair.destination.node();
  if (from.dims != to.dims)
    return PCIO_ERROR(DATATYPE, UNSUPPORTED, "no way to convert between arrays of different shape");
  PCIO_ASSIGN(KernelPtr element, make_kernel({*from.super, *to.super, pair.options}));
  return std::make_shared<ArrayKernel>(pair, std::move(element));
}

Result<KernelPtr> make_compound(const Pair& pair) {
  std::unordered_map<std::string_view, const CompoundMember*> by_name;
  for (const CompoundMember& member : pair.source.members()) by_name.emplace(member.name, &member);
  std::vector<Field> fields;
  Kept kept;
  std::size_t written = 0;
  for (const CompoundMember& to : pair.destination.members()) {
    const auto found = by_name.find(to.name);
    if (found == by_name.end()) {
      kept.members = true;
      continue;
    }
    const CompoundMember& from = *found->second;
    auto kernel = make_kernel({from.type, to.type, pair.options});
    if (!kernel) {
      Status status = std::move(kernel.error());
      status.push(PCIO_FRAME(DATATYPE, UNSUPPORTED, "in compound member '" + to.name + "'"));
      return tl::unexpected<Status>(std::move(status));
    }
    kept.members = kept.members || (*kernel)->needs_background();
    kept.bytes = kept.bytes || (*kernel)->leaves_gaps();
    written += to.type.size();
    const std::size_t copied = (*kernel)->is_noop() ? to.type.size() : 0;
    fields.push_back({from.offset, to.offset, std::move(*kernel), copied});
  }
  kept.bytes = kept.bytes || written < pair.destination.size();
  return std::make_shared<CompoundKernel>(joined(std::move(fields)), kept);
}

}  // namespace pcio::detail
