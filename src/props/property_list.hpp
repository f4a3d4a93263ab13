// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: a property list: the typed values of its class. Properties that a program adds are with
// its id (lib/list_properties.hpp): no call but the generic ones of H5P sees them, and ranks that differ
// in them are not told.

#pragma once

#include <type_traits>
#include <variant>

#include "props/dataset_props.hpp"
#include "props/file_props.hpp"
#include "props/object_props.hpp"
#include "props/property_class.hpp"
#include "props/transfer_props.hpp"

namespace pcio {

/// One alternative per class, in the order of PropertyClassKind.
using PropertyValues =
    std::variant<RootProps, ObjectCreateProps, FileCreateProps, FileAccessProps, DatasetCreateProps,
                 DatasetAccessProps, TransferProps, FileMountProps, GroupCreateProps,
                 GroupAccessProps, DatatypeCreateProps, DatatypeAccessProps, StringCreateProps,
                 AttributeCreateProps, AttributeAccessProps, ObjectCopyProps, LinkCreateProps,
                 LinkAccessProps>;
static_assert(std::variant_size_v<PropertyValues> == kPropertyClassCount);

namespace detail {
template <class T, class Variant>
struct alternative_index;
template <class T, class... Ts>
struct alternative_index<T, std::variant<Ts...>> {
  static constexpr std::size_t value = [] {
    std::size_t i = 0;
    (void)((std::is_same_v<T, Ts> ? true : (++i, false)) || ...);
    return i;
  }();
};
}  // namespace detail

/// The class whose values a P is.
template <class P>
inline constexpr PropertyClassKind kClassOf =
    static_cast<PropertyClassKind>(detail::alternative_index<P, PropertyValues>::value);

/// Values of a class and its ancestors.
///
/// Threads: a value type, except that copying clones the driver settings of a file access list.
class PropertyList {
 public:
  /// A list of `kind` with every default.
  explicit PropertyList(PropertyClassKind kind);

  [[nodiscard]] PropertyClassKind kind() const {
    return static_cast<PropertyClassKind>(values_.index());
  }

  /// The values as those of class P or of an ancestor of the list's class; nullptr otherwise.
  template <class P>
  [[nodiscard]] P* as() {
    return std::visit(
        [](auto& values) -> P* {
          if constexpr (std::is_base_of_v<P, std::remove_reference_t<decltype(values)>>)
            return &values;
          else
            return nullptr;
        },
        values_);
  }
  template <class P>
  [[nodiscard]] const P* as() const {
    return const_cast<PropertyList*>(this)->as<P>();
  }

  friend bool operator==(const PropertyList&, const PropertyList&) = default;

 private:
  PropertyValues values_;
};

}  // namespace pcio
