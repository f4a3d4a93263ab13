// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: Sources; which parts of a virtual dataset there are.

#include "object/virtual_sources.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/checked.hpp"
#include "base/kept_by_thread.hpp"
#include "driver/parallel_open.hpp"
#include "object/virtual_dataset.hpp"
#include "space/unlimited.hpp"
#include "storage/dataset/external_data.hpp"

namespace pcio {

namespace {

/// Sources of sources of sources: more of them are taken for a circle.
constexpr unsigned kMostLevels = 32;
/// Looks at virtual datasets in one call: sources that fan out again and again must have an end.
constexpr unsigned kMostSteps = 10000;

bool is_there(const std::string& path) {
  const FileIdentity id = identify_file(path);
  return id.inode != 0;
}

/// Where a file of this name may be, the likeliest first.
std::vector<std::string> places_of(const std::string& name, const std::string& prefix,
                                   const std::string& folder) {
  std::vector<std::string> places;
  const bool absolute = !name.empty() && name.front() == '/';
  if (absolute) {
    places.push_back(name);
    places.push_back(folder + name.substr(name.find_last_of('/') + 1));
    return places;
  }
  if (!prefix.empty()) places.push_back(prefixed_path(prefix, name));
  places.push_back(folder + name);
  places.push_back(name);
  return places;
}

}  // namespace

std::string source_path(const std::string& name, const VirtualData& data, const File& file) {
  for (std::string& path : places_of(name, data.prefix, file.folder()))
    if (is_there(path)) return std::move(path);
  return {};
}

Result<Location> source_in(const FilePtr& file, const std::string& name, const Location& dataset) {
  auto found = find_object(root_of(file), name);
  if (!found) {
    // No link of that name: nothing is there yet.
    const auto& frames = found.error().frames();
    if (!frames.empty() && frames.front().minor == Minor::NOTFOUND) return Location();
    return detail::StatusReturn(std::move(found.error()));
  }
  if (found->object == dataset.object)
    return PCIO_ERROR(DATASET, BADVALUE, "the virtual dataset is its own source");
  PCIO_TRY(detail::to_status(found->file->store().datasets().state(found->object)));
  return std::move(*found);
}

Result<std::unique_ptr<SourceFile>> Sources::open(const std::string& path) const {
  PCIO_ASSIGN(FilePtr have, take_open_file(identify_file(path), ""));
  if (opening_ == SourceOpening::kOpenAlready && (!have || !have->writable()))
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "the source file \"" + path +
                          "\" of a virtual dataset of a parallel file is not open for writing: "
                          "open it with H5Fopen first, or write collectively "
                          "(H5Pset_dxpl_mpio)");
  // Not the program's opening: that may be mounted, and absolute names begin at the top of it.
  if (have) return std::make_unique<SourceFile>(another_opening(have), false);
  OpenFileRequest request;
  request.path = path;
  request.for_source = true;
  request.mode =
      opening_ == SourceOpening::kForReading ? OpenMode::kReadOnly : OpenMode::kReadWrite;
  PCIO_ASSIGN(FilePtr file, File::open(request));
  return std::make_unique<SourceFile>(std::move(file), true);
}

Result<FilePtr> Sources::file_of(const std::string& name) {
  if (name == ".") return dataset_.file;
  const auto known = files_.find(name);
  if (known != files_.end()) return known->second ? known->second->file() : FilePtr();
  std::unique_ptr<SourceFile> source;
  const std::string path = source_path(name, data_, *dataset_.file);
  if (!path.empty()) {
    PCIO_ASSIGN(source, open(path));
  }
  FilePtr file = source ? source->file() : FilePtr();
  files_.emplace(name, std::move(source));
  return file;
}

Result<Location> Sources::find(const std::string& file, const std::string& name) {
  PCIO_ASSIGN(FilePtr in, file_of(file));
  if (in == nullptr) return Location();
  return source_in(in, name, dataset_);
}

struct FollowedSources {
  unsigned levels = 0;
  unsigned steps = 0;
};

SourceLevel::SourceLevel() : followed_(kept_by_thread<FollowedSources>()) {
  if (followed_ == nullptr) return;
  if (followed_->levels++ == 0) followed_->steps = 0;
  ++followed_->steps;
}

SourceLevel::~SourceLevel() {
  if (followed_ != nullptr) --followed_->levels;
}

Status SourceLevel::check() const {
  if (followed_ == nullptr) return PCIO_ERROR(RESOURCE, NOSPACE, "out of memory");
  if (followed_->levels <= kMostLevels && followed_->steps <= kMostSteps) return Status();
  return PCIO_ERROR(DATASET, BADVALUE,
                    "virtual datasets lead to each other, or over more than " +
                        std::to_string(kMostLevels) + " others");
}

bool has_number(const VirtualMapping& mapping) {
  return mapping.file.find("%b") != std::string::npos ||
         mapping.dataset.find("%b") != std::string::npos;
}

std::string numbered(const std::string& pattern, std::uint64_t number) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (pattern[i] == '%' && next == 'b') {
      name += std::to_string(number);
      ++i;
    } else if (pattern[i] == '%' && next == '%') {
      name += '%';
      ++i;
    } else {
      name += pattern[i];
    }
  }
  return name;
}

Result<const Extent*> extent_of(const Location& source) {
  PCIO_TRY(follow_sources(source));
  PCIO_ASSIGN(const DatasetState* state, source.file->store().datasets().state(source.object));
  return &state->extent;
}

namespace {

// ---- mappings that never end -------------------------------------------------------------------

/// Elements of one dimension of a slab that never ends below `extent`.
std::uint64_t elements_below(const SlabDim& slab, std::uint64_t extent) {
  if (extent <= slab.start) return 0;
  const std::uint64_t room = extent - slab.start;
  return room / slab.stride * slab.block + std::min(room % slab.stride, slab.block);
}

/// Where `elements` of them end.
std::uint64_t end_of(const SlabDim& slab, std::uint64_t elements) {
  if (elements == 0) return 0;
  const std::uint64_t blocks = (elements - 1) / slab.block;
  return slab.start + blocks * slab.stride + (elements - blocks * slab.block);
}

/// Where the one behind them would be.
std::uint64_t next_behind(const SlabDim& slab, std::uint64_t elements) {
  return slab.start + elements / slab.block * slab.stride + elements % slab.block;
}

/// How far a dataset reaches that has so many elements of a mapping. Source: observed.
std::uint64_t extent_for(const SlabDim& slab, std::uint64_t elements, VirtualView view) {
  return view == VirtualView::kFirstMissing ? next_behind(slab, elements) : end_of(slab, elements);
}

/// In one dimension, a block that goes on for ever is one of single elements side by side.
SlabDim endless_dim(const RegularSlab& slab, unsigned d) {
  if (slab.block[d] == kUnlimited) return {slab.start[d], 1, kUnlimited, 1};
  return {slab.start[d], slab.stride[d], slab.count[d], slab.block[d]};
}

/// The first `elements` of a slab in its dimension `d`, which has no end.
Result<Dataspace> cut_slab(const RegularSlab& slab, unsigned d, std::uint64_t elements,
                           const Dims& extent) {
  PCIO_ASSIGN(Dataspace space, Dataspace::simple(extent));
  const SlabDim dim = endless_dim(slab, d);
  RegularSlab part = slab;
  part.start[d] = dim.start;
  part.stride[d] = dim.stride;
  part.block[d] = dim.block;
  part.count[d] = elements / dim.block;
  if (part.count[d] > 0) {
    PCIO_TRY(space.selection().select_hyperslab(extent, SelectOp::kSet, part));
  } else {
    space.selection() = Selection::none();
  }
  const std::uint64_t rest = elements % dim.block;
  if (rest == 0) return space;
  part.start[d] = dim.start + part.count[d] * dim.stride;
  part.stride[d] = part.block[d] = rest;
  const SelectOp op = part.count[d] > 0 ? SelectOp::kOr : SelectOp::kSet;
  part.count[d] = 1;
  PCIO_TRY(space.selection().select_hyperslab(extent, op, part));
  return space;
}

std::optional<unsigned> endless(const Dataspace& space) {
  if (space.selection().kind() != SelectionKind::kHyperslab || !space.selection().is_regular())
    return std::nullopt;
  return unlimited_dim(space.selection().regular());
}

/// How far a mapping reaches in its dimension without end; 0 where nothing is there.
Result<std::uint64_t> reach_of(Sources& sources, const VirtualData& data,
                               const VirtualMapping& mapping, unsigned d) {
  const SlabDim target = endless_dim(mapping.target.selection().regular(), d);
  if (has_number(mapping)) {
    std::uint64_t blocks = 0, missing = 0;
    for (std::uint64_t b = 0; missing <= data.printf_gap; ++b) {
      PCIO_ASSIGN(const Location source,
                  sources.find(numbered(mapping.file, b), numbered(mapping.dataset, b)));
      if (source.object) {
        blocks = b + 1;
        missing = 0;
        continue;
      }
      if (data.view == VirtualView::kFirstMissing) break;
      if (++missing == 0) break;
    }
    return extent_for(target, blocks * target.block, data.view);
  }
  PCIO_ASSIGN(const Location source, sources.find(mapping.file, mapping.dataset));
  const auto e = endless(mapping.source);
  if (!source.object || !e) return std::uint64_t{0};
  PCIO_ASSIGN(const Extent* extent, extent_of(source));
  if (*e >= extent->ndims()) return std::uint64_t{0};
  const SlabDim slab = endless_dim(mapping.source.selection().regular(), *e);
  return extent_for(target, elements_below(slab, extent->dims()[*e]), data.view);
}

/// More blocks, each with a source, than a call can have in hand.
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 20;

/// The coordinates of one dimension in which something is selected.
class Shadow {
 public:
  Shadow(const Dataspace& space, unsigned d) {
    const Selection& selection = space.selection();
    if (selection.kind() == SelectionKind::kAll) {
      regular_ = SlabDim{0, 1, 1, space.dims()[d]};
    } else if (selection.is_regular()) {
      regular_ = selection.regular().dim(d);
    } else if (selection.kind() == SelectionKind::kPoints) {
      const std::vector<std::uint64_t>& points = selection.points();
      for (std::size_t i = d; i < points.size(); i += space.ndims())
        parts_.emplace_back(points[i], points[i] + 1);
    } else if (selection.tree()) {
      std::set<const SpanNode*> seen;
      add(*selection.tree(), d, &seen);
    }
    std::sort(parts_.begin(), parts_.end());
  }
  /// The first that is `x` or more.
  [[nodiscard]] std::optional<std::uint64_t> next(std::uint64_t x) {
    if (regular_) return next_regular(x);
    // Whoever asks goes upwards.
    while (at_ < parts_.size() && parts_[at_].second <= x) ++at_;
    if (at_ == parts_.size()) return std::nullopt;
    return std::max(x, parts_[at_].first);
  }
  void rewind() { at_ = 0; }

 private:
  void add(const SpanNode& node, unsigned levels, std::set<const SpanNode*>* seen) {
    if (!seen->insert(&node).second) return;
    for (const Span& span : node.spans) {
      if (levels == 0)
        parts_.emplace_back(span.low, span.high);
      else
        add(*span.down, levels - 1, seen);
    }
  }
  [[nodiscard]] std::optional<std::uint64_t> next_regular(std::uint64_t x) const {
    const SlabDim& slab = *regular_;
    if (slab.count == 0 || slab.block == 0 || x >= slab.end()) return std::nullopt;
    if (x <= slab.start) return slab.start;
    const std::uint64_t block = (x - slab.start) / slab.stride;
    const bool behind = (x - slab.start) % slab.stride >= slab.block;
    return behind ? slab.start + (block + 1) * slab.stride : x;
  }

  std::optional<SlabDim> regular_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts_;  ///< from, behind; ascending by from
  std::size_t at_ = 0;
};

/// The blocks of dimension `d` of a slab without end that have something in the `shadow`, as far as `now` reaches.
/// `left`: how many there may be, and gaps between them that are come to.
Result<std::vector<std::uint64_t>> touched_blocks(const SlabDim& slab, const Dims& now, unsigned d,
                                                  Shadow& shadow, std::uint64_t* left) {
  std::vector<std::uint64_t> blocks;
  if (now[d] < slab.start || now[d] - slab.start < slab.block) return blocks;
  const std::uint64_t whole = (now[d] - slab.start - slab.block) / slab.stride + 1;
  shadow.rewind();
  for (auto x = shadow.next(slab.start); x; --*left) {
    const std::uint64_t block = (*x - slab.start) / slab.stride;
    if (block >= whole) break;
    if (*left == 0)
      return PCIO_ERROR(DATASET, UNSUPPORTED,
                        "the selection touches more than " + std::to_string(kMostBlocks) +
                            " blocks of virtual mappings, each with a source of its own: select "
                            "fewer in a call");
    if ((*x - slab.start) % slab.stride < slab.block) blocks.push_back(block);
    if (block + 1 == whole) break;
    x = shadow.next(slab.start + (block + 1) * slab.stride);
  }
  return blocks;
}

/// What `parts_of` has in hand.
struct Wanted {
  const Dims& now;
  const Dataspace& space;
  std::map<unsigned, Shadow> shadows{};
  std::uint64_t left = kMostBlocks;
  Shadow& shadow(unsigned d) { return shadows.try_emplace(d, space, d).first->second; }
};

/// The parts that mapping `m` stands for, as far as the extent `now` of the virtual dataset reaches.
Status add_parts(Sources& sources, const VirtualData& data, std::uint32_t m, Wanted& wanted,
                 std::vector<Part>* parts) {
  const Dims& now = wanted.now;
  const VirtualMapping& mapping = data.mappings[m];
  const auto d = endless(mapping.target);
  if (!d) {
    Part part{{m, 0}, mapping.file, mapping.dataset, mapping.source, mapping.target};
    parts->push_back(std::move(part));
    return Status();
  }
  const RegularSlab& slab = mapping.target.selection().regular();
  const SlabDim target = endless_dim(slab, *d);
  if (has_number(mapping)) {
    PCIO_ASSIGN(const std::vector<std::uint64_t> blocks,
                touched_blocks(target, now, *d, wanted.shadow(*d), &wanted.left));
    for (const std::uint64_t b : blocks) {
      RegularSlab block = slab;
      block.start[*d] = target.start + b * target.stride;
      block.count[*d] = 1;
      PCIO_ASSIGN(Dataspace space, Dataspace::simple(now));
      PCIO_TRY(space.selection().select_hyperslab(now, SelectOp::kSet, block));
      parts->push_back({{m, b},
                        numbered(mapping.file, b),
                        numbered(mapping.dataset, b),
                        mapping.source,
                        std::move(space)});
    }
    return Status();
  }
  PCIO_ASSIGN(const Location source, sources.find(mapping.file, mapping.dataset));
  const auto e = endless(mapping.source);
  if (!source.object || !e) return Status();
  PCIO_ASSIGN(const Extent* extent, extent_of(source));
  if (*e >= extent->ndims())
    return PCIO_ERROR(DATASET, BADRANGE, "a source has fewer dimensions than its mapping");
  const RegularSlab& of_source = mapping.source.selection().regular();
  const std::uint64_t elements =
      std::min(elements_below(endless_dim(of_source, *e), extent->dims()[*e]),
               elements_below(target, now[*d]));
  if (elements == 0) return Status();
  Part part{{m, 0}, mapping.file, mapping.dataset, {}, {}};
  PCIO_ASSIGN(part.source, cut_slab(of_source, *e, elements, extent->dims()));
  PCIO_ASSIGN(part.target, cut_slab(slab, *d, elements, now));
  parts->push_back(std::move(part));
  return Status();
}

}  // namespace

Result<std::vector<Part>> parts_of(Sources& sources, const VirtualData& data, const Dims& now,
                                   const Dataspace& wanted) {
  std::vector<Part> parts;
  if (wanted.selected() == 0) return parts;
  Wanted touched{now, wanted};
  for (std::uint32_t m = 0; m < data.mappings.size(); ++m)
    PCIO_TRY(add_parts(sources, data, m, touched, &parts));
  return parts;
}

bool is_virtual(const Location& dataset) {
  const auto state = dataset.file->store().datasets().state(dataset.object);
  return state && (*state)->virtual_data != nullptr && (*state)->unsupported.ok();
}

Status follow_sources(const Location& dataset) {
  PCIO_ASSIGN(DatasetState * state, dataset.file->store().datasets().state(dataset.object));
  if (!state->virtual_data || !state->unsupported.ok()) return Status();
  const FileLockScope sources_until_here;
  const SourceLevel level;
  PCIO_TRY(level.check());
  const VirtualData& data = *state->virtual_data;
  Dims dims = state->extent.dims();
  Dims fixed(dims.size(), 0);
  std::vector<bool> seen(dims.size(), false);
  std::vector<std::uint64_t> reached(dims.size(), 0);
  Sources sources(dataset, data, SourceOpening::kForReading);
  for (const VirtualMapping& mapping : data.mappings) {
    const auto d = endless(mapping.target);
    if (!d) {
      const auto bounds = mapping.target.selection().bounds(state->extent.dims());
      for (unsigned i = 0; bounds && i < dims.size() && i < bounds->start.size(); ++i)
        fixed[i] = std::max(fixed[i], bounds->start[i] + bounds->count[i]);
      continue;
    }
    if (*d >= dims.size() || state->extent.max_dims()[*d] != kUnlimited) continue;
    PCIO_ASSIGN(const std::uint64_t reach, reach_of(sources, data, mapping, *d));
    const bool first = !seen[*d];
    seen[*d] = true;
    reached[*d] = first                                     ? reach
                  : data.view == VirtualView::kFirstMissing ? std::min(reached[*d], reach)
                                                            : std::max(reached[*d], reach);
  }
  for (unsigned i = 0; i < dims.size(); ++i)
    if (seen[i]) dims[i] = std::max(reached[i], fixed[i]);
  if (!(dims == state->extent.dims())) PCIO_TRY(state->extent.set_dims(dims));
  return sources.close();
}

}  // namespace pcio
