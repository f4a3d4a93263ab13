// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: classes of links, out of line.

#include "lib/user_links.hpp"

#include <array>

#include "base/never_destroyed.hpp"
#include "base/without_throwing.hpp"
#include "lib/property_access.hpp"
#include "object/link_callbacks.hpp"

namespace pcio {

namespace {

constexpr int kMost = H5L_TYPE_MAX + 1;

struct Classes {
  std::array<std::optional<LinkClass>, kMost> of;
  bool external = true;  ///< the library's own class of external links
};

Classes& classes() {
  static NeverDestroyed<Classes> table;
  return *table;
}

bool in_range(int id) { return id >= H5L_TYPE_UD_MIN && id <= H5L_TYPE_MAX; }

const LinkClass* class_of(int type) {
  if (!in_range(type)) return nullptr;
  const auto& found = classes().of[static_cast<std::size_t>(type)];
  return found ? &*found : nullptr;
}

/// Gives back what the program was lent, or gave, as the program would do it: a file that goes with that stays
/// open until the call ends, which has it in hand.
Status give_back(hid_t id) {
  const CallFrame as_program(CallFrame::Purpose::kGiveBack);
  return detail::to_status(release_id(id, "id"));
}

/// An id that goes at the end.
class BorrowedId {
 public:
  BorrowedId() = default;
  BorrowedId(const BorrowedId&) = delete;
  BorrowedId& operator=(const BorrowedId&) = delete;
  ~BorrowedId() {
    if (id_ >= 0) static_cast<void>(give_back(id_));
  }
  Status take(Result<HandleId> made) {
    PCIO_ASSIGN(id_, std::move(made));
    lend_to_function(id_);
    return Status();
  }
  [[nodiscard]] hid_t get() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

/// The data of a link as its class had them.
std::string data_of(const LinkMessage& link) {
  if (link.type != kLinkExternal) return std::string(link.user_data.text());
  return '\0' + std::string(link.file.text()) + '\0' + std::string(link.target.text()) + '\0';
}

Status failed(const char* what, const std::string& path) {
  return PCIO_ERROR(LINK, CALLBACK,
                    std::string("the function for ") + what + " of the class of link \"" + path +
                        "\" failed (H5Lregister)");
}

/// Calls `call(class, group id, data)` for a link of a class.
template <class Call>
Status tell(const LinkPlace& place, const char* what, Call&& call) {
  PCIO_ASSIGN(const LinkMessage* link, find_link(place));
  const LinkClass* const cls = class_of(link->type);
  if (cls == nullptr) return Status();
  const std::string data = data_of(*link);
  return call(*cls, data) < 0 ? failed(what, place.path()) : Status();
}

hid_t group_of(const LinkPlace& place, BorrowedId* id) {
  return id->take(group_id_for(place.group)).ok() ? id->get() : hid_t{H5I_INVALID_HID};
}

bool has_class(int type) { return class_of(type) != nullptr; }
bool follows_external() { return classes().external; }

/// What the function gave is an id of an object; the place stays when that goes.
Result<Location> take_object(hid_t id, const LinkPlace& place) {
  auto found = location_of(id, "what the class's function for following gave");
  if (!found) {
    static_cast<void>(give_back(id));
    return found;
  }
  // Where all ranks have the file open they close it together, at the end of the call.
  const Status held = without_throwing([&] {
    if (found->file != place.group.file)
      found->hold = std::make_shared<FileHold>(found->file, FileHold::By::kContract);
    return Status();
  });
  PCIO_TRY(give_back(id));
  PCIO_TRY(Status(held));
  return found;
}

Result<Location> traverse(const LinkPlace& place, const LinkMessage& link,
                          const LinkAccessProps& access) {
  const LinkClass cls = *class_of(link.type);
  if (cls.functions.trav_func == nullptr && cls.old_traverse == nullptr)
    return PCIO_ERROR(LINK, UNSUPPORTED,
                      "the class of link \"" + place.path() + "\" has no function for following");
  const std::string data = data_of(link);
  BorrowedId group, list;
  PCIO_TRY(group.take(group_id_for(place.group)));
  PCIO_TRY(list.take(property_list_id_for(access)));
  const hid_t object = [&] {
    const FindingTurn turn;
    return cls.old_traverse != nullptr
               ? cls.old_traverse(link.name.c_str(), group.get(), data.data(), data.size(),
                                  list.get())
               : cls.functions.trav_func(link.name.c_str(), group.get(), data.data(), data.size(),
                                         list.get(), H5P_DATASET_XFER_DEFAULT);
  }();
  if (object < 0) return detail::StatusReturn(failed("following", place.path()));
  return take_object(object, place);
}

Status ask(const LinkPlace& place, const LinkAccessProps& access, ChildOpen* how) {
  const auto function = reinterpret_cast<H5L_elink_traverse_t>(access.elink_callback);
  BorrowedId list;
  PCIO_TRY(list.take(property_list_id_for(how->access)));
  unsigned flags = how->flags;
  const herr_t said = [&] {
    const FindingTurn turn;
    return function(place.group.file->path().c_str(), place.group.path.c_str(), how->file.c_str(),
                    how->object.c_str(), &flags, list.get(), access.elink_callback_data);
  }();
  if (said < 0)
    return PCIO_ERROR(LINK, CALLBACK,
                      "the function of H5Pset_elink_cb does not let external link \"" +
                          place.path() + "\" be followed");
  // Read-only, read-write, and both with their forms for a single writer.
  if ((flags & ~0x61U) != 0)
    return PCIO_ERROR(
        LINK, BADVALUE,
        "the function of H5Pset_elink_cb gave flags that are none for opening a file");
  how->flags = flags;
  PCIO_ASSIGN(auto changed, props_of<FileAccessProps>(list.get(), "fapl_id"));
  how->access = *changed;
  return Status();
}

}  // namespace

Status register_link_class(const void* cls) {
  if (cls == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument cls: NULL");
  LinkClass made;
  made.functions = *static_cast<const H5L_class_t*>(cls);
  if (made.functions.version == H5L_LINK_CLASS_T_VERS_0) {
    made.old_traverse = static_cast<const H5L_class_0_t*>(cls)->trav_func;
    made.functions.trav_func = nullptr;
  } else if (made.functions.version != H5L_LINK_CLASS_T_VERS) {
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument cls: version " + std::to_string(made.functions.version) +
                          " of H5L_class_t is not known");
  }
  if (!in_range(made.functions.id))
    return PCIO_ERROR(ARGS, BADRANGE,
                      "argument cls: " + std::to_string(made.functions.id) +
                          " is no type of user-defined links (64 to 255)");
  if (made.functions.trav_func == nullptr && made.old_traverse == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE, "argument cls: no function trav_func");
  classes().of[static_cast<std::size_t>(made.functions.id)] = made;
  return Status();
}

Status unregister_link_class(int id) {
  if (!in_range(id))
    return PCIO_ERROR(
        ARGS, BADRANGE,
        "argument id: " + std::to_string(id) + " is no type of user-defined links (64 to 255)");
  if (!is_link_class(id))
    return PCIO_ERROR(LINK, NOTREGISTERED,
                      "argument id: link type " + std::to_string(id) + " is not registered");
  classes().of[static_cast<std::size_t>(id)].reset();
  if (id == H5L_TYPE_EXTERNAL) classes().external = false;
  return Status();
}

bool is_link_class(int id) {
  return class_of(id) != nullptr || (id == H5L_TYPE_EXTERNAL && classes().external);
}

void prepare_user_links() {
  classes() = Classes();
  set_link_callbacks({ask, has_class, traverse, follows_external});
}

Status tell_created(const LinkPlace& place, hid_t lcpl_id) {
  BorrowedId group;
  return tell(place, "creating", [&](const LinkClass& cls, const std::string& data) -> herr_t {
    if (cls.functions.create_func == nullptr) return 0;
    return cls.functions.create_func(place.name.c_str(), group_of(place, &group), data.data(),
                                     data.size(), lcpl_id);
  });
}

namespace {

/// `name`: of the link that goes, or is gone from `place`, where one of the same data is.
Status tell_gone(const LinkPlace& place, const std::string& name) {
  BorrowedId file;
  return tell(place, "deleting", [&](const LinkClass& cls, const std::string& data) -> herr_t {
    if (cls.functions.del_func == nullptr) return 0;
    if (!file.take(file_id_for(place.group.file)).ok()) return -1;
    return cls.functions.del_func(name.c_str(), file.get(), data.data(), data.size());
  });
}

}  // namespace

Status tell_transferred(const LinkPlace& to, LinkTransfer how, const std::string& old_name) {
  BorrowedId group;
  const bool moved = how == LinkTransfer::kMove;
  PCIO_TRY(tell(to, moved ? "moving" : "copying",
                [&](const LinkClass& cls, const std::string& data) -> herr_t {
                  const auto function = moved ? cls.functions.move_func : cls.functions.copy_func;
                  if (function == nullptr) return 0;
                  return function(to.name.c_str(), group_of(to, &group), data.data(), data.size());
                }));
  return moved ? tell_gone(to, old_name) : Status();
}

Status tell_deleted(const LinkPlace& place) { return tell_gone(place, place.name); }

Result<std::optional<std::size_t>> told_value(const LinkMessage& link, void* buffer,
                                              std::size_t size) {
  const LinkClass* const cls = class_of(link.type);
  if (cls == nullptr || cls->functions.query_func == nullptr) return std::optional<std::size_t>();
  const std::string data = data_of(link);
  const ssize_t length =
      cls->functions.query_func(link.name.c_str(), data.data(), data.size(), buffer, size);
  if (length < 0) return detail::StatusReturn(failed("asking", link.name));
  return std::optional<std::size_t>(static_cast<std::size_t>(length));
}

}  // namespace pcio
