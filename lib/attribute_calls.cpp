// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: work that the calls of H5A share, out of line.

#include "lib/attribute_calls.hpp"

#include "lib/text_argument.hpp"

namespace pcio {

Result<OpenObjectPtr> open_owner(const OwnerArgument& argument) {
  PCIO_ASSIGN(Location at, owner_of(argument.loc_id, "loc_id"));
  if (argument.given == OwnerArgument::Given::kByName) {
    PCIO_ASSIGN(auto access, props_or_default<LinkAccessProps>(argument.lapl_id, "lapl_id"));
    PCIO_ASSIGN(std::string name, text_argument(argument.obj_name, "obj_name"));
    PCIO_ASSIGN(at, find_object(at, name, *access));
  }
  return open_location(at);
}

Result<OpenObjectPtr> shared_owner(const OwnerArgument& argument) {
  if (argument.given == OwnerArgument::Given::kById) {
    PCIO_ASSIGN(OpenObjectPtr shared, shared_owner_of(argument.loc_id, "loc_id"));
    if (shared) return shared;
  }
  return open_owner(argument);
}

Status AttributeChange::begin(const OwnerArgument& argument) {
  if (argument.given == OwnerArgument::Given::kById) {
    PCIO_ASSIGN(owner, shared_owner_of(argument.loc_id, "loc_id"));
    if (owner) return Status();
  }
  PCIO_ASSIGN(at_, owner_of(argument.loc_id, "loc_id"));
  if (argument.given == OwnerArgument::Given::kByName) at_.path = full_name(at_, argument.obj_name);
  return Status();
}

Result<std::string> numbered_name(const OpenObject& owner, const NumberedAttribute& which) {
  PCIO_ASSIGN(ListOrder how, list_order(which.idx_type, which.order));
  PCIO_ASSIGN(auto names, attribute_names_from(owner, {how.by, how.order, which.n, 1}));
  if (!names.empty()) return std::move(names.front().name);
  PCIO_ASSIGN(std::uint64_t count, attribute_count(owner));
  return PCIO_ERROR(ARGS, BADRANGE,
                    "argument n: attribute number " + std::to_string(which.n) + " of " +
                        std::to_string(count) + " of \"" + owner.path() + "\"");
}

Result<HandleId> attribute_id_for(OpenObjectPtr owner, const std::string& name) {
  PCIO_ASSIGN(Attribute attribute, attribute_without_data(*owner, name));
  return make_id<AttributeObject>(std::move(owner), std::move(attribute));
}

H5A_info_t attribute_facts(const Attribute& attribute) {
  H5A_info_t info{};
  info.corder_valid = attribute.creation_order.has_value();
  info.corder = attribute.creation_order.value_or(0);
  info.cset = static_cast<H5T_cset_t>(attribute.cset);
  info.data_size = attribute.data.size();
  return info;
}

namespace {

/// Checks what a new attribute is made of and puts it into the call's arguments.
Status prepare_attribute(NamedArguments& out, const NewAttribute& what, const FilePtr& file,
                         Attribute* into) {
  Attribute& attribute = *into;
  PCIO_ASSIGN(attribute.name, text_argument(what.name, "attr_name"));
  PCIO_ASSIGN(StoredType stored, stored_type_argument(what.type_id, file));
  PCIO_TRY(copy_extent_argument(what.space_id, &attribute.space));
  PCIO_ASSIGN(auto create, props_or_default<AttributeCreateProps>(what.acpl_id, "acpl_id"));
  PCIO_TRY(props_or_default<LinkAccessProps>(what.aapl_id, "aapl_id"));
  attribute.type = std::move(stored.type);
  attribute.committed_type = stored.committed;
  attribute.cset = static_cast<CharacterSet>(create->char_encoding);
  out.begin("attribute's name");
  put_argument(out, attribute.name);
  out.begin("dataspace (argument space_id)");
  put_argument(out, attribute.space);
  out.begin("committed datatype (argument type_id)");
  out.u64(attribute.committed_type);
  out.number("character set of the name (H5Pset_char_encoding)",
             static_cast<std::uint64_t>(attribute.cset));
  out.begin("datatype (argument type_id)");
  return put_argument(out, attribute.type);
}

}  // namespace

Result<HandleId> call_create_attribute(const char* function, const OwnerArgument& owner,
                                       const NewAttribute& what) {
  Attribute attribute;
  OpenObjectPtr changed;
  MadeId id;
  PCIO_TRY(change_attributes(
      function, owner,
      [&](NamedArguments& out, const OpenObject& object) {
        return prepare_attribute(out, what, object.file_ptr(), &attribute);
      },
      [&](const OpenObject& object) -> Status {
        // The id first: who has no memory for it has made nothing.
        auto made = std::make_shared<AttributeObject>(changed, attribute);
        PCIO_ASSIGN(const HandleId made_id, register_object(made));
        id = MadeId(made_id);
        PCIO_TRY(create_attribute(object, &attribute));
        made->type = std::move(attribute.type);
        return Status();
      },
      &changed));
  return id.keep();
}

}  // namespace pcio
