// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: calls that read metadata, by one rank for all where a list asks for that.

#pragma once

#include "lib/object_handles.hpp"
#include "object/shared_reads.hpp"

namespace pcio {

/// A call that reads metadata.
struct MetadataRead {
  const char* function = nullptr;
  HandleId at = H5I_INVALID_HID;  ///< a file, or what is in one
  const char* name = nullptr;     ///< what it looks for there; for messages
  HandleId list = H5P_DEFAULT;    ///< link access list, or one derived from it
};

/// Whether the list asks for reads by one rank. What is wrong with it the call itself finds.
[[nodiscard]] bool wants_shared_reads(HandleId list);

/// Makes the call, `read() -> Result`. Where the ranks turn out to be in different calls an id that
/// it made is given back.
template <class Read>
auto read_metadata(const MetadataRead& call, Read&& read) -> decltype(read()) {
  auto file = file_of(call.at, "loc_id");
  // Another thread has it: the call begins again, and must not find it by itself meanwhile. What else is wrong
  // the call itself tells.
  if (Status wanted = check_nothing_wanted(); !file && !wanted.ok())
    return detail::StatusReturn(std::move(wanted));
  if (!file || !(*file)->parallel()) return read();
  auto undo = [](auto& made) {
    using Made = std::remove_reference_t<decltype(made)>;
    if constexpr (std::is_same_v<Made, Result<HandleId>>) {
      if (made) static_cast<void>(release_id(*made, "id"));
    }
  };
  const std::string& path = (*file)->path();
  return read_together(*file, wants_shared_reads(call.list),
                       {call.function, call.name != nullptr ? call.name : path},
                       std::forward<Read>(read), undo);
}

}  // namespace pcio
