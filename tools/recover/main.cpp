// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pciorecover [--check | --replay] FILE...: how files stand after a program that wrote them was
// killed, and the completion of a commit that was cut. Room: tools, public headers only; a program
// without MPI_Init.
//
// Exit status, the largest over the files: 0 the file is whole (or has been made whole), 1 it
// cannot be opened or is not an HDF5 file, 2 usage, 3 a commit was cut and can be completed
// (--check), 4 a commit was cut and its journal is not there.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <pcio.h>
#include <string>
#include <vector>

#include "id.hpp"

namespace {

enum Exit { kWhole = 0, kNotOpened = 1, kUsage = 2, kCut = 3, kBroken = 4 };

int complain(const std::string& file) {
  fmt::print(stderr, "pciorecover: {}: {}\n", file, pcioinfo::last_reason());
  return kNotOpened;
}

void print_journal(const pcio_commit_info_t& info) {
  fmt::print("  superblock {}; journal at byte {}: {} blocks, {} bytes, commit {} of its session\n",
             info.state == PCIO_COMMIT_TORN ? "cut while it was written" : "whole",
             info.journal_start, info.journal_blocks, info.journal_bytes, info.sequence);
}

int check(const std::string& file, pcio_commit_info_t& info) {
  if (pcio_get_commit_info(file.c_str(), &info, sizeof info) < 0) return complain(file);
  switch (info.state) {
    case PCIO_COMMIT_WHOLE: {
      const uint64_t behind =
          info.file_size > info.end_of_file ? info.file_size - info.end_of_file : 0;
      if (info.file_size < info.end_of_file) {
        fmt::print("{}: truncated: ends at byte {}, has {} bytes\n", file, info.end_of_file,
                   info.file_size);
        return kBroken;
      }
      fmt::print("{}: whole", file);
      if (behind > 0) fmt::print(", {} bytes behind its end that nobody reads", behind);
      fmt::print("\n");
      return kWhole;
    }
    case PCIO_COMMIT_WINDOW:
    case PCIO_COMMIT_TORN:
      fmt::print("{}: a commit was cut; its journal is whole\n", file);
      print_journal(info);
      return kCut;
    default:
      fmt::print("{}: a commit was cut, and it cannot be completed: {}\n", file, info.why);
      return kBroken;
  }
}

int replay(const std::string& file) {
  pcio_commit_info_t info = {};
  const int state = check(file, info);
  if (state != kCut) return state;
  if (pcio_complete_commit(file.c_str()) < 0) return complain(file);
  fmt::print("  completed: whole now\n");
  return kWhole;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  bool do_replay = false, do_check = false;
  CLI::App app{
      "Says how HDF5 files stand after a program that wrote them was killed, and completes a "
      "commit "
      "that was cut. Reads only, unless --replay is given."};
  app.name("pciorecover");
  app.add_option("FILE", files, "HDF5 files")->required();
  auto* check_flag = app.add_flag("--check", do_check, "only say how the files stand (default)");
  app.add_flag("--replay", do_replay, "complete commits that were cut")->excludes(check_flag);
  app.footer(
      "Exit status: 0 whole, 1 not opened, 2 usage, 3 cut and can be completed, 4 cut for "
      "good; the largest over all files.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kWhole : kUsage;
  }
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  int worst = kWhole;
  for (const std::string& file : files) {
    pcio_commit_info_t info = {};
    worst = std::max(worst, do_replay ? replay(file) : check(file, info));
  }
  return worst;
}
