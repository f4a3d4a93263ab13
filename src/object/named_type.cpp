// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: committed datatypes, out of line.

#include "object/named_type.hpp"

#include "object/object_info.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

Result<Location> make_named_type(const FilePtr& file, const Datatype& type,
                                 const ObjectCreateProps& create, const StoredObject* source) {
  FileStore& store = file->store();
  PCIO_ASSIGN(HeaderMessage message, encode_type(store.context(), type, kUndefinedAddress));
  std::vector<HeaderMessage> messages;
  messages.push_back(std::move(message));
  const unsigned version = source != nullptr ? source->header.version : 0;
  PCIO_ASSIGN(StoredObjectPtr object, store.objects().create(std::move(messages), create, version));
  return Location{file, std::move(object), ""};
}

Result<Datatype> named_type(const Location& object) {
  const HeaderMessage* message = object.object->find(kMessageDatatype);
  if (message == nullptr || object.kind() != ObjectKind::kNamedType)
    return PCIO_ERROR(DATATYPE, BADTYPE, "object is not a committed datatype");
  FileAddress committed = kUndefinedAddress;
  return object.file->store().objects().resolve_type(*message, &committed);
}

DatatypeCreateProps type_create_props(const OpenObject& type) {
  DatatypeCreateProps props;
  static_cast<ObjectCreateProps&>(props) = object_create_props(*type.object());
  return props;
}

}  // namespace pcio
