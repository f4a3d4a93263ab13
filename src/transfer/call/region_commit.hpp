// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: references to regions, before they are written.
//
// What such a reference leads to lies in a heap of the file from when it was made (H5Rcreate); elements are
// copies of its heap id, as many as a program likes, and whoever overwrites one lets nothing go.

#pragma once

#include "props/transfer_props.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// Elements that a commit has written are about to get references: what those made since then lead to is
/// committed before, so that a program that is killed leaves none that leads nowhere. Nothing happens
/// where none were made, or elements have no references to regions.
///
/// Collective: over the file, where the transfer is; whether it communicates all ranks know alike. Errors: an
/// independent write of several ranks that would need it.
Status commit_regions_first(FileStore& store, const StoredObjectPtr& dataset,
                            const TransferRequest& request, const CallName& name);

}  // namespace pcio
