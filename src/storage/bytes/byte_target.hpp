// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: where the elements of a dataset lie, as something that can be read and written.

#pragma once

#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

class WritingThread;

/// Where pieces lie: a file, the image of one chunk, the bytes of a compact dataset.
class ByteTarget {
 public:
  ByteTarget() = default;
  ByteTarget(const ByteTarget&) = delete;
  ByteTarget& operator=(const ByteTarget&) = delete;
  virtual ~ByteTarget() = default;
  virtual Status read(FileAddress address, Bytes into) = 0;
  virtual Status write(FileAddress address, ConstBytes from) = 0;
  /// As write(), but `from` may be on its way when this returns, as FileDriver::write_beside() says; what has no such writes
  /// writes at once.
  virtual Status write_beside(WritingThread& /*by*/, FileAddress address, ConstBytes from) {
    return write(address, from);
  }
  /// False where these bytes can't be there: asked before memory is taken for what only a file claims.
  [[nodiscard]] virtual bool holds(FileAddress, std::uint64_t) const { return true; }
  /// False where bytes that nobody asked for may not be there to be read.
  [[nodiscard]] virtual bool has_gaps_to_read() const { return true; }
};

/// Bytes in memory as a ByteTarget. Ranges outside are errors.
class ImageStore final : public ByteTarget {
 public:
  explicit ImageStore(Bytes image) : image_(image) {}
  Status read(FileAddress address, Bytes into) override;
  Status write(FileAddress address, ConstBytes from) override;

 private:
  Bytes image_;
};

}  // namespace pcio
