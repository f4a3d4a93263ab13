// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5T: conversion functions of the program.

#include "lib/conversion_table.hpp"
#include "lib/type_access.hpp"

using namespace pcio;

namespace {

Status check_persistence(H5T_pers_t pers, H5T_pers_t least) {
  const int number = static_cast<int>(pers);
  if (number < static_cast<int>(least) || number > static_cast<int>(H5T_PERS_SOFT))
    return PCIO_ERROR(ARGS, BADVALUE, "argument pers: neither hard nor soft");
  return Status();
}

/// The type of an id that may be left out.
Result<std::optional<Datatype>> optional_type(hid_t id, const char* argument) {
  if (id <= 0) return std::optional<Datatype>();
  PCIO_ASSIGN(auto object, type_of(id, argument));
  return std::optional<Datatype>(object->type);
}

}  // namespace

herr_t H5Tregister(H5T_pers_t pers, const char* name, hid_t src_id, hid_t dst_id, H5T_conv_t func) {
  return api_status("H5Tregister", [&]() -> Status {
    PCIO_TRY(check_persistence(pers, H5T_PERS_HARD));
    ConversionPath path;
    PCIO_ASSIGN(path.name, text_argument(name, "name"));
    PCIO_ASSIGN(auto from, type_of(src_id, "src_id"));
    PCIO_ASSIGN(auto to, type_of(dst_id, "dst_id"));
    if (func == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument func: NULL");
    path.source = from->type;
    path.destination = to->type;
    path.function = func;
    path.hard = pers == H5T_PERS_HARD;
    return register_conversion(path);
  });
}

herr_t H5Tunregister(H5T_pers_t pers, const char* name, hid_t src_id, hid_t dst_id,
                     H5T_conv_t func) {
  return api_status("H5Tunregister", [&]() -> Status {
    PCIO_TRY(check_persistence(pers, H5T_PERS_DONTCARE));
    ConversionPattern pattern;
    if (pers != H5T_PERS_DONTCARE) pattern.hard = pers == H5T_PERS_HARD;
    if (name != nullptr) pattern.name = name;
    PCIO_ASSIGN(pattern.source, optional_type(src_id, "src_id"));
    PCIO_ASSIGN(pattern.destination, optional_type(dst_id, "dst_id"));
    pattern.function = func;
    unregister_conversions(pattern);
    return Status();
  });
}

H5T_conv_t H5Tfind(hid_t src_id, hid_t dst_id, H5T_cdata_t** pcdata) {
  return api_value<H5T_conv_t>("H5Tfind", nullptr, [&]() -> Result<H5T_conv_t> {
    PCIO_ASSIGN(auto from, type_of(src_id, "src_id"));
    PCIO_ASSIGN(auto to, type_of(dst_id, "dst_id"));
    PCIO_TRY(need_pointer(pcdata, "pcdata"));
    PCIO_ASSIGN(auto path, find_conversion_path(from->type, to->type));
    // The table keeps it until its functions are unregistered.
    *pcdata = &path->data;
    return path->function;
  });
}
