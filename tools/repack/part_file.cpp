// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The file that is written before it has its name. Room: tools.

#include "part_file.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "failure.hpp"

namespace repack {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ};

// What a signal's handler can see: a plain text, written before the handlers are set.
char part_path[4096] = "";

extern "C" void remove_part(int signal) {
  if (part_path[0] != '\0') ::unlink(part_path);
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

PartFile::PartFile(std::string path) : path_(std::move(path)) {
  if (path_.size() >= sizeof part_path) throw tools::Failure(path_ + ": the name is too long");
  std::memcpy(part_path, path_.c_str(), path_.size() + 1);
  for (const int signal : kSignals) std::signal(signal, remove_part);
}

void PartFile::leave() {
  mine_ = false;
  part_path[0] = '\0';
}

PartFile::~PartFile() {
  if (mine_) ::unlink(path_.c_str());
  part_path[0] = '\0';
  for (const int signal : kSignals) std::signal(signal, SIG_DFL);
}

void PartFile::finish(const std::string& to) {
  // What is replaced must not be lost to a crash of the machine before the new bytes are there.
  if (::access(to.c_str(), F_OK) == 0) {
    const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = file >= 0 && ::fsync(file) == 0;
    const int why = errno;
    if (file >= 0) ::close(file);
    if (!synced) throw tools::Failure(path_ + ": " + std::strerror(why));
  }
  if (std::rename(path_.c_str(), to.c_str()) != 0)
    throw tools::Failure(to + ": " + std::strerror(errno));
  leave();
}

std::string part_name(const std::string& name) {
  return fmt::format("{}.part-{}", name, static_cast<long>(::getpid()));
}

}  // namespace repack
