// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: fill_sequences.

#include "transfer/call/sequence_fill.hpp"

#include <algorithm>
#include <cstring>

#include "base/without_throwing.hpp"
#include "storage/heaps/heap_reader.hpp"
#include "transfer/call/sequence_transfer.hpp"
#include "type/convert.hpp"

namespace pcio {

namespace {

/// Elements that one rank fills at a time.
constexpr std::uint64_t kFilledTogether = std::uint64_t{1} << 14;

/// A box cut into parts of about so many elements, whole in the fastest dimensions.
class Parts {
 public:
  explicit Parts(const Box& box) : box_(box), shape_(box.count), grid_(box.count) {
    std::uint64_t room = kFilledTogether;
    for (unsigned d = box.ndims(); d-- > 0;) {
      shape_[d] = std::clamp<std::uint64_t>(box.count[d], 1, room);
      grid_[d] = ceil_div(box.count[d], shape_[d]);
      room = std::max<std::uint64_t>(room / shape_[d], 1);
    }
  }
  [[nodiscard]] std::uint64_t count() const {
    return box_.empty() ? 0 : grid_.volume().value_or(0);
  }
  [[nodiscard]] Box part(std::uint64_t number) const {
    Box part = box_;
    for (unsigned d = box_.ndims(); d-- > 0; number /= std::max<std::uint64_t>(grid_[d], 1)) {
      const std::uint64_t first = number % grid_[d] * shape_[d];
      part.start[d] = box_.start[d] + first;
      part.count[d] = std::min(shape_[d], box_.count[d] - first);
    }
    return part;
  }

 private:
  Box box_;
  Dims shape_;
  Dims grid_;
};

class SequenceFill {
 public:
  SequenceFill(FileStore& store, const StoredObjectPtr& dataset, const CallName& name)
      : store_(store), dataset_(dataset), name_(name), reader_(store.heap_reader()) {}

  /// The fill value in memory.
  Status load() {
    PCIO_ASSIGN(state_, store_.datasets().state(dataset_));
    const std::vector<std::byte> value = state_->fill_element();
    memory_type_ = state_->type.memory_form();
    element_.resize(memory_type_.size());
    FileHeap heap(reader_, nullptr);
    ConvertOptions options;
    options.sequences = {&heap, nullptr, &memory_};
    PCIO_ASSIGN(const Conversion way, Conversion::make(state_->type, memory_type_, options));
    PCIO_TRY(reader_.prepare(SequenceMap(state_->type), value));
    return way.run(value.data(), element_.data(), 1);
  }

  Status list_parts(std::span<const Box> boxes) {
    boxes_ = boxes;
    ends_.reserve(boxes.size());
    for (const Box& box : boxes) ends_.push_back(count() + Parts(box).count());
    return Status();
  }

  Status fill() {
    const Coordinator& ranks = store_.coordinator();
    const auto size = static_cast<std::uint64_t>(ranks.size());
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    for (std::uint64_t first = 0; first < count(); first += size) {
      TransferRequest request;
      request.direction = Direction::kWrite;
      request.props.mode =
          store_.parallel() ? TransferMode::kCollective : TransferMode::kIndependent;
      const Status ready = without_throwing([&]() -> Status {
        const bool mine = first + rank < count();
        return prepare(mine ? part(first + rank) : Box(), mine ? Part::kSome : Part::kNone,
                       &request);
      });
      TransferReport report;
      PCIO_TRY(transfer_sequences(store_, dataset_, request, &report, name_, ready));
    }
    return Status();
  }

 private:
  enum class Part : std::uint8_t { kNone, kSome };

  /// Parts of all boxes.
  [[nodiscard]] std::uint64_t count() const { return ends_.empty() ? 0 : ends_.back(); }
  [[nodiscard]] Box part(std::uint64_t number) const {
    const auto box = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), number) -
                                              ends_.begin());
    return Parts(boxes_[box]).part(number - (box == 0 ? 0 : ends_[box - 1]));
  }

  Status prepare(const Box& box, Part part, TransferRequest* request) {
    request->is_fill = true;
    request->memory_type = memory_type_;
    request->file_space = state_->extent;
    request->file_space.selection() = Selection::none();
    if (part == Part::kSome && box.ndims() > 0)
      PCIO_TRY(request->file_space.select_box(box));
    else if (part == Part::kSome)
      request->file_space.selection() = Selection::all();
    const std::uint64_t n = request->file_space.selected();
    PCIO_ASSIGN(request->memory_space, Dataspace::simple(Dims(1, n)));
    elements_.resize(static_cast<std::size_t>(n) * element_.size());
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(elements_.data() + i * element_.size(), element_.data(), element_.size());
    request->buffer = elements_.data();
    return Status();
  }

  FileStore& store_;
  const StoredObjectPtr& dataset_;
  const CallName& name_;
  HeapReader reader_;
  SequenceMemory memory_;  ///< never kept: what the fill value points to goes with this
  DatasetState* state_ = nullptr;
  Datatype memory_type_;
  std::span<const Box> boxes_;
  std::vector<std::uint64_t> ends_;  ///< how many parts there are up to each box
  std::vector<std::byte> element_;
  std::vector<std::byte> elements_;
};

}  // namespace

Status fill_sequences(FileStore& store, const StoredObjectPtr& dataset, std::span<const Box> boxes,
                      const CallName& name, const Status& checked) {
  // Of the call that fills; the transfers it makes keep their own.
  const Spends filling(Spent::kFill);
  SequenceFill fill(store, dataset, name);
  // One rank has just written what the value refers to.
  Status ready = store.writer().show_where_apart(name, checked);
  if (ready.ok())
    ready = without_throwing([&]() -> Status {
      PCIO_TRY(fill.load());
      return fill.list_parts(boxes);
    });
  PCIO_TRY(store.coordinator().outcome(name, ready));
  return fill.fill();
}

}  // namespace pcio
