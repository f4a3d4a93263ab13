// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pcioinfo FILE [OBJECT]: what an HDF5 file holds: tree, shapes, types, layouts, chunk shapes,
// attributes. Room: tools, public headers only; a program without MPI_Init.
//
// Exit status: 0 all was understood, 1 the file or the object cannot be opened, 2 usage,
// 3 something inside was refused (each refusal is printed with its reason where it is).

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <hdf5.h>
#include <string>

#include "describe.hpp"
#include "id.hpp"
#include "tree.hpp"

namespace {

enum Exit { kUnderstood = 0, kNotOpened = 1, kUsage = 2, kRefused = 3 };

int show(const std::string& name, const std::string& object_name,
         const pcioinfo::TreeOptions& options) {
  using pcioinfo::Id;
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file.valid()) {
    fmt::print(stderr, "pcioinfo: {}: {}\n", name, pcioinfo::last_reason());
    return kNotOpened;
  }
  const Id object(H5Oopen(file.get(), object_name.c_str(), H5P_DEFAULT));
  if (!object.valid()) {
    fmt::print(stderr, "pcioinfo: {}: no object {}: {}\n", name, object_name,
               pcioinfo::last_reason());
    return kNotOpened;
  }
  hsize_t size = 0, user_block = 0;
  const Id list(H5Fget_create_plist(file.get()));
  H5Fget_filesize(file.get(), &size);
  H5Pget_userblock(list.get(), &user_block);
  fmt::print("{}: {}", name, pcioinfo::describe_bytes(size));
  if (user_block != 0) fmt::print(", user block of {} bytes", user_block);
  fmt::print("\n");
  pcioinfo::Tree tree(options);
  tree.print(object.get(), object_name, object_name, 0);
  if (tree.refusals() == 0) return kUnderstood;
  std::fflush(stdout);
  fmt::print(stderr, "pcioinfo: {}: {} refused, see above\n", name, tree.refusals());
  return kRefused;
}

}  // namespace

int main(int argc, char** argv) {
  std::string file, object = "/";
  pcioinfo::TreeOptions options;
  bool no_attributes = false;
  CLI::App app{"Shows what an HDF5 file holds: tree, shapes, types, layouts, attributes."};
  app.name("pcioinfo");
  app.add_option("FILE", file, "an HDF5 file")->required();
  app.add_option("OBJECT", object, "start at this group or dataset instead of at the root");
  app.add_option("--depth", options.most_depth, "levels of groups to show")
      ->check(CLI::Range(0, 1000));
  app.add_flag("--no-attributes", no_attributes, "leave attributes out");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kUnderstood : kUsage;
  }
  options.attributes = !no_attributes;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return show(file, object, options);
}
