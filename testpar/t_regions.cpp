// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// References to regions of datasets in files of several ranks: all make them, alike; who writes them, and
// when. Room: testpar, public headers only.

#include <pcio.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "testpar/support.hpp"

using par::Id;

namespace {

constexpr hsize_t kRows = 24, kColumns = 5, kPerRank = 3;

using Region = std::array<unsigned char, sizeof(hdset_reg_ref_t)>;

/// A file with a dataset to refer to, and one of references, some for each rank.
struct References {
  Id file, target, dataset;
  mutable std::string error;  ///< of the last call that failed

  explicit References(const std::string& name, hsize_t chunk = 0, bool filtered = false) {
    const Id access(par::mpio_access());
    file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const hsize_t dims[2] = {kRows, kColumns}, n = kPerRank * static_cast<hsize_t>(par::size());
    const Id plane(H5Screate_simple(2, dims, nullptr)), line(H5Screate_simple(1, &n, nullptr));
    const Id list(H5Pcreate(H5P_DATASET_CREATE));
    target = Id(
        H5Dcreate2(file, "target", H5T_NATIVE_INT, plane, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (chunk > 0) H5Pset_chunk(list, 1, &chunk);
    if (filtered) H5Pset_deflate(list, 4);
    dataset =
        Id(H5Dcreate2(file, "refs", H5T_STD_REF_DSETREG, line, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(target.valid() && dataset.valid());
  }

  void open_again(const std::string& name) {
    CHECK(dataset.close() >= 0 && target.close() >= 0 && file.close() >= 0);
    const Id access(par::mpio_access());
    file = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
    dataset = Id(H5Dopen2(file, "refs", H5P_DEFAULT));
    target = Id(H5Dopen2(file, "target", H5P_DEFAULT));
  }

  /// Rows from `first` on, two of them. Collective.
  [[nodiscard]] Region make(hsize_t first, herr_t* done = nullptr) const {
    const Id space(H5Dget_space(target));
    const hsize_t start[2] = {first % (kRows - 1), 1}, count[2] = {2, kColumns - 1};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
    Region region{};
    const herr_t made = H5Rcreate(region.data(), file, "target", H5R_DATASET_REGION, space);
    if (made < 0) error = par::error_text();
    CHECK(done != nullptr || made >= 0);
    if (done != nullptr) *done = made;
    return region;
  }

  /// One for each element of each rank.
  [[nodiscard]] std::vector<Region> make_all(hsize_t version) const {
    std::vector<Region> all;
    for (hsize_t i = 0; i < kPerRank * static_cast<hsize_t>(par::size()); ++i)
      all.push_back(make(i + version));
    return all;
  }

  herr_t move(Region* buffer, H5FD_mpio_xfer_t mode, bool writes) const {
    const Id space(H5Dget_space(dataset)), memory(H5Screate_simple(1, &kPerRank, nullptr));
    const Id list(par::transfer_list(mode));
    const hsize_t start = kPerRank * static_cast<hsize_t>(par::rank());
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &kPerRank, nullptr);
    const herr_t done = writes ? H5Dwrite(dataset, H5T_STD_REF_DSETREG, memory, space, list, buffer)
                               : H5Dread(dataset, H5T_STD_REF_DSETREG, memory, space, list, buffer);
    if (done < 0) error = par::error_text();
    return done;
  }
  /// This rank's part of `all`.
  herr_t write(std::vector<Region>& all, H5FD_mpio_xfer_t mode = H5FD_MPIO_COLLECTIVE) const {
    return move(all.data() + kPerRank * static_cast<std::size_t>(par::rank()), mode, true);
  }

  [[nodiscard]] bool leads_to(const Region& region, hsize_t first) const {
    const Id space(H5Rget_region(file, H5R_DATASET_REGION, region.data()));
    const Id object(H5Rdereference2(file, H5P_DEFAULT, H5R_DATASET_REGION, region.data()));
    hsize_t low[2] = {99, 99}, high[2] = {99, 99};
    H5Sget_select_bounds(space, low, high);
    return object.valid() && low[0] == first % (kRows - 1) && high[0] == low[0] + 1 &&
           low[1] == 1 && high[1] == kColumns - 1;
  }
  /// What the ranks have read is what make_all(version) made.
  [[nodiscard]] bool holds(hsize_t version) const {
    std::vector<Region> mine(kPerRank);
    if (move(mine.data(), H5FD_MPIO_COLLECTIVE, false) < 0) return false;
    bool same = true;
    for (hsize_t i = 0; i < kPerRank; ++i)
      same = same && leads_to(mine[i], kPerRank * static_cast<hsize_t>(par::rank()) + i + version);
    return same;
  }
};

}  // namespace

CASE(each_rank_writes_references_that_all_made) {
  struct Kind {
    hsize_t chunk;
    bool filtered;
  };
  for (const Kind& kind : {Kind{0, false}, Kind{2, false}, Kind{3, true}}) {
    const std::string name = par::file_name("all" + std::to_string(kind.chunk));
    References refs(name, kind.chunk, kind.filtered);
    for (hsize_t version = 0; version < 4; ++version) {
      std::vector<Region> all = refs.make_all(version);
      CHECK(refs.write(all) >= 0);
      CHECK(refs.holds(version));
      if (version == 1) CHECK(H5Fflush(refs.file, H5F_SCOPE_GLOBAL) >= 0);
      if (version == 2) refs.open_again(name);
      CHECK(refs.holds(version));
    }
  }
}

CASE(what_a_reference_leads_to_is_in_the_file_before_it) {
  const std::string name = par::file_name("before");
  const References refs(name);
  std::vector<Region> all = refs.make_all(0);
  CHECK(refs.write(all) >= 0);
  CHECK(H5Fflush(refs.file, H5F_SCOPE_GLOBAL) >= 0);
  all = refs.make_all(5);
  CHECK(refs.write(all) >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
  // As a program that is killed now leaves it: nobody has flushed or closed.
  if (par::rank() == 0) {
    const std::string copy = name + ".copy";
    CHECK(std::system(("cp " + name + " " + copy).c_str()) == 0);
    const Id file(H5Fopen(copy.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Id data(H5Dopen2(file, "refs", H5P_DEFAULT));
    std::vector<Region> found(all.size());
    CHECK(H5Dread(data, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
    CHECK(found == all);
    for (const Region& region : found)
      CHECK(Id(H5Rget_region(file, H5R_DATASET_REGION, region.data())).valid());
    std::remove(copy.c_str());
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

CASE(independent_writes_need_a_flush_where_elements_are_in_the_file) {
  const References refs(par::file_name("independent"), 2);
  std::vector<Region> all = refs.make_all(0);
  // Nobody finds the dataset yet.
  CHECK(refs.write(all, H5FD_MPIO_INDEPENDENT) >= 0);
  CHECK(H5Fflush(refs.file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(refs.holds(0));
  all = refs.make_all(1);
  if (par::size() > 1) {
    const par::Silence silence;
    CHECK(refs.write(all, H5FD_MPIO_INDEPENDENT) < 0);
    CHECK(refs.error.find("H5Fflush") != std::string::npos);
    CHECK(refs.holds(0));
  }
  CHECK(H5Fflush(refs.file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(refs.write(all, H5FD_MPIO_INDEPENDENT) >= 0);
  CHECK(H5Fflush(refs.file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(refs.holds(1));
}

CASE(what_one_rank_does_wrong_fails_on_all) {
  const References refs(par::file_name("wrong"));
  std::vector<Region> all = refs.make_all(2);
  CHECK(refs.write(all) >= 0);
  const bool bad = par::rank() == par::size() - 1;
  {
    const par::Silence silence;
    hdset_reg_ref_t region;
    const Id space(H5Dget_space(refs.target));
    CHECK(H5Rcreate(region, refs.file, bad ? "none" : "target", H5R_DATASET_REGION, space) < 0);
    CHECK(H5Rcreate(region, refs.file, "target", H5R_DATASET_REGION, bad ? -1 : hid_t{space}) < 0);
    CHECK(H5Rcreate(bad ? nullptr : region, refs.file, "target", H5R_DATASET_REGION, space) < 0);
    // The others are told where: in a name that is no short one.
    CHECK(H5Rcreate(region, refs.file, bad ? "/target/of/a/long/name/that/is/not" : "/target",
                    H5R_DATASET_REGION, space) < 0);
    CHECK(bad || par::error_text().find("/target/of/a/long/name/that/is/not") != std::string::npos);
    herr_t done = 0;
    static_cast<void>(refs.make(bad ? 3 : 4, &done));
    CHECK(par::size() == 1 ? done >= 0 : done < 0);
  }
  if (par::size() > 1) return;  // after different arguments nobody knows what the file is
  CHECK(refs.holds(2));
}

CASE(references_inside_of_sequences_and_attributes) {
  const std::string name = par::file_name("inside");
  const References refs(name);
  const Id type(H5Tvlen_create(H5T_STD_REF_DSETREG));
  const hsize_t n = static_cast<hsize_t>(par::size());
  const Id line(H5Screate_simple(1, &n, nullptr)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id data(H5Dcreate2(refs.file, "lists", type, line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id attribute(H5Acreate2(data, "list", type, line, H5P_DEFAULT, H5P_DEFAULT));
  const hsize_t one = 1, mine = static_cast<hsize_t>(par::rank());
  const Id memory(H5Screate_simple(1, &one, nullptr));
  H5Sselect_hyperslab(line, H5S_SELECT_SET, &mine, nullptr, &one, nullptr);
  for (hsize_t version = 0; version < 3; ++version) {
    std::vector<Region> all = refs.make_all(version);
    hvl_t element = {static_cast<std::size_t>(mine) % 3 + 1, all.data() + mine};
    CHECK(H5Dwrite(data, type, memory, line, list, &element) >= 0);
    std::vector<hvl_t> same(n, hvl_t{2, all.data()});
    CHECK(H5Awrite(attribute, type, same.data()) >= 0);
    if (version == 1) CHECK(H5Fflush(refs.file, H5F_SCOPE_GLOBAL) >= 0);
    hvl_t found = {0, nullptr};
    CHECK(H5Dread(data, type, memory, line, list, &found) >= 0);
    CHECK(found.len == element.len);
    for (std::size_t i = 0; i < found.len; ++i)
      CHECK(refs.leads_to(static_cast<Region*>(found.p)[i], mine + i + version));
    std::free(found.p);
    CHECK(H5Aread(attribute, type, same.data()) >= 0);
    for (hvl_t& list_of_two : same) {
      CHECK(list_of_two.len == 2 &&
            refs.leads_to(static_cast<Region*>(list_of_two.p)[1], 1 + version));
      std::free(list_of_two.p);
    }
  }
}

CASE(several_datasets_at_once_get_them) {
  const References refs(par::file_name("several"));
  std::vector<Region> all = refs.make_all(0);
  CHECK(refs.write(all) >= 0);
  CHECK(H5Fflush(refs.file, H5F_SCOPE_GLOBAL) >= 0);
  all = refs.make_all(7);
  const Id space(H5Dget_space(refs.dataset)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id memory(H5Screate_simple(1, &kPerRank, nullptr));
  const hsize_t start = kPerRank * static_cast<hsize_t>(par::rank());
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &kPerRank, nullptr);
  std::vector<int> numbers(kRows * kColumns, 5);
  hid_t datasets[] = {refs.target, refs.dataset}, types[] = {H5T_NATIVE_INT, H5T_STD_REF_DSETREG};
  hid_t memories[] = {H5S_ALL, memory}, spaces[] = {H5S_ALL, space};
  const void* buffers[] = {numbers.data(), all.data() + start};
  CHECK(H5Dwrite_multi(2, datasets, types, memories, spaces, list, buffers) >= 0);
  CHECK(refs.holds(7));
}

CASE(lists_of_datasets_that_differ_fail_and_lose_nothing) {
  const References refs(par::file_name("lists"));
  std::vector<Region> all = refs.make_all(0);
  CHECK(refs.write(all) >= 0);
  CHECK(H5Fflush(refs.file, H5F_SCOPE_GLOBAL) >= 0);
  all = refs.make_all(7);
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<int> numbers(kRows * kColumns, 5);
  const bool odd_one = par::rank() == par::size() - 1;
  hid_t types[] = {H5T_NATIVE_INT, H5T_STD_REF_DSETREG}, spaces[] = {H5S_ALL, H5S_ALL};
  const void* buffers[] = {numbers.data(), all.data()};
  const par::Silence silence;
  for (const bool none : {false, true}) {
    hid_t datasets[] = {refs.target, odd_one ? hid_t{-1} : hid_t(refs.dataset)};
    const std::size_t count = none && odd_one ? 0 : 2;
    const herr_t written = H5Dwrite_multi(count, datasets, types, spaces, spaces, list, buffers);
    CHECK(written < 0 || par::size() == 1);
    CHECK(H5Fflush(refs.file, H5F_SCOPE_GLOBAL) >= 0);
    all = refs.make_all(7);
  }
  CHECK(refs.write(all) >= 0);
  CHECK(refs.holds(7));
}

CASE(copies_in_another_file_refer_to_copies) {
  const References refs(par::file_name("from"));
  std::vector<Region> all = refs.make_all(0);
  CHECK(refs.write(all) >= 0);
  References other(par::file_name("to"));
  const Id list(H5Pcreate(H5P_OBJECT_COPY));
  H5Pset_copy_object(list, H5O_COPY_EXPAND_REFERENCE_FLAG);
  CHECK(other.dataset.close() >= 0 && H5Ldelete(other.file, "refs", H5P_DEFAULT) >= 0);
  CHECK(H5Ocopy(refs.file, "refs", other.file, "refs", list, H5P_DEFAULT) >= 0);
  other.dataset = Id(H5Dopen2(other.file, "refs", H5P_DEFAULT));
  CHECK(other.holds(0));
}
