// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: fill value messages, old (0x0004) and new (0x0005, versions 1 to 3).
// Source: HDF5 File Format Specification, IV.A.2.e and IV.A.2.f.

#pragma once

#include "format/file_sizes.hpp"
#include "format/format_version.hpp"
#include "props/dataset_props.hpp"

namespace pcio {

struct FillValueMessage {
  AllocTime allocation = AllocTime::kLate;
  FillTime time = FillTime::kIfSet;
  FillState state = FillState::kDefault;
  std::vector<std::byte> value;  ///< one element in the dataset's file type, if kUserDefined
  friend bool operator==(const FillValueMessage&, const FillValueMessage&) = default;
};

/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for an unknown time or a state that says
/// defined and undefined.
Result<FillValueMessage> decode_fill_value_message(ByteReader& reader);
/// Writes version 2 or 3 by `version`.
Status encode_fill_value_message(const FillValueMessage& fill, FormatVersion version,
                                 ByteWriter& out);

/// Bytes of the old message: the value alone, empty for the default.
///
/// libhdf5 writes it beside the new one in version 1 headers where the value is user-defined; a
/// reader uses it only where there is no new one.
Result<std::vector<std::byte>> decode_old_fill_value_message(ByteReader& reader);
Status encode_old_fill_value_message(ConstBytes value, ByteWriter& out);

}  // namespace pcio
