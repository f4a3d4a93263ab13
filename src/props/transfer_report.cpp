// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: names of modes and causes, for people.

#include "props/transfer_report.hpp"

#include <utility>

#include <iterator>

namespace pcio {

namespace {

struct CauseName {
  CauseBits bit;
  const char* name;
};

constexpr CauseName kCauseNames[] = {
    {cause::kSetIndependent, "independent I/O was asked for"},
    {cause::kDatatypeConversion, "datatype conversion"},
    {cause::kDataTransforms, "data transform"},
    {cause::kOptTypesDisabled, "MPI derived types switched off"},
    {cause::kNotSimpleOrScalar, "dataspace neither simple nor scalar"},
    {cause::kNotContiguousOrChunked, "dataset neither contiguous nor chunked"},
    {cause::kFilteredWritesDisabled, "parallel filtered writes not possible"},
    {cause::kErrorWhileChecking, "error while checking"},
    {cause::kMpiposix, "MPI-POSIX driver"},
    {cause::kPointSelections, "point selection"},
    {cause::kFilters, "filters"},
};

template <std::size_t N>
const char* name_at(const char* const (&names)[N], int number) {
  return number >= 0 && static_cast<std::size_t>(number) < N ? names[number] : "unknown";
}

}  // namespace

std::vector<std::string> cause_names(CauseBits causes) {
  std::vector<std::string> names;
  for (const CauseName& entry : kCauseNames) {
    if ((causes & entry.bit) != 0) names.emplace_back(entry.name);
    causes &= ~entry.bit;
  }
  if (causes != 0) names.push_back("unknown cause " + std::to_string(causes));
  return names;
}

std::string cause_text(CauseBits causes) {
  std::string text;
  for (const std::string& name : cause_names(causes)) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text.empty() ? "collective" : text;
}

const char* transport_name(Transport transport) {
  const TransportRow& row = row_of(transport);
  return row.transport == transport ? row.name : "unknown";
}

Transport transport_named(std::string_view name) {
  for (const TransportRow& row : kTransportTable)
    if (name == row.name) return row.transport;
  return Transport::kNone;
}

std::string askable_transports() {
  std::string names;
  for (const TransportRow& row : kTransportTable)
    if (row.can_be_asked_for) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

const char* transfer_mode_name(TransferMode mode) {
  return mode == TransferMode::kCollective ? "collective" : "independent";
}

const char* requested_chunk_opt_name(ChunkOpt opt) {
  static constexpr const char* kNames[] = {"automatic",
                                           "one I/O",
                                           "multi I/O",
                                           "unknown",
                                           "at once",
                                           "all independent",
                                           "multi I/O without optimization"};
  return name_at(kNames, static_cast<int>(opt));
}

const char* io_mode_name(ActualIoMode mode) {
  static constexpr const char* kNames[] = {"no collective", "chunk independent", "chunk collective",
                                           "chunk mixed", "contiguous collective"};
  return name_at(kNames, static_cast<int>(mode));
}

const char* chunk_opt_name(ActualChunkOpt opt) {
  static constexpr const char* kNames[] = {"no chunk optimization",
                                           "link chunk",
                                           "multi chunk",
                                           "multi chunk without optimization",
                                           "collective chunks at once",
                                           "all chunks independent"};
  return name_at(kNames, static_cast<int>(opt));
}

IoCounts& IoCounts::operator+=(const IoCounts& other) {
  independent_writes += other.independent_writes;
  independent_reads += other.independent_reads;
  collective_writes += other.collective_writes;
  collective_reads += other.collective_reads;
  view_changes += other.view_changes;
  posix_writes += other.posix_writes;
  posix_reads += other.posix_reads;
  bytes_written += other.bytes_written;
  bytes_read += other.bytes_read;
  return *this;
}

ExchangeCounts& ExchangeCounts::operator+=(const ExchangeCounts& other) {
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
  messages_sent += other.messages_sent;
  messages_received += other.messages_received;
  rounds += other.rounds;
  bytes_between_nodes += other.bytes_between_nodes;
  messages_between_nodes += other.messages_between_nodes;
  return *this;
}

ChunkCounts& ChunkCounts::operator+=(const ChunkCounts& other) {
  collective += other.collective;
  independent += other.independent;
  untouched += other.untouched;
  return *this;
}

void add_report(TransferReport part, TransferReport* all) {
  if (all->used) {
    part.local_causes |= all->local_causes;
    part.global_causes |= all->global_causes;
    part.verified = part.verified && all->verified;
    part.succeeded = part.succeeded && all->succeeded;
    part.bytes_selected += all->bytes_selected;
    part.chunks_touched += all->chunks_touched;
    part.chunks += all->chunks;
    part.counts += all->counts;
    part.exchange += all->exchange;
    part.nanoseconds += all->nanoseconds;
    part.spent += all->spent;
    part.touched.reset();  // chunks of several datasets can't be told apart
  }
  *all = std::move(part);
}

}  // namespace pcio
