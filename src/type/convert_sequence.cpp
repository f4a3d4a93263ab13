// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: conversion of sequences and variable-length strings, in memory and in heaps.
//
// As observed on libhdf5 1.10.8: a sequence without elements is a null one; a null sequence or string
// stays one and has no heap object; an empty string has one of no bytes. A string counts as a sequence
// of unsigned characters, so that sequences of any numbers become strings and back.

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/checked.hpp"
#include "type/kernel.hpp"
#include "type/type_node.hpp"

namespace pcio::detail {

namespace {

/// What one element refers to.
struct Sequence {
  const std::byte* at = nullptr;  ///< null where `is_null`, or where there are no elements
  std::size_t count = 0;          ///< elements of the base type
  bool is_null = true;
};

enum class Form { kText, kCounted, kInHeap };

Form form_of(const Datatype& type, const SequenceHeap* heap) {
  if (heap != nullptr) return Form::kInHeap;
  return type.is_variable_string() ? Form::kText : Form::kCounted;
}

/// Elements that are read.
class SequenceSource {
 public:
  SequenceSource(const Datatype& type, SequenceHeap* heap)
      : form_(form_of(type, heap)),
        text_(type.is_variable_string()),
        size_(type.size()),
        base_size_(type.node().super->size()),
        heap_(heap) {}

  [[nodiscard]] bool in_heap() const { return form_ == Form::kInHeap; }

  /// Of elements in a heap.
  std::size_t find(Source elements, std::span<const std::byte*> found) const {
    return heap_->find({elements.at, elements.step, size_ - kSequenceCountSize, base_size_}, found);
  }

  /// Of elements in a heap.
  [[nodiscard]] SequenceHeap& heap() const { return *heap_; }

  Result<Sequence> read(const std::byte* element) const {
    switch (form_) {
      case Form::kText: return read_text(element);
      case Form::kCounted: return read_counted(element);
      case Form::kInHeap: break;
    }
    return read_heap(element);
  }

 private:
  static Sequence read_text(const std::byte* element) {
    const char* text = nullptr;
    std::memcpy(&text, element, sizeof text);
    if (text == nullptr) return {};
    return {reinterpret_cast<const std::byte*>(text), std::strlen(text), false};
  }

  static Sequence read_counted(const std::byte* element) {
    Sequence out;
    std::memcpy(&out.count, element, sizeof out.count);
    std::memcpy(&out.at, element + sizeof out.count, sizeof out.at);
    if (out.count == 0 || out.at == nullptr) return {};
    out.is_null = false;
    return out;
  }

  Result<Sequence> read_heap(const std::byte* element) const {
    const std::size_t count = load_sequence_count(element);
    const ConstBytes id{element + kSequenceCountSize, size_ - kSequenceCountSize};
    if (is_null_heap_id(id)) return Sequence();
    // A sequence in memory can't be empty without being null.
    if (count == 0) return Sequence{nullptr, 0, !text_};
    const auto bytes = checked_mul<std::uint64_t>(count, base_size_);
    if (!bytes)
      return PCIO_ERROR(DATATYPE, BADVALUE, "size of a variable-length element overflows");
    PCIO_ASSIGN(const ConstBytes object, heap_->get(id, *bytes));
    if (object.size() < *bytes)
      return PCIO_ERROR(DATATYPE, BADVALUE, "heap object is shorter than its element");
    return Sequence{object.data(), count, false};
  }

  Form form_;
  bool text_;
  std::size_t size_;
  std::size_t base_size_;
  SequenceHeap* heap_;
};

/// Elements that are written.
class SequenceTarget {
 public:
  SequenceTarget(const Datatype& type, const SequencePlaces& places)
      : form_(form_of(type, places.destination)),
        size_(type.size()),
        base_size_(type.node().super->size()),
        heap_(places.destination),
        memory_(places.memory) {}

  [[nodiscard]] bool in_heap() const { return form_ == Form::kInHeap; }
  [[nodiscard]] std::size_t base_size() const { return base_size_; }
  void write_null(std::byte* element) const { std::memset(element, 0, size_); }

  /// Room for `count` elements of the base type, all zero: in memory that of the element itself, for a
  /// heap in `scratch`. finish() takes what was put there.
  Result<std::byte*> prepare(std::size_t count, std::vector<std::byte>& scratch) const {
    const auto bytes = checked_mul<std::size_t>(count, base_size_);
    if (!bytes || *bytes >= std::numeric_limits<std::size_t>::max() / 2)
      return PCIO_ERROR(DATATYPE, OVERFLOW, "variable-length element is larger than any memory");
    if (form_ == Form::kInHeap) {
      PCIO_TRY(check_count(count));
      scratch.assign(*bytes, std::byte{0});
      return scratch.data();
    }
    // Text ends with NUL.
    const std::size_t size = *bytes + (form_ == Form::kText ? 1 : 0);
    if (size == 0) return nullptr;
    PCIO_ASSIGN(std::byte * room, memory_->allocate(size));
    std::memset(room, 0, size);
    return room;
  }

  Status finish(std::byte* element, const std::byte* room, std::size_t count) const {
    if (form_ == Form::kInHeap) return put({room, count * base_size_}, count, element);
    if (form_ == Form::kCounted) std::memcpy(element, &count, sizeof count);
    std::memcpy(element + (form_ == Form::kCounted ? sizeof count : 0), &room, sizeof room);
    return {};
  }

  /// Bytes of `count` elements of the base type that stay as they are.
  Status take(ConstBytes bytes, std::size_t count, std::byte* element) const {
    if (form_ == Form::kInHeap) return put(bytes, count, element);
    const std::size_t size = bytes.size() + (form_ == Form::kText ? 1 : 0);
    std::byte* room = nullptr;
    if (size > 0) {
      PCIO_ASSIGN(room, memory_->allocate(size));
    }
    if (!bytes.empty()) std::memcpy(room, bytes.data(), bytes.size());
    if (form_ == Form::kText) room[bytes.size()] = std::byte{0};
    return finish(element, room, count);
  }

  /// The same in memory, of what a heap has found for the element `from`.
  Status take_found(const std::byte* bytes, const std::byte* from, std::byte* element) const {
    if (bytes == nullptr) {
      write_null(element);
      return {};
    }
    const std::size_t count = load_sequence_count(from);
    const std::size_t size = count * base_size_;
    const bool text = form_ == Form::kText;
    std::byte* const room = memory_->try_allocate(size + (text ? 1 : 0));
    if (room == nullptr)
      return PCIO_ERROR(
          RESOURCE, NOSPACE,
          "no memory for a variable-length element of " + std::to_string(size) + " bytes");
    std::memcpy(room, bytes, size);
    if (text)
      room[size] = std::byte{0};
    else
      std::memcpy(element, &count, sizeof count);
    std::memcpy(element + (text ? 0 : sizeof count), &room, sizeof room);
    return {};
  }

  Status put(ConstBytes bytes, std::size_t count, std::byte* element) const {
    PCIO_TRY(check_count(count));
    for (unsigned i = 0; i < kSequenceCountSize; ++i)
      element[i] = static_cast<std::byte>(count >> 8 * i);
    return heap_->put(bytes, {element + kSequenceCountSize, size_ - kSequenceCountSize});
  }

 private:
  static Status check_count(std::size_t count) {
    if (count <= std::numeric_limits<std::uint32_t>::max()) return {};
    return PCIO_ERROR(DATATYPE, OVERFLOW,
                      "variable-length element of more than 4294967295 elements");
  }

  Form form_;
  std::size_t size_;
  std::size_t base_size_;
  SequenceHeap* heap_;
  SequenceMemory* memory_;
};

class SequenceKernel final : public Kernel {
 public:
  SequenceKernel(const Pair& pair, KernelPtr element)
      : source_(pair.source, pair.options.sequences.source),
        target_(pair.destination, pair.options.sequences),
        element_(std::move(element)),
        source_step_(pair.source.node().super->size()),
        source_nested_(!pair.source.node().super->is_fixed()),
        stays_(element_->is_noop()) {}

  Status run(Source src, Target dst, std::size_t n) const override {
    Scratch scratch;
    std::size_t i = 0;
    while (true) {
      if (stays_ && source_.in_heap() && !target_.in_heap()) PCIO_TRY(copy_found(src, dst, n, &i));
      if (i == n) return {};
      PCIO_TRY(convert_one(src.at + i * src.step, dst.at + i * dst.step, scratch));
      ++i;
    }
  }

 private:
  struct Scratch {
    std::vector<std::byte> source;
    std::vector<std::byte> target;
  };

  /// Copies elements from `*done` to `n` from the heap to memory, as far as there is no question about them.
  Status copy_found(Source src, Target dst, std::size_t n, std::size_t* done) const {
    constexpr std::size_t kTogether = 256;
    std::array<const std::byte*, kTogether> found{};
    while (*done < n) {
      const std::size_t most = std::min(kTogether, n - *done);
      const std::size_t have =
          source_.find({src.at + *done * src.step, src.step}, std::span(found).first(most));
      if (source_.heap().is_inside())
        for (std::size_t i = 0; i < have; ++i)
          if (found[i] != nullptr)
            PCIO_TRY(count(load_sequence_count(src.at + (*done + i) * src.step)));
      for (std::size_t i = 0; i < have; ++i, ++*done)
        PCIO_TRY(
            target_.take_found(found[i], src.at + *done * src.step, dst.at + *done * dst.step));
      if (have < most) break;
    }
    return {};
  }

  /// Elements of the base type in the heap.
  [[nodiscard]] Status count(std::uint64_t elements) const {
    const auto bytes = checked_mul<std::uint64_t>(elements, source_step_);
    return source_.heap().count_inside(bytes.value_or(std::numeric_limits<std::uint64_t>::max()));
  }

  Status convert_one(const std::byte* from, std::byte* to, Scratch& scratch) const {
    PCIO_ASSIGN(Sequence sequence, source_.read(from));
    if (sequence.is_null) {
      target_.write_null(to);
      return {};
    }
    if (source_.in_heap() && source_.heap().is_inside()) PCIO_TRY(count(sequence.count));
    if (stays_)
      return target_.take({sequence.at, sequence.count * source_step_}, sequence.count, to);
    // The heap keeps one object for us at a time, and what is inside may ask for others.
    if (source_nested_ && source_.in_heap() && sequence.count != 0) {
      scratch.source.assign(sequence.at, sequence.at + sequence.count * source_step_);
      sequence.at = scratch.source.data();
    }
    PCIO_ASSIGN(std::byte * room, target_.prepare(sequence.count, scratch.target));
    std::optional<SequenceHeap::Inside> inside;
    if (source_nested_ && source_.in_heap()) inside.emplace(source_.heap());
    if (sequence.count != 0)
      PCIO_TRY(
          element_->run({sequence.at, source_step_}, {room, target_.base_size()}, sequence.count));
    return target_.finish(to, room, sequence.count);
  }

  SequenceSource source_;
  SequenceTarget target_;
  KernelPtr element_;
  std::size_t source_step_;
  bool source_nested_;
  bool stays_;  ///< bytes of the source are those of the target
};

}  // namespace

/// As large as elements of its form are. What reads a file's types checks them; this is the last wall.
bool has_sound_size(const Datatype& type, const SequenceHeap* heap) {
  constexpr std::size_t kLeastInHeap = kSequenceCountSize + 2 + 4;
  if (type.is_variable_string() && type.node().super->size() != 1) return false;
  switch (form_of(type, heap)) {
    case Form::kText: return type.size() == sizeof(char*);
    case Form::kCounted: return type.size() == sizeof(std::size_t) + sizeof(void*);
    case Form::kInHeap: break;
  }
  return type.size() >= kLeastInHeap;
}

Result<KernelPtr> make_sequence(const Pair& pair) {
  const SequencePlaces& places = pair.options.sequences;
  if (places.destination == nullptr && places.memory == nullptr)
    return PCIO_ERROR(DATATYPE, UNSUPPORTED, "variable-length data has no memory to come to");
  if (!has_sound_size(pair.source, places.source) ||
      !has_sound_size(pair.destination, places.destination))
    return PCIO_ERROR(DATATYPE, BADSIZE, "variable-length datatype of an impossible size");
  PCIO_ASSIGN(KernelPtr element, make_kernel({*pair.source.node().super,
                                              *pair.destination.node().super, pair.options}));
  return std::make_shared<SequenceKernel>(pair, std::move(element));
}

}  // namespace pcio::detail
