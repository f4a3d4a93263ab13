// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: what a commit leaves out.
//
// An index that can't be planned must not keep everything else from the file. Its dataset is written
// with the extent and the index that the file had, and stays changed; whoever it concerns is told
// by its name. Space that was released is not used again before a commit that leaves nothing out.

#include <algorithm>
#include <set>

#include "storage/file_store.hpp"
#include "storage/message_codec.hpp"

namespace pcio {

/// `why`: the dataset's failure, which is the commit's too where the header leads to an index that no
/// commit has written. The same on all ranks.
Status FileStore::leave_out(StoredObject& object, const Status& why) {
  const HeaderMessage* const message = object.find(kMessageLayout);
  if (message == nullptr) return why;
  ByteReader reader(message->body);
  PCIO_ASSIGN(LayoutMessage layout, decode_layout_message(reader, superblock_.sizes));
  if (layout.address != kUndefinedAddress && space_.is_uncommitted(layout.address)) {
    if (object.committed) return why;
    // Nobody has seen it: it has no chunks yet.
    layout = object.dataset->layout;
    layout.address = kUndefinedAddress;
    PCIO_ASSIGN(HeaderMessage empty, encode_layout(*this, layout));
    object.put(std::move(empty));
  }
  left_out_.emplace(object.address, why);
  return Status();
}

/// A name of an object, as far as groups that are in memory tell.
std::string FileStore::path_of(FileAddress address) const {
  std::vector<std::pair<StoredObjectPtr, std::string>> groups{{root_, "/"}};
  std::set<FileAddress> seen{root_->address};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto [group, path] = groups[i];
    if (!group->links) continue;
    for (const LinkMessage& link : group->links->links) {
      if (link.type != kLinkHard) continue;
      if (link.address == address) return path + link.name;
      StoredObjectPtr child = objects_.find(link.address);
      if (child && child->links && seen.insert(link.address).second)
        groups.emplace_back(std::move(child), path + link.name + "/");
    }
  }
  return "at address " + std::to_string(address);
}

Status FileStore::report_left_out() const {
  if (left_out_.empty()) return Status();
  Status failure = left_out_.begin()->second;
  std::string names;
  for (const auto& [address, why] : left_out_) names += (names.empty() ? "" : ", ") + path_of(address);
  failure.push(PCIO_FRAME(FILE, CANTFLUSH,
                          "everything is written but the changes of " + names +
                              ", which can't be; the file has it as it was"));
  return failure;
}

}  // namespace pcio
