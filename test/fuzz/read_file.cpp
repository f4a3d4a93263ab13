// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: reads whatever can be reached, in every way that there is.

#include <algorithm>
#include <array>
#include <set>

#include "exercise.hpp"

namespace fuzz {

namespace {

class Reader {
 public:
  explicit Reader(Seen* seen) : seen_(*seen) {}

  void file(hid_t file) {
    H5F_info2_t info;
    H5Fget_info2(file, &info);
    H5Fget_free_sections(file, H5FD_MEM_DEFAULT, sections_.size(), sections_.data());
    H5Fget_freespace(file);
    const Held list(H5Fget_create_plist(file), H5Pclose);
    const Held root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
    if (root >= 0) object(root, 0);
  }

 private:
  static constexpr unsigned kMostObjects = 60;
  static constexpr unsigned kMostDepth = 6;

  void object(hid_t id, unsigned depth) {
    H5O_info_t info;
    if (H5Oget_info2(id, &info, H5O_INFO_ALL) < 0) return;
    if (!visited_.insert(info.addr).second || visited_.size() > kMostObjects) return;
    ++seen_.objects;
    std::array<char, 100> text{};
    H5Oget_comment(id, text.data(), text.size());
    H5Iget_name(id, text.data(), text.size());
    attributes(id);
    if (info.type == H5O_TYPE_GROUP) group(id, depth);
    if (info.type == H5O_TYPE_DATASET) dataset(id);
    if (info.type == H5O_TYPE_NAMED_DATATYPE) {
      type(id);
      const Held list(H5Tget_create_plist(id), H5Pclose);
    }
  }

  void type(hid_t id) {
    std::size_t size = 0;
    if (H5Tencode(id, nullptr, &size) >= 0 && size < kMostBytes) {
      Image bytes(size);
      H5Tencode(id, bytes.data(), &size);
      const Held copy(H5Tdecode(bytes.data()), H5Tclose);
    }
    const Held native(H5Tget_native_type(id, H5T_DIR_ASCEND), H5Tclose);
    const int members = H5Tget_nmembers(id);
    for (int i = 0; i < members && i < 20; ++i)
      H5free_memory(H5Tget_member_name(id, static_cast<unsigned>(i)));
  }

  void space(hid_t id) {
    std::size_t size = 0;
    if (H5Sencode(id, nullptr, &size) >= 0 && size < kMostBytes) {
      Image bytes(size);
      H5Sencode(id, bytes.data(), &size);
      const Held copy(H5Sdecode(bytes.data()), H5Sclose);
    }
  }

  /// Bytes of all elements in memory; 0: none, or too many.
  static std::size_t bytes_of(hid_t type, hid_t space) {
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const std::size_t size = H5Tget_size(type);
    if (count <= 0 || size == 0 || static_cast<std::uint64_t>(count) > kMostBytes / size) return 0;
    return static_cast<std::size_t>(count) * size;
  }

  void attributes(hid_t id) {
    for (H5_index_t index : {H5_INDEX_NAME, H5_INDEX_CRT_ORDER}) {
      hsize_t from = 0;
      H5Aiterate2(
          id, index, H5_ITER_INC, &from,
          [](hid_t of, const char* name, const H5A_info_t*, void* reader) -> herr_t {
            static_cast<Reader*>(reader)->attribute(of, name);
            return 0;
          },
          this);
    }
    const Held last(
        H5Aopen_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_DEC, 0, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  }

  void attribute(hid_t of, const char* name) {
    const Held id(H5Aopen(of, name, H5P_DEFAULT), H5Aclose);
    if (id < 0) return;
    ++seen_.attributes;
    H5A_info_t info;
    H5Aget_info(id, &info);
    const Held file_type(H5Aget_type(id), H5Tclose);
    const Held extent(H5Aget_space(id), H5Sclose);
    if (file_type < 0 || extent < 0) return;
    type(file_type);
    space(extent);
    const Held native(H5Tget_native_type(file_type, H5T_DIR_ASCEND), H5Tclose);
    for (const hid_t in : {hid_t{file_type}, hid_t{native}}) {
      Image values(in < 0 ? 0 : bytes_of(in, extent));
      if (values.empty() || H5Aread(id, in, values.data()) < 0) continue;
      look_at(of, in, extent, &values);
    }
  }

  /// What was read: references are followed, variable-length elements given back.
  void look_at(hid_t of, hid_t type, hid_t space, Image* values) {
    ++seen_.values;
    if (H5Tget_class(type) == H5T_REFERENCE) references(of, type, *values);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values->data());
  }

  void references(hid_t of, hid_t type, const Image& values) {
    const bool region = H5Tequal(type, H5T_STD_REF_DSETREG) > 0;
    const H5R_type_t kind = region ? H5R_DATASET_REGION : H5R_OBJECT;
    const std::size_t size = region ? sizeof(hdset_reg_ref_t) : sizeof(hobj_ref_t);
    for (std::size_t at = 0; at + size <= values.size() && at < 8 * size; at += size) {
      const void* const reference = &values[at];
      H5O_type_t found = H5O_TYPE_UNKNOWN;
      std::array<char, 64> name{};
      H5Rget_obj_type2(of, kind, reference, &found);
      H5Rget_name(of, kind, reference, name.data(), name.size());
      if (region) {
        const Held selected(H5Rget_region(of, kind, reference), H5Sclose);
        if (selected >= 0) H5Sget_select_npoints(selected);
      }
      const Held target(H5Rdereference2(of, H5P_DEFAULT, kind, reference), H5Oclose);
      if (target >= 0) ++seen_.references;
    }
  }

  /// False where a few bytes may stand for a chunk of any size (filters above 3).
  bool creation_list(hid_t data, hid_t type) {
    const Held list(H5Dget_create_plist(data), H5Pclose);
    if (list < 0) return true;
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    std::uint64_t bytes = H5Tget_size(type);
    bool bounded = true;
    for (int i = H5Pget_chunk(list, H5S_MAX_RANK, chunk.data()) - 1; i >= 0 && bytes <= kMostBytes;
         --i)
      bytes *= std::min<hsize_t>(chunk[static_cast<std::size_t>(i)], kMostBytes);
    for (int i = H5Pget_nfilters(list) - 1; i >= 0; --i) {
      unsigned flags = 0, config = 0;
      std::array<unsigned, 8> values{};
      std::size_t count = values.size();
      std::array<char, 32> name{};
      if (H5Pget_filter2(list, static_cast<unsigned>(i), &flags, &count, values.data(), name.size(),
                         name.data(), &config) > H5Z_FILTER_FLETCHER32 &&
          bytes > kMostBytes)
        bounded = false;
    }
    const std::size_t size = H5Tget_size(type);
    Image fill(size < kMostBytes ? size + 1 : 1);
    if (size < kMostBytes) H5Pget_fill_value(list, type, fill.data());
    std::array<char, 64> name{};
    for (int i = H5Pget_external_count(list) - 1; i >= 0 && i < 20; --i) {
      off_t offset = 0;
      hsize_t bytes = 0;
      H5Pget_external(list, static_cast<unsigned>(i), name.size(), name.data(), &offset, &bytes);
    }
    std::size_t mappings = 0;
    H5Pget_virtual_count(list, &mappings);
    for (std::size_t i = 0; i < mappings && i < 20; ++i) {
      H5Pget_virtual_filename(list, i, name.data(), name.size());
      const Held source(H5Pget_virtual_srcspace(list, i), H5Sclose);
    }
    return bounded;
  }

  void chunks(hid_t data, hid_t extent) {
    hsize_t count = 0;
    if (H5Dget_num_chunks(data, extent, &count) < 0) return;
    std::array<hsize_t, H5S_MAX_RANK> offset{};
    for (hsize_t i = 0; i < count && i < 5; ++i) {
      unsigned mask = 0;
      haddr_t at = 0;
      hsize_t size = 0;
      H5Dget_chunk_info(data, extent, i, offset.data(), &mask, &at, &size);
      Image bytes(size < kMostBytes ? size + 1 : 1);
      uint32_t masks = 0;
      if (size < kMostBytes) H5Dread_chunk(data, H5P_DEFAULT, offset.data(), &masks, bytes.data());
    }
  }

  void dataset(hid_t data) {
    const Held file_type(H5Dget_type(data), H5Tclose);
    const Held extent(H5Dget_space(data), H5Sclose);
    if (file_type < 0 || extent < 0) return;
    type(file_type);
    space(extent);
    if (!creation_list(data, file_type)) return;
    H5Dget_storage_size(data);
    H5Dget_offset(data);
    H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
    H5Dget_space_status(data, &status);
    chunks(data, extent);
    const Held native(H5Tget_native_type(file_type, H5T_DIR_ASCEND), H5Tclose);
    for (const hid_t in : {hid_t{file_type}, hid_t{native}}) {
      Image values(in < 0 ? 0 : bytes_of(in, extent));
      if (values.empty() || H5Dread(data, in, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        continue;
      look_at(data, in, extent, &values);
    }
    corner(data, file_type, extent);
    if (H5Tdetect_class(file_type, H5T_VLEN) > 0 && bytes_of(file_type, extent) > 0) {
      hsize_t size = 0;
      H5Dvlen_get_buf_size(data, file_type, extent, &size);
    }
  }

  /// The last element of each dimension, however large the extent is said to be.
  void corner(hid_t data, hid_t type, hid_t extent) {
    std::array<hsize_t, H5S_MAX_RANK> dims{};
    const int rank = H5Sget_simple_extent_dims(extent, dims.data(), nullptr);
    if (rank <= 0 || H5Tget_size(type) > kMostBytes) return;
    for (hsize_t& dim : dims) dim = dim > 0 ? dim - 1 : 0;
    const Held one(H5Screate(H5S_SCALAR), H5Sclose);
    const Held chosen(H5Scopy(extent), H5Sclose);
    if (H5Sselect_elements(chosen, H5S_SELECT_SET, 1, dims.data()) < 0) return;
    Image value(H5Tget_size(type) + 1);
    if (H5Dread(data, type, one, chosen, H5P_DEFAULT, value.data()) >= 0)
      look_at(data, type, one, &value);
  }

  void group(hid_t id, unsigned depth) {
    H5G_info_t info;
    H5Gget_info(id, &info);
    const Held list(H5Gget_create_plist(id), H5Pclose);
    const std::size_t before = names_.size();
    for (H5_index_t index : {H5_INDEX_CRT_ORDER, H5_INDEX_NAME}) {
      names_.resize(before);
      hsize_t from = 0;
      H5Literate(
          id, index, H5_ITER_INC, &from,
          [](hid_t, const char* name, const H5L_info_t*, void* reader) -> herr_t {
            auto& names = static_cast<Reader*>(reader)->names_;
            names.emplace_back(name);
            return names.size() > 200 ? 1 : 0;
          },
          this);
    }
    for (std::size_t i = before; i < names_.size(); ++i)
      link(id, std::string(names_[i]).c_str(), depth);
    names_.resize(before);
    H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_DEC, 0, nullptr, 0, H5P_DEFAULT);
  }

  void link(hid_t group, const char* name, unsigned depth) {
    H5L_info_t info;
    if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0) return;
    if (info.type != H5L_TYPE_HARD) {
      Image value(info.u.val_size < kMostBytes ? info.u.val_size + 1 : 1);
      if (H5Lget_val(group, name, value.data(), value.size(), H5P_DEFAULT) < 0) return;
      // What is outside is not the fuzzer's.
      if (info.type != H5L_TYPE_SOFT) return;
    }
    if (depth >= kMostDepth) return;
    const Held child(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
    if (child >= 0) object(child, depth + 1);
  }

  Seen& seen_;
  std::set<haddr_t> visited_;
  std::vector<std::string> names_;
  std::array<H5F_sect_info_t, 20> sections_{};
};

}  // namespace

hid_t image_access(const Image& image) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 4096, 0);
  // The list takes a copy.
  H5Pset_file_image(access, const_cast<unsigned char*>(image.data()), image.size());
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  return access;
}

void read_file(hid_t file, Seen* seen) { Reader(seen).file(file); }

void read_image(const Image& image, Seen* seen) {
  if (image.empty()) return;
  const Held access(image_access(image), H5Pclose);
  const Held file(H5Fopen(kImageName, H5F_ACC_RDONLY, access), H5Fclose);
  if (file < 0) return;
  ++seen->opened;
  read_file(file, seen);
}

}  // namespace fuzz
