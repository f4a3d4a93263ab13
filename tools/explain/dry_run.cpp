// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: the library's own dry run by simulated ranks.

#include "dry_run.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>

#include "base/without_throwing.hpp"
#include "disks.hpp"
#include "driver/file_stripes.hpp"
#include "driver/writer_lock.hpp"
#include "driver/mpi_settings.hpp"
#include "failure.hpp"
#include "filter/registry.hpp"
#include "object/dataset.hpp"
#include "object/dataset_io.hpp"
#include "object/traverse.hpp"
#include "plan/chunk_grid.hpp"
#include "transfer/pieces/chunk_selection.hpp"
#include "types.hpp"

namespace pcio_explain {

namespace {

using pcio::Result;
using pcio::Status;

pcio::Dims dims_of(const Numbers& numbers) {
  pcio::Dims dims;
  for (const std::uint64_t number : numbers) dims.push_back(number);
  return dims;
}

Numbers numbers_of(const pcio::Dims& dims) { return {dims.begin(), dims.end()}; }

/// The real MPI library's name: whose rules hold for calls. It may be asked before MPI_Init.
std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  if (PMPI_Get_library_version(text, &length) != MPI_SUCCESS) return "unknown";
  return std::string(text, static_cast<std::size_t>(length));
}

/// The file that is opened stands for another one: what that one's file system locks is told as a hint.
Result<pcio::MpioSettings> settings_with(std::uint64_t stripe) {
  if (stripe <= 1) return pcio::MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL);
  MPI_Info hints = MPI_INFO_NULL;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, pcio::kStripingUnit, std::to_string(stripe).c_str());
  Result<pcio::MpioSettings> settings = pcio::MpioSettings::create(MPI_COMM_WORLD, hints);
  MPI_Info_free(&hints);
  return settings;
}

Result<pcio::FilePtr> open_as(const std::string& path, pcio::OpenMode mode, std::uint64_t stripe) {
  PCIO_ASSIGN(const pcio::MpioSettings settings, settings_with(stripe));
  pcio::OpenFileRequest request;
  request.path = path;
  request.mode = mode;
  request.driver = &settings;
  request.access.driver = pcio::DriverChoice(settings.clone());
  return is_create(mode) ? pcio::File::create(request) : pcio::File::open(request);
}

/// Without fill values: nothing of the data is written.
Result<pcio::Location> make_data(const pcio::FilePtr& file, const Subject& subject) {
  pcio::DatasetRequest request;
  PCIO_ASSIGN(request.type, type_named(subject.type));
  PCIO_ASSIGN(request.space, pcio::Dataspace::simple(dims_of(subject.dims)));
  request.create.layout =
      subject.chunk.empty() ? pcio::Layout::kContiguous : pcio::Layout::kChunked;
  request.create.chunk_dims = subject.chunk;
  request.create.filters = subject.filters;
  request.create.fill_time = pcio::FillTime::kNever;
  PCIO_TRY(check_dataset_request(*file, request));
  pcio::NewSpace unfilled;
  PCIO_ASSIGN(pcio::Location made, make_dataset(file, request, &unfilled));
  PCIO_TRY(finish_fill(*file, made.object, unfilled, {"H5Dcreate2", "/data"}));
  made.path = "/data";
  return made;
}

Status select(const Slab& slab, pcio::Dataspace* space) {
  if (slab.empty()) {
    space->selection() = pcio::Selection::none();
    return Status();
  }
  return space->selection().select_hyperslab(
      space->dims(), pcio::SelectOp::kSet,
      {dims_of(slab.start), dims_of(slab.stride), dims_of(slab.count), dims_of(slab.block)});
}

/// The transfer of one rank, as a program would ask for it: its elements packed in memory.
Result<pcio::TransferRequest> request_of(const Settings& settings, const Slab& slab,
                                         const pcio::DatasetState& state) {
  static std::byte no_bytes{};  // a dry run doesn't look into it
  pcio::TransferRequest request;
  request.direction = settings.direction;
  request.memory_type = state.type;
  if (!settings.memory_type.empty()) {
    PCIO_ASSIGN(request.memory_type, type_named(settings.memory_type));
  }
  request.file_space = state.extent;
  PCIO_TRY(select(slab, &request.file_space));
  const std::uint64_t elements = slab.elements();
  PCIO_ASSIGN(request.memory_space,
              pcio::Dataspace::simple({std::max<std::uint64_t>(1, elements)}));
  if (elements == 0) request.memory_space.selection() = pcio::Selection::none();
  request.buffer = &no_bytes;
  pcio::TransferProps& props = request.props;
  props.mode =
      settings.independent ? pcio::TransferMode::kIndependent : pcio::TransferMode::kCollective;
  props.chunk_opt = settings.chunk_opt;
  props.chunk_opt_num = settings.chunk_opt_num;
  props.chunk_opt_ratio = settings.chunk_opt_ratio;
  props.forced_transport = settings.transport;
  if (state.chunked()) {
    PCIO_ASSIGN(const pcio::ChunkGrid grid, state.grid());
    props.keep_chunk_modes = grid.count() <= kMostChunks;
  }
  return request;
}

/// What the library says of its own choice of owners; and which chunks the rank touches.
Status find_touched(const pcio::Location& data, const pcio::DatasetState& state,
                    const pcio::TransferRequest& request, RankPlan* out) {
  if (!state.chunked()) return Status();
  PCIO_ASSIGN(const pcio::ChunkGrid grid, state.grid());
  if (grid.count() > kMostChunks) return Status();
  const pcio::ChunkSelection selection(grid, request.file_space, request.memory_space,
                                       state.element_size(), request.direction);
  out->touched = selection.touched([](pcio::ChunkOrdinal) { return true; });
  if (!state.filtered() || request.props.mode == pcio::TransferMode::kIndependent) return Status();
  PCIO_ASSIGN(pcio::OwnerPlan plan,
              pcio::agree_chunk_owners(data.file->coordinator(), out->touched,
                                       data.file->coordinator().machine(),
                                       request.direction == pcio::Direction::kRead
                                           ? pcio::read_scope(data.file->coordinator().machine())
                                           : pcio::OwnerScope::kFile));
  out->shares = std::move(plan.shares);
  return Status();
}

Status explain(const pcio::Location& data, const Settings& settings, const Slab& slab,
               RankPlan* out) {
  PCIO_ASSIGN(pcio::DatasetState * state, data.file->store().datasets().state(data.object));
  PCIO_ASSIGN(pcio::TransferRequest request, request_of(settings, slab, *state));
  pcio::OpenObject open(data.file, data.object, data.path);
  PCIO_TRY(explain_dataset(open, request, &out->report, "pcio_explain", Status()));
  return find_touched(data, *state, request, out);
}

Result<pcio::Location> find_data(const pcio::FilePtr& file, const std::string& name) {
  PCIO_ASSIGN(pcio::Location found, find_object(root_of(file), name));
  if (found.object->kind() != pcio::ObjectKind::kDataset)
    return PCIO_ERROR(DATASET, BADTYPE, "it is not a dataset");
  PCIO_ASSIGN(pcio::DatasetState * state, found.file->store().datasets().state(found.object));
  PCIO_TRY(Status(state->unsupported));
  if (!state->type.is_fixed())
    return PCIO_ERROR(DATASET, UNSUPPORTED, "its elements have variable length");
  if (state->virtual_data != nullptr)
    return PCIO_ERROR(DATASET, UNSUPPORTED, "it is virtual: look at its sources");
  if (state->extent.cls() != pcio::SpaceClass::kSimple || state->extent.npoints() == 0)
    return PCIO_ERROR(DATASET, UNSUPPORTED, "it has no elements to share out");
  return found;
}

/// A world with the subject's file, or one for a file that is yet to be made.
class World {
 public:
  World(const Subject& subject, int ranks, int nodes, std::uint64_t stripe)
      : subject_(subject),
        stripe_(stripe > 0
                    ? stripe
                    : pcio::find_lock_unit(subject.file,
                                           pcio::find_file_system(subject.file).number, {}, {})),
        folders_(static_cast<std::size_t>(ranks)),
        library_(library_version()),
        world_(options(ranks, nodes, library_)) {
    world_.put_file(RankFolders::name(), subject.file.empty()
                                             ? std::make_unique<SparseDisk>()
                                             : std::make_unique<SparseDisk>(subject.file));
    if (!subject.file.empty()) folders_.add_file();
  }

  /// body(the dataset, rank) as each rank. Throws Failure where one fails.
  void run(pcio::OpenMode mode,
           const std::function<Status(const pcio::Location&, std::size_t)>& body) {
    std::vector<Status> results(static_cast<std::size_t>(folders_.ranks()));
    const std::string kept = world_.run([&](int rank) {
      const auto r = static_cast<std::size_t>(rank);
      results[r] = pcio::without_throwing([&] { return run_rank(r, mode, body); });
    });
    for (const Status& each : results)
      if (!each.ok()) throw Failure(each.message());
    if (!kept.empty()) throw Failure("the ranks don't come to an end together: " + kept);
  }
  [[nodiscard]] const std::string& library() const { return library_; }

 private:
  static pcio::sim::SimOptions options(int ranks, int nodes, const std::string& library) {
    pcio::sim::SimOptions made;
    made.ranks = ranks;
    made.nodes = nodes;
    made.library = library;
    return made;
  }

  Status run_rank(std::size_t rank, pcio::OpenMode mode,
                  const std::function<Status(const pcio::Location&, std::size_t)>& body) {
    const bool made = subject_.file.empty();
    PCIO_ASSIGN(pcio::FilePtr file,
                open_as(folders_.path(rank), made ? pcio::OpenMode::kTruncate : mode, stripe_));
    Status done = [&]() -> Status {
      PCIO_ASSIGN(pcio::Location data,
                  made ? make_data(file, subject_) : find_data(file, subject_.dataset));
      return body(data, rank);
    }();
    const Status closed = file->release_file_id(file, "");
    return done.ok() ? closed : done;
  }

  const Subject& subject_;
  std::uint64_t stripe_;
  RankFolders folders_;
  std::string library_;
  pcio::sim::SimWorld world_;
};

}  // namespace

Subject look_at(const std::string& file, const std::string& dataset) {
  Subject subject;
  subject.file = file;
  subject.dataset = dataset;
  World world(subject, 1, 1, 0);
  Subject found = subject;
  world.run(pcio::OpenMode::kReadOnly, [&](const pcio::Location& data, std::size_t) -> Status {
    PCIO_ASSIGN(pcio::DatasetState * state, data.file->store().datasets().state(data.object));
    found.dims = numbers_of(state->extent.dims());
    if (state->chunked()) found.chunk = numbers_of(state->layout.chunk_dims);
    found.element_bytes = state->element_size();
    found.type = name_of_type(state->type);
    found.filters = state->filters;
    return Status();
  });
  return found;
}

Plan dry_run(const Subject& subject, const Settings& settings, const Deal& deal) {
  World world(subject, static_cast<int>(deal.size()), settings.nodes, settings.stripe);
  Plan plan;
  plan.subject = subject;
  plan.settings = settings;
  plan.mpi = world.library();
  plan.ranks.resize(deal.size());
  const pcio::OpenMode mode = settings.direction == pcio::Direction::kWrite
                                  ? pcio::OpenMode::kReadWrite
                                  : pcio::OpenMode::kReadOnly;
  world.run(mode, [&](const pcio::Location& data, std::size_t rank) {
    return explain(data, settings, deal[rank], &plan.ranks[rank]);
  });
  return plan;
}

}  // namespace pcio_explain
