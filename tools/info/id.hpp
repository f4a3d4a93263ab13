// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Owner of an HDF5 id, and the reason of the last failure. Room: tools, public headers only.

#ifndef PCIO_TOOLS_INFO_ID_HPP
#define PCIO_TOOLS_INFO_ID_HPP

#include <hdf5.h>
#include <string>
#include <utility>

namespace pcioinfo {

/// Closes what it holds; move-only. A negative id is the result of a failed call and is kept, so
/// that the caller can ask for it.
class Id {
 public:
  explicit Id(hid_t id) : id_(id) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Id& operator=(Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  ~Id() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// The id, which is the caller's from here on.
  hid_t release() { return std::exchange(id_, -1); }

 private:
  hid_t id_;
};

/// The innermost message of the error stack, which is then cleared: why the last call failed.
std::string last_reason();

/// The name with everything that is not plain text escaped: names come from the file.
std::string printable(const std::string& name);

}  // namespace pcioinfo

#endif
