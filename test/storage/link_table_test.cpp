// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: what a group and the table of objects keep to be asked again gives the answers that
// one would get without it.

#include <gtest/gtest.h>

#include <map>

#include "format/datatype_message.hpp"
#include "storage/objects/link_table.hpp"
#include "storage/objects/object_table.hpp"
#include "support/disk_driver.hpp"
#include "support/pick.hpp"

namespace pcio {
namespace {

using namespace test;

LinkMessage link_to(const std::string& name, FileAddress address) {
  LinkMessage link;
  link.name = name;
  link.address = address;
  return link;
}

/// A table of links and a map beside it, changed and asked by name in any order and in that of the names.
struct LinkScene {
  LinkTable table;
  std::map<std::string, FileAddress> model;
  int at = 0;  ///< number of the last name

  std::string any_name() {
    constexpr int kNames = 24;
    // Most are the same, or beside the last: that is where a table may answer from what it keeps.
    at = (pick(0, 3) == 0 ? pick(0, kNames) : at + pick(-1, 2) + kNames) % kNames;
    return "n" + std::to_string(100 + at);
  }
  void expect(const std::string& name) const {
    const auto known = model.find(name);
    const auto found = table.find(name);
    RC_ASSERT(table.has(name) == (known != model.end()));
    RC_ASSERT((found != table.links.end()) == (known != model.end()));
    if (known != model.end()) RC_ASSERT(found->name == name && found->address == known->second);
  }
  void change(const std::string& name, FileAddress address) {
    const auto there = table.find(name);
    if (there == table.links.end()) {
      RC_ASSERT(table.add(link_to(name, address))->name == name);
      model.emplace(name, address);
    } else {
      table.announce_removal(name);
      table.remove(there);
      model.erase(name);
    }
  }
  /// Tables are copied and moved; the old one goes.
  void replace() {
    if (pick(0, 2) == 0) {
      LinkTable copy = table;
      table = std::move(copy);
    } else {
      LinkTable moved = std::move(table);
      table = LinkTable();
      table = moved;
    }
  }
};

TEST(LinkTable, AnswersAsAMap) {
  ASSERT_TRUE(rc::check("links by name", [] {
    LinkScene scene;
    if (pick(0, 2) == 0) scene.table.changes.emplace();
    for (FileAddress step = 1; step < 120; ++step) {
      const std::string name = scene.any_name();
      const int what = pick(0, 24);
      if (what == 0)
        scene.replace();
      else if (what < 10)
        scene.change(name, step);
      scene.expect(name);
      scene.expect(scene.any_name());
    }
    auto known = scene.model.begin();
    for (const LinkMessage& link : scene.table.links) RC_ASSERT(link.name == (known++)->first);
    RC_ASSERT(known == scene.model.end());
  }));
}

TEST(ObjectTable, KnowsEachTypeByItsBytes) {
  FileContext file{{}, FormatVersion::kEarliest};
  file.driver = std::make_unique<DiskDriver>(std::make_shared<DiskImage>(), "types");
  file.coordinator = Coordinator::serial();
  file.bytes = std::make_unique<FileBytes>(*file.driver, file.space, 0);
  ObjectTable objects(file);
  std::vector<Datatype> types;
  std::vector<std::vector<std::byte>> bodies;
  for (std::uint32_t size = 1; size <= 9; ++size) {
    types.push_back(size % 2 == 0 ? Datatype::opaque(size, "a tag") : Datatype::string(size));
    ByteWriter out;
    ASSERT_TRUE(encode_datatype(types.back(), out).ok());
    bodies.push_back(std::move(out).take());
  }
  ASSERT_TRUE(rc::check("types in any order", [&] {
    for (int i = 0; i < 60; ++i) {
      const std::size_t which = pick<std::size_t>(0, types.size());
      FileAddress committed = 0;
      auto type = objects.resolve_type({0, bodies[which]}, &committed);
      RC_ASSERT(type && *type == types[which]);
      RC_ASSERT(committed == kUndefinedAddress);
      // What can't be decoded is so each time, and changes nothing.
      const ConstBytes cut = ConstBytes(bodies[which]).first(bodies[which].size() / 2);
      RC_ASSERT(!objects.resolve_type({0, cut}, &committed));
    }
  }));
}

}  // namespace
}  // namespace pcio
