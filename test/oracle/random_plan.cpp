// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The random choices behind a file, and the model of the values of its datasets.
// Room: test/oracle.

#include "random_plan.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace oracle {

namespace {

constexpr char kNowhere[] = "/no/such/thing";  // where some soft links lead
constexpr std::size_t kMostElements = 1500;
constexpr std::size_t kMostBytes = 60000;
constexpr std::size_t kMostChunks = 700;

std::size_t product(const std::vector<hsize_t>& dims) {
  std::size_t count = 1;
  for (const hsize_t dim : dims) count *= static_cast<std::size_t>(dim);
  return count;
}

}  // namespace

std::size_t SpacePlan::count() const {
  if (kind == SpaceKind::kNull) return 0;
  return kind == SpaceKind::kScalar ? 1 : product(dims);
}

const char* selecting_name(Selecting how) {
  static const char* const kNames[] = {"all", "none", "block", "strided", "combined", "points"};
  return kNames[static_cast<int>(how)];
}

const char* layout_name(Layout layout) {
  static const char* const kNames[] = {"compact", "contiguous", "chunked"};
  return kNames[static_cast<int>(layout)];
}

const char* bounds_name(Bounds bounds) {
  static const char* const kNames[] = {"earliest", "v18", "latest"};
  return kNames[static_cast<int>(bounds)];
}

std::vector<hsize_t> coordinates(std::size_t element, const std::vector<hsize_t>& dims) {
  std::vector<hsize_t> at(dims.size());
  for (std::size_t d = dims.size(); d-- > 0;) {
    at[d] = element % dims[d];
    element /= static_cast<std::size_t>(dims[d]);
  }
  return at;
}

void encode_element(const TypeModel& type, const std::uint64_t* slots, std::uint8_t* out) {
  if (type.kind != Kind::kCompound) {
    if (slots[0] == 0)
      std::memset(out, 0, type.size);
    else
      encode(type, slots[0], out);
    return;
  }
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    const std::uint64_t value = slots[type.identities[i]];
    if (value == 0)
      std::memset(out + type.offsets[i], 0, type.parts[i].size);
    else
      encode(type.parts[i], mix(value, type.identities[i]), out + type.offsets[i]);
  }
}

// ---- selections ------------------------------------------------------------------------------

namespace {

BoxPlan random_box(Rng& rng, const std::vector<hsize_t>& dims, bool strided) {
  BoxPlan box;
  for (const hsize_t dim : dims) {
    const hsize_t start = rng.below(dim);
    const hsize_t room = dim - start;
    hsize_t block = 1 + rng.below(room), count = 1, stride = block;
    if (strided && room > 1) {
      block = 1 + rng.below(std::min<hsize_t>(room, 3));
      stride = block + rng.below(3);
      count = 1 + rng.below((room - block) / stride + 1);
    }
    box.start.push_back(start);
    box.stride.push_back(stride);
    box.count.push_back(count);
    box.block.push_back(block);
  }
  return box;
}

bool box_has(const BoxPlan& box, const std::vector<hsize_t>& at) {
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (at[d] < box.start[d]) return false;
    const hsize_t offset = at[d] - box.start[d];
    if (offset / box.stride[d] >= box.count[d] || offset % box.stride[d] >= box.block[d])
      return false;
  }
  return true;
}

bool combine(H5S_seloper_t op, bool old_one, bool new_one) {
  switch (op) {
    case H5S_SELECT_OR: return old_one || new_one;
    case H5S_SELECT_AND: return old_one && new_one;
    case H5S_SELECT_XOR: return old_one != new_one;
    case H5S_SELECT_NOTB: return old_one && !new_one;
    case H5S_SELECT_NOTA: return new_one && !old_one;
    default: return new_one;
  }
}

void order_of_boxes(SelectionPlan& plan, const std::vector<hsize_t>& dims) {
  for (std::size_t i = 0; i < product(dims); ++i) {
    bool in = false;
    for (const BoxPlan& box : plan.boxes)
      in = combine(box.op, in, box_has(box, coordinates(i, dims)));
    if (in) plan.order.push_back(i);
  }
}

void choose_points(Rng& rng, SelectionPlan& plan, const std::vector<hsize_t>& dims) {
  std::vector<std::size_t> all(product(dims));
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::size_t count = 1 + rng.below(std::min<std::size_t>(all.size(), 40));
  for (std::size_t i = 0; i < count; ++i) {  // distinct, in random order
    std::swap(all[i], all[i + rng.below(all.size() - i)]);
    plan.order.push_back(all[i]);
    for (const hsize_t at : coordinates(all[i], dims)) plan.points.push_back(at);
  }
}

void choose_boxes(Rng& rng, SelectionPlan& plan, const std::vector<hsize_t>& dims) {
  static const H5S_seloper_t kOps[] = {H5S_SELECT_OR,  H5S_SELECT_OR,   H5S_SELECT_AND,
                                       H5S_SELECT_XOR, H5S_SELECT_NOTB, H5S_SELECT_NOTA};
  plan.boxes.push_back(random_box(rng, dims, plan.how != Selecting::kBlock));
  if (plan.how == Selecting::kCombined) {
    const int more = rng.between(1, 3);
    for (int i = 0; i < more; ++i) {
      plan.boxes.push_back(random_box(rng, dims, rng.chance(50)));
      plan.boxes.back().op = kOps[rng.below(6)];
    }
  }
  order_of_boxes(plan, dims);
}

}  // namespace

SelectionPlan make_selection(Rng& rng, const std::vector<hsize_t>& dims) {
  SelectionPlan plan;
  const std::size_t count = product(dims);
  plan.how = static_cast<Selecting>(rng.chance(5) ? 1 : rng.chance(25) ? 0 : rng.between(2, 5));
  if (count == 0 || dims.empty()) plan.how = Selecting::kAll;
  if (plan.how == Selecting::kAll) {
    plan.order.resize(count);
    std::iota(plan.order.begin(), plan.order.end(), std::size_t{0});
    return plan;
  }
  if (plan.how == Selecting::kPoints) choose_points(rng, plan, dims);
  if (plan.how >= Selecting::kBlock && plan.how <= Selecting::kCombined)
    choose_boxes(rng, plan, dims);
  if (rng.chance(40)) plan.memory_offset = rng.below(5);
  if (rng.chance(40)) plan.memory_stride = 1 + rng.below(3);
  return plan;
}

// ---- datasets --------------------------------------------------------------------------------

namespace {

class Maker {
 public:
  Maker(Rng rng, std::uint64_t seed, Profile profile) : rng_(std::move(rng)) {
    plan_.seed = seed;
    plan_.profile = profile;
  }
  FilePlan make();

 private:
  /// Whether libhdf5 would choose one of its newer chunk indexes for what can grow.
  bool narrow_latest() const {
    return plan_.profile == Profile::kExtending ||
           (plan_.profile == Profile::kNarrow && plan_.bounds == Bounds::kLatest);
  }
  void bin(const std::string& dimension, const std::string& value) {
    plan_.bins.insert(dimension + " " + value);
  }
  SpacePlan make_space(std::size_t element_size);
  AttributePlan make_attribute(int number);
  void make_attributes(ObjectPlan& object);
  void choose_layout(DatasetPlan& set);
  void choose_chunk(DatasetPlan& set);
  void choose_filters(DatasetPlan& set);
  DatasetPlan make_dataset();
  void add_step(DatasetPlan& set, int phase);
  void resize(DatasetPlan& set, StepPlan& step);
  void write(DatasetPlan& set, StepPlan& step);
  std::string name();
  std::string free_parent();
  void add_object(ObjectKind kind, const std::string& parent);
  void add_crowd();

  Rng rng_;
  FilePlan plan_;
  int next_name_ = 0;
};

SpacePlan Maker::make_space(std::size_t element_size) {
  SpacePlan space;
  if (rng_.chance(6)) {
    space.kind = SpaceKind::kNull;
  } else if (rng_.chance(10)) {
    space.kind = SpaceKind::kScalar;
  } else {
    const int ndims = rng_.between(1, 4);
    const int longest = ndims == 1 ? 300 : ndims == 2 ? 30 : ndims == 3 ? 11 : 6;
    for (int d = 0; d < ndims; ++d)
      space.dims.push_back(static_cast<hsize_t>(rng_.chance(2) ? 0 : rng_.between(1, longest)));
    while (product(space.dims) * element_size > kMostBytes)
      *std::max_element(space.dims.begin(), space.dims.end()) /= 2;
    space.most = space.dims;
  }
  return space;
}

void Maker::choose_chunk(DatasetPlan& set) {
  const bool whole = rng_.chance(20);
  for (std::size_t d = 0; d < set.space.dims.size(); ++d) {
    const hsize_t dim = std::max<hsize_t>(set.space.dims[d], 1);
    set.chunk.push_back(whole ? dim : 1 + rng_.below(dim));
    if (narrow_latest()) continue;  // extendible ones have indexes of their own there
    if (rng_.chance(30))
      set.space.most[d] = H5S_UNLIMITED;
    else if (rng_.chance(20))
      set.space.most[d] = dim + rng_.below(dim + 2);
    else
      set.space.most[d] = dim;
  }
  while (true) {
    std::size_t chunks = 1;
    for (std::size_t d = 0; d < set.chunk.size(); ++d)
      chunks *= static_cast<std::size_t>(set.space.dims[d] / set.chunk[d] + 1);
    if (chunks <= kMostChunks) break;
    for (std::size_t d = 0; d < set.chunk.size(); ++d)
      set.chunk[d] = std::min(set.chunk[d] * 2, std::max<hsize_t>(set.space.dims[d], 1));
  }
  if (narrow_latest()) set.early = true;
}

void Maker::choose_filters(DatasetPlan& set) {
  if (plan_.profile != Profile::kNarrow || narrow_latest() || !rng_.chance(50)) return;
  set.shuffle = rng_.chance(50);
  set.deflate = rng_.chance(60);
  set.fletcher = rng_.chance(40);
  if (set.shuffle) bin("filter", "shuffle");
  if (set.deflate) bin("filter", "deflate");
  if (set.fletcher) bin("filter", "fletcher32");
}

void Maker::choose_layout(DatasetPlan& set) {
  const bool simple = set.space.kind == SpaceKind::kSimple;
  const std::size_t bytes = set.space.count() * set.file.size;
  const bool empty = simple && set.space.count() == 0;
  set.layout = static_cast<Layout>(rng_.chance(55) ? 2 : rng_.below(2));
  if (!simple && set.layout == Layout::kChunked) set.layout = Layout::kContiguous;
  if (set.layout == Layout::kCompact &&
      (bytes > 30000 || empty || set.space.kind == SpaceKind::kNull))
    set.layout = Layout::kContiguous;
  if (empty && narrow_latest()) set.layout = Layout::kContiguous;
  if (set.layout == Layout::kChunked) {
    choose_chunk(set);
    choose_filters(set);
    if (!set.early && rng_.chance(15))
      set.early = true;
    else if (!set.early && rng_.chance(15))
      set.incremental = true;
  } else if (set.layout == Layout::kContiguous && rng_.chance(20)) {
    set.early = true;
  }
  bin("layout", layout_name(set.layout));
  if (set.early) bin("alloc", "early");
}

void Maker::resize(DatasetPlan& set, StepPlan& step) {
  const std::size_t slots = set.slots();
  step.dims = set.dims;
  bool grows = false, shrinks = false;
  for (std::size_t d = 0; d < step.dims.size(); ++d) {
    const hsize_t most = std::min<hsize_t>(set.space.most[d], set.dims[d] + 9);
    if (most > set.dims[d] && rng_.chance(60)) {
      const hsize_t larger = set.dims[d] + 1 + rng_.below(most - set.dims[d]);
      if (product(step.dims) / std::max<hsize_t>(set.dims[d], 1) * larger <= kMostElements) {
        step.dims[d] = larger;
        grows = true;
      }
    } else if (set.dims[d] > 1 && rng_.chance(25)) {
      step.dims[d] = 1 + rng_.below(set.dims[d]);
      shrinks = shrinks || step.dims[d] < set.dims[d];
    }
  }
  if (grows) bin("shape", "extended");
  if (shrinks) bin("shape", "shrunk");
  std::vector<std::uint64_t> moved(product(step.dims) * slots, set.fill);
  for (std::size_t i = 0; i < product(step.dims); ++i) {
    const std::vector<hsize_t> at = coordinates(i, step.dims);
    std::size_t from = 0;
    bool inside = true;
    for (std::size_t d = 0; d < at.size(); ++d) {
      inside = inside && at[d] < set.dims[d];
      from = from * static_cast<std::size_t>(set.dims[d]) + static_cast<std::size_t>(at[d]);
    }
    for (std::size_t s = 0; inside && s < slots; ++s)
      moved[i * slots + s] = set.values[from * slots + s];
  }
  set.values = moved;
  set.dims = step.dims;
}

void Maker::write(DatasetPlan& set, StepPlan& step) {
  const std::size_t slots = set.slots();
  step.selection = make_selection(rng_, set.dims);
  step.generation = rng_.next() | 1;
  step.converted = rng_.chance(50);
  // libhdf5 1.10.8 loses the other members where such a write covers a chunk or is the first.
  if (slots > 1 && plan_.profile == Profile::kWide && rng_.chance(30)) {
    for (std::size_t s = 0; s < slots; ++s)
      if (rng_.chance(50)) step.members.push_back(s);
    if (!step.members.empty()) bin("write", "some members");
  }
  for (std::size_t k = 0; k < step.selection.order.size(); ++k) {
    const std::size_t element = step.selection.order[k];
    const std::uint64_t value = mix(step.generation, k) | 1;
    for (std::size_t s = 0; s < slots; ++s)
      if (step.members.empty() ||
          std::find(step.members.begin(), step.members.end(), s) != step.members.end())
        set.values[element * slots + s] = value;
  }
  bin("selection", selecting_name(step.selection.how));
  bin("conversion", step.converted ? "yes" : "no");
}

void Maker::add_step(DatasetPlan& set, int phase) {
  StepPlan step;
  step.phase = phase;
  const bool extendible = set.layout == Layout::kChunked && set.space.most != set.space.dims;
  if (extendible && rng_.chance(40))
    resize(set, step);
  else
    write(set, step);
  set.steps.push_back(step);
}

DatasetPlan Maker::make_dataset() {
  DatasetPlan set;
  set.file = random_type(rng_, 2);
  if (set.file.size > 300) set.file = random_type(rng_, 0);
  if (rng_.chance(30)) {
    use_whole_range(set.file);
    set.memory = set.file;
  } else {
    set.memory = memory_variant(rng_, set.file);
  }
  set.space = make_space(set.file.size);
  if (set.space.kind == SpaceKind::kSimple)
    while (product(set.space.dims) > kMostElements)
      *std::max_element(set.space.dims.begin(), set.space.dims.end()) /= 2;
  set.space.most = set.space.dims;
  if (rng_.chance(30)) set.fill = rng_.next() | 1;
  set.committed_type = rng_.chance(10);
  choose_layout(set);
  set.dims = set.space.dims;
  set.values.assign(set.space.count() * set.slots(), set.fill);
  bin("type", kind_name(set.file.kind));
  bin("ndims", set.space.kind == SpaceKind::kNull     ? "null"
               : set.space.kind == SpaceKind::kScalar ? "scalar"
                                                      : std::to_string(set.space.dims.size()));
  if (set.space.kind == SpaceKind::kSimple && set.space.count() == 0) bin("shape", "empty");
  bin("fill", set.fill != 0 ? "given" : "default");
  if (set.space.kind == SpaceKind::kNull) return set;
  const int before = rng_.between(0, 3), after = rng_.between(0, 2);
  for (int i = 0; i < before; ++i) add_step(set, 0);
  for (int i = 0; i < after; ++i) add_step(set, 1);
  return set;
}

// ---- attributes and the tree -----------------------------------------------------------------

AttributePlan Maker::make_attribute(int number) {
  AttributePlan attribute;
  attribute.name = "attribute " + std::to_string(number * 37 % 101);
  attribute.file = random_type(rng_, 1);
  attribute.memory = rng_.chance(50) ? memory_variant(rng_, attribute.file) : attribute.file;
  attribute.space = make_space(attribute.file.size);
  while (attribute.space.kind == SpaceKind::kSimple &&
         attribute.space.count() * attribute.file.size > 2000)
    *std::max_element(attribute.space.dims.begin(), attribute.space.dims.end()) /= 2;
  attribute.space.most = attribute.space.dims;
  attribute.value = rng_.next() | 1;
  attribute.overwritten = rng_.chance(20);
  attribute.deleted = rng_.chance(10);
  if (attribute.overwritten) bin("attribute", "overwritten");
  if (attribute.deleted) bin("attribute", "deleted");
  return attribute;
}

void Maker::make_attributes(ObjectPlan& object) {
  int count = rng_.chance(50) ? 0 : rng_.between(1, 4);
  if (rng_.chance(6)) count = rng_.between(9, 25);
  for (int i = 0; i < count; ++i) object.attributes.push_back(make_attribute(i));
  bin("attributes", count == 0 ? "none" : count <= 8 ? "few" : "many");
}

std::string Maker::name() {
  static const char* const kForms[] = {"object", "with space", "a", "Zebra", "\xc3\xa9t\xc3\xa9"};
  std::string text = kForms[rng_.below(5)];
  text += std::to_string(next_name_++);
  if (rng_.chance(5)) text += std::string(static_cast<std::size_t>(rng_.between(50, 220)), 'x');
  return text;
}

/// A group that has room for one more link, or nothing.
std::string Maker::free_parent() {
  std::vector<std::string> groups;
  for (const ObjectPlan& object : plan_.objects)
    if (object.kind == ObjectKind::kGroup && !object.deleted &&
        std::count(object.path.begin(), object.path.end(), '/') < 5)
      groups.push_back(object.path);
  return groups.empty() ? std::string() : groups[rng_.below(groups.size())];
}

void Maker::add_object(ObjectKind kind, const std::string& parent) {
  ObjectPlan object;
  object.kind = kind;
  object.path = (parent == "/" ? "" : parent) + "/" + name();
  if (kind == ObjectKind::kHardLink || kind == ObjectKind::kSoftLink) {
    std::vector<std::string> targets;
    for (const ObjectPlan& other : plan_.objects)
      if (other.kind == ObjectKind::kDataset && !other.deleted) targets.push_back(other.path);
    if (targets.empty()) return;
    object.target = targets[rng_.below(targets.size())];
    if (kind == ObjectKind::kSoftLink && rng_.chance(30)) object.target = kNowhere;
    bin("link", kind == ObjectKind::kHardLink ? "hard" : "soft");
  } else {
    if (kind == ObjectKind::kDataset) object.dataset = make_dataset();
    if (kind == ObjectKind::kType) object.dataset.file = random_type(rng_, 2);
    make_attributes(object);
    object.deleted = kind != ObjectKind::kGroup && rng_.chance(8);
    if (object.deleted) bin("link", "deleted");
  }
  plan_.objects.push_back(object);
}

/// One group with many links.
void Maker::add_crowd() {
  ObjectPlan group;
  group.path = "/crowd";
  plan_.objects.push_back(group);
  const bool very = rng_.chance(45);
  const int count = very ? rng_.between(101, 160) : rng_.between(9, 40);
  bin("links", very ? "over 100" : "over 8");
  for (int i = 0; i < count; ++i) {
    const unsigned dice = static_cast<unsigned>(rng_.below(100));
    add_object(dice < 30   ? ObjectKind::kSoftLink
               : dice < 60 ? ObjectKind::kHardLink
               : dice < 95 ? ObjectKind::kGroup
                           : ObjectKind::kDataset,
               group.path);
  }
}

FilePlan Maker::make() {
  plan_.bounds = static_cast<Bounds>(rng_.below(3));
  if (rng_.chance(20)) plan_.user_block = hsize_t{512} << rng_.below(4);
  plan_.reopened = rng_.chance(40);
  bin("bounds", bounds_name(plan_.bounds));
  bin("user block", plan_.user_block != 0 ? "yes" : "no");
  bin("reopened", plan_.reopened ? "yes" : "no");
  ObjectPlan root;
  root.path = "/";
  make_attributes(root);
  plan_.objects.push_back(root);
  const int objects = rng_.between(1, 9);
  for (int i = 0; i < objects; ++i) {
    const unsigned dice = static_cast<unsigned>(rng_.below(100));
    const std::string parent = free_parent();
    if (parent.empty()) break;
    add_object(dice < 20   ? ObjectKind::kGroup
               : dice < 25 ? ObjectKind::kType
               : dice < 32 ? ObjectKind::kHardLink
               : dice < 38 ? ObjectKind::kSoftLink
                           : ObjectKind::kDataset,
               parent);
  }
  if (rng_.chance(20)) add_crowd();
  return plan_;
}

}  // namespace

FilePlan make_file_plan(std::uint64_t seed, Profile profile) {
  return Maker(Rng(mix(seed, 1)), seed, profile).make();
}

void move_under(FilePlan& plan, const std::string& group) {
  plan.appended = true;
  plan.user_block = 0;
  for (ObjectPlan& object : plan.objects) {
    object.path = object.path == "/" ? group : group + object.path;
    if (!object.target.empty() && object.target != kNowhere) object.target = group + object.target;
  }
}

FilePlan make_file_plan(const std::vector<std::uint64_t>& choices, Profile profile) {
  return Maker(Rng(choices), 0, profile).make();
}

}  // namespace oracle
