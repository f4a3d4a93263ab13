// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: reports as JSON.

#include "props/report_json.hpp"

#include <algorithm>

#include "base/json_writer.hpp"

namespace pcio {

namespace {

const char* direction_name(Direction direction) {
  return direction == Direction::kWrite ? "write" : "read";
}

/// One object as text, with what `members` writes into it.
template <class Members>
std::string object_text(Members&& members) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  members(json);
  json.end_object();
  return text;
}

template <class Members>
void put_object(JsonWriter& json, std::string_view name, Members&& members) {
  json.key(name).begin_object();
  members();
  json.end_object();
}

void put_causes(JsonWriter& json, std::string_view name, CauseBits causes) {
  const std::vector<std::string> names = cause_names(causes);
  put_object(json, name, [&] { json.member("bits", causes).key("text").values(std::span(names)); });
}

void put_requested(JsonWriter& json, const RequestedTransfer& r) {
  put_object(json, "requested", [&] {
    json.member("mode", transfer_mode_name(r.mode));
    json.member("individual_io", r.collective_opt == CollectiveOpt::kIndividualIo);
    json.member("chunk_opt", requested_chunk_opt_name(r.chunk_opt));
    json.member("chunk_opt_num", r.chunk_opt_num);
    json.member("chunk_opt_ratio", r.chunk_opt_ratio);
    json.member("transport",
                r.transport == Transport::kNone ? "automatic" : transport_name(r.transport));
  });
}

void put_traits(JsonWriter& json, const TransferTraits& t) {
  put_object(json, "traits", [&] {
    json.member("regular_file", t.regular_file);
    json.member("regular_memory", t.regular_memory);
    json.member("converted", t.converted);
    json.member("transformed", t.transformed);
    json.member("filtered", t.filtered);
  });
}

/// The metrics of one rank by name, but those that are other keys of a report.
void put_counts(JsonWriter& json, const TransferReport& report) {
  RankTotals one;
  one.add(report);
  put_object(json, "counts", [&] {
    for (std::size_t i = static_cast<std::size_t>(Metric::kBytesSelected); i < kMetrics; ++i)
      json.member(kMetricNames[i], one.metrics[i]);
    json.member("chunks_untouched", report.chunks.untouched);
  });
}

void put_chunk_modes(JsonWriter& json, const std::vector<ChunkMode>& modes) {
  json.key("chunk_modes").begin_array();
  for (const ChunkMode& chunk : modes)
    json.begin_object()
        .member("chunk", chunk.ordinal)
        .member("mode", transfer_mode_name(chunk.mode))
        .end_object();
  json.end_array();
}

void put_totals(JsonWriter& json, const ReportTotals& totals) {
  put_object(json, "totals", [&] {
    for (std::size_t i = static_cast<std::size_t>(Metric::kNanoseconds); i < kMetrics; ++i) {
      const MetricTotals& m = totals.metrics[i];
      put_object(json, kMetricNames[i], [&] {
        json.member("sum", m.sum).member("min", m.min).member("min_rank", m.min_rank);
        json.member("max", m.max).member("max_rank", m.max_rank);
      });
    }
  });
}

/// How many have which value: {"exchange": 3, "none": 1}; values that none has are left out.
template <std::size_t N, class NameOf>
void put_histogram(JsonWriter& json, std::string_view name,
                   const std::array<std::uint64_t, N>& counts, NameOf name_of) {
  put_object(json, name, [&] {
    for (std::size_t i = 0; i < N; ++i)
      if (counts[i] != 0) json.member(name_of(i), counts[i]);
  });
}

void put_transports(JsonWriter& json, const ReportTotals& totals) {
  put_histogram(json, "transport", totals.transports,
                [](std::size_t i) { return transport_name(static_cast<Transport>(i)); });
}

void put_sharing(JsonWriter& json, const ChunkSketch& touched) {
  put_object(json, "chunks", [&] {
    json.member("distinct", touched.distinct()).member("shared", touched.shared());
    if (touched.stride() > 1) json.member("one_in", touched.stride());
  });
}

void put_origin(JsonWriter& json, const char* kind, const ReportOrigin& origin) {
  json.member("schema", kReportSchema).member("kind", kind);
  json.member("time", origin.time).member("file", origin.file);
  if (!origin.dataset.empty()) json.member("dataset", origin.dataset);
  if (!origin.function.empty()) json.member("function", origin.function);
  json.member("ranks", origin.ranks);
  if (!origin.stored.empty()) json.key("stored").literal(origin.stored);
}

}  // namespace

std::string report_json(const TransferReport& r) {
  return object_text([&](JsonWriter& json) {
    json.member("schema", kReportSchema).member("kind", "transfer").member("used", r.used);
    if (!r.used) return;
    json.member("direction", direction_name(r.direction));
    json.member("succeeded", r.succeeded).member("verified", r.verified);
    put_requested(json, r.requested);
    json.member("io_mode", io_mode_name(r.io_mode));
    json.member("chunk_opt", chunk_opt_name(r.chunk_opt));
    put_causes(json, "causes", r.global_causes);
    put_causes(json, "local_causes", r.local_causes);
    json.member("transport", transport_name(r.transport));
    json.member("transport_why", r.transport_why);
    put_traits(json, r.traits);
    json.member("seconds", static_cast<double>(r.nanoseconds) * 1e-9);
    put_counts(json, r);
    if (!r.chunk_modes.empty()) put_chunk_modes(json, r.chunk_modes);
  });
}

std::string stored_text(const LoggedDataset& stored) {
  return object_text([&](JsonWriter& json) {
    json.member("layout", stored.layout).member("element_bytes", stored.element_bytes);
    json.key("extent").values(stored.extent);
    if (stored.chunk.empty()) return;
    json.key("chunk").values(stored.chunk);
    json.member("chunk_bytes", stored.chunk_bytes);
    json.key("filters").values(std::span(stored.filters));
  });
}

std::string transfer_line(const ReportOrigin& origin, const TransferReport& mine,
                          const ReportTotals& totals, const ChunkSketch& touched) {
  return object_text([&](JsonWriter& json) {
    const bool succeeded = totals[Metric::kFailed].sum == 0;
    put_origin(json, "collective", origin);
    json.member("direction", direction_name(mine.direction));
    json.member("succeeded", succeeded);
    json.member("verified", succeeded && totals[Metric::kUnverified].sum == 0);
    put_requested(json, mine.requested);
    put_histogram(json, "io_mode", totals.io_modes,
                  [](std::size_t i) { return io_mode_name(static_cast<ActualIoMode>(i)); });
    json.member("chunk_opt", chunk_opt_name(mine.chunk_opt));
    put_causes(json, "causes", mine.global_causes);
    put_causes(json, "local_causes", static_cast<CauseBits>(totals.causes));
    put_transports(json, totals);
    json.member("transport_why", mine.transport_why);
    if (touched.is_known()) put_sharing(json, touched);
    put_totals(json, totals);
  });
}

std::string independent_line(const ReportOrigin& origin, const IndependentRow& row) {
  return object_text([&](JsonWriter& json) {
    const ReportTotals& totals = row.totals;
    put_origin(json, "independent", origin);
    json.member("direction", direction_name(row.direction()));
    json.member("transferring",
                std::min(row.ranks, static_cast<std::uint64_t>(std::max(origin.ranks, 1))));
    json.member("transfers", totals[Metric::kTransfers].sum);
    json.member("failed", totals[Metric::kFailed].sum);
    put_causes(json, "local_causes", static_cast<CauseBits>(totals.causes));
    put_transports(json, totals);
    put_totals(json, totals);
  });
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
  return object_text([&](JsonWriter& json) {
    put_origin(json, "dataset", origin);
    json.member("direction", direction_name(direction));
    json.member("collective", sums.collective).member("not_collective", sums.not_collective);
    json.member("independent", sums.independent).member("failed", sums.failed);
    put_causes(json, "causes", static_cast<CauseBits>(sums.causes));
    if (sums.touched.is_known()) put_sharing(json, sums.touched);
    json.member("nanoseconds_slowest", sums.slowest).member("nanoseconds_waiting", sums.waiting);
    put_object(json, "sums", [&] {
      for (std::size_t i = static_cast<std::size_t>(Metric::kNanoseconds); i < kMetrics; ++i)
        if (sums.sums[i] != 0) json.member(kMetricNames[i], sums.sums[i]);
    });
  });
}

std::string file_line(const ReportOrigin& origin, std::uint64_t nanoseconds_open,
                      const MetadataTotals& metadata) {
  return object_text([&](JsonWriter& json) {
    put_origin(json, "file", origin);
    json.member("nanoseconds_open", nanoseconds_open);
    put_object(json, "metadata", [&] {
      for (std::size_t kind = 0; kind < kMetadataKinds; ++kind) {
        const auto& counts = metadata[kind];
        if (counts[0].sum == 0) continue;
        put_object(json, kMetadataNames[kind], [&] {
          json.member(kMetadataMetricNames[0], counts[0].max);
          for (std::size_t i = 1; i < kMetadataMetrics; ++i)
            put_object(json, kMetadataMetricNames[i],
                       [&] { json.member("sum", counts[i].sum).member("max", counts[i].max); });
        });
      }
    });
  });
}

}  // namespace pcio
