// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls that lack memory once, each in a serial file that was got ready for it. Room: test, public headers only.

#pragma once

#include <functional>
#include <hdf5.h>
#include <string>
#include <vector>

namespace retries {

/// A file in the middle of a scene; ids that are negative are not open.
struct World {
  std::string path;
  hid_t file = H5I_INVALID_HID;
  hid_t place = H5I_INVALID_HID;   ///< the group that links come into
  hid_t object = H5I_INVALID_HID;  ///< what the call is about
  hid_t opened = H5I_INVALID_HID;  ///< something with a name that the call may change
  hid_t made = H5I_INVALID_HID;    ///< what the call gives
  hid_t type = H5I_INVALID_HID;
  hid_t memory_space = H5S_ALL, file_space = H5S_ALL;

  /// What the open ids are called; then all of them but the file's are closed.
  std::string close_ids();
};

struct Scene {
  std::string name;
  bool in_parts =
      false;  ///< a call that fails may have moved some of its elements, or made groups on the way
  std::function<void(World&)> prepare;
  /// One call. It and all that it uses ask nobody for memory but the library.
  std::function<herr_t(World&)> act;
};

/// All there are, in a fixed order.
std::vector<Scene> all_scenes();
std::vector<Scene> attribute_scenes();
std::vector<Scene> link_scenes();
std::vector<Scene> dataset_scenes();

/// Ends the program where something that can't fail did.
hid_t must(hid_t result, const char* what);

enum class Format { kOld, kNew };
/// A new file at w.path.
void make_file(World& w, Format format);
/// Another change beside the one that failed: an attribute of the object, and a group. What failed half can be
/// made again.
herr_t change_something_else(World& w);
hid_t simple(hsize_t count);

/// What a reader finds in the file, a line each: objects, links, attributes, elements.
std::vector<std::string> look(const std::string& path);

}  // namespace retries
