// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: where the file of simulated ranks is.

#ifndef PCIO_TOOLS_EXPLAIN_DISKS_HPP
#define PCIO_TOOLS_EXPLAIN_DISKS_HPP

#include <array>
#include <memory>
#include <string>
#include <unordered_map>

#include "sim/sim_world.hpp"

namespace pcio_explain {

/// A file of any size in memory, that takes room only where something is written; or what is written
/// over a file, which stays as it is. Threads: one.
class SparseDisk final : public pcio::sim::SimDisk {
 public:
  SparseDisk() = default;
  /// Over a file. Throws Failure where it can't be opened.
  explicit SparseDisk(const std::string& file);
  ~SparseDisk() override;
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  void resize(std::uint64_t bytes) override;
  void write(std::uint64_t at, std::span<const std::byte> bytes) override;
  std::size_t read(std::uint64_t at, std::span<std::byte> into) const override;

 private:
  static constexpr std::size_t kPage = 4096;
  using Page = std::array<std::byte, kPage>;
  void read_below(std::uint64_t at, std::span<std::byte> into) const;

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t size_ = 0;
  std::uint64_t below_ = 0;  ///< bytes of the file below that still show
  int fd_ = -1;
};

/// A folder by a name of each rank's own, in which it finds the simulated file, because a process knows a file
/// that it has open already. It goes with this object. Threads: one.
class RankFolders {
 public:
  explicit RankFolders(std::size_t ranks);
  RankFolders(const RankFolders&) = delete;
  RankFolders& operator=(const RankFolders&) = delete;
  ~RankFolders();
  [[nodiscard]] std::string path(std::size_t rank) const;
  [[nodiscard]] std::size_t ranks() const { return ranks_; }
  /// An empty file of that name, as the ranks see at open. Throws Failure.
  void add_file() const;
  [[nodiscard]] static const char* name() { return "planned.h5"; }

 private:
  std::string root_;
  std::size_t ranks_;
};

}  // namespace pcio_explain

#endif
