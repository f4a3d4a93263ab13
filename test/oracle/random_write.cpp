// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Carries out the plan of a random file with the library that this is linked to.
// Room: test/oracle, public C API only.

#include "random_write.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace oracle {

namespace {

herr_t add_reason(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) += std::string("; ") + error->desc;
  return 0;
}

}  // namespace

hid_t must(hid_t result, const char* what) {
  if (result >= 0) return result;
  std::string text = what;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, add_reason, &text);
  throw Refused(text);
}

hid_t make_space(const SpacePlan& plan) {
  if (plan.kind != SpaceKind::kSimple)
    return must(H5Screate(plan.kind == SpaceKind::kNull ? H5S_NULL : H5S_SCALAR), "H5Screate");
  return must(
      H5Screate_simple(static_cast<int>(plan.dims.size()), plan.dims.data(), plan.most.data()),
      "H5Screate_simple");
}

namespace {

void select_one_by_one(hid_t space, const SelectionPlan& plan) {
  std::vector<hsize_t> dims(32), points;
  dims.resize(static_cast<std::size_t>(H5Sget_simple_extent_dims(space, dims.data(), nullptr)));
  for (const std::size_t element : plan.order)
    for (const hsize_t at : coordinates(element, dims)) points.push_back(at);
  if (plan.order.empty())
    must(H5Sselect_none(space), "H5Sselect_none");
  else
    must(H5Sselect_elements(space, H5S_SELECT_SET, plan.order.size(), points.data()),
         "H5Sselect_elements");
}

}  // namespace

void select(hid_t space, const SelectionPlan& plan, Combining combining) {
  // libhdf5 1.10.8 gets one in 400 combined hyperslabs wrong (it takes the union for a regular
  // one), so it is given the elements instead: the model says which they are.
  if (plan.how == Selecting::kCombined && combining == Combining::kByElements) {
    select_one_by_one(space, plan);
    return;
  }
  switch (plan.how) {
    case Selecting::kAll: must(H5Sselect_all(space), "H5Sselect_all"); break;
    case Selecting::kNone: must(H5Sselect_none(space), "H5Sselect_none"); break;
    case Selecting::kPoints:
      must(H5Sselect_elements(space, H5S_SELECT_SET, plan.order.size(), plan.points.data()),
           "H5Sselect_elements");
      break;
    default:
      for (const BoxPlan& box : plan.boxes)
        must(H5Sselect_hyperslab(space, box.op, box.start.data(), box.stride.data(),
                                 box.count.data(), box.block.data()),
             "H5Sselect_hyperslab");
  }
}

std::size_t memory_elements(const SelectionPlan& plan) {
  return plan.memory_offset + plan.order.size() * plan.memory_stride + 1;
}

hid_t make_memory_space(const SelectionPlan& plan) {
  const hsize_t total = memory_elements(plan), start = plan.memory_offset;
  const hsize_t stride = plan.memory_stride, count = plan.order.size();
  const hid_t space = must(H5Screate_simple(1, &total, nullptr), "H5Screate_simple");
  if (count == 0)
    must(H5Sselect_none(space), "H5Sselect_none");
  else
    must(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, nullptr),
         "H5Sselect_hyperslab");
  return space;
}

namespace {

class Writer {
 public:
  Writer(const FilePlan& plan, const std::string& name, Combining combining)
      : plan_(plan), name_(name), combining_(combining) {}
  void run();

 private:
  void create_file();
  void open_file();
  hid_t access_list() const;
  void create_object(const ObjectPlan& object, std::size_t number);
  void create_dataset(const ObjectPlan& object, bool anonymous);
  hid_t creation_list(const DatasetPlan& set) const;
  void run_steps(hid_t dataset, const DatasetPlan& set, int phase);
  void run_step(hid_t dataset, const DatasetPlan& set, const StepPlan& step);
  void write_attribute(hid_t object, const AttributePlan& attribute, std::uint64_t value);
  void create_attributes(hid_t object, const ObjectPlan& plan);
  void finish_attributes(const ObjectPlan& plan);
  void delete_objects();
  void fill_user_block() const;

  const FilePlan& plan_;
  std::string name_;
  Combining combining_;
  hid_t file_ = -1;
};

hid_t Writer::access_list() const {
  const hid_t list = must(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate");
  // A file that is there may have a newer superblock than a high bound of 1.8 allows.
  const H5F_libver_t high = plan_.appended ? H5F_LIBVER_LATEST : H5F_LIBVER_V18;
  if (plan_.bounds == Bounds::kV18)
    must(H5Pset_libver_bounds(list, H5F_LIBVER_V18, high), "H5Pset_libver_bounds");
  if (plan_.bounds == Bounds::kLatest)
    must(H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "H5Pset_libver_bounds");
  return list;
}

void Writer::create_file() {
  const hid_t access = access_list();
  const hid_t creation = must(H5Pcreate(H5P_FILE_CREATE), "H5Pcreate");
  must(H5Pset_userblock(creation, plan_.user_block), "H5Pset_userblock");
  file_ = must(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, creation, access), "H5Fcreate");
  must(H5Pclose(creation), "H5Pclose");
  must(H5Pclose(access), "H5Pclose");
}

void Writer::open_file() {
  const hid_t access = access_list();
  file_ = must(H5Fopen(name_.c_str(), H5F_ACC_RDWR, access), "H5Fopen to write");
  must(H5Pclose(access), "H5Pclose");
}

hid_t Writer::creation_list(const DatasetPlan& set) const {
  const hid_t list = must(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
  if (set.layout == Layout::kCompact) must(H5Pset_layout(list, H5D_COMPACT), "H5Pset_layout");
  if (set.layout == Layout::kChunked)
    must(H5Pset_chunk(list, static_cast<int>(set.chunk.size()), set.chunk.data()), "H5Pset_chunk");
  if (set.early) must(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY), "H5Pset_alloc_time");
  if (set.incremental) must(H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR), "H5Pset_alloc_time");
  if (set.shuffle) must(H5Pset_shuffle(list), "H5Pset_shuffle");
  if (set.deflate) must(H5Pset_deflate(list, 6), "H5Pset_deflate");
  if (set.fletcher) must(H5Pset_fletcher32(list), "H5Pset_fletcher32");
  // libhdf5 leaves whatever the space held before where nothing is written to these.
  if (plan_.profile != Profile::kWide && set.layout == Layout::kContiguous)
    must(H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC), "H5Pset_fill_time");
  if (set.fill != 0) {
    std::vector<std::uint8_t> value(set.memory.size);
    const std::vector<std::uint64_t> slots(set.slots(), set.fill);
    const hid_t type = must(make_type(set.memory), "the type of the fill value");
    encode_element(set.memory, slots.data(), value.data());
    must(H5Pset_fill_value(list, type, value.data()), "H5Pset_fill_value");
    must(H5Tclose(type), "H5Tclose");
  }
  return list;
}

void Writer::create_dataset(const ObjectPlan& object, bool anonymous) {
  const DatasetPlan& set = object.dataset;
  const hid_t type = must(make_type(set.file), "the type of a dataset");
  if (set.committed_type && !object.deleted)
    must(H5Tcommit_anon(file_, type, H5P_DEFAULT, H5P_DEFAULT), "H5Tcommit_anon");
  const hid_t space = make_space(set.space), list = creation_list(set);
  hid_t dataset = -1;
  if (anonymous) {
    dataset = must(H5Dcreate_anon(file_, type, space, list, H5P_DEFAULT), "H5Dcreate_anon");
    must(H5Olink(dataset, file_, object.path.c_str(), H5P_DEFAULT, H5P_DEFAULT), "H5Olink");
  } else {
    dataset =
        must(H5Dcreate2(file_, object.path.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT),
             "H5Dcreate2");
  }
  run_steps(dataset, set, 0);
  create_attributes(dataset, object);
  must(H5Dclose(dataset), "H5Dclose");
  must(H5Pclose(list), "H5Pclose");
  must(H5Sclose(space), "H5Sclose");
  must(H5Tclose(type), "H5Tclose");
}

void Writer::run_steps(hid_t dataset, const DatasetPlan& set, int phase) {
  for (const StepPlan& step : set.steps) {
    if (step.phase != phase) continue;
    if (!step.dims.empty())
      must(H5Dset_extent(dataset, step.dims.data()), "H5Dset_extent");
    else
      run_step(dataset, set, step);
  }
}

void Writer::run_step(hid_t dataset, const DatasetPlan& set, const StepPlan& step) {
  const SelectionPlan& selection = step.selection;
  TypeModel type = step.converted ? set.memory : set.file;
  if (!step.members.empty()) type = only_members(type, step.members);
  std::vector<std::uint8_t> memory(memory_elements(selection) * type.size, 0xa5);
  for (std::size_t k = 0; k < selection.order.size(); ++k) {
    const std::size_t at = selection.memory_offset + k * selection.memory_stride;
    const std::vector<std::uint64_t> slots(set.slots(), mix(step.generation, k) | 1);
    encode_element(type, slots.data(), memory.data() + at * type.size);
  }
  const bool all = selection.how == Selecting::kAll;
  const hid_t file_space = all ? H5S_ALL : must(H5Dget_space(dataset), "H5Dget_space");
  const hid_t memory_space = all ? H5S_ALL : make_memory_space(selection);
  const hid_t id = must(make_type(type), "a type of memory");
  if (!all) select(file_space, selection, combining_);
  must(H5Dwrite(dataset, id, memory_space, file_space, H5P_DEFAULT, memory.data()), "H5Dwrite");
  must(H5Tclose(id), "H5Tclose");
  if (all) return;
  must(H5Sclose(memory_space), "H5Sclose");
  must(H5Sclose(file_space), "H5Sclose");
}

void Writer::write_attribute(hid_t object, const AttributePlan& attribute, std::uint64_t value) {
  const std::size_t count = attribute.space.count();
  const TypeModel& type = attribute.memory;
  std::vector<std::uint8_t> memory(count * type.size + 1);
  for (std::size_t i = 0; i < count; ++i)
    encode(type, mix(value, i) | 1, memory.data() + i * type.size);
  const hid_t id = must(make_type(type), "a type of memory");
  const hid_t attribute_id = must(H5Aopen(object, attribute.name.c_str(), H5P_DEFAULT), "H5Aopen");
  must(H5Awrite(attribute_id, id, memory.data()), "H5Awrite");
  must(H5Aclose(attribute_id), "H5Aclose");
  must(H5Tclose(id), "H5Tclose");
}

void Writer::create_attributes(hid_t object, const ObjectPlan& plan) {
  for (const AttributePlan& attribute : plan.attributes) {
    const hid_t type = must(make_type(attribute.file), "the type of an attribute");
    const hid_t space = make_space(attribute.space);
    const hid_t id =
        must(H5Acreate2(object, attribute.name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
             "H5Acreate2");
    must(H5Aclose(id), "H5Aclose");
    must(H5Sclose(space), "H5Sclose");
    must(H5Tclose(type), "H5Tclose");
    const std::uint64_t first = attribute.overwritten ? attribute.value + 1 : attribute.value;
    if (attribute.space.kind != SpaceKind::kNull) write_attribute(object, attribute, first);
  }
}

void Writer::finish_attributes(const ObjectPlan& plan) {
  const hid_t object = must(H5Oopen(file_, plan.path.c_str(), H5P_DEFAULT), "H5Oopen");
  for (const AttributePlan& attribute : plan.attributes) {
    if (attribute.overwritten && attribute.space.kind != SpaceKind::kNull)
      write_attribute(object, attribute, attribute.value);
    if (attribute.deleted) must(H5Adelete(object, attribute.name.c_str()), "H5Adelete");
  }
  must(H5Oclose(object), "H5Oclose");
}

void Writer::create_object(const ObjectPlan& object, std::size_t number) {
  const char* const path = object.path.c_str();
  if (object.kind == ObjectKind::kDataset) {
    create_dataset(object, mix(plan_.seed, number) % 8 == 0);
  } else if (object.kind == ObjectKind::kHardLink) {
    must(H5Lcreate_hard(file_, object.target.c_str(), file_, path, H5P_DEFAULT, H5P_DEFAULT),
         "H5Lcreate_hard");
  } else if (object.kind == ObjectKind::kSoftLink) {
    must(H5Lcreate_soft(object.target.c_str(), file_, path, H5P_DEFAULT, H5P_DEFAULT),
         "H5Lcreate_soft");
  } else if (object.kind == ObjectKind::kType) {
    const hid_t type = must(make_type(object.dataset.file), "a committed type");
    must(H5Tcommit2(file_, path, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Tcommit2");
    create_attributes(type, object);
    must(H5Tclose(type), "H5Tclose");
  } else {
    const hid_t group =
        number == 0 && !plan_.appended
            ? must(H5Gopen2(file_, path, H5P_DEFAULT), "H5Gopen2")
            : must(H5Gcreate2(file_, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Gcreate2");
    create_attributes(group, object);
    must(H5Gclose(group), "H5Gclose");
  }
}

void Writer::delete_objects() {
  for (const ObjectPlan& object : plan_.objects)
    if (object.deleted) must(H5Ldelete(file_, object.path.c_str(), H5P_DEFAULT), "H5Ldelete");
}

/// What a program puts before the file must survive: written after the file is closed.
void Writer::fill_user_block() const {
  if (plan_.user_block == 0) return;
  std::FILE* const stream = std::fopen(name_.c_str(), "r+b");
  const std::string text(static_cast<std::size_t>(plan_.user_block), 'U');
  if (stream == nullptr || std::fwrite(text.data(), 1, text.size(), stream) != text.size() ||
      std::fclose(stream) != 0)
    must(-1, "writing the user block");
}

void Writer::run() {
  if (plan_.appended)
    open_file();
  else
    create_file();
  for (std::size_t i = 0; i < plan_.objects.size(); ++i) create_object(plan_.objects[i], i);
  if (plan_.reopened) {
    must(H5Fclose(file_), "H5Fclose");
    fill_user_block();
    open_file();
  }
  // Where freed space may be used again without being cleared, nothing is written after deletes.
  if (plan_.profile == Profile::kWide) delete_objects();
  for (const ObjectPlan& object : plan_.objects) {
    if (object.kind == ObjectKind::kDataset && !object.deleted) {
      const hid_t set = must(H5Dopen2(file_, object.path.c_str(), H5P_DEFAULT), "H5Dopen2");
      run_steps(set, object.dataset, 1);
      must(H5Dclose(set), "H5Dclose");
    }
    if (!object.attributes.empty() && !object.deleted) finish_attributes(object);
  }
  if (plan_.profile != Profile::kWide) delete_objects();
  must(H5Fclose(file_), "H5Fclose");
  fill_user_block();
}

}  // namespace

TypeModel only_members(const TypeModel& type, const std::vector<std::size_t>& members) {
  TypeModel part = type;
  part.parts.clear();
  part.names.clear();
  part.offsets.clear();
  part.identities.clear();
  for (std::size_t i = 0; i < type.parts.size(); ++i)
    for (const std::size_t member : members)
      if (type.identities[i] == member) {
        part.parts.push_back(type.parts[i]);
        part.names.push_back(type.names[i]);
        part.offsets.push_back(type.offsets[i]);
        part.identities.push_back(member);
      }
  return part;
}

void write_file(const FilePlan& plan, const std::string& name, Combining combining) {
  Writer(plan, name, combining).run();
}

}  // namespace oracle
