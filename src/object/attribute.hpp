// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: attributes of groups, datasets and committed types.
//
// Attributes live in the object's header, or in dense storage; a handle names one by object and name, so that two
// handles of one attribute see each other's writes.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "object/group.hpp"
#include "type/convert.hpp"

namespace pcio {

/// An attribute as its message says.
struct Attribute {
  std::string name;
  CharacterSet cset = CharacterSet::kAscii;
  Datatype type;  ///< in the form of the file
  FileAddress committed_type = kUndefinedAddress;
  Extent space;
  std::vector<std::byte> data;  ///< file form
  /// Missing in dense storage that does not track it. A header that does not has the order of its messages.
  std::optional<std::uint32_t> creation_order;
};

/// An attribute in a list, and what is needed to go on behind it.
struct AttributeName {
  std::string name;
  AttributeIndex::Creation creation;
};
/// What a range comes to where another order is meant than it names: attributes in dense storage go by creation where
/// that has an index of it, by the hashes of their names where nobody tracks the order of creation; elsewhere kNative
/// stays: messages in their order, dense ones by hash. Collective: independent.
Result<NameRange> native_resolved(const OpenObject& object, NameRange range);
/// A range in native order that is listed at once: nothing tells where it would go on.
Result<bool> goes_by_message(const OpenObject& object, const NameRange& range);
/// The attributes from number `first` on, or behind one that may have gone meanwhile, in an order as
/// native_resolved() left it before the first ones were listed. Collective: independent.
Result<std::vector<AttributeName>> attribute_names_from(const OpenObject& object, NameRange range);
Result<std::vector<AttributeName>> attribute_names_behind(const OpenObject& object, IndexBy by,
                                                          IterOrder order,
                                                          const AttributeName& last);
/// All attributes in an order. Collective: independent.
Result<std::vector<std::string>> attribute_names(const OpenObject& object, IndexBy by,
                                                 IterOrder order);
Result<std::uint64_t> attribute_count(const OpenObject& object);
Result<bool> attribute_exists(const OpenObject& object, const std::string& name);
/// One attribute with its data. Errors: NOTFOUND.
Result<Attribute> find_attribute(const OpenObject& object, const std::string& name);
/// What an id of it needs: neither its data nor its number. Errors: as find_attribute.
Result<Attribute> attribute_without_data(const OpenObject& object, const std::string& name);

/// Adds an attribute with zero data. `type` in memory or file form.
/// Collective: by contract. Errors: EXISTS; more than 64 KiB.
Status create_attribute(const OpenObject& object, const Attribute& given);
/// The same, which leaves in `given` what attribute_without_data() would say from here on.
Status create_attribute(const OpenObject& object, Attribute* given);
/// Of a copied object's: keeps the attribute's number and the number that its source gives next, where the order
/// of creation is tracked. As create_attribute().
Status create_attribute_copy(const OpenObject& object, Attribute* given, std::uint16_t next);
/// What the next attribute is numbered by. Collective: independent.
Result<std::uint16_t> next_attribute_number(const OpenObject& object);
Status delete_attribute(const OpenObject& object, const std::string& name);
Status rename_attribute(const OpenObject& object, const std::string& from, const std::string& to);

/// What writing an attribute takes. Variable-length values take all ranks to meet, and behind that no rank may
/// fail alone until it can tell the others.
struct AttributeWrite {
  Attribute attribute;
  std::vector<std::byte> before;  ///< of variable length: the elements that it has
  Datatype memory_type;
  const void* buffer = nullptr;  ///< elements of that type
  ConvertOptions options;        ///< the program's functions, if it has some
  /// The value goes over the old one, and nothing else changes: any rank may do so alone.
  bool in_place = false;
  [[nodiscard]] bool owns() const {
    return attribute.space.npoints() > 0 && !attribute.type.is_fixed();
  }
  /// The buffer's elements are the value as it is: nothing of the old one stays, and no function of the program runs.
  [[nodiscard]] bool is_copied() const {
    return attribute.type.is_fixed() && memory_type == attribute.type;
  }
};
/// Reads what the attribute is. Collective: independent. Errors: NOTFOUND; no buffer.
Status prepare_attribute_write(const OpenObject& object, const std::string& name,
                               AttributeWrite* write);
/// Converts and stores the whole value. `call`: the call's name. Collective: by contract, or independent where it goes
/// in place; where values of variable length are written over the file, as store_values. Of values that ranks have
/// written the lowest rank's reaches the file.
Status write_attribute(const OpenObject& object, const CallName& call, AttributeWrite& write);
/// Converts and stores the whole value; `buffer` holds elements of `memory_type`. `options`: the program's
/// functions, if it has some.
/// Collective: as above; values need not be equal on all ranks.
Status write_attribute(const OpenObject& object, const std::string& name,
                       const Datatype& memory_type, const void* buffer,
                       const ConvertOptions& options = {});
/// Who opened an attribute has buffers for as many elements as it had then. Errors: BADVALUE.
Status check_same_size(const std::string& name, const Extent& opened, const Extent& now);
/// `opened`: what it was when it was opened, if somebody knows. Collective: independent. Errors: check_same_size.
Status read_attribute(const OpenObject& object, const std::string& name,
                      const Datatype& memory_type, void* buffer, const ConvertOptions& options = {},
                      const Extent* opened = nullptr);

}  // namespace pcio
