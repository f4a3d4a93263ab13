// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Which object of the source is which of the new file. Room: tools, public headers only.

#include "twins.hpp"

#include <algorithm>
#include <cstring>

namespace repack {

using tools::need;
using tools::need_id;

namespace {

constexpr const char* kReference = "reference";

/// `holds` for the type or any part of it.
template <typename Holds>
bool any_part(hid_t type, const Holds& holds) {
  if (holds(type)) return true;
  switch (H5Tget_class(type)) {
    case H5T_COMPOUND: {
      const int members = H5Tget_nmembers(type);
      for (int i = 0; i < members; ++i)
        if (any_part(Id(H5Tget_member_type(type, static_cast<unsigned>(i))).get(), holds))
          return true;
      return false;
    }
    case H5T_ARRAY:
    case H5T_VLEN: return any_part(Id(H5Tget_super(type)).get(), holds);
    default: return false;
  }
}

bool is_region(hid_t type) {
  return H5Tget_class(type) == H5T_REFERENCE && H5Tequal(type, H5T_STD_REF_DSETREG) > 0;
}

}  // namespace

bool has_references(hid_t type) {
  return any_part(type, [](hid_t part) { return H5Tget_class(part) == H5T_REFERENCE; });
}

bool has_regions(hid_t type) { return any_part(type, is_region); }

bool has_sequences(hid_t type) {
  return any_part(type, [](hid_t part) {
    return H5Tget_class(part) == H5T_VLEN || H5Tis_variable_str(part) > 0;
  });
}

const std::string* Twins::path_of(haddr_t source) const {
  const auto found = paths_.find(source);
  return found == paths_.end() ? nullptr : &found->second;
}

bool Twins::made_before(haddr_t source, hid_t* type) const {
  const auto found = types_.find(source);
  if (found == types_.end()) return false;
  *type = found->second.get();
  return true;
}

Id Twins::type_for(hid_t type) {
  if (need(H5Tcommitted(type), "type") == 0) return need_id(H5Tcopy(type), "type");
  H5O_info_t info{};
  need(H5Oget_info(type, &info), "committed type");
  if (const std::string* const path = path_of(info.addr))
    return need_id(H5Topen2(out_, path->c_str(), H5P_DEFAULT), *path);
  auto found = types_.find(info.addr);
  if (found == types_.end()) {
    Id copy = need_id(H5Tcopy(type), "committed type");
    const Id list = need_id(H5Tget_create_plist(type), "committed type");
    need(H5Tcommit_anon(out_, copy.get(), list.get(), H5P_DEFAULT), "committed type");
    found = types_.emplace(info.addr, std::move(copy)).first;
  }
  need(H5Iinc_ref(found->second.get()), "committed type");
  return Id(found->second.get());
}

hobj_ref_t Twins::object_reference(hobj_ref_t source) {
  const auto known = references_.find(source);
  if (known != references_.end()) return known->second;
  hobj_ref_t made = 0;
  H5O_info_t info{};
  const Id object(H5Rdereference2(in_, H5P_DEFAULT, H5R_OBJECT, &source));
  if (object.valid() && H5Oget_info(object.get(), &info) >= 0) {
    const std::string* const path = path_of(info.addr);
    if (path != nullptr)
      need(H5Rcreate(&made, out_, path->c_str(), H5R_OBJECT, -1), *path);
    else if (!forget_unlinked_)
      throw tools::Failure(
          "a reference leads to an object without a link, which can't be copied "
          "(--forget-unlinked: it leads nowhere in OUT)");
  }
  references_.emplace(source, made);
  return made;
}

Twins::Region Twins::region_reference(const Region& source) {
  Region made{};
  if (source == made) return made;
  H5O_info_t info{};
  const Id object(H5Rdereference2(in_, H5P_DEFAULT, H5R_DATASET_REGION, source.data()));
  if (!object.valid() || H5Oget_info(object.get(), &info) < 0) return made;
  const std::string* const path = path_of(info.addr);
  if (path == nullptr) return made;
  const Id space = need_id(H5Rget_region(in_, H5R_DATASET_REGION, source.data()), kReference);
  need(H5Rcreate(made.data(), out_, path->c_str(), H5R_DATASET_REGION, space.get()), *path);
  return made;
}

void Twins::translate_reference(hid_t type, unsigned char* value) {
  if (is_region(type)) {
    Region region{};
    std::memcpy(region.data(), value, region.size());
    region = region_reference(region);
    std::memcpy(value, region.data(), region.size());
    return;
  }
  // Those of later formats are kept as they are.
  if (H5Tequal(type, H5T_STD_REF_OBJ) <= 0) return;
  hobj_ref_t object = 0;
  std::memcpy(&object, value, sizeof object);
  if (object != 0) object = object_reference(object);
  std::memcpy(value, &object, sizeof object);
}

void Twins::translate_members(hid_t type, unsigned char* value) {
  const int members = need(H5Tget_nmembers(type), kReference);
  for (int i = 0; i < members; ++i) {
    const auto index = static_cast<unsigned>(i);
    const Id member = need_id(H5Tget_member_type(type, index), kReference);
    if (has_references(member.get()))
      translate_one(member.get(), value + H5Tget_member_offset(type, index));
  }
}

void Twins::translate_one(hid_t type, unsigned char* value) {
  switch (H5Tget_class(type)) {
    case H5T_REFERENCE: return translate_reference(type, value);
    case H5T_COMPOUND: return translate_members(type, value);
    case H5T_ARRAY: {
      const Id base = need_id(H5Tget_super(type), kReference);
      const std::size_t size = H5Tget_size(base.get());
      return translate(base.get(), value, size == 0 ? 0 : H5Tget_size(type) / size);
    }
    case H5T_VLEN: {
      const Id base = need_id(H5Tget_super(type), kReference);
      hvl_t sequence{};
      std::memcpy(&sequence, value, sizeof sequence);
      return translate(base.get(), sequence.p, sequence.len);
    }
    default: return;
  }
}

void Twins::translate(hid_t type, void* values, std::size_t count) {
  const std::size_t size = H5Tget_size(type);
  auto* const first = static_cast<unsigned char*>(values);
  for (std::size_t i = 0; i < count; ++i) translate_one(type, first + i * size);
}

}  // namespace repack
