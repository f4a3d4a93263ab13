// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: names of files from the root on.

#include "driver/file_names.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>
#include <string_view>
#include <unistd.h>

namespace pcio {

namespace {

struct Free {
  void operator()(char* text) const { std::free(text); }
};
using Text = std::unique_ptr<char, Free>;

/// What the system has given; null where it can't. Throws where it lacks memory.
Text taken(char* text) {
  if (text == nullptr && errno == ENOMEM) throw std::bad_alloc();
  return Text(text);
}

}  // namespace

std::string absolute_name(const std::string& path) {
  if (!path.empty() && path.front() == '/') return path;
  const Text here = taken(::getcwd(nullptr, 0));
  if (here == nullptr || *here != '/') return {};
  std::string whole = here.get();
  if (whole.back() != '/') whole += '/';
  return whole += path;
}

std::string normal_name(const std::string& absolute) {
  std::string normal;
  const std::string_view rest(absolute);
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find('/', at), rest.size());
    const std::string_view part = rest.substr(at, end - at);
    at = end + 1;
    if (part == "..")
      normal.resize(std::min(normal.rfind('/'), normal.size()));
    else if (!part.empty() && part != ".")
      (normal += '/') += part;
  }
  return normal.empty() ? "/" : normal;
}

std::string lasting_name(const std::string& absolute) {
  const std::size_t slash = absolute.rfind('/');
  if (slash == std::string::npos) return {};
  const Text folder = taken(::realpath(absolute.substr(0, slash + 1).c_str(), nullptr));
  if (folder == nullptr) return {};
  std::string name = folder.get();
  if (name.back() != '/') name += '/';
  return name += absolute.substr(slash + 1);
}

}  // namespace pcio
