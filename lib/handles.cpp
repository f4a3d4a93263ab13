// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the id table and the one path on which ids are closed.

#include "lib/handles.hpp"

#include "base/library_lock.hpp"
#include "base/without_throwing.hpp"

namespace pcio {

HandleTable& handles() {
  // Never destroyed: static destructors of the application may still hold and close ids.
  static HandleTable* table = new HandleTable;
  return *table;
}

const char* noun_of(unsigned id_type) {
  static constexpr const char* kNouns[] = {
      "nothing",       "file",        "group",         "datatype",    "dataspace",
      "dataset",       "attribute",   "reference",     "file driver", "property list class",
      "property list", "error class", "error message", "error stack"};
  if (id_type < static_cast<unsigned>(IdType::kCount)) return kNouns[id_type];
  return "user-made object";
}

Result<std::string> ApiObject::path() const {
  return PCIO_ERROR(ARGS, BADTYPE, "argument id: this kind of object has no name in a file");
}

Result<HandleId> ApiObject::file_id() {
  return PCIO_ERROR(ARGS, BADTYPE, "argument id: this kind of object is not in a file");
}

namespace {

std::string wrong_id_text(HandleId id, IdType expected, const char* argument) {
  std::string text = std::string("argument ") + argument + ": id " + std::to_string(id) + " is ";
  unsigned type = handles().type_of(id);
  if (type != 0) {
    text += std::string("of type '") + noun_of(type) + "'";
  } else if (id == 0) {
    text += "zero (H5P_DEFAULT, H5S_ALL) which has no meaning here";
  } else {
    text += "not open";
  }
  text += std::string(", expected: ") + noun_of(static_cast<unsigned>(expected));
  return text;
}

}  // namespace

ErrorFrame detail::wrong_id(HandleId id, IdType expected, const char* argument) {
  return PCIO_FRAME(ARGS, BADTYPE, wrong_id_text(id, expected, argument));
}

Result<std::shared_ptr<ApiObject>> get_any(HandleId id, const char* argument) {
  // The library enters nothing else (register_object).
  if (auto found = handles().find(id))
    return std::static_pointer_cast<ApiObject>(std::move(*found));
  return PCIO_ERROR(
      ATOM, BADATOM,
      std::string("argument ") + argument + ": id " + std::to_string(id) + " is not open");
}

Result<int> own_references(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get_any(id, argument));
  PCIO_ASSIGN(int count, handles().references(id));
  return object->predefined ? count - 1 : count;
}

namespace {

/// A reference that H5Iinc_ref gave goes; the library's own stays.
Result<int> release_predefined(HandleId id, const char* argument) {
  PCIO_ASSIGN(int own, own_references(id, argument));
  if (own < 1)
    return PCIO_ERROR(ATOM, CANTDEC,
                      std::string("argument ") + argument + ": a predefined " +
                          noun_of(handles().type_of(id)) + " belongs to the library");
  std::shared_ptr<HandleObject> last;
  PCIO_ASSIGN(int left, handles().decrement(id, &last));
  return left - 1;
}

}  // namespace

Result<int> release_id(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get_any(id, argument));
  if (object->predefined) return release_predefined(id, argument);
  PCIO_TRY(object->take_its_file());
  if (waited_for_file()) PCIO_TRY(detail::to_status(get_any(id, argument)));
  PCIO_ASSIGN(const int references, handles().references(id));
  if (references == 1) object->before_close(id);
  // The table must hold the last reference but ours, so that the object dies with its id.
  std::shared_ptr<HandleObject> last;
  PCIO_ASSIGN(int left, handles().decrement(id, &last));
  if (!last) return left;
  if (Status closed = without_throwing([&] { return object->close(); }); !closed.ok()) {
    if (!object->is_gone()) handles().restore(id, std::move(last));
    return detail::StatusReturn(std::move(closed));
  }
  return left;
}

Result<int> release_lent(HandleId id, const char* argument, Result<int> answer) {
  if (!get_any(id, argument)) return answer;
  Status released = detail::to_status(release_id(id, argument));
  if (answer && !released.ok()) return detail::StatusReturn(std::move(released));
  return answer;
}

MadeId::~MadeId() {
  if (id_ == kNone) return;
  static_cast<void>(without_throwing([&] { return detail::to_status(release_id(id_, "id")); }));
}

Status close_id(HandleId id, IdType expected, const char* argument) {
  if (handles().type_of(id) != static_cast<unsigned>(expected))
    return Status(detail::wrong_id(id, expected, argument));
  auto left = release_id(id, argument);
  return left ? Status() : std::move(left.error());
}

}  // namespace pcio
