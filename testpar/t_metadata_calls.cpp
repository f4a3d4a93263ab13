// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Groups, attributes, links and many datasets, made by all ranks together. Room: testpar.

#include <cstring>
#include <string>
#include <vector>

#include "transfer_cases.hpp"

using par::create_file;
using par::Id;
using par::open_file;

namespace {

Id create_group(hid_t at, const std::string& name) {
  Id group(H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(group.valid());
  return group;
}

Id create_number(hid_t at, const std::string& name) {
  const Id space(H5Screate(H5S_SCALAR));
  Id dataset(
      H5Dcreate2(at, name.c_str(), H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(dataset.valid());
  return dataset;
}

void write_attribute(hid_t object, const std::string& name, int value) {
  const Id space(H5Screate(H5S_SCALAR));
  const Id attribute(
      H5Acreate2(object, name.c_str(), H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(attribute.valid() && H5Awrite(attribute, H5T_NATIVE_INT, &value) >= 0);
}

int read_attribute(hid_t object, const std::string& name) {
  int value = -1;
  const Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  CHECK(attribute.valid() && H5Aread(attribute, H5T_NATIVE_INT, &value) >= 0);
  return value;
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* out) {
  static_cast<std::vector<std::string>*>(out)->push_back(name);
  return 0;
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  CHECK(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names) >= 0);
  return names;
}

}  // namespace

CASE(groups_datasets_and_attributes) {
  const std::string name = par::file_name("meta_many");
  constexpr int kSets = 60;
  Id file = create_file(name);
  Id outer = create_group(file, "outer"), inner = create_group(outer, "inner");
  write_attribute(inner, "depth", 2);
  for (int i = 0; i < kSets; ++i) {
    Id set = create_number(inner, "set " + std::to_string(100 + i));
    write_attribute(set, "number", i);
    // One element, written by one rank; the others take part with nothing.
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE)), space(H5Screate(H5S_SCALAR));
    if (i % par::size() != par::rank()) CHECK(H5Sselect_none(space) >= 0);
    const int value = i * i;
    CHECK(H5Dwrite(set, H5T_NATIVE_INT, space, space, list, &value) >= 0);
  }
  CHECK(inner.close() >= 0 && outer.close() >= 0 && file.close() >= 0);

  file = open_file(name, H5F_ACC_RDONLY);
  inner = Id(H5Gopen2(file, "outer/inner", H5P_DEFAULT));
  CHECK(read_attribute(inner, "depth") == 2);
  const std::vector<std::string> names = names_in(inner);
  CHECK(names.size() == kSets);
  for (int i = 0; i < kSets; ++i) {
    CHECK(names[static_cast<std::size_t>(i)] == "set " + std::to_string(100 + i));
    int value = -1;
    const Id set(H5Dopen2(inner, names[static_cast<std::size_t>(i)].c_str(), H5P_DEFAULT));
    CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
    CHECK(value == i * i);
    CHECK(read_attribute(set, "number") == i);
  }
}

namespace {

/// An attribute of 12 numbers that are this rank's.
void put_numbers(hid_t object, const std::string& name, int first) {
  const hsize_t size = 12;
  const Id space(H5Screate_simple(1, &size, nullptr));
  const bool there = H5Aexists(object, name.c_str()) > 0;
  const Id attribute(
      there ? H5Aopen(object, name.c_str(), H5P_DEFAULT)
            : H5Acreate2(object, name.c_str(), H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT));
  std::vector<int> values(size);
  for (int& value : values) value = first++;
  CHECK(attribute.valid() && H5Awrite(attribute, H5T_NATIVE_INT, values.data()) >= 0);
}

void check_numbers(hid_t object, const std::string& name, int first) {
  const Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  std::vector<int> values(12, -1);
  CHECK(attribute.valid() && H5Aread(attribute, H5T_NATIVE_INT, values.data()) >= 0);
  for (const int value : values) CHECK(value == first++);
}

Id create_sharing_file(const std::string& name) {
  const Id create(H5Pcreate(H5P_FILE_CREATE)), access(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_shared_mesg_nindexes(create, 2) >= 0);
  CHECK(H5Pset_shared_mesg_index(create, 0, H5O_SHMESG_SDSPACE_FLAG | H5O_SHMESG_DTYPE_FLAG, 8) >=
        0);
  CHECK(H5Pset_shared_mesg_index(create, 1, H5O_SHMESG_ATTR_FLAG, 20) >= 0);
  CHECK(H5Pset_shared_mesg_phase_change(create, 4, 3) >= 0);
  CHECK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0);
  return Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, create, access));
}

hsize_t shared_heap_bytes(hid_t file) {
  H5F_info2_t info;
  CHECK(H5Fget_info2(file, &info) >= 0 && info.sohm.hdr_size > 0);
  return info.sohm.msgs_info.heap_size;
}

}  // namespace

/// Where an attribute goes depends on its value, which ranks may hold different ones of: rank 0's count, also
/// for what is equal to what. What a rank has open or has read again must not matter.
CASE(shared_messages_of_differing_values) {
  const std::string name = par::file_name("meta_shared");
  constexpr int kSets = 12;
  Id file = create_sharing_file(name);
  CHECK(file.valid());
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kSets; ++i) {
      const std::string path = "set " + std::to_string(i);
      const Id set =
          round == 0 ? create_number(file, path) : Id(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
      // Equal on rank 0 for two and two objects, and nowhere else.
      put_numbers(set, "same", 10 * round + i / 2 + 1000 * par::rank() * (i + 1));
      if (i % 3 == 0)
        for (int k = 0; k < 10; ++k)
          put_numbers(set, "many " + std::to_string(k), k + 100 * par::rank());
    }
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    // Some ranks read what others keep in memory.
    const Id kept(H5Dopen2(file, par::rank() % 2 == 0 ? "set 3" : "set 4", H5P_DEFAULT));
    check_numbers(kept, "same", 10 * round + (par::rank() % 2 == 0 ? 1 : 2));
  }
  CHECK(file.close() >= 0);

  file = open_file(name, H5F_ACC_RDWR);
  CHECK(shared_heap_bytes(file) > 0);
  for (int i = 0; i < kSets; ++i) {
    const std::string path = "set " + std::to_string(i);
    const Id set(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
    check_numbers(set, "same", 20 + i / 2);
    if (i % 3 == 0) check_numbers(set, "many 7", 7);
    CHECK(H5Ldelete(file, path.c_str(), H5P_DEFAULT) >= 0);
  }
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  CHECK(shared_heap_bytes(file) == 0);
}

CASE(links_and_deletes) {
  const std::string name = par::file_name("meta_links");
  Id file = create_file(name);
  {
    const Id group = create_group(file, "group");
    for (int i = 0; i < 30; ++i) {
      const Id set = create_number(group, "n" + std::to_string(10 + i));
      write_attribute(set, "number", i);
    }
    CHECK(H5Lcreate_hard(group, "n15", file, "hard", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Lcreate_soft("/group/n16", file, "soft", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    for (int i = 0; i < 30; i += 2)
      CHECK(H5Ldelete(group, ("n" + std::to_string(10 + i)).c_str(), H5P_DEFAULT) >= 0);
    CHECK(H5Lmove(group, "n11", file, "moved", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Ldelete(group, "n15", H5P_DEFAULT) >= 0);  // lives on as /hard
  }
  CHECK(file.close() >= 0);

  file = open_file(name, H5F_ACC_RDWR);
  const Id group(H5Gopen2(file, "group", H5P_DEFAULT));
  CHECK(names_in(group).size() == 13);
  CHECK(H5Lexists(group, "n13", H5P_DEFAULT) > 0 && H5Lexists(group, "n12", H5P_DEFAULT) == 0);
  const Id hard(H5Dopen2(file, "hard", H5P_DEFAULT)), moved(H5Dopen2(file, "moved", H5P_DEFAULT));
  CHECK(read_attribute(hard, "number") == 5 && read_attribute(moved, "number") == 1);
  {
    const par::Silence silence;
    CHECK(H5Dopen2(file, "soft", H5P_DEFAULT) < 0);  // its target is gone
  }
  // What was freed is used again.
  for (int i = 0; i < 30; ++i) create_number(group, "again" + std::to_string(i));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(names_in(group).size() == 43);
}

CASE(attributes_overwritten_and_deleted) {
  const std::string name = par::file_name("meta_attributes");
  Id file = create_file(name);
  {
    const Id group = create_group(file, "group");
    for (int i = 0; i < 40; ++i) write_attribute(group, "a" + std::to_string(i), i);
    for (int i = 0; i < 40; i += 3) CHECK(H5Adelete(group, ("a" + std::to_string(i)).c_str()) >= 0);
    const Id again(H5Aopen(group, "a1", H5P_DEFAULT));
    const int value = 111;
    CHECK(H5Awrite(again, H5T_NATIVE_INT, &value) >= 0);
  }
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  const Id group(H5Gopen2(file, "group", H5P_DEFAULT));
  H5O_info_t info;
  CHECK(H5Oget_info(group, &info) >= 0 && info.num_attrs == 26);
  CHECK(read_attribute(group, "a1") == 111 && read_attribute(group, "a2") == 2);
  CHECK(H5Aexists(group, "a3") == 0);
}

/// Anybody can open the file right after its creation, and after a flush sees what is in it.
CASE(open_by_anyone_after_create_and_flush) {
  const std::string name = par::file_name("meta_early");
  const Id file = create_file(name);
  const Id group = create_group(file, "group");
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  char signature[8] = "";
  std::FILE* const stream = std::fopen(name.c_str(), "rb");
  CHECK(stream != nullptr && std::fread(signature, 1, 8, stream) == 8);
  CHECK(std::memcmp(signature, "\x89HDF\r\n\x1a\n", 8) == 0);
  if (stream != nullptr) std::fclose(stream);
}

/// Under MPI-IO a file with open objects is not closed; the ids stay good.
CASE(close_names_open_objects) {
  const std::string name = par::file_name("meta_close");
  const Id access(par::mpio_access());
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  Id set = create_number(file, "left open");
  {
    const par::Silence silence;
    CHECK(H5Fclose(file) < 0);
    H5Eclear2(H5E_DEFAULT);
  }
  CHECK(H5Iis_valid(set) > 0);
  CHECK(set.close() >= 0);
  CHECK(H5Fclose(file) >= 0);
}

/// Two files on two halves of the world do not disturb each other.
CASE(split_communicators) {
  const std::string base = par::file_name("meta_split"), other = par::file_name("meta_split_b");
  const int half = par::rank() % 2;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, half, par::rank(), &comm);
  const std::string& name = half == 0 ? base : other;
  {
    const Id access(par::mpio_access(comm));
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(file.valid());
    for (int i = 0; i <= half * 5; ++i) create_number(file, "set" + std::to_string(i));
    CHECK(file.close() >= 0);
    file = Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
    CHECK(names_in(file).size() == (half == 0 ? 1 : 6));
  }
  MPI_Comm_free(&comm);
}

/// Intermediate groups, an anonymous dataset that gets its link later, a committed type.
CASE(other_ways_to_create) {
  const std::string name = par::file_name("meta_ways");
  Id file = create_file(name);
  {
    const Id links(H5Pcreate(H5P_LINK_CREATE)), space(H5Screate(H5S_SCALAR));
    CHECK(H5Pset_create_intermediate_group(links, 1) >= 0);
    const Id deep(H5Gcreate2(file, "a/b/c", links, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(deep.valid());
    const Id type(H5Tcopy(H5T_STD_I16BE));
    CHECK(H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    const Id set(H5Dcreate_anon(file, type, space, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(set.valid());
    CHECK(H5Olink(set, deep, "set", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  }
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  const Id set(H5Dopen2(file, "/a/b/c/set", H5P_DEFAULT)), type(H5Dget_type(set));
  CHECK(set.valid() && H5Tcommitted(type) > 0 && H5Tget_size(type) == 2);
}

/// A local failure that all ranks share leaves the file as it is.
CASE(failures_of_all_ranks_alike) {
  const std::string name = par::file_name("meta_alike");
  Id file = create_file(name);
  create_group(file, "group");
  {
    const par::Silence silence;
    CHECK(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(H5Gcreate2(file, "no/such/parent", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(H5Ldelete(file, "nothing", H5P_DEFAULT) < 0);
    CHECK(H5Dopen2(file, "nothing", H5P_DEFAULT) < 0);
    H5Eclear2(H5E_DEFAULT);
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  create_group(file, "second");
  CHECK(names_in(file).size() == 2);
  CHECK(file.close() >= 0);
}

#ifdef PCIO_VERSION
/// Many attributes lie in blocks with one checksum for all: rank 0 writes these. Ranks that have the group
/// open through it all, and those that open it anew, plan alike.
CASE(dense_attributes_and_links_of_several_ranks) {
  const std::string name = par::file_name("meta_dense");
  {
    const Id access(par::mpio_access());
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(file.valid());
    create_group(file, "g");
    Id kept;
    for (int round = 0; round < 6; ++round) {
      const Id group(H5Gopen2(file, "g", H5P_DEFAULT));
      if (par::rank() == 0 && round == 0) kept = Id(H5Gopen2(file, "g", H5P_DEFAULT));
      for (int i = 0; i < 30; ++i) {
        write_attribute(group, "a" + std::to_string(30 * round + i), 1000 * par::rank() + i);
        CHECK(H5Lcreate_soft("/g", group, ("l" + std::to_string(30 * round + i)).c_str(),
                             H5P_DEFAULT, H5P_DEFAULT) >= 0);
      }
      if (round > 0) {
        CHECK(H5Adelete(group, ("a" + std::to_string(round)).c_str()) >= 0);
        CHECK(H5Ldelete(group, ("l" + std::to_string(round)).c_str(), H5P_DEFAULT) >= 0);
      }
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    }
  }
  const Id file = open_file(name, H5F_ACC_RDONLY);
  const Id group(H5Gopen2(file, "g", H5P_DEFAULT));
  for (int i = 0; i < 180; ++i) {
    const bool gone = i > 0 && i < 6;
    CHECK((H5Aexists(group, ("a" + std::to_string(i)).c_str()) > 0) == !gone);
    CHECK((H5Lexists(group, ("l" + std::to_string(i)).c_str(), H5P_DEFAULT) > 0) == !gone);
    if (!gone) CHECK(read_attribute(group, "a" + std::to_string(i)) == i % 30);
  }
  H5G_info_t info;
  CHECK(H5Gget_info(group, &info) >= 0 && info.storage_type == H5G_STORAGE_TYPE_DENSE);
}

namespace earlier {

constexpr hsize_t kRows = 37, kColumns = 10;

struct Made {
  const char* name;
  hsize_t most[2], chunk[2];
  bool filtered;
};
/// An index of each kind, and what has none.
constexpr Made kMade[] = {{"array", {kRows, kColumns}, {4, 3}, false},
                          {"line", {H5S_UNLIMITED, kColumns}, {2, 10}, false},
                          {"tree", {H5S_UNLIMITED, H5S_UNLIMITED}, {5, 4}, false},
                          {"one", {kRows, kColumns}, {kRows, kColumns}, false},
                          {"filtered", {H5S_UNLIMITED, kColumns}, {4, 3}, true},
                          {"plain", {kRows, kColumns}, {0, 0}, false}};

int value_of(hsize_t row, hsize_t column) { return static_cast<int>(100 * row + column); }

Id create(hid_t file, const Made& made) {
  const hsize_t dims[2] = {kRows, kColumns};
  const Id space(H5Screate_simple(2, dims, made.most)), list(H5Pcreate(H5P_DATASET_CREATE));
  if (made.chunk[0] > 0) H5Pset_chunk(list, 2, made.chunk);
  if (made.filtered) {
    H5Pset_shuffle(list);
    H5Pset_fletcher32(list);
    H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  }
  return Id(H5Dcreate2(file, made.name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
}

/// Rows by turns, collectively; all of `rows`.
void write(hid_t set, hsize_t rows) {
  const Id space(H5Dget_space(set)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const hsize_t n = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(par::rank());
  const hsize_t mine = me < rows ? (rows - me + n - 1) / n : 0;
  const hsize_t start[2] = {me, 0}, stride[2] = {n, 1}, count[2] = {mine, kColumns};
  std::vector<int> values;
  for (hsize_t i = 0; i < mine; ++i)
    for (hsize_t k = 0; k < kColumns; ++k) values.push_back(value_of(me + i * n, k));
  values.push_back(0);
  const hsize_t all = mine * kColumns;
  const Id memory(all > 0 ? H5Screate_simple(1, &all, nullptr) : H5Screate(H5S_NULL));
  if (mine > 0) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, nullptr);
  } else {
    H5Sselect_none(space);
  }
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
}

bool holds(hid_t set, hsize_t rows) {
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<int> values(rows * kColumns, -1);
  if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) < 0) return false;
  bool good = true;
  for (hsize_t i = 0; i < rows; ++i)
    for (hsize_t k = 0; k < kColumns; ++k)
      good = good && values[i * kColumns + k] == value_of(i, k);
  return good;
}

H5D_chunk_index_t index_of(hid_t set) {
  H5D_chunk_index_t index = H5D_CHUNK_IDX_NTYPES;
  H5Dget_chunk_index_type(set, &index);
  return index;
}

}  // namespace earlier

/// File and datasets are converted by all ranks, which have read different parts of the indexes before.
CASE(a_file_made_earlier) {
  const std::string name = par::file_name("meta_earlier");
  {
    const Id access(par::mpio_access()), list(H5Pcreate(H5P_FILE_CREATE));
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_PAGE, true, 1);
    const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, list, access));
    CHECK(file.valid());
    for (const auto& made : earlier::kMade)
      earlier::write(earlier::create(file, made), earlier::kRows);
  }
  {
    const Id file = open_file(name, H5F_ACC_RDWR);
    for (const auto& made : earlier::kMade) {
      const Id set(H5Dopen2(file, made.name, H5P_DEFAULT));
      int corner = -1;
      const hsize_t zero[2] = {0, 0}, one = 1;
      const Id space(H5Dget_space(set)), memory(H5Screate_simple(1, &one, nullptr));
      H5Sselect_elements(space, H5S_SELECT_SET, 1, zero);
      if (par::rank() == 0)
        CHECK(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, &corner) >= 0 &&
              corner == 0);
      CHECK(H5Dformat_convert(set) >= 0);
      CHECK(made.chunk[0] == 0 || earlier::index_of(set) == H5D_CHUNK_IDX_BTREE);
      CHECK(earlier::holds(set, earlier::kRows));
    }
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(H5Fformat_convert(file) >= 0);
    create_group(file, "new");
  }
  {
    // What was converted grows and is written like any other.
    const Id file = open_file(name, H5F_ACC_RDWR);
    for (const auto& made : earlier::kMade) {
      const Id set(H5Dopen2(file, made.name, H5P_DEFAULT));
      CHECK(made.chunk[0] == 0 || earlier::index_of(set) == H5D_CHUNK_IDX_BTREE);
      CHECK(earlier::holds(set, earlier::kRows));
      const hsize_t more[2] = {earlier::kRows + 9, earlier::kColumns};
      if (made.most[0] != H5S_UNLIMITED) continue;
      CHECK(H5Dset_extent(set, more) >= 0);
      earlier::write(set, more[0]);
    }
  }
  const Id file = open_file(name, H5F_ACC_RDONLY);
  for (const auto& made : earlier::kMade)
    CHECK(earlier::holds(Id(H5Dopen2(file, made.name, H5P_DEFAULT)),
                         earlier::kRows + (made.most[0] == H5S_UNLIMITED ? 9 : 0)));
  H5F_info2_t info;
  CHECK(H5Fget_info2(file, &info) >= 0 && info.super.version == 2);
}

/// Ranks that convert different datasets, and a rank that doesn't know which.
CASE(conversions_that_do_not_match) {
  const std::string name = par::file_name("meta_conversions");
  const Id access(par::mpio_access());
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id a = earlier::create(file, earlier::kMade[0]),
           b = earlier::create(file, earlier::kMade[1]);
  earlier::write(a, earlier::kRows);
  const par::Silence silence;
  const bool alone = par::size() == 1;
  CHECK((H5Dformat_convert(par::rank() == 0 ? a : b) >= 0) == alone);
  H5Eclear2(H5E_DEFAULT);
  // All ranks know that nothing of it is to be kept.
  CHECK((H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) == alone);
  H5Eclear2(H5E_DEFAULT);
}

/// Links that are not hard go from one file of all ranks to another.
/// What lies between members, and behind the end of a text, is whatever each rank's memory had there.
CASE(fill_values_with_gaps) {
  struct Pair {
    char letter;
    int number;
    char text[8];
  };
  const par::Id text(H5Tcopy(H5T_C_S1)), type(H5Tcreate(H5T_COMPOUND, sizeof(Pair)));
  CHECK(H5Tset_size(text, 8) >= 0);
  H5Tinsert(type, "letter", HOFFSET(Pair, letter), H5T_NATIVE_CHAR);
  H5Tinsert(type, "number", HOFFSET(Pair, number), H5T_NATIVE_INT);
  H5Tinsert(type, "text", HOFFSET(Pair, text), text);
  const par::Id packed(H5Tcopy(type));
  CHECK(H5Tpack(packed) >= 0);
  const auto rank = static_cast<unsigned char>(par::rank());
  Pair pair;
  std::memset(&pair, rank + 1, sizeof pair);
  pair.letter = 'a';
  pair.number = 5;
  pair.text[0] = 'b';
  pair.text[1] = 0;
  long double wide;
  std::memset(&wide, rank + 1, sizeof wide);
  const long double half = 0.5L;
  std::memcpy(&wide, &half, 10);
  const hsize_t n = 5;
  const par::Id space(H5Screate_simple(1, &n, nullptr));
  par::Id file = par::create_file(par::file_name("gaps"));
  const auto made = [&](const char* name, hid_t of, hid_t value_type, const void* value) {
    const par::Id list(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_fill_value(list, value_type, value) >= 0);
    CHECK(H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC) >= 0);
    return par::Id(H5Dcreate2(file, name, of, space, H5P_DEFAULT, list, H5P_DEFAULT)).valid();
  };
  CHECK(made("as it is", type, type, &pair));
  CHECK(made("packed", packed, type, &pair));
  CHECK(made("wide", H5T_NATIVE_LDOUBLE, H5T_NATIVE_LDOUBLE, &wide));
  // A zero on all ranks, for which they need not meet.
  std::memset(&wide, 0, 10);
  CHECK(made("zero", H5T_NATIVE_LDOUBLE, H5T_NATIVE_LDOUBLE, &wide));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  for (const char* name : {"as it is", "packed"}) {
    Pair read[5];
    const par::Id data(H5Dopen2(file, name, H5P_DEFAULT));
    CHECK(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) >= 0);
    CHECK(read[4].letter == 'a' && read[4].number == 5 && std::string(read[4].text) == "b");
  }
  if (par::size() > 1) {
    const par::Silence silence;
    pair.number = par::rank();
    CHECK(!made("differs", type, type, &pair));
  }
}

CASE(links_into_another_file) {
  const std::string name = par::file_name("meta_links"), other = par::file_name("meta_links_b");
  {
    const Id from = create_file(name), to = create_file(other);
    CHECK(H5Lcreate_soft("/there", from, "soft", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Lcopy(from, "soft", to, "copied", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Lmove(from, "soft", to, "moved", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  }
  const Id from = open_file(name, H5F_ACC_RDONLY), to = open_file(other, H5F_ACC_RDONLY);
  CHECK(names_in(from).empty() && names_in(to).size() == 2);
  char text[16] = "";
  CHECK(H5Lget_val(to, "moved", text, sizeof text, H5P_DEFAULT) >= 0 &&
        std::string(text) == "/there");
}

/// Ranks that write different values to an attribute: rank 0's is in the file.
CASE(attribute_values_of_rank_0_win) {
  const std::string name = par::file_name("meta_values");
  Id file = create_file(name);
  write_attribute(file, "rank", par::rank() + 1000);
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  CHECK(read_attribute(file, "rank") == 1000);
}
#endif
