// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Attributes, and what references lead to. Room: tools, public headers only.

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>

#include "object.hpp"

namespace diff {

using tools::need;
using tools::need_id;

namespace {

constexpr int kMostDepth = 4;  // references to references

herr_t add_name(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* names) {
  static_cast<std::set<std::string>*>(names)->emplace(name);
  return 0;
}

std::set<std::string> names_of(const Options& options, hid_t object, const std::string& path) {
  std::set<std::string> names;
  hsize_t from = 0;
  need(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &from, add_name, &names), path);
  for (const std::string& excluded : options.excluded_attributes) {
    const std::string before = path == "/" ? "/" : path + "/";
    if (excluded.compare(0, before.size(), before) == 0)
      names.erase(excluded.substr(before.size()));
  }
  return names;
}

bool is_nothing(const void* value, std::size_t size) {
  const auto* const bytes = static_cast<const unsigned char*>(value);
  return std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == 0; });
}

/// Blocks of a selection as one list, points as well.
std::vector<hsize_t> places_of(hid_t space) {
  const int ndims = H5Sget_simple_extent_ndims(space);
  const bool points = H5Sget_select_type(space) == H5S_SEL_POINTS;
  const hssize_t count = H5Sget_select_type(space) == H5S_SEL_NONE ? 0
                         : points ? H5Sget_select_elem_npoints(space)
                                  : H5Sget_select_hyper_nblocks(space);
  std::vector<hsize_t> places(static_cast<std::size_t>(std::max<hssize_t>(count, 0)) *
                              static_cast<std::size_t>(std::max(ndims, 1)) * (points ? 1 : 2));
  if (count <= 0) return places;
  const auto all = static_cast<hsize_t>(count);
  if (points)
    H5Sget_select_elem_pointlist(space, 0, all, places.data());
  else
    H5Sget_select_hyper_blocklist(space, 0, all, places.data());
  return places;
}

void compare_regions(const Files& files, const void* const (&values)[2], const Id (&objects)[2],
                     Outcome* outcome) {
  std::vector<hsize_t> places[2];
  std::string names[2];
  for (int i = 0; i < 2; ++i) {
    const Id space = need_id(H5Rget_region(files[i], H5R_DATASET_REGION, values[i]), "region");
    places[i] = places_of(space.get());
    char name[256] = "";
    H5Iget_name(objects[i].get(), name, sizeof name);
    names[i] = name;
  }
  if (places[0] != places[1] || names[0] != names[1]) ++outcome->count;
}

}  // namespace

CompareTargets compare_targets(const Options& options, const Files& files, Outcome* outcome,
                               int depth) {
  return [=, &options](const void* const values[2], bool region) {
    const std::size_t size = region ? sizeof(hdset_reg_ref_t) : sizeof(hobj_ref_t);
    const bool none[2] = {is_nothing(values[0], size), is_nothing(values[1], size)};
    if (none[0] && none[1]) return;
    if (none[0] != none[1]) {
      ++outcome->count;
      return;
    }
    Id objects[2] = {Id(-1), Id(-1)};
    H5O_info_t infos[2] = {};
    for (int i = 0; i < 2; ++i) {
      objects[i] = need_id(H5Rdereference2(files[i], H5P_DEFAULT,
                                           region ? H5R_DATASET_REGION : H5R_OBJECT, values[i]),
                           "reference");
      need(H5Oget_info(objects[i].get(), &infos[i]), "reference");
    }
    if (infos[0].type != infos[1].type) {
      outcome->error = true;
      outcome->reason = "references lead to different types of objects";
      return;
    }
    if (region) {
      const void* const both[2] = {values[0], values[1]};
      return compare_regions(files, both, objects, outcome);
    }
    if (infos[0].type != H5O_TYPE_DATASET) {
      outcome->not_comparable = "references don't lead to datasets";
      return;
    }
    if (depth >= kMostDepth) return;
    const DatasetPair pair(options, files, objects[0].get(), objects[1].get(), outcome);
    pair.compare(0, pair.pieces(), outcome, depth + 1);
  };
}

AttributeLists list_attributes(const Options& options, hid_t first, hid_t second,
                               const std::string& path) {
  const std::set<std::string> one = names_of(options, first, path),
                              other = names_of(options, second, path);
  AttributeLists lists;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::back_inserter(lists.common));
  std::set_difference(one.begin(), one.end(), other.begin(), other.end(),
                      std::back_inserter(lists.first_only));
  std::set_difference(other.begin(), other.end(), one.begin(), one.end(),
                      std::back_inserter(lists.second_only));
  return lists;
}

namespace {

/// Both attributes with their values.
struct AttributePair {
  Id ids[2] = {Id(-1), Id(-1)}, spaces[2] = {Id(-1), Id(-1)};
  Plan plan;
  std::vector<unsigned char> values[2];
  bool read[2] = {false, false};

  ~AttributePair() {
    for (int i = 0; i < 2; ++i)
      if (read[i] && !plan.fixed)
        H5Dvlen_reclaim(plan.types[i].get(), spaces[i].get(), H5P_DEFAULT, values[i].data());
  }
};

bool attributes_alike(AttributePair* pair, const Names& names, Outcome* outcome) {
  hssize_t counts[2] = {0, 0};
  Id types[2] = {Id(-1), Id(-1)};
  for (int i = 0; i < 2; ++i) {
    pair->spaces[i] = need_id(H5Aget_space(pair->ids[i].get()), names[i]);
    types[i] = need_id(H5Aget_type(pair->ids[i].get()), names[i]);
    counts[i] = need(H5Sget_simple_extent_npoints(pair->spaces[i].get()), names[i]);
  }
  if (shape_words(pair->spaces[0].get()) != shape_words(pair->spaces[1].get()) || counts[0] == 0) {
    outcome->not_comparable = fmt::format("<{}> is of shape {} and <{}> of shape {}", names[0],
                                          shape_words(pair->spaces[0].get()), names[1],
                                          shape_words(pair->spaces[1].get()));
    return counts[0] == 0 && counts[1] == 0;
  }
  pair->plan = plan_types(types[0].get(), types[1].get());
  if (pair->plan.why_not.empty()) return true;
  outcome->not_comparable = fmt::format("<{}> {} and <{}> {}", names[0], pair->plan.kind_words[0],
                                        names[1], pair->plan.kind_words[1]);
  return false;
}

}  // namespace

void compare_attribute(const Options& options, const Files& files, const hid_t (&objects)[2],
                       const Names& names, const std::string& attribute, Outcome* outcome) {
  AttributePair pair;
  const Names called{attribute + " of <" + names[0] + ">", attribute + " of <" + names[1] + ">"};
  for (int i = 0; i < 2; ++i)
    pair.ids[i] = need_id(H5Aopen(objects[i], attribute.c_str(), H5P_DEFAULT), called[i]);
  if (!attributes_alike(&pair, called, outcome)) return;
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(pair.spaces[0].get()));
  if (count == 0) return;
  for (int i = 0; i < 2; ++i) {
    pair.values[i].resize(count * pair.plan.whole.size[i]);
    need(H5Aread(pair.ids[i].get(), pair.plan.types[i].get(), pair.values[i].data()), called[i]);
    pair.read[i] = true;
  }
  if (options.tells_values())
    outcome->lines += head_of(options,
                              fmt::format("{}           {}", shape_words(pair.spaces[0].get()),
                                          shape_words(pair.spaces[1].get())),
                              called[0], called[1]);
  if (pair.plan.fixed && pair.values[0] == pair.values[1]) return;
  ElementCompare elements(options, pair.plan, outcome, compare_targets(options, files, outcome, 0));
  const bool scalar = H5Sget_simple_extent_ndims(pair.spaces[0].get()) <= 0;
  for (std::size_t i = 0; i < count; ++i)
    elements.compare(scalar ? std::string(16, ' ') : fmt::format("[ {} ]          ", i),
                     pair.values[0].data() + i * pair.plan.whole.size[0],
                     pair.values[1].data() + i * pair.plan.whole.size[1]);
}

}  // namespace diff
