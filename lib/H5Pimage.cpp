// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: file images, with the application's own memory functions.
//
// Lists share an image once it is set, so the "copy" operation of the callbacks is never needed.
// Source: HDF5 Reference Manual, H5Pset_file_image, H5Pset_file_image_callbacks.

#include <cstdlib>
#include <cstring>

#include "base/keep_loaded.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

namespace {

using RawCallbacks = H5FD_file_image_callbacks_t;

/// The application's callbacks with a copy of its data, freed in its way.
struct OwnedCallbacks {
  explicit OwnedCallbacks(const RawCallbacks& callbacks) : raw(callbacks) {
    if (raw.udata != nullptr && raw.udata_copy != nullptr) raw.udata = raw.udata_copy(raw.udata);
  }
  OwnedCallbacks(const OwnedCallbacks&) = delete;
  OwnedCallbacks& operator=(const OwnedCallbacks&) = delete;
  ~OwnedCallbacks() {
    if (raw.udata != nullptr && raw.udata_free != nullptr) (void)raw.udata_free(raw.udata);
  }
  RawCallbacks raw;
};
using Owner = std::shared_ptr<const OwnedCallbacks>;

Owner callbacks_of(const FileAccessProps& props) {
  if (!props.image_callbacks) return std::make_shared<const OwnedCallbacks>(RawCallbacks{});
  return std::static_pointer_cast<const OwnedCallbacks>(props.image_callbacks);
}

void* image_allocate(const RawCallbacks& raw, std::size_t size, H5FD_file_image_op_t op) {
  return raw.image_malloc != nullptr ? raw.image_malloc(size, op, raw.udata) : std::malloc(size);
}

void* image_copy(const RawCallbacks& raw, void* to, const void* from, std::size_t size,
                 H5FD_file_image_op_t op) {
  return raw.image_memcpy != nullptr ? raw.image_memcpy(to, from, size, op, raw.udata)
                                     : std::memcpy(to, from, size);
}

bool image_release(const RawCallbacks& raw, void* buffer, H5FD_file_image_op_t op) {
  if (raw.image_free != nullptr) return raw.image_free(buffer, op, raw.udata) >= 0;
  std::free(buffer);
  return true;
}

H5FD_file_image_op_t as_op(ImageOp op) { return static_cast<H5FD_file_image_op_t>(op); }

/// The callbacks as the driver sees them; each function keeps the owner alive.
ImageCallbacks bound_callbacks(const Owner& owner) {
  ImageCallbacks bound;
  if (owner->raw.image_malloc != nullptr)
    bound.allocate = [owner](std::size_t size, ImageOp op) {
      return image_allocate(owner->raw, size, as_op(op));
    };
  if (owner->raw.image_memcpy != nullptr)
    bound.copy = [owner](void* to, const void* from, std::size_t size, ImageOp op) {
      return image_copy(owner->raw, to, from, size, as_op(op));
    };
  if (owner->raw.image_realloc != nullptr)
    bound.reallocate = [owner](void* buffer, std::size_t size, ImageOp op) {
      return owner->raw.image_realloc(buffer, size, as_op(op), owner->raw.udata);
    };
  if (owner->raw.image_free != nullptr)
    bound.release = [owner](void* buffer, ImageOp op) {
      return image_release(owner->raw, buffer, as_op(op));
    };
  return bound;
}

/// An image in memory that the application's functions gave.
struct CallbackImage final : HeldImage {
  explicit CallbackImage(Owner callbacks) : owner(std::move(callbacks)) {
    image.callbacks = bound_callbacks(owner);
  }
  ~CallbackImage() override {
    if (buffer != nullptr)
      (void)image_release(owner->raw, buffer, H5FD_FILE_IMAGE_OP_PROPERTY_LIST_CLOSE);
  }
  Status fill(const void* bytes, std::size_t size) {
    constexpr auto kOp = H5FD_FILE_IMAGE_OP_PROPERTY_LIST_SET;
    buffer = image_allocate(owner->raw, size, kOp);
    if (buffer == nullptr) return PCIO_ERROR(RESOURCE, NOSPACE, "no memory for the file image");
    if (image_copy(owner->raw, buffer, bytes, size, kOp) != buffer)
      return PCIO_ERROR(RESOURCE, CANTCOPY, "the image_memcpy callback failed");
    image.bytes = ConstBytes(static_cast<const std::byte*>(buffer), size);
    return Status();
  }
  Owner owner;
  void* buffer = nullptr;
};

Result<void*> copy_out(const OwnedCallbacks& callbacks, ConstBytes bytes) {
  constexpr auto kOp = H5FD_FILE_IMAGE_OP_PROPERTY_LIST_GET;
  void* copy = image_allocate(callbacks.raw, bytes.size(), kOp);
  if (copy == nullptr) return PCIO_ERROR(RESOURCE, NOSPACE, "no memory for the file image");
  if (image_copy(callbacks.raw, copy, bytes.data(), bytes.size(), kOp) != copy)
    return PCIO_ERROR(RESOURCE, CANTCOPY, "the image_memcpy callback failed");
  return copy;
}

}  // namespace

herr_t H5Pset_file_image(hid_t fapl_id, void* buf_ptr, size_t buf_len) {
  return set_props<FileAccessProps>(
      "H5Pset_file_image", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        if ((buf_ptr == nullptr) != (buf_len == 0))
          return PCIO_ERROR(ARGS, BADVALUE,
                            "argument buf_ptr, argument buf_len: either both buf_ptr and buf_len "
                            "are given, or neither");
        auto held = std::make_shared<CallbackImage>(callbacks_of(props));
        if (buf_ptr != nullptr) PCIO_TRY(held->fill(buf_ptr, buf_len));
        if (buf_ptr == nullptr && !props.image_callbacks)
          props.file_image.reset();
        else
          props.file_image = std::move(held);
        return Status();
      });
}

// The caller frees the copy: with free(), or in the way of its own callbacks.
herr_t H5Pget_file_image(hid_t fapl_id, void** buf_ptr_ptr, size_t* buf_len_ptr) {
  return get_props<FileAccessProps>(
      "H5Pget_file_image", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        ConstBytes bytes = props.file_image ? props.file_image->image.bytes : ConstBytes();
        store(buf_len_ptr, bytes.size());
        if (buf_ptr_ptr == nullptr) return Status();
        *buf_ptr_ptr = nullptr;
        if (bytes.empty()) return Status();
        PCIO_ASSIGN(*buf_ptr_ptr, copy_out(*callbacks_of(props), bytes));
        return Status();
      });
}

herr_t H5Pset_file_image_callbacks(hid_t fapl_id, H5FD_file_image_callbacks_t* callbacks_ptr) {
  return set_props<FileAccessProps>(
      "H5Pset_file_image_callbacks", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        PCIO_TRY(need_pointer(callbacks_ptr, "callbacks_ptr"));
        if (props.file_image && !props.file_image->image.bytes.empty())
          return PCIO_ERROR(PLIST, SETDISALLOWED, "callbacks can't be set after the image");
        if (callbacks_ptr->udata != nullptr &&
            (callbacks_ptr->udata_copy == nullptr || callbacks_ptr->udata_free == nullptr))
          return PCIO_ERROR(ARGS, BADVALUE, "udata needs both udata_copy and udata_free");
        // They are called when the file is closed, be it at the end of the process.
        keep_loaded(reinterpret_cast<const void*>(callbacks_ptr->image_free));
        props.image_callbacks = std::make_shared<const OwnedCallbacks>(*callbacks_ptr);
        props.file_image = std::make_shared<CallbackImage>(callbacks_of(props));
        return Status();
      });
}

herr_t H5Pget_file_image_callbacks(hid_t fapl_id, H5FD_file_image_callbacks_t* callbacks_ptr) {
  return get_props<FileAccessProps>(
      "H5Pget_file_image_callbacks", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        PCIO_TRY(need_pointer(callbacks_ptr, "callbacks_ptr"));
        *callbacks_ptr = callbacks_of(props)->raw;
        // The caller owns what it gets, so it gets a copy of its data.
        if (callbacks_ptr->udata != nullptr)
          callbacks_ptr->udata = callbacks_ptr->udata_copy(callbacks_ptr->udata);
        return Status();
      });
}
