// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: one address space cut into files of equal size (HDF5's "family").
//
// Source: HDF5 Reference Manual, H5Pset_fapl_family; File Format Specification, "Driver Information".

#pragma once

#include <algorithm>
#include <vector>

#include "driver/open_driver.hpp"
#include "props/composed_drivers.hpp"

namespace pcio {

/// The name of a member: `pattern` has one %d (also %5d, %05d), and %% for a percent sign.
/// Collective: pure. Errors: BADVALUE for another pattern.
Result<std::string> family_member_name(const std::string& pattern, unsigned number);

/// Members come into being when something is written into them; those behind the end of the file go when it is
/// cut. Threads: one thread drives a file.
class FamilyDriver final : public FileDriver {
 public:
  static Result<std::unique_ptr<FileDriver>> open(const FamilySettings& settings,
                                                  const OpenRequest& request);

  Result<std::uint64_t> size() override;
  Status truncate(std::uint64_t size) override;
  Status empty_here() override;
  Status flush() override;
  Status sync() override;
  Status sync_independent() override;
  Status close() override;
  void abandon() override;
  [[nodiscard]] DriverCapabilities capabilities() const override;
  [[nodiscard]] FileIdentity identity() const override { return {0, 0, request_.path}; }
  [[nodiscard]] void* raw_handle() override { return members_.front()->raw_handle(); }
  [[nodiscard]] void* raw_handle_at(std::uint64_t offset) override;
  [[nodiscard]] Result<DriverNote> note() override;
  Status take_note(const DriverNote& note) override;

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override;
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override;

 private:
  enum class Ends : std::uint8_t { kSync, kFlush, kSyncAlone, kClose };
  FamilyDriver(const FamilySettings& settings, const OpenRequest& request)
      : settings_(settings),
        request_(request),
        member_size_(std::min(settings.member_size, kOneMember)),
        noted_size_(settings.member_size) {}
  Status open_all();
  Status remove_from(unsigned number);
  Result<std::unique_ptr<FileDriver>> open_member(unsigned number, OpenMode mode) const;
  Status reach(std::uint64_t number);
  Status each(Ends what);
  void count();

  FamilySettings settings_;
  OpenRequest request_;
  /// So large that there is one file alone: no address is larger.
  static constexpr std::uint64_t kOneMember = std::uint64_t{1} << 62;
  std::uint64_t member_size_;
  std::uint64_t noted_size_;  ///< as program or file say it
  std::vector<std::unique_ptr<FileDriver>> members_;
};

}  // namespace pcio
