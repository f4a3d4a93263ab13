// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: dense links of groups with filters: what changed goes through them before it gets a place.
//
// Filters are programs that may be others, or other versions, on other machines: how large a block gets is rank 0's to
// say, and what it writes is its own.

#include <algorithm>
#include <array>

#include "base/without_throwing.hpp"
#include "storage/commit/plan_dense.hpp"

namespace pcio {

namespace {

/// So many words go at a time: no rank can lack the memory for that.
constexpr std::size_t kPieceWords = 2048;

/// Of each group: whether it has failed, then size and mask of each piece.
std::size_t words_of(const PreparedDense& prepared) {
  return 1 + (prepared.storage == nullptr ? 0 : 2 * prepared.storage->count_unfiltered());
}

}  // namespace

Status CommitPlanner::give_back_prepared() {
  for (auto& [address, prepared] : prepared_)
    if (prepared.whole) prepared.whole->withdraw(store_.space());
  prepared_.clear();
  return Status();
}

/// The same on all ranks.
bool CommitPlanner::has_filtered_links(const StoredObject& object) const {
  return object.links_dirty() && object.links && object.links->dense &&
         object.find(kMessageLinkInfo) != nullptr && object.find(kMessageFilterPipeline) != nullptr;
}

Status CommitPlanner::prepare_links(StoredObject& object, PreparedDense* prepared) {
  ByteReader reader(object.find(kMessageLinkInfo)->body);
  PCIO_ASSIGN(const LinkInfoMessage info, decode_link_info_message(reader, store_.sizes()));
  DenseContent content = content_of(*object.links, info, store_.sizes());
  content.filters = object.find(kMessageFilterPipeline)->body.vector();
  DenseStorage* storage = nullptr;
  if (info.heap_address != kUndefinedAddress) {
    PCIO_ASSIGN(storage, change_dense(store_, object, content));
  }
  if (storage == nullptr) {
    PCIO_ASSIGN(prepared->whole, make_dense(store_, content));
    storage = prepared->whole.get();
  }
  PCIO_TRY(storage->place_heap(store_.space()));
  prepared->storage = storage;
  return Status();
}

/// `words`: gets room for what rank 0 finds.
Status CommitPlanner::prepare_filtered(std::vector<std::uint64_t>* words) {
  std::size_t count = 0;
  for (const auto& [address, object] : store_.objects().changed()) {
    if (!has_filtered_links(*object)) continue;
    PreparedDense& prepared = prepared_[address];
    prepared.status = prepare_links(*object, &prepared);
    // Perhaps of this rank alone.
    if (was_not_read(prepared.status) || lacks_memory(prepared.status)) return prepared.status;
    count += words_of(prepared);
  }
  words->resize(count);
  return Status();
}

/// Rank 0's. A group whose links can't go through its filters is left out of the commit.
Status CommitPlanner::filter_prepared(std::span<std::uint64_t> words) {
  std::size_t at = 0;
  for (auto& [address, prepared] : prepared_) {
    const auto mine = words.subspan(at, words_of(prepared));
    at += mine.size();
    if (prepared.storage == nullptr) continue;
    std::vector<FilteredSize> sizes;
    prepared.status = prepared.storage->filter(&sizes);
    if (lacks_memory(prepared.status)) return prepared.status;
    mine[0] = prepared.status.ok() ? 0 : 1;
    if (!prepared.status.ok()) continue;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      mine[1 + 2 * i] = sizes[i].size;
      mine[2 + 2 * i] = sizes[i].mask;
    }
  }
  return Status();
}

Status CommitPlanner::take_filtered(std::span<const std::uint64_t> words) {
  std::size_t at = 0;
  for (auto& [address, prepared] : prepared_) {
    const std::size_t count = words_of(prepared);
    const auto mine = words.subspan(at, count);
    at += count;
    if (prepared.storage == nullptr) continue;
    if (mine[0] != 0) {
      if (prepared.status.ok())
        prepared.status =
            PCIO_ERROR(PLINE, CANTFILTER, "rank 0 could not put links through the group's filters");
      continue;
    }
    std::vector<FilteredSize> sizes;
    for (std::size_t i = 1; i < count; i += 2)
      sizes.push_back({mine[i], static_cast<std::uint32_t>(mine[i + 1])});
    prepared.storage->take_sizes(sizes);
  }
  return Status();
}

/// What rank 0 has found, on all ranks: true; false where it has failed. `words`: as many as this rank expects; none
/// where `local` says that it doesn't know. Collective: over the file. Errors: this rank expects others.
Result<bool> CommitPlanner::share_filtered(const Status& local, std::vector<std::uint64_t>* words) {
  Coordinator& coordinator = store_.coordinator();
  if (coordinator.size() == 1) return local.ok();
  const bool first = coordinator.rank() == 0;
  std::array<std::uint64_t, 2> total{words->size(), local.ok() ? 0U : 1U};
  PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(total)), 0));
  if (total[1] != 0) return false;
  const bool equal = local.ok() && total[0] == words->size();
  std::array<std::uint64_t, kPieceWords> piece{};
  for (std::uint64_t at = 0; at < total[0]; at += kPieceWords) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(kPieceWords, total[0] - at));
    const auto here = words->begin() + static_cast<std::ptrdiff_t>(equal ? at : 0);
    if (first) std::copy_n(here, count, piece.begin());
    PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(piece).first(count)), 0));
    if (!first && equal) std::copy_n(piece.begin(), count, here);
  }
  if (equal || !local.ok()) return true;
  return PCIO_ERROR(HEAP, BADSIZE, "links have other blocks on another rank");
}

Status CommitPlanner::filter_heaps(const Status& ready, Status* changed) {
  *changed = ready;
  const ObjectsByAddress& objects = store_.objects().changed();
  // Of many objects each look at all of them counts: what else is to be known of them is counted here.
  bool any = false;
  for (const auto& [address, object] : objects) {
    any = any || has_filtered_links(*object);
    blocks_expected_ += object->links_dirty() ? 3 : 2;
  }
  if (!any) return ready;
  const bool first = store_.coordinator().rank() == 0;
  std::vector<std::uint64_t> words;
  if (changed->ok()) *changed = without_throwing([&] { return prepare_filtered(&words); });
  // What rank 0 fails in from here on leaves all ranks alike.
  Status local = *changed;
  if (local.ok() && first) local = without_throwing([&] { return filter_prepared(words); });
  const Result<bool> shared = share_filtered(local, &words);
  if (!shared) return *changed = shared.error();
  if (!local.ok()) return local;
  if (!*shared) return PCIO_ERROR(PLINE, CANTFILTER, "rank 0 could not put links through filters");
  return *changed = without_throwing([&] { return take_filtered(words); });
}

}  // namespace pcio
