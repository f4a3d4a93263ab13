// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: enumerators that come in from C callers.

#pragma once

#include <cstring>
#include <type_traits>

namespace pcio {

/// The number behind an enumerator that a C program may have made up.
///
/// C lets an enum hold any int; in C++ reading one beyond its range is undefined. So it is taken by
/// reference, copied as bytes, and used as an enumerator only after a check of the number.
template <class Enum>
int number_of(const Enum& argument) {
  static_assert(sizeof(Enum) == sizeof(int));
  int number = 0;
  std::memcpy(&number, &argument, sizeof number);
  return number;
}

/// The library's own enumerator of that number, whose type is smaller; -1 where it has no room for it.
template <class Inner, class Enum>
Inner inner_of(const Enum& argument) {
  using Small = std::underlying_type_t<Inner>;
  const int number = number_of(argument);
  return static_cast<Inner>(number == static_cast<Small>(number) ? number : -1);
}

/// True where `argument` is one of `first` .. `last`.
template <class Enum>
bool is_between(const Enum& argument, Enum first, Enum last) {
  int number = number_of(argument);
  return number >= static_cast<int>(first) && number <= static_cast<int>(last);
}

}  // namespace pcio
