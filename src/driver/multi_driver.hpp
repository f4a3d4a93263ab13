// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: one address space whose parts are files, by the use of their bytes (HDF5's "multi" and "split").
//
// Source: HDF5 Reference Manual, H5Pset_fapl_multi; File Format Specification, II.B "File Driver Info", multi.

#pragma once

#include <vector>

#include "driver/open_driver.hpp"
#include "props/composed_drivers.hpp"

namespace pcio {

/// The name of a file of the set: `pattern` has one %s, for `name`, or none; %% is a percent sign.
/// Collective: pure.
std::string multi_member_name(const std::string& pattern, const std::string& name);

/// An address is a byte of the file that begins last before it. The file of the superblock begins at 0.
/// Threads: one thread drives a file.
class MultiDriver final : public FileDriver {
 public:
  static Result<std::unique_ptr<FileDriver>> open(const MultiSettings& settings,
                                                  const OpenRequest& request);

  Result<std::uint64_t> size() override { return first().size(); }
  Status truncate(std::uint64_t size) override { return first().truncate(size); }
  Status empty_here() override;
  Status flush() override { return each(Ends::kFlush); }
  Status sync() override { return each(Ends::kSync); }
  Status sync_independent() override { return each(Ends::kSyncAlone); }
  [[nodiscard]] bool caches_apart() const override;
  [[nodiscard]] bool has_unseen_writes() const override;
  void forget_cached() override;
  Status close() override { return each(Ends::kClose); }
  void abandon() override;
  [[nodiscard]] DriverCapabilities capabilities() const override;
  [[nodiscard]] FileIdentity identity() const override { return {0, 0, request_.path}; }
  [[nodiscard]] void* raw_handle() override { return nullptr; }
  [[nodiscard]] void* raw_handle_for(int use) override;
  [[nodiscard]] AddressParts parts() const override;
  void set_part_ends(std::span<const std::uint64_t> ends) override;
  Status fit_parts(PartFit fit) override;
  [[nodiscard]] Result<DriverNote> note() override;
  Status take_note(const DriverNote& note) override;

 protected:
  [[nodiscard]] std::uint64_t largest_offset() const override { return UINT64_MAX; }
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override;
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override;

 private:
  enum class Ends : std::uint8_t { kSync, kFlush, kSyncAlone, kClose };
  struct Member {
    std::size_t use = 0;  ///< whose name, address and driver it has
    std::string path;
    std::uint64_t start = 0;
    std::uint64_t bytes = 0;             ///< used
    std::unique_ptr<FileDriver> driver;  ///< null: the file is missing
  };
  using Members = std::vector<Member>;

  MultiDriver(MultiSettings settings, OpenRequest request)
      : settings_(std::move(settings)), request_(std::move(request)) {}
  Status open_all();
  Status open_member(Member* member);
  [[nodiscard]] Result<Members> list_members() const;
  [[nodiscard]] std::size_t place_of(std::size_t use) const;
  [[nodiscard]] std::size_t member_at(std::uint64_t offset) const;
  [[nodiscard]] std::uint64_t room_behind(std::size_t member, std::uint64_t offset) const;
  [[nodiscard]] FileDriver& first() const { return *members_.front().driver; }
  [[nodiscard]] std::vector<std::size_t> in_order_of_uses() const;
  Result<std::vector<std::uint64_t>> decode_note(ConstBytes info, MultiSettings* told) const;
  Status take_members(MultiSettings told);
  Status each(Ends what);
  void count();

  MultiSettings settings_;
  OpenRequest request_;
  Members members_;  ///< by address
};

}  // namespace pcio
