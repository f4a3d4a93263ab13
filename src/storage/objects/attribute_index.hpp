// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: where the attributes of one object are, by name and by the order of their creation.
//
// It says nothing that the messages don't say: it is made of them when attributes are first asked for,
// kept up to date by whoever changes them, and dropped where messages move (StoredObject).

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "format/object_header.hpp"
#include "storage/objects/numbered.hpp"

namespace pcio {

class AttributeIndex {
 public:
  /// A message of the header, or of dense storage.
  struct Place {
    std::uint32_t message = 0;
    bool dense = false;
  };
  /// The number of creation, where the header tracks it, then the order of the messages.
  using Creation = std::pair<std::uint32_t, std::uint32_t>;
  struct Entry {
    Place place;
    Creation creation;
    std::uint16_t number = 0;  ///< HeaderMessage::creation_order
  };
  using ByName = std::map<std::string, Entry, std::less<>>;
  using ByCreation = std::map<Creation, ByName::iterator>;
  /// As they lie there: messages in their order, dense ones by the hash of the name, then by the name.
  using AsStored = std::map<std::pair<std::uint32_t, std::string_view>, ByName::const_iterator>;

  /// `tracked`: the header tracks the order of creation.
  explicit AttributeIndex(bool tracked) : tracked_(tracked) {}

  /// Of two attributes with one name the first counts.
  void add(const std::string& name, const HeaderMessage& message, Place place);
  void remove(ByName::const_iterator entry);
  /// The attribute keeps its place and its order. `name` is nobody's.
  void rename(ByName::const_iterator entry, std::string name) noexcept;

  [[nodiscard]] const ByName& by_name() const { return by_name_; }
  [[nodiscard]] const ByCreation& by_creation() const { return by_creation_; }
  [[nodiscard]] Numbered<ByName>& names() { return names_; }
  [[nodiscard]] Numbered<ByCreation>& creations() { return creations_; }
  /// Made when somebody asks.
  [[nodiscard]] const AsStored& as_stored(bool dense);
  [[nodiscard]] Numbered<AsStored>& stored() { return stored_; }
  [[nodiscard]] static AsStored::key_type hash_key(std::string_view name);
  /// The number of the attribute that is created next.
  [[nodiscard]] std::uint16_t next_number() const;

 private:
  void changed() {
    names_.forget();
    creations_.forget();
    stored_.forget();
    as_stored_.reset();
  }

  bool tracked_;
  std::uint32_t added_ = 0;
  ByName by_name_;
  ByCreation by_creation_;
  Numbered<ByName> names_;
  Numbered<ByCreation> creations_;
  std::optional<AsStored> as_stored_;
  bool as_dense_ = false;  ///< what that was made for
  Numbered<AsStored> stored_;
};

}  // namespace pcio
