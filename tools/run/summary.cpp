// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Reads lines as doc/REPORT.md has them. A line that can't be read is counted and left out.

#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace pcio_run {

namespace {

using Json = nlohmann::json;

struct Moved {
  std::uint64_t written = 0, read = 0;
  double seconds = 0;

  void add(const Json& line) {
    const Json& totals = line.at("totals");
    written += totals.at("bytes_written").at("sum").get<std::uint64_t>();
    read += totals.at("bytes_read").at("sum").get<std::uint64_t>();
    // The slowest rank's: the others waited for it, or could have.
    seconds += static_cast<double>(totals.at("nanoseconds").at("max").get<std::uint64_t>()) * 1e-9;
  }
};

/// What the time of all ranks went to, as lines name it and as a person would.
constexpr std::array<std::pair<const char*, const char*>, 5> kSpent = {
    {{"nanoseconds_agreement", "agreeing and waiting for the last rank"},
     {"nanoseconds_exchange", "exchange between ranks"},
     {"nanoseconds_file", "the file"},
     {"nanoseconds_filters", "filters"},
     {"nanoseconds_conversion", "conversion of types"}}};

/// A sum over the ranks; 0 in lines of earlier releases that don't have it.
std::uint64_t sum_of(const Json& line, const char* metric) {
  const Json& totals = line.at("totals");
  return totals.contains(metric) ? totals[metric].at("sum").get<std::uint64_t>() : 0;
}

/// The transfers of one dataset in one direction.
struct DatasetRow {
  std::uint64_t transfers = 0, collective = 0, failed = 0, converted = 0;
  std::map<std::string, std::uint64_t> causes, ways;
  Moved moved;
  std::uint64_t nanoseconds = 0;  ///< of all ranks
  std::array<std::uint64_t, kSpent.size()> spent{};
  Json stored;               ///< as the last line has it
  std::uint64_t chunks = 0;  ///< touched, by all ranks

  void add(const Json& line) {
    moved.add(line);
    nanoseconds += sum_of(line, "nanoseconds");
    for (std::size_t i = 0; i < kSpent.size(); ++i) spent[i] += sum_of(line, kSpent[i].first);
    chunks += sum_of(line, "chunks_touched");
    if (line.contains("stored")) stored = line["stored"];
  }
};

struct Summary {
  std::set<std::string> files;
  std::map<std::string, DatasetRow> datasets;  // by file, dataset and direction
  std::set<std::string> dataset_names;
  std::uint64_t asked_collective = 0, collective = 0, independent = 0, failed = 0, unreadable = 0;
  std::map<std::string, std::uint64_t> causes;
  Moved moved;
  std::uint64_t written_besides = 0;  ///< not by transfers
};

std::string joined(const Json& words) {
  std::string text;
  for (const Json& word : words) text += (text.empty() ? "" : ", ") + word.get<std::string>();
  return text;
}

DatasetRow& row_of(Summary& sum, const Json& line) {
  std::string file = line.at("file"), dataset = line.at("dataset"),
              direction = line.at("direction");
  return sum.datasets[file + ":" + dataset + ", " + direction];
}

void add_collective(Summary& sum, const Json& line) {
  std::string file = line.at("file"), dataset = line.at("dataset");
  DatasetRow& row = row_of(sum, line);
  sum.dataset_names.insert(file + ":" + dataset);
  bool succeeded = line.at("succeeded").get<bool>();
  std::string causes = joined(line.at("causes").at("text"));
  ++sum.asked_collective;
  ++row.transfers;
  if (!succeeded) {
    ++sum.failed;
    ++row.failed;
  } else if (causes.empty()) {
    ++sum.collective;
    ++row.collective;
  } else {
    ++sum.causes[causes];
    ++row.causes[causes];
  }
  std::string how;
  for (const auto& [transport, ranks] : line.at("transport").items())
    how += (how.empty() ? "" : "+") + transport;
  ++row.ways[how + ": " + line.at("transport_why").get<std::string>()];
  if (sum_of(line, "converted") > 0) ++row.converted;
  row.add(line);
}

void add_independent(Summary& sum, const Json& line) {
  auto count = line.at("transfers").get<std::uint64_t>();
  auto failed = line.at("failed").get<std::uint64_t>();
  std::string causes = joined(line.at("local_causes").at("text"));
  sum.independent += count;
  sum.failed += failed;
  sum.causes[causes] += count;
  DatasetRow& row = row_of(sum, line);
  row.transfers += count;
  row.failed += failed;
  row.causes[causes] += count;
  for (const auto& [transport, transfers] : line.at("transport").items())
    row.ways[transport] += transfers.get<std::uint64_t>();
  row.converted += sum_of(line, "converted");
  row.add(line);
}

void add_file(Summary& sum, const Json& line) {
  if (!line.contains("metadata")) return;
  for (const auto& [call, metrics] : line["metadata"].items())
    if (metrics.contains("bytes_written"))
      sum.written_besides += metrics.at("bytes_written").at("sum").get<std::uint64_t>();
}

void add_line(Summary& sum, const std::string& text) {
  try {
    Json line = Json::parse(text);
    if (line.at("kind") == "collective") {
      add_collective(sum, line);
    } else if (line.at("kind") == "independent") {
      add_independent(sum, line);
    } else if (line.at("kind") == "file") {
      return add_file(sum, line);
    } else {
      return;  // sums of what other lines say
    }
    sum.files.insert(line.at("file").get<std::string>());
    sum.moved.add(line);
  } catch (const Json::exception&) {
    ++sum.unreadable;
  }
}

Summary read_report(const std::string& path, std::uint64_t begin) {
  Summary sum;
  std::ifstream file(path);
  file.seekg(static_cast<std::streamoff>(begin));
  for (std::string line; std::getline(file, line);) add_line(sum, line);
  return sum;
}

/// Which library how many processes opened.
std::map<std::string, std::uint64_t> read_log(const std::string& path) {
  std::map<std::string, std::uint64_t> uses;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    Json note = Json::parse(line, nullptr, false);
    if (!note.is_object() || !note.contains("library") || !note["library"].is_string()) continue;
    std::string library = note["library"];
    ++uses[library.substr(library.find_last_of('/') + 1)];
  }
  return uses;
}

std::string counted(std::uint64_t count, const char* one, const char* more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string moved_text(const Moved& moved) {
  return fmt::format("{} written, {} read, {:.3f} s", bytes_text(moved.written),
                     bytes_text(moved.read), moved.seconds);
}

void say(const std::string& text) { fmt::print(stderr, "pcio-run: {}\n", text); }

/// What a program can do about a cause. The words are those of the library's reports.
std::string advice(const std::string& cause) {
  static const std::vector<std::pair<std::string, std::string>> kAdvice = {
      {"independent I/O was asked for",
       "the transfer list says independent: H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE), and all "
       "ranks call"},
      {"derived types", "HDF5_MPI_OPT_TYPES is 0, or the MPI library can't: unset it"},
      {"MPI-POSIX", "H5Pset_fapl_mpiposix has no collective I/O: use H5Pset_fapl_mpio"},
      {"contiguous", "compact, external and virtual datasets have none"},
      {"error while checking", "a rank's arguments were wrong: its error stack says which"}};
  for (const auto& [word, what] : kAdvice)
    if (cause.find(word) != std::string::npos) return what;
  return "";
}

void print_causes(const Summary& sum, bool explain) {
  for (const auto& [cause, count] : sum.causes) {
    say(fmt::format("  {} not collective: {}", count,
                    cause.empty() ? "no cause was noted" : cause));
    std::string what = explain ? advice(cause) : "";
    if (!what.empty()) say("    " + what);
  }
}

/// Chunks of fewer bytes cost more in calls and in the index than in bytes.
constexpr std::uint64_t kSmallChunk = 64 << 10;
constexpr std::uint64_t kManyChunks = 16;

std::string dims_text(const Json& dims) {
  std::string text;
  for (const Json& dim : dims)
    text += (text.empty() ? "" : " x ") + std::to_string(dim.get<std::uint64_t>());
  return text;
}

/// "chunks of 100 x 100 elements, 39.1 KiB; deflate (1)".
std::string stored_text(const Json& stored) {
  if (!stored.contains("chunk")) return stored.at("layout").get<std::string>();
  const std::string filters = joined(stored.at("filters"));
  return fmt::format("chunks of {} elements, {}{}", dims_text(stored["chunk"]),
                     bytes_text(stored.at("chunk_bytes").get<std::uint64_t>()),
                     filters.empty() ? "" : "; " + filters);
}

void print_time(const DatasetRow& row) {
  std::string parts;
  std::uint64_t rest = row.nanoseconds;
  const auto add = [&](std::uint64_t part, const char* what) {
    const auto percent = static_cast<unsigned>(100.0 * static_cast<double>(part) /
                                               static_cast<double>(row.nanoseconds));
    if (percent > 0) parts += fmt::format("{}{} % {}", parts.empty() ? "" : ", ", percent, what);
  };
  for (std::size_t i = 0; i < kSpent.size(); ++i) {
    rest -= std::min(rest, row.spent[i]);
    add(row.spent[i], kSpent[i].second);
  }
  if (rest == row.nanoseconds) return;
  add(rest, "selecting and copying");
  say("  time of all ranks: " + parts);
}

/// How the dataset is stored, and what of that costs.
void print_stored(const DatasetRow& row) {
  if (!row.stored.is_object()) return;
  say("  " + stored_text(row.stored));
  if (row.stored.contains("chunk") && row.transfers > 0 &&
      row.stored.at("chunk_bytes").get<std::uint64_t>() < kSmallChunk &&
      row.chunks / row.transfers >= kManyChunks)
    say(fmt::format(
        "    these are small chunks, {} a transfer: larger ones (about 1 MiB) make fewer "
        "calls and a smaller index",
        row.chunks / row.transfers));
  if (row.converted > 0)
    say(
        fmt::format("  types were converted in {}: a dataset of the type that the program has in "
                    "memory needs none",
                    counted(row.converted, "transfer", "transfers")));
}

void print_datasets(const Summary& sum) {
  for (const auto& [name, row] : sum.datasets) {
    say(fmt::format("{}: {}, {} of them collective{}; {}", name,
                    counted(row.transfers, "transfer", "transfers"), row.collective,
                    row.failed != 0 ? fmt::format(", {} failed", row.failed) : "",
                    moved_text(row.moved)));
    for (const auto& [cause, count] : row.causes) say(fmt::format("  {} not: {}", count, cause));
    for (const auto& [way, count] : row.ways) say(fmt::format("  {} by {}", count, way));
    print_stored(row);
    print_time(row);
  }
}

void print_transfers(const Summary& sum, bool explain) {
  say(fmt::format("{}, {} with collective transfers; {}",
                  counted(sum.files.size(), "parallel file", "parallel files"),
                  counted(sum.dataset_names.size(), "dataset", "datasets"), moved_text(sum.moved)));
  say(fmt::format("{} asked to be collective, {} of them {}; {} independent; {} failed",
                  counted(sum.asked_collective, "transfer was", "transfers were"), sum.collective,
                  sum.collective == 1 ? "was" : "were", sum.independent, sum.failed));
  print_causes(sum, explain);
  if (explain) print_datasets(sum);
}

}  // namespace

void print_summary(const std::string& report, std::uint64_t begin, const std::string& log,
                   bool explain) {
  std::map<std::string, std::uint64_t> uses = read_log(log);
  Summary sum = read_report(report, begin);
  bool nothing = sum.files.empty();
  if (uses.empty() && nothing) {
    say("the program has not used HDF5 through libpcio: it has none, or has it linked in, or under "
        "another name "
        "(pcio-run --check tells)");
    return;
  }
  for (const auto& [library, count] : uses)
    say(fmt::format("{} used {} of libpcio", counted(count, "process", "processes"), library));
  if (nothing) {
    say("no transfers in parallel files (files of serial drivers are not counted)");
  } else {
    print_transfers(sum, explain);
  }
  if (sum.written_besides > 0)
    say(fmt::format(
        "{} written besides: metadata, and chunks with filters that independent transfers leave to "
        "a flush or close",
        bytes_text(sum.written_besides)));
  if (sum.unreadable != 0) say(fmt::format("{} lines of {} can't be read", sum.unreadable, report));
}

}  // namespace pcio_run
