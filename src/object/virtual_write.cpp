// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: write_virtual.

#include "object/virtual_write.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/rank_status.hpp"
#include "base/without_throwing.hpp"
#include "object/virtual_plan.hpp"
#include "plan/interval_union.hpp"

namespace pcio {

namespace {

/// Sources that are in one file, in the order in which all ranks write them.
struct FileOfSources {
  std::string name;
  std::vector<SourceKey> keys;
  std::list<OwedClose> owed;  ///< what is to be remembered where it can't be closed
};

/// Numbers come ascending.
void append_number(std::vector<OrdinalInterval>& into, std::uint64_t number) {
  if (into.empty() || into.back().end() <= number) append_interval(into, {number, 1});
}

/// A source and this rank's part of it.
struct SourceWrite {
  Location source;
  TransferRequest request;
  /// Conversions of one source may do what they like to another.
  std::unique_ptr<DatasetInTransfer> in_transfer{};
};

/// Of what two sources were written in. Chunks of one and another are chunks; of a contiguous dataset and a
/// chunked one the later counts, because there is no word for both.
ActualIoMode united_mode(ActualIoMode before, ActualIoMode now) {
  if (now == ActualIoMode::kNoCollective) return before;
  const bool both_chunked = before <= ActualIoMode::kChunkMixed && now <= ActualIoMode::kChunkMixed;
  if (!both_chunked) return now;
  return static_cast<ActualIoMode>(static_cast<unsigned>(before) | static_cast<unsigned>(now));
}

/// One call on all ranks. Threads: one thread.
class CollectiveWrite {
 public:
  CollectiveWrite(const Location& dataset, const TransferRequest& request, TransferReport* report,
                  std::string_view function)
      : dataset_(dataset),
        coordinator_(dataset.file->coordinator()),
        request_(request),
        report_(report),
        name_{function, dataset.path} {}

  Status run(const Status& checked) {
    const SourceLevel level;
    RankStatus mine(checked);
    mine.unless_failed([&] { return level.check(); });
    mine.unless_failed([&] { return look(); });
    PCIO_TRY(agree_to_write(mine.status()));
    PCIO_TRY(unite_sources());
    for (FileOfSources& file : files_) PCIO_TRY(write_file(file));
    return Status();
  }

 private:
  Status look();
  Status agree_to_write(const Status& local);
  Status unite_sources();
  Result<std::vector<OrdinalInterval>> blocks_of(std::uint64_t mapping, RankStatus& ready);
  Status list_files(std::uint64_t m, const std::vector<OrdinalInterval>& blocks,
                    std::map<std::string, std::size_t>* known);
  Status write_file(FileOfSources& sources);
  Result<FilePtr> open(const FileOfSources& sources);
  Status close(const FilePtr& file, FileOfSources& sources);
  Status prepare(const FilePtr& file, const FileOfSources& sources,
                 std::vector<SourceWrite>* writes);
  Result<SourceWrite> part_of(const Location& source, const SourceKey& key);
  [[nodiscard]] const std::vector<VirtualMapping>& mappings() const {
    return state_->virtual_data->mappings;
  }

  const Location& dataset_;
  Coordinator& coordinator_;
  const TransferRequest& request_;
  TransferReport* report_;
  CallName name_;
  const DatasetState* state_ = nullptr;
  std::vector<VirtualMove> moves_;  ///< this rank's, ascending by key
  std::vector<FileOfSources> files_;
};

/// What this rank writes where. Sources are opened for reading, and closed before anybody writes.
Status CollectiveWrite::look() {
  // Nobody waits for the sources while this rank waits for others.
  const FileLockScope sources_until_here;
  PCIO_ASSIGN(state_, dataset_.file->store().datasets().state(dataset_.object));
  PCIO_TRY(check_counts(request_));
  if (request_.file_space.selected() == 0) return Status();
  Sources sources(dataset_, *state_->virtual_data, SourceOpening::kForReading);
  VirtualPlan plan(*state_, request_);
  PCIO_TRY(plan.make(sources));
  PCIO_TRY(plan.unite());
  moves_ = plan.moves();
  return sources.close();
}

/// From here on all ranks have a state, and lists of equal length.
Status CollectiveWrite::agree_to_write(const Status& local) {
  LocalFacts facts;
  facts.call_kind = CallKind::kWrite;
  facts.object = dataset_.object->address;
  facts.same[0] = state_ != nullptr && state_->virtual_data ? mappings().size() : 0;
  if (!local.ok()) facts.causes = cause::kErrorWhileChecking;
  report_->local_causes = report_->global_causes = facts.causes;
  PCIO_ASSIGN(const GlobalFacts all,
              coordinator_.agree(name_, facts, local, &report_->global_causes));
  if (all.same[0].equal()) return Status();
  return PCIO_ERROR(DATASET, BADVALUE,
                    "the ranks see different numbers of mappings: from " +
                        std::to_string(all.same[0].min) + " to " + std::to_string(all.same[0].max));
}

/// Memory follows what the ranks select, whatever the numbers of the blocks are.
Status CollectiveWrite::unite_sources() {
  RankStatus ready;
  std::vector<OrdinalInterval> mine;
  ready.unless_failed([&] {
    for (const VirtualMove& move : moves_) append_number(mine, move.key.mapping);
    return Status();
  });
  auto touched = gather_union(coordinator_, std::span<const OrdinalInterval>(mine));
  if (!touched) ready.note(touched.error());
  // Who doesn't know them can't take part in what follows.
  PCIO_TRY(coordinator_.outcome(name_, ready.status()));
  std::map<std::string, std::size_t> known;
  for (const OrdinalInterval& some : *touched)
    for (std::uint64_t m = some.first; m < some.end(); ++m) {
      std::vector<OrdinalInterval> blocks;
      const bool is_numbered = has_number(mappings()[m]);
      if (is_numbered) {
        PCIO_ASSIGN(blocks, blocks_of(m, ready));
      }
      ready.unless_failed([&] {
        if (!is_numbered) blocks.push_back({0, 1});
        return list_files(m, blocks, &known);
      });
    }
  return coordinator_.outcome(name_, ready.status());
}

/// The blocks that some rank writes. A rank that has failed takes part.
Result<std::vector<OrdinalInterval>> CollectiveWrite::blocks_of(std::uint64_t mapping,
                                                                RankStatus& ready) {
  std::vector<OrdinalInterval> mine;
  ready.unless_failed([&] {
    for (const VirtualMove& move : moves_)
      if (move.key.mapping == mapping) append_number(mine, move.key.block);
    return Status();
  });
  auto all = gather_union(coordinator_, std::span<const OrdinalInterval>(mine));
  PCIO_TRY(coordinator_.health());
  if (all) return all;
  ready.note(all.error());
  return std::vector<OrdinalInterval>();
}

Status CollectiveWrite::list_files(std::uint64_t m, const std::vector<OrdinalInterval>& blocks,
                                   std::map<std::string, std::size_t>* known) {
  const VirtualMapping& mapping = mappings()[m];
  for (const OrdinalInterval& some : blocks)
    for (std::uint64_t block = some.first; block < some.end(); ++block) {
      const std::string name = has_number(mapping) ? numbered(mapping.file, block) : mapping.file;
      const auto [it, is_new] = known->emplace(name, files_.size());
      if (is_new) files_.push_back({name, {}, {{nullptr}}});
      files_[it->second].keys.push_back({static_cast<std::uint32_t>(m), block});
    }
  return Status();
}

/// All ranks have the file, or none. It is opened as the one with the virtual dataset; where the program has it
/// open with the same ranks this is one more opening of it.
Result<FilePtr> CollectiveWrite::open(const FileOfSources& sources) {
  File& parent = *dataset_.file;
  OpenFileRequest request;
  request.mode = OpenMode::kReadWrite;
  request.driver = &parent.access().driver.value();
  request.checked = without_throwing([&]() -> Status {
    request.access = parent.access();
    request.access.file_image.reset();
    request.access.page_buffer_size = 0;
    request.path = source_path(sources.name, *state_->virtual_data, parent);
    if (request.path.empty())
      return PCIO_ERROR(FILE, CANTOPENFILE,
                        "the source file \"" + sources.name + "\" is not there");
    PCIO_ASSIGN(const FilePtr have, take_open_file(identify_file(request.path), ""));
    // One that this rank reads alone is its own.
    if (!have || !have->parallel()) return Status();
    // The list says nothing of a file that is open.
    request.access.close_degree = have->close_degree();
    request.access.use_file_locking = have->access().use_file_locking;
    return Status();
  });
  auto opened = File::open(request);
  if (opened) return opened;
  Status failed = std::move(opened.error());
  failed.push(PCIO_FRAME(DATASET, WRITEERROR,
                         "a source file of a virtual dataset can't be opened by all ranks for "
                         "writing"));
  return detail::StatusReturn(std::move(failed));
}

/// This rank's part of a source, which may be nothing.
Result<SourceWrite> CollectiveWrite::part_of(const Location& source, const SourceKey& key) {
  File& file = *source.file;
  if (!file.parallel() || !shares_ranks(file, *dataset_.file))
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "the source \"" + source.path +
                          "\" is in a file that its mapping does not name, and that the ranks do "
                          "not have open together");
  PCIO_TRY(check_writable(file));
  PCIO_ASSIGN(const Extent* extent, extent_of(source));
  SourceWrite write{source, request_};
  const auto found =
      std::lower_bound(moves_.begin(), moves_.end(), key,
                       [](const VirtualMove& move, const SourceKey& k) { return move.key < k; });
  if (found == moves_.end() || found->key != key) {
    write.request.file_space = *extent;
    write.request.file_space.selection() = Selection::none();
    write.request.memory_space.selection() = Selection::none();
    write.request.memory_space.set_selection_offset({});
    return write;
  }
  if (!(found->from.dims() == extent->dims()))
    return PCIO_ERROR(DATASET, BADVALUE,
                      "the source \"" + source.path + "\" has changed its extent meanwhile");
  write.request.file_space = found->from;
  write.request.memory_space = found->memory;
  return write;
}

Status CollectiveWrite::prepare(const FilePtr& file, const FileOfSources& sources,
                                std::vector<SourceWrite>* writes) {
  for (const SourceKey& key : sources.keys) {
    const VirtualMapping& mapping = mappings()[key.mapping];
    const std::string name =
        has_number(mapping) ? numbered(mapping.dataset, key.block) : mapping.dataset;
    PCIO_ASSIGN(const Location source, source_in(file, name, dataset_));
    if (!source.object)
      return PCIO_ERROR(
          DATASET, NOTFOUND,
          "the source \"" + name + "\" of a virtual dataset is not in \"" + file->path() + "\"");
    PCIO_ASSIGN(SourceWrite write, part_of(source, key));
    write.in_transfer = std::make_unique<DatasetInTransfer>(source.object);
    writes->push_back(std::move(write));
  }
  return Status();
}

/// Where its commit fails the file stays open on all ranks, and so does what was written.
Status CollectiveWrite::close(const FilePtr& file, FileOfSources& sources) {
  Status closed = file->release_file_id(file, "");
  if (closed.ok() || !file->is_open()) return closed;
  sources.owed.front().file = file;
  dataset_.file->owe_close(sources.owed);
  return closed;
}

Status CollectiveWrite::write_file(FileOfSources& sources) {
  const bool here = sources.name == ".";
  FilePtr file = dataset_.file;
  if (!here) {
    PCIO_ASSIGN(file, open(sources));
  }
  std::vector<SourceWrite> writes;
  RankStatus mine;
  mine.unless_failed([&] { return prepare(file, sources, &writes); });
  // From here on what fails has failed on all ranks.
  Status status = coordinator_.outcome(name_, mine.status());
  for (std::size_t i = 0; status.ok() && i < writes.size(); ++i) {
    TransferReport report;
    status = transfer_source(writes[i].source, writes[i].request, &report, name_.function);
    const ActualIoMode before = report_->used ? report_->io_mode : ActualIoMode::kNoCollective;
    add_report(std::move(report), report_);
    report_->io_mode = united_mode(before, report_->io_mode);
  }
  writes.clear();
  if (here) return status;
  Status closed = close(file, sources);
  return status.ok() ? closed : status;
}

}  // namespace

Status write_virtual(const Location& dataset, const TransferRequest& request,
                     TransferReport* report, std::string_view function, const Status& checked) {
  Status status = CollectiveWrite(dataset, request, report, function).run(checked);
  report->used = true;
  report->direction = Direction::kWrite;
  report->requested.mode = request.props.mode;
  report->succeeded = status.ok();
  return status;
}

}  // namespace pcio
