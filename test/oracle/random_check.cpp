// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Reads a random file back and compares it with its plan; prints what a reader must find in it.
// Room: test/oracle, public C API only.

#include <cstdio>
#include <cstring>

#include "random_write.hpp"

namespace oracle {
namespace {

bool has_space_padding(const TypeModel& type) {
  if (type.kind == Kind::kString && type.string_pad == 2) return true;
  for (const TypeModel& part : type.parts)
    if (has_space_padding(part)) return true;
  return false;
}

/// The type in a word, for the message of a difference.
std::string type_words(const TypeModel& type) {
  std::string text = kind_name(type.kind);
  text += "(" + std::to_string(type.size);
  if (type.precision != 0)
    text += " " + std::to_string(type.precision) + "@" + std::to_string(type.bit_offset);
  if (type.big_endian) text += " BE";
  for (const TypeModel& part : type.parts) text += " " + type_words(part);
  return text + ")";
}

/// Reads one selection and counts the elements that are not what the model says.
int check_selection(hid_t dataset, const DatasetPlan& set, const SelectionPlan& selection,
                    bool converted, Combining combining) {
  const TypeModel& type = converted ? set.memory : set.file;
  std::vector<std::uint8_t> memory(memory_elements(selection) * type.size, 0xa5);
  std::vector<std::uint8_t> expected = memory;
  for (std::size_t k = 0; k < selection.order.size(); ++k) {
    const std::size_t at = selection.memory_offset + k * selection.memory_stride;
    encode_element(type, set.values.data() + selection.order[k] * set.slots(),
                   expected.data() + at * type.size);
  }
  const bool all = selection.how == Selecting::kAll;
  const hid_t file_space = all ? H5S_ALL : must(H5Dget_space(dataset), "H5Dget_space");
  const hid_t memory_space = all ? H5S_ALL : make_memory_space(selection);
  const hid_t id = must(make_type(type), "a type of memory");
  if (!all) select(file_space, selection, combining);
  must(H5Dread(dataset, id, memory_space, file_space, H5P_DEFAULT, memory.data()), "H5Dread");
  must(H5Tclose(id), "H5Tclose");
  if (!all) {
    must(H5Sclose(memory_space), "H5Sclose");
    must(H5Sclose(file_space), "H5Sclose");
  }
  int wrong = 0;
  for (std::size_t i = 0; i < memory_elements(selection); ++i)
    if (!same_value(type, memory.data() + i * type.size, expected.data() + i * type.size)) ++wrong;
  return wrong;
}

int check_dataset(hid_t file, const ObjectPlan& object, Rng& rng, Combining combining) {
  const DatasetPlan& set = object.dataset;
  const hid_t dataset = must(H5Dopen2(file, object.path.c_str(), H5P_DEFAULT), "H5Dopen2");
  int wrong = 0;
  for (int i = 0; i < 3; ++i) {
    const SelectionPlan selection = make_selection(rng, set.dims);
    // Zero bytes have no one form in a string padded by spaces of another size.
    const bool converted = rng.chance(50) && !has_space_padding(set.file);
    const int here = check_selection(dataset, set, selection, converted, combining);
    if (here != 0)
      std::printf("wrong: %s: %d of %zu elements, selection %s, %s read as %s\n",
                  object.path.c_str(), here, selection.order.size(), selecting_name(selection.how),
                  type_words(set.file).c_str(), converted ? type_words(set.memory).c_str() : "is");
    wrong += here;
  }
  must(H5Dclose(dataset), "H5Dclose");
  return wrong;
}

int check_user_block(const FilePlan& plan, const std::string& name) {
  std::FILE* const stream = std::fopen(name.c_str(), "rb");
  int wrong = 0;
  for (hsize_t i = 0; stream != nullptr && i < plan.user_block; ++i)
    if (std::fgetc(stream) != 'U') ++wrong;
  if (stream != nullptr) std::fclose(stream);
  if (wrong != 0) std::printf("wrong: the user block: %d bytes\n", wrong);
  return wrong;
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    char piece[8];
    std::snprintf(piece, sizeof piece,
                  byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\' ? "\\x%02x" : "%c", byte);
    text += piece;
  }
  return text + "\"";
}

void print_attributes(const ObjectPlan& object) {
  for (const AttributePlan& attribute : object.attributes) {
    if (attribute.deleted || attribute.space.count() == 0) continue;
    std::vector<std::uint8_t> value(attribute.file.size);
    Hash hash = kHashStart;
    for (std::size_t i = 0; i < attribute.space.count(); ++i) {
      encode(attribute.file, mix(attribute.value, i) | 1, value.data());
      hash = hash_value(attribute.file, hash, value.data());
    }
    std::printf("attribute %s %s %016llx\n", quoted(object.path).c_str(),
                quoted(attribute.name).c_str(), static_cast<unsigned long long>(hash));
  }
}

void print_dataset(const ObjectPlan& object) {
  const DatasetPlan& set = object.dataset;
  std::vector<std::uint8_t> value(set.file.size);
  Hash hash = kHashStart;
  const std::size_t count = set.values.size() / set.slots();
  for (std::size_t i = 0; i < count; ++i) {
    encode_element(set.file, set.values.data() + i * set.slots(), value.data());
    hash = hash_value(set.file, hash, value.data());
  }
  if (count == 0)
    std::printf("dataset %s empty\n", quoted(object.path).c_str());
  else
    std::printf("dataset %s %016llx\n", quoted(object.path).c_str(),
                static_cast<unsigned long long>(hash));
}

}  // namespace

void print_manifest(const FilePlan& plan) {
  for (const std::string& bin : plan.bins) std::printf("bin %s\n", bin.c_str());
  for (const ObjectPlan& object : plan.objects) {
    if (object.deleted) continue;
    if (object.kind == ObjectKind::kDataset) print_dataset(object);
    if (object.kind == ObjectKind::kSoftLink)
      std::printf("soft %s %s\n", quoted(object.path).c_str(), quoted(object.target).c_str());
    if (object.kind == ObjectKind::kHardLink)
      std::printf("hard %s %s\n", quoted(object.path).c_str(), quoted(object.target).c_str());
    if (object.kind == ObjectKind::kType || object.kind == ObjectKind::kGroup)
      std::printf("%s %s\n", object.kind == ObjectKind::kType ? "type" : "group",
                  quoted(object.path).c_str());
    print_attributes(object);
  }
}

int check_file(const FilePlan& plan, const std::string& name, Combining combining) {
  Rng rng(mix(plan.seed, 2));
  const hid_t file = must(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "H5Fopen");
  int wrong = check_user_block(plan, name);
  for (const ObjectPlan& object : plan.objects)
    if (object.kind == ObjectKind::kDataset && !object.deleted &&
        object.dataset.space.kind != SpaceKind::kNull)
      wrong += check_dataset(file, object, rng, combining);
  must(H5Fclose(file), "H5Fclose");
  return wrong;
}

}  // namespace oracle
