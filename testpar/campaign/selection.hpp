// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random selections, and which elements they mean, computed without the library.
// Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_CAMPAIGN_SELECTION_HPP
#define PCIO_TESTPAR_CAMPAIGN_SELECTION_HPP

#include <cstdint>
#include <hdf5.h>
#include <vector>

namespace campaign {

using Dims = std::vector<hsize_t>;

/// The same numbers on every rank and every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// 0 to n-1.
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  /// low to high, both included.
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(from.size()))];
  }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::uint64_t state_;
};

/// Mixes numbers into one; for seeds and for values.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

/// The coordinates of a hyperslab in one dimension.
struct Span {
  hsize_t start = 0, stride = 1, count = 1, block = 1;
};
using Slab = std::vector<Span>;  // one Span per dimension

enum class SelectionKind { kRegular, kIrregular, kPoints, kRepeatedPoints, kEmpty, kAll };
constexpr int kSelectionKinds = 6;

struct Selection {
  SelectionKind kind = SelectionKind::kEmpty;
  std::vector<Slab> slabs;               // regular: one; irregular: combined from left to right
  std::vector<H5S_seloper_t> operators;  // of each slab; the first is H5S_SELECT_SET
  std::vector<hsize_t> points;           // row-major element numbers in the order of selection

  /// Selects in `space`, whose extent is `dims`; false if a call fails.
  bool apply(hid_t space, const Dims& dims) const;
  /// Row-major numbers of the elements in the order of a transfer.
  std::vector<hsize_t> elements(const Dims& dims) const;
};

hsize_t count_of(const Dims& dims);
Slab whole(const Dims& dims);
/// Some of the coordinates of `slab`, as a slab.
Slab part_of(const Slab& slab, Random& random);

/// Disjoint regions of a dataset, each a union of slabs: `[rank]`; some may have none.
using Regions = std::vector<std::vector<Slab>>;

/// How a dataset is shared out.
enum class Sharing { kBoxes, kCyclic, kSingle };
Regions share_out(Sharing sharing, const Dims& dims, int ranks, Random& random);

/// A selection of the given kind that stays inside a region (empty where the region is).
Selection select_in(const std::vector<Slab>& region, SelectionKind kind, const Dims& dims,
                    Random& random);

}  // namespace campaign

#endif
