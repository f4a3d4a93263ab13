// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: what all drivers have in common: range checks, byte counts, no short transfers.

#include "driver/file_driver.hpp"

#include <array>
#include <cstring>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "driver/writing_thread.hpp"

namespace pcio {

namespace {

Status check_range(std::uint64_t offset, std::uint64_t size, std::uint64_t largest) {
  if (fits_inside(offset, size, largest)) return Status();
  return PCIO_ERROR(IO, OVERFLOW, "file offset " + std::to_string(offset) + " is out of range");
}

constexpr std::array kCounters = {&IoCounters::independent_writes, &IoCounters::independent_reads,
                                  &IoCounters::collective_writes,  &IoCounters::collective_reads,
                                  &IoCounters::set_views,          &IoCounters::bytes_written,
                                  &IoCounters::bytes_read};
static_assert(sizeof(IoCounters) == kCounters.size() * sizeof(std::uint64_t));

}  // namespace

IoCounters& IoCounters::operator+=(const IoCounters& more) {
  for (const auto counter : kCounters) this->*counter += more.*counter;
  return *this;
}

IoCounters& IoCounters::operator-=(const IoCounters& less) {
  for (const auto counter : kCounters) this->*counter -= less.*counter;
  return *this;
}

Status FileDriver::take_note(const DriverNote& note) {
  std::string setter;
  if (note.driver == "NCSAfami") setter = " (H5Pset_fapl_family)";
  if (note.driver == "NCSAmult") setter = " (H5Pset_fapl_multi, H5Pset_fapl_split)";
  return PCIO_ERROR(FILE, CANTOPENFILE,
                    "the file was written by the driver \"" + note.driver + "\"" + setter +
                        " and can't be opened with another one");
}

Status short_write_error(std::uint64_t done, std::uint64_t wanted, std::uint64_t offset) {
  return PCIO_ERROR(IO, NOSPACE,
                    "disk full or short write: " + std::to_string(done) + " of " +
                        std::to_string(wanted) + " bytes at offset " + std::to_string(offset));
}

Status FileDriver::read(std::uint64_t offset, Bytes data) {
  PCIO_ASSIGN(std::uint64_t done, read_some(offset, data));
  if (done == data.size()) return Status();
  return PCIO_ERROR(IO, TRUNCATED,
                    "the file ends inside a read: " + std::to_string(done) + " of " +
                        std::to_string(data.size()) + " bytes at offset " + std::to_string(offset));
}

Result<std::uint64_t> FileDriver::read_some(std::uint64_t offset, Bytes data) {
  PCIO_TRY(check_range(offset, data.size(), largest_offset()));
  if (data.empty()) return std::uint64_t{0};
  std::uint64_t have = 0;
  if (recorded_ != nullptr)
    if (const std::byte* const block = recorded_->find(offset, data.size(), &have)) {
      std::memcpy(data.data(), block, static_cast<std::size_t>(have));
      return have;
    }
  Result<std::uint64_t> done = do_read(offset, data);
  if (!done) return done;
  counters_.bytes_read += *done;
  if (recorded_ != nullptr) recorded_->note(offset, data.size(), data.first(*done));
  return done;
}

Result<std::uint64_t> FileDriver::told_size() {
  if (recorded_ == nullptr) return size();
  // No read asks for nothing.
  constexpr std::uint64_t kSizeAsked = 0;
  std::uint64_t have = 0, told = 0;
  if (const std::byte* const block = recorded_->find(0, kSizeAsked, &have)) {
    std::memcpy(&told, block, sizeof told);
    return told;
  }
  PCIO_ASSIGN(told, size());
  recorded_->note(0, kSizeAsked, std::as_bytes(std::span(&told, 1)));
  return told;
}

Status FileDriver::write(std::uint64_t offset, ConstBytes data) {
  PCIO_TRY(check_range(offset, data.size(), largest_offset()));
  if (data.empty()) return Status();
  PCIO_ASSIGN(std::uint64_t done, do_write(offset, data));
  counters_.bytes_written += done;
  if (done != data.size()) return short_write_error(done, data.size(), offset);
  return Status();
}

Status FileDriver::write_beside(WritingThread& by, std::uint64_t offset, ConstBytes data) {
  PCIO_TRY(check_range(offset, data.size(), largest_offset()));
  if (data.empty()) return Status();
  if (!by.was_asked_for()) {
    // What lacks for it is no failure.
    int descriptor = -1;
    static_cast<void>(without_throwing([&] {
      descriptor = descriptor_for_writing();
      return Status();
    }));
    by.begin(descriptor, counters_, writing_);
  }
  return by.is_begun() ? by.hand_over(offset, data) : write(offset, data);
}

void FileDriver::end_writes() noexcept {
  if (writing_ != nullptr) writing_->stop();
}

}  // namespace pcio
