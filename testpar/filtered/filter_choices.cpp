// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The filters of the campaign. Room: testpar, public headers only.

#include "filtered/filter_choices.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace filtered {

namespace {

// Filters of this program.
constexpr H5Z_filter_t kTail = 301;      // other bytes, and 5 more
constexpr H5Z_filter_t kRefusing = 302;  // fails where it does not like a chunk

/// Each byte turned, behind them a sum that is looked at when they come back.
size_t turn_bytes(unsigned flags, size_t, const unsigned*, size_t n, size_t* room, void** buffer) {
  const bool back = (flags & H5Z_FLAG_REVERSE) != 0;
  const size_t bytes = back ? n - 5 : n;
  if (back && n < 5) return 0;
  auto* const from = static_cast<unsigned char*>(*buffer);
  auto* const to = static_cast<unsigned char*>(std::malloc(n + 5));
  if (to == nullptr) return 0;
  std::uint32_t sum = 0;
  for (size_t i = 0; i < bytes; ++i) {
    to[i] = static_cast<unsigned char>(from[i] ^ 0x5A);
    sum = sum * 31 + (back ? to[i] : from[i]);
  }
  if (back && std::memcmp(from + bytes, &sum, sizeof sum) != 0) {
    std::free(to);
    return 0;
  }
  if (!back) std::memcpy(to + bytes, &sum, sizeof sum);
  to[n + 4] = 0;
  std::free(from);
  *buffer = to;
  *room = n + 5;
  return back ? bytes : n + 5;
}

/// As optional filter: chunks with an odd sum go on without it.
size_t turn_some(unsigned flags, size_t count, const unsigned* values, size_t n, size_t* room,
                 void** buffer) {
  unsigned sum = 0;
  for (size_t i = 0; i < n && (flags & H5Z_FLAG_REVERSE) == 0; ++i)
    sum += static_cast<const unsigned char*>(*buffer)[i];
  return sum % 2 != 0 ? 0 : turn_bytes(flags, count, values, n, room, buffer);
}

herr_t add_tail(hid_t l) { return H5Pset_filter(l, kTail, H5Z_FLAG_MANDATORY, 0, nullptr); }
herr_t add_refusing(hid_t l) { return H5Pset_filter(l, kRefusing, H5Z_FLAG_OPTIONAL, 0, nullptr); }
herr_t add_szip(hid_t l) { return H5Pset_szip(l, H5_SZIP_NN_OPTION_MASK, 4); }
/// A list in braces is evaluated from left to right, so that filters come in the order written.
herr_t all_of(std::initializer_list<herr_t> results) { return std::min(results); }

}  // namespace

const std::vector<FilterChoice> kFilters = {
    {"deflate", Values::kAny, true, [](hid_t l) { return H5Pset_deflate(l, 4); }},
    {"shuffle", Values::kAny, true, [](hid_t l) { return H5Pset_shuffle(l); }},
    {"fletcher32", Values::kAny, true, [](hid_t l) { return H5Pset_fletcher32(l); }},
    {"szip", Values::kAny, true, add_szip},
    {"nbit", Values::kNarrow, true, [](hid_t l) { return H5Pset_nbit(l); }},
    {"scaleoffset", Values::kIntegers, true,
     [](hid_t l) { return H5Pset_scaleoffset(l, H5Z_SO_INT, 0); }},
    {"user", Values::kAny, false, add_tail},
    {"shuffle-deflate-fletcher32", Values::kAny, true,
     [](hid_t l) {
       return all_of({H5Pset_shuffle(l), H5Pset_deflate(l, 1), H5Pset_fletcher32(l)});
     }},
    {"szip-fletcher32", Values::kAny, true,
     [](hid_t l) {
       return all_of({add_szip(l), H5Pset_fletcher32(l)});
     }},
    {"nbit-deflate", Values::kNarrow, true,
     [](hid_t l) {
       return all_of({H5Pset_nbit(l), H5Pset_deflate(l, 6)});
     }},
    {"scaleoffset-shuffle-deflate", Values::kIntegers, true,
     [](hid_t l) {
       return all_of(
           {H5Pset_scaleoffset(l, H5Z_SO_INT, 0), H5Pset_shuffle(l), H5Pset_deflate(l, 3)});
     }},
    {"scaleoffset-fletcher32", Values::kIntegers, true,
     [](hid_t l) {
       return all_of({H5Pset_scaleoffset(l, H5Z_SO_INT, 0), H5Pset_fletcher32(l)});
     }},
    {"user-deflate", Values::kAny, false,
     [](hid_t l) {
       return all_of({add_tail(l), H5Pset_deflate(l, 2)});
     }},
    {"refusing-fletcher32", Values::kAny, false,
     [](hid_t l) {
       return all_of({add_refusing(l), H5Pset_fletcher32(l)});
     }},
    {"refusing-deflate-user", Values::kAny, false, [](hid_t l) {
       return all_of({add_refusing(l), H5Pset_deflate(l, 9), add_tail(l)});
     }}};

bool register_filters() {
  const H5Z_class2_t tail = {H5Z_CLASS_T_VERS, kTail,   1,       1,
                             "turned bytes",   nullptr, nullptr, turn_bytes};
  const H5Z_class2_t refusing = {H5Z_CLASS_T_VERS, kRefusing, 1,       1,
                                 "some turned",    nullptr,   nullptr, turn_some};
  return H5Zregister(&tail) >= 0 && H5Zregister(&refusing) >= 0;
}

}  // namespace filtered
