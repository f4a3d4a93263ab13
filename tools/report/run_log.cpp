// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: read_log. Lines are as doc/REPORT.md has them.

#include "run_log.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

namespace pcio_report {

const std::array<PartName, kParts> kPartNames = {
    {{"nanoseconds_agreement", "agreeing and waiting"},
     {"nanoseconds_exchange", "exchange between ranks"},
     {"nanoseconds_file", "the file"},
     {"nanoseconds_filters", "filters"},
     {"nanoseconds_conversion", "converting types"},
     {"nanoseconds_fill", "fill values"},
     {"", "copying and the rest"}}};

Times& Times::operator+=(const Times& other) {
  for (std::size_t i = 0; i < kParts; ++i) seconds[i] += other.seconds[i];
  return *this;
}

double Times::sum() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

std::string Dataset::title() const { return name + (writes ? ", written" : ", read"); }

double Run::io_seconds() const {
  double all = 0;
  for (const Dataset& dataset : datasets) all += dataset.seconds;
  for (const File& file : files)
    for (const auto& [kind, calls] : file.metadata) all += calls.seconds;
  return all;
}

namespace {

using Json = nlohmann::json;

constexpr int kKnownSchema = 2;
constexpr double kSecond = 1e-9;
constexpr double kLongestRun = 1e9;  // seconds; what is longer is no time

/// Numbers of a line may be anything: what is no number of this kind is an error of the line.
std::uint64_t number(const Json& json) {
  if (!json.is_number()) throw std::invalid_argument("no number");
  const auto value = json.get<double>();
  if (!(value >= 0) || value > 1.8e19) throw std::invalid_argument("no such number");
  return json.is_number_float() ? static_cast<std::uint64_t>(value) : json.get<std::uint64_t>();
}

std::uint64_t number_or_zero(const Json& json, const char* key) {
  return json.contains(key) ? number(json[key]) : 0;
}

double seconds(std::uint64_t nanoseconds) {
  return std::min(static_cast<double>(nanoseconds) * kSecond, kLongestRun);
}

/// "2026-01-31T12:00:00.123Z"; 0 for other texts.
double time_of(const Json& line) {
  const auto text = line.value("time", std::string());
  std::tm parts{};
  double second = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%lf", &parts.tm_year, &parts.tm_mon,
                  &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &second) != 6 ||
      !(second >= 0 && second < 62) || parts.tm_year < 1970 || parts.tm_year > 9000)
    return 0;
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  return static_cast<double>(timegm(&parts)) + second;
}

std::string joined(const Json& words, const char* between) {
  std::string text;
  for (const Json& word : words) text += (text.empty() ? "" : between) + word.get<std::string>();
  return text;
}

std::vector<std::uint64_t> numbers(const Json& list) {
  std::vector<std::uint64_t> all;
  for (const Json& each : list) all.push_back(number(each));
  if (all.size() > 32) throw std::invalid_argument("too many dimensions");
  return all;
}

Stored stored_of(const Json& json) {
  Stored stored;
  stored.layout = json.at("layout").get<std::string>();
  stored.element_bytes = number(json.at("element_bytes"));
  stored.extent = numbers(json.at("extent"));
  if (!json.contains("chunk")) return stored;
  stored.chunk = numbers(json["chunk"]);
  stored.chunk_bytes = number(json.at("chunk_bytes"));
  for (const Json& filter : json.at("filters")) stored.filters.push_back(filter.get<std::string>());
  return stored;
}

/// What a line has of a metric; lines of earlier releases lack some.
class Totals {
 public:
  explicit Totals(const Json& line) : totals_(line.at("totals")) {}
  [[nodiscard]] std::uint64_t of(const char* metric, const char* what = "sum") const {
    return totals_.contains(metric) ? number(totals_[metric].at(what)) : 0;
  }

 private:
  const Json& totals_;
};

class Reader {
 public:
  explicit Reader(Run& run) : run_(run) {}

  void add(const Json& line) {
    const auto kind = line.at("kind").get<std::string>();
    if (number_or_zero(line, "schema") > kKnownSchema) ++run_.newer;
    if (kind == "collective" || kind == "independent")
      add_transfer(line, kind == "collective");
    else if (kind == "file")
      add_file(line);
    else if (kind != "dataset")  // sums of what the others say
      ++run_.unknown;
  }

 private:
  /// Nothing of the run changes before all of the line was understood.
  void add_transfer(const Json& line, bool collective) {
    Dataset one = dataset_of(line, collective);
    Transfer transfer;
    transfer.file = one.file;
    transfer.dataset = one.name;
    transfer.writes = one.writes;
    transfer.function = line.value("function", std::string());
    transfer.is_collective_line = collective;
    transfer.was_collective = one.collective > 0;
    transfer.succeeded = one.failed == 0;
    transfer.end = time_of(line);
    transfer.seconds = one.seconds;
    transfer.bytes = one.moved();
    note_span(transfer.end, transfer.seconds);
    run_.ranks = std::max(run_.ranks, one.ranks);
    transfer.lane = merge(std::move(one));
    run_.transfers.push_back(std::move(transfer));
  }

  static Dataset dataset_of(const Json& line, bool collective) {
    Dataset one;
    one.file = line.at("file").get<std::string>();
    one.name = line.value("dataset", std::string("(all datasets)"));
    const Totals totals(line);
    one.writes =
        line.contains("direction") ? line["direction"] == "write" : totals.of("bytes_written") > 0;
    one.ranks = std::max<std::uint64_t>(1, number(line.at("ranks")));
    if (line.contains("stored") && line["stored"].is_object())
      one.stored = stored_of(line["stored"]);
    const std::string causes =
        joined(line.at(collective ? "causes" : "local_causes").at("text"), ", ");
    if (collective)
      count_collective(one, line, causes);
    else
      count_independent(one, line, causes);
    add_totals(one, totals);
    if (!collective) {
      one.independent_seconds = one.seconds;
    } else {
      add_waiting(one, totals);
    }
    if (line.contains("chunks")) {
      one.distinct = number(line["chunks"].at("distinct"));
      one.shared = number(line["chunks"].at("shared"));
    }
    return one;
  }

  static void count_collective(Dataset& one, const Json& line, const std::string& causes) {
    if (!line.at("succeeded").get<bool>()) one.failed = 1;
    (causes.empty() ? one.collective : one.not_collective) = 1;
    if (!causes.empty()) one.causes[causes] = 1;
    std::string how;
    for (const auto& [transport, ranks] : line.at("transport").items())
      how += (how.empty() ? "" : "+") + transport;
    one.ways[how + ": " + line.value("transport_why", std::string("?"))] = 1;
  }

  static void count_independent(Dataset& one, const Json& line, const std::string& causes) {
    one.independent = number(line.at("transfers"));
    one.failed = number(line.at("failed"));
    one.causes[causes.empty() ? "no cause was noted" : causes] = one.independent;
  }

  static void add_totals(Dataset& one, const Totals& totals) {
    const auto ranks = static_cast<double>(one.ranks);
    one.seconds = seconds(totals.of("nanoseconds", "max"));
    double rest = seconds(totals.of("nanoseconds")) / ranks;
    for (std::size_t i = 0; i + 1 < kParts; ++i) {
      one.times.seconds[i] = seconds(totals.of(kPartNames[i].metric)) / ranks;
      rest -= one.times.seconds[i];
    }
    one.times[Part::kElse] = std::max(0.0, rest);
    one.converted = totals.of("converted");
    one.selected = totals.of("bytes_selected");
    one.most_selected = totals.of("bytes_selected", "max");
    one.most_selected_rank = totals.of("bytes_selected", "max_rank");
    one.written = totals.of("bytes_written");
    one.read = totals.of("bytes_read");
    one.sent = totals.of("bytes_sent");
    one.between_nodes = totals.of("bytes_between_nodes");
    one.raw = totals.of("bytes_raw");
    one.stored_bytes = totals.of("bytes_stored");
    one.filled = totals.of("bytes_filled");
    one.chunks_touched = totals.of("chunks_touched");
    for (const char* calls : {"independent_writes", "independent_reads", "collective_writes",
                              "collective_reads", "posix_writes", "posix_reads"})
      one.file_calls += totals.of(calls);
  }

  /// Who comes last to the agreements of a transfer waits least: the others wait for it.
  static void add_waiting(Dataset& one, const Totals& totals) {
    constexpr const char* kTime = "nanoseconds_agreement";
    const std::uint64_t late = totals.of(kTime, "min_rank");
    const auto ranks = static_cast<double>(one.ranks);
    one.waiting =
        std::max(0.0, seconds(totals.of(kTime)) / ranks - seconds(totals.of(kTime, "min")));
    one.late[late] = one.waiting;
    one.lates[late] = 1;
  }

  /// Returns where it is.
  std::size_t merge(Dataset&& one) {
    const auto key = one.file + '\0' + one.name + (one.writes ? "w" : "r");
    const auto [place, is_new] = places_.try_emplace(key, run_.datasets.size());
    if (is_new) {
      run_.datasets.push_back(std::move(one));
      return place->second;
    }
    Dataset& all = run_.datasets[place->second];
    for (const auto& [cause, count] : one.causes) all.causes[cause] += count;
    for (const auto& [way, count] : one.ways) all.ways[way] += count;
    for (const auto& [rank, time] : one.late) all.late[rank] += time;
    for (const auto& [rank, count] : one.lates) all.lates[rank] += count;
    if (!one.stored.layout.empty()) all.stored = std::move(one.stored);
    for (auto member : {&Dataset::seconds, &Dataset::independent_seconds, &Dataset::waiting})
      all.*member += one.*member;
    all.times += one.times;
    for (auto member :
         {&Dataset::collective, &Dataset::not_collective, &Dataset::independent, &Dataset::failed,
          &Dataset::converted, &Dataset::selected, &Dataset::most_selected, &Dataset::written,
          &Dataset::read, &Dataset::sent, &Dataset::between_nodes, &Dataset::raw,
          &Dataset::stored_bytes, &Dataset::filled, &Dataset::file_calls, &Dataset::chunks_touched,
          &Dataset::distinct, &Dataset::shared})
      all.*member += one.*member;
    all.most_selected_rank = one.most_selected_rank;
    return place->second;
  }

  void add_file(const Json& line) {
    File one;
    one.name = line.at("file").get<std::string>();
    one.ranks = std::max<std::uint64_t>(1, number(line.at("ranks")));
    one.closes = 1;
    one.open_seconds = seconds(number(line.at("nanoseconds_open")));
    for (const auto& [kind, json] : line.at("metadata").items()) {
      MetadataCalls calls;
      calls.calls = number(json.at("calls"));
      const auto of = [&, &json = json](const char* metric, const char* what) {
        return json.contains(metric) ? number(json[metric].at(what)) : 0;
      };
      const auto ranks = static_cast<double>(one.ranks);
      calls.seconds = seconds(of("nanoseconds", "max"));
      calls.file = seconds(of("nanoseconds_file", "sum")) / ranks;
      calls.fill = seconds(of("nanoseconds_fill", "sum")) / ranks;
      calls.mean = seconds(of("nanoseconds", "sum")) / ranks;
      calls.agreement = seconds(of("nanoseconds_agreement", "sum")) / ranks;
      calls.written = of("bytes_written", "sum");
      calls.read = of("bytes_read", "sum");
      calls.filled = of("bytes_filled", "sum");
      one.metadata[kind] = calls;
    }
    note_span(time_of(line), one.open_seconds);
    run_.ranks = std::max(run_.ranks, one.ranks);
    merge(std::move(one));
  }

  void merge(File&& one) {
    const auto found = std::find_if(run_.files.begin(), run_.files.end(),
                                    [&](const File& file) { return file.name == one.name; });
    if (found == run_.files.end()) {
      run_.files.push_back(std::move(one));
      return;
    }
    found->closes += one.closes;
    found->open_seconds += one.open_seconds;
    for (const auto& [kind, calls] : one.metadata) {
      MetadataCalls& all = found->metadata[kind];
      for (auto member : {&MetadataCalls::seconds, &MetadataCalls::file, &MetadataCalls::fill,
                          &MetadataCalls::mean, &MetadataCalls::agreement})
        all.*member += calls.*member;
      for (auto member : {&MetadataCalls::calls, &MetadataCalls::written, &MetadataCalls::read,
                          &MetadataCalls::filled})
        all.*member += calls.*member;
    }
  }

  void note_span(double end, double seconds_before) {
    if (end == 0) return;
    const double begin = end - seconds_before;
    if (run_.begin == 0 || begin < run_.begin) run_.begin = begin;
    run_.end = std::max(run_.end, end);
  }

  Run& run_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

Run read_log(std::istream& in) {
  Run run;
  Reader reader(run);
  for (std::string text; std::getline(in, text);) {
    if (text.empty()) continue;
    ++run.lines;
    try {
      reader.add(Json::parse(text));
    } catch (const Json::exception&) {
      ++run.malformed;
    } catch (const std::invalid_argument&) {
      ++run.malformed;
    }
  }
  return run;
}

}  // namespace pcio_report
