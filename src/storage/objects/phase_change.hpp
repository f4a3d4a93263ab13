// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: when links and attributes move between the header and dense storage.
//
// More than "max compact" of them, or one that no header message can hold, go into dense storage; fewer
// than "min dense" come back, where all of them fit into messages.
// Source: H5Pset_link_phase_change, H5Pset_attr_phase_change; watched with libhdf5 1.10.8.

#pragma once

#include "format/group_info_message.hpp"
#include "storage/objects/stored_object.hpp"

namespace pcio {

/// Links as messages of a header; more for its head than any header needs. Bytes.
inline constexpr std::size_t kMostLinkBytes = 65528;
/// Attributes as messages of a header; bytes.
inline constexpr std::size_t kMostAttributeBytes = 65528;
/// Version 1 headers count their messages in 16 bits; some are left for continuations and fillers.
inline constexpr std::size_t kMostMessages1 = 65535 - 64;

/// Whether a new-style group's links go into dense storage once `link` is one of them (null: as they are).
/// The same on all ranks. Collective: pure. Errors: a link that can't be encoded.
Result<bool> links_go_dense(const StoredObject& group, const LinkTable& table,
                            const LinkMessage* link, const FileSizes& sizes);
/// Whether links in dense storage come back once `gone`, one of them, has gone. Collective: pure.
Result<bool> links_come_back(const StoredObject& group, const LinkTable& table,
                             const LinkMessage& gone, const FileSizes& sizes);

/// Of an object's header, or the default.
AttributePhaseChange attribute_phase_change(const StoredObject& object);

}  // namespace pcio
