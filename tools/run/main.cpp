// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pcio-run [OPTIONS] COMMAND...: runs a program that was built for libhdf5 with libpcio instead, and says in
// a few lines on stderr how it read and wrote. Room: tools; it uses no library of ours itself.
//
// Exit status: the command's; 128 and the signal's number where that ended it; 2 usage, 126 and 127 where it
// can't be run. With --check: 0 nothing is missing, 1 something is, 3 there is no HDF5 in it.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "check.hpp"
#include "dropin.hpp"
#include "options.hpp"
#include "summary.hpp"

namespace {

enum Exit { kUsage = 2, kCantRun = 126, kNotFound = 127, kSignalled = 128 };

constexpr char kHelp[] =
    "usage: pcio-run [--report FILE] [--explain] COMMAND...\n"
    "       pcio-run --check COMMAND...\n"
    "Runs COMMAND, which may be a launcher as mpirun, with libpcio in place of libhdf5, and says "
    "at the end, on\n"
    "stderr, how it read and wrote. Its exit status is the command's.\n"
    "  --report FILE  append a line of JSON for each collective transfer to FILE (doc/REPORT.md); "
    "for ranks\n"
    "                 on several machines FILE is in a folder that they share\n"
    "  --explain      say also of each dataset how its bytes moved, and what a program can do "
    "about it\n"
    "  --check        run nothing: say which symbols the programs in COMMAND would not find\n";

/// A folder of our own, with what is in it.
class WorkFolder {
 public:
  WorkFolder() {
    const char* base = std::getenv("TMPDIR");
    path_ = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/pcio-run.XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

volatile sig_atomic_t child_process = 0;

extern "C" void pass_on(int signal) {
  if (child_process > 0) ::kill(static_cast<pid_t>(child_process), signal);
}

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  int why = errno;
  fmt::print(stderr, "pcio-run: {}: {}\n", command[0], std::strerror(why));
  std::fflush(stderr);
  _exit(why == ENOENT ? kNotFound : kCantRun);
}

/// The command's exit status, as a shell gives it.
int run(const std::vector<std::string>& command) {
  pid_t child = ::fork();
  if (child < 0) {
    fmt::print(stderr, "pcio-run: {}\n", std::strerror(errno));
    return kCantRun;
  }
  if (child == 0) become(command);
  child_process = child;
  // The terminal sends these to the command as well; it decides what they mean.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  for (int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) std::signal(signal, pass_on);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return kCantRun;
  child_process = 0;
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

/// The report's name, from the root: ranks may work in other folders.
std::string report_path(const std::string& asked, const std::string& work) {
  const char* environment = std::getenv("PCIO_REPORT");
  std::string name = !asked.empty() ? asked : environment != nullptr ? environment : "";
  return name.empty() ? work + "/report" : std::filesystem::absolute(name).string();
}

int run_and_tell(pcio_run::Options& options, const std::string& folder) {
  const WorkFolder work;
  if (work.path().empty()) {
    fmt::print(stderr, "pcio-run: no folder can be made in TMPDIR: {}\n", std::strerror(errno));
    return kCantRun;
  }
  std::string report = report_path(options.report, work.path()), log = work.path() + "/log";
  std::error_code absent;
  auto size = std::filesystem::file_size(report, absent);
  pcio_run::set_environment(folder, report, log, options.command);
  int status = run(options.command);
  if (status != kNotFound) pcio_run::print_summary(report, absent ? 0 : size, log, options.explain);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  pcio_run::Options options = pcio_run::read_options(argc, argv);
  if (!options.wrong.empty()) {
    fmt::print(stderr, "pcio-run: {}\n{}", options.wrong, kHelp);
    return kUsage;
  }
  if (options.help) {
    fmt::print("{}", kHelp);
    return 0;
  }
  std::string folder = pcio_run::dropin_folder();
  if (folder.empty()) {
    fmt::print(stderr, "pcio-run: libhdf5_openmpi.so.103 of libpcio is not in {}\n",
               PCIO_DROPIN_FOLDER);
    return kCantRun;
  }
  return options.check ? pcio_run::check_command(options.command, folder)
                       : run_and_tell(options, folder);
}
