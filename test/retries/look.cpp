// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What a reader finds in a file. Room: test, public headers only.

#include <cstdint>

#include "retries/scenes.hpp"

namespace retries {

namespace {

class Reader {
 public:
  std::vector<std::string> lines;

  void object(hid_t id, const std::string& path) {
    H5O_info_t info;
    if (H5Oget_info2(id, &info, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS) < 0)
      return say(path + ": no info");
    say(path + " type " + std::to_string(info.type) + " references " + std::to_string(info.rc));
    attributes(id, path, info.num_attrs);
    if (info.type == H5O_TYPE_DATASET) elements(id, path);
    if (info.type == H5O_TYPE_GROUP) links(id, path);
  }
  void say(std::string line) { lines.push_back(std::move(line)); }

 private:
  void attributes(hid_t id, const std::string& path, hsize_t count) {
    for (hsize_t n = 0; n < count; ++n) {
      const hid_t attribute =
          H5Aopen_by_idx(id, ".", H5_INDEX_CRT_ORDER, H5_ITER_NATIVE, n, H5P_DEFAULT, H5P_DEFAULT);
      char name[100] = "?";
      H5Aget_name(attribute, sizeof name, name);
      H5A_info_t info{};
      H5Aget_info(attribute, &info);
      const std::string order = info.corder_valid ? " number " + std::to_string(info.corder) : "";
      say(path + "@" + name + order + " = " + value(attribute));
      H5Aclose(attribute);
    }
  }

  static std::string value(hid_t attribute) {
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    std::string text;
    if (H5Tis_variable_str(type) > 0) {
      char* string = nullptr;
      text = H5Aread(attribute, type, &string) < 0 ? "unreadable" : string == nullptr ? "" : string;
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, &string);
    } else {
      std::vector<int> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), -1);
      if (H5Aread(attribute, H5T_NATIVE_INT, values.data()) < 0) text = "unreadable";
      std::uint64_t hash = 0;
      for (const int one : values) hash = hash * 31 + static_cast<unsigned>(one);
      text += std::to_string(values.size()) + " values, " + std::to_string(hash);
    }
    H5Tclose(type);
    H5Sclose(space);
    return text;
  }

  void elements(hid_t id, const std::string& path) {
    const hid_t space = H5Dget_space(id), type = H5Dget_type(id);
    hsize_t dims[H5S_MAX_RANK];
    const int rank = H5Sget_simple_extent_dims(space, dims, nullptr);
    std::string extent = path + " extent";
    for (int d = 0; d < rank; ++d) extent += " " + std::to_string(dims[d]);
    say(extent);
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
    if (H5Tis_variable_str(type) > 0) {
      std::vector<char*> strings(count);
      if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, strings.data()) < 0)
        say(path + ": unreadable");
      for (const char* one : strings) say(one == nullptr ? "(none)" : one);
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, strings.data());
    } else {
      std::vector<int> values(count, -1);
      if (H5Dread(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        say(path + ": unreadable");
      for (const int one : values) say(std::to_string(one));
    }
    H5Tclose(type);
    H5Sclose(space);
  }

  void links(hid_t id, const std::string& path) {
    H5G_info_t group{};
    if (H5Gget_info(id, &group) < 0) return say(path + ": links are unreadable");
    say(path + " storage " + std::to_string(group.storage_type) + " next " +
        std::to_string(group.max_corder));
    for (hsize_t n = 0; n < group.nlinks; ++n) {
      char name[100] = "?", target[100] = "";
      H5L_info_t link{};
      H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, n, name, sizeof name, H5P_DEFAULT);
      H5Lget_info(id, name, &link, H5P_DEFAULT);
      const std::string below = path + (path.back() == '/' ? "" : "/") + name;
      const std::string order = link.corder_valid ? " number " + std::to_string(link.corder) : "";
      if (link.type != H5L_TYPE_HARD) H5Lget_val(id, name, target, sizeof target, H5P_DEFAULT);
      say(below + " link " + std::to_string(link.type) + order + " " + target);
      if (link.type != H5L_TYPE_HARD) continue;
      const hid_t child = H5Oopen(id, name, H5P_DEFAULT);
      if (child < 0) say(below + ": can't be opened");
      if (child >= 0) object(child, below);
      H5Oclose(child);
    }
  }
};

}  // namespace

std::vector<std::string> look(const std::string& path) {
  Reader reader;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return {"the file can't be opened"};
  reader.object(file, "/");
  if (H5Fclose(file) < 0) reader.say("the file can't be closed");
  return std::move(reader.lines);
}

}  // namespace retries
