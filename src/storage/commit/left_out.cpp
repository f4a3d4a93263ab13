// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what a commit leaves out.
//
// What can't be planned must not keep everything else from the file. A dataset whose index is the
// trouble is written with the extent and the index that the file had; an object whose links or header
// have no room is not written. Both stay changed, and whoever it concerns is told by their names. Space that was released is not used again before a commit that leaves nothing out.

#include <algorithm>
#include <set>

#include "storage/file/file_store.hpp"
#include "storage/file/message_codec.hpp"

namespace pcio {

/// `why`: the dataset's failure, which is the commit's too where the header leads to an index that no
/// commit has written. The same on all ranks.
Status FileStore::leave_out_data(StoredObject& object, const Status& why) {
  const HeaderMessage* const message = object.find(kMessageLayout);
  if (message == nullptr) return why;
  ByteReader reader(message->body);
  PCIO_ASSIGN(LayoutMessage layout, decode_layout_message(reader, superblock_.sizes));
  if (layout.address != kUndefinedAddress && space_.is_uncommitted(layout.address)) {
    if (object.committed) return why;
    // Nobody has seen it: it has no chunks yet.
    layout = object.dataset->layout;
    layout.address = kUndefinedAddress;
    PCIO_ASSIGN(HeaderMessage empty, encode_layout_again(*this, object, layout));
    object.put(std::move(empty));
  }
  left_out_.emplace(object.address, why);
  return Status();
}

/// `why`: no room for the object's links or header, of which the file keeps what it has; that is the
/// commit's failure too where the file has nothing of it, since others may name it already. `links`:
/// where the file has them. The same on all ranks.
Status FileStore::leave_out(StoredObject& object, const SymbolTablePlace& links,
                            const Status& why) {
  if (!object.committed) return why;
  if (object.symbol_table.btree != links.btree) {
    for (const ByteRange& range : object.symbol_table.owned) space_.release(range);
    object.symbol_table = links;
  }
  // An index that was planned is not written: nothing can be changed in place there.
  if (object.dataset && object.dataset->index_dirty && object.dataset->index) {
    object.dataset->placed.reset();
    object.dataset->index->unfollow();
  }
  left_out_.emplace(object.address, why);
  return Status();
}

/// A name of an object, as far as groups that are in memory tell.
std::string FileStore::path_of(FileAddress address) const {
  if (address == root_->address) return "/";
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
  for (const auto& [address, why] : left_out_)
    names += (names.empty() ? "" : ", ") + path_of(address);
  failure.push(PCIO_FRAME(FILE, CANTFLUSH,
                          "everything is written but the changes of " + names +
                              ", which can't be; the file has it as it was"));
  return failure;
}

}  // namespace pcio
