// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Holes that do not read as zero: a driver that leaves old bytes where a file grows. The probe finds
// out, and zeros are written.

#include <vector>

#include "driver/mpi_settings.hpp"
#include "driver/open_driver.hpp"
#include "par_test.hpp"
#include "support/disk_driver.hpp"
#include "support/file_session.hpp"

namespace pcio {
namespace {

using test::ParallelTest;

/// Where the file grows there are old bytes.
class LeakyDriver final : public FileDriver {
 public:
  LeakyDriver(std::unique_ptr<FileDriver> inner, int rank)
      : inner_(std::move(inner)), rank_(rank) {}
  Result<std::uint64_t> size() override { return inner_->size(); }
  Status truncate(std::uint64_t size) override {
    PCIO_ASSIGN(std::uint64_t before, inner_->size());
    PCIO_TRY(inner_->truncate(size));
    if (rank_ == 0 && size > before) {
      const std::vector<std::byte> old(size - before, std::byte{0xEE});
      PCIO_TRY(inner_->write(before, old));
    }
    return inner_->flush();
  }
  Status truncate_here(std::uint64_t size) override { return truncate(size); }
  Status flush_here() override { return inner_->flush_here(); }
  Status sync_here() override { return inner_->sync_here(); }
  Status empty_here() override { return inner_->empty_here(); }
  void set_by_one(const ByOneRank& agreed) override { inner_->set_by_one(agreed); }
  [[nodiscard]] bool sizes_by_one() const override { return inner_->sizes_by_one(); }
  Status flush() override { return inner_->flush(); }
  Status sync() override { return inner_->sync(); }
  Status sync_independent() override { return inner_->sync_independent(); }
  Status close() override { return inner_->close(); }
  void abandon() override { inner_->abandon(); }
  [[nodiscard]] DriverCapabilities capabilities() const override { return inner_->capabilities(); }
  [[nodiscard]] FileIdentity identity() const override { return inner_->identity(); }
  [[nodiscard]] void* raw_handle() override { return inner_->raw_handle(); }

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override {
    return inner_->read_some(offset, data);
  }
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override {
    PCIO_TRY(inner_->write(offset, data));
    return std::uint64_t{data.size()};
  }

 private:
  std::unique_ptr<FileDriver> inner_;
  int rank_;
};

CustomSettings leaky(const MpioSettings& mpio, int rank) {
  return CustomSettings([&mpio, rank](const OpenRequest& request) -> Result<OpenedFile> {
    PCIO_ASSIGN(OpenedFile opened, open_driver(mpio, request));
    opened.driver = std::make_unique<LeakyDriver>(std::move(opened.driver), rank);
    return opened;
  });
}

void play(ParallelTest& t, const DriverSettings& driver, bool zero, const std::string& what) {
  test::OpenWith with;
  with.path = t.shared_path("holes");
  FilePtr file = test::must(test::open_session(driver, OpenMode::kTruncate, with));
  t.check(file->store().end().holes_read_zero() == zero, what + ": the probe's answer");
  test::DatasetSpec spec;
  spec.dims = {3000};
  spec.chunk = {70};
  Location data = test::must(test::add_dataset(file, "/d", spec));
  t.check(test::close_session(file), what + ": close");
  MPI_Barrier(MPI_COMM_WORLD);
  file = test::must(test::open_session(driver, OpenMode::kReadWrite, with));
  t.check(file->store().end().holes_read_zero() == zero, what + ": the probe's answer at open");
  data = test::must(test::find(file, "/d"));
  t.check(test::must(test::read_all(data)) == std::vector<std::int32_t>(3000, 0),
          what + ": what nobody wrote is the fill value");
  data = Location();
  t.check(test::close_session(file), what + ": close again");
  t.remove_shared(with.path);
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  using namespace pcio;
  test::ParallelTest t(argc, argv);
  {
    const MpioSettings mpio = test::must(MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL));
    // First: a good answer would be remembered.
    play(t, leaky(mpio, t.rank()), false, "leaky");
    play(t, mpio, true, "tight");
  }
  return t.finish();
}
