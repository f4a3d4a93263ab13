// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: where the messages of an object's attributes are, for what reads and what changes them.

#pragma once

#include <string>
#include <vector>

#include "format/attribute_message.hpp"
#include "object/attribute.hpp"

namespace pcio {

/// A message of an attribute taken apart. `plain`: memory for one that lies in the heap of shared messages.
Result<AttributeView> view_attribute(ObjectTable& objects, const HeaderMessage& message,
                                     HeaderMessage* plain);

/// Where the attributes are, in the header and in dense storage. Collective: independent.
Result<AttributeIndex*> attribute_index(const OpenObject& object);
/// A few attributes of a header that doesn't number them are looked at one by one: an index of them takes
/// several times their memory.
bool are_searched(const StoredObject& stored);

/// The message that holds an attribute, nullptr where there is none, or an error. Collective: independent.
Result<HeaderMessage*> attribute_message(const OpenObject& object, const std::string& name);
Result<HeaderMessage*> existing_attribute_message(const OpenObject& object,
                                                  const std::string& name);

/// A message of an attribute, and its parts where they lie in memory.
struct AttributeParts {
  HeaderMessage* message = nullptr;
  HeaderMessage plain;  ///< what the parts lie in, where that is not the message
  AttributeView view;
};
/// Errors: NOTFOUND; a damaged message. Collective: independent.
Status find_parts(const OpenObject& object, const std::string& name, AttributeParts* parts);

/// An attribute, and its value where it lies in memory.
struct FoundAttribute {
  Attribute attribute;  ///< without data
  AttributeParts parts;
  ConstBytes value;
};
/// Errors: NOTFOUND; a damaged message. Collective: independent.
Status find_attribute(const OpenObject& object, const std::string& name, FoundAttribute* found);

/// Bytes of the value, as type and space say. Errors: more than any file can have.
Result<std::uint64_t> attribute_bytes(const Attribute& attribute);

/// Attributes on their way to where the phase change of their object wants them, with their numbers. They come
/// by number or by name: who has read them again has them in another order than who made them. What takes
/// memory is the making of it.
class AttributeMove {
 public:
  /// To dense storage or to the header; `without`: a message that goes, if one does. The index is there.
  AttributeMove(StoredObject& stored, bool dense, HeaderMessage* without);
  /// Room for one message more is left behind in either place.
  void run() noexcept;

 private:
  StoredObject& stored_;
  bool dense_;
  HeaderMessage* without_;
  std::vector<HeaderMessage*> order_;
  std::vector<HeaderMessage> moved_;
  std::vector<HeaderMessage> all_;  ///< of the place that they come to
};

/// True where all attributes but one that goes can be messages of a header.
bool attributes_fit(const StoredObject& stored, const HeaderMessage* without);

}  // namespace pcio
