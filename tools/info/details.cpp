// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What is said where more is asked for, out of line. Room: tools, public headers only.

#include "details.hpp"

#include <fmt/format.h>
#include <pcio.h>
#include <vector>

#include "describe.hpp"
#include "id.hpp"
#include "walk.hpp"

namespace pcioinfo {

namespace {

std::string index_in_words(hid_t dataset) {
  H5D_chunk_index_t kind = H5D_CHUNK_IDX_BTREE;
  if (H5Dget_chunk_index_type(dataset, &kind) < 0) return "";
  switch (kind) {
    case H5D_CHUNK_IDX_BTREE: return "B-tree of version 1";
    case H5D_CHUNK_IDX_SINGLE: return "one chunk without an index";
    case H5D_CHUNK_IDX_NONE: return "no index: all chunks in a row";
    case H5D_CHUNK_IDX_FARRAY: return "fixed array";
    case H5D_CHUNK_IDX_EARRAY: return "extensible array";
    case H5D_CHUNK_IDX_BT2: return "B-tree of version 2";
    default: return "unknown index";
  }
}

std::uint64_t bytes_of_chunk(hid_t list, std::uint64_t element) {
  hsize_t chunk[H5S_MAX_RANK] = {0};
  const int ndims = H5Pget_chunk(list, H5S_MAX_RANK, chunk);
  std::uint64_t bytes = element;
  for (int i = 0; i < ndims; ++i)
    if (__builtin_mul_overflow(bytes, chunk[i], &bytes)) return 0;
  return bytes;
}

herr_t keep_range(const pcio_range_t* range, void* out) {
  static_cast<check::Findings*>(out)->ranges.push_back(
      {range->start, range->bytes, range->object, static_cast<std::uint8_t>(range->use)});
  return 0;
}

}  // namespace

StorageFacts storage_facts(hid_t dataset) {
  StorageFacts facts;
  const Id list(H5Dget_create_plist(dataset)), type(H5Dget_type(dataset)),
      space(H5Dget_space(dataset));
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  const std::uint64_t element = H5Tget_size(type.get());
  if (count > 0) facts.elements = static_cast<std::uint64_t>(count) * element;
  facts.stored = H5Dget_storage_size(dataset);
  facts.filtered = H5Pget_nfilters(list.get()) > 0;
  if (H5Pget_layout(list.get()) == H5D_CHUNKED) {
    hsize_t chunks = 0;
    H5O_info_t info{};
    facts.index = index_in_words(dataset);
    if (H5Dget_num_chunks(dataset, H5S_ALL, &chunks) >= 0) facts.chunks = chunks;
    if (H5Oget_info(dataset, &info) >= 0) facts.index_bytes = info.meta_size.obj.index_size;
    const double whole = static_cast<double>(bytes_of_chunk(list.get(), element)) *
                         static_cast<double>(facts.chunks);
    if (facts.filtered && facts.stored > 0) facts.ratio = whole / static_cast<double>(facts.stored);
  }
  H5Eclear2(H5E_DEFAULT);
  return facts;
}

std::string describe_details(hid_t dataset) {
  const StorageFacts facts = storage_facts(dataset);
  std::string text;
  if (!facts.index.empty())
    text = fmt::format("{}, {} chunk{}, {} of index; ", facts.index, facts.chunks,
                       facts.chunks == 1 ? "" : "s", describe_bytes(facts.index_bytes));
  text += fmt::format("{} of elements, {} allocated", describe_bytes(facts.elements),
                      describe_bytes(facts.stored));
  if (facts.ratio) text += fmt::format(", ratio {:.2f}", *facts.ratio);
  return text;
}

check::SpaceUse space_of(hid_t file, const std::string& name) {
  check::Findings found;
  H5O_info_t info{};
  pcio_commit_info_t commit{};
  pcio_visit_ranges(file, 0, keep_range, &found);
  check::Walk walk(file, "", &found);
  walk.leave_other_links();
  if (H5Oget_info_by_name(file, "/", &info, H5P_DEFAULT) >= 0)
    for (const check::Object& object : walk.from(info.addr, "/")) {
      const Id id(H5Oopen_by_addr(file, object.address));
      if (id.valid()) pcio_visit_ranges(id.get(), 0, keep_range, &found);
    }
  pcio_get_commit_info(name.c_str(), &commit, sizeof commit);
  H5Eclear2(H5E_DEFAULT);
  return check_space({commit.user_block, commit.end_of_file}, &found);
}

std::string describe_space_use(const check::SpaceUse& space) {
  const std::uint64_t all = space.data() + space.metadata() + space.free() + space.unowned;
  return fmt::format(
      "data {}, metadata {}, free {}, nobody's {} ({:.1f} %)", describe_bytes(space.data()),
      describe_bytes(space.metadata()), describe_bytes(space.free()), describe_bytes(space.unowned),
      all == 0 ? 0.0 : 100.0 * static_cast<double>(space.unowned) / static_cast<double>(all));
}

}  // namespace pcioinfo
