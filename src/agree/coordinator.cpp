// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: agreements and their explanations when they fail.

#include "agree/coordinator.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "agree/heard_failure.hpp"
#include "base/library_lock.hpp"
#include "mpi/this_process.hpp"
#include "base/without_throwing.hpp"
#include "mpi/environment.hpp"

namespace pcio {

namespace {

/// Puts ranks that have only heard of a failure behind those that have one; MPI has fewer ranks.
constexpr std::uint64_t kHeardBit = std::uint64_t{1} << 32;

WireFacts to_wire_of(const LocalFacts& facts, const LogFacts& log, const Status& local, int rank) {
  WireFacts wire =
      to_wire(facts, log, local.ok() ? LocalOutcome::kGood : LocalOutcome::kFailed, rank);
  if (is_heard(local)) wire.failed_rank |= kHeardBit;
  return wire;
}

/// Innermost text of a failure, with the calls that led to it where they say more. Asks for no
/// memory: the others wait for it.
template <std::size_t kBytes>
void put_failure(const CallName& name, const Status& failure, FixedText<kBytes>* text) {
  text->append(name.function);
  if (!name.object.empty()) text->append(" on ").append(name.object.substr(0, kBytes / 4));
  text->append(": ");
  const auto& frames = failure.frames();
  if (frames.empty()) text->append("unknown failure");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (i == 0)
      text->append(frames[i].text);
    else if (!frames[i].text.empty())
      text->append(" (").append(frames[i].text).append(")");
  }
}

std::string text_of_mismatch(bool calls_differ, const std::string& first, std::uint64_t other,
                             const std::string& second) {
  std::string text = std::string(calls_differ ? "calls" : "metadata calls") +
                     " do not match: rank 0 is in " + first;
  if (other == kNoRank) return text + " on every rank, but on different objects";
  text += ", rank " + std::to_string(other) + " is in " + second;
  if (second == first) text += " (with other arguments)";
  return text;
}

}  // namespace

namespace {

/// Files that were poisoned, of all threads, and hold what takes all ranks to give back. A plain pointer, under the library's
/// lock: nothing is destroyed before the closing at exit, and no memory is asked for. Each call looks at it.
Coordinator* first_owing = nullptr;

}  // namespace

Coordinator::~Coordinator() { forget_debt(); }

void Coordinator::forget_debt() {
  if (!owes_) return;
  owes_ = false;
  Coordinator** link = &first_owing;
  while (*link != nullptr && *link != this) link = &(*link)->next_owing_;
  if (*link == this) *link = next_owing_;
}

void Coordinator::release_lost_files() noexcept {
  if (first_owing == nullptr) return;
  const ThreadCalls* const mine = this_threads_calls();
  for (Coordinator* one = first_owing; one != nullptr;) {
    // What another thread owes it gives back at the end of its call.
    if (one->owes_in_ != mine) {
      one = one->next_owing_;
      continue;
    }
    // What a call around this one has in hand is given back at its end, and what comes behind it, too: in one order on
    // all ranks.
    if (is_in_midst_of_call(one->communicates_in_)) return;
    // Others may come and go meanwhile.
    one->release_handles();
    one = first_owing;
  }
}

void Coordinator::release_handles() {
  if (!owes_) return;
  forget_debt();
  if (!mpi::is_active() || !barrier().ok()) return;
  if (at_loss_) at_loss_();
  board_.free();
  shared_.free();
}

Result<GlobalFacts> Coordinator::agree(const CallName& name, const LocalFacts& facts,
                                       const Status& local, std::uint32_t* causes) {
  if (causes != nullptr) *causes = facts.causes;
  PCIO_TRY(health());
  if (!comm_) {
    if (!local.ok()) return tl::unexpected<Status>(local);
    return to_global(to_wire_of(facts, LogFacts(), local, 0));
  }
  PCIO_TRY(check_not_within(name));
  note_communication(this);
  PCIO_ASSIGN(WireFacts wire, exchange(name, to_wire_of(facts, log_facts(), local, rank())));
  if (causes != nullptr) *causes = to_global(wire).causes;
  PCIO_TRY(explain(name, wire, local));
  return to_global(wire);
}

Status Coordinator::agree_on_parts(const CallName& name, std::span<const LocalFacts> facts,
                                   const PartBuffers& buffers, const Status& local) {
  PCIO_TRY(health());
  const LogFacts log = comm_ ? log_facts() : LogFacts();
  for (std::size_t i = 0; i < facts.size(); ++i)
    buffers.mine[i] = to_wire_of(facts[i], log, local, rank());
  if (!comm_) {
    std::copy(buffers.mine.begin(), buffers.mine.end(), buffers.all.begin());
    return local;
  }
  PCIO_TRY(check_not_within(name));
  note_communication(this);
  name_current_call(name);
  PCIO_TRY(allreduce_parts(buffers));
  // All ranks see the same facts, so they stop at the same part.
  for (const WireFacts& wire : buffers.all) PCIO_TRY(explain(name, wire, local));
  return Status();
}

Status Coordinator::outcome(const CallName& name, const Status& local) {
  LocalFacts facts;
  facts.call_kind = CallKind::kOutcome;
  PCIO_TRY(agree(name, facts, local));
  return Status();
}

bool Coordinator::is_exchanging() const {
  return communicates_in_ != 0 &&
         (communicates_in_ == number_of_call() || is_exchanging_around(communicates_in_));
}

Status Coordinator::check_not_within(const CallName& name) const {
  if (!is_exchanging_around(communicates_in_)) return Status();
  return PCIO_ERROR(
      FILE, CANTOPERATE,
      to_string(name) +
          ": all ranks make this call, but a function of the program makes it within " +
          current_call_ +
          ", for which the ranks of the file are exchanging data (a conversion or a "
          "filter can only make calls that do not communicate)");
}

/// Asks for no memory: the others wait for this rank already.
void Coordinator::name_current_call(const CallName& name) {
  constexpr std::size_t kLongestName = kCallBytes / 2 - 4;
  current_call_.clear();
  current_call_.append(name.function.substr(0, kLongestName));
  if (name.object.empty()) return;
  current_call_.append(" on ").append(name.object.substr(0, kLongestName));
}

Result<WireFacts> Coordinator::exchange(const CallName& name, WireFacts wire) {
  name_current_call(name);
  PCIO_TRY(allreduce_wire(wire));
  return wire;
}

Status Coordinator::explain(const CallName& name, const WireFacts& wire, const Status& local) {
  switch (judge(wire)) {
    case Verdict::kAgreed: log_.restart(); return Status();
    case Verdict::kDiverged:
    case Verdict::kFailed: return explain_failure(name, wire, local);
    case Verdict::kSpaceDiffers: return explain_space(name);
    case Verdict::kCallsDiffer:
    case Verdict::kLogsDiffer: break;
  }
  return explain_mismatch(name, wire);
}

Status Coordinator::explain_failure(const CallName& name, const WireFacts& wire,
                                    const Status& local) {
  const bool diverged = judge(wire) == Verdict::kDiverged;
  const int culprit = rank_to_ask(wire, judge(wire));
  LongText mine;
  if (diverged)
    mine.append(log_.last_failure());
  else
    put_failure(name, local, &mine);
  PCIO_ASSIGN(LongText theirs, text_of_rank(culprit, mine.view()));
  // A rank without memory for a text has a shorter one: the others wait for it.
  std::string text =
      PCIO_TEXT_("rank " + std::to_string(culprit) + ": " + std::string(theirs.view()));
  if (diverged) {
    text =
        PCIO_TEXT_(text + " (only some ranks failed there, so the ranks hold different metadata)");
    poison(PCIO_ERROR(FILE, CANTOPERATE, text));
  } else if (!in_step(wire)) {
    poison(PCIO_ERROR(FILE, CANTOPERATE, text + " (and the ranks have lost step)"));
  } else {
    log_.restart();
  }
  const bool told = is_heard(local) && !diverged && wire.failed_rank < kHeardBit;
  if (local.ok()) return PCIO_ERROR(FILE, CANTOPERATE, std::move(text));
  if (told) {
    // The kind of failure that it was told of.
    ErrorFrame frame = PCIO_FRAME(FILE, CANTOPERATE, std::move(text));
    frame.major = local.frames().front().major;
    frame.minor = local.frames().front().minor;
    return Status(std::move(frame));
  }
  Status failure = local;
  failure.push(PCIO_FRAME(
      FILE, CANTOPERATE,
      to_string(name) + ": failed on this process (rank " + std::to_string(rank()) + ")"));
  return failure;
}

/// The ranks made the same calls, and yet their maps of the file differ: whoever writes now writes
/// over something else.
Status Coordinator::explain_space(const CallName& name) {
  PCIO_ASSIGN(std::string since, first_difference(CallTrail::Mark::kSpace));
  Status failure =
      PCIO_ERROR(FILE, INCONSISTENTSTATE,
                 to_string(name) + ": the ranks have given out the file's space differently, " +
                     (since.empty() ? "in this call" : since));
  poison(failure);
  return failure;
}

/// "the first step that differs is ... on rank 0, ... on rank 1", and which argument does; empty where no
/// step shows it. Collective: over the file, up to nine exchanges, equally many on all ranks.
Result<std::string> Coordinator::first_difference(CallTrail::Mark mark) {
  const CallTrail& trail = log_.trail();
  CallTrail::Words words = trail.words();
  PCIO_TRY(broadcast(std::as_writable_bytes(std::span(words)), 0));
  const std::uint64_t mine = trail.first_difference(words, mark);
  std::uint64_t first = mine;
  PCIO_TRY(allreduce_min(std::span(&first, 1)));
  if (first == CallTrail::kNoStep)
    return mark == CallTrail::Mark::kCalls ? first_argument(log_.current_arguments())
                                           : Result<std::string>(std::string());
  std::uint64_t other = mine == first ? static_cast<std::uint64_t>(rank()) : kNoRank;
  PCIO_TRY(allreduce_min(std::span(&other, 1)));
  PCIO_ASSIGN(LongText zero, text_of_rank(0, trail.name_of(first)));
  PCIO_ASSIGN(LongText theirs, text_of_rank(static_cast<int>(other), trail.name_of(first)));
  std::string argument;
  if (mark == CallTrail::Mark::kCalls) {
    // A rank that waits in this very step has not made it yet.
    PCIO_ASSIGN(argument, first_argument(first == trail.steps() + 1 ? log_.current_arguments()
                                                                    : trail.arguments_of(first)));
  }
  return PCIO_TEXT_("the first step that differs is " + std::string(zero.view()) + " on rank 0, " +
                    std::string(theirs.view()) + " on rank " + std::to_string(other) +
                    (argument.empty() ? argument : "; " + argument));
}

/// "fill time (H5Pset_fill_time) differs: 2 on rank 0, 1 on rank 1", or "... differs between rank 0 and
/// rank 1" for what is no number; empty where no argument shows it, or where the calls are of
/// different kinds. Collective: over the file, up to four exchanges, equally many on all ranks.
Result<std::string> Coordinator::first_argument(const ArgumentMarks& mine) {
  ArgumentMarks::Words words = mine.words();
  PCIO_TRY(broadcast(std::as_writable_bytes(std::span(words)), 0));
  const std::size_t part = mine.first_difference(words);
  std::uint64_t lowest = part == ArgumentMarks::kNone
                             ? kNoRank
                             : std::uint64_t{part} << 32 | static_cast<std::uint64_t>(rank());
  PCIO_TRY(allreduce_min(std::span(&lowest, 1)));
  if (lowest == kNoRank) return std::string();
  const std::size_t which = lowest >> 32;
  const int other = static_cast<int>(lowest & 0xFFFFFFFF);
  PCIO_ASSIGN(const LongText name, text_of_rank(other, mine.name_of(which)));
  std::uint64_t theirs[2] = {mine.value_of(which), mine.is_number(which) ? 1U : 0U};
  PCIO_TRY(broadcast(std::as_writable_bytes(std::span(theirs)), other));
  const std::string rank = std::to_string(other);
  if (theirs[1] == 0)
    return PCIO_TEXT_(std::string(name.view()) + " differs between rank 0 and rank " + rank);
  return PCIO_TEXT_(std::string(name.view()) + " differs: " + std::to_string(words[2 * which + 1]) +
                    " on rank 0, " + std::to_string(theirs[0]) + " on rank " + rank);
}

Status Coordinator::explain_mismatch(const CallName& name, const WireFacts& wire) {
  const bool calls_differ = judge(wire) == Verdict::kCallsDiffer;
  const std::string mine =
      PCIO_TEXT_(calls_differ ? to_string(name) : to_string(name) + " after " + log_.describe());
  // A rank whose own facts are not rank 0's: the lowest such one is named beside rank 0.
  const LogFacts log = log_.facts();
  const std::uint64_t fingerprint = hash_text(mine, log.hash);
  std::uint64_t reference = fingerprint;
  PCIO_TRY(broadcast(std::as_writable_bytes(std::span(&reference, 1)), 0));
  std::uint64_t other = fingerprint == reference ? kNoRank : static_cast<std::uint64_t>(rank());
  PCIO_TRY(allreduce_min(std::span(&other, 1)));
  PCIO_ASSIGN(const LongText first, text_of_rank(0, mine));
  LongText second;
  if (other != kNoRank) {
    PCIO_ASSIGN(second, text_of_rank(static_cast<int>(other), mine));
  }
  // Also where ranks are in different calls: what they were asked before may be why.
  PCIO_ASSIGN(const std::string since, first_difference(CallTrail::Mark::kCalls));
  const std::string text = PCIO_TEXT_(
      text_of_mismatch(calls_differ, std::string(first.view()), other, std::string(second.view())) +
      (since.empty() ? since : "; " + since));
  Status failure = PCIO_ERROR(FILE, BADVALUE, text);
  poison(failure);
  return failure;
}

Result<Coordinator::LongText> Coordinator::text_of_rank(int root, std::string_view mine) {
  std::array<std::byte, 4 * kCallTextBytes> buffer{};
  if (rank() == root)
    std::memcpy(buffer.data(), mine.data(), std::min(mine.size(), buffer.size() - 1));
  PCIO_TRY(broadcast(buffer, root));
  buffer.back() = std::byte{0};
  return LongText(reinterpret_cast<const char*>(buffer.data()));
}

Status Coordinator::meet(const CallName& name, const NamedArguments& arguments,
                         const Status& local) {
  LocalFacts facts;
  facts.call_kind = CallKind::kMetadata;
  if (comm_) log_.expect(arguments.marks());
  Status all = detail::to_status(agree(name, facts, local));
  log_.expect(ArgumentMarks());
  return all;
}

Status Coordinator::begin_metadata_call(const CallName& name, ConstBytes arguments) {
  return begin_call(name, arguments, ArgumentMarks());
}

Status Coordinator::begin_metadata_call(const CallName& name, const NamedArguments& arguments) {
  return begin_call(name, arguments.view(),
                    comm_ && !is_alone() ? arguments.marks() : ArgumentMarks());
}

Status Coordinator::begin_call(const CallName& name, ConstBytes arguments,
                               const ArgumentMarks& marks) {
  PCIO_TRY(health());
  if (!comm_ || is_alone()) return Status();
  if (environment_.check_calls) PCIO_TRY(check_not_within(name));
  log_.record(name, arguments, marks);
  if (!environment_.check_calls) return Status();
  LocalFacts facts;
  facts.call_kind = CallKind::kMetadata;
  PCIO_TRY(agree(name, facts, Status()));
  return Status();
}

Status Coordinator::end_metadata_call(const CallName& name, Status result) {
  if (!comm_ || !poison_.ok()) return result;
  if (!environment_.check_calls) {
    if (!result.ok() && !trial_space_) log_.record_failure(name, result.message());
    note_step(name);
    return result;
  }
  Status all = outcome(name, result);
  return all;
}

void Coordinator::lose_metadata_call(const CallName& name, std::string_view why) noexcept {
  if (!comm_ || !poison_.ok()) return;
  log_.record_failure(name, why);
  note_step(name);
}

void Coordinator::lose_undo() noexcept {
  if (!comm_) {
    has_lost_undo_ = true;
    return;
  }
  lose_metadata_call({"taking back what failed", {}}, "out of memory");
  // Where all ranks have lost it none has what the file was.
  log_.differ(rank());
}

void Coordinator::note_step(const CallName& name) noexcept {
  if (comm_ && !is_alone()) log_.note_step(name, space_value());
}

LogFacts Coordinator::log_facts() const {
  LogFacts facts = log_.facts();
  const SpaceHash* const space = trial_space_ ? &*trial_space_ : space_;
  facts.space_hash = space != nullptr ? space->value() : 0;
  facts.allocations = space != nullptr ? space->allocations() : 0;
  return facts;
}

void Coordinator::begin_trial() noexcept {
  trial_space_ = space_ != nullptr ? *space_ : SpaceHash();
}

Status Coordinator::health() const {
  if (comm_ && process_ != this_process())
    return PCIO_ERROR(FILE, CANTOPERATE,
                      "the file was opened by the process that forked this one, and only that one "
                      "can use it");
  if (has_lost_undo_)
    return PCIO_ERROR(FILE, CANTOPERATE,
                      "memory ran out while a call that failed was undone: the file can only be "
                      "closed, and then is what it was after its last flush");
  return poison_;
}

void Coordinator::poison(const Status& why) {
  if (!poison_.ok() || why.ok()) return;
  poison_ = why;
  poison_.push(PCIO_FRAME(FILE, CANTOPERATE,
                          "the ranks of this file have lost step: it can only be closed"));
  if (!comm_ || !poisoned_in_step_) return;
  next_owing_ = std::exchange(first_owing, this);
  owes_in_ = this_threads_calls();
  owes_ = true;
}

}  // namespace pcio
