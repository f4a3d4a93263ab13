// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: what a program does with a file, through the C API. Every call may fail; none may harm.

#ifndef PCIO_TEST_FUZZ_EXERCISE_HPP
#define PCIO_TEST_FUZZ_EXERCISE_HPP

#include <hdf5.h>

#include "fuzz.hpp"

namespace fuzz {

/// An id that is closed at the end of its scope.
class Held {
 public:
  Held(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT: as the C API takes it

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// An access list for a file that is `image`, in memory. At least H5Pclose() it.
hid_t image_access(const Image& image);

/// How far it came, in calls that succeeded.
struct Seen {
  std::uint64_t opened = 0, objects = 0, attributes = 0, values = 0, references = 0;
  std::uint64_t opened_to_change = 0, changes = 0, refused_changes = 0, committed = 0,
                read_again = 0;
};

/// Opens `image` for reading and asks for all that is in it.
void read_image(const Image& image, Seen* seen);
/// Opens it for writing, changes something, commits. The new file; empty where there is none.
Image change_image(const Image& image, Random& random, Seen* seen);

/// Reads all that can be reached from an open file.
void read_file(hid_t file, Seen* seen);
/// Changes an open file in some places.
void change_file(hid_t file, Random& random, Seen* seen);

/// A file that was never made; nothing may appear there.
inline constexpr const char* kImageName = "fuzzed-image.h5";
/// More elements than this many bytes are not read or written at once.
inline constexpr std::size_t kMostBytes = 1 << 18;

}  // namespace fuzz

#endif
