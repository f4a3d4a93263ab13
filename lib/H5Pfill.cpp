// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: fill values, and when storage is given and filled.

#include <cstring>

#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"
#include "type/convert.hpp"

using namespace pcio;

herr_t H5Pset_alloc_time(hid_t plist_id, H5D_alloc_time_t alloc_time) {
  return set_props<DatasetCreateProps>("H5Pset_alloc_time", plist_id, [&](auto& props) -> Status {
    if (!is_between(alloc_time, H5D_ALLOC_TIME_DEFAULT, H5D_ALLOC_TIME_INCR))
      return PCIO_ERROR(ARGS, BADVALUE, "argument alloc_time: no such time");
    props.alloc_time = static_cast<AllocTime>(alloc_time);
    return Status();
  });
}

// Answers for the layout that the list has now, where the time was left to the library.
herr_t H5Pget_alloc_time(hid_t plist_id, H5D_alloc_time_t* alloc_time) {
  return get_props<DatasetCreateProps>("H5Pget_alloc_time", plist_id, [&](auto& props) {
    store(alloc_time, props.effective_alloc_time());
  });
}

herr_t H5Pset_fill_time(hid_t plist_id, H5D_fill_time_t fill_time) {
  return set_props<DatasetCreateProps>("H5Pset_fill_time", plist_id, [&](auto& props) -> Status {
    if (!is_between(fill_time, H5D_FILL_TIME_ALLOC, H5D_FILL_TIME_IFSET))
      return PCIO_ERROR(ARGS, BADVALUE, "argument fill_time: no such time");
    props.fill_time = static_cast<FillTime>(fill_time);
    return Status();
  });
}

herr_t H5Pget_fill_time(hid_t plist_id, H5D_fill_time_t* fill_time) {
  return get_props<DatasetCreateProps>("H5Pget_fill_time", plist_id,
                                       [&](auto& props) { store(fill_time, props.fill_time); });
}

// NULL makes the value undefined: storage then keeps whatever bytes it has.
herr_t H5Pset_fill_value(hid_t plist_id, hid_t type_id, const void* value) {
  return set_props<DatasetCreateProps>("H5Pset_fill_value", plist_id, [&](auto& props) -> Status {
    if (value == nullptr) {
      props.fill = {FillState::kUndefined, std::nullopt, {}};
      return Status();
    }
    PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
    if (!type->type.is_fixed())
      return PCIO_ERROR(PLIST, UNSUPPORTED, "fill values of variable-length types");
    const auto* bytes = static_cast<const std::byte*>(value);
    props.fill = {FillState::kUserDefined, type->type, {bytes, bytes + type->type.size()}};
    return Status();
  });
}

namespace {

Status read_fill_value(const FillValue& fill, const Datatype& wanted, void* value) {
  if (fill.state == FillState::kUndefined)
    return PCIO_ERROR(PLIST, UNINITIALIZED, "the fill value is undefined");
  if (fill.state == FillState::kDefault) {
    std::memset(value, 0, wanted.size());
    return Status();
  }
  PCIO_ASSIGN(auto conversion, Conversion::make(*fill.type, wanted));
  return conversion.run(fill.bytes.data(), static_cast<std::byte*>(value), 1);
}

}  // namespace

herr_t H5Pget_fill_value(hid_t plist_id, hid_t type_id, void* value) {
  return get_props<DatasetCreateProps>("H5Pget_fill_value", plist_id, [&](auto& props) -> Status {
    PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
    PCIO_TRY(need_pointer(value, "value"));
    return read_fill_value(props.fill, type->type, value);
  });
}

herr_t H5Pfill_value_defined(hid_t plist, H5D_fill_value_t* status) {
  return get_props<DatasetCreateProps>("H5Pfill_value_defined", plist, [&](auto& props) -> Status {
    PCIO_TRY(need_pointer(status, "status"));
    *status = static_cast<H5D_fill_value_t>(props.fill.state);
    return Status();
  });
}
