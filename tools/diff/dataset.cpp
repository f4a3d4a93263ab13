// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Two datasets compared, piece by piece. Room: tools, public headers only.

#include <algorithm>
#include <cstring>
#include <memory>

#include "object.hpp"

namespace diff {

using tools::need;
using tools::need_id;

namespace {

constexpr std::uint64_t kMostElements = 1 << 20;  // of a piece whose differences are told
constexpr std::uint64_t kSequenceBytes = 128;     // what an element of variable length may take

std::vector<hsize_t> dims_of(hid_t space) {
  const int ndims = need(H5Sget_simple_extent_ndims(space), "space");
  std::vector<hsize_t> dims(static_cast<std::size_t>(ndims));
  if (ndims > 0) need(H5Sget_simple_extent_dims(space, dims.data(), nullptr), "space");
  return dims;
}

std::string joined(const std::vector<hsize_t>& numbers, const char* by) {
  std::string text;
  for (const hsize_t number : numbers) text += (text.empty() ? "" : by) + std::to_string(number);
  return text;
}

/// "has rank 1, dimensions [10], max dimensions [10]".
std::string extent_words(hid_t space) {
  const int ndims = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> dims(static_cast<std::size_t>(std::max(ndims, 0))), most(dims);
  if (ndims > 0) H5Sget_simple_extent_dims(space, dims.data(), most.data());
  return fmt::format("has rank {}, dimensions [{}], max dimensions [{}]", ndims, joined(dims, "x"),
                     joined(most, "x"));
}

/// "[ 3 4 ]" and the room behind it.
std::string position_of(std::uint64_t number, const tools::Piece& piece) {
  std::vector<std::uint64_t> at(piece.start.size());
  for (std::size_t i = at.size(); i-- > 0;) {
    at[i] = piece.start[i] + number % piece.count[i];
    number /= piece.count[i];
  }
  if (at.empty()) return std::string(16, ' ');
  std::string text = "[ ";
  for (const std::uint64_t one : at) text += std::to_string(one) + " ";
  return text + "]          ";
}

/// The elements of a piece in memory; what is of variable length goes with it.
class Values {
 public:
  Values(hid_t set, hid_t type, hid_t space, const tools::Piece& piece, bool fixed)
      : type_(type),
        elements_(piece.elements()),
        fixed_(fixed),
        bytes_(elements_ * H5Tget_size(type)) {
    const Id from = need_id(H5Scopy(space), "space");
    if (!piece.start.empty()) {
      const std::vector<hsize_t> start(piece.start.begin(), piece.start.end()),
          count(piece.count.begin(), piece.count.end());
      need(H5Sselect_hyperslab(from.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                               nullptr),
           "selection");
    }
    const Id memory = space_of();
    need(H5Dread(set, type, memory.get(), from.get(), H5P_DEFAULT, bytes_.data()), "dataset");
    read_ = true;
  }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  ~Values() {
    if (read_ && !fixed_) H5Dvlen_reclaim(type_, space_of().get(), H5P_DEFAULT, bytes_.data());
  }
  const unsigned char* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }

 private:
  Id space_of() const {
    const hsize_t count = elements_;
    return need_id(H5Screate_simple(1, &count, nullptr), "space");
  }
  hid_t type_;
  std::uint64_t elements_;
  bool fixed_, read_ = false;
  std::vector<unsigned char> bytes_;
};

std::vector<std::uint64_t> chunk_of(hid_t set, std::size_t ndims) {
  const Id list = need_id(H5Dget_create_plist(set), "dataset");
  hsize_t chunk[H5S_MAX_RANK] = {0};
  if (H5Pget_layout(list.get()) != H5D_CHUNKED || H5Pget_chunk(list.get(), H5S_MAX_RANK, chunk) < 0)
    return std::vector<std::uint64_t>(ndims, 1);
  return {chunk, chunk + ndims};
}

}  // namespace

std::string shape_words(hid_t space) {
  switch (H5Sget_simple_extent_type(space)) {
    case H5S_SCALAR: return "H5S_SCALAR";
    case H5S_NULL: return "H5S_NULL";
    default: return "[" + joined(dims_of(space), "x") + "]";
  }
}

std::string head_of(const Options& options, const std::string& sizes, const std::string& first,
                    const std::string& second) {
  const bool relative = options.measure == Measure::kRelative;
  return fmt::format("size:           {}\n{:<16}{:<16}{:<16}{}\n{}\n", sizes, "position", first,
                     second, relative ? "difference      relative       " : "difference          ",
                     std::string(relative ? 72 : 60, '-'));
}

DatasetPair::DatasetPair(const Options& options, const Files& files, const Names& names,
                         Outcome* outcome)
    : options_(options), files_(files) {
  for (int i = 0; i < 2; ++i)
    sets_[i] = need_id(H5Dopen2(files[i], names[i].c_str(), H5P_DEFAULT), names[i]);
  begin(outcome, names);
}

DatasetPair::DatasetPair(const Options& options, const Files& files, hid_t first, hid_t second,
                         Outcome* outcome)
    : options_(options), files_(files) {
  const hid_t sets[2] = {first, second};
  for (int i = 0; i < 2; ++i) {
    need(H5Iinc_ref(sets[i]), "dataset");
    sets_[i] = Id(sets[i]);
  }
  begin(outcome, {"reference", "reference"});
}

void DatasetPair::begin(Outcome* outcome, const Names& names) {
  Id types[2] = {Id(-1), Id(-1)};
  for (int i = 0; i < 2; ++i) {
    spaces_[i] = need_id(H5Dget_space(sets_[i].get()), names[i]);
    types[i] = need_id(H5Dget_type(sets_[i].get()), names[i]);
  }
  if (!spaces_alike(outcome, names)) return;
  plan_ = plan_types(types[0].get(), types[1].get());
  if (!plan_.why_not.empty()) {
    outcome->not_comparable = fmt::format("<{}> {} and <{}> {}", names[0], plan_.kind_words[0],
                                          names[1], plan_.kind_words[1]);
    return;
  }
  comparable_ = true;
  plan_pieces();
}

bool DatasetPair::spaces_alike(Outcome* outcome, const Names& names) {
  bool empty = false;
  for (int i = 0; i < 2; ++i) {
    empty = empty || need(H5Sget_simple_extent_npoints(spaces_[i].get()), names[i]) == 0;
    dims_[i] = dims_of(spaces_[i].get());
  }
  if (empty) {
    outcome->not_comparable = fmt::format("<{}> or <{}> is an empty dataset", names[0], names[1]);
    return false;
  }
  if (dims_[0] == dims_[1]) return true;
  outcome->not_comparable =
      fmt::format("<{}> {}\nand <{}> {}", names[0], extent_words(spaces_[0].get()), names[1],
                  extent_words(spaces_[1].get()));
  return false;
}

void DatasetPair::plan_pieces() {
  tools::Cut cut;
  cut.dims.assign(dims_[0].begin(), dims_[0].end());
  cut.unit = chunk_of(sets_[0].get(), cut.dims.size());
  cut.element = plan_.whole.size[0] + plan_.whole.size[1] + (plan_.fixed ? 0 : 2 * kSequenceBytes);
  cut.most = options_.memory / (plan_.fixed ? 2 : 8);
  if (options_.tells_values()) cut.most = std::min(cut.most, kMostElements * cut.element);
  pieces_ = std::make_unique<tools::Pieces>(cut);
  bytes_ = cut.element;
  for (const std::uint64_t dim : cut.dims) bytes_ *= dim;
}

std::string DatasetPair::size_line() const {
  return fmt::format("{}           {}", shape_words(spaces_[0].get()),
                     shape_words(spaces_[1].get()));
}

void DatasetPair::compare(std::uint64_t from, std::uint64_t to, Outcome* outcome, int depth) const {
  for (std::uint64_t i = from; i < to; ++i) compare_piece(pieces_->piece(i), outcome, depth);
}

void DatasetPair::compare_piece(const tools::Piece& piece, Outcome* outcome, int depth) const {
  const Values first(sets_[0].get(), plan_.types[0].get(), spaces_[0].get(), piece, plan_.fixed);
  const Values second(sets_[1].get(), plan_.types[1].get(), spaces_[1].get(), piece, plan_.fixed);
  const std::size_t sizes[2] = {plan_.whole.size[0], plan_.whole.size[1]};
  const bool same_bytes = plan_.fixed && sizes[0] == sizes[1];
  if (same_bytes && std::memcmp(first.data(), second.data(), first.size()) == 0) return;
  ElementCompare elements(options_, plan_, outcome,
                          compare_targets(options_, files_, outcome, depth));
  std::string where;
  for (std::uint64_t i = 0; i < piece.elements(); ++i) {
    const unsigned char *one = first.data() + i * sizes[0], *other = second.data() + i * sizes[1];
    if (same_bytes && std::memcmp(one, other, sizes[0]) == 0) continue;
    if (options_.tells_values() && outcome->told < options_.most) where = position_of(i, piece);
    elements.compare(where, one, other);
  }
}

}  // namespace diff
