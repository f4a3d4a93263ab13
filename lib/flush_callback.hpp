// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: what H5?flush does behind the flush: H5Pset_object_flush_cb.

#pragma once

#include "lib/public_api.hpp"
#include "object/file.hpp"

namespace pcio {

/// Tells the program, by the function in the file's access list, that object `id` was flushed.
inline Status tell_of_flush(File& file, hid_t id) {
  auto function = reinterpret_cast<H5F_flush_cb_t>(file.access().flush_callback);
  if (function == nullptr || function(id, file.access().flush_callback_data) >= 0) return Status();
  return PCIO_ERROR(FILE, CALLBACK, "the program's function for flushed objects failed");
}

}  // namespace pcio
