// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The command line of pciorepack. Room: tools, public headers only.

#include "options.hpp"

#include <CLI/CLI.hpp>
#include <pcio.h>

#include "command_line.hpp"

namespace repack {

namespace {

const char* const kFooter =
    "Rules are those of h5repack: [OBJECT,...:]FILTER[=VALUES] with GZIP=1..9, SHUF, FLET,\n"
    "SZIP=PIXELS,NN|EC, NBIT, SOFF=FACTOR,IN|DS, UD=NUMBER,FLAG,COUNT[,VALUE...], NONE; and\n"
    "[OBJECT,...:]CHUNK=DIMxDIM..., CONTI, COMPA. Without an object they are for all datasets.\n"
    "Under mpirun all ranks work. OUT appears at the end, whole, or not at all.\n"
    "Exit status: 0 done, 1 not done, 2 usage.";

const std::map<std::string, H5F_libver_t> kBounds = {{"earliest", H5F_LIBVER_EARLIEST},
                                                     {"v18", H5F_LIBVER_V18},
                                                     {"v110", H5F_LIBVER_V110},
                                                     {"latest", H5F_LIBVER_LATEST},
                                                     {"0", H5F_LIBVER_EARLIEST},
                                                     {"1", H5F_LIBVER_V18},
                                                     {"2", H5F_LIBVER_V110}};

H5F_libver_t bound_of(const std::string& word) {
  const auto found = kBounds.find(word);
  if (found == kBounds.end())
    throw CLI::ValidationError("a version is earliest, v18, v110 or latest, not " + word);
  return found->second;
}

/// Calls `parse`, whose refusal becomes one of the command line's.
template <typename Parse>
auto rule_of(const std::string& text, Parse&& parse) {
  try {
    return parse(text);
  } catch (const std::invalid_argument& refusal) {
    throw CLI::ValidationError(refusal.what());
  }
}

void add_rules(CLI::App& app, Options* options) {
  app.add_option_function<std::vector<std::string>>(
         "-f,--filter",
         [=](const auto& texts) {
           for (const std::string& text : texts)
             options->filters.push_back(rule_of(text, parse_filter));
         },
         "put this filter on, in the order given; NONE takes all off")
      ->allow_extra_args(false);
  app.add_option_function<std::vector<std::string>>(
         "-l,--layout",
         [=](const auto& texts) {
           for (const std::string& text : texts)
             options->layouts.push_back(rule_of(text, parse_layout));
         },
         "lay datasets out so")
      ->allow_extra_args(false);
  app.add_option("-m,--minimum", options->minimum,
                 "put no filter on datasets of fewer bytes than this");
}

void add_format(CLI::App& app, Options* options) {
  app.add_option_function<std::string>(
      "--libver",
      [=](const std::string& text) {
        const std::size_t colon = text.find(':');
        options->low = bound_of(text.substr(0, colon));
        if (colon != std::string::npos) options->high = bound_of(text.substr(colon + 1));
      },
      "format of the file: LOW[:HIGH] of earliest (default), v18, v110, latest");
  app.add_flag_callback(
      "-L,--latest", [=] { options->low = H5F_LIBVER_LATEST; }, "the newest format");
  app.add_option_function<std::string>(
      "--low", [=](const std::string& text) { options->low = bound_of(text); }, "0, 1, 2: LOW");
  app.add_option_function<std::string>(
      "--high", [=](const std::string& text) { options->high = bound_of(text); }, "0, 1, 2: HIGH");
  app.add_option("-c,--compact", options->most_compact, "most links of a group in its header");
  app.add_option("-d,--indexed", options->least_dense, "fewest links of a group with an index");
}

void add_file(CLI::App& app, Options* options) {
  app.add_option("-u,--ublock", options->user_block_file, "file whose bytes become the user block")
      ->check(CLI::ExistingFile);
  app.add_option("-b,--block", options->user_block, "bytes of the user block");
  app.add_option("-t,--threshold", options->threshold, "align what has so many bytes");
  app.add_option("-a,--alignment", options->alignment, "to this")->check(CLI::PositiveNumber);
  app.add_option("-M,--metadata_block_size", options->metadata_block,
                 "bytes in which metadata are gathered");
  app.add_option("-S,--fs_strategy", options->strategy, "how space is managed")
      ->check(CLI::IsMember({"FSM_AGGR", "PAGE", "AGGR", "NONE"}));
  app.add_option("-P,--fs_persist", options->persist, "1: free space is kept in the file")
      ->check(CLI::Range(0, 1));
  app.add_option("-T,--fs_threshold", options->section_threshold,
                 "smallest free piece that is kept")
      ->check(CLI::NonNegativeNumber);
  app.add_option("-G,--fs_pagesize", options->page_size, "bytes of a page")
      ->check(CLI::Range(std::int64_t{512}, std::int64_t{1} << 30));
}

void add_work(CLI::App& app, Options* options) {
  app.add_option("--memory", options->memory, "bytes that a rank may use for data; 256MiB")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::uint64_t{1} << 20, std::uint64_t{1} << 40));
  app.add_flag("--forget-unlinked", options->forget_unlinked,
               "references to objects without links lead nowhere in OUT; else they are an error");
  app.add_flag("-v,--verbose", options->verbose, "a line for each dataset");
  tools::add_progress_flags(app, &options->bar);
}

}  // namespace

bool read_options(int argc, char** argv, bool speaks, Options* options, int* status) {
  CLI::App app{
      "Writes an HDF5 file anew: without its holes, and with other chunks, filters, layouts or "
      "format "
      "where that is asked for. Everything else in OUT is as in IN."};
  app.name("pciorepack");
  app.set_version_flag("-V,--version", std::string("pciorepack ") + pcio_version_string());
  app.add_option("IN", options->in, "an HDF5 file")->required();
  app.add_option("OUT", options->out, "the new one; an old one is replaced")->required();
  add_rules(app, options);
  add_format(app, options);
  add_file(app, options);
  add_work(app, options);
  app.footer(kFooter);
  return tools::parse(app, speaks, status, argc, argv);
}

}  // namespace repack
