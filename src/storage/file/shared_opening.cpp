// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: opening a file on many ranks by one rank's reads.

#include "storage/file/shared_opening.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>

#include "agree/call_log.hpp"
#include "base/recorded_reads.hpp"
#include "base/without_throwing.hpp"
#include "storage/bytes/journal_store.hpp"

namespace pcio {

namespace {

using MadeStore = Result<std::unique_ptr<FileStore>>;

/// What travels at once, and where that is not enough, piece by piece. On the stack: a rank without memory
/// takes part.
constexpr std::size_t kFirstBytes = 8192;
struct Told {
  std::uint64_t failed = 0;  ///< rank 0 could not open it: an OpenFailure
  std::uint64_t bytes = 0;   ///< of the recording
  std::uint64_t place = 0;   ///< place_of, as rank 0 has it
  std::array<std::byte, kFirstBytes> first{};
};

enum OpenFailure : std::uint64_t { kUnreadable = 1, kNotHdf5 = 2 };

bool is_no_hdf5(const Status& failure) {
  return !failure.frames().empty() && failure.frames().front().minor == Minor::NOTHDF5;
}

/// Which name a path is for this process: ranks in folders of their own mean different ones by the same path. 0:
/// there is no memory to find out.
std::uint64_t place_of(FileDriver& driver) noexcept {
  std::uint64_t place = 0;
  static_cast<void>(without_throwing([&] {
    const std::string path = driver.identity().path;
    std::array<char, 4096> folder{};
    const bool whole = !path.empty() && path.front() == '/';
    const std::string_view from =
        !whole && ::getcwd(folder.data(), folder.size()) != nullptr ? folder.data() : "";
    place =
        hash_bytes(std::as_bytes(std::span(path)), hash_bytes(std::as_bytes(std::span(from)), 1));
    return Status();
  }));
  return place;
}

/// Opens with what is noted in `reads`, or answered from it.
MadeStore open_with(RecordedReads& reads, OpenedFile& opened, FileAccess how,
                    const FileAccessProps& access) {
  FileDriver& driver = *opened.driver;
  driver.set_recorded_reads(&reads);
  MadeStore store = FileStore::open(opened, how, access);
  driver.set_recorded_reads(nullptr);
  return store;
}

/// What the file system shows this rank's machine is what it showed rank 0's: the rest will be read here.
Status check_head(FileStore& store) {
  return without_throwing([&]() -> Status {
    if (store.superblock_store().is_new()) {
      PCIO_ASSIGN(const std::uint64_t bytes, store.driver().told_size());
      if (bytes == 0) return Status();
    }
    PCIO_ASSIGN(const FileHead seen, find_head(store.driver()));
    if (store.writer().was_opened_from(seen)) return Status();
    return PCIO_ERROR(FILE, CANTOPENFILE,
                      "the ranks see different superblocks in the file: another program is writing "
                      "it, or the file system shows old data on some machines");
  });
}

/// The rest of a recording whose first bytes all have. Collective: over the file.
/// `room`: whether this rank can take it.
Status share_rest(Coordinator& coordinator, const Told& told, const Status& room,
                  std::vector<std::byte>& bytes) {
  std::array<std::byte, kFirstBytes> scratch{};
  for (std::uint64_t at = kFirstBytes; at < told.bytes; at += kFirstBytes) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(kFirstBytes, told.bytes - at));
    const Bytes piece =
        room.ok() ? Bytes(bytes).subspan(static_cast<std::size_t>(at), n) : Bytes(scratch).first(n);
    PCIO_TRY(coordinator.broadcast(piece, 0));
  }
  return Status();
}

}  // namespace

MadeStore open_for_all(OpenedFile& opened, FileAccess how, const FileAccessProps& access) {
  Coordinator& coordinator = *opened.coordinator;
  const auto nothing = [&] { return MadeStore(tl::unexpected<Status>(opened.local)); };
  if (coordinator.size() == 1)
    return opened.local.ok() ? FileStore::open(opened, how, access) : nothing();
  RecordedReads reads;
  std::vector<std::byte>& bytes = reads.bytes();
  MadeStore store = nothing();
  Told told;
  const bool reads_for_all = coordinator.rank() == 0;
  if (reads_for_all) {
    if (opened.local.ok()) store = open_with(reads, opened, how, access);
    if (!store) told.failed = is_no_hdf5(store.error()) ? kNotHdf5 : kUnreadable;
    told.bytes = bytes.size();
    if (store) told.place = place_of((*store)->driver());
    std::copy_n(bytes.begin(), std::min(bytes.size(), kFirstBytes), told.first.begin());
  }
  PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(&told, 1)), 0));
  Status room = opened.local;
  if (!reads_for_all && room.ok())
    room = without_throwing([&] {
      bytes.resize(static_cast<std::size_t>(told.bytes));
      std::copy_n(told.first.begin(), std::min(bytes.size(), kFirstBytes), bytes.begin());
      return Status();
    });
  if (told.failed == 0) PCIO_TRY(share_rest(coordinator, told, room, bytes));
  if (reads_for_all) return store;
  if (!room.ok()) return tl::unexpected<Status>(std::move(room));
  if (told.failed == kNotHdf5) return PCIO_ERROR(FILE, NOTHDF5, "another rank found no HDF5 file");
  if (told.failed != 0)
    return PCIO_ERROR(FILE, CANTOPENFILE, "another rank could not read the file");
  RecordedReads known;
  const Status ready = without_throwing([&]() -> Status {
    PCIO_ASSIGN(known, RecordedReads::replay(std::move(bytes)));
    return Status();
  });
  if (!ready.ok()) return tl::unexpected<Status>(ready);
  store = open_with(known, opened, how, access);
  if (!store || how == FileAccess::kBesideWriter) return store;
  // On one machine ranks compare the file's number, where it means something (File::agree_on_file); of others one
  // rank of each looks at the file itself, and who calls it otherwise.
  FileDriver& driver = (*store)->driver();
  const bool looks = coordinator.one_machine()
                         ? !driver.capabilities().coherent
                         : coordinator.leads_machine() || place_of(driver) != told.place;
  if (!looks) return store;
  if (Status same = check_head(**store); !same.ok()) {
    opened.driver = (*store)->give_back_driver();
    opened.coordinator = (*store)->shared_coordinator();
    return tl::unexpected<Status>(std::move(same));
  }
  return store;
}

}  // namespace pcio
