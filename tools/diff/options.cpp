// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The command line of pciodiff. Room: tools, public headers only.

#include "options.hpp"

#include <CLI/CLI.hpp>
#include <pcio.h>

#include "command_line.hpp"

namespace diff {

namespace {

const char* const kFooter =
    "Options, output and verdicts are those of h5diff. Objects that can't be compared (another "
    "class, rank or\n"
    "size) don't count as different there; with --strict they do. Under mpirun all ranks work.\n"
    "Exit status: 0 nothing differs, 1 something does, 2 error or usage.";

void add_output(CLI::App& app, Options* options) {
  app.add_flag("-r,--report", options->report, "tell differences one by one");
  app.add_flag_function(
      "-v{0},--verbose{0}",
      [=](std::int64_t level) {
        options->verbose = true;
        options->level = static_cast<int>(level);
      },
      "the same, and the objects of both; -v1, -v2: their attributes too, -v3: the files' names");
  app.add_flag("-q,--quiet", options->quiet, "say nothing");
  app.add_flag("-c,--compare", options->contents, "tell which objects can't be compared");
  app.add_option("-n,--count", options->most, "tell so many differences of an object")
      ->check(CLI::PositiveNumber);
  app.add_flag_callback(
      "--enable-error-stack", [] {}, "for h5diff's sake: the reason is told anyway");
  tools::add_progress_flags(app, &options->bar);
}

void add_measures(CLI::App& app, Options* options) {
  const auto set = [options](Measure measure, double limit) {
    options->measure = measure;
    options->limit = limit;
  };
  auto* delta = app.add_option_function<double>(
      "-d,--delta", [=](double limit) { set(Measure::kDelta, limit); },
      "a and b differ where |a-b| > D");
  auto* relative = app.add_option_function<double>(
      "-p,--relative", [=](double limit) { set(Measure::kRelative, limit); },
      "where |(b-a)/a| > R");
  auto* epsilon = app.add_flag_callback(
      "--use-system-epsilon", [=] { set(Measure::kEpsilon, 0); },
      "floating-point numbers: where |a-b| > FLT_EPSILON or DBL_EPSILON");
  delta->check(CLI::NonNegativeNumber)->excludes(relative)->excludes(epsilon);
  relative->check(CLI::NonNegativeNumber)->excludes(epsilon);
  app.add_flag_callback(
      "-N,--nan", [=] { options->detect_nan = false; }, "no look for numbers that are none (NaN)");
}

void add_objects(CLI::App& app, Options* options) {
  app.add_option("FILE1", options->files[0], "an HDF5 file")->required();
  app.add_option("FILE2", options->files[1], "another one")->required();
  app.add_option("OBJECT1", options->objects[0], "compare this object of FILE1 instead of all");
  app.add_option("OBJECT2", options->objects[1], "with this one of FILE2; OBJECT1 if not given");
  app.add_option("--exclude-path", options->excluded_paths, "leave out this object and those below")
      ->allow_extra_args(false);
  app.add_option("--exclude-attribute", options->excluded_attributes,
                 "leave out this attribute: path of its object, /, name")
      ->allow_extra_args(false);
  auto* follow = app.add_flag("--follow-symlinks", options->follow,
                              "compare what soft and external links lead to");
  app.add_flag("--no-dangling-links", options->no_dangling, "a link that leads nowhere is an error")
      ->needs(follow);
  app.add_flag("--strict", options->strict, "objects that can't be compared are different");
  app.add_option("--memory", options->memory, "bytes that a rank may use for data; 64MiB")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::uint64_t{1} << 20, std::uint64_t{1} << 40));
}

}  // namespace

bool read_options(int argc, char** argv, bool speaks, Options* options, int* status) {
  CLI::App app{"Compares two HDF5 files, or two objects in them."};
  app.name("pciodiff");
  app.set_version_flag("-V,--version", std::string("pciodiff ") + pcio_version_string());
  add_objects(app, options);
  add_output(app, options);
  add_measures(app, options);
  app.footer(kFooter);
  // -v1 is -v=1 there.
  std::vector<std::string> words;
  for (int i = argc - 1; i > 0; --i) {
    const std::string word = argv[i];
    const bool leveled =
        word.size() == 3 && word.compare(0, 2, "-v") == 0 && word[2] >= '0' && word[2] <= '3';
    words.push_back(leveled ? std::string("--verbose=") + word[2] : word);
  }
  if (!tools::parse(app, speaks, status, words)) return false;
  if (options->objects[1].empty()) options->objects[1] = options->objects[0];
  return true;
}

}  // namespace diff
