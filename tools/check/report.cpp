// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What was found in files, out of line. Room: tools, public headers only.

#include "report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace check {

namespace {

constexpr std::size_t kMostLines = 20;

std::uint64_t weigh(const Findings& found, Weight weight) {
  const auto listed =
      std::count_if(found.list.begin(), found.list.end(),
                    [weight](const Finding& finding) { return finding.weight == weight; });
  return static_cast<std::uint64_t>(listed) + found.unlisted[static_cast<std::size_t>(weight)];
}

void print_findings(const FileReport& report, const Options& options, Weight weight) {
  const std::size_t most = options.verbose ? SIZE_MAX : kMostLines;
  const char* const word = weight == Weight::kWrong ? "wrong" : "note";
  std::size_t lines = 0;
  for (const Finding& finding : report.found.list) {
    if (finding.weight != weight || ++lines > most) continue;
    fmt::print("{}: {}: {}{}{}{}\n", report.file, word, finding.where,
               finding.where.empty() ? "" : ": ", finding.kind,
               finding.text.empty() ? "" : ": " + finding.text);
  }
  const std::uint64_t all = weigh(report.found, weight);
  if (all > std::min(lines, most))
    fmt::print("{}: {}: and {} more\n", report.file, word, all - std::min(lines, most));
}

std::string counts_in_words(const Findings& found) {
  std::string text;
  const auto add = [&](Counted what, const char* one, const char* many) {
    const std::uint64_t count = found.counted(what);
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
  };
  add(Counted::kGroups, "group", "groups");
  add(Counted::kDatasets, "dataset", "datasets");
  add(Counted::kTypes, "committed type", "committed types");
  add(Counted::kAttributes, "attribute", "attributes");
  add(Counted::kLinks, "link", "links");
  add(Counted::kChunks, "chunk", "chunks");
  return text;
}

void print_space(const FileReport& report, const Options& options) {
  const SpaceUse& space = report.space;
  const std::uint64_t bytes = report.commit.end_of_file - report.commit.user_block;
  fmt::print("  {}\n  {} bytes: data {}, metadata {}, free {}, nobody's {}\n",
             counts_in_words(report.found), bytes, space.data(), space.metadata(), space.free(),
             space.unowned);
  if (report.found.counted(Counted::kBytesRead) > 0)
    fmt::print("  {} bytes of elements read\n", report.found.counted(Counted::kBytesRead));
  if (!options.verbose) return;
  for (unsigned use = 0; use < space.bytes.size(); ++use)
    if (space.bytes[use] > 0) fmt::print("  {}: {} bytes\n", use_in_words(use), space.bytes[use]);
  for (const auto& [start, size] : space.gaps)
    fmt::print("  nobody's: {} bytes at {}\n", size, start);
}

nlohmann::json json_of(const Finding& finding) {
  nlohmann::json json{{"kind", finding.kind}, {"object", finding.where}, {"text", finding.text}};
  if (finding.bytes > 0) {
    json["start"] = finding.start;
    json["bytes"] = finding.bytes;
  }
  return json;
}

nlohmann::json json_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges) {
  nlohmann::json json = nlohmann::json::array();
  for (const auto& [start, size] : ranges) json.push_back({{"start", start}, {"bytes", size}});
  return json;
}

nlohmann::json json_of(const SpaceUse& space) {
  nlohmann::json uses = nlohmann::json::object();
  for (unsigned use = 0; use < space.bytes.size(); ++use)
    uses[use_in_words(use)] = space.bytes[use];
  return {{"bytes", uses},
          {"unowned", space.unowned},
          {"unowned_ranges", json_of(space.gaps)},
          {"free_ranges", json_of(space.free_ranges)}};
}

nlohmann::json json_of(const FileReport& report) {
  nlohmann::json json{
      {"file", report.file}, {"wrong_count", report.wrong()}, {"note_count", report.notes()}};
  nlohmann::json wrong = nlohmann::json::array(), notes = wrong;
  for (const Finding& finding : report.found.list)
    (finding.weight == Weight::kWrong ? wrong : notes).push_back(json_of(finding));
  json["wrong"] = wrong;
  json["notes"] = notes;
  if (!report.error.empty()) json["error"] = report.error;
  if (!report.opened) return json;
  json["user_block"] = report.commit.user_block;
  json["end_of_file"] = report.commit.end_of_file;
  json["file_size"] = report.commit.file_size;
  const Findings& found = report.found;
  json["counts"] = {{"groups", found.counted(Counted::kGroups)},
                    {"datasets", found.counted(Counted::kDatasets)},
                    {"committed_types", found.counted(Counted::kTypes)},
                    {"attributes", found.counted(Counted::kAttributes)},
                    {"links", found.counted(Counted::kLinks)},
                    {"chunks", found.counted(Counted::kChunks)},
                    {"bytes_read", found.counted(Counted::kBytesRead)}};
  json["space"] = json_of(report.space);
  return json;
}

}  // namespace

std::uint64_t FileReport::wrong() const { return weigh(found, Weight::kWrong); }
std::uint64_t FileReport::notes() const { return weigh(found, Weight::kNote); }

void print_report(const FileReport& report, const Options& options) {
  if (!report.error.empty()) fmt::print(stderr, "pciocheck: {}: {}\n", report.file, report.error);
  print_findings(report, options, Weight::kWrong);
  print_findings(report, options, Weight::kNote);
  if (!report.opened) return;
  const std::uint64_t wrong = report.wrong();
  if (wrong == 0)
    fmt::print("{}: sound\n", report.file);
  else
    fmt::print("{}: {} {} wrong\n", report.file, wrong, wrong == 1 ? "thing is" : "things are");
  print_space(report, options);
}

void print_json(const std::vector<FileReport>& reports) {
  nlohmann::json all = nlohmann::json::array();
  for (const FileReport& report : reports) all.push_back(json_of(report));
  // Names come from files: what is no UTF-8 is replaced.
  fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace check
