// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The dynamic loader itself is asked: it lists the libraries that it takes, and all symbols and versions that
// it doesn't find, and starts nothing.

#include "check.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "dropin.hpp"

namespace pcio_run {

namespace {

enum Result { kComplete = 0, kIncomplete = 1, kNoHdf5 = 3 };

bool is_elf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, SELFMAG> magic{};
  return file.read(magic.data(), magic.size()) && std::memcmp(magic.data(), ELFMAG, SELFMAG) == 0;
}

/// A word as the shell finds it: a path, or a name in a folder of PATH.
std::optional<std::string> found_program(const std::string& word, bool first) {
  if (word.find('/') != std::string::npos) return is_elf(word) ? std::optional(word) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (folder.empty() ? "." : folder) + "/" + word;
    if (::access(candidate.c_str(), X_OK) == 0 && is_elf(candidate)) return candidate;
    // A script of that name: the shell looks no further.
    if (first && ::access(candidate.c_str(), X_OK) == 0) return std::nullopt;
  }
  return is_elf(word) ? std::optional(word) : std::nullopt;
}

/// What ldd -r says of a program with our libraries first; empty: nothing.
std::string loader_says(const std::string& program, const std::string& folder) {
  int ends[2];
  if (::pipe(ends) != 0) return "";
  pid_t child = ::fork();
  if (child < 0) return "";
  if (child == 0) {
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    ::close(ends[1]);
    ::setenv("LC_ALL", "C", 1);
    ::setenv("LD_LIBRARY_PATH", library_path(folder).c_str(), 1);
    ::execlp("ldd", "ldd", "-r", program.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t got; (got = ::read(ends[0], block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(got));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

bool is_hdf5_symbol(const std::string& name) {
  return name.find("HDF5_") != std::string::npos || name.rfind("H5", 0) == 0;
}

/// The name in a line on a missing symbol or version; empty: the line is about something else.
std::string missing_in(const std::string& line) {
  static const std::string kSymbol = "undefined symbol: ", kVersion = "version `";
  std::size_t at = line.find(kSymbol);
  if (at != std::string::npos) {
    std::string rest = line.substr(at + kSymbol.size());
    std::string name = rest.substr(0, rest.find_first_of(",\t "));
    return is_hdf5_symbol(rest) ? name : "";
  }
  at = line.find(kVersion);
  if (at == std::string::npos || line.find("not found") == std::string::npos) return "";
  std::string name = line.substr(at + kVersion.size());
  name = name.substr(0, name.find('\''));
  return is_hdf5_symbol(name) ? "version " + name : "";
}

/// The path from which a line says that one of libhdf5's names is taken; empty: the line is about another.
std::string taken_from(const std::string& line) {
  for (const char* name : kLibraries) {
    if (line.find(std::string(name) + " => ") == std::string::npos) continue;
    std::string path = line.substr(line.find("=> ") + 3);
    return path.substr(0, path.find(" ("));
  }
  return "";
}

Result check_program(const std::string& program, const std::string& folder) {
  std::istringstream lines(loader_says(program, folder));
  bool uses = false, wrong = false;
  for (std::string line; std::getline(lines, line);) {
    std::string missing = missing_in(line), path = taken_from(line);
    if (!missing.empty()) {
      fmt::print("{}: missing: {}\n", program, missing);
      wrong = true;
    }
    if (path.empty()) continue;
    uses = true;
    if (path.rfind(folder + "/", 0) == 0) continue;
    fmt::print("{}: takes {}: it says itself where that is (RPATH), and pcio-run can't change it\n",
               program, path);
    wrong = true;
  }
  if (!uses && !wrong) {
    fmt::print("{}: needs no libhdf5 by itself; what it may load while it runs is not known\n",
               program);
    return kNoHdf5;
  }
  if (!wrong) fmt::print("{}: nothing is missing\n", program);
  return wrong ? kIncomplete : kComplete;
}

}  // namespace

int check_command(const std::vector<std::string>& command, const std::string& folder) {
  Result all = kNoHdf5;
  bool programs = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    auto program = found_program(command[i], i == 0);
    if (!program) continue;
    programs = true;
    Result one = check_program(*program, folder);
    if (one == kIncomplete || all == kNoHdf5) all = one;
  }
  if (!programs)
    fmt::print("{}: no word of the command is a program that can be looked into\n", command[0]);
  return all;
}

}  // namespace pcio_run
