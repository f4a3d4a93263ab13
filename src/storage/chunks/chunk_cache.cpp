// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: ChunkCache out of line.

#include "storage/chunks/chunk_cache.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "storage/bytes/file_bytes.hpp"

namespace pcio {

void ChunkCache::count(const ChunkInMemory& chunk) noexcept {
  bytes_ += chunk.image.size();
  if (memory_) *memory_ += memory_of(chunk.image.size());
}

void ChunkCache::count_out(const ChunkInMemory& chunk) noexcept {
  bytes_ -= chunk.image.size();
  if (memory_) *memory_ -= memory_of(chunk.image.size());
}

ChunkInMemory* ChunkCache::find(ChunkOrdinal ordinal) {
  auto it = by_ordinal_.find(ordinal);
  if (it == by_ordinal_.end()) return nullptr;
  by_use_.splice(by_use_.end(), by_use_, it->second);
  return &*it->second;
}

const ChunkInMemory* ChunkCache::peek(ChunkOrdinal ordinal) const {
  auto it = by_ordinal_.find(ordinal);
  return it == by_ordinal_.end() ? nullptr : &*it->second;
}

bool ChunkCache::can_keep(std::uint64_t bytes) const {
  return keeps_ && settings_.slots > 0 && bytes <= settings_.bytes;
}

/// by_use_.end() where all are in use.
ChunkCache::Chunks::iterator ChunkCache::choose_victim() {
  const double share = settings_.preemption * static_cast<double>(by_use_.size());
  auto penalized = static_cast<std::size_t>(std::lround(share));
  for (auto it = by_use_.begin(); penalized > 0 && it != by_use_.end(); ++it, --penalized)
    if (it->touched >= it->image.size() && it->uses == 0 && !it->is_unencoded) return it;
  // One that could not be encoded before only where there is no other.
  const auto usual = std::find_if(by_use_.begin(), by_use_.end(), [](const ChunkInMemory& chunk) {
    return chunk.uses == 0 && !chunk.is_unencoded;
  });
  if (usual != by_use_.end()) return usual;
  return std::find_if(by_use_.begin(), by_use_.end(),
                      [](const ChunkInMemory& chunk) { return chunk.uses == 0; });
}

Status ChunkCache::make_room(std::uint64_t bytes, const WriteBack& write_back) {
  if (!can_keep(bytes)) return Status();
  while (!by_use_.empty() &&
         (by_use_.size() >= settings_.slots || bytes_ + bytes > settings_.bytes)) {
    auto victim = choose_victim();
    if (victim == by_use_.end()) break;
    if (victim->dirty) PCIO_TRY(write_back(*victim));
    erase(victim);
  }
  return Status();
}

ChunkInMemory& ChunkCache::add(ChunkOrdinal ordinal, std::vector<std::byte> image) {
  // Both places, or neither, where memory lacks.
  Chunks added;
  ChunkInMemory& chunk = added.emplace_back();
  chunk.ordinal = ordinal;
  chunk.image = std::move(image);
  by_ordinal_.insert_or_assign(ordinal, added.begin());
  count(chunk);
  by_use_.splice(by_use_.end(), added);
  return by_use_.back();
}

Status ChunkCache::release(ChunkInMemory& chunk, const WriteBack& write_back) {
  if (chunk.uses > 0) return Status();
  if (can_keep(chunk.image.size()) && by_use_.size() <= settings_.slots &&
      bytes_ <= settings_.bytes)
    return Status();
  if (chunk.dirty) PCIO_TRY(write_back(chunk));
  remove(chunk.ordinal);
  return Status();
}

Status ChunkCache::flush(const WriteBack& write_back) {
  Status first;
  for (auto it = by_ordinal_.begin(); it != by_ordinal_.end();) {
    const ChunkOrdinal ordinal = it->first;
    if (it->second->dirty) {
      Status written = write_back(*it->second);
      if (first.ok() || (lacks_memory(written) && !lacks_memory(first))) first = std::move(written);
    }
    it = by_ordinal_.upper_bound(ordinal);
  }
  return first;
}

void ChunkCache::erase(Chunks::iterator chunk) {
  count_out(*chunk);
  spare_ = std::move(chunk->image);
  by_ordinal_.erase(chunk->ordinal);
  by_use_.erase(chunk);
}

std::vector<std::byte> ChunkCache::set_image(ChunkInMemory& chunk, std::vector<std::byte> image) {
  count_out(chunk);
  chunk.image.swap(image);
  count(chunk);
  chunk.stored_mask.reset();
  return image;
}

void ChunkCache::remove(ChunkOrdinal ordinal) {
  auto it = by_ordinal_.find(ordinal);
  if (it != by_ordinal_.end()) erase(it->second);
}

void ChunkCache::clear() {
  for (const ChunkInMemory& chunk : by_use_) count_out(chunk);
  by_use_.clear();
  by_ordinal_.clear();
  spare_ = {};
}

void ChunkCache::renumber(const ChunkGrid& from, const ChunkGrid& to) noexcept {
  decltype(by_ordinal_) renumbered;
  while (!by_ordinal_.empty()) {
    auto entry = by_ordinal_.extract(by_ordinal_.begin());
    const Chunks::iterator chunk = entry.mapped();
    const Dims coords = from.coords(chunk->ordinal);
    bool inside = true;
    for (unsigned d = 0; d < coords.size(); ++d) inside = inside && coords[d] < to.grid()[d];
    if (inside) {
      chunk->ordinal = entry.key() = to.ordinal(coords);
      renumbered.insert(std::move(entry));
    } else {
      count_out(*chunk);
      by_use_.erase(chunk);
    }
  }
  by_ordinal_ = std::move(renumbered);
}

bool ChunkCache::has_dirty() const {
  for (const ChunkInMemory& chunk : by_use_)
    if (chunk.dirty) return true;
  return false;
}

std::vector<ChunkInMemory*> ChunkCache::chunks() {
  std::vector<ChunkInMemory*> all;
  for (auto& [ordinal, chunk] : by_ordinal_) all.push_back(&*chunk);
  return all;
}

}  // namespace pcio
