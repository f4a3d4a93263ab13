// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What is new in a dataset that grows.
#include "H5LDpublic.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "support.hpp"

namespace pcio::hl {
namespace {

/// A field of an element in memory.
struct Field {
  size_t offset;
  size_t size;
};

/// Names of the members on the way to a field, for each field.
std::optional<std::vector<std::vector<std::string>>> split(const char* fields) {
  std::vector<std::vector<std::string>> all(1, std::vector<std::string>(1));
  for (const char* at = fields; *at != '\0'; ++at) {
    if (*at == ',') {
      all.emplace_back(1);
    } else if (*at == '.') {
      all.back().emplace_back();
    } else {
      if (*at == '\\' && *++at == '\0') return std::nullopt;
      all.back().back() += *at;
    }
  }
  return all;
}

std::optional<Field> find(hid_t type, const std::vector<std::string>& names) {
  OwnedId now(H5Tcopy(type));
  Field field{0, H5Tget_size(type)};
  hid_t at = now.get();
  std::vector<OwnedId> opened;
  for (const std::string& name : names) {
    if (name.empty() || H5Tget_class(at) != H5T_COMPOUND) return std::nullopt;
    const int member = H5Tget_member_index(at, name.c_str());
    if (member < 0) return std::nullopt;
    field.offset += H5Tget_member_offset(at, static_cast<unsigned>(member));
    opened.emplace_back(H5Tget_member_type(at, static_cast<unsigned>(member)));
    at = opened.back().get();
    field.size = H5Tget_size(at);
  }
  return field;
}

OwnedId native_type(hid_t dataset) {
  const OwnedId type(H5Dget_type(dataset));
  return OwnedId(type ? H5Tget_native_type(type.get(), H5T_DIR_DEFAULT) : H5I_INVALID_HID);
}

/// Empty: there is no such field.
std::vector<Field> fields_of(hid_t type, const char* fields) {
  if (fields == nullptr) return {{0, H5Tget_size(type)}};
  std::vector<Field> found;
  const auto names = split(fields);
  if (!names) return {};
  for (const auto& one : *names) {
    const auto field = find(type, one);
    if (!field) return {};
    found.push_back(*field);
  }
  return found;
}

size_t size_of(const std::vector<Field>& fields) {
  size_t size = 0;
  for (const Field& field : fields) size += field.size;
  return size;
}

bool is_dataset(hid_t id) { return H5Iget_type(id) == H5I_DATASET; }

/// What is in a box of `now` and in none of `before`.
bool select_new(hid_t space, const hsize_t* before, const hsize_t* now, int ndims) {
  const std::vector<hsize_t> start(static_cast<size_t>(ndims));
  std::vector<hsize_t> old(before, before + ndims);
  bool larger = false, empty = false;
  for (int d = 0; d < ndims; ++d) {
    larger = larger || now[d] > before[d];
    empty = empty || before[d] == 0;
    old[static_cast<size_t>(d)] = std::min(before[d], now[d]);
  }
  if (!larger) return false;
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, now, nullptr) < 0)
    return false;
  return empty || H5Sselect_hyperslab(space, H5S_SELECT_NOTB, start.data(), nullptr, old.data(),
                                      nullptr) >= 0;
}

herr_t read_new(hid_t dataset, const hsize_t* before, const hsize_t* now, const char* names,
                void* buffer) {
  constexpr const char* kFunction = "H5LDget_dset_elmts";
  const OwnedId space(H5Dget_space(dataset)), type = native_type(dataset);
  const int ndims = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (ndims < 0 || !type) return -1;
  if (!select_new(space.get(), before, now, ndims))
    return refuse(kFunction, "cur_dims", "no dimension is larger than before");
  if (H5Sselect_valid(space.get()) <= 0)
    return refuse(kFunction, "cur_dims", "the dataset is not that large");
  const std::vector<Field> fields = fields_of(type.get(), names);
  if (fields.empty()) return refuse(kFunction, "fields", "no such field");
  const auto count = static_cast<hsize_t>(H5Sget_select_npoints(space.get()));
  const OwnedId row(H5Screate_simple(1, &count, nullptr));
  if (names == nullptr)
    return H5Dread(dataset, type.get(), row.get(), space.get(), H5P_DEFAULT, buffer) < 0 ? -1 : 0;
  const size_t whole = H5Tget_size(type.get());
  if (whole == 0 || count > SIZE_MAX / whole)
    return refuse(kFunction, "cur_dims", "more elements than memory has room for");
  std::vector<char> elements(count * whole);
  if (H5Dread(dataset, type.get(), row.get(), space.get(), H5P_DEFAULT, elements.data()) < 0)
    return -1;
  auto* to = static_cast<char*>(buffer);
  for (const char* from = elements.data(); from != elements.data() + elements.size(); from += whole)
    for (const Field& field : fields) {
      std::memcpy(to, from + field.offset, field.size);
      to += field.size;
    }
  return 0;
}

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

herr_t H5LDget_dset_dims(hid_t did, hsize_t* cur_dims) {
  constexpr const char* kFunction = "H5LDget_dset_dims";
  if (!is_dataset(did)) return refuse(kFunction, "did", "not a dataset");
  if (cur_dims == nullptr) return refuse(kFunction, "cur_dims", "it is null");
  const OwnedId space(H5Dget_space(did));
  return space && H5Sget_simple_extent_dims(space.get(), cur_dims, nullptr) >= 0 ? 0 : -1;
}

size_t H5LDget_dset_type_size(hid_t did, const char* fields) {
  constexpr const char* kFunction = "H5LDget_dset_type_size";
  const auto fail = [](const char* argument, const char* reason) {
    refuse(kFunction, argument, reason);
    return size_t{0};
  };
  if (!is_dataset(did)) return fail("did", "not a dataset");
  try {
    const OwnedId type = native_type(did);
    if (!type) return 0;
    const std::vector<Field> found = fields_of(type.get(), fields);
    return found.empty() ? fail("fields", "no such field") : size_of(found);
  } catch (const std::exception&) {
    return fail("fields", "out of memory");
  }
}

herr_t H5LDget_dset_elmts(hid_t did, const hsize_t* prev_dims, const hsize_t* cur_dims,
                          const char* fields, void* buf) {
  constexpr const char* kFunction = "H5LDget_dset_elmts";
  if (!is_dataset(did)) return refuse(kFunction, "did", "not a dataset");
  if (prev_dims == nullptr) return refuse(kFunction, "prev_dims", "it is null");
  if (cur_dims == nullptr) return refuse(kFunction, "cur_dims", "it is null");
  if (buf == nullptr) return refuse(kFunction, "buf", "it is null");
  try {
    return read_new(did, prev_dims, cur_dims, fields, buf);
  } catch (const std::exception&) {
    return refuse(kFunction, "cur_dims", "out of memory");
  }
}
