// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: making a list of a class that is known at run time only.

#include "props/property_list.hpp"

#include <array>
#include <utility>

namespace pcio {

namespace {

template <std::size_t I>
PropertyValues make_alternative() {
  return PropertyValues(std::in_place_index<I>);
}

template <std::size_t... I>
constexpr auto makers(std::index_sequence<I...>) {
  return std::array<PropertyValues (*)(), sizeof...(I)>{&make_alternative<I>...};
}

}  // namespace

bool operator==(const HeldFileAccess& a, const HeldFileAccess& b) {
  if (a.list_ == nullptr || b.list_ == nullptr) return a.list_ == b.list_;
  return a.list_ == b.list_ || *a.list_ == *b.list_;
}

PropertyList::PropertyList(PropertyClassKind kind)
    : values_(
          makers(std::make_index_sequence<kPropertyClassCount>())[static_cast<unsigned>(kind)]()) {}

}  // namespace pcio
