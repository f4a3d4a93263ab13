// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: what the H5T files have in common: getting at a type, and numbers of the C API as enums.

#pragma once

#include <string>
#include <utility>

#include "lib/api_entry.hpp"
#include "lib/text_argument.hpp"
#include "lib/value_handles.hpp"

namespace pcio {

/// The type behind an id, to be read.
inline Result<std::shared_ptr<TypeObject>> type_of(hid_t id, const char* argument) {
  return get<TypeObject>(id, argument);
}

/// Closes an id of a datatype, transient or committed. Errors: no such id; predefined or locked.
inline Status close_type(hid_t id, const char* argument) {
  PCIO_ASSIGN(auto object, type_of(id, argument));
  if (object->state == TypeObject::State::kImmutable)
    return PCIO_ERROR(ARGS, BADVALUE, std::string("argument ") + argument + ": immutable datatype");
  return close_id(id, IdType::kDatatype, argument);
}

/// The type behind an id, to be changed. Errors: predefined, locked or committed.
inline Result<std::shared_ptr<TypeObject>> changeable_type(hid_t id, const char* argument) {
  PCIO_ASSIGN(auto object, get_to_change<TypeObject>(id, argument));
  if (object->state != TypeObject::State::kTransient)
    return PCIO_ERROR(ARGS, CANTINIT,
                      std::string("argument ") + argument + ": the datatype is read-only");
  return object;
}

/// `value` as E where it is one of 0 .. last. Errors: ARGS/BADVALUE naming the argument.
template <class E>
Result<E> enum_argument(int value, E last, const char* argument) {
  if (value < 0 || value > static_cast<int>(last))
    return PCIO_ERROR(ARGS, BADVALUE, std::string("argument ") + argument + ": unknown value");
  return static_cast<E>(value);
}

/// Body of a getter: `query(const Datatype&)` returns Result<T>; T becomes the C type R.
template <class R, class Query>
R query_type(const char* fn, hid_t id, R fail, Query&& query) {
  return api_value<R>(fn, fail, [&]() -> Result<R> {
    PCIO_ASSIGN(auto object, type_of(id, "type_id"));
    PCIO_ASSIGN(auto value, query(object->type));
    return static_cast<R>(value);
  });
}

/// Body of a setter: `change(Datatype&)` returns Status.
template <class Change>
herr_t change_type(const char* fn, hid_t id, Change&& change) {
  return api_status(fn, [&]() -> Status {
    PCIO_ASSIGN(auto object, changeable_type(id, "type_id"));
    return change(object->type);
  });
}

/// Text that the application frees with H5free_memory.
Result<char*> text_for_caller(const std::string& text);

}  // namespace pcio
