// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What one random file shall hold: a plan made from a seed before any call of the library.
// Room: test/oracle. The plan carries the model of every value, so that it predicts what a
// reader must find; writing, checking and the manifest all start from the same plan.

#ifndef PCIO_TEST_ORACLE_RANDOM_PLAN_HPP
#define PCIO_TEST_ORACLE_RANDOM_PLAN_HPP

#include <map>
#include <set>
#include <string>
#include <vector>

#include "random_types.hpp"

namespace oracle {

/// What the writer of the file can do. kWide: everything of the campaign. kNarrow: structures
/// that a reader without the newer chunk indexes understands, when libhdf5 writes them; in
/// exchange filters are used.
/// kExtending: the same where the file may be of any version, which chooses chunk indexes too.
enum class Profile { kWide, kNarrow, kExtending };
enum class Bounds { kEarliest, kV18, kLatest };
enum class SpaceKind { kNull, kScalar, kSimple };
enum class Layout { kCompact, kContiguous, kChunked };
enum class Selecting { kAll, kNone, kBlock, kStrided, kCombined, kPoints };

struct SpacePlan {
  SpaceKind kind = SpaceKind::kSimple;
  std::vector<hsize_t> dims, most;
  std::size_t count() const;
};

/// One hyperslab call.
struct BoxPlan {
  H5S_seloper_t op = H5S_SELECT_SET;
  std::vector<hsize_t> start, stride, count, block;
};

struct SelectionPlan {
  Selecting how = Selecting::kAll;
  std::vector<BoxPlan> boxes;
  std::vector<hsize_t> points;     // [n][ndims]
  std::vector<std::size_t> order;  // elements of the space in the order of the transfer
  std::size_t memory_offset = 0;   // elements of memory before the first one
  std::size_t memory_stride = 1;   // elements
};

/// One step in a dataset's life: a change of shape (dims not empty) or a write.
struct StepPlan {
  int phase = 0;
  std::vector<hsize_t> dims;
  SelectionPlan selection;
  std::uint64_t generation = 0;
  bool converted = false;            // written from the memory type, else from the file's
  std::vector<std::size_t> members;  // of a compound: only these; empty is all
};

struct AttributePlan {
  std::string name;
  TypeModel file, memory;
  SpacePlan space;
  std::uint64_t value = 0;
  bool overwritten = false, deleted = false;
};

struct DatasetPlan {
  TypeModel file, memory;
  SpacePlan space;  // at creation
  Layout layout = Layout::kContiguous;
  std::vector<hsize_t> chunk;
  bool early = false, incremental = false, shuffle = false, deflate = false, fletcher = false;
  bool committed_type = false;
  std::uint64_t fill = 0;  // 0: the default
  std::vector<StepPlan> steps;
  std::vector<hsize_t> dims;          // at the end
  std::vector<std::uint64_t> values;  // [element][slot] at the end; 0 is zero bytes

  std::size_t slots() const { return file.kind == Kind::kCompound ? file.parts.size() : 1; }
};

enum class ObjectKind { kGroup, kDataset, kType, kHardLink, kSoftLink };

struct ObjectPlan {
  ObjectKind kind = ObjectKind::kGroup;
  std::string path, target;  // target: of links
  bool deleted = false;
  std::vector<AttributePlan> attributes;
  DatasetPlan dataset;  // also the type of a committed type
};

struct FilePlan {
  std::uint64_t seed = 0;
  Profile profile = Profile::kWide;
  Bounds bounds = Bounds::kEarliest;
  hsize_t user_block = 0;
  bool reopened = false;
  bool appended = false;            // to a file that another program wrote
  std::vector<ObjectPlan> objects;  // parents before children; the first is the root
  std::set<std::string> bins;       // "dimension value", for the histogram
};

FilePlan make_file_plan(std::uint64_t seed, Profile profile);
/// The same from choices; `seed` of the plan is then only a name.
FilePlan make_file_plan(const std::vector<std::uint64_t>& choices, Profile profile);

/// The same objects below the group `group` ("/added") of a file that is there already.
void move_under(FilePlan& plan, const std::string& group);

/// A random selection of a space of `dims`; never empty-handed about the order of elements.
SelectionPlan make_selection(Rng& rng, const std::vector<hsize_t>& dims);

/// Where element number `element` of a space lies.
std::vector<hsize_t> coordinates(std::size_t element, const std::vector<hsize_t>& dims);

/// One element's bytes in `type`, which is the file's type or a variant of it.
void encode_element(const TypeModel& type, const std::uint64_t* slots, std::uint8_t* out);

const char* selecting_name(Selecting how);
const char* layout_name(Layout layout);
const char* bounds_name(Bounds bounds);

}  // namespace oracle

#endif
