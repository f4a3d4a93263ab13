// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Writing a random file by its plan, and the pieces that checking it shares.
// Room: test/oracle, public C API only.

#ifndef PCIO_TEST_ORACLE_RANDOM_WRITE_HPP
#define PCIO_TEST_ORACLE_RANDOM_WRITE_HPP

#include <stdexcept>
#include <string>
#include <vector>

#include "random_plan.hpp"

namespace oracle {

/// What the library refused, with its reasons.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns a result that is not negative; throws Refused for one that is.
hid_t must(hid_t result, const char* what);

/// How a selection of several hyperslabs is told to the library: by its hyperslab calls, or
/// element by element for a library that is known to combine wrongly.
enum class Combining { kByHyperslabs, kByElements };

hid_t make_space(const SpacePlan& plan);
void select(hid_t space, const SelectionPlan& plan, Combining combining);

/// Elements of the buffer that a selection is transferred from or to.
std::size_t memory_elements(const SelectionPlan& plan);
hid_t make_memory_space(const SelectionPlan& plan);

/// The compound type with only the named members, at their old offsets.
TypeModel only_members(const TypeModel& type, const std::vector<std::size_t>& members);

void write_file(const FilePlan& plan, const std::string& name, Combining combining);

/// Reads every dataset back by random selections and compares with the model; prints what
/// differs and returns the number of differences.
int check_file(const FilePlan& plan, const std::string& name, Combining combining);

/// One line for each object, attribute and bin, as campaign.py reads them.
void print_manifest(const FilePlan& plan);

}  // namespace oracle

#endif
