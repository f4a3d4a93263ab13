// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the library's own calls: which bytes of a file belong to whom.

#include "lib/api_entry.hpp"
#include "lib/enum_argument.hpp"
#include "lib/object_handles.hpp"
#include "object/used_ranges.hpp"

using namespace pcio;

namespace {

constexpr unsigned kAllUses = (2U << PCIO_RANGE_FREE) - 1;
static_assert(static_cast<int>(RangeUse::kFree) == PCIO_RANGE_FREE);

/// What is found, for the program; and what was wrong with the rest.
struct Found {
  std::vector<UsedRange> ranges;
  haddr_t object = HADDR_UNDEF;
  Status outcome;
};

Result<Found> find_ranges(hid_t obj_id, RangeUses uses) {
  Found found;
  if (handles().type_of(obj_id) == H5I_FILE) {
    PCIO_ASSIGN(const FilePtr file, get_file(obj_id, "obj_id"));
    found.outcome = used_ranges_of(*file, uses, &found.ranges);
    return found;
  }
  if (handles().type_of(obj_id) == H5I_ATTR)
    return PCIO_ERROR(ARGS, BADTYPE, "argument obj_id: an attribute has no bytes of its own");
  PCIO_ASSIGN(const Location object, location_of(obj_id, "obj_id"));
  found.object = object.address();
  found.outcome = used_ranges_of(object, uses, &found.ranges);
  return found;
}

}  // namespace

// The functions of programs are called when all is read, so that these may use the file.
herr_t pcio_visit_ranges(hid_t obj_id, unsigned uses, pcio_range_op_t op, void* op_data) {
  return api_value("pcio_visit_ranges", herr_t{-1}, [&]() -> Result<herr_t> {
    if (op == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument op: NULL");
    if ((uses & ~kAllUses) != 0)
      return PCIO_ERROR(ARGS, BADVALUE, "argument uses: bits that are no use of bytes");
    PCIO_ASSIGN(Found found, find_ranges(obj_id, uses == 0 ? RangeUses::all() : RangeUses(uses)));
    for (const UsedRange& used : found.ranges) {
      pcio_range_t range{};
      range.version = PCIO_RANGE_VERSION;
      range.use = static_cast<pcio_range_use_t>(used.use);
      range.start = used.range.offset;
      range.bytes = used.range.size;
      range.object = found.object;
      const herr_t answer = op(&range, op_data);
      if (answer > 0) return answer;
      if (answer < 0) return PCIO_ERROR(ARGS, BADITER, "argument op: the callback failed");
    }
    PCIO_TRY(std::move(found.outcome));
    return 0;
  });
}
