// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: SparseDisk, RankFolders.

#include "disks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "failure.hpp"

namespace pcio_explain {

SparseDisk::SparseDisk(const std::string& file) : fd_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat info {};
  if (fd_ < 0 || ::fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode)) {
    const int error = fd_ < 0 ? errno : 0;
    if (fd_ >= 0) ::close(fd_);
    throw Failure(fmt::format("can't read \"{}\": {}", file,
                              error != 0 ? std::strerror(error) : "it is not a regular file"));
  }
  size_ = below_ = static_cast<std::uint64_t>(info.st_size);
}

SparseDisk::~SparseDisk() {
  if (fd_ >= 0) ::close(fd_);
}

void SparseDisk::resize(std::uint64_t bytes) {
  if (bytes < size_) {
    std::erase_if(pages_, [&](const auto& page) { return page.first * kPage >= bytes; });
    const auto cut = pages_.find(bytes / kPage);
    if (cut != pages_.end())
      std::fill(cut->second->begin() + static_cast<std::ptrdiff_t>(bytes % kPage),
                cut->second->end(), std::byte{0});
    below_ = std::min(below_, bytes);
  }
  size_ = bytes;
}

/// Zeros where there is nothing.
void SparseDisk::read_below(std::uint64_t at, std::span<std::byte> into) const {
  std::size_t done = 0;
  const std::uint64_t there = at >= below_ ? 0 : std::min<std::uint64_t>(into.size(), below_ - at);
  while (done < there) {
    const ssize_t got =
        ::pread(fd_, into.data() + done, there - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  std::fill(into.begin() + static_cast<std::ptrdiff_t>(done), into.end(), std::byte{0});
}

void SparseDisk::write(std::uint64_t at, std::span<const std::byte> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const std::uint64_t number = (at + done) / kPage, skip = (at + done) % kPage;
    const std::size_t some = std::min<std::size_t>(kPage - skip, bytes.size() - done);
    std::unique_ptr<Page>& page = pages_[number];
    if (!page) {
      page = std::make_unique<Page>();
      read_below(number * kPage, *page);
    }
    std::memcpy(page->data() + skip, bytes.data() + done, some);
    done += some;
  }
  size_ = std::max(size_, at + bytes.size());
}

std::size_t SparseDisk::read(std::uint64_t at, std::span<std::byte> into) const {
  if (at >= size_) return 0;
  const std::size_t there = std::min<std::uint64_t>(into.size(), size_ - at);
  for (std::size_t done = 0; done < there;) {
    const std::uint64_t number = (at + done) / kPage, skip = (at + done) % kPage;
    std::size_t some = std::min<std::size_t>(kPage - skip, there - done);
    const auto page = pages_.find(number);
    if (page != pages_.end()) {
      std::memcpy(into.data() + done, page->second->data() + skip, some);
    } else {
      while (done + some < there && pages_.find((at + done + some) / kPage) == pages_.end())
        some = std::min<std::size_t>(some + kPage, there - done);
      read_below(at + done, into.subspan(done, some));
    }
    done += some;
  }
  return there;
}

RankFolders::RankFolders(std::size_t ranks) : ranks_(ranks) {
  const char* const asked = std::getenv("TMPDIR");
  std::string name =
      std::string(asked != nullptr && *asked != '\0' ? asked : "/tmp") + "/pcioexplain-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr)
    throw Failure(fmt::format("can't make a folder in \"{}\": {}", name.substr(0, name.rfind('/')),
                              std::strerror(errno)));
  root_ = name;
  const auto folder = [&](std::size_t r) { return fmt::format("{}/{}", root_, r); };
  for (std::size_t r = 0; r < ranks; ++r)
    if ((r == 0 ? ::mkdir(folder(r).c_str(), 0700) : ::symlink("0", folder(r).c_str())) != 0) {
      const int error = errno;
      std::error_code ignored;
      std::filesystem::remove_all(root_, ignored);
      throw Failure(fmt::format("can't make a folder in \"{}\": {}", root_, std::strerror(error)));
    }
}

void RankFolders::add_file() const {
  const int fd = ::open(path(0).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0) throw Failure(fmt::format("can't make \"{}\": {}", path(0), std::strerror(errno)));
  ::close(fd);
}

RankFolders::~RankFolders() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string RankFolders::path(std::size_t rank) const {
  return fmt::format("{}/{}/{}", root_, rank, name());
}

}  // namespace pcio_explain
