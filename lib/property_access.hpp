// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the two shapes that nearly every H5Pset_ and H5Pget_ function has.

#pragma once

#include "lib/api_entry.hpp"
#include "lib/setter_properties.hpp"
#include "lib/text_argument.hpp"
#include "lib/value_handles.hpp"

namespace pcio {

namespace detail {

/// What a lambda says that may return nothing.
template <class Act, class P>
Status status_of(Act& act, P& props) {
  if constexpr (std::is_void_v<decltype(act(props))>) {
    act(props);
    return Status();
  } else {
    return act(props);
  }
}

}  // namespace detail

/// The list that a call was given, and what the call's prototype names it.
struct ListArgument {
  HandleId id;
  const char* name;
  // NOLINTNEXTLINE(google-explicit-constructor): see it
  ListArgument(HandleId list_id, const char* argument = "plist_id") : id(list_id), name(argument) {}
};

/// A setter: `change(P&)` returns nothing, or a Status and leaves the values alone where it fails.
template <class P, class Change>
herr_t set_props(const char* fn, ListArgument given, Change change,
                 const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return api_status(
      fn,
      [&]() -> Status {
        PCIO_ASSIGN(auto list, changeable_list<P>(given.id, given.name));
        PCIO_TRY(need_properties(*list.object, fn));
        PCIO_TRY(detail::status_of(change, *list.values));
        note_setter(*list.object, fn);
        return Status();
      },
      file, line);
}

/// A getter: `read(const P&)` returns nothing or a Status.
template <class P, class Read>
herr_t get_props(const char* fn, ListArgument given, Read read, const char* file = __builtin_FILE(),
                 unsigned line = __builtin_LINE()) {
  return api_status(
      fn,
      [&]() -> Status {
        PCIO_ASSIGN(auto list, readable_list<P>(given.id, given.name));
        PCIO_TRY(need_properties(*list.object, fn));
        return detail::status_of(read, *list.values);
      },
      file, line);
}

/// Writes `value` where the caller wants it; NULL means "not interested".
template <class Out, class V>
void store(Out* out, const V& value) {
  if (out != nullptr) *out = static_cast<Out>(value);
}

/// Text that may never have been set: the buffer is touched only where there is some.
inline ssize_t copy_optional_text(const std::string& text, char* buffer, std::size_t size) {
  return text.empty() ? 0 : copy_text(text, buffer, size);
}

}  // namespace pcio
