// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Ways of sharing a dataset out to the ranks, with the model of what each rank writes.
// Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_PATTERN_HPP
#define PCIO_TESTPAR_PATTERN_HPP

#include <string>
#include <vector>

#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>
#endif

namespace par {

/// Each pattern but the last gives every element to exactly one rank.
enum class Pattern {
  kRows,       // blocks of rows; some ranks may get none
  kColumns,    // blocks of columns: short runs, interleaved in the file
  kCyclic,     // every size()-th row, a strided hyperslab
  kCells,      // blocks of a checkerboard, two hyperslabs joined
  kPoints,     // single elements in descending order
  kOneRank,    // all by rank 0, the others have empty selections
  kLastEmpty,  // rows by all but the last rank
  kEverybody   // all by each rank; not among kPatterns
};
constexpr Pattern kPatterns[] = {Pattern::kRows,     Pattern::kColumns, Pattern::kCyclic,
                                 Pattern::kCells,    Pattern::kPoints,  Pattern::kOneRank,
                                 Pattern::kLastEmpty};
const char* name_of(Pattern pattern);

/// Forms of the buffer in memory.
enum class Form { kDense, kColumn, kShifted };
constexpr int kForms = 3;

/// Selects what `who` gets of the file's space, and returns its elements (numbers in row-major
/// order) in the order of the transfer. `dims` are the first two or more dimensions of the space.
std::vector<hsize_t> select(hid_t space, Pattern pattern, int who,
                            const std::vector<hsize_t>& dims);

/// The value of element `element` in generation `generation`: exact in double and in int32.
double value_of(hsize_t element, int generation);

/// One transfer of a whole pattern.
struct Transfer {
  Pattern pattern = Pattern::kRows;
  H5FD_mpio_xfer_t mode = H5FD_MPIO_COLLECTIVE;
  int generation = 1;
  bool as_int = false;  // memory is int32, else double
  int who = 0;          // whose part this rank transfers
  Form form = Form::kDense;
  hid_t list = H5P_DEFAULT;  // a transfer list to use; default: one of `mode` is made
  hid_t memory_type = -1;    // another type of the same size as the native one
};

/// Writes the part; false if the call fails. Leaves what the library reports in *io_mode.
bool write_part(hid_t dataset, const std::vector<hsize_t>& dims, const Transfer& transfer,
                H5D_mpio_actual_io_mode_t* io_mode = nullptr);

/// Reads the part and compares; the number of elements that are wrong, or -1 if the call fails.
int read_part(hid_t dataset, const std::vector<hsize_t>& dims, const Transfer& transfer);

#ifdef PCIO_VERSION
/// What write_part or read_part would do, by a dry run; false if that fails.
bool explain_part(hid_t dataset, const std::vector<hsize_t>& dims, const Transfer& transfer,
                  pcio_direction_t direction, pcio_transfer_report_t* report);
#endif

}  // namespace par

#endif
