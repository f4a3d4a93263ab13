// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: transfer_datasets.

#include "transfer/call/multi_transfer.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "base/without_throwing.hpp"
#include "transfer/call/counted_call.hpp"
#include "transfer/call/logged_dataset.hpp"
#include "transfer/call/region_commit.hpp"
#include "transfer/call/sequence_transfer.hpp"
#include "transfer/call/transfer_phases.hpp"

namespace pcio {

namespace {

/// Equal on two ranks only if they give the same datasets in the same order.
std::uint64_t hash_of(std::span<const MultiPart> parts) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const MultiPart& part : parts) hash = (hash ^ part.object->address) * 0x100000001b3U;
  return hash;
}

/// One dataset on its way through the phases.
struct Course {
  Course(FileStore& store, const MultiPart& part, std::string_view function)
      : part(part),
        name{function, part.path},
        job(store, part.object, part.request, Effort::kPerform),
        phases(job, report, name) {}
  const MultiPart& part;
  CallName name;
  TransferReport report;
  TransferJob job;
  TransferPhases phases;
};

/// The parts of a call in which all ranks take part. Each phase goes through all of them before the
/// ranks agree, so that the agreements are those of one transfer.
class CollectiveCall {
 public:
  CollectiveCall(FileStore& store, std::span<const MultiPart> parts, Direction direction,
                 const CallName& name)
      : store_(store),
        coordinator_(store.coordinator()),
        parts_(parts),
        direction_(direction),
        name_(name) {}

  Status run(const Status& checked) {
    const Status local = without_throwing([&] { return prepare(checked); });
    PCIO_TRY(agree_on_list(local));
    const IoCounters before = moved_here(store_);
    for (const MultiPart& part : parts_)
      PCIO_TRY(commit_regions_first(store_, part.object, part.request, name_));
    committed_ = moved_here(store_) - before;
    if (!courses_.empty() || sequences_.empty()) PCIO_TRY(move_together());
    listed_ = true;
    for (Sequences& part : sequences_) {
      const CallName name{name_.function, part.part->path};
      PCIO_TRY(transfer_sequences(store_, part.part->object, part.part->request, &part.report, name,
                                  Status()));
    }
    return Status();
  }

  /// All parts but those of variable length.
  Status move_together() {
    PCIO_TRY(coordinator_.agree_on_parts(name_, facts_, {mine_, all_}, Status()));
    listed_ = true;
    if (Status moved = move_all(); !moved.ok()) {
      for (const auto& course : courses_) course->phases.undo_allocation();
      return moved;
    }
    for (const auto& course : courses_) {
      course->phases.resume();
      Status concluded = course->phases.conclude();
      course->phases.pause();
      PCIO_TRY(std::move(concluded));
    }
    return Status();
  }

  /// Also where it failed on the way. Before the ranks know that they have the same parts, some may
  /// have fewer than others, so the call has one line then.
  void report(const Status& status, TransferReport* all) {
    if (courses_.empty() && sequences_.empty()) {
      all->used = true;
      all->local_causes = local_causes_;
      all->global_causes = global_causes_;
    }
    for (const auto& course : courses_) {
      course->phases.finish(status);
      if (listed_) log_transfer(store_, course->part.object, course->report, course->name);
      add_report(std::move(course->report), all);
    }
    for (Sequences& part : sequences_) {
      if (listed_)
        log_transfer(store_, part.part->object, part.report, {name_.function, part.part->path});
      add_report(std::move(part.report), all);
    }
    all->counts += counts_of(store_.driver(), committed_);
    if (!listed_) store_.report_log().log_collective(*all, name_);
  }

 private:
  /// Finds what is wrong with any of the parts, and gets all memory that later phases need.
  Status prepare(const Status& checked) {
    PCIO_TRY(Status(checked));
    courses_.reserve(parts_.size());
    facts_.reserve(parts_.size());
    sequences_.reserve(parts_.size());
    for (const MultiPart& part : parts_) {
      Status found = has_sequences(store_, part.object) ? prepare_sequences(part) : prepare(part);
      if (found.ok()) continue;
      found.push(PCIO_FRAME(DATASET, CANTINIT, "dataset \"" + part.path + "\""));
      return found;
    }
    return Status();
  }

  Status prepare(const MultiPart& part) {
    courses_.push_back(std::make_unique<Course>(store_, part, name_.function));
    PCIO_TRY(courses_.back()->phases.prepare(part.checked));
    facts_.push_back(to_local(courses_.back()->phases.facts()));
    mine_.resize(facts_.size());
    all_.resize(facts_.size());
    return Status();
  }

  Status prepare_sequences(const MultiPart& part) {
    sequences_.push_back(
        {&part, TransferReport(), std::make_unique<DatasetInTransfer>(part.object)});
    PCIO_TRY(Status(part.checked));
    return check_sequences(store_, part.object, part.request, {name_.function, part.path});
  }

  /// As many parts on all ranks, and the same ones: from here on nobody fails alone.
  Status agree_on_list(const Status& local) {
    ListFacts facts{direction_, cause::kCollective, parts_.size(), hash_of(parts_)};
    if (!local.ok()) facts.causes = cause::kErrorWhileChecking;
    for (const LocalFacts& part : facts_) facts.causes |= part.causes;
    local_causes_ = global_causes_ = facts.causes;
    auto answer = coordinator_.agree(name_, to_local(facts), local, &global_causes_);
    for (const auto& course : courses_) course->phases.set_global_causes(global_causes_);
    PCIO_ASSIGN(const GlobalFacts merged, std::move(answer));
    const AgreedList agreed = agreed_list(merged);
    if (!agreed.parts.equal())
      return PCIO_ERROR(ARGS, BADVALUE,
                        "the ranks give different numbers of datasets: from " +
                            std::to_string(agreed.parts.min) + " to " +
                            std::to_string(agreed.parts.max));
    if (!agreed.equal_parts)
      return PCIO_ERROR(ARGS, BADVALUE, "the ranks give different datasets, or in another order");
    return Status();
  }

  Status move_all() {
    Status status;
    any_calls_program_ = std::any_of(all_.begin(), all_.end(), [](const WireFacts& part) {
      return agreed_transfer(to_global(part)).calls_program;
    });
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      Status moved = move(i, status);
      if (moved.ok()) continue;
      // All ranks stop here, but others may still be busy with what came before.
      if (status.ok()) status = std::move(moved);
      break;
    }
    const bool apart = std::any_of(courses_.begin(), courses_.end(), [](const auto& course) {
      return course->phases.was_written_apart();
    });
    return apart ? store_.writer().show_with_outcome(name_, status)
                 : coordinator_.outcome(name_, status);
  }

  /// A rank that failed goes on with nothing to move, because the others need its exchanges.
  Status move(std::size_t i, Status& status) {
    TransferPhases& phases = courses_[i]->phases;
    phases.resume();
    const bool failed_before = !status.ok();
    AgreedTransfer agreed = agreed_transfer(to_global(all_[i]));
    agreed.has_unseen_writes = agreed.caches_apart && has_unseen_writes(agreed, i);
    // A function that one part's conversion calls may write to any of the datasets.
    agreed.calls_program = any_calls_program_;
    Status moved = phases.move_collective(agreed, outstanding_, status);
    if (!failed_before && !status.ok())
      status.push(PCIO_FRAME(DATASET, CANTINIT, "dataset \"" + courses_[i]->part.path + "\""));
    phases.pause();
    return moved;
  }

  /// What was unseen when the call began the first part has shown. Since then the dataset may have been written, and
  /// owners may have written what shares a page with it. Equal on all ranks.
  [[nodiscard]] bool has_unseen_writes(const AgreedTransfer& agreed, std::size_t i) const {
    if (i == 0) return agreed.has_unseen_writes;
    if (direction_ == Direction::kRead) return false;
    const auto is_near = [&](const auto& earlier) {
      return earlier->part.object == courses_[i]->part.object ||
             earlier->phases.was_written_apart();
    };
    const auto first = courses_.begin();
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(i), is_near);
  }

  FileStore& store_;
  Coordinator& coordinator_;
  std::span<const MultiPart> parts_;
  Direction direction_;
  const CallName& name_;
  /// Variable-length data has heaps to fill first: those parts come behind the others, one by one.
  struct Sequences {
    const MultiPart* part;
    TransferReport report;
    std::unique_ptr<DatasetInTransfer> in_transfer;  ///< also while others are moved
  };
  std::vector<std::unique_ptr<Course>> courses_;
  std::vector<Sequences> sequences_;
  std::vector<LocalFacts> facts_;
  std::vector<WireFacts> mine_;
  std::vector<WireFacts> all_;
  bool any_calls_program_ = false;  ///< of any part, on any rank
  CauseBits local_causes_ = cause::kErrorWhileChecking;
  CauseBits global_causes_ = cause::kErrorWhileChecking;
  Outstanding outstanding_ = Outstanding::kNothing;
  IoCounters committed_;  ///< before all parts: in no line of theirs
  bool listed_ = false;   ///< all ranks have the same parts
};

struct CallContext {
  TransferReport* report;
  const CallName& name;
  const Status& checked;
};

Status transfer_collective(FileStore& store, std::span<const MultiPart> parts, Direction direction,
                           const CallContext& context) {
  const CountedCall counted(store);
  CollectiveCall call(store, parts, direction, context.name);
  Status status = call.run(context.checked);
  call.report(status, context.report);
  return status;
}

/// Alone: what is wrong with any of the parts is found before the first moves.
Status check_all(FileStore& store, std::span<const MultiPart> parts, const CallName& name) {
  for (const MultiPart& part : parts) {
    Status found = part.checked;
    if (found.ok() && has_sequences(store, part.object)) {
      found = check_sequences(store, part.object, part.request, name);
    } else if (found.ok()) {
      TransferJob job(store, part.object, part.request, Effort::kPerform);
      found = job.prepare();
    }
    if (found.ok()) continue;
    found.push(PCIO_FRAME(DATASET, CANTINIT, "dataset \"" + part.path + "\""));
    return found;
  }
  return Status();
}

Status transfer_independent(FileStore& store, std::span<const MultiPart> parts,
                            TransferReport* report, const CallName& name, const Status& checked) {
  PCIO_TRY(Status(checked));
  PCIO_TRY(check_all(store, parts, name));
  // Conversions of one may do what they like to another.
  std::deque<DatasetInTransfer> in_transfer;
  for (const MultiPart& part : parts) in_transfer.emplace_back(part.object);
  for (const MultiPart& part : parts) {
    TransferReport one;
    Status done = transfer_dataset(store, part.object, part.request, &one,
                                   {name.function, part.path}, Status());
    add_report(std::move(one), report);
    PCIO_TRY(std::move(done));
  }
  return Status();
}

}  // namespace

Status transfer_datasets(FileStore& store, std::span<const MultiPart> parts, TransferReport* report,
                         const CallName& name, const Status& checked) {
  *report = TransferReport();
  if (parts.empty()) return checked;
  const bool collective =
      store.parallel() && parts.front().request.props.mode == TransferMode::kCollective;
  if (!collective) return transfer_independent(store, parts, report, name, checked);
  return transfer_collective(store, parts, parts.front().request.direction,
                             {report, name, checked});
}

Status transfer_no_datasets(FileStore& store, Direction direction, TransferReport* report,
                            const CallName& name, const Status& checked) {
  *report = TransferReport();
  return transfer_collective(store, {}, direction, {report, name, checked});
}

}  // namespace pcio
