// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Moves the elements of datasets. Room: tools, public headers only.

#include "data.hpp"

#include <algorithm>
#include <cmath>
#include <pcio.h>

namespace repack {

using tools::need;
using tools::need_id;
using tools::Piece;

/// A dataset in both files.
struct DataCopy::Dataset {
  const std::string& path;
  bool changed;
  Id in, out, type, space, in_list, out_list;
  std::vector<std::uint64_t> dims;
  bool sequences, references, regions;
};

namespace {

/// A piece is a quarter of the memory: the library has buffers of its own.
constexpr std::uint64_t kParts = 4;
/// What is only carried over goes through a processor's cache; of chunks as few as that makes, because each that is
/// alone lies in memory as it does in the file. Bytes.
constexpr std::uint64_t kCarriedRows = std::uint64_t{4} << 20,
                        kCarriedChunks = std::uint64_t{1} << 20;
/// Elements with parts of variable length: what a piece of them takes is known when it is read only.
constexpr std::uint64_t kSequenceBytes = 64;

std::vector<std::uint64_t> dims_of(hid_t space, const std::string& path) {
  const int ndims = need(H5Sget_simple_extent_ndims(space), path);
  std::vector<hsize_t> dims(static_cast<std::size_t>(ndims));
  if (ndims > 0) need(H5Sget_simple_extent_dims(space, dims.data(), nullptr), path);
  return {dims.begin(), dims.end()};
}

/// Empty where the list has no chunks.
std::vector<std::uint64_t> chunk_of(hid_t list) {
  if (H5Pget_layout(list) != H5D_CHUNKED) return {};
  hsize_t chunk[H5S_MAX_RANK] = {0};
  const int ndims = H5Pget_chunk(list, H5S_MAX_RANK, chunk);
  return {chunk, chunk + std::max(ndims, 0)};
}

bool filters_alike(hid_t one, hid_t other) {
  const int count = H5Pget_nfilters(one);
  if (count != H5Pget_nfilters(other)) return false;
  for (int i = 0; i < count; ++i) {
    unsigned values[2][64] = {{0}}, flags[2] = {0, 0}, config = 0;
    std::size_t sizes[2] = {64, 64};
    const hid_t lists[2] = {one, other};
    H5Z_filter_t ids[2] = {0, 0};
    for (int k = 0; k < 2; ++k)
      ids[k] = H5Pget_filter2(lists[k], static_cast<unsigned>(i), &flags[k], &sizes[k], values[k],
                              0, nullptr, &config);
    if (ids[0] < 0 || ids[0] != ids[1] || sizes[0] != sizes[1] || sizes[0] > 64 ||
        !std::equal(values[0], values[0] + sizes[0], values[1]))
      return false;
  }
  return true;
}

bool is_aligned(const Piece& piece, const std::vector<std::uint64_t>& chunk,
                const std::vector<std::uint64_t>& dims) {
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    const std::uint64_t end = piece.start[i] + piece.count[i];
    if (piece.start[i] % chunk[i] != 0 || (end % chunk[i] != 0 && end != dims[i])) return false;
  }
  return true;
}

/// Selects the piece, or nothing where there is none, and returns a space for it in memory.
Id select(hid_t space, const Piece* piece, const std::string& path) {
  if (piece == nullptr || piece->start.empty()) {
    if (piece == nullptr) need(H5Sselect_none(space), path);
    Id memory = need_id(H5Screate(H5S_SCALAR), path);
    if (piece == nullptr) need(H5Sselect_none(memory.get()), path);
    return memory;
  }
  const std::vector<hsize_t> start(piece->start.begin(), piece->start.end()),
      count(piece->count.begin(), piece->count.end());
  need(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
       path);
  const hsize_t elements = piece->elements();
  return need_id(H5Screate_simple(1, &elements, nullptr), path);
}

/// Most bytes of a piece of a dataset without filters whose chunks stay as they are; others have no such limit: they
/// would go through a filter, or be put together, several times.
std::uint64_t most_carried(const tools::Cut& cut, hid_t in, hid_t out) {
  const std::vector<std::uint64_t> chunk = chunk_of(out), before = chunk_of(in);
  if (H5Pget_nfilters(in) > 0 || H5Pget_nfilters(out) > 0) return UINT64_MAX;
  if (chunk.empty() && before.empty()) return kCarriedRows;
  if (!before.empty() && before != chunk) return UINT64_MAX;
  std::uint64_t unit = cut.element;
  for (const std::uint64_t dim : chunk)
    if (__builtin_mul_overflow(unit, dim, &unit)) return UINT64_MAX;
  return std::max(unit, kCarriedChunks);
}

}  // namespace

/// Nothing is to be moved where nothing lies in the source, and where it lies in other files.
bool DataCopy::has_data(const Dataset& set) const {
  if (need(H5Sget_simple_extent_npoints(set.space.get()), set.path) == 0) return false;
  const H5D_layout_t layout = H5Pget_layout(set.out_list.get());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(set.out_list.get()) > 0) return false;
  if (H5Pget_layout(set.in_list.get()) == H5D_VIRTUAL) return true;
  H5D_space_status_t status{};
  need(H5Dget_space_status(set.in.get(), &status), set.path);
  return status != H5D_SPACE_STATUS_NOT_ALLOCATED;
}

bool DataCopy::chunks_alike(const Dataset& set) const {
  if (set.changed || set.sequences || set.references) return false;
  const std::vector<std::uint64_t> chunk = chunk_of(set.in_list.get());
  return !chunk.empty() && chunk == chunk_of(set.out_list.get()) &&
         H5Pget_nfilters(set.in_list.get()) > 0 &&
         filters_alike(set.in_list.get(), set.out_list.get());
}

void DataCopy::finish_round(const Dataset& set, bool well, const std::string& why) {
  std::string reason = why;
  if (!ranks_.agree(well, &reason))
    throw tools::Failure(tools::printable(set.path) + ": " + reason);
}

/// The chunks of a round by ranks in turn, each so many that they take a part of the memory: the same plan on
/// all ranks. This rank's are written, as they lie in the file. Returns the bytes of all.
std::uint64_t DataCopy::write_round(const Dataset& set, std::uint64_t* next, std::uint64_t chunks,
                                    std::vector<unsigned char>* image) {
  std::uint64_t moved = 0;
  for (int rank = 0; rank < ranks_.size() && *next < chunks; ++rank) {
    std::uint64_t taken = 0;
    for (; *next < chunks && taken < memory_ / kParts; ++*next) {
      hsize_t offset[H5S_MAX_RANK] = {0}, size = 0;
      unsigned skipped = 0;
      haddr_t address = 0;
      uint32_t mask = 0;
      need(H5Dget_chunk_info(set.in.get(), H5S_ALL, *next, offset, &skipped, &address, &size),
           set.path);
      taken += std::max<hsize_t>(size, 1);
      if (rank != ranks_.rank()) continue;
      image->resize(std::max<std::size_t>(image->size(), size));
      need(H5Dread_chunk(set.in.get(), H5P_DEFAULT, offset, &mask, image->data()), set.path);
      need(H5Dwrite_chunk(set.out.get(), H5P_DEFAULT, mask, offset, size, image->data()), set.path);
    }
    moved += taken;
  }
  return moved;
}

/// Chunks that stay as they are go through no filter.
void DataCopy::copy_chunks(const Dataset& set) {
  hsize_t chunks = 0;
  need(H5Dget_num_chunks(set.in.get(), H5S_ALL, &chunks), set.path);
  const Id collective = ranks_.collective_list();
  const Id nothing = need_id(H5Scopy(set.space.get()), set.path);
  need(H5Sselect_none(nothing.get()), set.path);
  std::vector<unsigned char> image;
  for (std::uint64_t next = 0; next < chunks;) {
    std::string why;
    std::uint64_t moved = 0;
    try {
      moved = write_round(set, &next, chunks, &image);
    } catch (const std::exception& failure) {
      why = failure.what();
    }
    finish_round(set, why.empty(), why);
    // What ranks wrote by themselves reaches the file in a call of all.
    const herr_t wrote = ranks_.size() == 1
                             ? 0
                             : H5Dwrite(set.out.get(), set.type.get(), nothing.get(), nothing.get(),
                                        collective.get(), image.data());
    finish_round(set, wrote >= 0, wrote < 0 ? tools::last_reason() : "");
    progress_.add(moved, set.path);
  }
}

/// Reads this rank's piece; writes it together with the others. `piece` null: this rank has none.
void DataCopy::copy_piece(const Dataset& set, const Piece* piece,
                          std::vector<unsigned char>* values) {
  const Id from = need_id(H5Scopy(set.space.get()), set.path);
  const Id to = need_id(H5Scopy(set.space.get()), set.path);
  // Who refers to regions makes them in the file, as all ranks must: each has all elements, one writes.
  const bool writes = piece != nullptr && (!set.regions || ranks_.first());
  const Id read = select(from.get(), piece, set.path),
           written = select(to.get(), writes ? piece : nullptr, set.path);
  const std::vector<std::uint64_t> chunk = chunk_of(set.in_list.get());
  const bool alone =
      set.regions || chunk.empty() || (piece != nullptr && is_aligned(*piece, chunk, set.dims));
  const bool all_alone = ranks_.most(piece == nullptr || alone ? 0 : 1) == 0;
  const Id collective = ranks_.collective_list();
  values->resize(piece == nullptr ? 1 : piece->elements() * H5Tget_size(set.type.get()));
  std::string why;
  herr_t done = H5Dread(set.in.get(), set.type.get(), read.get(), from.get(),
                        all_alone ? H5P_DEFAULT : collective.get(), values->data());
  if (done < 0) why = tools::last_reason();
  if (done >= 0 && set.references && piece != nullptr) try {
      twins_.translate(set.type.get(), values->data(), piece->elements());
    } catch (const tools::Failure& failure) {
      why = failure.what();
    }
  finish_round(set, why.empty(), why);
  done = H5Dwrite(set.out.get(), set.type.get(), written.get(), to.get(), collective.get(),
                  values->data());
  if (done < 0) why = tools::last_reason();
  if (set.sequences && piece != nullptr)
    H5Dvlen_reclaim(set.type.get(), read.get(), H5P_DEFAULT, values->data());
  finish_round(set, why.empty(), why);
}

/// How much of its grid of chunks the source has; 1 where it has no chunks.
double DataCopy::chunks_there(const Dataset& set) const {
  const std::vector<std::uint64_t> chunk = chunk_of(set.in_list.get());
  if (chunk.empty()) return 1;
  hsize_t chunks = 0;
  need(H5Dget_num_chunks(set.in.get(), H5S_ALL, &chunks), set.path);
  auto part = static_cast<double>(chunks);
  for (std::size_t i = 0; i < chunk.size(); ++i)
    part /= std::ceil(static_cast<double>(set.dims[i]) / static_cast<double>(chunk[i]));
  return part;
}

/// The pieces in which chunks of the source lie.
std::vector<std::uint64_t> DataCopy::touched_pieces(const Dataset& set,
                                                    const tools::Pieces& pieces) const {
  const std::vector<std::uint64_t> chunk = chunk_of(set.in_list.get());
  hsize_t chunks = 0;
  need(H5Dget_num_chunks(set.in.get(), H5S_ALL, &chunks), set.path);
  std::set<std::uint64_t> touched;
  for (hsize_t i = 0; i < chunks; ++i) {
    hsize_t offset[H5S_MAX_RANK] = {0}, size = 0;
    unsigned mask = 0;
    haddr_t address = 0;
    need(H5Dget_chunk_info(set.in.get(), H5S_ALL, i, offset, &mask, &address, &size), set.path);
    pieces.add_touched({{offset, offset + chunk.size()}, chunk}, &touched);
  }
  return {touched.begin(), touched.end()};
}

/// Pieces by ranks in turn.
void DataCopy::copy_pieces(const Dataset& set) {
  tools::Cut cut;
  cut.dims = set.dims;
  cut.unit = chunk_of(set.out_list.get());
  if (cut.unit.empty()) cut.unit = chunk_of(set.in_list.get());
  if (cut.unit.empty()) cut.unit.assign(set.dims.size(), 1);
  cut.element = H5Tget_size(set.type.get()) + (set.sequences ? kSequenceBytes : 0);
  cut.whole_units = H5Pget_nfilters(set.out_list.get()) > 0;
  std::uint64_t all = cut.element;
  for (const std::uint64_t dim : set.dims) all *= dim;
  const std::uint64_t ranks = set.regions ? 1 : static_cast<std::uint64_t>(ranks_.size());
  std::uint64_t most = memory_ / kParts / (set.sequences ? 16 : 1);
  if (!set.sequences)
    most = std::min(most, most_carried(cut, set.in_list.get(), set.out_list.get()));
  cut.most = std::clamp<std::uint64_t>(all / ranks, 1, most);
  // What the source has little of is not made whole by large pieces.
  const double there = chunks_there(set);
  if (there < 0.5 && !chunk_of(set.out_list.get()).empty()) {
    cut.whole_units = true;
    cut.most = 1;
  }
  const tools::Pieces pieces(cut);
  const std::uint64_t rank = set.regions ? 0 : static_cast<std::uint64_t>(ranks_.rank());
  std::vector<unsigned char> values;
  std::vector<std::uint64_t> touched;
  if (there < 1) touched = touched_pieces(set, pieces);
  const std::uint64_t count = touched.empty() ? pieces.count() : touched.size();
  for (std::uint64_t first = 0; first < count; first += ranks) {
    Piece piece;
    const bool mine = first + rank < count;
    if (mine) piece = pieces.piece(touched.empty() ? first + rank : touched[first + rank]);
    copy_piece(set, mine ? &piece : nullptr, &values);
    progress_.add(ranks * (mine ? piece.elements() : 0) * H5Tget_size(set.type.get()), set.path);
  }
}

void DataCopy::copy(const Item& item) {
  if (item.complete) return;
  const std::string& path = item.path;
  Dataset set{path,   item.changed, Id(-1), Id(-1), Id(-1), Id(-1),
              Id(-1), Id(-1),       {},     false,  false,  false};
  const Id access = need_id(H5Pcreate(H5P_DATASET_ACCESS), path);
  need(pcio_set_dapl_late_allocation(access.get(), 1), path);
  set.in = need_id(H5Dopen2(twins_.in(), path.c_str(), H5P_DEFAULT), path);
  set.out = need_id(H5Dopen2(twins_.out(), path.c_str(), access.get()), path);
  const Id stored = need_id(H5Dget_type(set.in.get()), path);
  set.type = need_id(H5Tcopy(stored.get()), path);
  set.space = need_id(H5Dget_space(set.in.get()), path);
  set.in_list = need_id(H5Dget_create_plist(set.in.get()), path);
  set.out_list = need_id(H5Dget_create_plist(set.out.get()), path);
  set.dims = dims_of(set.space.get(), path);
  set.sequences = has_sequences(set.type.get());
  set.references = has_references(set.type.get());
  set.regions = set.references && has_regions(set.type.get());
  if (!has_data(set)) return;
  if (chunks_alike(set))
    copy_chunks(set);
  else
    copy_pieces(set);
}

std::uint64_t bytes_of(hid_t in, const std::string& path) {
  const Id dataset(H5Dopen2(in, path.c_str(), H5P_DEFAULT));
  const Id space(H5Dget_space(dataset.get())), type(H5Dget_type(dataset.get()));
  const hssize_t elements = H5Sget_simple_extent_npoints(space.get());
  return elements <= 0 ? 0 : static_cast<std::uint64_t>(elements) * H5Tget_size(type.get());
}

}  // namespace repack
