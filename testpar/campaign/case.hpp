// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A random case: one dataset and several transfers, for all ranks, from a seed alone.
// Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_CAMPAIGN_CASE_HPP
#define PCIO_TESTPAR_CAMPAIGN_CASE_HPP

#include <pcio.h>
#include <string>

#include "selection.hpp"

namespace campaign {

// ---- numbers in memory and in the file ---------------------------------------------------------

enum class Number { kInt8, kInt16, kInt32, kInt64, kFloat, kDouble };
constexpr int kNumbers = 6;
struct NumberType {
  Number number = Number::kInt32;
  bool big_endian = false;
  friend bool operator==(const NumberType&, const NumberType&) = default;
};
hid_t id_of(NumberType type);
std::size_t size_of(NumberType type);
bool is_float(NumberType type);
/// Largest n so that all integers of -n to n are values of the type.
std::int64_t largest_in(NumberType type);
std::int64_t load(const unsigned char* at, NumberType type);
void store(unsigned char* at, NumberType type, std::int64_t value);

/// Expressions whose results are exact integers in all types.
struct Transform {
  const char* text;
  std::int64_t factor, summand;
};
/// Number `index`; the first kGentle fit int8 too. 0 is none.
const Transform& transform(int index);
constexpr int kGentle = 4, kTransforms = 9;

// ---- memory ------------------------------------------------------------------------------------

enum class MemoryKind { kDense, kOffset, kStrided, kMatrix, kPoints, kRagged, kMirror, kAll };
constexpr int kMemoryKinds = 8;

/// A buffer and the elements in it, as many as the file selection has.
struct Memory {
  MemoryKind kind = MemoryKind::kDense;
  Dims dims;  // extent of the buffer, in elements
  Selection selection;
};

// ---- transfers ---------------------------------------------------------------------------------

enum class Mode {
  kAutomatic,
  kOneIo,
  kMultiIo,
  kAtOnce,
  kAllIndependent,
  kNoOpt,
  kIndividual,
  kIndependent
};
constexpr int kModes = 8;

struct Part {  // of one rank
  Selection file;
  Memory memory;
  bool calls = true;  // in independent transfers a rank may stay away
};

struct Transfer {
  bool write = true;
  Mode mode = Mode::kAutomatic;
  unsigned chunk_opt_num = 0, chunk_opt_ratio = 60;
  pcio_transport_t transport = PCIO_TRANSPORT_NONE;
  NumberType memory_type;
  int transform = 0;
  std::size_t exchange_memory = 0, conversion_buffer = 0;  // bytes; 0: default
  bool reopen_before = false, flush_before = false;
  bool shared = false;      // all ranks read the same elements
  std::vector<Part> parts;  // [rank]
};

enum class Fill { kDefault, kValue, kNever };
constexpr int kFills = 3;

struct Case {
  std::uint64_t number = 0;
  Dims dims, chunk, max_dims;  // no chunk: contiguous
  NumberType file_type;
  Fill fill = Fill::kDefault;
  std::int64_t fill_value = 0;
  std::int64_t range = 0;  // values written are from -range to range
  std::vector<Transfer> transfers;
};

/// The same on every rank.
Case make_case(std::uint64_t seed, std::uint64_t number, int ranks);

/// The number that `rank` writes at `position` of its selection in transfer `index`.
std::int64_t value_of(const Case& c, std::size_t index, int rank, std::size_t position);

// ---- words -------------------------------------------------------------------------------------

const char* name_of(SelectionKind kind);
const char* name_of(MemoryKind kind);
const char* name_of(Mode mode);
const char* name_of(Fill fill);
std::string name_of(NumberType type);
/// What a conversion between the types is called in the histogram.
const char* conversion_name(NumberType file, NumberType memory);
const char* layout_name(const Case& c);
/// The whole case in one line.
std::string describe(const Case& c);
std::string describe(const Transfer& t);

}  // namespace campaign

#endif
