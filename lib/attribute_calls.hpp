// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: work that the calls of H5A share.

#pragma once

#include <string>

#include "lib/call_arguments.hpp"
#include "lib/iteration.hpp"
#include "lib/public_api.hpp"

namespace pcio {

/// The object whose attributes are meant: an id, or a name under an id.
struct OwnerArgument {
  hid_t loc_id = H5I_INVALID_HID;
  const char* obj_name = nullptr;
  hid_t lapl_id = H5P_DEFAULT;
  enum class Given : std::uint8_t { kById, kByName } given = Given::kById;

  static OwnerArgument named(hid_t loc_id, const char* obj_name, hid_t lapl_id) {
    return {loc_id, obj_name, lapl_id, Given::kByName};
  }
};

/// One attribute of an owner by its number in an order.
struct NumberedAttribute {
  OwnerArgument owner;
  H5_index_t idx_type = H5_INDEX_UNKNOWN;
  H5_iter_order_t order = H5_ITER_UNKNOWN;
  hsize_t n = 0;
};

/// What H5Acreate is given besides the owner.
struct NewAttribute {
  const char* name;
  hid_t type_id;
  hid_t space_id;
  hid_t acpl_id;
  hid_t aapl_id;
};

/// The owner, open for the call alone.
Result<OpenObjectPtr> open_owner(const OwnerArgument& argument);
/// The same, perhaps as its id has it open: for ids of attributes.
Result<OpenObjectPtr> shared_owner(const OwnerArgument& argument);
/// Name of a numbered attribute. Errors: BADRANGE.
Result<std::string> numbered_name(const OpenObject& owner, const NumberedAttribute& which);
/// An id of an attribute that exists.
Result<HandleId> attribute_id_for(OpenObjectPtr owner, const std::string& name);
H5A_info_t attribute_facts(const Attribute& attribute);

Result<HandleId> call_create_attribute(const char* function, const OwnerArgument& owner,
                                       const NewAttribute& what);

/// Where a call that changes attributes begins, and what it leads to.
class AttributeChange {
 public:
  /// Asks for no memory where the id's own open object can be shared. Errors: as owner_of.
  Status begin(const OwnerArgument& argument);
  [[nodiscard]] const FilePtr& file() const { return owner ? owner->file_ptr() : at_.file; }
  /// For messages.
  [[nodiscard]] std::string_view path() const { return owner ? owner->path() : at_.path; }
  OpenObjectPtr owner;  ///< null: not found yet

 private:
  Location at_;
};

/// Frame of calls that change attributes of an owner: `prepare(out, owner) -> Status` and
/// `act(owner) -> Status` get the open owner. `changed`: where somebody wants it before `act`.
template <class Prepare, class Act>
Status change_attributes(const char* function, const OwnerArgument& argument, Prepare&& prepare,
                         Act&& act, OpenObjectPtr* changed = nullptr) {
  AttributeChange change;
  PCIO_TRY(change.begin(argument));
  const FilePtr begins_in = change.file();
  return metadata_call_to(
      begins_in, {function, change.path()},
      [&](NamedArguments& out) -> Status {
        OpenObjectPtr& owner = change.owner;
        if (!owner) {
          PCIO_ASSIGN(owner, open_owner(argument));
        }
        if (changed != nullptr) *changed = owner;
        out.begin("object that has the attribute");
        out.u64(owner->address());
        return prepare(out, *owner);
      },
      [&]() -> Result<FilePtr> { return change.owner->file_ptr(); },
      [&]() -> Status { return act(*change.owner); });
}

}  // namespace pcio
