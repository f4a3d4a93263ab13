// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// One object after the other: its structure. Room: tools, public headers only.

#include "object_check.hpp"

#include <cstring>
#include <pcio.h>

namespace check {

namespace {

constexpr std::size_t kMostValue = std::size_t{256} << 20;  // bytes of an attribute

herr_t keep_range(const pcio_range_t* range, void* out) {
  static_cast<Findings*>(out)->ranges.push_back(
      {range->start, range->bytes, range->object, static_cast<std::uint8_t>(range->use)});
  return 0;
}

herr_t keep_name(hid_t, const char* name, const H5A_info_t*, void* out) {
  static_cast<std::vector<std::string>*>(out)->emplace_back(name);
  return 0;
}

}  // namespace

/// An attribute that could be opened.
struct ObjectCheck::Attribute {
  hid_t id, type, space;
  std::string name;
};

void ObjectCheck::ranges(hid_t object, haddr_t address, const std::string& path) {
  found_.names.push_back({address, path});
  if (pcio_visit_ranges(object, 0, keep_range, &found_) < 0)
    tell_reason(&found_, "structure", path);
}

void ObjectCheck::structure(const Object& object) {
  const tools::Id id(H5Oopen_by_addr(file_, object.address));
  if (!id.valid()) {
    tell_reason(&found_, "object", object.path);
    return;
  }
  ranges(id.get(), object.address, object.path);
  count_links(id.get(), object);
  attributes(id.get(), object.path);
  if (object.type == H5I_GROUP) found_.count(Counted::kGroups);
  if (object.type == H5I_DATATYPE) found_.count(Counted::kTypes);
  if (object.type != H5I_DATASET) return;
  found_.count(Counted::kDatasets);
  const tools::Id type(H5Dget_type(id.get())), space(H5Dget_space(id.get())),
      list(H5Dget_create_plist(id.get()));
  if (!type.valid() || !space.valid() || !list.valid()) {
    tell_reason(&found_, "dataset", object.path);
    return;
  }
  meet_type(type.get());
  note_later_references(ReferenceMap(type.get()), object.path, "");
  ask_for_nothing(id.get(), type.get(), object.path);
  hsize_t chunks = 0;
  if (H5Pget_layout(list.get()) != H5D_CHUNKED) return;
  if (H5Dget_num_chunks(id.get(), H5S_ALL, &chunks) < 0)
    tell_reason(&found_, "chunks", object.path);
  found_.count(Counted::kChunks, chunks);
}

/// What stands in the way of its elements, as a list of other files that makes no sense, is told when some are asked
/// for, and be it none.
void ObjectCheck::ask_for_nothing(hid_t dataset, hid_t type, const std::string& path) {
  const tools::Id nothing(H5Dget_space(dataset));
  char no_element = 0;
  if (H5Sselect_none(nothing.get()) < 0 ||
      H5Dread(dataset, type, nothing.get(), nothing.get(), H5P_DEFAULT, &no_element) < 0)
    tell_reason(&found_, "dataset", path);
}

/// Of what only references lead to nobody knows how many links there should be.
void ObjectCheck::count_links(hid_t id, const Object& object) {
  H5O_info_t info{};
  if (walk_.loose()) return;
  if (H5Oget_info2(id, &info, H5O_INFO_BASIC) < 0)
    tell_reason(&found_, "object", object.path);
  else
    found_.links[object.address].counted = info.rc;
}

void ObjectCheck::attributes(hid_t object, const std::string& path) {
  std::vector<std::string> names;
  hsize_t from = 0;
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &from, keep_name, &names) < 0)
    tell_reason(&found_, "attributes", path);
  found_.count(Counted::kAttributes, names.size());
  for (const std::string& name : names) attribute(object, name, path);
}

void ObjectCheck::attribute(hid_t object, const std::string& name, const std::string& path) {
  const std::string before = "attribute " + tools::printable(name) + ": ";
  const tools::Id id(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  const tools::Id type(id.valid() ? H5Aget_type(id.get()) : H5I_INVALID_HID);
  const tools::Id space(type.valid() ? H5Aget_space(id.get()) : H5I_INVALID_HID);
  if (!space.valid()) {
    tell_reason(&found_, "attributes", path, before);
    return;
  }
  meet_type(type.get());
  attribute_value({id.get(), type.get(), space.get(), name}, path);
}

void ObjectCheck::attribute_value(const Attribute& attribute, const std::string& path) {
  const hssize_t count = H5Sget_simple_extent_npoints(attribute.space);
  const std::size_t size = H5Tget_size(attribute.type);
  if (count <= 0 || size == 0) return;
  const auto elements = static_cast<std::size_t>(count);
  const std::string before = "attribute " + tools::printable(attribute.name) + ": ";
  if (elements > kMostValue / size) {
    found_.note("attributes", path, before + "not read: it is too large");
    return;
  }
  std::vector<char> value(elements * size);
  if (H5Aread(attribute.id, attribute.type, value.data()) < 0) {
    tell_reason(&found_, "attributes", path, before);
    return;
  }
  BadReferences bad;
  const ReferenceMap map(attribute.type);
  note_later_references(map, path, before);
  references(map, value.data(), elements, &bad);
  if (H5Tdetect_class(attribute.type, H5T_VLEN) > 0 || H5Tis_variable_str(attribute.type) > 0 ||
      H5Tdetect_class(attribute.type, H5T_STRING) > 0)
    H5Dvlen_reclaim(attribute.type, attribute.space, H5P_DEFAULT, value.data());
  H5Eclear2(H5E_DEFAULT);
  tell_bad(bad, path, before);
}

void ObjectCheck::meet_type(hid_t type) {
  H5O_info_t info{};
  if (H5Tcommitted(type) > 0 && H5Oget_info2(type, &info, H5O_INFO_BASIC) >= 0) {
    LinkCount& count = found_.links[info.addr];
    if (walk_.loose())
      count.loose = true;
    else
      ++count.uses;
    meet(info.addr, fmt::format("type at {}", info.addr), false);
  }
  H5Eclear2(H5E_DEFAULT);
}

void ObjectCheck::meet(haddr_t address, const std::string& path, bool loose) {
  if (!walk_.has_seen(address)) met_.push_back({{address, path}, loose});
}

/// Each object that is referred to is looked for once.
bool ObjectCheck::leads_somewhere(H5R_type_t kind, const void* reference) {
  haddr_t address = HADDR_UNDEF;
  if (kind == H5R_OBJECT) {
    std::memcpy(&address, reference, sizeof address);
    const auto known = known_targets_.find(address);
    if (known != known_targets_.end()) return known->second;
  }
  H5O_type_t type = H5O_TYPE_UNKNOWN;
  const bool there = H5Rget_obj_type2(file_, kind, reference, &type) >= 0;
  H5Eclear2(H5E_DEFAULT);
  if (kind == H5R_OBJECT) {
    known_targets_.emplace(address, there);
    if (there) meet(address, fmt::format("object at {}", address), true);
  }
  return there;
}

/// What it selects is kept in a heap; it has to be a selection of the dataset that it leads to.
void ObjectCheck::look_at_region(const void* reference, BadReferences* bad) {
  const tools::Id region(H5Rget_region(file_, H5R_DATASET_REGION, reference));
  if (region.valid()) return;
  const Reason reason = take_reason();
  H5Eclear2(H5E_DEFAULT);
  if (!reason.is_missing && bad->regions++ == 0) bad->why = reason.text;
}

void ObjectCheck::note_later_references(const ReferenceMap& map, const std::string& path,
                                        const std::string& before) {
  if (map.has_later())
    found_.note("reference", path,
                before + "of a format behind 1.10: where they lead is not looked at");
}

void ObjectCheck::references(const ReferenceMap& map, const void* elements, std::size_t count,
                             BadReferences* bad) {
  if (map.empty()) return;
  map.visit(elements, count, [&](H5R_type_t kind, const void* reference) {
    if (!leads_somewhere(kind, reference))
      ++bad->nowhere;
    else if (kind == H5R_DATASET_REGION)
      look_at_region(reference, bad);
  });
}

void ObjectCheck::tell_bad(const BadReferences& bad, const std::string& path,
                           const std::string& before) {
  if (bad.nowhere > 0)
    found_.note("reference", path,
                fmt::format("{}{} references lead nowhere", before, bad.nowhere));
  if (bad.regions > 0)
    found_.wrong("reference", path,
                 fmt::format("{}{} references to regions select nothing that there is: {}", before,
                             bad.regions, bad.why));
}

void ObjectCheck::make_loose(std::size_t findings, std::size_t ranges) {
  for (; findings < found_.list.size(); ++findings) found_.list[findings].weight = Weight::kNote;
  for (; ranges < found_.ranges.size(); ++ranges) found_.ranges[ranges].loose = true;
}

void ObjectCheck::met() {
  while (!met_.empty()) {
    const Met next = std::move(met_.back());
    met_.pop_back();
    const std::size_t findings = found_.list.size(), ranges = found_.ranges.size();
    walk_.be_loose(next.loose);
    for (const Object& object : walk_.from(next.object.address, next.object.path)) {
      structure(object);
      if (options_.deep) elements(object, Turn());
    }
    if (next.loose) make_loose(findings, ranges);
  }
  walk_.be_loose(false);
}

}  // namespace check
