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
#include <pcio.h>
#include <string>

#include "describe.hpp"
#include "details.hpp"
#include "id.hpp"
#include "json.hpp"
#include "outline.hpp"
#include "tree.hpp"

namespace {

enum Exit { kUnderstood = 0, kNotOpened = 1, kUsage = 2, kRefused = 3 };

enum class Form { kText, kTree, kJson };

struct Asked {
  std::string file, object = "/";
  Form form = Form::kText;
  pcioinfo::TreeOptions tree;
};

void print_file(hid_t file, const Asked& asked) {
  hsize_t size = 0, user_block = 0;
  const pcioinfo::Id list(H5Fget_create_plist(file));
  H5Fget_filesize(file, &size);
  H5Pget_userblock(list.get(), &user_block);
  fmt::print("{}: {}", asked.file, pcioinfo::describe_bytes(size));
  if (user_block != 0) fmt::print(", user block of {} bytes", user_block);
  if (asked.tree.details)
    fmt::print("; {}", pcioinfo::describe_space_use(pcioinfo::space_of(file, asked.file)));
  fmt::print("\n");
}

/// How much was refused.
int print(hid_t file, hid_t object, const Asked& asked) {
  if (asked.form == Form::kJson)
    return pcioinfo::print_json(file, asked.file, object, asked.object);
  if (asked.form == Form::kTree) {
    pcioinfo::Outline outline(asked.tree.most_depth);
    outline.print(object, asked.object == "/" ? asked.file : asked.object);
    return outline.refusals();
  }
  print_file(file, asked);
  pcioinfo::Tree tree(asked.tree);
  tree.print(object, asked.object, asked.object, 0);
  return tree.refusals();
}

int show(const Asked& asked) {
  using pcioinfo::Id;
  const Id file(H5Fopen(asked.file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file.valid()) {
    fmt::print(stderr, "pcioinfo: {}: {}\n", asked.file, pcioinfo::last_reason());
    return kNotOpened;
  }
  const Id object(H5Oopen(file.get(), asked.object.c_str(), H5P_DEFAULT));
  if (!object.valid()) {
    fmt::print(stderr, "pcioinfo: {}: no object {}: {}\n", asked.file, asked.object,
               pcioinfo::last_reason());
    return kNotOpened;
  }
  const int refusals = print(file.get(), object.get(), asked);
  if (refusals == 0) return kUnderstood;
  std::fflush(stdout);
  fmt::print(stderr, "pcioinfo: {}: {} refused, see above\n", asked.file, refusals);
  return kRefused;
}

}  // namespace

int main(int argc, char** argv) {
  Asked asked;
  bool no_attributes = false;
  CLI::App app{"Shows what an HDF5 file holds: tree, shapes, types, layouts, attributes."};
  app.name("pcioinfo");
  app.set_version_flag("-V,--version", std::string("pcioinfo ") + pcio_version_string());
  app.add_option("FILE", asked.file, "an HDF5 file")->required();
  app.add_option("OBJECT", asked.object, "start at this group or dataset instead of at the root");
  app.add_option("--depth", asked.tree.most_depth, "levels of groups to show")
      ->check(CLI::Range(0, 1000));
  app.add_flag("--no-attributes", no_attributes, "leave attributes out");
  app.add_flag("-v,--verbose", asked.tree.details,
               "chunk indexes, compression, allocated bytes, all values, who has the file's bytes");
  auto* tree = app.add_flag_callback(
      "--tree", [&] { asked.form = Form::kTree; }, "names only, as a tree of lines");
  app.add_flag_callback(
         "--json", [&] { asked.form = Form::kJson; }, "all of it as JSON")
      ->excludes(tree);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kUnderstood : kUsage;
  }
  asked.tree.attributes = !no_attributes;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return show(asked);
}
