// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: elements that are copied by way of memory, out of line.

#include "object/copy_elements.hpp"

#include <algorithm>
#include <cstring>

namespace pcio {

namespace {

constexpr std::uint64_t kBatchElements = std::uint64_t{1} << 16;

/// A box of about so many elements, whole in the fastest dimensions.
Dims batch_shape(const Dims& dims) {
  Dims shape = dims;
  std::uint64_t room = kBatchElements;
  for (unsigned d = dims.size(); d-- > 0;) {
    shape[d] = std::clamp<std::uint64_t>(dims[d], 1, room);
    room /= shape[d];
    room = std::max<std::uint64_t>(room, 1);
  }
  return shape;
}

}  // namespace

// ---- references --------------------------------------------------------------------------------

Result<ReferenceMap> ReferenceMap::make(const Datatype& memory_type) {
  ReferenceMap map;
  map.element_size_ = memory_type.size();
  PCIO_TRY(map.add(memory_type, 0));
  return map;
}

Status ReferenceMap::add(const Datatype& type, std::size_t offset) {
  Part part;
  part.offset = offset;
  switch (type.type_class()) {
    case TypeClass::kReference: {
      PCIO_ASSIGN(part.reference, type.reference_kind());
      part.count = type.size();
      parts_.push_back(std::move(part));
      return Status();
    }
    case TypeClass::kCompound:
      for (const CompoundMember& member : type.members())
        PCIO_TRY(add(member.type, offset + member.offset));
      return Status();
    case TypeClass::kArray:
    case TypeClass::kVlen: {
      if (type.is_variable_string()) return Status();
      PCIO_ASSIGN(const Datatype base, type.super());
      PCIO_ASSIGN(ReferenceMap inside, make(base));
      if (inside.empty()) return Status();
      const bool array = type.type_class() == TypeClass::kArray;
      part.kind = array ? Kind::kArray : Kind::kSequence;
      part.count = array ? type.size() / base.size() : 1;
      part.inside.push_back(std::move(inside));
      parts_.push_back(std::move(part));
      return Status();
    }
    default: return Status();
  }
}

Status ReferenceMap::visit(std::byte* elements, std::size_t n, const Visit& call) const {
  for (std::size_t i = 0; i < n && !parts_.empty(); ++i)
    for (const Part& part : parts_) {
      std::byte* at = elements + i * element_size_ + part.offset;
      std::size_t count = part.count;
      if (part.kind == Kind::kReference) {
        PCIO_TRY(call(part.reference, {at, count}));
        continue;
      }
      if (part.kind == Kind::kSequence) {
        std::memcpy(&count, at, sizeof count);
        std::memcpy(&at, at + sizeof count, sizeof at);
        if (at == nullptr) continue;
      }
      PCIO_TRY(part.inside.front().visit(at, count, call));
    }
  return Status();
}

// ---- elements ----------------------------------------------------------------------------------

HeldElements::HeldElements(Datatype memory_type, std::size_t n)
    : type_(std::move(memory_type)), n_(n), bytes_(n * type_.size()) {}

void HeldElements::clear() {
  if (!bytes_.empty() && !type_.is_fixed())
    release_sequences(type_, bytes_.data(), n_, SequenceMemoryCalls());
  bytes_.clear();
  n_ = 0;
}

void HeldElements::reset(Datatype memory_type, std::size_t n) {
  clear();
  bytes_.resize(n * memory_type.size());
  type_ = std::move(memory_type);
  n_ = n;
}

// ---- batches -----------------------------------------------------------------------------------

Result<ElementBatches> ElementBatches::make(const DatasetState& state,
                                            std::vector<ChunkOrdinal> chunks) {
  ElementBatches batches;
  batches.extent_ = state.extent;
  batches.extent_.selection() = Selection();
  if (state.chunked()) {
    PCIO_ASSIGN(batches.grid_, state.grid());
    batches.count_ = chunks.size();
    batches.chunks_ = std::move(chunks);
    batches.listed_ = true;
    return batches;
  }
  const bool has_data =
      state.layout.cls == LayoutClass::kCompact || state.layout.address != kUndefinedAddress;
  if (!has_data || state.extent.npoints() == 0) return batches;
  batches.count_ = 1;
  if (state.extent.ndims() == 0) return batches;
  PCIO_ASSIGN(batches.grid_,
              ChunkGrid::make(state.extent.dims(), batch_shape(state.extent.dims())));
  batches.count_ = batches.grid_->count();
  return batches;
}

Result<Dataspace> ElementBatches::batch(std::uint64_t number) const {
  Dataspace space = extent_;
  if (!grid_) return space;
  const Box box = grid_->box(grid_->coords(listed_ ? chunks_[number] : number));
  if (box.empty()) return nothing();
  RegularSlab slab;
  slab.start = box.start;
  slab.block = box.count;
  slab.stride = box.count;
  slab.count = Dims(box.count.size(), 1);
  PCIO_TRY(space.selection().select_hyperslab(space.dims(), SelectOp::kSet, slab));
  return space;
}

Dataspace ElementBatches::nothing() const {
  Dataspace space = extent_;
  space.selection() = Selection::none();
  return space;
}

}  // namespace pcio
