// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Numbers, expressions and names of the campaign. Room: testpar, public headers only.

#include <algorithm>
#include <cstring>

#include "case.hpp"

namespace campaign {

namespace {

struct NumberTraits {
  hid_t little, big;
  std::size_t size;
  std::int64_t largest;
  const char* name;
};

NumberTraits traits(Number number) {
  switch (number) {
    case Number::kInt8: return {H5T_STD_I8LE, H5T_STD_I8BE, 1, 127, "i8"};
    case Number::kInt16: return {H5T_STD_I16LE, H5T_STD_I16BE, 2, 32767, "i16"};
    case Number::kInt32: return {H5T_STD_I32LE, H5T_STD_I32BE, 4, 2147483647, "i32"};
    case Number::kInt64:  // what passes through double in a transform stays exact
      return {H5T_STD_I64LE, H5T_STD_I64BE, 8, std::int64_t{1} << 53, "i64"};
    case Number::kFloat: return {H5T_IEEE_F32LE, H5T_IEEE_F32BE, 4, 1 << 24, "f32"};
    default: return {H5T_IEEE_F64LE, H5T_IEEE_F64BE, 8, std::int64_t{1} << 53, "f64"};
  }
}

template <class T>
void put(unsigned char* at, std::int64_t value) {
  const T number = static_cast<T>(value);
  std::memcpy(at, &number, sizeof number);
}

template <class T>
std::int64_t get(const unsigned char* at) {
  T number;
  std::memcpy(&number, at, sizeof number);
  // Garbage read back must not be undefined here.
  if constexpr (static_cast<T>(0.5) != T{0})
    if (!(number >= static_cast<T>(-1e18) && number <= static_cast<T>(1e18))) return INT64_MIN;
  return static_cast<std::int64_t>(number);
}

}  // namespace

hid_t id_of(NumberType type) {
  return type.big_endian ? traits(type.number).big : traits(type.number).little;
}
std::size_t size_of(NumberType type) { return traits(type.number).size; }
bool is_float(NumberType type) {
  return type.number == Number::kFloat || type.number == Number::kDouble;
}
std::int64_t largest_in(NumberType type) { return traits(type.number).largest; }

void store(unsigned char* at, NumberType type, std::int64_t value) {
  switch (type.number) {
    case Number::kInt8: put<std::int8_t>(at, value); break;
    case Number::kInt16: put<std::int16_t>(at, value); break;
    case Number::kInt32: put<std::int32_t>(at, value); break;
    case Number::kInt64: put<std::int64_t>(at, value); break;
    case Number::kFloat: put<float>(at, value); break;
    case Number::kDouble: put<double>(at, value); break;
  }
  if (type.big_endian) std::reverse(at, at + size_of(type));
}

std::int64_t load(const unsigned char* at, NumberType type) {
  unsigned char bytes[8] = {};
  std::memcpy(bytes, at, size_of(type));
  if (type.big_endian) std::reverse(bytes, bytes + size_of(type));
  switch (type.number) {
    case Number::kInt8: return get<std::int8_t>(bytes);
    case Number::kInt16: return get<std::int16_t>(bytes);
    case Number::kInt32: return get<std::int32_t>(bytes);
    case Number::kInt64: return get<std::int64_t>(bytes);
    case Number::kFloat: return get<float>(bytes);
    default: return get<double>(bytes);
  }
}

const Transform& transform(int index) {
  static const Transform kList[kTransforms] = {
      {"", 1, 0},       {"-x", -1, 0}, {"x+1", 1, 1}, {"3-x", -1, 3},           {"(x)", 1, 0},
      {"2*x-1", 2, -1}, {"x*3", 3, 0}, {"x+x", 2, 0}, {"(x - 7)*1.0 + 9", 1, 2}};
  return kList[index];
}

const char* name_of(SelectionKind kind) {
  static const char* const kNames[] = {"regular",      "irregular", "points",
                                       "points-twice", "empty",     "all"};
  return kNames[static_cast<int>(kind)];
}

const char* name_of(MemoryKind kind) {
  static const char* const kNames[] = {"dense",  "offset", "strided", "matrix",
                                       "points", "ragged", "mirror",  "H5S_ALL"};
  return kNames[static_cast<int>(kind)];
}

const char* name_of(Mode mode) {
  static const char* const kNames[] = {"automatic", "one",    "multi",      "atonce",
                                       "all-ind",   "no-opt", "individual", "independent"};
  return kNames[static_cast<int>(mode)];
}

const char* name_of(Fill fill) {
  static const char* const kNames[] = {"default", "value", "never"};
  return kNames[static_cast<int>(fill)];
}

std::string name_of(NumberType type) {
  return std::string(traits(type.number).name) + (type.big_endian ? "be" : "");
}

const char* conversion_name(NumberType file, NumberType memory) {
  if (file == memory) return "none";
  if (is_float(file) != is_float(memory)) return is_float(memory) ? "float-int" : "int-float";
  if (size_of(file) != size_of(memory)) return is_float(file) ? "float-double" : "int-size";
  return "order";
}

const char* layout_name(const Case& c) {
  if (c.chunk.empty()) return "contiguous";
  if (c.chunk == c.dims) return "single-chunk";
  for (std::size_t d = 0; d < c.dims.size(); ++d)
    if (c.dims[d] % c.chunk[d] != 0) return "edge-chunks";
  return "even-chunks";
}

namespace {

std::string text_of(const Dims& dims) {
  std::string text;
  for (const hsize_t d : dims) text += (text.empty() ? "" : "x") + std::to_string(d);
  return text;
}

}  // namespace

std::string describe(const Transfer& t) {
  std::string text = t.write ? "write" : "read";
  text += std::string(" ") + name_of(t.mode) + " by " + pcio_transport_name(t.transport) + " as " +
          name_of(t.memory_type);
  if (t.mode == Mode::kAutomatic) text += " num " + std::to_string(t.chunk_opt_num);
  if (t.mode == Mode::kAutomatic || t.mode == Mode::kMultiIo)
    text += " ratio " + std::to_string(t.chunk_opt_ratio);
  if (t.transform != 0) text += std::string(" transform ") + transform(t.transform).text;
  if (t.conversion_buffer != 0) text += " buffer " + std::to_string(t.conversion_buffer);
  if (t.reopen_before) text += " reopened";
  if (t.flush_before) text += " flushed";
  for (const Part& part : t.parts) {
    text += std::string(" [") + name_of(part.file.kind) + "/" + name_of(part.memory.kind) + "]";
    if (!part.calls) text += "away";
  }
  return text;
}

std::string describe(const Case& c) {
  std::string text = "dims " + text_of(c.dims) + " chunk " +
                     (c.chunk.empty() ? "none" : text_of(c.chunk)) + " type " +
                     name_of(c.file_type) + " fill " + name_of(c.fill);
  for (const Transfer& t : c.transfers) text += "\n    " + describe(t);
  return text;
}

}  // namespace campaign
