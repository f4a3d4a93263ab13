// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: virtual datasets: which sources there are, and moving their elements.

#include "object/virtual_dataset.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/checked.hpp"
#include "base/kept_by_thread.hpp"
#include "base/without_throwing.hpp"
#include "driver/parallel_open.hpp"
#include "plan/transfer_runs.hpp"
#include "space/project.hpp"
#include "space/unlimited.hpp"
#include "storage/dataset/external_data.hpp"
#include "transfer/call/dataset_transfer.hpp"
#include "type/convert.hpp"

namespace pcio {

namespace {

/// Sources of sources of sources: more of them are taken for a circle.
constexpr unsigned kMostLevels = 32;
/// Looks at virtual datasets in one call: sources that fan out again and again must have an end.
constexpr unsigned kMostSteps = 10000;

/// A source file that was opened for one call is given back at its end.
class SourceFile {
 public:
  SourceFile(FilePtr file, bool opened) : file_(std::move(file)), opened_(opened) {}
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;
  ~SourceFile() { static_cast<void>(close()); }
  [[nodiscard]] const FilePtr& file() const { return file_; }
  Status close() {
    if (!std::exchange(opened_, false)) return Status();
    return file_->release_file_id(file_, "");
  }

 private:
  FilePtr file_;
  bool opened_;
};

/// A part of a virtual dataset that has one source.
struct Part {
  std::string file, dataset;
  Dataspace source;  ///< its extent is not known before the source is open
  Dataspace target;
};

/// The sources of one virtual dataset during one call. Threads: one thread.
class Sources {
 public:
  Sources(const Location& dataset, const VirtualData& data, Direction direction)
      : dataset_(dataset), data_(data), direction_(direction) {}

  /// The dataset behind two names; no file where there is none.
  Result<Location> find(const std::string& file, const std::string& name);
  /// Gives all files back. Errors: those of their commits.
  Status close() {
    Status first;
    for (auto& [name, file] : files_)
      if (Status closed = file ? file->close() : Status(); first.ok()) first = std::move(closed);
    return first;
  }

 private:
  Result<FilePtr> file_of(const std::string& name);
  Result<std::unique_ptr<SourceFile>> open(const std::string& path) const;

  const Location& dataset_;
  const VirtualData& data_;
  Direction direction_;
  std::map<std::string, std::unique_ptr<SourceFile>> files_;
};

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

Result<std::unique_ptr<SourceFile>> Sources::open(const std::string& path) const {
  PCIO_ASSIGN(FilePtr have, take_open_file(identify_file(path), ""));
  if (have) return std::make_unique<SourceFile>(std::move(have), false);
  OpenFileRequest request;
  request.path = path;
  request.mode = direction_ == Direction::kRead ? OpenMode::kReadOnly : OpenMode::kReadWrite;
  PCIO_ASSIGN(FilePtr file, File::open(request));
  return std::make_unique<SourceFile>(std::move(file), true);
}

Result<FilePtr> Sources::file_of(const std::string& name) {
  if (name == ".") return dataset_.file;
  const auto known = files_.find(name);
  if (known != files_.end()) return known->second ? known->second->file() : FilePtr();
  std::unique_ptr<SourceFile> source;
  for (const std::string& path : places_of(name, data_.prefix, dataset_.file->folder())) {
    if (!is_there(path)) continue;
    PCIO_ASSIGN(source, open(path));
    break;
  }
  FilePtr file = source ? source->file() : FilePtr();
  files_.emplace(name, std::move(source));
  return file;
}

Result<Location> Sources::find(const std::string& file, const std::string& name) {
  PCIO_ASSIGN(FilePtr in, file_of(file));
  if (in == nullptr) return Location();
  auto found = find_object(root_of(in), name);
  if (!found) {
    // No link of that name: nothing is there yet.
    const auto& frames = found.error().frames();
    if (!frames.empty() && frames.front().minor == Minor::NOTFOUND) return Location();
    return detail::StatusReturn(std::move(found.error()));
  }
  if (found->object == dataset_.object)
    return PCIO_ERROR(DATASET, BADVALUE, "the virtual dataset is its own source");
  PCIO_TRY(detail::to_status(found->file->store().datasets().state(found->object)));
  return std::move(*found);
}

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

bool has_number(const VirtualMapping& mapping) {
  return mapping.file.find("%b") != std::string::npos ||
         mapping.dataset.find("%b") != std::string::npos;
}

/// A name with a block's number in the place of each %b; %% is a percent sign.
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

Result<const Dataspace*> extent_of(const Location& source) {
  PCIO_TRY(follow_sources(source));
  PCIO_ASSIGN(const DatasetState* state, source.file->store().datasets().state(source.object));
  return &state->extent;
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
  PCIO_ASSIGN(const Dataspace* extent, extent_of(source));
  if (*e >= extent->ndims()) return std::uint64_t{0};
  const SlabDim slab = endless_dim(mapping.source.selection().regular(), *e);
  return extent_for(target, elements_below(slab, extent->dims()[*e]), data.view);
}

struct Followed {
  unsigned levels = 0;
  unsigned steps = 0;
};

/// The circle of sources that this thread follows.
class Level {
 public:
  Level() : followed_(kept_by_thread<Followed>()) {
    if (followed_ == nullptr) return;
    if (followed_->levels++ == 0) followed_->steps = 0;
    ++followed_->steps;
  }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() {
    if (followed_ != nullptr) --followed_->levels;
  }
  [[nodiscard]] Status check() const {
    if (followed_ == nullptr) return PCIO_ERROR(RESOURCE, NOSPACE, "out of memory");
    if (followed_->levels <= kMostLevels && followed_->steps <= kMostSteps) return Status();
    return PCIO_ERROR(DATASET, BADVALUE,
                      "virtual datasets lead to each other, or over more than " +
                          std::to_string(kMostLevels) + " others");
  }

 private:
  Followed* followed_;
};

/// The parts that a mapping stands for, as far as the extent `now` of the virtual dataset reaches.
Status add_parts(Sources& sources, const VirtualMapping& mapping, const Dims& now,
                 std::vector<Part>* parts) {
  const auto d = endless(mapping.target);
  if (!d) {
    Part part{mapping.file, mapping.dataset, mapping.source, mapping.target};
    parts->push_back(std::move(part));
    return Status();
  }
  const RegularSlab& slab = mapping.target.selection().regular();
  const SlabDim target = endless_dim(slab, *d);
  if (has_number(mapping)) {
    for (std::uint64_t b = 0; target.start + b * target.stride < now[*d]; ++b) {
      RegularSlab block = slab;
      block.start[*d] = target.start + b * target.stride;
      block.count[*d] = 1;
      if (block.start[*d] + target.block > now[*d]) break;
      PCIO_ASSIGN(Dataspace space, Dataspace::simple(now));
      PCIO_TRY(space.selection().select_hyperslab(now, SelectOp::kSet, block));
      parts->push_back({numbered(mapping.file, b), numbered(mapping.dataset, b), mapping.source,
                        std::move(space)});
    }
    return Status();
  }
  PCIO_ASSIGN(const Location source, sources.find(mapping.file, mapping.dataset));
  const auto e = endless(mapping.source);
  if (!source.object || !e) return Status();
  PCIO_ASSIGN(const Dataspace* extent, extent_of(source));
  if (*e >= extent->ndims())
    return PCIO_ERROR(DATASET, BADRANGE, "a source has fewer dimensions than its mapping");
  const RegularSlab& of_source = mapping.source.selection().regular();
  const std::uint64_t elements =
      std::min(elements_below(endless_dim(of_source, *e), extent->dims()[*e]),
               elements_below(target, now[*d]));
  if (elements == 0) return Status();
  Part part{mapping.file, mapping.dataset, {}, {}};
  PCIO_ASSIGN(part.source, cut_slab(of_source, *e, elements, extent->dims()));
  PCIO_ASSIGN(part.target, cut_slab(slab, *d, elements, now));
  parts->push_back(std::move(part));
  return Status();
}

/// `space`'s selection in `extent`; all of it where everything is selected.
Result<Dataspace> within(const Dataspace& space, const Dataspace& extent, const char* what) {
  Dataspace placed = extent;
  placed.selection() = space.selection();
  if (space.selection().kind() == SelectionKind::kAll ||
      space.selection().kind() == SelectionKind::kNone)
    return placed;
  if (space.ndims() != extent.ndims() || !placed.check_selection().ok())
    return PCIO_ERROR(DATASET, BADRANGE,
                      std::string("the selection in ") + what + " of a virtual dataset leaves it");
  return placed;
}

/// One read or write of a virtual dataset. Threads: one thread.
class VirtualTransfer {
 public:
  VirtualTransfer(const Location& dataset, const DatasetState& state,
                  const TransferRequest& request, TransferReport* report)
      : state_(state),
        request_(request),
        report_(report),
        sources_(dataset, *state.virtual_data, request.direction) {}

  Status run(std::string_view function) {
    if (request_.file_space.selected() != request_.memory_space.selected())
      return PCIO_ERROR(ARGS, BADVALUE,
                        "the selections in file and memory have different numbers of elements");
    if (request_.file_space.selected() == 0) return Status();
    Status moved = move_all(function);
    Status closed = sources_.close();
    return moved.ok() ? closed : moved;
  }

 private:
  struct Move {
    Location source;
    Dataspace from, memory;
  };
  [[nodiscard]] bool reads() const { return request_.direction == Direction::kRead; }

  Status move_all(std::string_view function) {
    std::vector<Part> parts;
    for (const VirtualMapping& mapping : state_.virtual_data->mappings)
      PCIO_TRY(add_parts(sources_, mapping, state_.extent.dims(), &parts));
    Dataspace wanted = request_.file_space;
    wanted.selection() = wanted.placed_selection();
    wanted.set_selection_offset({});
    std::vector<Move> moves;
    // In the order of a list of points neither source nor target is walked: they go one by one.
    if (wanted.selection().kind() == SelectionKind::kPoints) {
      PCIO_TRY(plan_points(wanted, parts, &moves));
    } else {
      for (const Part& part : parts) PCIO_TRY(plan(wanted, request_.memory_space, part, &moves));
    }
    std::uint64_t covered = 0;
    for (const Move& move : moves) covered += move.from.selected();
    const bool whole = moves.size() == 1 && covered == wanted.selected();
    if (!reads() && covered < wanted.selected())
      return PCIO_ERROR(DATASET, WRITEERROR,
                        "what is written has no source in the virtual dataset, or the source is "
                        "not there");
    if (reads() && !whole) PCIO_TRY(fill());
    for (const Move& move : moves) PCIO_TRY(run_move(move, function));
    return Status();
  }

  Status plan_points(const Dataspace& wanted, const std::vector<Part>& parts,
                     std::vector<Move>* moves) {
    const std::vector<std::uint64_t>& points = wanted.selection().points();
    const unsigned ndims = wanted.ndims();
    for (std::size_t i = 0; i * ndims < points.size(); ++i) {
      Dataspace one = wanted;
      PCIO_TRY(one.selection().select_points(wanted.dims(), SelectOp::kSet, &points[i * ndims], 1));
      PCIO_ASSIGN(Dataspace memory, memory_element(i));
      for (const Part& part : parts) PCIO_TRY(plan(one, memory, part, moves));
    }
    return Status();
  }

  /// The i-th selected element of the memory.
  Result<Dataspace> memory_element(std::uint64_t i) {
    if (memory_elements_.empty()) {
      PCIO_ASSIGN(Dataspace row, Dataspace::simple(Dims(1, request_.memory_space.selected())));
      PieceCursor cursor(row, request_.memory_space);
      for (Piece piece; cursor.next(piece);)
        for (std::uint64_t n = 0; n < piece.count; ++n)
          memory_elements_.push_back(piece.memory_element + n);
    }
    const Dims& dims = request_.memory_space.dims();
    std::vector<std::uint64_t> at(std::max(1U, dims.size()));
    std::uint64_t left = memory_elements_[i];
    for (unsigned d = dims.size(); d-- > 0;) {
      at[d] = left % dims[d];
      left /= dims[d];
    }
    Dataspace memory = request_.memory_space;
    memory.set_selection_offset({});
    if (dims.empty()) return memory;
    PCIO_TRY(memory.selection().select_points(dims, SelectOp::kSet, at.data(), 1));
    return memory;
  }

  Status plan(const Dataspace& wanted, const Dataspace& to, const Part& part,
              std::vector<Move>* moves) {
    PCIO_ASSIGN(const Dataspace target, within(part.target, state_.extent, "the target"));
    PCIO_ASSIGN(Dataspace memory,
                project_intersection(wanted, placed(to), same_extent(wanted, target)));
    if (memory.selected() == 0) return Status();
    PCIO_ASSIGN(Location source, sources_.find(part.file, part.dataset));
    if (!source.object) return Status();
    PCIO_ASSIGN(const Dataspace* extent, extent_of(source));
    PCIO_ASSIGN(const Dataspace from, within(part.source, *extent, "the source"));
    PCIO_ASSIGN(Dataspace selected,
                project_intersection(same_extent(wanted, target), from, wanted));
    moves->push_back({std::move(source), std::move(selected), std::move(memory)});
    return Status();
  }

  static Dataspace placed(const Dataspace& space) {
    Dataspace out = space;
    out.selection() = space.placed_selection();
    out.set_selection_offset({});
    return out;
  }
  /// `selected`'s selection in the extent of `space`.
  static Dataspace same_extent(const Dataspace& space, const Dataspace& selected) {
    Dataspace out = space;
    out.selection() = selected.selection();
    return out;
  }

  Status fill() {
    if (state_.fill.state == FillState::kUndefined) return Status();
    PCIO_ASSIGN(Conversion way, Conversion::make(state_.type, request_.memory_type));
    const std::size_t size = request_.memory_type.size();
    std::vector<std::byte> element(size);
    PCIO_TRY(way.run(state_.fill_element().data(), element.data(), 1));
    PCIO_ASSIGN(Dataspace row, Dataspace::simple(Dims(1, request_.memory_space.selected())));
    PieceCursor cursor(row, request_.memory_space);
    for (Piece piece; cursor.next(piece);)
      for (std::uint64_t i = 0; i < piece.count; ++i)
        std::memcpy(request_.buffer + (piece.memory_element + i) * size, element.data(), size);
    return Status();
  }

  Status run_move(const Move& move, std::string_view function) {
    TransferRequest request = request_;
    request.file_space = move.from;
    request.memory_space = move.memory;
    request.props.mode = TransferMode::kIndependent;
    TransferReport report;
    Status moved = transfer_of(move.source, request, &report, function);
    report_->counts += report.counts;
    return moved;
  }
  static Status transfer_of(const Location& source, const TransferRequest& request,
                            TransferReport* report, std::string_view function) {
    if (is_virtual(source)) return transfer_virtual(source, request, report, function, Status());
    return transfer_dataset(source.file->store(), source.object, request, report,
                            {function, source.path}, Status());
  }

  const DatasetState& state_;
  const TransferRequest& request_;
  TransferReport* report_;
  Sources sources_;
  std::vector<std::uint64_t> memory_elements_;
};

}  // namespace

bool is_virtual(const Location& dataset) {
  const auto state = dataset.file->store().datasets().state(dataset.object);
  return state && (*state)->virtual_data != nullptr && (*state)->unsupported.ok();
}

Status follow_sources(const Location& dataset) {
  PCIO_ASSIGN(DatasetState * state, dataset.file->store().datasets().state(dataset.object));
  if (!state->virtual_data || !state->unsupported.ok()) return Status();
  const FileLockScope sources_until_here;
  const Level level;
  PCIO_TRY(level.check());
  const VirtualData& data = *state->virtual_data;
  Dims dims = state->extent.dims();
  Dims fixed(dims.size(), 0);
  std::vector<bool> seen(dims.size(), false);
  std::vector<std::uint64_t> reached(dims.size(), 0);
  Sources sources(dataset, data, Direction::kRead);
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

Status transfer_virtual(const Location& dataset, const TransferRequest& request,
                        TransferReport* report, std::string_view function, const Status& checked) {
  FileStore& store = dataset.file->store();
  *report = TransferReport();
  report->used = true;
  report->direction = request.direction;
  report->requested.mode = request.props.mode;
  const bool parallel = store.parallel();
  Status local = checked;
  if (local.ok() && parallel && request.direction == Direction::kWrite)
    local = PCIO_ERROR(DATASET, UNSUPPORTED,
                       "virtual datasets of parallel files can't be written: each rank would open "
                       "the sources alone");
  if (parallel) call_went_too_far();
  if (local.ok())
    local = without_throwing([&]() -> Status {
      // Nobody waits for the sources while this rank waits for others.
      const FileLockScope sources_until_here;
      const Level level;
      PCIO_TRY(level.check());
      PCIO_ASSIGN(const DatasetState* state, store.datasets().state(dataset.object));
      report->bytes_selected = request.file_space.selected() * state->element_size();
      return VirtualTransfer(dataset, *state, request, report).run(function);
    });
  if (parallel && request.props.mode == TransferMode::kCollective) {
    LocalFacts facts;
    facts.call_kind = request.direction == Direction::kRead ? CallKind::kRead : CallKind::kWrite;
    local = detail::to_status(store.coordinator().agree({function, dataset.path}, facts, local));
  }
  report->transport = Transport::kNone;
  report->transport_why = "each rank reads the sources of a virtual dataset by itself";
  report->succeeded = local.ok();
  return local;
}

}  // namespace pcio
