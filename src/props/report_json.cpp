// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: reports as JSON.

#include "props/report_json.hpp"

#include <nlohmann/json.hpp>

namespace pcio {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order in which they are written

const char* direction_name(Direction direction) {
  return direction == Direction::kWrite ? "write" : "read";
}

Json causes_json(CauseBits causes) { return {{"bits", causes}, {"text", cause_names(causes)}}; }

Json requested_json(const RequestedTransfer& r) {
  return {
      {"mode", transfer_mode_name(r.mode)},
      {"individual_io", r.collective_opt == CollectiveOpt::kIndividualIo},
      {"chunk_opt", requested_chunk_opt_name(r.chunk_opt)},
      {"chunk_opt_num", r.chunk_opt_num},
      {"chunk_opt_ratio", r.chunk_opt_ratio},
      {"transport", r.transport == Transport::kNone ? "automatic" : transport_name(r.transport)}};
}

Json traits_json(const TransferTraits& t) {
  return {{"regular_file", t.regular_file},
          {"regular_memory", t.regular_memory},
          {"converted", t.converted},
          {"transformed", t.transformed},
          {"filtered", t.filtered}};
}

/// The metrics of one rank by name, but those that are other keys of a report.
Json counts_json(const TransferReport& report) {
  RankTotals one;
  one.add(report);
  Json counts = Json::object();
  for (std::size_t i = static_cast<std::size_t>(Metric::kBytesSelected); i < kMetrics; ++i)
    counts[kMetricNames[i]] = one.metrics[i];
  counts["chunks_untouched"] = report.chunks.untouched;
  return counts;
}

Json totals_json(const ReportTotals& totals) {
  Json all = Json::object();
  for (std::size_t i = static_cast<std::size_t>(Metric::kNanoseconds); i < kMetrics; ++i) {
    const MetricTotals& m = totals.metrics[i];
    all[kMetricNames[i]] = {{"sum", m.sum},
                            {"min", m.min},
                            {"min_rank", m.min_rank},
                            {"max", m.max},
                            {"max_rank", m.max_rank}};
  }
  return all;
}

/// How many have which value: {"exchange": 3, "none": 1}; values that none has are left out.
template <std::size_t N, class NameOf>
Json histogram(const std::array<std::uint64_t, N>& counts, NameOf name_of) {
  Json bins = Json::object();
  for (std::size_t i = 0; i < N; ++i)
    if (counts[i] != 0) bins[name_of(i)] = counts[i];
  return bins;
}

Json transports_json(const ReportTotals& totals) {
  return histogram(totals.transports,
                   [](std::size_t i) { return transport_name(static_cast<Transport>(i)); });
}

/// Text of a program may be any bytes; a report must not fail because of them.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json stored_json(const LoggedDataset& stored) {
  Json json = {{"layout", stored.layout},
               {"element_bytes", stored.element_bytes},
               {"extent", Json(stored.extent)}};
  if (stored.chunk.empty()) return json;
  json["chunk"] = Json(stored.chunk);
  json["chunk_bytes"] = stored.chunk_bytes;
  json["filters"] = stored.filters;
  return json;
}

Json sharing_json(const ChunkSketch& touched) {
  Json json = {{"distinct", touched.distinct()}, {"shared", touched.shared()}};
  if (touched.stride() > 1) json["one_in"] = touched.stride();
  return json;
}

Json origin_json(const char* kind, const ReportOrigin& origin) {
  Json line = {{"schema", kReportSchema},
               {"kind", kind},
               {"time", std::string(origin.time)},
               {"file", std::string(origin.file)}};
  if (!origin.dataset.empty()) line["dataset"] = std::string(origin.dataset);
  if (!origin.function.empty()) line["function"] = std::string(origin.function);
  line["ranks"] = origin.ranks;
  if (!origin.stored.empty()) line["stored"] = Json::parse(origin.stored, nullptr, false);
  return line;
}

}  // namespace

std::string report_json(const TransferReport& r) {
  Json json = {{"schema", kReportSchema}, {"kind", "transfer"}, {"used", r.used}};
  if (!r.used) return text_of(json);
  json["direction"] = direction_name(r.direction);
  json["succeeded"] = r.succeeded;
  json["verified"] = r.verified;
  json["requested"] = requested_json(r.requested);
  json["io_mode"] = io_mode_name(r.io_mode);
  json["chunk_opt"] = chunk_opt_name(r.chunk_opt);
  json["causes"] = causes_json(r.global_causes);
  json["local_causes"] = causes_json(r.local_causes);
  json["transport"] = transport_name(r.transport);
  json["transport_why"] = std::string(r.transport_why);
  json["traits"] = traits_json(r.traits);
  json["seconds"] = static_cast<double>(r.nanoseconds) * 1e-9;
  json["counts"] = counts_json(r);
  if (!r.chunk_modes.empty()) {
    Json modes = Json::array();
    for (const ChunkMode& chunk : r.chunk_modes)
      modes.push_back({{"chunk", chunk.ordinal}, {"mode", transfer_mode_name(chunk.mode)}});
    json["chunk_modes"] = std::move(modes);
  }
  return text_of(json);
}

std::string stored_text(const LoggedDataset& stored) { return text_of(stored_json(stored)); }

std::string transfer_line(const ReportOrigin& origin, const TransferReport& mine,
                          const ReportTotals& totals, const ChunkSketch& touched) {
  Json line = origin_json("collective", origin);
  line["direction"] = direction_name(mine.direction);
  line["succeeded"] = totals[Metric::kFailed].sum == 0;
  line["verified"] = totals[Metric::kUnverified].sum == 0 && totals[Metric::kFailed].sum == 0;
  line["requested"] = requested_json(mine.requested);
  line["io_mode"] = histogram(
      totals.io_modes, [](std::size_t i) { return io_mode_name(static_cast<ActualIoMode>(i)); });
  line["chunk_opt"] = chunk_opt_name(mine.chunk_opt);
  line["causes"] = causes_json(mine.global_causes);
  line["local_causes"] = causes_json(static_cast<CauseBits>(totals.causes));
  line["transport"] = transports_json(totals);
  line["transport_why"] = std::string(mine.transport_why);
  if (touched.is_known()) line["chunks"] = sharing_json(touched);
  line["totals"] = totals_json(totals);
  return text_of(line);
}

std::string independent_line(const ReportOrigin& origin, const IndependentRow& row) {
  Json line = origin_json("independent", origin);
  const ReportTotals& totals = row.totals;
  line["direction"] = direction_name(row.direction());
  line["transferring"] = row.ranks;
  line["transfers"] = totals[Metric::kTransfers].sum;
  line["failed"] = totals[Metric::kFailed].sum;
  line["local_causes"] = causes_json(static_cast<CauseBits>(totals.causes));
  line["transport"] = transports_json(totals);
  line["totals"] = totals_json(totals);
  return text_of(line);
}

void DatasetSums::add_collective(const TransferReport& mine, const ReportTotals& totals,
                                 int ranks) {
  ++collective;
  if (mine.global_causes != 0) ++not_collective;
  if (totals[Metric::kFailed].sum != 0) ++failed;
  causes |= mine.global_causes;
  slowest += totals[Metric::kNanoseconds].max;
  // Who comes last waits for nobody: what it spends is what an agreement takes.
  const MetricTotals& agreement = totals[Metric::kAgreementTime];
  waiting += agreement.sum - static_cast<std::uint64_t>(ranks) * agreement.min;
  for (std::size_t i = 0; i < kMetrics; ++i) sums[i] += totals.metrics[i].sum;
}

void DatasetSums::add_independent(const ReportTotals& totals) {
  independent += totals[Metric::kTransfers].sum;
  failed += totals[Metric::kFailed].sum;
  causes |= totals.causes;
  slowest += totals[Metric::kNanoseconds].max;
  for (std::size_t i = 0; i < kMetrics; ++i) sums[i] += totals.metrics[i].sum;
}

std::string dataset_line(const ReportOrigin& origin, Direction direction, const DatasetSums& sums) {
  Json line = origin_json("dataset", origin);
  line["direction"] = direction_name(direction);
  line["collective"] = sums.collective;
  line["not_collective"] = sums.not_collective;
  line["independent"] = sums.independent;
  line["failed"] = sums.failed;
  line["causes"] = causes_json(static_cast<CauseBits>(sums.causes));
  if (sums.touched.is_known()) line["chunks"] = sharing_json(sums.touched);
  line["nanoseconds_slowest"] = sums.slowest;
  line["nanoseconds_waiting"] = sums.waiting;
  Json all = Json::object();
  for (std::size_t i = static_cast<std::size_t>(Metric::kNanoseconds); i < kMetrics; ++i)
    if (sums.sums[i] != 0) all[kMetricNames[i]] = sums.sums[i];
  line["sums"] = std::move(all);
  return text_of(line);
}

std::string file_line(const ReportOrigin& origin, std::uint64_t nanoseconds_open,
                      const MetadataTotals& metadata) {
  Json line = origin_json("file", origin);
  line["nanoseconds_open"] = nanoseconds_open;
  Json calls = Json::object();
  for (std::size_t kind = 0; kind < kMetadataKinds; ++kind) {
    const auto& counts = metadata[kind];
    if (counts[0].sum == 0) continue;
    Json one = {{kMetadataMetricNames[0], counts[0].max}};
    for (std::size_t i = 1; i < kMetadataMetrics; ++i)
      one[kMetadataMetricNames[i]] = {{"sum", counts[i].sum}, {"max", counts[i].max}};
    calls[kMetadataNames[kind]] = std::move(one);
  }
  line["metadata"] = std::move(calls);
  return text_of(line);
}

}  // namespace pcio
