// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The elements of datasets, through their filters. Room: tools, public headers only.

#include <algorithm>
#include <optional>

#include "object_check.hpp"
#include "pieces.hpp"

namespace check {

/// Of one dataset.
class ElementCheck {
 public:
  ElementCheck(ObjectCheck* check, hid_t dataset, const std::string& path, const Turn& turn)
      : check_(*check),
        found_(check->found_),
        dataset_(dataset),
        path_(path),
        turn_(turn),
        type_(H5Dget_type(dataset)),
        space_(H5Dget_space(dataset)),
        list_(H5Dget_create_plist(dataset)) {}

  void run() {
    if (!type_.valid() || !space_.valid() || !list_.valid()) {
      H5Eclear2(H5E_DEFAULT);  // told with the structure
      return;
    }
    const hssize_t elements = H5Sget_simple_extent_npoints(space_.get());
    size_ = H5Tget_size(type_.get());
    const H5D_layout_t layout = H5Pget_layout(list_.get());
    // What a virtual dataset has belongs to others.
    if (elements <= 0 || size_ == 0 || layout == H5D_VIRTUAL || !has_filters()) return;
    references_.emplace(type_.get());
    const int ndims = H5Sget_simple_extent_ndims(space_.get());
    dims_.resize(static_cast<std::size_t>(std::max(ndims, 0)));
    H5Sget_simple_extent_dims(space_.get(), dims_.data(), nullptr);
    if (layout == H5D_CHUNKED)
      read_chunks();
    else
      read_pieces();
    check_.tell_bad(bad_, path_);
    if (failures_ > kMostFailures)
      found_.wrong("data", path_, fmt::format("{} pieces in all can't be read", failures_));
  }

 private:
  static constexpr std::uint64_t kMostFailures = 20;
  struct Chunk {
    std::vector<hsize_t> offset;
    haddr_t address;
    hsize_t size;
  };

  bool has_filters() {
    const int filters = std::max(H5Pget_nfilters(list_.get()), 0);
    for (int i = 0; i < filters; ++i) {
      unsigned flags = 0, config = 0;
      std::size_t values = 0;
      char name[64] = "";
      const H5Z_filter_t filter = H5Pget_filter2(list_.get(), static_cast<unsigned>(i), &flags,
                                                 &values, nullptr, sizeof name, name, &config);
      if (filter >= 0 && H5Zfilter_avail(filter) > 0) continue;
      H5Eclear2(H5E_DEFAULT);
      if (turn_.first == 0)
        found_.note("filter", path_,
                    fmt::format("elements were not read: filter {} {} is not there", filter,
                                tools::printable(name)));
      return false;
    }
    return true;
  }

  static int take_chunk(const hsize_t* offset, unsigned, haddr_t address, hsize_t size, void* out) {
    auto* const self = static_cast<ElementCheck*>(out);
    if (!self->turn_.has(self->pieces_++)) return H5_ITER_CONT;
    self->chunks_.push_back({{offset, offset + self->dims_.size()}, address, size});
    return H5_ITER_CONT;
  }

  void read_chunks() {
    std::vector<hsize_t> shape(dims_.size());
    H5Pget_chunk(list_.get(), static_cast<int>(shape.size()), shape.data());
    if (H5Dchunk_iter(dataset_, H5P_DEFAULT, take_chunk, this) < 0) {
      H5Eclear2(H5E_DEFAULT);  // told with the structure
      return;
    }
    for (const Chunk& chunk : chunks_) {
      tools::Piece piece;
      for (std::size_t d = 0; d < dims_.size(); ++d) {
        const hsize_t at = std::min(chunk.offset[d], dims_[d]);
        piece.start.push_back(at);
        piece.count.push_back(std::min(shape[d], dims_[d] - at));
      }
      read(piece, chunk.address, chunk.size);
      check_.progress_.add(chunk.size, path_);
    }
  }

  void read_pieces() {
    const hsize_t stored = H5Dget_storage_size(dataset_);
    // What lies in other files is not counted.
    if (stored == 0 && H5Pget_external_count(list_.get()) <= 0) return;
    tools::Cut cut;
    cut.dims.assign(dims_.begin(), dims_.end());
    cut.unit.assign(dims_.size(), 1);
    cut.element = size_;
    cut.most = std::min<std::uint64_t>(check_.options_.memory, std::uint64_t{16} << 20);
    const tools::Pieces pieces(cut);
    for (std::uint64_t i = 0; i < pieces.count(); ++i) {
      if (!turn_.has(i)) continue;
      const tools::Piece piece = pieces.piece(i);
      read(piece, HADDR_UNDEF, 0);
      check_.progress_.add(piece.elements() * size_, path_);
    }
  }

  void read(const tools::Piece& piece, haddr_t address, hsize_t size) {
    const std::uint64_t elements = piece.elements();
    if (elements == 0) return;
    if (elements > check_.options_.memory / size_) {
      found_.note("data", path_, words(piece) + ": not read: larger than --memory");
      return;
    }
    buffer_.assign(elements * size_, 0);
    const hsize_t length = elements;
    const std::vector<hsize_t> start(piece.start.begin(), piece.start.end()),
        count(piece.count.begin(), piece.count.end());
    const tools::Id file_space(H5Scopy(space_.get())),
        memory(H5Screate_simple(1, &length, nullptr));
    if (!dims_.empty())
      H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                          nullptr);
    if (H5Dread(dataset_, type_.get(), memory.get(), file_space.get(), H5P_DEFAULT,
                buffer_.data()) < 0) {
      fail(piece, address, size);
      return;
    }
    found_.count(Counted::kBytesRead, elements * size_);
    check_.references(*references_, buffer_.data(), elements, &bad_);
    if (is_variable()) H5Dvlen_reclaim(type_.get(), memory.get(), H5P_DEFAULT, buffer_.data());
  }

  bool is_variable() const {
    return H5Tdetect_class(type_.get(), H5T_VLEN) > 0 ||
           H5Tdetect_class(type_.get(), H5T_STRING) > 0;
  }

  void fail(const tools::Piece& piece, haddr_t address, hsize_t size) {
    const Reason reason = take_reason();
    if (++failures_ > kMostFailures) return;
    const bool elsewhere = H5Pget_external_count(list_.get()) > 0;
    const bool note = reason.is_missing || elsewhere;
    Finding finding;
    finding.weight = note ? Weight::kNote : Weight::kWrong;
    finding.kind = "data";
    finding.where = path_;
    finding.text = words(piece) + ": " + reason.text;
    if (size > 0) {
      finding.start = address;
      finding.bytes = size;
    }
    found_.add(std::move(finding));
  }

  static std::string words(const tools::Piece& piece) {
    if (piece.start.empty()) return "the element";
    return fmt::format("elements from [{}], [{}] of them", fmt::join(piece.start, ","),
                       fmt::join(piece.count, ","));
  }

  ObjectCheck& check_;
  Findings& found_;
  hid_t dataset_;
  std::string path_;
  Turn turn_;
  tools::Id type_, space_, list_;
  std::size_t size_ = 0;
  std::vector<hsize_t> dims_;
  std::vector<Chunk> chunks_;
  std::vector<char> buffer_;
  std::optional<ReferenceMap> references_;
  std::uint64_t pieces_ = 0, failures_ = 0;
  BadReferences bad_;
};

void ObjectCheck::elements(const Object& object, const Turn& turn) {
  if (object.type != H5I_DATASET) return;
  const tools::Id id(H5Oopen_by_addr(file_, object.address));
  if (!id.valid()) {
    H5Eclear2(H5E_DEFAULT);  // told before
    return;
  }
  ElementCheck(this, id.get(), object.path, turn).run();
}

}  // namespace check
