// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: the command line.

#include "options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "driver/file_stripes.hpp"
#include "failure.hpp"
#include "types.hpp"
#include "words.hpp"

namespace pcio_explain {

using pcio_report::counted;
using pcio_report::printable;

namespace {

struct FilterRow {
  const char* name;
  int id;
  unsigned value;  ///< what is taken where none is given
  bool has_value;
};
constexpr FilterRow kFilters[] = {{"deflate", 1, 6, true},
                                  {"gzip", 1, 6, true},
                                  {"shuffle", 2, 0, false},
                                  {"fletcher32", 3, 0, false}};

pcio::FilterSpec parse_filter(const std::string& text) {
  const std::size_t equal = text.find('=');
  for (const FilterRow& row : kFilters) {
    if (text.substr(0, equal) != row.name) continue;
    pcio::FilterSpec spec;
    spec.id = row.id;
    if (!row.has_value && equal == std::string::npos) return spec;
    unsigned value = row.value;
    const char* const end = text.data() + text.size();
    if (equal != std::string::npos) {
      const auto [at, error] = std::from_chars(text.data() + equal + 1, end, value);
      if (!row.has_value || error != std::errc() || at != end || value > 9) break;
    }
    spec.values = {value};
    return spec;
  }
  throw UsageFailure(fmt::format("--filter \"{}\": deflate=LEVEL (0 to 9), shuffle or fletcher32",
                                 printable(text)));
}

struct ChunkOptRow {
  const char* name;
  pcio::ChunkOpt value;
};
constexpr ChunkOptRow kChunkOpts[] = {{"automatic", pcio::ChunkOpt::kDefault},
                                      {"one", pcio::ChunkOpt::kOneIo},
                                      {"multi", pcio::ChunkOpt::kMultiIo},
                                      {"atonce", pcio::ChunkOpt::kAtOnce}};

void check_type(const std::string& name, const char* option) {
  const auto type = type_named(name);
  if (!type) throw UsageFailure(fmt::format("{}: {}", option, type.error().message()));
}

void add_options(CLI::App& app, Options* options) {
  app.add_option("FILE", options->file, "an HDF5 file; it is only read");
  app.add_option("DATASET", options->dataset, "path of the dataset in it");
  app.add_option("--shape", options->shape, "a dataset that is not there yet: 512x512x512");
  app.add_option("--chunk", options->chunk, "its chunks: 64x64x64; without: contiguous");
  app.add_option(
         "--type", options->type,
         "its type: f4, f8, i1 to i8, u1 to u8, > in front of big-endian ones, oN for N bytes")
      ->capture_default_str();
  app.add_option("--filter", options->filters,
                 "its filters, in their order: deflate=6, shuffle, fletcher32")
      ->delimiter(',');
  app.add_option("--ranks", options->ranks, "a grid of ranks, one number a dimension: 4x4x2");
  app.add_flag("--cyclic", options->cyclic,
               "deal elements in turn along each dimension, not blocks");
  app.add_option(
      "--slabs", options->slabs,
      "a file with a line for each rank: START STRIDE COUNT BLOCK, START SHAPE, or none");
  app.add_flag("--read", options->read, "plan a read and not a write");
  app.add_flag("--independent", options->independent, "each rank by itself");
  app.add_option("--memory-type", options->memory_type, "the type in memory, where it is another");
  app.add_option("--transport", options->transport,
                 "direct, view or exchange, and not the library's choice");
  app.add_option("--chunk-opt", options->chunk_opt, "automatic, one, multi or atonce");
  app.add_option("--chunk-opt-num", options->chunk_opt_num,
                 "chunks of a rank from which on they are linked");
  app.add_option("--chunk-opt-ratio", options->chunk_opt_ratio,
                 "per cent of the ranks from which on a chunk is collective")
      ->check(CLI::Range(0, 100));
  app.add_option("--nodes", options->nodes, "machines that the ranks are on, in blocks")
      ->check(CLI::Range(1, static_cast<int>(kMostRanks)));
  app.add_option("--stripe", options->stripe,
                 "bytes that the file system locks as a whole (Lustre's stripe, GPFS's block), "
                 "where FILE's does not say: 1MiB")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--try", options->try_shapes,
                 "compare chunk shapes (given with commas between, or found) and settings")
      ->delimiter(',')
      ->expected(0, -1);
  app.add_option("--map", options->map,
                 "draw which rank has which chunk: an SVG file, or - for here");
  app.add_flag("--json", options->json, "one JSON object in place of text");
}

/// A part of a block that has a remainder.
std::string remainder_text(const Options& options, const Deal& deal) {
  if (options.cyclic || deal.empty()) return "";
  for (std::size_t d = 0; d < deal.front().block.size(); ++d)
    if (deal.front().block[d] != deal.back().block[d])
      return "; the first ones of a dimension have an element more";
  return "";
}

}  // namespace

Parsed parse(int argc, char** argv, Options* options) {
  CLI::App app{
      "Tells how a transfer of many ranks would go: which way, in how many calls, with what "
      "between the "
      "ranks, and what would make it faster. The plan is that of the library itself; nothing is "
      "written."};
  app.name("pcioexplain");
  app.set_version_flag("--version", std::string("pcioexplain ") + PCIO_TOOL_VERSION);
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return {false, status == 0 ? 0 : 2};
  }
  options->tries = app.count("--try") > 0;
  return {true, 0};
}

Settings settings_of(const Options& options) {
  Settings settings;
  settings.direction = options.read ? pcio::Direction::kRead : pcio::Direction::kWrite;
  settings.independent = options.independent;
  settings.chunk_opt_num = options.chunk_opt_num;
  settings.chunk_opt_ratio = options.chunk_opt_ratio;
  settings.nodes = options.nodes;
  settings.stripe = options.stripe;
  if (options.stripe > 0 && pcio::usable_lock_unit(options.stripe) == 1)
    throw UsageFailure(
        fmt::format("--stripe {}: a multiple of {} bytes", options.stripe, pcio::kLeastLockUnit));
  if (!options.memory_type.empty()) {
    check_type(options.memory_type, "--memory-type");
    settings.memory_type = options.memory_type;
  }
  if (!options.transport.empty()) {
    settings.transport = pcio::transport_named(options.transport);
    if (settings.transport == pcio::Transport::kNone ||
        !pcio::row_of(settings.transport).can_be_asked_for)
      throw UsageFailure(fmt::format("--transport \"{}\": {}", printable(options.transport),
                                     pcio::askable_transports()));
  }
  if (options.chunk_opt.empty()) return settings;
  for (const ChunkOptRow& row : kChunkOpts)
    if (options.chunk_opt == row.name) {
      settings.chunk_opt = row.value;
      return settings;
    }
  throw UsageFailure(fmt::format("--chunk-opt \"{}\": automatic, one, multi or atonce",
                                 printable(options.chunk_opt)));
}

Subject made_up(const Options& options) {
  Subject subject;
  subject.dims = parse_shape(options.shape, "--shape");
  if (!options.chunk.empty()) {
    subject.chunk = parse_shape(options.chunk, "--chunk");
    if (subject.chunk.size() != subject.dims.size())
      throw UsageFailure(fmt::format("--chunk {} has {}, --shape has {}", options.chunk,
                                     counted(subject.chunk.size(), "dimension"),
                                     subject.dims.size()));
    for (std::size_t d = 0; d < subject.dims.size(); ++d)
      if (subject.chunk[d] > subject.dims[d])
        throw UsageFailure(fmt::format("--chunk {}: {} is more than the {} of dimension {}",
                                       options.chunk, subject.chunk[d], subject.dims[d], d));
  }
  check_type(options.type, "--type");
  subject.type = options.type;
  subject.element_bytes = type_named(options.type)->size();
  for (const std::string& filter : options.filters) subject.filters.push_back(parse_filter(filter));
  if (!subject.filters.empty() && subject.chunk.empty())
    throw UsageFailure("--filter: only datasets with chunks have filters: give --chunk");
  if (!subject.filters.empty() && options.read)
    throw UsageFailure(
        "--read: chunks with filters that are not there yet can't be read: give a file");
  std::uint64_t bytes = subject.element_bytes;
  for (const std::uint64_t dim : subject.dims)
    if (__builtin_mul_overflow(bytes, dim, &bytes) || bytes > std::uint64_t{1} << 62)
      throw UsageFailure(fmt::format("--shape {}: more bytes than a file can have", options.shape));
  return subject;
}

Deal deal_of(const Options& options, const Numbers& dims) {
  if (options.ranks.empty() == options.slabs.empty())
    throw UsageFailure("say which rank has what: --ranks GRID or --slabs FILE");
  if (!options.slabs.empty()) {
    if (options.cyclic) throw UsageFailure("--cyclic goes with --ranks");
    errno = 0;
    std::ifstream in(options.slabs);
    if (!in || (in.peek(), in.bad()))
      throw Failure(fmt::format("can't read \"{}\": {}", printable(options.slabs),
                                errno != 0 ? std::strerror(errno) : "unknown reason"));
    in.clear();
    Deal deal = read_slabs(in, printable(options.slabs), dims);
    if (deal.size() > kMostRanks)
      throw Failure(fmt::format("{}: {} ranks: {} are the most", printable(options.slabs),
                                deal.size(), kMostRanks));
    return deal;
  }
  const Numbers grid = parse_shape(options.ranks, "--ranks");
  std::uint64_t ranks = 1;
  for (const std::uint64_t each : grid)
    if (each > kMostRanks || (ranks *= each) > kMostRanks)
      throw UsageFailure(
          fmt::format("--ranks {}: {} ranks are the most", options.ranks, kMostRanks));
  return options.cyclic ? deal_cyclic(dims, grid) : deal_blocks(dims, grid);
}

std::string deal_text(const Options& options, const Deal& deal) {
  std::string text = counted(deal.size(), "rank");
  if (!options.slabs.empty())
    text += ", as in " + printable(options.slabs);
  else
    text +=
        fmt::format(", {} by a grid of {}{}", options.cyclic ? "elements dealt in turn" : "blocks",
                    options.ranks, remainder_text(options, deal));
  if (options.nodes > 1) text += fmt::format(", on {} nodes", options.nodes);
  if (options.stripe > 0)
    text += fmt::format(", with stripes of {}", pcio_report::bytes_text(options.stripe));
  return text;
}

std::vector<Numbers> try_shapes_of(const Options& options, const Numbers& dims) {
  std::vector<Numbers> shapes;
  for (const std::string& text : options.try_shapes) {
    if (text.empty()) continue;
    shapes.push_back(parse_shape(text, "--try"));
    if (shapes.back().size() != dims.size())
      throw UsageFailure(fmt::format("--try {} has {}, the dataset has {}", text,
                                     counted(shapes.back().size(), "dimension"), dims.size()));
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (shapes.back()[d] > dims[d])
        throw UsageFailure(fmt::format("--try {}: {} is more than the {} of dimension {}", text,
                                       shapes.back()[d], dims[d], d));
  }
  return shapes;
}

}  // namespace pcio_explain
