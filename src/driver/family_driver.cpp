// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: FamilyDriver.

#include "driver/family_driver.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/bytes.hpp"
#include "base/checked.hpp"

namespace pcio {

namespace {

constexpr char kFamilyNote[] = "NCSAfami";
/// As long as nobody knows how large members are, there is one.
/// A file of many gigabytes in members of few bytes would have more files than a process can open.
constexpr std::uint64_t kMostMembers = 10000;

bool exists(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

}  // namespace

Result<std::string> family_member_name(const std::string& pattern, unsigned number) {
  std::string name;
  unsigned places = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      name += pattern[i];
      continue;
    }
    if (i + 1 < pattern.size() && pattern[i + 1] == '%') {
      name += pattern[++i];
      continue;
    }
    const bool zeros = i + 1 < pattern.size() && pattern[i + 1] == '0';
    unsigned width = 0;
    std::size_t at = i + 1;
    for (; at < pattern.size() && pattern[at] >= '0' && pattern[at] <= '9' && width < 100; ++at)
      width = width * 10 + static_cast<unsigned>(pattern[at] - '0');
    if (width >= 100 || at == pattern.size() || std::strchr("diu", pattern[at]) == nullptr) {
      places = 0;
      break;
    }
    const std::string digits = std::to_string(number);
    if (digits.size() < width) name.append(width - digits.size(), zeros ? '0' : ' ');
    name += digits;
    ++places;
    i = at;
  }
  if (places == 1) return name;
  return PCIO_ERROR(ARGS, BADVALUE,
                    "the name of a family of files needs one place for the number of a file, such "
                    "as \"file%05d.h5\": \"" +
                        pattern + "\"");
}

Result<std::unique_ptr<FileDriver>> FamilyDriver::open(const FamilySettings& settings,
                                                       const OpenRequest& request) {
  PCIO_TRY(detail::to_status(family_member_name(request.path, 0)));
  if (settings.member.value().is_parallel())
    return PCIO_ERROR(VFL, UNSUPPORTED,
                      "the files of a family can't be opened with MPI (argument memb_fapl_id of "
                      "H5Pset_fapl_family)");
  if (is_create(request.mode) && settings.member_size == 0)
    return PCIO_ERROR(VFL, BADVALUE,
                      "a new family of files needs the size of a file (H5Pset_fapl_family)");
  std::unique_ptr<FamilyDriver> driver(new FamilyDriver(settings, request));
  PCIO_TRY(driver->open_all());
  driver->request_.checked = Status();
  driver->request_.access = nullptr;
  driver->request_.image = nullptr;
  return std::unique_ptr<FileDriver>(std::move(driver));
}

Status FamilyDriver::open_all() {
  PCIO_ASSIGN(auto first, open_member(0, request_.mode));
  members_.push_back(std::move(first));
  if (is_create(request_.mode)) return Status();
  for (unsigned i = 1; i < kMostMembers; ++i) {
    PCIO_ASSIGN(const std::string name, family_member_name(request_.path, i));
    if (!exists(name)) break;
    PCIO_ASSIGN(auto member, open_member(i, request_.mode));
    members_.push_back(std::move(member));
  }
  if (member_size_ != 0) return Status();
  // Until the file says it.
  PCIO_ASSIGN(const std::uint64_t of_first, members_.front()->size());
  member_size_ = members_.size() > 1 && of_first > 0 ? of_first : kOneMember;
  return Status();
}

/// Files of an earlier family, or behind the end of this one.
Status FamilyDriver::remove_from(unsigned number) {
  while (members_.size() > number) {
    const Status closed = members_.back()->close();
    members_.pop_back();
    PCIO_TRY(Status(closed));
  }
  for (unsigned i = number;; ++i) {
    PCIO_ASSIGN(const std::string name, family_member_name(request_.path, i));
    if (std::remove(name.c_str()) != 0) return Status();
  }
}

Result<std::unique_ptr<FileDriver>> FamilyDriver::open_member(unsigned number,
                                                              OpenMode mode) const {
  OpenRequest request = request_;
  PCIO_ASSIGN(request.path, family_member_name(request_.path, number));
  request.mode = mode;
  PCIO_ASSIGN(OpenedFile opened, open_on_ranks(settings_.member.value(), request));
  return std::move(opened.driver);
}

Status FamilyDriver::empty_here() {
  PCIO_TRY(members_.front()->empty_here());
  return remove_from(1);
}

/// Makes the members up to `number`.
Status FamilyDriver::reach(std::uint64_t number) {
  if (number >= kMostMembers)
    return PCIO_ERROR(VFL, NOSPACE,
                      "a family has " + std::to_string(kMostMembers) +
                          " files at most; ask for larger ones (H5Pset_fapl_family)");
  while (members_.size() <= number) {
    PCIO_ASSIGN(auto member,
                open_member(static_cast<unsigned>(members_.size()), OpenMode::kTruncate));
    PCIO_TRY(member->empty_here());
    members_.push_back(std::move(member));
  }
  return Status();
}

void FamilyDriver::count() {
  counters_.independent_reads = counters_.independent_writes = 0;
  for (const auto& member : members_) {
    counters_.independent_reads += member->counters().independent_reads;
    counters_.independent_writes += member->counters().independent_writes;
  }
}

Result<std::uint64_t> FamilyDriver::size() {
  for (std::size_t i = members_.size(); i-- > 0;) {
    PCIO_ASSIGN(const std::uint64_t bytes, members_[i]->size());
    if (bytes == 0) continue;
    // What a member has beyond its part is nobody's.
    const auto before = checked_mul<std::uint64_t>(i, member_size_);
    const auto end =
        before ? checked_add<std::uint64_t>(*before, std::min(bytes, member_size_)) : before;
    if (!end || *end > kOneMember)
      return PCIO_ERROR(VFL, OVERFLOW,
                        std::to_string(i + 1) + " files of " + std::to_string(member_size_) +
                            " bytes are no family: no address is as large");
    return *end;
  }
  return std::uint64_t{0};
}

Status FamilyDriver::truncate(std::uint64_t size) {
  const std::uint64_t last = size == 0 ? 0 : (size - 1) / member_size_;
  PCIO_TRY(reach(last));
  for (std::uint64_t i = 0; i <= last; ++i) {
    const std::uint64_t wanted = i < last ? member_size_ : size - last * member_size_;
    PCIO_ASSIGN(const std::uint64_t has, members_[i]->size());
    if (has != wanted) PCIO_TRY(members_[i]->truncate(wanted));
  }
  return remove_from(static_cast<unsigned>(last + 1));
}

Status FamilyDriver::each(Ends what) {
  Status first;
  for (const auto& member : members_) {
    Status done;
    switch (what) {
      case Ends::kSync: done = member->sync(); break;
      case Ends::kFlush: done = member->flush(); break;
      case Ends::kSyncAlone: done = member->sync_independent(); break;
      case Ends::kClose: done = member->close(); break;
    }
    if (first.ok()) first = std::move(done);
  }
  return first;
}

Status FamilyDriver::flush() { return each(Ends::kFlush); }
Status FamilyDriver::sync() { return each(Ends::kSync); }
Status FamilyDriver::sync_independent() { return each(Ends::kSyncAlone); }
Status FamilyDriver::close() { return each(Ends::kClose); }

void FamilyDriver::abandon() {
  for (const auto& member : members_) member->abandon();
}

DriverCapabilities FamilyDriver::capabilities() const { return members_.front()->capabilities(); }

void* FamilyDriver::raw_handle_at(std::uint64_t offset) {
  const std::uint64_t number = offset / member_size_;
  return number < members_.size() ? members_[number]->raw_handle() : nullptr;
}

Result<DriverNote> FamilyDriver::note() {
  ByteWriter out;
  out.u64(noted_size_);
  return DriverNote{kFamilyNote, std::move(out).take()};
}

Status FamilyDriver::take_note(const DriverNote& note) {
  if (note.driver != kFamilyNote) return FileDriver::take_note(note);
  ByteReader reader(note.info);
  const std::uint64_t size = reader.u64();
  PCIO_TRY(reader.check("size of a family's files"));
  if (size == 0)
    return PCIO_ERROR(
        VFL, BADVALUE,
        "the file says that the files of its family have " + std::to_string(size) + " bytes");
  if (settings_.member_size != 0 && settings_.member_size != size)
    return PCIO_ERROR(VFL, BADVALUE,
                      "the files of the family have " + std::to_string(size) +
                          " bytes, and the access list says " +
                          std::to_string(settings_.member_size) + " (H5Pset_fapl_family)");
  noted_size_ = size;
  member_size_ = std::min(size, kOneMember);
  return Status();
}

Result<std::uint64_t> FamilyDriver::do_read(std::uint64_t offset, Bytes data) {
  PCIO_ASSIGN(const std::uint64_t end, size());
  const std::uint64_t there = offset < end ? std::min<std::uint64_t>(data.size(), end - offset) : 0;
  std::uint64_t done = 0;
  while (done < there) {
    const std::uint64_t at = offset + done;
    const std::uint64_t part = std::min(there - done, member_size_ - at % member_size_);
    const Bytes into = data.subspan(done, part);
    PCIO_ASSIGN(const std::uint64_t have,
                members_[at / member_size_]->read_some(at % member_size_, into));
    std::memset(into.data() + have, 0, part - have);
    done += part;
  }
  count();
  return done;
}

Result<std::uint64_t> FamilyDriver::do_write(std::uint64_t offset, ConstBytes data) {
  std::uint64_t done = 0;
  while (done < data.size()) {
    const std::uint64_t at = offset + done;
    const std::uint64_t part = std::min(data.size() - done, member_size_ - at % member_size_);
    PCIO_TRY(reach(at / member_size_));
    PCIO_TRY(members_[at / member_size_]->write(at % member_size_, data.subspan(done, part)));
    done += part;
  }
  count();
  return done;
}

}  // namespace pcio
