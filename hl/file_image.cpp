// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// H5LTopen_file_image: a file that is in memory. Without a copy the driver gets the caller's own buffer, through the
// functions for images of its access list.
#include <hdf5.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "H5LTpublic.h"
#include "support.hpp"

namespace pcio::hl {
namespace {

/// The caller's buffer, and who knows it. Threads: the library calls its functions one at a time for a file.
struct Image {
  void* buffer;
  size_t size;
  unsigned flags;
  std::atomic<int> users{1};
};

bool is_its(const Image& image, const void* memory) { return memory == image.buffer; }

void* image_malloc(size_t size, H5FD_file_image_op_t, void* data) {
  auto& image = *static_cast<Image*>(data);
  return size <= image.size ? image.buffer : nullptr;
}

void* image_memcpy(void* to, const void* from, size_t size, H5FD_file_image_op_t, void*) {
  if (to != from) std::memmove(to, from, size);
  return to;
}

void* image_realloc(void* memory, size_t size, H5FD_file_image_op_t, void* data) {
  auto& image = *static_cast<Image*>(data);
  if ((image.flags & H5LT_FILE_IMAGE_DONT_RELEASE) != 0 || !is_its(image, memory))
    return size <= image.size ? memory : nullptr;
  void* const grown = std::realloc(memory, size);
  if (grown == nullptr) return nullptr;
  image.buffer = grown;
  image.size = size;
  return grown;
}

herr_t image_free(void* memory, H5FD_file_image_op_t operation, void* data) {
  auto& image = *static_cast<Image*>(data);
  // Lists have it lent.
  if (operation != H5FD_FILE_IMAGE_OP_FILE_CLOSE || !is_its(image, memory)) return 0;
  if ((image.flags & H5LT_FILE_IMAGE_DONT_RELEASE) == 0) std::free(memory);
  image.buffer = nullptr;
  image.size = 0;
  return 0;
}

void* data_copy(void* data) {
  ++static_cast<Image*>(data)->users;
  return data;
}

herr_t data_free(void* data) {
  auto* image = static_cast<Image*>(data);
  if (--image->users == 0) delete image;
  return 0;
}

bool lend(hid_t access, void* buffer, size_t size, unsigned flags) {
  auto* image = new (std::nothrow) Image{buffer, size, flags};
  if (image == nullptr) return false;
  H5FD_file_image_callbacks_t functions = {image_malloc, image_memcpy, image_realloc, image_free,
                                           data_copy,    data_free,    image};
  const bool set = H5Pset_file_image_callbacks(access, &functions) >= 0;
  data_free(image);
  return set;
}

constexpr size_t kIncrement = 64 * 1024;

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

hid_t H5LTopen_file_image(void* buf_ptr, size_t buf_size, unsigned flags) {
  constexpr const char* kFunction = "H5LTopen_file_image";
  static std::atomic<unsigned long> number{0};
  if (buf_ptr == nullptr) return refuse(kFunction, "buf_ptr", "it is null");
  if (buf_size == 0) return refuse(kFunction, "buf_size", "it is 0");
  if ((flags & ~static_cast<unsigned>(H5LT_FILE_IMAGE_ALL)) != 0)
    return refuse(kFunction, "flags", "not of H5LT_FILE_IMAGE_*");
  const OwnedId access(H5Pcreate(H5P_FILE_ACCESS));
  if (!access || H5Pset_fapl_core(access.get(), kIncrement, 0) < 0) return -1;
  if ((flags & H5LT_FILE_IMAGE_DONT_COPY) != 0 && !lend(access.get(), buf_ptr, buf_size, flags))
    return -1;
  if (H5Pset_file_image(access.get(), buf_ptr, buf_size) < 0) return -1;
  try {
    const std::string name =
        "file_image_" + std::to_string(::getpid()) + "_" + std::to_string(++number);
    return H5Fopen(name.c_str(),
                   (flags & H5LT_FILE_IMAGE_OPEN_RW) != 0 ? H5F_ACC_RDWR : H5F_ACC_RDONLY,
                   access.get());
  } catch (const std::exception&) {
    return refuse(kFunction, "buf_ptr", "out of memory");
  }
}
