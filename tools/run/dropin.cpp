// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors

#include "dropin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace pcio_run {

namespace {

constexpr char kOwnVariables[] = "LD_LIBRARY_PATH;PCIO_REPORT;PCIO_RUN_LOG";
constexpr char kMpiVariables[] = "OMPI_MCA_mca_base_env_list";

bool has_libraries(const std::string& folder) {
  std::error_code failure;
  return std::filesystem::exists(folder + "/" + kLibraries[0], failure);
}

/// The folder of this program, with a slash at its end.
std::string own_folder() {
  std::error_code failure;
  std::string own = std::filesystem::read_symlink("/proc/self/exe", failure).string();
  return own.substr(0, own.find_last_of('/') + 1);
}

bool is_open_mpi_launcher(const std::string& command) {
  std::string name = command.substr(command.find_last_of('/') + 1);
  return name.rfind("mpirun", 0) == 0 || name.rfind("mpiexec", 0) == 0 || name == "orterun";
}

bool has_word(const std::vector<std::string>& command, const char* word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}

}  // namespace

std::string dropin_folder() {
  std::string own = own_folder(), installed = PCIO_DROPIN_FOLDER,
              programs = PCIO_PROGRAM_FOLDER "/";
  // The whole installation may have been moved, or lie in a staging folder.
  if (own.size() >= programs.size() &&
      own.compare(own.size() - programs.size(), programs.size(), programs) == 0) {
    std::string moved = own.substr(0, own.size() - programs.size()) + installed;
    if (has_libraries(moved)) return moved;
  }
  std::error_code failure;
  std::string built = std::filesystem::weakly_canonical(own + "../dropin/.libs", failure).string();
  if (!failure && has_libraries(built)) return built;
  return has_libraries(installed) ? installed : "";
}

std::string library_path(const std::string& folder) {
  const char* before = std::getenv("LD_LIBRARY_PATH");
  return before != nullptr && *before != '\0' ? folder + ":" + before : folder;
}

void set_environment(const std::string& folder, const std::string& report, const std::string& log,
                     std::vector<std::string>& command) {
  setenv("LD_LIBRARY_PATH", library_path(folder).c_str(), 1);
  setenv("PCIO_REPORT", report.c_str(), 1);
  setenv("PCIO_RUN_LOG", log.c_str(), 1);
  // Open MPI takes either a list in its own variable or options -x, never both.
  if (has_word(command, "mca_base_env_list")) {
    fmt::print(stderr,
               "pcio-run: the command sets mca_base_env_list itself: for ranks on other machines "
               "add {} to it\n",
               kOwnVariables);
  } else if (is_open_mpi_launcher(command[0]) && has_word(command, "-x")) {
    command.insert(command.begin() + 1,
                   {"-x", "LD_LIBRARY_PATH", "-x", "PCIO_REPORT", "-x", "PCIO_RUN_LOG"});
  } else {
    const char* before = std::getenv(kMpiVariables);
    std::string list = before != nullptr && *before != '\0' ? std::string(before) + ";" : "";
    setenv(kMpiVariables, (list + kOwnVariables).c_str(), 1);
  }
}

}  // namespace pcio_run
