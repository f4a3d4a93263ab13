// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: random sequences of calls against a model in plain memory, with every byte of the
// file accounted for at the end.

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <rapidcheck.h>
#include <string>
#include <vector>

#include "support/file_session.hpp"
#include "support/live_ranges.hpp"
#include "support/pick.hpp"

namespace pcio {
namespace {

using namespace test;

struct Node;
using NodePtr = std::shared_ptr<Node>;

/// An object, and for groups what is in it.
struct Node {
  struct Link {
    NodePtr object;
    std::string target;  // soft
  };
  std::map<std::string, Link> links;
  std::map<std::string, std::vector<std::int32_t>> attributes;
  bool is_group = true;
  DatasetSpec spec;
  std::vector<std::int32_t> data;
};

struct Place {
  NodePtr group;
  std::string group_path;
  std::string name;
  [[nodiscard]] std::string path() const {
    return (group_path == "/" ? "" : group_path) + "/" + name;
  }
};

/// All links below a group, and all groups.
struct Survey {
  std::vector<Place> links;
  std::vector<Place> groups;  // by their group_path
  std::map<const Node*, unsigned> references;

  explicit Survey(const NodePtr& root) { walk(root, "/"); }
  void walk(const NodePtr& group, const std::string& path) {
    groups.push_back({group, path, ""});
    for (auto& [name, link] : group->links) {
      Place place{group, path, name};
      links.push_back(place);
      if (!link.object) continue;
      ++references[link.object.get()];
      if (link.object->is_group) walk(link.object, place.path());
    }
  }
};

std::string numbers_of(const std::map<std::string, std::vector<std::int32_t>>& attributes) {
  std::string text;
  for (const auto& [name, value] : attributes) text += "@" + name + "=" + join_numbers(value);
  return text;
}

Listing listing_of(const NodePtr& root) {
  Survey survey(root);
  Listing lines;
  for (const Place& place : survey.links) {
    const Node::Link& link = place.group->links[place.name];
    std::string& line = lines[place.path()];
    if (!link.object) {
      line = "-> " + link.target;
    } else if (link.object->is_group) {
      line = numbers_of(link.object->attributes) + "group of " +
             std::to_string(survey.references[link.object.get()]);
    } else {
      line = numbers_of(link.object->attributes) + "dataset " +
             join_numbers(link.object->spec.dims) + ": " + join_numbers(link.object->data);
    }
  }
  for (const auto& [name, value] : root->attributes) lines["/@" + name] = join_numbers(value);
  return lines;
}

class Session {
 public:
  explicit Session(const OpenWith& with) : with_(with) {
    file_ = must(open_session(disk_, OpenMode::kTruncate, with_));
  }

  void step() {
    Survey survey(root_);
    switch (pick(0, 12)) {
      case 0:
      case 1: return add(survey);
      case 2:
      case 3: return add_data(survey);
      case 4: return write(survey);
      case 5:
      case 6: return change_attribute(survey);
      case 7: return link(survey);
      case 8: return remove(survey);
      case 9: return move(survey);
      case 10: return resize(survey);
      default: return must(flush_session(file_));
    }
  }

  void check() {
    auto seen = list_file(file_);
    RC_ASSERT(seen.has_value());
    RC_ASSERT(*seen == listing_of(root_));
  }
  void reopen() {
    close();
    file_ = must(open_session(disk_, OpenMode::kReadWrite, with_));
  }
  void close() {
    must(close_session(file_));
    file_.reset();
    auto seen = list_image(*disk_);
    RC_ASSERT(seen.has_value());
    RC_ASSERT(*seen == listing_of(root_));
  }
  /// Everything below the end is owned once, free, or set aside.
  void check_every_byte() {
    must(flush_session(file_));
    auto live = LiveRanges(file_->store()).collect();
    RC_ASSERT(live.has_value());
    FileSpace& space = file_->store().space();
    RC_ASSERT(total_bytes(*live) + space.free_bytes() + space.reserved_bytes() ==
              space.end_of_allocation());
  }
  void check_no_byte_has_two_owners() {
    RC_ASSERT(LiveRanges(file_->store()).collect().has_value());
  }

 private:
  /// A name that may be taken; then the call must fail.
  Place new_place(Survey& survey) {
    Place place = survey.groups[pick<std::size_t>(0, survey.groups.size())];
    place.name = "n" + std::to_string(pick(0, 30));
    if (pick(0, 8) == 0) place.name += std::string(200, 'x');
    return place;
  }
  static bool taken(const Place& place) { return place.group->links.contains(place.name); }
  const Place* any_object(const Survey& survey) {
    if (survey.links.empty()) return nullptr;
    const Place& place = survey.links[pick<std::size_t>(0, survey.links.size())];
    return place.group->links[place.name].object ? &place : nullptr;
  }

  void add(Survey& survey) {
    Place place = new_place(survey);
    auto made = add_group(file_, place.path());
    RC_ASSERT(made.has_value() == !taken(place));
    if (made) place.group->links[place.name].object = std::make_shared<Node>();
  }

  void add_data(Survey& survey) {
    Place place = new_place(survey);
    auto node = std::make_shared<Node>();
    node->is_group = false;
    DatasetSpec& spec = node->spec;
    spec.dims = {pick<std::uint64_t>(1, 8), pick<std::uint64_t>(1, 8)};
    if (pick(0, 2) == 0) spec.fill = 5;
    int layout = pick(0, 4);
    spec.compact = layout == 0;
    if (layout >= 2) {
      spec.max = {12, 12};
      spec.chunk = {pick<std::uint64_t>(1, 5), pick<std::uint64_t>(1, 5)};
    }
    node->data.assign(*spec.dims.volume(), spec.fill.value_or(0));
    bool free = !taken(place);
    // The dataset is made before its name is found taken: an object without a link.
    if (!free) return;
    must(detail::to_status(add_dataset(file_, place.path(), spec)));
    place.group->links[place.name].object = node;
  }

  void write(Survey& survey) {
    const Place* place = any_object(survey);
    if (place == nullptr) return;
    Node& node = *place->group->links[place->name].object;
    if (node.is_group) return;
    for (auto& value : node.data) value = next_++;
    must(write_all(must(find(file_, place->path())), node.data));
  }

  void change_attribute(Survey& survey) {
    const Place* place = any_object(survey);
    Node& node = place != nullptr ? *place->group->links[place->name].object : *root_;
    Location where = place != nullptr ? must(find(file_, place->path())) : root_of(file_);
    std::string name = "a" + std::to_string(pick(0, 5));
    if (node.attributes.contains(name)) {
      OpenObject object(where.file, where.object, where.path);
      must(delete_attribute(object, name));
      node.attributes.erase(name);
    } else {
      std::vector<std::int32_t> value(pick<std::size_t>(1, 60), next_++);
      must(add_attribute(where, name, value));
      node.attributes[name] = value;
    }
  }

  void link(Survey& survey) {
    Place place = new_place(survey);
    const Place* target = any_object(survey);
    if (target == nullptr || target->group->links[target->name].object->is_group) {
      Status status = add_soft_link(must(pcio::test::place(file_, place.path())), "/nowhere", {});
      RC_ASSERT(status.ok() == !taken(place));
      if (status.ok()) place.group->links[place.name].target = "/nowhere";
      return;
    }
    Location object = must(find(file_, target->path()));
    Status status = add_hard_link(must(pcio::test::place(file_, place.path())), object, {});
    RC_ASSERT(status.ok() == !taken(place));
    if (status.ok()) place.group->links[place.name] = target->group->links[target->name];
  }

  void remove(Survey& survey) {
    if (survey.links.empty()) return;
    Place place = survey.links[pick<std::size_t>(0, survey.links.size())];
    must(remove_link(must(pcio::test::place(file_, place.path()))));
    place.group->links.erase(place.name);
  }

  void move(Survey& survey) {
    if (survey.links.empty()) return;
    Place from = survey.links[pick<std::size_t>(0, survey.links.size())];
    Place to = new_place(survey);
    Node::Link link = from.group->links[from.name];
    bool inside = (to.group_path + "/").rfind(from.path() + "/", 0) == 0 && link.object &&
                  link.object->is_group;
    Status status =
        transfer_link(must(pcio::test::place(file_, from.path())),
                      must(pcio::test::place(file_, to.path())), LinkTransfer::kMove, {});
    RC_ASSERT(status.ok() == (!taken(to) && !inside));
    if (!status.ok()) return;
    from.group->links.erase(from.name);
    to.group->links[to.name] = link;
  }

  void resize(Survey& survey) {
    const Place* place = any_object(survey);
    if (place == nullptr) return;
    Node& node = *place->group->links[place->name].object;
    if (node.is_group || node.spec.chunk.size() == 0) return;
    Dims dims{pick<std::uint64_t>(0, 13), pick<std::uint64_t>(0, 13)};
    must(set_extent(must(find(file_, place->path())), dims));
    std::vector<std::int32_t> data;
    for_each_position(dims, [&](const Dims& at) {
      bool had = at[0] < node.spec.dims[0] && at[1] < node.spec.dims[1];
      data.push_back(had ? node.data[at[0] * node.spec.dims[1] + at[1]]
                         : node.spec.fill.value_or(0));
    });
    node.spec.dims = dims;
    node.data = std::move(data);
  }

  OpenWith with_;
  Disk disk_ = make_disk();
  FilePtr file_;
  NodePtr root_ = std::make_shared<Node>();
  std::int32_t next_ = 1;
};

OpenWith random_settings() {
  OpenWith with;
  with.access.low_bound =
      *rc::gen::element(LibraryVersion::kEarliest, LibraryVersion::kV18, LibraryVersion::kV110);
  with.access.meta_block_size = *rc::gen::element<std::uint64_t>(0, 512, 2048);
  with.create.symbol_leaf_k = *rc::gen::element(1U, 4U);
  with.create.symbol_internal_k = *rc::gen::element(1U, 16U);
  with.create.chunk_internal_k = *rc::gen::element(1U, 32U);
  with.create.userblock = *rc::gen::element<std::uint64_t>(0, 0, 512);
  return with;
}

TEST(FileModel, OneSessionAccountsForEveryByte) {
  EXPECT_TRUE(rc::check([] {
    Session session(random_settings());
    int steps = pick(1, 120);
    for (int i = 0; i < steps; ++i) session.step();
    session.check();
    session.check_every_byte();
    session.close();
  }));
}

TEST(FileModel, SessionsFindWhatTheOnesBeforeLeft) {
  EXPECT_TRUE(rc::check([] {
    Session session(random_settings());
    int sessions = pick(1, 6);
    for (int i = 0; i < sessions; ++i) {
      int steps = pick(0, 30);
      for (int k = 0; k < steps; ++k) session.step();
      session.check();
      session.check_no_byte_has_two_owners();
      session.reopen();
      session.check();
    }
    session.close();
  }));
}

}  // namespace
}  // namespace pcio
