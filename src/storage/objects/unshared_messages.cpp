// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: messages of the heaps of shared messages, put in the place of what refers to them.

#include <algorithm>

#include "base/checked.hpp"
#include "format/attribute_message.hpp"
#include "format/dataspace_message.hpp"
#include "format/datatype_message.hpp"
#include "format/fill_value_message.hpp"
#include "format/filter_pipeline_message.hpp"
#include "format/shared_message.hpp"
#include "storage/objects/message_sharing.hpp"

namespace pcio {

std::size_t exact_size(const HeaderMessage& message, const FileSizes& sizes) {
  ByteReader reader(message.body);
  bool good = false;
  if (message.type == kMessageDataspace)
    good = decode_dataspace_message(reader, sizes).has_value();
  else if (message.type == kMessageDatatype)
    good = decode_datatype(reader).has_value();
  else if (message.type == kMessageFillValue)
    good = decode_fill_value_message(reader).has_value();
  else if (message.type == kMessageFillValueOld)
    good = decode_old_fill_value_message(reader).has_value();
  else if (message.type == kMessageFilterPipeline)
    good = decode_filter_pipeline_message(reader).has_value();
  return good ? reader.position() : message.body.size();
}

namespace {

/// What the types and spaces of an object's attributes may come to, each being given its own; bytes.
constexpr std::uint64_t kMostPartBytes = std::uint64_t{256} << 20;

/// Cuts the padding of a version 1 header from the value; type and space are in the message.
Status trim_data(const FileSizes& sizes, AttributeMessage* attribute) {
  ByteReader type_reader(attribute->datatype), space_reader(attribute->dataspace);
  PCIO_ASSIGN(const Datatype type, decode_datatype(type_reader));
  PCIO_ASSIGN(const Extent space, decode_dataspace_message(space_reader, sizes));
  const auto bytes = checked_mul<std::uint64_t>(space.npoints(), type.size());
  if (!bytes || *bytes > attribute->data.size())
    return PCIO_ERROR(
        ATTR, TRUNCATED,
        "attribute \"" + attribute->name + "\" has less data than its type and space say");
  attribute->data.resize(static_cast<std::size_t>(*bytes));
  return Status();
}

/// One object's messages, one after the other.
class Unsharing {
 public:
  Unsharing(ObjectTable& objects, unsigned header_version, std::vector<SharedRef>* refs)
      : objects_(objects), header_version_(header_version), refs_(refs) {}

  Status take(HeaderMessage* message) {
    if ((message->flags & kMessageShareable) != 0) {
      message->flags &= static_cast<std::uint8_t>(~kMessageShareable);
      const std::size_t size = exact_size(*message, objects_.file().sizes());
      const auto end = message->body.begin() + static_cast<std::ptrdiff_t>(size);
      refs_->push_back({message->type, std::nullopt, {message->body.begin(), end}});
    }
    const bool was_shared = (message->flags & kMessageShared) != 0;
    if (was_shared) {
      PCIO_ASSIGN(HeaderMessage plain, unshared(*message, &whole_));
      // A committed type.
      if ((plain.flags & kMessageShared) != 0) return Status();
      PCIO_TRY(note(message->type, message->body));
      *message = std::move(plain);
    }
    if (message->type != kMessageAttribute) return Status();
    return take_attribute(message, was_shared ? nullptr : refs_);
  }

 private:
  /// What a few bytes of references have come to, and may come to; bytes.
  struct Budget {
    std::uint64_t most = 0, spent = 0;
    Status spend(std::uint64_t bytes) {
      if (fits_inside(spent, bytes, most)) {
        spent += bytes;
        return Status();
      }
      // Nothing more is read.
      spent = most;
      return PCIO_ERROR(
          SOHM, BADSIZE,
          "an object refers to shared messages of more than " + std::to_string(most) + " bytes");
    }
  };

  Result<HeaderMessage> unshared(const HeaderMessage& message, Budget* budget) {
    // A reference takes more than a byte itself.
    PCIO_TRY(budget->spend(1));
    PCIO_ASSIGN(HeaderMessage plain, objects_.unshared(message));
    PCIO_TRY(budget->spend(plain.body.size()));
    return plain;
  }

  Status note(std::uint16_t type, ConstBytes reference) {
    ByteReader reader(reference);
    PCIO_ASSIGN(const SharedMessage place, decode_shared_message(reader, objects_.file().sizes()));
    refs_->push_back({type, place.heap_id, {}});
    return Status();
  }

  /// True where `part` is in a heap, and now is what is there. `refs`: null where somebody else refers to it.
  Result<bool> take_part(std::uint16_t type, bool* shared, std::vector<std::byte>* part,
                         std::vector<SharedRef>* refs) {
    if (!*shared) return false;
    HeaderMessage message;
    message.type = type;
    message.flags = kMessageShared;
    message.body = *part;
    PCIO_ASSIGN(HeaderMessage plain, unshared(message, &parts_));
    if ((plain.flags & kMessageShared) != 0) return false;
    if (refs != nullptr) PCIO_TRY(note(type, *part));
    *part = plain.body.vector();
    *shared = false;
    return true;
  }

  Status take_attribute(HeaderMessage* message, std::vector<SharedRef>* refs) {
    ByteReader reader(message->body);
    auto decoded = decode_attribute_message(reader);
    // Whoever asks for it is told.
    if (!decoded) return Status();
    AttributeMessage& attribute = *decoded;
    if (!attribute.datatype_shared && !attribute.dataspace_shared) return Status();
    bool committed = false;
    if (attribute.datatype_shared) {
      ByteReader type_reader(attribute.datatype);
      PCIO_ASSIGN(const SharedMessage place,
                  decode_shared_message(type_reader, objects_.file().sizes()));
      committed = place.place == SharedPlace::kCommitted;
    }
    // Its size, and so that of the padding, is known to the committed type alone, which may not be read here: it
    // may be this object.
    if (committed && header_version_ == 1 && refs != nullptr) {
      if (attribute.dataspace_shared) return note(kMessageDataspace, attribute.dataspace);
      return Status();
    }
    PCIO_ASSIGN(bool type,
                take_part(kMessageDatatype, &attribute.datatype_shared, &attribute.datatype, refs));
    PCIO_ASSIGN(bool space, take_part(kMessageDataspace, &attribute.dataspace_shared,
                                      &attribute.dataspace, refs));
    if (!type && !space) return Status();
    if (header_version_ == 1 && refs != nullptr)
      PCIO_TRY(trim_data(objects_.file().sizes(), &attribute));
    ByteWriter out;
    PCIO_TRY(encode_attribute_message(attribute, FormatVersion::kV18, out));
    message->body = out.view();
    return Status();
  }

  ObjectTable& objects_;
  unsigned header_version_;
  std::vector<SharedRef>* refs_;
  /// No object has one message twice, so together they are no larger than the file.
  Budget whole_{objects_.file().bytes->all_bytes()};
  /// Types and spaces may be those of all its attributes.
  Budget parts_{kMostPartBytes};
};

}  // namespace

std::uint32_t add_capped(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{a} + b, 0xFFFFFFFF));
}

FileAddress committed_type_of(ConstBytes attribute, const FileSizes& sizes) {
  ByteReader reader(attribute);
  const auto decoded = decode_attribute_message(reader);
  if (!decoded || !decoded->datatype_shared) return kUndefinedAddress;
  ByteReader type_reader(decoded->datatype);
  const auto place = decode_shared_message(type_reader, sizes);
  const bool committed = place && place->place == SharedPlace::kCommitted;
  return committed ? place->address : kUndefinedAddress;
}

Result<TypeReferences> uncounted_references(const SharedIndex& attributes, FileContext& file) {
  TypeReferences uncounted;
  for (const auto& [hash, record] : attributes.records()) {
    if (!record.in_heap || record.reference_count < 2) continue;
    const auto body = attributes.body(*file.bytes, record);
    if (!body && was_not_read(body.error())) return tl::unexpected(body.error());
    // Nobody can refer to a type by way of what is damaged.
    if (!body) continue;
    const FileAddress type = committed_type_of(*body, file.sizes());
    if (type != kUndefinedAddress)
      uncounted[type] = add_capped(uncounted[type], record.reference_count - 1);
  }
  return uncounted;
}

Status unshare_messages(ObjectTable& objects, unsigned header_version,
                        std::vector<HeaderMessage>* messages, std::vector<SharedRef>* refs) {
  refs->clear();
  Unsharing unsharing(objects, header_version, refs);
  const bool writable = objects.file().writable;
  for (HeaderMessage& message : *messages) {
    // All others are as they were where they can't be taken.
    const bool may_half = (message.flags & (kMessageShared | kMessageShareable)) != 0;
    std::optional<HeaderMessage> before;
    if (!writable && may_half) before = message;
    Status taken = unsharing.take(&message);
    if (taken.ok()) continue;
    if (writable) return taken;
    // Who asks for this message is told.
    if (before) message = std::move(*before);
  }
  return Status();
}

}  // namespace pcio
