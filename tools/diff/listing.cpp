// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The objects of a file by path. Room: tools, public headers only.

#include "listing.hpp"

#include <set>
#include <vector>

#include "failure.hpp"

namespace diff {

using tools::Id;
using tools::need;
using tools::need_id;

namespace {

herr_t add_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

Kind kind_of_object(hid_t file, const std::string& path) {
  H5O_info_t info{};
  need(H5Oget_info_by_name(file, path.c_str(), &info, H5P_DEFAULT), path);
  switch (info.type) {
    case H5O_TYPE_GROUP: return Kind::kGroup;
    case H5O_TYPE_DATASET: return Kind::kDataset;
    case H5O_TYPE_NAMED_DATATYPE: return Kind::kType;
    default: return Kind::kOther;
  }
}

bool is_excluded(const Options& options, const std::string& path) {
  for (const std::string& excluded : options.excluded_paths)
    if (path == excluded || (path.size() > excluded.size() && path[excluded.size()] == '/' &&
                             path.compare(0, excluded.size(), excluded) == 0))
      return true;
  return false;
}

}  // namespace

const char* kind_word(Kind kind) {
  switch (kind) {
    case Kind::kGroup: return "H5G_GROUP";
    case Kind::kDataset: return "H5G_DATASET";
    case Kind::kType: return "H5G_TYPE";
    case Kind::kSoft: return "H5G_LINK";
    case Kind::kExternal: return "H5G_UDLINK";
    case Kind::kDangling: return "a link that leads nowhere";
    default: return "unknown type";
  }
}

Kind kind_of(const Options& options, hid_t file, const std::string& path) {
  if (path == "/") return Kind::kGroup;
  H5L_info_t link{};
  need(H5Lget_info(file, path.c_str(), &link, H5P_DEFAULT), path);
  if (link.type == H5L_TYPE_HARD) return kind_of_object(file, path);
  if (options.follow && (link.type == H5L_TYPE_SOFT || link.type == H5L_TYPE_EXTERNAL)) {
    const htri_t there = H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT);
    H5Eclear2(H5E_DEFAULT);
    if (there > 0) return kind_of_object(file, path);
    if (options.no_dangling) throw tools::Failure(path + ": a link that leads nowhere");
    return Kind::kDangling;
  }
  if (link.type == H5L_TYPE_SOFT) return Kind::kSoft;
  return link.type == H5L_TYPE_EXTERNAL ? Kind::kExternal : Kind::kOther;
}

Listing list_objects(const Options& options, hid_t file, const std::string& start) {
  Listing listing;
  std::set<std::pair<unsigned long, haddr_t>> seen;
  std::vector<std::string> groups{""};
  listing.emplace("", kind_of(options, file, start));
  const std::string prefix = start == "/" ? "" : start;
  while (!groups.empty()) {
    const std::string path = groups.back(), full = prefix + path;
    groups.pop_back();
    const Id group = need_id(H5Gopen2(file, full.empty() ? "/" : full.c_str(), H5P_DEFAULT), full);
    H5O_info_t info{};
    need(H5Oget_info(group.get(), &info), full);
    if (!seen.emplace(info.fileno, info.addr).second) continue;
    std::vector<std::string> names;
    hsize_t from = 0;
    need(H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, &from, add_name, &names), full);
    std::vector<std::string> below;
    for (const std::string& name : names) {
      const std::string member = path + "/" + name;
      if (is_excluded(options, member)) continue;
      const Kind kind = kind_of(options, file, prefix + member);
      listing.emplace(member, kind);
      if (kind == Kind::kGroup) below.push_back(member);
    }
    groups.insert(groups.end(), below.rbegin(), below.rend());
  }
  return listing;
}

}  // namespace diff
