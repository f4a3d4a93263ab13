// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Attributes by which specifications of HDF5 mark datasets: scalars, most of them text.
#pragma once

#include <hdf5.h>

#include <cstring>
#include <optional>
#include <string>

#include "support.hpp"

namespace pcio::hl {

/// In place of one that is there.
inline bool write_attribute(hid_t object, const char* name, hid_t type, const OwnedId& space,
                            const void* data) {
  const htri_t exists = H5Aexists(object, name);
  if (exists < 0 || (exists > 0 && H5Adelete(object, name) < 0)) return false;
  const OwnedId attribute(H5Acreate2(object, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT));
  return attribute && H5Awrite(attribute.get(), type, data) >= 0;
}

inline bool write_text(hid_t object, const char* name, const char* text) {
  const OwnedId type(H5Tcopy(H5T_C_S1));
  return type && H5Tset_size(type.get(), std::strlen(text) + 1) >= 0 &&
         write_attribute(object, name, type.get(), OwnedId(H5Screate(H5S_SCALAR)), text);
}

/// The text of a scalar attribute of fixed length; nothing if it is not there or of another kind.
inline std::optional<std::string> read_text(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return std::nullopt;
  const OwnedId attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute) return std::nullopt;
  const OwnedId type(H5Aget_type(attribute.get())), space(H5Aget_space(attribute.get()));
  if (!type || H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0)
    return std::nullopt;
  if (!space || H5Sget_simple_extent_npoints(space.get()) != 1) return std::nullopt;
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return std::nullopt;
  text.resize(std::strlen(text.c_str()));
  return text;
}

}  // namespace pcio::hl
