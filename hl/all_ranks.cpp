// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// How all ranks of a parallel file change something together.
#include "all_ranks.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace pcio::hl {
namespace {

constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();

/// One number of several (FNV-1a).
std::uint64_t mixed(std::initializer_list<std::uint64_t> numbers) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::uint64_t number : numbers)
    for (unsigned shift = 0; shift < 64; shift += 8)
      hash = (hash ^ ((number >> shift) & 0xff)) * 0x100000001b3U;
  return hash;
}

/// A serial file needs none. Invalid where there is no memory.
OwnedId list_of(const Ranks& ranks) {
  if (ranks.count == 0) return OwnedId(H5P_DEFAULT);
  OwnedId list(H5Pcreate(H5P_DATASET_XFER));
  if (list && H5Pset_dxpl_mpio(list.get(), H5FD_MPIO_COLLECTIVE) < 0)
    return OwnedId(H5I_INVALID_HID);
  return list;
}

bool select(hid_t space, const std::vector<hsize_t>& dims, Range rows) {
  if (rows.count == 0) return H5Sselect_none(space) >= 0;
  if (dims.empty()) return H5Sselect_all(space) >= 0;
  std::vector<hsize_t> start(dims.size()), count = dims;
  start[0] = rows.start;
  count[0] = rows.count;
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >=
         0;
}

}  // namespace

Ranks ranks_of(hid_t loc) {
  if (H5Iis_valid(loc) <= 0) return {};
  const ErrorsKept kept;
  Ranks ranks;
  // Whoever can't tell goes to where the others may wait.
  return pcio_get_ranks(loc, &ranks.mine, &ranks.count) < 0 ? Ranks{0, 1} : ranks;
}

Range share_of(hsize_t count, const Ranks& ranks) {
  if (ranks.count <= 1) return {0, count};
  const auto all = static_cast<hsize_t>(ranks.count), mine = static_cast<hsize_t>(ranks.mine);
  const hsize_t each = count / all, longer = count % all;
  return {each * mine + std::min(mine, longer), each + (mine < longer ? 1 : 0)};
}

bool all_have(const char* function, hid_t loc, const Ranks& ranks, bool mine,
              std::initializer_list<std::uint64_t> numbers) {
  if (ranks.count == 0) return mine;
  std::uint64_t least = 0, most = 0;
  if (pcio_agree(loc, mine ? 0 : -1, mixed(numbers), &least, &most) < 0) return false;
  if (least == most) return true;
  refuse(function, "nrecords", "other numbers on some ranks than on others");
  return false;
}

bool ask_for_givers(hid_t loc, const Ranks& ranks, bool mine, bool has_values, Givers* givers) {
  *givers = {ranks, 0, has_values, has_values};
  if (ranks.count == 0) return mine;
  std::uint64_t first = 0, last = 0;
  const auto number = static_cast<std::uint64_t>(ranks.mine);
  if (pcio_agree(loc, mine ? 0 : -1, has_values ? number : kNobody, &first, &last) < 0)
    return false;
  givers->first = first;
  givers->any = first != kNobody;
  givers->all = last != kNobody;
  return true;
}

Range Givers::rows_of(hsize_t count) const {
  if (all) return share_of(count, ranks);
  return static_cast<std::uint64_t>(ranks.mine) == first ? Range{0, count} : Range{0, 0};
}

SharedTransfer::SharedTransfer(hid_t dataset, Way way, hid_t type, Range part, void* buffer,
                               const Ranks& together)
    : dataset_(dataset),
      type_(H5Tcopy(type)),
      way_(way),
      list_(list_of(together)),
      file_(H5Dget_space(dataset)),
      memory_(H5I_INVALID_HID),
      buffer_(buffer) {
  const hsize_t size = std::max<hsize_t>(part.count, 1);
  memory_ = OwnedId(H5Screate_simple(1, &size, nullptr));
  if (!type_ || !list_ || !file_ || !memory_) return;
  ready_ = select(file_.get(), {0}, part) && (part.count > 0 || H5Sselect_none(memory_.get()) >= 0);
}

SharedTransfer::SharedTransfer(hid_t dataset, const Givers& givers, const void* values)
    : dataset_(dataset),
      type_(H5Dget_type(dataset)),
      way_(Way::kWrite),
      list_(list_of(givers.ranks)),
      file_(H5Dget_space(dataset)),
      memory_(H5Dget_space(dataset)),
      buffer_(const_cast<void*>(values)) {
  const int ndims = file_ ? H5Sget_simple_extent_ndims(file_.get()) : -1;
  if (!type_ || !list_ || !memory_ || ndims < 0) return;
  std::vector<hsize_t> dims(static_cast<size_t>(ndims));
  H5Sget_simple_extent_dims(file_.get(), dims.data(), nullptr);
  const Range rows = givers.rows_of(dims.empty() ? 1 : dims[0]);
  ready_ = select(file_.get(), dims, rows) && select(memory_.get(), dims, rows);
}

bool SharedTransfer::run() {
  const herr_t done =
      way_ == Way::kRead
          ? H5Dread(dataset_, type_.get(), memory_.get(), file_.get(), list_.get(), buffer_)
          : H5Dwrite(dataset_, type_.get(), memory_.get(), file_.get(), list_.get(), buffer_);
  return done >= 0;
}

herr_t make_with_values(const char* function, const NewDataset& made) {
  const Ranks ranks = ranks_of(made.loc);
  Givers givers;
  OwnedId dataset(H5I_INVALID_HID);
  std::optional<SharedTransfer> writing;
  const bool checked = take(function, made.check);
  if (!ask_for_givers(made.loc, ranks, checked, made.values != nullptr, &givers)) return -1;
  const bool ready = all_take(function, made.loc, {}, [&] {
    dataset = made.make();
    if (!dataset || !made.describe(dataset.get())) return false;
    // Below a mount it may be in a file of this rank alone.
    const Ranks own = ranks_of(dataset.get());
    if (own.count != ranks.count) givers = {own, 0, made.values != nullptr, made.values != nullptr};
    if (!givers.any) return true;
    writing.emplace(dataset.get(), givers, made.values);
    return writing->is_ready();
  });
  if (ready && (!givers.any || writing->run())) return 0;
  const ErrorsKept kept;
  if (dataset) H5Ldelete(made.loc, made.name, H5P_DEFAULT);
  return -1;
}

}  // namespace pcio::hl
