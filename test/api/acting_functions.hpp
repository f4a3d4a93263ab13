// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Functions of the program, each of which does first what the hook says, and then what it is for.

#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "api/acting.hpp"

namespace acting {

constexpr auto kLinkType = static_cast<H5L_type_t>(71);
constexpr H5Z_filter_t kFilter = 303;
constexpr hsize_t kTexts = 5;

// Transfers.
inline H5T_conv_ret_t on_exception(H5T_conv_except_t, hid_t, hid_t to, void*, void* target, void*) {
  Hook::at(kConversionException);
  if (H5Tget_size(to) == 1)
    *static_cast<signed char*>(target) = kNew;
  else
    *static_cast<int*>(target) = kNew;
  return H5T_CONV_HANDLED;
}
/// Opaque bytes to kNew.
inline herr_t convert(hid_t, hid_t, H5T_cdata_t* data, size_t count, size_t, size_t, void* buffer,
                      void*, hid_t) {
  if (data->command != H5T_CONV_CONV) return 0;
  Hook::at(kConversion);
  std::fill_n(static_cast<int*>(buffer), count, kNew);
  return 0;
}
inline hid_t opaque_type() {
  const hid_t type = H5Tcreate(H5T_OPAQUE, sizeof(int));
  H5Tset_tag(type, "acting");
  return type;
}
inline hid_t text_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  return type;
}
inline void* on_allocate(size_t size, void*) {
  Hook::at(kVlenAllocate);
  return std::malloc(size);
}
inline void on_free(void* memory, void*) {
  Hook::at(kVlenFree);
  std::free(memory);
}

// Filters: the bytes stay as they are.
inline size_t filter(unsigned flags, size_t, const unsigned*, size_t bytes, size_t*, void**) {
  Hook::at((flags & H5Z_FLAG_REVERSE) != 0 ? kDecoding : kEncoding);
  return bytes;
}
inline htri_t can_apply(hid_t, hid_t, hid_t) {
  Hook::at(kCanApply);
  return 1;
}
inline herr_t set_local(hid_t, hid_t, hid_t) {
  Hook::at(kSetLocal);
  return 0;
}

// Links: they lead to "/g".
inline herr_t link_made(const char*, hid_t, const void*, size_t, hid_t) {
  Hook::at(kLinkMade);
  return 0;
}
inline herr_t link_moved(const char*, hid_t, const void*, size_t) {
  Hook::at(kLinkMoved);
  return 0;
}
inline herr_t link_copied(const char*, hid_t, const void*, size_t) {
  Hook::at(kLinkCopied);
  return 0;
}
inline hid_t follow(const char*, hid_t group, const void*, size_t, hid_t, hid_t) {
  Hook::at(kTraverse);
  return H5Oopen(group, "/g", H5P_DEFAULT);
}
inline herr_t link_deleted(const char*, hid_t, const void*, size_t) {
  Hook::at(kLinkDeleted);
  return 0;
}
inline ssize_t link_value(const char*, const void*, size_t, void*, size_t) {
  Hook::at(kLinkQueried);
  return 0;
}
inline herr_t on_external(const char*, const char*, const char*, const char*, unsigned*, hid_t,
                          void*) {
  Hook::at(kExternalLink);
  return 0;
}

// Iterations.
inline herr_t on_link(hid_t, const char*, const H5L_info_t*, void*) {
  Hook::at(kLinkVisit);
  return 0;
}
inline herr_t on_object(hid_t, const char*, const H5O_info_t*, void*) {
  Hook::at(kObjectVisit);
  return 0;
}
inline herr_t on_attribute(hid_t, const char*, const H5A_info_t*, void*) {
  Hook::at(kAttributeVisit);
  return 0;
}
inline herr_t on_element(void*, hid_t, unsigned, const hsize_t*, void*) {
  Hook::at(kElementVisit);
  return 0;
}
inline herr_t on_scatter(const void** from, size_t* bytes, void*) {
  static const std::vector<int> part(kElements / 3, 4);
  Hook::at(kScatter);
  *from = part.data();
  *bytes = part.size() * sizeof(int);
  return 0;
}
inline herr_t on_gather(const void*, size_t, void*) {
  Hook::at(kGather);
  return 0;
}
inline herr_t on_error(unsigned, const H5E_error2_t*, void*) {
  Hook::at(kErrorWalk);
  return 0;
}
inline herr_t on_report(hid_t, void*) {
  Hook::at(kErrorReport);
  return 0;
}

// Lists and ids.
inline herr_t on_list_made(hid_t, void*) {
  Hook::at(kListMade);
  return 0;
}
inline herr_t on_list_copied(hid_t, hid_t, void*) {
  Hook::at(kListCopied);
  return 0;
}
inline herr_t on_list_closed(hid_t, void*) {
  Hook::at(kListClosed);
  return 0;
}
inline herr_t on_property(hid_t, const char*, size_t, void*) {
  Hook::at(kPropertySet);
  return 0;
}
inline int on_compare(const void* one, const void* other, size_t size) {
  Hook::at(kPropertyCompared);
  return std::memcmp(one, other, size);
}
inline herr_t on_list_property(hid_t, const char*, void*) {
  Hook::at(kListVisit);
  return 0;
}
inline herr_t on_id_freed(void*) {
  Hook::at(kIdFreed);
  return 0;
}
inline int on_search(void*, hid_t, void*) {
  Hook::at(kIdSearch);
  return 0;
}

// Objects.
inline H5O_mcdt_search_ret_t on_type_search(void*) {
  Hook::at(kTypeSearch);
  return H5O_MCDT_SEARCH_CONT;
}
inline herr_t on_object_flushed(hid_t, void*) {
  Hook::at(kObjectFlushed);
  return 0;
}

/// An access list with a driver that keeps one file in memory.
hid_t driver_list();

}  // namespace acting
