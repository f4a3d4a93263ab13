// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: makes sound files.

#include "seed_files.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <sstream>

#include "exercise.hpp"

namespace fuzz {

namespace {

Image bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return Image(std::istreambuf_iterator<char>(in), {});
}

/// One sound file that is being made.
struct Making {
  hid_t file = -1;

  /// Object creation list without times: the same bytes each time.
  static hid_t list_of(hid_t kind) {
    const hid_t list = H5Pcreate(kind);
    H5Pset_obj_track_times(list, false);
    return list;
  }

  void group(const char* name, const std::function<void(hid_t)>& settings = {}) const {
    const Held list(list_of(H5P_GROUP_CREATE), H5Pclose);
    if (settings) settings(list);
    H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, list, H5P_DEFAULT));
  }

  /// A dataset with values that count up, or that are texts or sequences.
  void data(const char* name, hid_t type, const std::vector<hsize_t>& dims,
            const std::vector<hsize_t>& most,
            const std::function<void(hid_t)>& settings = {}) const {
    const Held list(list_of(H5P_DATASET_CREATE), H5Pclose);
    if (settings) settings(list);
    const Held space(dims.empty() ? H5Screate(H5S_SCALAR)
                                  : H5Screate_simple(static_cast<int>(dims.size()), dims.data(),
                                                     most.empty() ? nullptr : most.data()),
                     H5Sclose);
    const Held data(H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose);
    const hsize_t count =
        std::accumulate(dims.begin(), dims.end(), hsize_t{1}, std::multiplies<>());
    Image values(count * H5Tget_size(type));
    fill(type, &values);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }

  static void fill(hid_t type, Image* values) {
    static int numbers[] = {1, 2, 3, 4, 5};
    static char text[] = "text";
    const std::size_t size = H5Tget_size(type);
    const H5T_class_t kind = H5Tget_class(type);
    for (std::size_t at = 0; at < values->size(); at += size) {
      if (kind == H5T_VLEN) {
        const hvl_t sequence{1 + at / size % 5, numbers};
        std::copy_n(reinterpret_cast<const unsigned char*>(&sequence), size, &(*values)[at]);
      } else if (kind == H5T_STRING && H5Tis_variable_str(type) > 0) {
        const char* const pointer = text;
        std::copy_n(reinterpret_cast<const unsigned char*>(&pointer), size, &(*values)[at]);
      } else if (kind != H5T_REFERENCE && kind != H5T_COMPOUND) {
        (*values)[at] = static_cast<unsigned char>(at / size);
      }
    }
  }

  void attribute(const char* object, const char* name, hid_t type, hsize_t n) const {
    const Held space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    const Held id(
        H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    Image values(n * H5Tget_size(type));
    fill(type, &values);
    H5Awrite(id, type, values.data());
  }

  void attributes(const char* object, int count) const {
    for (int i = 0; i < count; ++i)
      attribute(object, ("a" + std::to_string(i)).c_str(), H5T_STD_I16LE, 2);
  }
};

using Make = std::function<void(const Making&)>;

struct Recipe {
  const char* name;
  Make make;
  H5F_libver_t low = H5F_LIBVER_EARLIEST;
  std::function<void(hid_t)> file_settings = {};
};

Held text_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  return Held(type, H5Tclose);
}

void make_groups(const Making& to) {
  to.group("g");
  for (int i = 0; i < 10; ++i) to.group(("g/" + std::to_string(i)).c_str());
  to.group("g/1/deep");
  H5Lcreate_soft("/g/1/deep", to.file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(to.file, "g/2", to.file, "g/1/hard", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("elsewhere.h5", "/x", to.file, "external", H5P_DEFAULT, H5P_DEFAULT);
  H5Oset_comment_by_name(to.file, "g", "a comment", H5P_DEFAULT);
  to.attributes("g", 3);
  H5Ldelete(to.file, "g/7", H5P_DEFAULT);
}

/// Links and attributes in fractal heaps, by name and by creation order.
void make_dense(const Making& to) {
  to.group("g", [](hid_t list) {
    H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_link_phase_change(list, 2, 1);
    H5Pset_attr_phase_change(list, 2, 1);
  });
  for (int i = 0; i < 12; ++i)
    H5Lcreate_soft("/somewhere", to.file, ("g/link number " + std::to_string(i)).c_str(),
                   H5P_DEFAULT, H5P_DEFAULT);
  to.group("g/group");
  to.attributes("g", 9);
  H5Ldelete(to.file, "g/link number 4", H5P_DEFAULT);
}

/// More than one block and one node.
void make_large_dense(const Making& to) {
  to.group("g", [](hid_t list) { H5Pset_link_phase_change(list, 0, 0); });
  const std::string target(300, 't');
  for (int i = 0; i < 60; ++i)
    H5Lcreate_soft(target.c_str(), to.file, ("g/" + std::to_string(i)).c_str(), H5P_DEFAULT,
                   H5P_DEFAULT);
  const std::string huge(6000, 'h');
  H5Lcreate_soft(huge.c_str(), to.file, "g/huge", H5P_DEFAULT, H5P_DEFAULT);
}

void make_layouts(const Making& to) {
  const auto chunked = [](hid_t list) {
    const std::array<hsize_t, 2> chunk{3, 4};
    H5Pset_chunk(list, 2, chunk.data());
  };
  to.data("contiguous", H5T_STD_I32LE, {10}, {});
  to.data("scalar", H5T_STD_I32BE, {}, {});
  to.data("compact", H5T_STD_I16LE, {6}, {}, [](hid_t list) { H5Pset_layout(list, H5D_COMPACT); });
  to.data("fixed", H5T_STD_I16LE, {7, 9}, {}, chunked);
  to.data("single", H5T_STD_I16LE, {3, 4}, {}, chunked);
  to.data("extensible", H5T_STD_I16LE, {7, 9}, {H5S_UNLIMITED, 9}, chunked);
  to.data("tree", H5T_STD_I16LE, {7, 9}, {H5S_UNLIMITED, H5S_UNLIMITED}, chunked);
  to.data("implicit", H5T_STD_I16LE, {7, 9}, {}, [&](hid_t list) {
    chunked(list);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  });
  to.data("filled", H5T_STD_I16LE, {7, 9}, {20, 20}, [&](hid_t list) {
    chunked(list);
    const short fill = 7;
    H5Pset_fill_value(list, H5T_NATIVE_SHORT, &fill);
    H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC);
  });
}

/// Many chunks: pages, super blocks, trees of some depth.
void make_many_chunks(const Making& to) {
  const auto chunked = [](hid_t list) {
    const hsize_t chunk = 1;
    H5Pset_chunk(list, 1, &chunk);
  };
  to.data("extensible", H5T_STD_I8LE, {150}, {H5S_UNLIMITED}, chunked);
  to.data("fixed", H5T_STD_I8LE, {100}, {}, chunked);
  to.data("tree", H5T_STD_I8LE, {8, 8}, {H5S_UNLIMITED, H5S_UNLIMITED}, [](hid_t list) {
    const std::array<hsize_t, 2> chunk{1, 1};
    H5Pset_chunk(list, 2, chunk.data());
  });
}

/// More elements than a page of a fixed array, and filtered chunks.
void make_pages(const Making& to) {
  to.data("pages", H5T_STD_I8LE, {1100}, {}, [](hid_t list) {
    const hsize_t chunk = 1;
    H5Pset_chunk(list, 1, &chunk);
  });
}

void make_filters(const Making& to) {
  using Add = std::function<void(hid_t)>;
  const std::array<std::pair<const char*, Add>, 6> filters{{
      {"deflate", [](hid_t list) { H5Pset_deflate(list, 6); }},
      {"shuffle", [](hid_t list) { H5Pset_shuffle(list), H5Pset_deflate(list, 1); }},
      {"fletcher", [](hid_t list) { H5Pset_fletcher32(list); }},
      {"szip", [](hid_t list) { H5Pset_szip(list, H5_SZIP_NN_OPTION_MASK, 8); }},
      {"nbit", [](hid_t list) { H5Pset_nbit(list); }},
      {"scale", [](hid_t list) { H5Pset_scaleoffset(list, H5Z_SO_INT, 0); }},
  }};
  for (const auto& [name, add] : filters) {
    const auto& added = add;
    for (const bool extends : {false, true})
      to.data((std::string(name) + (extends ? "+" : "")).c_str(), H5T_STD_I32LE, {20},
              {extends ? H5S_UNLIMITED : 20}, [&](hid_t list) {
                const hsize_t chunk = 16;
                H5Pset_chunk(list, 1, &chunk);
                added(list);
              });
  }
}

void make_sequences(const Making& to) {
  const Held text = text_type();
  const Held numbers(H5Tvlen_create(H5T_NATIVE_INT), H5Tclose);
  const auto chunked = [](hid_t list) {
    const hsize_t chunk = 4;
    H5Pset_chunk(list, 1, &chunk);
  };
  to.data("texts", text, {6}, {});
  to.data("sequences", numbers, {6}, {});
  to.data("chunked", text, {6}, {H5S_UNLIMITED}, chunked);
  to.data("filtered", numbers, {6}, {H5S_UNLIMITED}, [&](hid_t list) {
    chunked(list);
    H5Pset_deflate(list, 1);
  });
  to.attribute("texts", "text", text, 3);
  to.attribute("texts", "sequence", numbers, 2);
}

void make_references(const Making& to) {
  to.data("target", H5T_STD_I32LE, {10}, {});
  std::array<hobj_ref_t, 3> objects{};
  H5Rcreate(&objects[0], to.file, "target", H5R_OBJECT, -1);
  H5Rcreate(&objects[2], to.file, "/", H5R_OBJECT, -1);
  to.data("objects", H5T_STD_REF_OBJ, {3}, {});
  const Held data(H5Dopen2(to.file, "objects", H5P_DEFAULT), H5Dclose);
  H5Dwrite(data, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, objects.data());
  const Held space(H5Screate_simple(1, std::array<hsize_t, 1>{10}.data(), nullptr), H5Sclose);
  const hsize_t start = 2, count = 3, stride = 3;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, nullptr);
  std::array<hdset_reg_ref_t, 2> regions{};
  H5Rcreate(&regions[0], to.file, "target", H5R_DATASET_REGION, space);
  H5Sselect_elements(space, H5S_SELECT_SET, 1, &start);
  H5Rcreate(&regions[1], to.file, "target", H5R_DATASET_REGION, space);
  const hsize_t two = 2;
  const Held extent(H5Screate_simple(1, &two, nullptr), H5Sclose);
  const Held list(Making::list_of(H5P_DATASET_CREATE), H5Pclose);
  const Held places(
      H5Dcreate2(to.file, "regions", H5T_STD_REF_DSETREG, extent, H5P_DEFAULT, list, H5P_DEFAULT),
      H5Dclose);
  H5Dwrite(places, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, regions.data());
}

void make_types(const Making& to) {
  const Held number(H5Tenum_create(H5T_NATIVE_SHORT), H5Tclose);
  const short one = 1, two = 2;
  H5Tenum_insert(number, "ONE", &one);
  H5Tenum_insert(number, "TWO", &two);
  const std::array<hsize_t, 2> dims{2, 3};
  const Held array(H5Tarray_create2(H5T_STD_I16BE, 2, dims.data()), H5Tclose);
  const Held opaque(H5Tcreate(H5T_OPAQUE, 5), H5Tclose);
  H5Tset_tag(opaque, "tagged");
  const Held text = text_type();
  const Held record(H5Tcreate(H5T_COMPOUND, 64), H5Tclose);
  H5Tinsert(record, "number", 0, number);
  H5Tinsert(record, "array", 4, array);
  H5Tinsert(record, "opaque", 20, opaque);
  H5Tinsert(record, "bits", 28, H5T_STD_B8LE);
  H5Tinsert(record, "float", 32, H5T_IEEE_F64LE);
  H5Tinsert(record, "text", 40, text);
  H5Tinsert(record, "reference", 48, H5T_STD_REF_OBJ);
  to.data("records", record, {3}, {});
  to.data("numbers", number, {3}, {});
  to.data("floats", H5T_IEEE_F32BE, {3}, {});
  const Held list(Making::list_of(H5P_DATATYPE_CREATE), H5Pclose);
  H5Tcommit2(to.file, "type", record, H5P_DEFAULT, list, H5P_DEFAULT);
  to.data("committed", record, {2}, {});
  to.attribute("committed", "typed", record, 2);
  to.attribute("type", "of the type", H5T_STD_I8LE, 1);
}

void make_virtual(const Making& to) {
  to.data("source", H5T_STD_I32LE, {10}, {});
  to.data("grows", H5T_STD_I32LE, {5}, {H5S_UNLIMITED}, [](hid_t list) {
    const hsize_t chunk = 4;
    H5Pset_chunk(list, 1, &chunk);
  });
  const Held list(Making::list_of(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t dims = 20, half = 10, start = 10, zero = 0;
  const Held space(H5Screate_simple(1, &dims, nullptr), H5Sclose);
  const Held source(H5Screate_simple(1, &half, nullptr), H5Sclose);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, nullptr, &half, nullptr);
  H5Pset_virtual(list, space, ".", "source", source);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &half, nullptr);
  H5Pset_virtual(list, space, "missing.h5", "source", source);
  H5Dclose(H5Dcreate2(to.file, "virtual", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
}

void make_external(const Making& to) {
  to.data("external", H5T_STD_I32LE, {4}, {}, [](hid_t list) {
    H5Pset_external(list, "fuzz-raw.bin", 0, 8);
    H5Pset_external(list, "fuzz-raw.bin", 8, H5F_UNLIMITED);
  });
}

/// Deleted and changed: holes, journal's places, kept free space.
void make_used(const Making& to) {
  for (int i = 0; i < 4; ++i) to.data(("d" + std::to_string(i)).c_str(), H5T_STD_I32LE, {300}, {});
  to.attributes("d1", 9);
  H5Fflush(to.file, H5F_SCOPE_GLOBAL);
  H5Ldelete(to.file, "d0", H5P_DEFAULT);
  H5Ldelete(to.file, "d2", H5P_DEFAULT);
  to.group("g");
}

std::vector<Recipe> recipes() {
  const auto persist = [](H5F_fspace_strategy_t strategy) {
    return [strategy](hid_t list) {
      H5Pset_file_space_strategy(list, strategy, true, 1);
      H5Pset_file_space_page_size(list, 512);
    };
  };
  std::vector<Recipe> all{
      {"groups", make_groups, H5F_LIBVER_EARLIEST, {}},
      {"groups-18", make_groups, H5F_LIBVER_V18, {}},
      {"dense", make_dense, H5F_LIBVER_EARLIEST, {}},
      {"dense-110", make_dense, H5F_LIBVER_V110, {}},
      {"large-dense", make_large_dense, H5F_LIBVER_V18, {}},
      {"layouts", make_layouts, H5F_LIBVER_EARLIEST, {}},
      {"layouts-110", make_layouts, H5F_LIBVER_V110, {}},
      {"many-chunks", make_many_chunks, H5F_LIBVER_V110, {}},
      {"many-chunks-1", make_many_chunks, H5F_LIBVER_EARLIEST,
       [](hid_t list) { H5Pset_istore_k(list, 2); }},
      {"pages", make_pages, H5F_LIBVER_V110, {}},
      {"filters", make_filters, H5F_LIBVER_EARLIEST, {}},
      {"filters-110", make_filters, H5F_LIBVER_V110, {}},
      {"sequences", make_sequences, H5F_LIBVER_EARLIEST, {}},
      {"sequences-110", make_sequences, H5F_LIBVER_V110, {}},
      {"references", make_references, H5F_LIBVER_EARLIEST, {}},
      {"types", make_types, H5F_LIBVER_EARLIEST, {}},
      {"types-110", make_types, H5F_LIBVER_V110, {}},
      {"virtual", make_virtual, H5F_LIBVER_V110, {}},
      {"external", make_external, H5F_LIBVER_EARLIEST, {}},
      {"persist", make_used, H5F_LIBVER_V110, persist(H5F_FSPACE_STRATEGY_FSM_AGGR)},
      {"paged", make_used, H5F_LIBVER_V110, persist(H5F_FSPACE_STRATEGY_PAGE)},
      {"user-block", make_groups, H5F_LIBVER_EARLIEST,
       [](hid_t list) { H5Pset_userblock(list, 512); }},
      {"narrow", make_layouts, H5F_LIBVER_EARLIEST, [](hid_t list) { H5Pset_sizes(list, 4, 4); }},
      {"narrow-110", make_dense, H5F_LIBVER_V110, [](hid_t list) { H5Pset_sizes(list, 4, 4); }},
  };
  return all;
}

Image made(const Recipe& recipe, const std::string& folder) {
  const Held create(Making::list_of(H5P_FILE_CREATE), H5Pclose);
  if (recipe.file_settings) recipe.file_settings(create);
  const Held access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, recipe.low, H5F_LIBVER_LATEST);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  const std::string path = folder + "/" + recipe.name + ".h5";
  const Making making{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, create, access)};
  recipe.make(making);
  if (H5Fclose(making.file) < 0) std::fprintf(stderr, "cannot make %s\n", recipe.name);
  return bytes_of(path);
}

}  // namespace

std::vector<NamedImage> made_files(const std::string& folder) {
  std::vector<NamedImage> files;
  for (const Recipe& recipe : recipes()) files.push_back({recipe.name, made(recipe, folder)});
  return files;
}

std::vector<NamedImage> corpus_files(const std::string& folder, std::size_t most) {
  std::vector<NamedImage> files;
  std::ifstream index(folder + "/INDEX.tsv");
  std::string line;
  while (std::getline(index, line)) {
    const std::string name = line.substr(0, line.find('\t'));
    Image bytes = bytes_of(folder + "/" + name);
    if (!bytes.empty() && bytes.size() <= most) files.push_back({name, std::move(bytes)});
  }
  return files;
}

}  // namespace fuzz
