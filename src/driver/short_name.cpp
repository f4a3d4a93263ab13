// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: names of files that are too long for MPI-IO, out of line.

#include "driver/short_name.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "driver/parallel_open.hpp"

namespace pcio {

namespace {

#ifdef OPEN_MPI
/// Bytes of a name that `ranks` ranks give to Open MPI's MPI-IO. Source: watched, Open MPI 4.1.4 (sharedfp lockedfile), which
/// puts this and the rank behind the name.
std::size_t longest_name(int ranks) {
  constexpr std::size_t kLongestText = 255;
  return kLongestText - std::strlen(".locktest.") - std::to_string(ranks - 1).size();
}

Status too_long(const std::string& path, std::size_t length, std::size_t most) {
  return PCIO_ERROR(
      ARGS, BADVALUE,
      "argument filename: the last part of the name has " + std::to_string(length) +
          " bytes, and in this folder Open MPI's MPI-IO takes " + std::to_string(most) +
          ": a longer one would end the program; give the file a shorter name (" + path + ")");
}
#endif

}  // namespace

const char* ShortName::name_for_mpi(const std::string& path) const {
  return text_.empty() ? path_for_mpi(path) : text_.c_str();
}

#ifdef OPEN_MPI
Result<ShortName> ShortName::of(const std::string& path, int ranks) {
  ShortName name;
  const std::string plain = path_for_mpi(path);
  const std::size_t longest = longest_name(ranks);
  if (plain.size() <= longest) return name;
  const std::size_t slash = plain.find_last_of('/');
  const std::string folder = named_folder(plain);
  const std::string last = slash == std::string::npos ? plain : plain.substr(slash + 1);
  *name.folder_.address() = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (!name.folder_.is_open())
    return tl::unexpected<Status>(system_error("open " + folder, errno, Minor::CANTOPENFILE));
  const std::string way = "/proc/self/fd/" + std::to_string(*name.folder_.address()) + "/";
  if (way.size() + last.size() > longest)
    return tl::unexpected<Status>(too_long(path, last.size(), longest - way.size()));
  if (::access(way.c_str(), F_OK) != 0)
    return tl::unexpected<Status>(
        system_error("a name of " + std::to_string(plain.size()) +
                         " bytes is too long for Open MPI's MPI-IO, and there is no other: " + way,
                     errno, Minor::CANTOPENFILE));
  name.text_ = way + last;
  return name;
}
#else
Result<ShortName> ShortName::of(const std::string&, int) { return ShortName(); }
#endif

}  // namespace pcio
