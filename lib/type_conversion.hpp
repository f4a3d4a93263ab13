// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the application's conversion callback in a form that the conversion can call.

#pragma once

#include "lib/handles.hpp"
#include "props/transfer_props.hpp"
#include "type/convert.hpp"

namespace pcio {

/// Options for Conversion::make from a transfer list: H5Pset_type_conv_cb's function, if any.
///
/// The function gets ids of the (member) types that are valid during its call only.
/// The program's own conversion functions get `list_id` as their transfer list.
[[nodiscard]] ConvertOptions convert_options(const TransferProps& props, HandleId list_id);

/// An id for the time of one callback.
class TemporaryType {
 public:
  explicit TemporaryType(const Datatype& type);
  TemporaryType(const TemporaryType&) = delete;
  TemporaryType& operator=(const TemporaryType&) = delete;
  ~TemporaryType();
  /// Below 0 where there is no memory for one.
  [[nodiscard]] HandleId id() const { return id_; }

 private:
  HandleId id_;
};

}  // namespace pcio
