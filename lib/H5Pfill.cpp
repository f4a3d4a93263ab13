// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: fill values, and when storage is given and filled.

#include <cstring>
#include <memory>
#include <vector>

#include "lib/conversion_table.hpp"
#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"
#include "type/convert.hpp"

using namespace pcio;

herr_t H5Pset_alloc_time(hid_t plist_id, H5D_alloc_time_t alloc_time) {
  return set_props<DatasetCreateProps>("H5Pset_alloc_time", plist_id, [&](auto& props) -> Status {
    if (!is_between(alloc_time, H5D_ALLOC_TIME_DEFAULT, H5D_ALLOC_TIME_INCR))
      return PCIO_ERROR(ARGS, BADVALUE, "argument alloc_time: no such time");
    props.alloc_time = static_cast<AllocTime>(alloc_time);
    props.virtual_alloc_time = AllocTime::kDefault;
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

namespace {

/// A value with variable-length parts, which the list has memory of its own for.
Status keep_sequences(const Datatype& type, const std::byte* value, FillValue* fill) {
  FillValue kept;
  kept.state = FillState::kUserDefined;
  kept.type = type.file_form(StoredSequences::kAddressWidth);
  kept.bytes.resize(kept.type->size());
  kept.sequences = std::make_shared<StoredSequences>();
  ConvertOptions options;
  options.sequences.destination = kept.sequences.get();
  PCIO_ASSIGN(auto way, Conversion::make(type, *kept.type, options));
  PCIO_TRY(way.run(value, kept.bytes.data(), 1));
  *fill = std::move(kept);
  return Status();
}

}  // namespace

// NULL makes the value undefined: storage then keeps whatever bytes it has.
herr_t H5Pset_fill_value(hid_t plist_id, hid_t type_id, const void* value) {
  return set_props<DatasetCreateProps>("H5Pset_fill_value", plist_id, [&](auto& props) -> Status {
    if (value == nullptr) {
      props.fill = {FillState::kUndefined, std::nullopt, {}, nullptr};
      return Status();
    }
    PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
    const auto* bytes = static_cast<const std::byte*>(value);
    if (!type->type.is_fixed()) return keep_sequences(type->type, bytes, &props.fill);
    props.fill = {FillState::kUserDefined, type->type, {bytes, bytes + type->type.size()}, nullptr};
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
  SequenceMemory memory;
  ConvertOptions options;
  options.sequences = {fill.sequences.get(), nullptr, &memory};
  options.foreign = foreign_conversions(H5P_DEFAULT);
  PCIO_ASSIGN(auto conversion, Conversion::make(*fill.type, wanted, options));
  std::vector<std::byte> element(wanted.size());
  PCIO_TRY(conversion.run(fill.bytes.data(), element.data(), 1));
  memory.keep();
  std::memcpy(value, element.data(), element.size());
  return Status();
}

}  // namespace

herr_t H5Pget_fill_value(hid_t plist_id, hid_t type_id, void* value) {
  return get_props<DatasetCreateProps>("H5Pget_fill_value", plist_id, [&](auto& props) -> Status {
    PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
    PCIO_TRY(need_pointer(value, "value"));
    // A function of the program may change the list meanwhile.
    const FillValue fill = props.fill;
    return read_fill_value(fill, type->type, value);
  });
}

herr_t H5Pfill_value_defined(hid_t plist, H5D_fill_value_t* status) {
  return get_props<DatasetCreateProps>("H5Pfill_value_defined", {plist, "plist"},
                                       [&](auto& props) -> Status {
                                         PCIO_TRY(need_pointer(status, "status"));
                                         *status = static_cast<H5D_fill_value_t>(props.fill.state);
                                         return Status();
                                       });
}
