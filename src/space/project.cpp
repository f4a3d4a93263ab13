// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: what a part of one selection means in another one of the same size.

#include "space/project.hpp"

#include <algorithm>
#include <vector>

#include "space/runs.hpp"

namespace pcio {

namespace {

Dataspace at_zero_offset(const Dataspace& space) {
  Dataspace s = space;
  s.set_selection_offset({});
  return s;
}

/// Runs of a selection, ascending and without overlap, whatever the order of its points.
std::vector<Run> sorted_runs(const Dataspace& space) {
  std::vector<Run> runs;
  RunCursor cursor(space);
  for (Run run; cursor.next(run);) runs.push_back(run);
  std::sort(runs.begin(), runs.end(),
            [](const Run& a, const Run& b) { return a.offset < b.offset; });
  // Points may come twice.
  std::size_t kept = 0;
  for (const Run& run : runs) {
    const std::uint64_t end = kept > 0 ? runs[kept - 1].offset + runs[kept - 1].length : 0;
    if (kept > 0 && run.offset <= end)
      runs[kept - 1].length += std::max(end, run.offset + run.length) - end;
    else
      runs[kept++] = run;
  }
  runs.resize(kept);
  return runs;
}

/// Collects what is found in the destination, in selection order.
class Collector {
 public:
  Collector(const Dataspace& source, const Dataspace& destination)
      : dims_(destination.dims()),
        points_(source.selection().kind() == SelectionKind::kPoints ||
                destination.selection().kind() == SelectionKind::kPoints) {}
  void add(std::uint64_t offset, std::uint64_t length) {
    while (length > 0) {
      const std::uint64_t row = dims_.back() - offset % dims_.back();
      const std::uint64_t n = points_ ? 1 : std::min(row, length);
      parts_.push_back({offset, n});
      offset += n;
      length -= n;
    }
  }
  Result<Selection> finish() {
    if (!points_) return Selection::from_tree(span_tree::build(parts_, dims_), dims_.size());
    Selection selection = Selection::none();
    if (parts_.empty()) return selection;
    std::vector<std::uint64_t> coords(parts_.size() * dims_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::uint64_t rest = parts_[i].offset;
      for (unsigned d = dims_.size(); d-- > 0;) {
        coords[i * dims_.size() + d] = rest % dims_[d];
        rest /= dims_[d];
      }
    }
    PCIO_TRY(selection.select_points(dims_, SelectOp::kSet, coords.data(), parts_.size()));
    return selection;
  }

 private:
  Dims dims_;
  bool points_;
  std::vector<span_tree::RowPart> parts_;
};

/// Walks source and destination side by side and keeps what lies in one of `wanted`.
void collect(const Dataspace& source, const Dataspace& destination, const std::vector<Run>& wanted,
             Collector& out) {
  RunCursor from(source);
  RunCursor to(destination);
  Run a;
  Run b;
  while ((a.length > 0 || from.next(a)) && (b.length > 0 || to.next(b))) {
    const std::uint64_t n = std::min(a.length, b.length);
    auto it =
        std::upper_bound(wanted.begin(), wanted.end(), a.offset,
                         [](std::uint64_t x, const Run& r) { return x < r.offset + r.length; });
    for (; it != wanted.end() && it->offset < a.offset + n; ++it) {
      const std::uint64_t low = std::max(it->offset, a.offset);
      const std::uint64_t high = std::min(it->offset + it->length, a.offset + n);
      out.add(b.offset + (low - a.offset), high - low);
    }
    a = {a.offset + n, a.length - n};
    b = {b.offset + n, b.length - n};
  }
}

}  // namespace

Result<Dataspace> project_intersection(const Dataspace& source, const Dataspace& destination,
                                       const Dataspace& part) {
  const Dataspace from = at_zero_offset(source);
  const Dataspace wanted = at_zero_offset(part);
  Dataspace result = at_zero_offset(destination);
  if (from.selected() != result.selected())
    return PCIO_ERROR(DATASPACE, BADRANGE,
                      "source and destination differ in number of selected elements");
  if (!(from.dims() == wanted.dims()))
    return PCIO_ERROR(DATASPACE, BADRANGE, "source and intersection differ in extent");
  PCIO_TRY(from.check_selection());
  PCIO_TRY(wanted.check_selection());
  PCIO_TRY(result.check_selection());
  if (wanted.selection().kind() == SelectionKind::kAll || result.selected() == 0) return result;
  if (wanted.selected() == 0) {
    result.selection() = Selection::none();
    return result;
  }
  if (result.ndims() == 0) return result;  // the one element of a scalar, and it is wanted
  Collector out(from, result);
  collect(from, result, sorted_runs(wanted), out);
  PCIO_ASSIGN(result.selection(), out.finish());
  return result;
}

}  // namespace pcio
