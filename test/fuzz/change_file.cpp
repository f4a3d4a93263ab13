// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: changes files as programs do that trust them.

#include <algorithm>
#include <array>

#include "exercise.hpp"
#include "object/file.hpp"

namespace fuzz {

namespace {

class Changer {
 public:
  Changer(hid_t file, Random& random, Seen* seen) : file_(file), random_(random), seen_(*seen) {
    H5Ovisit2(
        file, H5_INDEX_NAME, H5_ITER_NATIVE,
        [](hid_t, const char* name, const H5O_info_t*, void* changer) -> herr_t {
          auto& names = static_cast<Changer*>(changer)->names_;
          names.emplace_back(name);
          return names.size() > 40 ? 1 : 0;
        },
        this, H5O_INFO_BASIC);
    if (names_.empty()) names_.emplace_back(".");
  }

  void run() {
    for (std::size_t steps = 1 + random_.below(6); steps > 0; --steps) {
      step();
      if (random_.one_in(8)) count(H5Fflush(file_, H5F_SCOPE_LOCAL));
    }
  }

 private:
  void count(herr_t done) { ++(done >= 0 ? seen_.changes : seen_.refused_changes); }

  const char* any() { return names_[random_.below(names_.size())].c_str(); }
  std::string fresh() { return std::string(1 + random_.below(12), 'n') + std::to_string(++made_); }

  void step() {
    switch (random_.below(16)) {
      case 0: return count(H5Ldelete(file_, any(), H5P_DEFAULT));
      case 1: return count(H5Lmove(file_, any(), file_, fresh().c_str(), H5P_DEFAULT, H5P_DEFAULT));
      case 2: return make_links();
      case 3: return make_objects();
      case 4: return copy();
      case 5: return copy_to_other();
      case 6:
      case 7: return write_attribute();
      case 8: return change_attributes();
      case 9:
      case 10: return resize();
      case 11: return count(H5Oset_comment_by_name(file_, any(), fresh().c_str(), H5P_DEFAULT));
      default: return write();
    }
  }

  void make_links() {
    for (std::size_t n = random_.one_in(4) ? 12 : 1; n > 0; --n) {
      const std::string path = std::string(any()) + "/" + fresh();
      if (random_.one_in(2))
        count(H5Lcreate_hard(file_, any(), file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT));
      else
        count(H5Lcreate_soft(any(), file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT));
    }
  }

  void make_objects() {
    const std::string path = std::string(any()) + "/" + fresh();
    if (random_.one_in(3)) {
      const Held group(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Gclose);
      return count(group >= 0 ? 0 : -1);
    }
    const std::array<hsize_t, 2> dims{5, 6}, most{H5S_UNLIMITED, 9}, chunk{2, 4};
    const Held space(H5Screate_simple(2, dims.data(), most.data()), H5Sclose);
    const Held list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(list, 2, chunk.data());
    if (random_.one_in(2)) H5Pset_deflate(list, 1);
    const Held data(
        H5Dcreate2(file_, path.c_str(), H5T_NATIVE_SHORT, space, H5P_DEFAULT, list, H5P_DEFAULT),
        H5Dclose);
    std::array<short, 30> values{};
    count(data < 0
              ? -1
              : H5Dwrite(data, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  }

  /// A copy has an index of its own, with its bitmap of pages: as large as the largest extent asks for.
  bool has_large_index() {
    return std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
      const Held data(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
      if (data < 0) return false;
      const Held list(H5Dget_create_plist(data), H5Pclose);
      const Held space(H5Dget_space(data), H5Sclose);
      std::array<hsize_t, H5S_MAX_RANK> chunk{};
      const int rank = list < 0 ? -1 : H5Pget_chunk(list, H5S_MAX_RANK, chunk.data());
      return rank > 0 && most_chunks(space, chunk, rank) > kMostBytes;
    });
  }

  void copy() {
    if (has_large_index()) return;
    const Held list(H5Pcreate(H5P_OBJECT_COPY), H5Pclose);
    H5Pset_copy_object(list, static_cast<unsigned>(random_.below(64)));
    count(H5Ocopy(file_, any(), file_, fresh().c_str(), list, H5P_DEFAULT));
  }

  void copy_to_other() {
    if (has_large_index()) return;
    const Held access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access, 4096, 0);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    const Held other(H5Fcreate("fuzzed-other.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    if (other < 0) return;
    count(H5Ocopy(file_, any(), other, "copy", H5P_DEFAULT, H5P_DEFAULT));
    count(H5Ocopy(file_, any(), other, "another", H5P_DEFAULT, H5P_DEFAULT));
  }

  hid_t string_type() const {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    return type;
  }

  void write_attribute() {
    const bool text = random_.one_in(2);
    const hsize_t n = 1 + random_.below(random_.one_in(8) ? 9000 : 5);
    const Held type(text ? string_type() : H5Tcopy(H5T_NATIVE_INT), H5Tclose);
    const Held space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    for (std::size_t many = random_.one_in(5) ? 12 : 1; many > 0; --many) {
      const Held attribute(H5Acreate_by_name(file_, any(), fresh().c_str(), type, space,
                                             H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
      std::vector<const char*> texts(n, "a text of some length");
      count(attribute < 0 ? -1 : H5Awrite(attribute, type, texts.data()));
    }
  }

  /// Writes anew, renames or deletes attributes that are there.
  void change_attributes() {
    const Held object(H5Oopen(file_, any(), H5P_DEFAULT), H5Oclose);
    if (object < 0) return;
    std::vector<std::string> names;
    H5Aiterate2(
        object, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t, const char* name, const H5A_info_t*, void* found) -> herr_t {
          static_cast<std::vector<std::string>*>(found)->emplace_back(name);
          return 0;
        },
        &names);
    for (std::size_t i = 0; i < names.size() && i < 8; ++i) {
      if (random_.one_in(4))
        count(H5Arename(object, names[i].c_str(), fresh().c_str()));
      else if (random_.one_in(2))
        count(H5Adelete(object, names[i].c_str()));
      else
        rewrite_attribute(object, names[i].c_str());
    }
  }

  void rewrite_attribute(hid_t object, const char* name) {
    const Held attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Held type(H5Aget_type(attribute), H5Tclose);
    const Held space(H5Aget_space(attribute), H5Sclose);
    transfer(type, space, [&](void* values) {
      return H5Aread(attribute, type, values) < 0 ? -1 : H5Awrite(attribute, type, values);
    });
  }

  /// Elements are read and written back: of every type those are ones that can be written.
  template <typename Move>
  void transfer(hid_t type, hid_t space, const Move& move) {
    if (type < 0 || space < 0) return;
    const hssize_t n = H5Sget_select_npoints(space);
    const std::size_t size = H5Tget_size(type);
    if (n <= 0 || size == 0 || static_cast<std::uint64_t>(n) > kMostBytes / size) return;
    Image values(static_cast<std::size_t>(n) * size);
    count(move(values.data()));
    const hsize_t count = static_cast<hsize_t>(n);
    const Held memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    H5Dvlen_reclaim(type, memory, H5P_DEFAULT, values.data());
  }

  /// An index may be as large as the largest extent asks for, whatever is in it.
  static std::uint64_t most_chunks(hid_t space, const std::array<hsize_t, H5S_MAX_RANK>& chunk,
                                   int rank) {
    std::array<hsize_t, H5S_MAX_RANK> most{};
    if (H5Sget_simple_extent_dims(space, nullptr, most.data()) != rank) return 0;
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(rank, 0)); ++i)
      if (most[i] != H5S_UNLIMITED && chunk[i] > 0 && count <= kMostBytes)
        count *= std::min<hsize_t>(most[i] / chunk[i] + 1, kMostBytes + 1);
    return count;
  }

  /// The datasets that are written have few bytes, all of them in this file.
  hid_t any_dataset() {
    const hid_t data = H5Dopen2(file_, any(), H5P_DEFAULT);
    if (data < 0) return data;
    const Held list(H5Dget_create_plist(data), H5Pclose);
    const Held space(H5Dget_space(data), H5Sclose);
    const Held type(H5Dget_type(data), H5Tclose);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    std::size_t bytes = type < 0 ? 0 : H5Tget_size(type);
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    const int rank = list < 0 ? -1 : H5Pget_chunk(list, H5S_MAX_RANK, chunk.data());
    std::uint64_t chunk_bytes = bytes;
    for (int i = 0; i < rank && chunk_bytes <= kMostBytes; ++i)
      chunk_bytes *= std::min<hsize_t>(chunk[static_cast<std::size_t>(i)], kMostBytes);
    const H5D_layout_t layout = list < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(list);
    if (n >= 0 && bytes > 0 && static_cast<std::uint64_t>(n) <= kMostBytes / bytes &&
        chunk_bytes <= kMostBytes && layout != H5D_LAYOUT_ERROR && layout != H5D_VIRTUAL &&
        H5Pget_external_count(list) == 0 && most_chunks(space, chunk, rank) <= kMostBytes)
      return data;
    H5Dclose(data);
    return -1;
  }

  void write() {
    const Held data(any_dataset(), H5Dclose);
    if (data < 0) return;
    const Held type(H5Dget_type(data), H5Tclose);
    const Held space(H5Dget_space(data), H5Sclose);
    if (random_.one_in(2)) choose(space);
    const hsize_t n = static_cast<hsize_t>(std::max<hssize_t>(H5Sget_select_npoints(space), 0));
    const Held memory(H5Screate_simple(1, &n, nullptr), H5Sclose);
    const bool blank = random_.one_in(3);
    transfer(type, space, [&](void* values) {
      if (!blank && H5Dread(data, type, memory, space, H5P_DEFAULT, values) < 0) return -1;
      return H5Dwrite(data, type, memory, space, H5P_DEFAULT, values);
    });
  }

  /// A block within the extent.
  void choose(hid_t space) {
    std::array<hsize_t, H5S_MAX_RANK> dims{}, start{}, count{};
    const int rank = H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(rank, 0)); ++i) {
      start[i] = random_.below(dims[i]);
      count[i] = dims[i] > 0 ? 1 + random_.below(dims[i] - start[i]) : 0;
    }
    if (rank > 0)
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  }

  void resize() {
    const Held data(any_dataset(), H5Dclose);
    if (data < 0) return;
    const Held space(H5Dget_space(data), H5Sclose);
    std::array<hsize_t, H5S_MAX_RANK> dims{};
    const int rank = H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(rank, 0)); ++i)
      if (random_.one_in(2)) dims[i] = random_.below(dims[i] + 1 + (rank > 3 ? 2 : 20));
    count(H5Dset_extent(data, dims.data()));
  }

  hid_t file_;
  Random& random_;
  Seen& seen_;
  std::vector<std::string> names_;
  unsigned made_ = 0;
};

Image image_of(hid_t file) {
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0 || size > (1 << 26)) return {};
  Image image(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file, image.data(), image.size()) < 0) return {};
  return image;
}

}  // namespace

void change_file(hid_t file, Random& random, Seen* seen) { Changer(file, random, seen).run(); }

Image change_image(const Image& image, Random& random, Seen* seen) {
  if (image.empty()) return {};
  const Held access(image_access(image), H5Pclose);
  if (random.one_in(4)) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fopen(kImageName, H5F_ACC_RDWR, access);
  if (file < 0) return {};
  ++seen->opened_to_change;
  change_file(file, random, seen);
  Image changed;
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) changed = image_of(file);
  // What can't be committed is given up, as at the end of a program.
  if (H5Fclose(file) < 0)
    pcio::File::close_all();
  else
    ++seen->committed;
  return changed;
}

}  // namespace fuzz
