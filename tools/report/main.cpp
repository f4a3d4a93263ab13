// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pcioreport LOG: what the I/O of a run did, and what would make it faster, from its PCIO_REPORT log. Room: tools; a
// program of its own, without the library.
//
// Exit status: 0 all was read, 1 the log can't be read or a page can't be written, 2 usage, 3 some lines can't be read
// (the others are told).

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "advice.hpp"
#include "html.hpp"
#include "run_log.hpp"
#include "text.hpp"

namespace {

enum Exit { kRead = 0, kFailed = 1, kUsage = 2, kLinesLeftOut = 3 };

struct Options {
  std::string log, html;
  bool names = false;
};

int fail(const std::string& what, const std::string& name) {
  fmt::print(stderr, "pcioreport: {} \"{}\": {}\n", what, name,
             errno != 0 ? std::strerror(errno) : "unknown reason");
  return kFailed;
}

std::size_t columns() {
  winsize size{};
  if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 100;
  return std::clamp<std::size_t>(size.ws_col, 40, 120);
}

/// For scripts: name, gain in seconds, per cent, where.
void print_names(const pcio_report::Run& run, const std::vector<pcio_report::Advice>& advice) {
  const double whole = run.io_seconds();
  for (const pcio_report::Advice& each : advice)
    fmt::print("{}\t{:.6f}\t{:.1f}\n", pcio_report::mistake_name(each.mistake), each.gain,
               whole > 0 ? 100 * each.gain / whole : 0);
}

int report(const Options& options) {
  errno = 0;
  std::ifstream file;
  if (options.log != "-") {
    file.open(options.log);
    if (!file || (file.peek(), file.bad())) return fail("can't read", options.log);
    file.clear();
  }
  const pcio_report::Run run = pcio_report::read_log(options.log == "-" ? std::cin : file);
  if (run.lines == 0 || run.lines == run.malformed) {
    fmt::print(stderr, "pcioreport: \"{}\" has no lines of PCIO_REPORT\n", options.log);
    return kFailed;
  }
  const auto advice = pcio_report::advise(run);
  if (!options.html.empty()) {
    errno = 0;
    std::ofstream page(options.html, std::ios::binary | std::ios::trunc);
    page << pcio_report::html_page(run, advice, options.log);
    page.close();
    if (!page) return fail("can't write", options.html);
    if (!options.names) fmt::print("{}\n", options.html);
  }
  if (options.names)
    print_names(run, advice);
  else if (options.html.empty())
    fmt::print("{}", pcio_report::run_text(run, advice, columns()));
  if (run.malformed == 0) return kRead;
  fmt::print(stderr, "pcioreport: {} of {} lines can't be read and are left out\n", run.malformed,
             run.lines);
  return kLinesLeftOut;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{
      "Tells what the I/O of a run did and what would make it faster. The log is written by a "
      "program that runs with PCIO_REPORT=LOG."};
  app.name("pcioreport");
  app.set_version_flag("--version", std::string("pcioreport ") + PCIO_TOOL_VERSION);
  app.add_option("LOG", options.log, "the log; - is the standard input")->required();
  app.add_option("--html", options.html, "write a page with pictures to this file instead of text");
  app.add_flag("--names", options.names,
               "advice for scripts: a line for each, with name, gain in seconds and per cent");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? kRead : kUsage;
  }
  return report(options);
}
