// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: MultiDriver.

#include "driver/multi_driver.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/bytes.hpp"

namespace pcio {

namespace {

constexpr char kMultiNote[] = "NCSAmult";
constexpr std::size_t kMapBytes = 8;  // a byte for each use but the first, and two of nothing
constexpr std::uint64_t kNowhere = UINT64_MAX;
/// A name that is longer names no file.
constexpr std::size_t kLongestName = 4096;

using Use = MultiSettings::Use;

bool member_exists(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

constexpr std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

detail::StatusReturn bad_note(const char* what) {
  return PCIO_ERROR(VFL, BADVALUE,
                    std::string("what the file says of its multi driver is damaged: ") + what);
}

}  // namespace

std::string multi_member_name(const std::string& pattern, const std::string& name) {
  std::string made;
  bool put = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (pattern[i] != '%' || (next != '%' && (next != 's' || put))) {
      made += pattern[i];
      continue;
    }
    if (next == 's') {
      made += name;
      put = true;
    } else {
      made += '%';
    }
    ++i;
  }
  return made;
}

Result<std::unique_ptr<FileDriver>> MultiDriver::open(const MultiSettings& settings,
                                                      const OpenRequest& request) {
  for (const auto& member : settings.members)
    if (member && member->value().is_parallel())
      return PCIO_ERROR(VFL, UNSUPPORTED,
                        "the files of a multi file can't be opened with MPI (argument memb_fapl "
                        "of H5Pset_fapl_multi)");
  std::unique_ptr<MultiDriver> driver(new MultiDriver(settings, request));
  PCIO_TRY(driver->open_all());
  driver->request_.checked = Status();
  driver->request_.image = nullptr;
  return std::unique_ptr<FileDriver>(std::move(driver));
}

/// The files that the settings ask for, not opened yet.
Result<MultiDriver::Members> MultiDriver::list_members() const {
  Members members;
  for (std::size_t use = Use::kSuper; use < MultiSettings::kUses; ++use) {
    const std::size_t file = settings_.file_of(use);
    if (std::any_of(members.begin(), members.end(), [&](auto& m) { return m.use == file; }))
      continue;
    Member member;
    member.use = file;
    member.start = settings_.addresses[file];
    if (settings_.names[file].empty() || member.start == kNowhere)
      return PCIO_ERROR(VFL, BADVALUE,
                        "a file of the multi driver has no name or no address "
                        "(H5Pset_fapl_multi, use " +
                            std::to_string(file) + ")");
    member.path = multi_member_name(settings_.names[file], request_.path);
    members.push_back(std::move(member));
  }
  std::sort(members.begin(), members.end(),
            [](const Member& a, const Member& b) { return a.start < b.start; });
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (members[i].start == members[k].start || members[i].path == members[k].path)
        return PCIO_ERROR(VFL, BADVALUE,
                          "two files of the multi driver have one name or one address: \"" +
                              members[k].path + "\", \"" + members[i].path + "\"");
  if (members.front().start != 0 || members.front().use != settings_.file_of(Use::kSuper))
    return PCIO_ERROR(VFL, BADVALUE,
                      "of the files of the multi driver that of the superblock "
                      "(H5FD_MEM_SUPER) must begin at address 0 (argument memb_addr)");
  return members;
}

Status MultiDriver::open_member(Member* member) {
  const bool may_miss = settings_.relax && request_.mode == OpenMode::kReadOnly;
  if (may_miss && member->start != 0 && !member_exists(member->path)) return Status();
  OpenRequest request = request_;
  request.path = member->path;
  const auto& choice = settings_.members[member->use];
  PCIO_ASSIGN(OpenedFile opened,
              open_on_ranks(choice ? choice->value() : DriverChoice().value(), request));
  member->driver = std::move(opened.driver);
  // Those of a new file are emptied later.
  if (is_create(request_.mode)) return Status();
  PCIO_ASSIGN(member->bytes, member->driver->size());
  return Status();
}

Status MultiDriver::empty_here() {
  for (const Member& member : members_) PCIO_TRY(member.driver->empty_here());
  return Status();
}

Status MultiDriver::open_all() {
  PCIO_ASSIGN(members_, list_members());
  for (Member& member : members_) PCIO_TRY(open_member(&member));
  return Status();
}

/// Of a use whose file has another use's name the other's.
std::size_t MultiDriver::place_of(std::size_t use) const {
  const std::size_t file = settings_.file_of(use);
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (members_[i].use == file) return i;
  return 0;
}

std::size_t MultiDriver::member_at(std::uint64_t offset) const {
  std::size_t at = members_.size() - 1;
  while (at > 0 && members_[at].start > offset) --at;
  return at;
}

/// Bytes from `offset` on to the next file.
std::uint64_t MultiDriver::room_behind(std::size_t member, std::uint64_t offset) const {
  const std::uint64_t next =
      member + 1 < members_.size() ? members_[member + 1].start : largest_offset();
  return next - offset;
}

/// Members in the order in which a note has them.
std::vector<std::size_t> MultiDriver::in_order_of_uses() const {
  std::vector<std::size_t> order;
  for (std::size_t use = Use::kSuper; use < MultiSettings::kUses; ++use) {
    const std::size_t place = place_of(use);
    if (std::find(order.begin(), order.end(), place) == order.end()) order.push_back(place);
  }
  return order;
}

/// Small pieces of all kinds lie together, and libhdf5 looks for each below the end of the file for its
/// kind: of these files the one with the lowest addresses holds them all.
AddressParts MultiDriver::parts() const {
  AddressParts all;
  for (const Member& member : members_)
    all.parts.push_back({member.start, member.start + member.bytes});
  all.headers = place_of(Use::kOhdr);
  all.raw_data = place_of(Use::kDraw);
  all.metadata = std::min({all.headers, place_of(Use::kBtree), place_of(Use::kLheap)});
  return all;
}

void MultiDriver::set_part_ends(std::span<const std::uint64_t> ends) {
  for (std::size_t i = 0; i < members_.size() && i < ends.size(); ++i)
    members_[i].bytes = ends[i] - std::min(ends[i], members_[i].start);
}

Status MultiDriver::fit_parts(PartFit fit) {
  for (std::size_t i = 1; i < members_.size(); ++i) {
    Member& member = members_[i];
    if (!member.driver) continue;
    PCIO_ASSIGN(const std::uint64_t has, member.driver->size());
    if (has < member.bytes || (has > member.bytes && fit == PartFit::kExactly))
      PCIO_TRY(member.driver->truncate(member.bytes));
  }
  return Status();
}

Result<DriverNote> MultiDriver::note() {
  ByteWriter out;
  for (std::size_t use = Use::kSuper; use < MultiSettings::kUses; ++use) out.u8(settings_.map[use]);
  out.zeros(kMapBytes - (MultiSettings::kUses - 1));
  const std::vector<std::size_t> order = in_order_of_uses();
  for (const std::size_t place : order) {
    out.u64(members_[place].start);
    out.u64(members_[place].bytes);
  }
  for (const std::size_t place : order) {
    const std::string& name = settings_.names[members_[place].use];
    out.text(name);
    out.zeros(padded(name.size() + 1) - name.size());
  }
  return DriverNote{kMultiNote, std::move(out).take()};
}

/// How far the files are used, in the order of the note; into `told` what they are.
Result<std::vector<std::uint64_t>> MultiDriver::decode_note(ConstBytes info,
                                                            MultiSettings* told) const {
  ByteReader reader(info);
  for (std::size_t use = Use::kSuper; use < MultiSettings::kUses; ++use) {
    told->map[use] = static_cast<std::uint8_t>(reader.u8());
    if (told->map[use] >= MultiSettings::kUses) return bad_note("no such use of bytes");
  }
  reader.skip(kMapBytes - (MultiSettings::kUses - 1));
  std::vector<std::size_t> files;
  for (std::size_t use = Use::kSuper; use < MultiSettings::kUses; ++use)
    if (std::find(files.begin(), files.end(), told->file_of(use)) == files.end())
      files.push_back(told->file_of(use));
  std::vector<std::uint64_t> used(MultiSettings::kUses);
  for (const std::size_t file : files) {
    told->addresses[file] = reader.u64();
    used[file] = reader.u64();
  }
  for (const std::size_t file : files) {
    PCIO_TRY(reader.check("multi driver information"));
    const ConstBytes rest = info.subspan(reader.position());
    const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
    const auto size = static_cast<std::size_t>(end - rest.begin());
    if (end == rest.end() || size == 0 || size > kLongestName) return bad_note("a name");
    told->names[file].assign(reinterpret_cast<const char*>(rest.data()), size);
    reader.skip(std::min(padded(size + 1), rest.size()));
  }
  PCIO_TRY(reader.check("multi driver information"));
  return used;
}

/// Opens what the file names otherwise than the list; the file is right.
Status MultiDriver::take_members(MultiSettings told) {
  Members before = std::move(members_);
  settings_ = std::move(told);
  auto listed = list_members();
  if (!listed || listed->front().path != before.front().path) {
    members_ = std::move(before);
    if (!listed) return detail::to_status(std::move(listed));
    return bad_note("it names another file for its superblock than the list of the open");
  }
  members_ = std::move(*listed);
  Status first;
  for (Member& member : members_) {
    for (Member& old : before)
      if (old.driver && old.path == member.path) {
        member.driver = std::move(old.driver);
        member.bytes = old.bytes;
      }
    if (!member.driver && first.ok()) first = open_member(&member);
  }
  for (Member& old : before)
    if (old.driver) {
      const Status closed = old.driver->close();
      if (first.ok()) first = Status(closed);
    }
  return first;
}

Status MultiDriver::take_note(const DriverNote& note) {
  if (note.driver != kMultiNote) return FileDriver::take_note(note);
  MultiSettings told = settings_;
  PCIO_ASSIGN(const auto used, decode_note(note.info, &told));
  PCIO_TRY(take_members(std::move(told)));
  for (Member& member : members_) {
    const std::uint64_t bytes = used[member.use];
    const std::uint64_t has = member.bytes;
    member.bytes = bytes;
    if (bytes > room_behind(member_at(member.start), member.start)) return bad_note("an end");
    if (member.driver && has < bytes)
      return PCIO_ERROR(FILE, TRUNCATED,
                        "truncated file: \"" + member.path + "\" has " + std::to_string(has) +
                            " of the " + std::to_string(bytes) + " bytes that are used in it");
  }
  return Status();
}

Status MultiDriver::each(Ends what) {
  Status first;
  for (const Member& member : members_) {
    if (!member.driver) continue;
    Status done;
    switch (what) {
      case Ends::kSync: done = member.driver->sync(); break;
      case Ends::kFlush: done = member.driver->flush(); break;
      case Ends::kSyncAlone: done = member.driver->sync_independent(); break;
      case Ends::kClose: done = member.driver->close(); break;
    }
    if (first.ok()) first = std::move(done);
  }
  return first;
}

bool MultiDriver::caches_apart() const {
  return std::any_of(members_.begin(), members_.end(), [](const Member& member) {
    return member.driver && member.driver->caches_apart();
  });
}

bool MultiDriver::has_unseen_writes() const {
  return std::any_of(members_.begin(), members_.end(), [](const Member& member) {
    return member.driver && member.driver->has_unseen_writes();
  });
}

void MultiDriver::forget_cached() {
  for (const Member& member : members_)
    if (member.driver) member.driver->forget_cached();
}

void MultiDriver::abandon() {
  for (const Member& member : members_)
    if (member.driver) member.driver->abandon();
}

DriverCapabilities MultiDriver::capabilities() const {
  DriverCapabilities all = first().capabilities();
  for (const Member& member : members_) {
    if (!member.driver) continue;
    const DriverCapabilities one = member.driver->capabilities();
    all.holes_read_zero = all.holes_read_zero && one.holes_read_zero;
    all.on_disk = all.on_disk && one.on_disk;
    all.journaled = all.journaled && one.journaled;
    all.defers_errors = all.defers_errors || one.defers_errors;
    all.coherent = all.coherent && one.coherent;
  }
  return all;
}

void* MultiDriver::raw_handle_for(int use) {
  if (use <= Use::kDefault || use >= static_cast<int>(MultiSettings::kUses)) return nullptr;
  const Member& member = members_[place_of(static_cast<std::size_t>(use))];
  return member.driver ? member.driver->raw_handle() : nullptr;
}

void MultiDriver::count() {
  counters_.independent_reads = counters_.independent_writes = 0;
  for (const Member& member : members_) {
    if (!member.driver) continue;
    counters_.independent_reads += member.driver->counters().independent_reads;
    counters_.independent_writes += member.driver->counters().independent_writes;
  }
}

/// Never across the end of a file: nothing lies there.
Result<std::uint64_t> MultiDriver::do_read(std::uint64_t offset, Bytes data) {
  const std::size_t place = member_at(offset);
  const Member& member = members_[place];
  if (!member.driver)
    return PCIO_ERROR(VFL, CANTOPENFILE, "the file \"" + member.path + "\" of the set is missing");
  const auto wanted = std::min<std::uint64_t>(data.size(), room_behind(place, offset));
  auto done =
      member.driver->read_some(offset - member.start, data.first(static_cast<std::size_t>(wanted)));
  count();
  return done;
}

Result<std::uint64_t> MultiDriver::do_write(std::uint64_t offset, ConstBytes data) {
  const std::size_t place = member_at(offset);
  const Member& member = members_[place];
  if (!member.driver || data.size() > room_behind(place, offset))
    return PCIO_ERROR(VFL, WRITEERROR,
                      "bytes at address " + std::to_string(offset) + " are outside the file \"" +
                          member.path + "\" of the set");
  PCIO_TRY(member.driver->write(offset - member.start, data));
  count();
  return data.size();
}

}  // namespace pcio
