// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The command line of pciocheck. Room: tools, public headers only.

#include "options.hpp"

#include <CLI/CLI.hpp>
#include <pcio.h>

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
  app.add_flag_callback(
      "--progress", [=] { options->bar = tools::Bar::kOn; },
      "a progress bar also where stderr is no terminal");
  app.add_flag_callback(
      "--no-progress", [=] { options->bar = tools::Bar::kOff; }, "no progress bar");
  app.footer(kFooter);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream nowhere;
    const int code = speaks ? app.exit(error) : app.exit(error, nowhere, nowhere);
    *status = code == 0 ? 0 : 2;
    return false;
  }
  if (options->quiet) options->bar = tools::Bar::kOff;
  return true;
}

}  // namespace check
