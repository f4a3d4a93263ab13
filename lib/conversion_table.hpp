// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the conversion functions of the program (H5Tregister), and the paths that they are on.
//
// As observed on libhdf5 1.10.8: a hard function is for two types and goes before everything; a soft
// one is for two classes, the one registered last is asked first whether it wants a pair (INIT), and it
// is not asked where the machine itself converts. Equal types are nobody's business. Differs: the
// library's own ways can't be unregistered.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lib/public_api.hpp"
#include "type/datatype.hpp"
#include "type/foreign_conversion.hpp"

namespace pcio {

/// How two types are converted, and what the function keeps for itself.
struct ConversionPath {
  Datatype source;
  Datatype destination;
  H5T_conv_t function = nullptr;  ///< the program's, or library_conversion
  H5T_cdata_t data{};
  std::string name;
  bool hard = false;
  [[nodiscard]] bool foreign() const;
};

/// Functions to be taken away; what is left out matches all.
struct ConversionPattern {
  std::optional<bool> hard;
  std::string name;
  std::optional<Datatype> source;
  std::optional<Datatype> destination;
  H5T_conv_t function = nullptr;
};

/// The library's way as a function of the program's kind, for two types that it can convert.
herr_t library_conversion(hid_t src_id, hid_t dst_id, H5T_cdata_t* data, size_t n,
                          size_t buf_stride, size_t bkg_stride, void* buf, void* bkg,
                          hid_t list_id);

/// Errors: CANTINIT where the function refuses a hard path.
Status register_conversion(const ConversionPath& path);
void unregister_conversions(const ConversionPattern& pattern);

/// The path from one type to another; made now if there was none. Errors: no way.
Result<std::shared_ptr<ConversionPath>> find_conversion_path(const Datatype& source,
                                                             const Datatype& destination);

/// For ConvertOptions: null where the program has registered nothing. `list_id`: what functions are
/// given as transfer list.
std::shared_ptr<ForeignConversions> foreign_conversions(hid_t list_id);

}  // namespace pcio
