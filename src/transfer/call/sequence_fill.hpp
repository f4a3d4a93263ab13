// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: fill values of variable-length elements.
//
// The fill value of a dataset owns heap objects, and so does each element that holds it: two elements that
// shared one would lose it when another library overwrites one of them. New space is zeros at first; then its
// elements are written as a program's are.

#pragma once

#include <span>

#include "props/transfer_props.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// The elements in `boxes`, of the current extent, get the fill value, each with objects of its own.
///
/// Collective: over the file, where several ranks have it: each takes a part at a time. `boxes` are equal then. `checked`: how far this
/// rank has come. Errors: `checked`; another rank's; those of transfer_sequences().
Status fill_sequences(FileStore& store, const StoredObjectPtr& dataset, std::span<const Box> boxes,
                      const CallName& name, const Status& checked);

}  // namespace pcio
