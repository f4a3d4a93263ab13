// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The command line of pciocheck. Room: tools, public headers only.

#include "options.hpp"

#include <CLI/CLI.hpp>
#include <pcio.h>

#include "command_line.hpp"

namespace check {

namespace {

const char* const kFooter =
    "Reads only. Under mpirun all ranks work.\n"
    "Exit status: 0 sound, 1 not opened or error, 2 usage, 3 something is wrong; the largest over "
    "all files.";

}  // namespace

bool read_options(int argc, char** argv, bool speaks, Options* options, int* status) {
  CLI::App app{"Says whether HDF5 files are sound: structure, checksums, who has which bytes."};
  app.name("pciocheck");
  app.set_version_flag("-V,--version", std::string("pciocheck ") + pcio_version_string());
  app.add_option("FILE", options->files, "HDF5 files")->required();
  app.add_flag("-d,--deep", options->deep, "read all elements, through their filters");
  auto* json = app.add_flag("--json", options->json, "the same as JSON");
  app.add_flag("-v,--verbose", options->verbose,
               "list everything that is wrong, and the bytes that nobody has");
  app.add_flag("-q,--quiet", options->quiet, "say nothing: the exit status is the answer")
      ->excludes(json);
  app.add_option("--memory", options->memory, "bytes of elements that a rank holds; 256MiB")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::uint64_t{1} << 20, std::uint64_t{1} << 40));
  tools::add_progress_flags(app, &options->bar);
  app.footer(kFooter);
  if (!tools::parse(app, speaks, status, argc, argv)) return false;
  if (options->quiet) options->bar = tools::Bar::kOff;
  return true;
}

}  // namespace check
