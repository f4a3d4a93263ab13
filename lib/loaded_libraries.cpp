// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: this library among those of the process.
//
// libpcio is built under three names: its own, and those of Debian's libhdf5_openmpi and libhdf5_serial (the
// drop-ins, dropin/). Two of them in one process are two libraries with ids of their own.

#include "lib/loaded_libraries.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.hpp"

namespace pcio {

namespace {

std::string_view file_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

bool is_dropin_name(std::string_view name) {
  return name.rfind("libhdf5_openmpi.so.103", 0) == 0 ||
         name.rfind("libhdf5_serial.so.103", 0) == 0;
}

/// Of either MPI flavour.
bool is_libpcio_name(std::string_view name) {
  return name.rfind("libpcio.so.", 0) == 0 || name.rfind("libpcio_mpich.so.", 0) == 0;
}

/// In a folder of drop-ins: libpcio takes no notice of the real libhdf5.
bool is_dropin(std::string_view path) {
  std::string_view name = file_name(path);
  std::string_view folder =
      file_name(path.substr(0, path.size() - name.size() - (name.size() < path.size())));
  return is_dropin_name(name) && (folder == "dropin" || folder == ".libs");
}

std::string own_path() {
  Dl_info here;
  // Any function of this library tells where it lies.
  if (dladdr(reinterpret_cast<void*>(&announce_library), &here) == 0 || here.dli_fname == nullptr)
    return "";
  return here.dli_fname;
}

struct Search {
  std::string own;
  std::vector<std::string> found;
};

/// Takes libraries in the order in which they were loaded, up to this one: of two, the later speaks.
int look_at(dl_phdr_info* info, std::size_t, void* given) {
  auto* search = static_cast<Search*>(given);
  std::string path = info->dlpi_name != nullptr ? info->dlpi_name : "";
  if (path == search->own) return 1;
  std::string_view name = file_name(path);
  bool concerns = is_dropin_name(file_name(search->own))
                      ? is_dropin_name(name) || is_libpcio_name(name)
                      : is_dropin(path);
  if (concerns) search->found.push_back(path);
  return 0;
}

void tell_of_others(const std::string& own) {
  Search search{own, {}};
  dl_iterate_phdr(look_at, &search);
  std::string others;
  for (const std::string& path : search.found) others += (others.empty() ? "" : " and ") + path;
  if (others.empty()) return;
  std::fprintf(
      stderr,
      "libpcio: this program has loaded %s, and %s besides: each has ids of its own, and one can't "
      "use those of the other\n",
      others.c_str(), own.c_str());
}

void note_for_pcio_run(const std::string& own) {
  const char* log = std::getenv("PCIO_RUN_LOG");
  if (log == nullptr || *log == '\0') return;
  std::string line;
  JsonWriter(line).begin_object().member("library", own).member("process", ::getpid()).end_object();
  line += '\n';
  int file = ::open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  // A note that can't be written is missing in a summary, and nowhere else.
  [[maybe_unused]] ssize_t written = ::write(file, line.data(), line.size());
  ::close(file);
}

}  // namespace

void announce_library() {
  static bool done = false;
  if (done) return;
  done = true;
  std::string own = own_path();
  tell_of_others(own);
  note_for_pcio_run(own);
}

}  // namespace pcio
