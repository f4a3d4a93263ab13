// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The property of random files under rapidcheck: what libpcio writes, libpcio reads back by random
// selections, and libhdf5 and libpcio list alike. A failure is shrunk to the plainest file that
// shows it, whose plan is printed. Room: test/oracle, public C API only.
//
// Run by random_files.sh, which names the two listers; RC_PARAMS chooses number and seed.

#include <cstdio>
#include <cstdlib>
#include <rapidcheck.h>
#include <string>
#include <unistd.h>

#include "random_write.hpp"

namespace {

constexpr int kChoices = 600;  // of one file; more are zero

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : ".";
}

std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "cannot run " + command;
  std::string text;
  char piece[4096];
  while (const std::size_t n = std::fread(piece, 1, sizeof piece, pipe)) text.append(piece, n);
  const int status = pclose(pipe);
  return text + "status " + std::to_string(status) + "\n";
}

std::string first_difference(const std::string& a, const std::string& b) {
  std::size_t at = 0, line = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) {
    if (a[at] == '\n') line = at + 1;
    ++at;
  }
  return a.substr(line, a.find('\n', at) - line) + "\n" + b.substr(line, b.find('\n', at) - line);
}

void check(const std::vector<std::uint64_t>& choices) {
  const std::string name =
      variable("PCIO_TEST_TMP") + "/random_files." + std::to_string(getpid()) + ".h5";
  const oracle::FilePlan plan = oracle::make_file_plan(choices, oracle::Profile::kWide);
  try {
    oracle::write_file(plan, name, oracle::Combining::kByHyperslabs);
    RC_ASSERT(oracle::check_file(plan, name, oracle::Combining::kByHyperslabs) == 0);
  } catch (const oracle::Refused& refused) {
    oracle::print_manifest(plan);
    RC_FAIL(refused.what());
  }
  const std::string theirs = output_of(variable("ORACLE_HDF5") + "/listall " + name);
  const std::string ours = output_of(variable("ORACLE_PCIO") + "/listall " + name);
  std::remove(name.c_str());
  if (theirs == ours && theirs.find("refused") == std::string::npos) return;
  oracle::print_manifest(plan);
  RC_FAIL(first_difference(theirs, ours));
}

}  // namespace

int main() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const bool good = rc::check("libpcio and libhdf5 agree on what libpcio writes", [] {
    const auto choice = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
    check(*rc::gen::container<std::vector<std::uint64_t>>(kChoices, choice));
  });
  return good ? 0 : 1;
}
