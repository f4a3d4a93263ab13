// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Making random cases. Room: testpar, public headers only.
//
// What must come often is dealt out by the case's number (modes, transports, dimensions), so that no
// value is left out by chance; the rest is random.

#include "case.hpp"

#include <algorithm>

namespace campaign {

namespace {

// ---- memory of a rank --------------------------------------------------------------------------

Selection one_slab(Slab slab) {
  Selection selection;
  selection.kind = SelectionKind::kRegular;
  selection.slabs = {std::move(slab)};
  selection.operators = {H5S_SELECT_SET};
  return selection;
}

hsize_t random_divisor(hsize_t n, Random& random) {
  std::vector<hsize_t> divisors;
  for (hsize_t d = 1; d * d <= n; ++d)
    if (n % d == 0) divisors.insert(divisors.end(), {d, n / d});
  return random.pick(divisors);
}

Memory strided(hsize_t n, Random& random) {
  Memory memory;
  const hsize_t block = random_divisor(n, random), count = n / block;
  const Span span{random.below(5), block + random.between(1, 3), count, block};
  memory.dims = {span.start + span.count * span.stride + random.below(4)};
  memory.selection = one_slab({span});
  return memory;
}

Memory matrix(hsize_t n, Random& random) {
  Memory memory;
  const hsize_t rows = random_divisor(n, random), columns = n / rows;
  const hsize_t top = random.below(3), left = random.below(4);
  memory.dims = {top + rows + random.below(3), left + columns + random.below(3)};
  memory.selection = one_slab({{top, 1, 1, rows}, {left, 1, 1, columns}});
  return memory;
}

Memory scattered(hsize_t n, Random& random) {
  Memory memory;
  memory.dims = {n + random.below(n + 8)};
  if (random.chance(40)) memory.dims.insert(memory.dims.begin(), random.between(1, 2));
  std::vector<hsize_t> all(static_cast<std::size_t>(count_of(memory.dims)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  random.shuffle(all);
  memory.selection.kind = SelectionKind::kPoints;
  memory.selection.points.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
  return memory;
}

Memory ragged(hsize_t n, Random& random) {
  Memory memory;
  memory.selection.kind = SelectionKind::kIrregular;
  hsize_t at = 0;
  for (hsize_t left = n; left > 0;) {
    at += random.below(4);
    const bool last = memory.selection.slabs.size() == 7;
    const hsize_t run = last ? left : random.between(1, left);
    memory.selection.slabs.push_back({{at, 1, 1, run}});
    memory.selection.operators.push_back(
        at == 0 || memory.selection.slabs.size() == 1 ? H5S_SELECT_SET : H5S_SELECT_OR);
    at += run + 1;
    left -= run;
  }
  memory.dims = {at + random.below(3)};
  return memory;
}

Memory make_memory(const Part& part, const Dims& dims, MemoryKind kind, Random& random) {
  const hsize_t n = part.file.elements(dims).size();
  Memory memory;
  if (n == 0 || n > 20000) kind = MemoryKind::kDense;
  if (kind == MemoryKind::kMatrix && n == 1) kind = MemoryKind::kOffset;
  // Elements that come twice would meet in one place of a mirror.
  const bool twice = part.file.kind == SelectionKind::kRepeatedPoints;
  if (twice && (kind == MemoryKind::kMirror || kind == MemoryKind::kAll))
    kind = MemoryKind::kRagged;
  switch (kind) {
    case MemoryKind::kOffset: {
      const hsize_t before = random.between(1, 9);
      memory.dims = {before + n + random.below(5)};
      memory.selection = one_slab({{before, 1, 1, n}});
      break;
    }
    case MemoryKind::kStrided: memory = strided(n, random); break;
    case MemoryKind::kMatrix: memory = matrix(n, random); break;
    case MemoryKind::kPoints: memory = scattered(n, random); break;
    case MemoryKind::kRagged: memory = ragged(n, random); break;
    case MemoryKind::kMirror:
    case MemoryKind::kAll:
      memory.dims = dims;
      memory.selection = part.file;
      break;
    default:
      memory.dims = {std::max<hsize_t>(n, 1)};
      if (n > 0) memory.selection.kind = SelectionKind::kAll;
      break;
  }
  memory.kind = kind;
  return memory;
}

// ---- one transfer ------------------------------------------------------------------------------

SelectionKind random_kind(bool write, Random& random) {
  const std::uint64_t n = random.below(100);
  if (n < 40) return SelectionKind::kRegular;
  if (n < 65) return SelectionKind::kIrregular;
  if (n < 80) return SelectionKind::kPoints;
  if (n < (write ? 83U : 90U)) return SelectionKind::kRepeatedPoints;
  return n < 95 ? SelectionKind::kEmpty : SelectionKind::kRegular;
}

bool is_everything(const std::vector<Slab>& region, const Dims& dims) {
  return region.size() == 1 && region[0].size() == dims.size() &&
         one_slab(region[0]).elements(dims).size() == count_of(dims);
}

Part make_part(const std::vector<Slab>& region, SelectionKind kind, const Case& c, Random& random) {
  Part part;
  part.file = select_in(region, kind, c.dims, random);
  if (is_everything(region, c.dims) && random.chance(25)) {
    part.file = Selection();
    part.file.kind = SelectionKind::kAll;
  }
  if (part.file.elements(c.dims).empty()) part.file = Selection();
  const auto memory = static_cast<MemoryKind>(random.below(kMemoryKinds));
  part.memory = make_memory(part, c.dims, memory, random);
  return part;
}

void make_parts(Transfer& t, const Case& c, int ranks, Random& random) {
  // Mostly one kind for all ranks, as programs have it; sometimes each its own.
  const SelectionKind common = random_kind(t.write, random);
  const bool mixed = random.chance(40);
  const Regions regions =
      t.write ? share_out(static_cast<Sharing>(random.below(20) / 9), c.dims, ranks, random)
              : Regions(static_cast<std::size_t>(ranks), {whole(c.dims)});
  t.shared = !t.write && ranks > 1 && random.chance(20);
  for (const std::vector<Slab>& region : regions) {
    if (t.shared && !t.parts.empty()) {
      t.parts.push_back(t.parts[0]);
      continue;
    }
    SelectionKind kind = mixed ? random_kind(t.write, random) : common;
    if (!mixed && kind == SelectionKind::kEmpty) kind = SelectionKind::kRegular;
    t.parts.push_back(make_part(region, kind, c, random));
    if (t.mode == Mode::kIndependent && random.chance(25)) t.parts.back().calls = false;
  }
}

/// Transfers of all cases are numbered through: modes and transports are dealt out by the number.
Transfer make_transfer(const Case& c, bool write, std::uint64_t index, int ranks, Random& random) {
  Transfer t;
  const std::uint64_t turn = c.number * 7 + index;
  t.write = write;
  t.mode = static_cast<Mode>(turn % kModes);
  t.transport = static_cast<pcio_transport_t>(mix(turn, 3) % 4);
  t.chunk_opt_num = static_cast<unsigned>(random.pick(std::vector<int>{0, 1, 2, 4, 1000}));
  t.chunk_opt_ratio = static_cast<unsigned>(random.pick(std::vector<int>{0, 1, 30, 60, 100}));
  if (random.chance(30)) t.exchange_memory = std::size_t{1} << 20;
  if (random.chance(20)) t.conversion_buffer = random.between(1, 300);
  t.flush_before = random.chance(20);
  make_parts(t, c, ranks, random);
  return t;
}

// ---- types -------------------------------------------------------------------------------------

NumberType random_type(Random& random) {
  return {static_cast<Number>(random.below(kNumbers)), random.chance(25)};
}

/// Types in memory, expressions, and the range of values that all of them hold.
void choose_types(Case& c, Random& random) {
  c.file_type = random_type(random);
  c.range = largest_in(c.file_type);
  for (Transfer& t : c.transfers) {
    t.memory_type = random.chance(45) ? c.file_type : random_type(random);
    c.range = std::min(c.range, largest_in(t.memory_type));
  }
  const bool gentle = c.range < 1000;
  bool any = false;
  for (Transfer& t : c.transfers) {
    if (t.memory_type.big_endian || !random.chance(35)) continue;
    t.transform = static_cast<int>(random.between(1, gentle ? kGentle : kTransforms - 1));
    any = true;
  }
  if (any) c.range = gentle ? c.range - 16 : c.range / 16;
  if (c.fill == Fill::kValue) c.fill_value = static_cast<std::int64_t>(random.between(1, 90)) - 40;
}

}  // namespace

// ---- the case ----------------------------------------------------------------------------------

namespace {

void choose_shape(Case& c, Random& random) {
  static const std::vector<hsize_t> kLongest = {900, 48, 16, 9};
  const std::size_t ndims = static_cast<std::size_t>(c.number % 4) + 1;
  // Some are large enough to fill buffers.
  const bool large = random.chance(2);
  for (std::size_t d = 0; d < ndims; ++d) {
    hsize_t longest = kLongest[ndims - 1];
    if (large) longest *= ndims == 1 ? 200 : ndims == 2 ? 12 : 4;
    c.dims.push_back(random.between(random.chance(5) ? 1 : (longest + 3) / 4, longest));
  }
  const std::uint64_t layout = random.below(10);
  if (layout < 2) return;  // contiguous
  for (const hsize_t size : c.dims) {
    hsize_t chunk = random.between(1, random.chance(50) ? std::min<hsize_t>(size, 6) : size);
    if (layout < 5) chunk = random_divisor(size, random);
    if (layout == 9) chunk = size;
    if (large) chunk = std::max(chunk, (size + 5) / 6);
    c.chunk.push_back(chunk);
  }
  if (random.chance(25)) {
    c.max_dims = c.dims;
    c.max_dims[random.below(ndims)] = H5S_UNLIMITED;
  }
}

}  // namespace

Case make_case(std::uint64_t seed, std::uint64_t number, int ranks) {
  Case c;
  c.number = number;
  Random random(mix(mix(seed, number), static_cast<std::uint64_t>(ranks)));
  choose_shape(c, random);
  const std::uint64_t fill = random.below(6);
  c.fill = fill < 3 ? Fill::kDefault : fill < 5 ? Fill::kValue : Fill::kNever;
  const std::uint64_t writes = random.between(1, 3), reads = random.between(1, 3);
  for (std::uint64_t i = 0; i < writes + reads; ++i) {
    // A read between the writes sees the state between them.
    const bool write = i < writes - 1 || i == writes;
    c.transfers.push_back(make_transfer(c, write, i, ranks, random));
    c.transfers.back().reopen_before = i > 0 && random.chance(12);
  }
  choose_types(c, random);
  return c;
}

std::int64_t value_of(const Case& c, std::size_t index, int rank, std::size_t position) {
  const std::uint64_t key = mix(mix(c.number, index), static_cast<std::uint64_t>(rank));
  const auto values = static_cast<std::uint64_t>(2 * c.range + 1);
  return static_cast<std::int64_t>(mix(key, position) % values) - c.range;
}

}  // namespace campaign
