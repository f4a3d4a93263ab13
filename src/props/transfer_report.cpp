// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: names of modes and causes. A name is the public enumerator without its prefix.

#include "props/transfer_report.hpp"

namespace pcio {

namespace {

struct CauseName {
  CauseBits bit;
  const char* name;
};

constexpr CauseName kCauseNames[] = {
    {cause::kSetIndependent, "SET_INDEPENDENT"},
    {cause::kDatatypeConversion, "DATATYPE_CONVERSION"},
    {cause::kDataTransforms, "DATA_TRANSFORMS"},
    {cause::kOptTypesDisabled, "MPI_OPT_TYPES_ENV_VAR_DISABLED"},
    {cause::kNotSimpleOrScalar, "NOT_SIMPLE_OR_SCALAR_DATASPACES"},
    {cause::kNotContiguousOrChunked, "NOT_CONTIGUOUS_OR_CHUNKED_DATASET"},
    {cause::kFilteredWritesDisabled, "PARALLEL_FILTERED_WRITES_DISABLED"},
    {cause::kErrorWhileChecking, "ERROR_WHILE_CHECKING_COLLECTIVE_POSSIBLE"},
    {cause::kMpiposix, "SET_MPIPOSIX"},
    {cause::kPointSelections, "POINT_SELECTIONS"},
    {cause::kFilters, "FILTERS"},
};

template <std::size_t N>
const char* name_at(const char* const (&names)[N], int number) {
  return number >= 0 && static_cast<std::size_t>(number) < N ? names[number] : "UNKNOWN";
}

}  // namespace

std::string cause_text(CauseBits causes) {
  if (causes == 0) return "COLLECTIVE";
  std::string text;
  auto append = [&text](const std::string& word) {
    if (!text.empty()) text += " | ";
    text += word;
  };
  for (const CauseName& entry : kCauseNames) {
    if ((causes & entry.bit) != 0) append(entry.name);
    causes &= ~entry.bit;
  }
  if (causes != 0) append("UNKNOWN(" + std::to_string(causes) + ")");
  return text;
}

const char* transport_name(Transport transport) {
  static constexpr const char* kNames[] = {"none", "direct", "view", "exchange"};
  return name_at(kNames, static_cast<int>(transport));
}

const char* io_mode_name(ActualIoMode mode) {
  static constexpr const char* kNames[] = {"NO_COLLECTIVE", "CHUNK_INDEPENDENT",
                                           "CHUNK_COLLECTIVE", "CHUNK_MIXED",
                                           "CONTIGUOUS_COLLECTIVE"};
  return name_at(kNames, static_cast<int>(mode));
}

const char* chunk_opt_name(ActualChunkOpt opt) {
  static constexpr const char* kNames[] = {"NO_CHUNK_OPTIMIZATION", "LINK_CHUNK", "MULTI_CHUNK",
                                           "MULTI_CHUNK_NO_OPT",    "COLL_CHUNK_ATONCE",
                                           "ALL_CHUNK_IND"};
  return name_at(kNames, static_cast<int>(opt));
}

}  // namespace pcio
