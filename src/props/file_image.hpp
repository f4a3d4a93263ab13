// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: a file image given in memory, and the user's callbacks that manage such buffers.
//
// Source: H5Pset_file_image and H5Pset_file_image_callbacks; the operations' order is that of
// H5FD_file_image_op_t.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/types.hpp"

namespace pcio {

/// Why a callback is called; numbers as in H5FD_file_image_op_t.
enum class ImageOp : std::uint8_t {
  kNone,
  kListSet,
  kListCopy,
  kListGet,
  kListClose,
  kFileOpen,
  kFileResize,
  kFileClose
};

/// The user's memory functions with their user data bound; an empty one means malloc, memcpy,
/// realloc, free.
struct ImageCallbacks {
  std::function<void*(std::size_t size, ImageOp)> allocate;
  std::function<void*(void* dest, const void* source, std::size_t size, ImageOp)> copy;
  std::function<void*(void* buffer, std::size_t size, ImageOp)> reallocate;
  /// True on success.
  std::function<bool(void* buffer, ImageOp)> release;
};

/// What open_driver is given: the initial bytes (may be empty) and the callbacks (may be empty).
/// The bytes must live until open_driver returns; they are copied.
struct FileImage {
  ConstBytes bytes;
  ImageCallbacks callbacks;
};

}  // namespace pcio
