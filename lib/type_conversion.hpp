// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the application's conversion callback in a form that the conversion can call.

#pragma once

#include "props/transfer_props.hpp"
#include "type/convert.hpp"

namespace pcio {

/// Options for Conversion::make from a transfer list: H5Pset_type_conv_cb's function, if any.
///
/// The function gets ids of the (member) types that are valid during its call only.
[[nodiscard]] ConvertOptions convert_options(const TransferProps& props);

}  // namespace pcio
