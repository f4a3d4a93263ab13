// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: groups and links, out of line.

#include "object/group.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "base/without_throwing.hpp"
#include "filter/pipeline.hpp"
#include "format/group_info_message.hpp"
#include "format/link_info_message.hpp"
#include "object/object_info.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/objects/message_codec.hpp"
#include "storage/objects/phase_change.hpp"

namespace pcio {

namespace {

Status check_free(const LinkPlace& place) {
  if (place.name.empty())
    return PCIO_ERROR(SYM, EXISTS, "\"" + place.group.path + "\" exists already");
  PCIO_ASSIGN(LinkTable * table, place.group.file->store().objects().links(place.group.object));
  if (table->has(place.name))
    return PCIO_ERROR(SYM, EXISTS, "name \"" + place.path() + "\" is taken already");
  return Status();
}

/// What no commit could put through the group's filters is refused now.
Status check_filters(const StoredObject& group) {
  const HeaderMessage* message = group.find(kMessageFilterPipeline);
  if (message == nullptr) return Status();
  PCIO_ASSIGN(const FilterPipeline filters, decode_filters(*message));
  return check_encodable(filters);
}

bool tracks_creation_order(const StoredObject& group, const FileSizes& sizes) {
  const HeaderMessage* message = group.find(kMessageLinkInfo);
  if (message == nullptr) return false;
  ByteReader reader(message->body);
  auto info = decode_link_info_message(reader, sizes);
  return info && info->track_order;
}

/// Where there is no memory for them, the links are numbered anew when somebody asks.
void note_in_numbers(StoredObject& group, LinkMap::const_iterator link) {
  if (!group.link_numbers) return;
  const Status noted = without_throwing([&] {
    group.link_numbers->add(link);
    return Status();
  });
  if (!noted.ok()) group.link_numbers.reset();
}

/// True where the root group leads to `wanted` without the link at `without`. Every object is looked
/// at once, so cycles and groups with many ways to them do no harm.
bool is_reached(FileStore& store, FileAddress wanted, const LinkPlace& without) {
  std::set<FileAddress> seen{store.objects().root()->address};
  std::vector<StoredObjectPtr> waiting{store.objects().root()};
  while (!waiting.empty()) {
    StoredObjectPtr object = std::move(waiting.back());
    waiting.pop_back();
    if (object->address == wanted) return true;
    if (object->kind() != ObjectKind::kGroup) continue;
    auto table = store.objects().links(object);
    if (!table) continue;
    for (const LinkMessage& link : (*table)->links) {
      if (object == without.group.object && link.name == without.name) continue;
      if (link.type != kLinkHard || !seen.insert(link.address).second) continue;
      if (auto child = store.objects().object(link.address)) waiting.push_back(std::move(*child));
    }
  }
  return false;
}

/// A group that is moved to a place that only its own link leads to would be lost. Only where the way
/// to the place goes by that link the file is searched for another.
Status check_not_into_itself(const LinkPlace& from, const LinkPlace& to) {
  const std::string moved = from.path() + "/";
  if ((to.group.path + "/").compare(0, moved.size(), moved) != 0) return Status();
  if (is_reached(from.group.file->store(), to.group.object->address, from)) return Status();
  return PCIO_ERROR(LINK, CANTMOVE, "group \"" + from.path() + "\" can't be moved into itself");
}

}  // namespace

Result<Location> make_anonymous_group(const FilePtr& file, const GroupCreateProps& create,
                                      const StoredObject* source) {
  FileStore& store = file->store();
  PCIO_TRY(check_encodable(create.filters));
  const bool has_messages = source != nullptr && source->find(kMessageLinkInfo) != nullptr;
  PCIO_ASSIGN(auto messages,
              group_messages(store.context(), create,
                             has_messages ? GroupStyle::kNew : GroupStyle::kByBounds));
  const unsigned version = source != nullptr ? source->header.version : 0;
  PCIO_ASSIGN(StoredObjectPtr group, store.objects().create(std::move(messages), create, version));
  group->links.emplace();
  store.objects().touch_links(group);
  return Location{file, std::move(group), ""};
}

Result<Location> make_group(const LinkPlace& place, const GroupCreateProps& create,
                            const LinkCreateProps& link) {
  PCIO_TRY(check_free(place));
  PCIO_ASSIGN(Location made, make_anonymous_group(place.group.file, create));
  PCIO_TRY(add_hard_link(place, made, link));
  made.path = place.path();
  made.hold = place.group.hold;
  return made;
}

namespace {

/// What a group becomes with one more link.
struct WithLink {
  LinkTable* table = nullptr;
  bool ordered = false;
  bool in_table = false, new_style = false;  ///< it is, and will be
  bool dense = false;
};

/// Gives `link` its name and its number. Nothing changes. Errors: what the group can't have.
Result<WithLink> with_link(const LinkPlace& place, LinkMessage* link,
                           const LinkCreateProps& create) {
  PCIO_TRY(check_free(place));
  FileStore& store = place.group.file->store();
  WithLink with;
  PCIO_ASSIGN(with.table, store.objects().links(place.group.object));
  link->name = place.name;
  link->charset = create.char_encoding == 1 ? NameCharset::kUtf8 : NameCharset::kAscii;
  link->creation_order.reset();
  with.ordered = tracks_creation_order(*place.group.object, store.sizes());
  if (with.ordered && with.table->next_creation_order == std::numeric_limits<std::int64_t>::max())
    return PCIO_ERROR(LINK, NOSPACE, "the group has no number of creation order left for a link");
  if (with.ordered) link->creation_order = with.table->next_creation_order;
  with.in_table = place.group.object->find(kMessageLinkInfo) == nullptr;
  with.new_style = !with.in_table || !fits_symbol_table(*link);
  if (with.new_style) {
    PCIO_ASSIGN(with.dense, links_go_dense(*place.group.object, *with.table, link, store.sizes()));
  }
  if (with.dense) PCIO_TRY(check_filters(*place.group.object));
  return with;
}

}  // namespace

Status check_new_link(const LinkPlace& place, const LinkCreateProps& create) {
  if (place.is_on_the_way) {
    PCIO_ASSIGN(const GroupCreateProps props, missing_group_props(place.group));
    PCIO_TRY(check_encodable(props.filters));
  }
  LinkMessage link;
  link.type = kLinkHard;
  link.address = place.group.object->address;
  return detail::to_status(
      with_link(place, &link, place.is_on_the_way ? LinkCreateProps() : create));
}

Status add_link(const LinkPlace& place, LinkMessage link, const LinkCreateProps& create) {
  FileStore& store = place.group.file->store();
  PCIO_ASSIGN(const WithLink with, with_link(place, &link, create));
  LinkTable* const table = with.table;
  StoredObjectPtr target;
  if (link.type == kLinkHard) {
    PCIO_ASSIGN(target, store.objects().object(link.address));
  }
  // What may lack memory comes before the changes.
  store.objects().touch_links(place.group.object);
  if (target) store.objects().touch(target);
  store.objects().announce_link(place.group.object, link.name);
  // Now, so that what comes next is held against the limits of its new form.
  if (with.in_table && with.new_style)
    PCIO_TRY(store.objects().become_new_style(*place.group.object));
  const auto made = table->add(std::move(link));
  if (with.ordered) ++table->next_creation_order;
  if (target) store.objects().add_reference(target);
  table->dense = with.dense;
  note_in_numbers(*place.group.object, made);
  return Status();
}

Status add_hard_link(const LinkPlace& place, const Location& target,
                     const LinkCreateProps& create) {
  if (target.file != place.group.file)
    return PCIO_ERROR(LINK, BADVALUE, "a hard link can't lead into another file");
  LinkMessage link;
  link.type = kLinkHard;
  link.address = target.object->address;
  return add_link(place, std::move(link), create);
}

namespace {

/// One slash for several, and none at the end of a path: as libhdf5 1.10.8 stores targets of soft links.
std::string without_idle_slashes(const std::string& target) {
  std::string path;
  for (const char c : target)
    if (c != '/' || path.empty() || path.back() != '/') path += c;
  if (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

Status add_soft_link(const LinkPlace& place, const std::string& target,
                     const LinkCreateProps& create) {
  if (target.empty()) return PCIO_ERROR(ARGS, BADVALUE, "target of a soft link is empty");
  LinkMessage link;
  link.type = kLinkSoft;
  const std::string stored = without_idle_slashes(target);
  link.target = std::string_view(stored);
  return add_link(place, std::move(link), create);
}

Status add_external_link(const LinkPlace& place, const std::string& file, const std::string& object,
                         const LinkCreateProps& create) {
  if (file.empty() || object.empty())
    return PCIO_ERROR(ARGS, BADVALUE, "file or object name of an external link is empty");
  LinkMessage link;
  link.type = kLinkExternal;
  link.file = std::string_view(file);
  link.target = std::string_view(object);
  return add_link(place, std::move(link), create);
}

Status remove_link(const LinkPlace& place) {
  PCIO_TRY(find_link(place));
  FileStore& store = place.group.file->store();
  PCIO_ASSIGN(LinkTable * table, store.objects().links(place.group.object));
  if (table->dense) PCIO_TRY(check_filters(*place.group.object));
  auto it = table->find(place.name);
  StoredObjectPtr target;
  if (it->type == kLinkHard) {
    PCIO_ASSIGN(target, store.objects().object(it->address));
    PCIO_TRY(ObjectTable::check_referenced(*target));
  }
  PCIO_ASSIGN(const bool back, links_come_back(*place.group.object, *table, *it, store.sizes()));
  // What can fail on all ranks alike is behind us: on those that don't have the group open nothing may be
  // left of it. Then what may lack memory, and then the changes.
  store.objects().touch_links(place.group.object);
  table->announce_removal(place.name);
  if (target) PCIO_TRY(store.objects().drop_reference(target));
  if (auto& numbers = place.group.object->link_numbers) numbers->remove(it);
  table->remove(it);
  // The numbers of creation begin anew in a group that is empty, as in HDF5.
  if (table->links.empty()) table->next_creation_order = 0;
  if (back) table->dense = false;
  return Status();
}

void undo_link(const LinkPlace& place) noexcept {
  undo_or_tell(place.group.file->store(), [&]() -> Status {
    std::optional<std::int64_t> number;
    if (const auto link = find_link(place)) number = (*link)->creation_order;
    PCIO_TRY(remove_link(place));
    // The next link gets the number that this one had.
    LinkTable& table = *place.group.object->links;
    if (number && table.next_creation_order == *number + 1) table.next_creation_order = *number;
    return Status();
  });
}

Status add_reference(const Location& object) {
  object.file->store().objects().add_reference(object.object);
  return Status();
}

Status drop_reference(const Location& object) {
  if (object.object->links_to == 0)
    return PCIO_ERROR(OHDR, LINKCOUNT, "\"" + object.path + "\" has no reference left");
  return object.file->store().objects().drop_reference(object.object);
}

namespace {

/// Links that say where something is mean the same in another file; hard ones are a place in theirs.
Status check_may_leave(const LinkPlace& from, const LinkPlace& to, const LinkMessage& link,
                       LinkTransfer how) {
  const FilePtr& source = from.group.file;
  const FilePtr& destination = to.group.file;
  if (link.type == kLinkHard)
    return PCIO_ERROR(LINK, BADVALUE, "a hard link can't be moved or copied into another file");
  if (source->parallel() != destination->parallel())
    return PCIO_ERROR(LINK, UNSUPPORTED,
                      "a link is moved or copied between files of the same ranks only");
  return how == LinkTransfer::kMove ? check_writable(*source) : Status();
}

}  // namespace

Status transfer_link(const LinkPlace& from, const LinkPlace& to, LinkTransfer how,
                     const LinkCreateProps& create) {
  PCIO_ASSIGN(const LinkMessage* link, find_link(from));
  const bool leaves = from.group.file != to.group.file;
  if (leaves) PCIO_TRY(check_may_leave(from, to, *link, how));
  PCIO_TRY(check_free(to));
  LinkMessage copy = *link;
  if (how == LinkTransfer::kMove && copy.type == kLinkHard)
    PCIO_TRY(check_not_into_itself(from, to));
  PCIO_TRY(add_link(to, std::move(copy), create));
  if (how == LinkTransfer::kCopy) return Status();
  Status removed = without_throwing([&] { return remove_link(from); });
  if (!removed.ok()) undo_link(to);
  return removed;
}

bool tracks_creation_order(const Location& group) {
  return tracks_creation_order(*group.object, group.file->store().sizes());
}

namespace {

Status check_order_known(const Location& group, IndexBy by) {
  if (by == IndexBy::kName || tracks_creation_order(group)) return Status();
  return PCIO_ERROR(SYM, BADVALUE, "creation order is not tracked in group \"" + group.path + "\"");
}

/// The links of a group by number.
Result<LinkNumbers*> link_numbers(const Location& group) {
  PCIO_ASSIGN(LinkTable * table, group.file->store().objects().links(group.object));
  auto& numbers = group.object->link_numbers;
  if (!numbers) numbers = std::make_unique<LinkNumbers>(*table);
  return numbers.get();
}

bool indexes_creation_order(const StoredObject& group, const FileSizes& sizes) {
  ByteReader reader(group.find(kMessageLinkInfo)->body);
  auto info = decode_link_info_message(reader, sizes);
  return info && info->index_order;
}

std::vector<LinkName> named(const std::vector<LinkMap::const_iterator>& links) {
  std::vector<LinkName> names;
  names.reserve(links.size());
  for (const auto& link : links) names.push_back({link->name, link->creation_order.value_or(0)});
  return names;
}

std::vector<LinkName> named(const std::vector<LinkNumbers::ByCreation::const_iterator>& links) {
  std::vector<LinkName> names;
  names.reserve(links.size());
  for (const auto& link : links) names.push_back({link->second->name, link->first});
  return names;
}

std::vector<LinkName> named(const std::vector<LinkNumbers::ByHash::const_iterator>& links) {
  std::vector<LinkName> names;
  names.reserve(links.size());
  for (const auto& link : links)
    names.push_back({link->second->name, link->second->creation_order.value_or(0)});
  return names;
}

Result<std::vector<LinkName>> names_by_message(const Location& group, LinkNumbers& numbers,
                                               const NameRange& range) {
  auto& known = numbers.by_message();
  if (!known) {
    PCIO_ASSIGN(known,
                links_by_message(*group.object, *group.object->links, group.file->store().sizes()));
  }
  const LinkNumbers::Listed& all = *known;
  const std::size_t first = std::min<std::uint64_t>(range.first, all.size());
  const std::size_t count = std::min(range.most, all.size() - first);
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return named(LinkNumbers::Listed(begin, begin + static_cast<std::ptrdiff_t>(count)));
}

}  // namespace

Result<NameRange> native_resolved(const Location& group, NameRange range) {
  PCIO_ASSIGN(LinkTable * table, group.file->store().objects().links(group.object));
  PCIO_TRY(check_order_known(group, range.by));
  if (range.order != IterOrder::kNative) return range;
  const bool by_name = group.object->find(kMessageSymbolTable) != nullptr;
  const bool by_creation = !by_name && table->dense && range.by == IndexBy::kCreationOrder &&
                           indexes_creation_order(*group.object, group.file->store().sizes());
  if (by_name || by_creation) range.order = IterOrder::kIncreasing;
  return range;
}

Result<bool> goes_by_message(const Location& group, const NameRange& range) {
  PCIO_ASSIGN(LinkTable * table, group.file->store().objects().links(group.object));
  return range.order == IterOrder::kNative && !table->dense;
}

Result<std::vector<LinkName>> link_names_from(const Location& group, NameRange range) {
  PCIO_ASSIGN(LinkNumbers * numbers, link_numbers(group));
  PCIO_ASSIGN(range, native_resolved(group, range));
  if (range.order == IterOrder::kNative) {
    const LinkTable& table = *group.object->links;
    if (!table.dense) return names_by_message(group, *numbers, range);
    return named(
        entries_from(numbers->by_hash(table), numbers->hashes(), range.first, range.most, false));
  }
  const bool falling = range.order == IterOrder::kDecreasing;
  if (range.by == IndexBy::kName)
    return named(entries_from(group.object->links->links, numbers->names(), range.first, range.most,
                              falling));
  return named(
      entries_from(numbers->by_creation(), numbers->creations(), range.first, range.most, falling));
}

Result<std::vector<LinkName>> link_names_behind(const Location& group, IndexBy by, IterOrder order,
                                                const LinkName& last) {
  PCIO_ASSIGN(LinkNumbers * numbers, link_numbers(group));
  PCIO_TRY(check_order_known(group, by));
  if (order == IterOrder::kNative)
    return named(entries_behind(numbers->by_hash(*group.object->links),
                                LinkNumbers::hash_key(last.name), false));
  const bool falling = order == IterOrder::kDecreasing;
  if (by == IndexBy::kName)
    return named(entries_behind(group.object->links->links, last.name, falling));
  return named(entries_behind(numbers->by_creation(), last.creation, falling));
}

Result<std::vector<std::string>> ordered_names(const Location& group, IndexBy by, IterOrder order) {
  PCIO_ASSIGN(auto links, link_names_from(group, {by, order}));
  std::vector<std::string> names;
  names.reserve(links.size());
  for (LinkName& link : links) names.push_back(std::move(link.name));
  return names;
}

Result<LinkPlace> place_by_index(const Location& group, IndexBy by, IterOrder order,
                                 std::uint64_t n) {
  PCIO_ASSIGN(auto names, link_names_from(group, {by, order, n, 1}));
  if (names.empty())
    return PCIO_ERROR(ARGS, BADRANGE,
                      "argument n: index " + std::to_string(n) + " is beyond the " +
                          std::to_string(group.object->links->links.size()) + " links of group \"" +
                          group.path + "\"");
  return LinkPlace{group, std::move(names.front().name)};
}

Result<std::uint64_t> link_count(const Location& group) {
  PCIO_ASSIGN(LinkTable * table, group.file->store().objects().links(group.object));
  return std::uint64_t{table->links.size()};
}

Result<GroupInfo> group_info(const Location& group) {
  FileStore& store = group.file->store();
  PCIO_ASSIGN(LinkTable * table, store.objects().links(group.object));
  GroupInfo info;
  info.nlinks = table->links.size();
  if (group.object->find(kMessageSymbolTable) == nullptr) {
    info.storage = table->dense ? GroupInfo::Storage::kDense : GroupInfo::Storage::kCompact;
    if (tracks_creation_order(*group.object, store.sizes()))
      info.max_creation_order = table->next_creation_order;
  }
  return info;
}

Result<GroupCreateProps> group_create_props(const Location& group) {
  GroupCreateProps props;
  const StoredObject& object = *group.object;
  const FileSizes& sizes = group.file->store().sizes();
  static_cast<ObjectCreateProps&>(props) = object_create_props(object);
  if (const HeaderMessage* message = object.find(kMessageLinkInfo)) {
    ByteReader reader(message->body);
    PCIO_ASSIGN(LinkInfoMessage info, decode_link_info_message(reader, sizes));
    if (info.track_order) props.link_creation_order |= kCreationOrderTracked;
    if (info.index_order) props.link_creation_order |= kCreationOrderIndexed;
  }
  if (const HeaderMessage* message = object.find(kMessageGroupInfo)) {
    ByteReader reader(message->body);
    PCIO_ASSIGN(GroupInfoMessage info, decode_group_info_message(reader));
    if (info.phase_change) {
      props.link_max_compact = info.phase_change->max_compact;
      props.link_min_dense = info.phase_change->min_dense;
    }
    if (info.estimate) {
      props.est_num_entries = info.estimate->entries;
      props.est_name_length = info.estimate->name_length;
    }
  }
  if (const HeaderMessage* message = object.find(kMessageFilterPipeline)) {
    PCIO_ASSIGN(props.filters, decode_filters(*message));
  }
  return props;
}

Result<GroupCreateProps> missing_group_props(const Location& parent) {
  if (parent.object->find(kMessageLinkInfo) == nullptr) return GroupCreateProps();
  PCIO_ASSIGN(GroupCreateProps props, group_create_props(parent));
  FilterPipeline filters = std::move(props.filters);
  static_cast<ObjectCreateProps&>(props) = ObjectCreateProps();
  props.filters = std::move(filters);
  return props;
}

}  // namespace pcio
