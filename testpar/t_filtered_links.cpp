// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Groups whose links go through filters, changed by several ranks: what rank 0's filters make of them counts.
// Room: testpar, public headers only.

#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>

#include "support.hpp"

using par::Id;

namespace {

/// A filter whose result is longer on each rank by another number of bytes, and which can be made to fail.
constexpr H5Z_filter_t kOwnFilter = 300;
bool fails = false;

size_t own_filter(unsigned flags, size_t, const unsigned*, size_t bytes, size_t* room,
                  void** buffer) {
  if (fails) return 0;
  std::size_t result = 0;
  unsigned char tail[8];
  if ((flags & H5Z_FLAG_REVERSE) != 0) {
    if (bytes < sizeof tail) return 0;
    std::memcpy(&result, static_cast<char*>(*buffer) + bytes - sizeof tail, sizeof result);
    return result <= bytes ? result : 0;
  }
  const std::size_t more = 5 * static_cast<std::size_t>(par::rank() + 1);
  void* const longer = std::realloc(*buffer, bytes + more + sizeof tail);
  if (longer == nullptr) return 0;
  std::memset(static_cast<char*>(longer) + bytes, 0x40 + par::rank(), more);
  std::memcpy(static_cast<char*>(longer) + bytes + more, &bytes, sizeof tail);
  *buffer = longer;
  *room = bytes + more + sizeof tail;
  return *room;
}

void register_own_filter() {
  const H5Z_class2_t own = {H5Z_CLASS_T_VERS, kOwnFilter, 1,       1,
                            "longer by rank", nullptr,    nullptr, own_filter};
  CHECK(H5Zregister(&own) >= 0);
}

enum class Filters { kOwn, kDeflate, kDeflateAndSum };

Id list_with(Filters filters, unsigned order) {
  Id list(H5Pcreate(H5P_GROUP_CREATE));
  if (filters == Filters::kOwn)
    CHECK(H5Pset_filter(list, kOwnFilter, H5Z_FLAG_MANDATORY, 0, nullptr) >= 0);
  else
    CHECK(H5Pset_deflate(list, 6) >= 0);
  if (filters == Filters::kDeflateAndSum) CHECK(H5Pset_fletcher32(list) >= 0);
  CHECK(H5Pset_link_creation_order(list, order) >= 0);
  return list;
}

using Model = std::map<std::string, std::string>;

/// Links come and go, the same on all ranks; some are too large for a block.
void change(hid_t group, std::mt19937& random, Model* model) {
  for (auto n = 1 + random() % 40; n > 0; --n) {
    const std::string name = "n" + std::to_string(random() % 150);
    const auto old = model->find(name);
    if (old == model->end()) {
      const std::size_t length = random() % 15 == 0 ? 4200 + random() % 3000 : 1 + random() % 90;
      std::string target(length, 't');
      for (char& c : target) c = static_cast<char>('a' + random() % 25);
      CHECK(H5Lcreate_soft(target.c_str(), group, name.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0);
      model->emplace(name, target);
    } else if (random() % 3 == 0) {
      CHECK(H5Ldelete(group, name.c_str(), H5P_DEFAULT) >= 0);
      model->erase(old);
    }
  }
}

bool holds(hid_t group, const Model& model) {
  H5G_info_t info;
  if (H5Gget_info(group, &info) < 0 || info.nlinks != model.size()) return false;
  for (const auto& [name, target] : model) {
    std::string found(target.size() + 1, '\0');
    if (H5Lget_val(group, name.c_str(), found.data(), found.size(), H5P_DEFAULT) < 0) return false;
    if (std::strcmp(found.c_str(), target.c_str()) != 0) return false;
  }
  return true;
}

bool file_holds(const std::string& name, const Model& model) {
  const Id file = par::open_file(name, H5F_ACC_RDONLY);
  const Id group(H5Gopen2(file, "g", H5P_DEFAULT));
  return par::all(group.valid() && holds(group, model));
}

Id new_file(const std::string& name, hid_t list) {
  const Id access(par::mpio_access(MPI_COMM_WORLD, H5F_LIBVER_V18));
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.valid());
  const Id group(H5Gcreate2(file, "g", H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(group.valid());
  return file;
}

}  // namespace

/// Rank 0 has the group open through it all; the others come and go.
CASE(links_through_filters_live_like_their_model) {
  register_own_filter();
  for (const Filters filters : {Filters::kOwn, Filters::kDeflate, Filters::kDeflateAndSum})
    for (const unsigned order : {0U, 3U}) {
      const std::string name = par::file_name("links" + std::to_string(static_cast<int>(filters)) +
                                              std::to_string(order));
      std::mt19937 random(static_cast<unsigned>(filters) + 7 * order);
      Model model;
      {
        const Id list = list_with(filters, order);
        const Id file = new_file(name, list);
        Id kept;
        if (par::rank() == 0) kept = Id(H5Gopen2(file, "g", H5P_DEFAULT));
        for (int round = 0; round < 5; ++round) {
          const Id group(H5Gopen2(file, "g", H5P_DEFAULT));
          change(group, random, &model);
          CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
          CHECK(holds(group, model));
        }
      }
      CHECK(file_holds(name, model));
      {
        const Id file = par::open_file(name, H5F_ACC_RDWR);
        const Id group(H5Gopen2(file, "g", H5P_DEFAULT));
        CHECK(holds(group, model));
        change(group, random, &model);
      }
      CHECK(file_holds(name, model));
    }
}

/// A filter that fails on the rank whose result counts: the group stays as it was in the file, all are told, and the
/// next flush has it. On other ranks nobody asks it.
CASE(a_filter_that_fails) {
  register_own_filter();
  const std::string name = par::file_name("failing");
  std::mt19937 random(5);
  Model model;
  {
    const Id list = list_with(Filters::kOwn, 0);
    const Id file = new_file(name, list);
    const Id group(H5Gopen2(file, "g", H5P_DEFAULT));
    for (int i = 0; i < 3; ++i) change(group, random, &model);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    for (int round = 0; round < 3; ++round) {
      const Model before = model;
      change(group, random, &model);
      fails = true;
      bool flushed = false;
      {
        const par::Silence quiet;
        flushed = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
      }
      fails = false;
      CHECK(!flushed);
      CHECK(par::error_text().find("/g") != std::string::npos);
      CHECK(holds(group, model));
      MPI_Barrier(MPI_COMM_WORLD);
      if (par::rank() == 0) {
        // Another process sees what the last commit has.
        const Id alone(H5Pcreate(H5P_FILE_ACCESS));
        const std::string copy = name + ".copy";
        CHECK(std::system(("cp " + name + " " + copy).c_str()) == 0);
        const Id seen(H5Fopen(copy.c_str(), H5F_ACC_RDONLY, alone));
        const Id old(H5Gopen2(seen, "g", H5P_DEFAULT));
        CHECK(old.valid() && holds(old, before));
        std::remove(copy.c_str());
      }
      MPI_Barrier(MPI_COMM_WORLD);
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      fails = par::rank() > 0;
      change(group, random, &model);
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      fails = false;
    }
  }
  CHECK(file_holds(name, model));
}

/// Many groups in a commit, and what is behind them is still the file's.
CASE(many_groups_in_a_commit) {
  register_own_filter();
  const std::string name = par::file_name("groups");
  constexpr int kGroups = 300;
  {
    const Id list = list_with(Filters::kOwn, 1);
    CHECK(H5Pset_link_phase_change(list, 0, 0) >= 0);
    const Id file = new_file(name, list);
    for (int i = 0; i < kGroups; ++i) {
      const Id group(
          H5Gcreate2(file, ("g/" + std::to_string(i)).c_str(), H5P_DEFAULT, list, H5P_DEFAULT));
      for (int k = 0; k < 3; ++k)
        CHECK(H5Lcreate_soft(std::string(static_cast<std::size_t>(1 + i % 50), 's').c_str(), group,
                             ("l" + std::to_string(k)).c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0);
    }
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    for (int i = 0; i < kGroups; i += 7)
      CHECK(H5Ldelete(file, ("g/" + std::to_string(i)).c_str(), H5P_DEFAULT) >= 0);
  }
  const Id file = par::open_file(name, H5F_ACC_RDONLY);
  for (int i = 0; i < kGroups; ++i) {
    const std::string path = "g/" + std::to_string(i);
    CHECK((H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0) == (i % 7 != 0));
    if (i % 7 == 0) continue;
    const Id group(H5Gopen2(file, path.c_str(), H5P_DEFAULT));
    const std::string target(static_cast<std::size_t>(1 + i % 50), 's');
    CHECK(holds(group, {{"l0", target}, {"l1", target}, {"l2", target}}));
  }
}
