// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5T: conversion of a buffer in place.

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/checked.hpp"
#include "lib/conversion_table.hpp"
#include "lib/type_access.hpp"
#include "lib/type_conversion.hpp"

using namespace pcio;

namespace {

/// Elements in place: copied out in blocks of this many bytes.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

/// A buffer of `n` elements that hold source values before and destination values after.
struct InPlace {
  const Conversion& conversion;
  std::byte* buf;
  const std::byte* background;  // destination elements, or nullptr
  std::size_t n;
};

/// Converts elements [first, first + count) through `in` and `out`.
Status convert_block(const InPlace& job, std::size_t first, std::size_t count,
                     std::vector<std::byte>& in, std::vector<std::byte>& out) {
  const std::size_t from = job.conversion.source_size();
  const std::size_t to = job.conversion.destination_size();
  std::memcpy(in.data(), job.buf + first * from, count * from);
  if (job.background != nullptr)
    std::memcpy(out.data(), job.background + first * to, count * to);
  else
    std::memset(out.data(), 0, count * to);
  PCIO_TRY(job.conversion.run(in.data(), out.data(), count));
  std::memcpy(job.buf + first * to, out.data(), count * to);
  return {};
}

/// Growing elements are converted from the end, so that no source is overwritten before its turn.
Status convert_in_place(const InPlace& job) {
  if (job.conversion.is_noop() || job.n == 0) return {};
  const std::size_t from = job.conversion.source_size();
  const std::size_t to = job.conversion.destination_size();
  const std::size_t block = std::clamp<std::size_t>(kBlockBytes / std::max(from, to), 1, job.n);
  std::vector<std::byte> in(block * from);
  std::vector<std::byte> out(block * to);
  for (std::size_t done = 0; done < job.n;) {
    const std::size_t count = std::min(block, job.n - done);
    const std::size_t first = to > from ? job.n - done - count : done;
    PCIO_TRY(convert_block(job, first, count, in, out));
    done += count;
  }
  return {};
}

/// Elements of a program's buffer, at steps of `stride` bytes; 0: packed.
struct Strided {
  void* at = nullptr;
  std::size_t stride = 0;
};

/// Converts the elements of `buffer` in place; `background` may be null.
Status convert_apart(const Conversion& way, Strided buffer, Strided background, std::size_t n) {
  const std::size_t to = way.destination_size();
  const auto size = checked_mul<std::size_t>(n, to);
  if (!size) return PCIO_ERROR(ARGS, BADVALUE, "argument nelmts: more than fit any buffer");
  std::vector<std::byte> out(*size);
  const auto* old = static_cast<const std::byte*>(background.at);
  const std::size_t old_step = background.stride == 0 ? to : background.stride;
  for (std::size_t i = 0; old != nullptr && i < n; ++i)
    std::memcpy(out.data() + i * to, old + i * old_step, to);
  auto* bytes = static_cast<std::byte*>(buffer.at);
  const std::size_t from_step = buffer.stride == 0 ? way.source_size() : buffer.stride;
  PCIO_TRY(way.run_strided(bytes, from_step, out.data(), to, n));
  const std::size_t to_step = buffer.stride == 0 ? to : buffer.stride;
  for (std::size_t i = 0; i < n; ++i) std::memcpy(bytes + i * to_step, out.data() + i * to, to);
  return {};
}

/// What has variable-length parts is changed as a whole or not at all: memory that is taken back must
/// not be in the buffer.
Status convert_at_once(const InPlace& job) {
  if (job.n == 0) return {};
  return convert_apart(job.conversion, {job.buf, 0}, {const_cast<std::byte*>(job.background), 0},
                       job.n);
}

}  // namespace

namespace pcio {

TemporaryType::TemporaryType(const Datatype& type)
    : id_(make_id<TypeObject>(type, TypeObject::State::kImmutable).value_or(H5I_INVALID_HID)) {}

TemporaryType::~TemporaryType() {
  if (id_ >= 0) (void)release_id(id_, "type_id");
}

ConvertOptions convert_options(const TransferProps& props, HandleId list_id) {
  ConvertOptions options;
  options.foreign = foreign_conversions(list_id);
  const Callback callback = props.conversion_exception;
  if (callback.function == nullptr) return options;
  const auto function = reinterpret_cast<H5T_conv_except_func_t>(callback.function);
  options.on_exception = [function, data = callback.data](
                             ConvertException what, const Datatype& source,
                             const Datatype& destination, const void* from, void* to) {
    const TemporaryType source_id(source);
    const TemporaryType destination_id(destination);
    const H5T_conv_ret_t answer = function(static_cast<H5T_conv_except_t>(what), source_id.id(),
                                           destination_id.id(), const_cast<void*>(from), to, data);
    return static_cast<ExceptionAnswer>(answer);
  };
  return options;
}

}  // namespace pcio

namespace pcio {

herr_t library_conversion(hid_t src_id, hid_t dst_id, H5T_cdata_t* data, size_t n,
                          size_t buf_stride, size_t bkg_stride, void* buf, void* bkg,
                          hid_t list_id) {
  return api_status("H5T_conv_t", [&]() -> Status {
    PCIO_TRY(need_pointer(data, "data"));
    if (data->command == H5T_CONV_FREE) return Status();
    PCIO_ASSIGN(auto from, type_of(src_id, "src_id"));
    PCIO_ASSIGN(auto to, type_of(dst_id, "dst_id"));
    PCIO_ASSIGN(auto props, props_or_default<TransferProps>(list_id, "list_id"));
    SequenceMemory memory(sequence_memory_calls(*props));
    ConvertOptions options = convert_options(*props, list_id);
    options.sequences.memory = &memory;
    PCIO_ASSIGN(const Conversion way, Conversion::make(from->type, to->type, options));
    data->need_bkg = way.leaves_gaps() ? H5T_BKG_YES : H5T_BKG_NO;
    if (data->command == H5T_CONV_INIT || n == 0) return Status();
    PCIO_TRY(need_pointer(buf, "buf"));
    PCIO_TRY(convert_apart(way, {buf, buf_stride}, {bkg, bkg_stride}, n));
    memory.keep();
    return Status();
  });
}

}  // namespace pcio

herr_t H5Tconvert(hid_t src_id, hid_t dst_id, size_t nelmts, void* buf, void* background,
                  hid_t plist_id) {
  return api_status("H5Tconvert", [&]() -> Status {
    PCIO_ASSIGN(auto from, type_of(src_id, "src_id"));
    PCIO_ASSIGN(auto to, type_of(dst_id, "dst_id"));
    PCIO_ASSIGN(auto props, props_or_default<TransferProps>(plist_id, "plist_id"));
    SequenceMemory memory(sequence_memory_calls(*props));
    ConvertOptions options = convert_options(*props, plist_id);
    options.sequences.memory = &memory;
    PCIO_ASSIGN(const Conversion conversion, Conversion::make(from->type, to->type, options));
    if (nelmts > 0) PCIO_TRY(need_pointer(buf, "buf"));
    const InPlace job{conversion, static_cast<std::byte*>(buf),
                      static_cast<const std::byte*>(background), nelmts};
    PCIO_TRY(to->type.is_fixed() ? convert_in_place(job) : convert_at_once(job));
    memory.keep();
    return Status();
  });
}

htri_t H5Tcompiler_conv(hid_t src_id, hid_t dst_id) {
  return api_int("H5Tcompiler_conv", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto from, type_of(src_id, "src_id"));
    PCIO_ASSIGN(auto to, type_of(dst_id, "dst_id"));
    // Equal types are converted by nobody; a way that there is not is an error, as in libhdf5.
    if (from->type == to->type) return false;
    PCIO_ASSIGN(auto path, find_conversion_path(from->type, to->type));
    return path->hard;
  });
}
