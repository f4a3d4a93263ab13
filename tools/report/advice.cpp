// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: advise.

#include "advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "words.hpp"

namespace pcio_report {

const char* mistake_name(Mistake mistake) {
  constexpr std::array<const char*, static_cast<std::size_t>(Mistake::kCount)> kNames = {
      "independent", "not-collective", "chunks",  "conversion", "fill",   "straddle",
      "busy",        "rows",           "appends", "filters",    "flushes"};
  return kNames[static_cast<std::size_t>(mistake)];
}

namespace {

constexpr double kLeastShare = 0.01, kLeastGain = 200e-6;
/// Of chunks: fewer bytes cost more in calls and in the index than in bytes; so many are good.
constexpr std::uint64_t kSmallChunk = 64 << 10, kGoodChunk = 1 << 20;
/// Of a transfer, for each rank.
constexpr std::uint64_t kSmallTransfer = 256 << 10;
constexpr std::uint64_t kManyTransfers = 16, kManyChunks = 16;
/// Bytes in a second that a file system of today takes, where the run does not show it.
constexpr double kSlowestRate = 3e8, kUsualRate = 1e9, kFastestRate = 4e9;
/// Seconds of a transfer; a rank that also writes a log, or has an unlucky place, is later than others by less.
constexpr double kLeastLate = 1e-3;
/// Bytes in a second that a rank moves in memory while the others do, and between machines.
constexpr double kCopyRate = 2.5e9, kNodeRate = 5e8;

class Adviser {
 public:
  explicit Adviser(const Run& run) : run_(run), whole_(run.io_seconds()), rate_(best_rate(run)) {}

  std::vector<Advice> all() {
    for (const Dataset& dataset : run_.datasets) {
      independent(dataset);
      not_collective(dataset);
      tiny_chunks(dataset);
      conversion(dataset);
      straddling(dataset);
      busy_rank(dataset);
      many_calls(dataset);
      filters(dataset);
    }
    for (const File& file : run_.files) {
      fill(file);
      flushes(file);
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Advice& a, const Advice& b) { return a.gain > b.gain; });
    return std::move(found_);
  }

 private:
  /// What the run's best dataset reached, of the time in the file.
  static double best_rate(const Run& run) {
    double best = 0;
    for (const Dataset& each : run.datasets)
      if (each.moved() >= (1U << 20) && each.times[Part::kFile] > 0)
        best = std::max(best, static_cast<double>(each.moved()) / each.times[Part::kFile]);
    return best == 0 ? kUsualRate : std::clamp(best, kSlowestRate, kFastestRate);
  }

  void add(Advice advice) {
    advice.gain = std::min(advice.gain, whole_);
    if (advice.gain >= kLeastGain && advice.gain >= kLeastShare * whole_)
      found_.push_back(std::move(advice));
  }

  [[nodiscard]] double at_best(std::uint64_t bytes) const {
    return static_cast<double>(bytes) / rate_;
  }
  [[nodiscard]] const File* file_of(const Dataset& dataset) const {
    for (const File& file : run_.files)
      if (file.name == dataset.file) return &file;
    return nullptr;
  }
  [[nodiscard]] const MetadataCalls* calls_of(const Dataset& dataset, const char* kind) const {
    const File* const file = file_of(dataset);
    if (file == nullptr) return nullptr;
    const auto found = file->metadata.find(kind);
    return found == file->metadata.end() ? nullptr : &found->second;
  }
  /// How much of a file's metadata this dataset is answerable for.
  [[nodiscard]] double share_of_file(const Dataset& dataset) const {
    std::uint64_t all = 0;
    for (const Dataset& each : run_.datasets)
      if (each.file == dataset.file) all += each.chunks_touched;
    return all == 0 ? 1 : static_cast<double>(dataset.chunks_touched) / static_cast<double>(all);
  }
  /// Time that is spent for something else than bytes and what other advice is about.
  [[nodiscard]] double overhead(const Dataset& dataset) const {
    return std::max(0.0, dataset.seconds - at_best(dataset.moved()) -
                             dataset.times[Part::kConversion] - dataset.times[Part::kFill] -
                             late_waiting(dataset));
  }
  /// What a part of a mean rank's work is of the time that passes. Waiting is for ranks that do such work: it goes
  /// with it.
  static double of_all(double part, double mean, double waiting, double passed) {
    const double work = mean - waiting;
    return work <= 0 ? 0 : std::min(passed, part * passed / work);
  }
  static double of_all(double part, const Dataset& dataset) {
    return of_all(part, dataset.times.sum(), dataset.times[Part::kAgreement],
                  dataset.seconds - late_waiting(dataset));
  }
  /// Calls of one rank.
  static std::uint64_t calls_of_a_rank(const Dataset& dataset) {
    return dataset.collective + dataset.not_collective +
           (dataset.independent + dataset.ranks - 1) / dataset.ranks;
  }

  void independent(const Dataset& dataset) {
    if (dataset.independent == 0) return;
    const std::uint64_t pieces = std::max<std::uint64_t>(1, dataset.file_calls);
    add({Mistake::kIndependent, dataset.title(), "independent transfers",
         fmt::format("{} of {} were each rank's own: {} of about {} to the file, {}",
                     counted(dataset.independent, "transfer"), dataset.transfers(),
                     counted(dataset.file_calls, "call"), bytes_text(dataset.moved() / pieces),
                     seconds_text(dataset.independent_seconds)),
         "let all ranks make the call together: H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE), a "
         "rank without data with an empty selection (H5Sselect_none)",
         dataset.independent_seconds - at_best(dataset.selected)});
  }

  static const char* remedy_of(const std::string& causes) {
    struct Remedy {
      const char* word;
      const char* remedy;
    };
    constexpr std::array<Remedy, 6> kRemedies = {
        {{"independent I/O was asked for",
          "some rank's transfer list asks for individual I/O: H5Pset_dxpl_mpio_collective_opt"},
         {"derived types", "unset HDF5_MPI_OPT_TYPES, or use an MPI library that can"},
         {"MPI-POSIX", "use H5Pset_fapl_mpio: the MPI-POSIX driver has no collective I/O"},
         {"neither contiguous nor chunked", "make the dataset contiguous or chunked"},
         {"while checking", "a rank's arguments were wrong: its error stack says which"},
         {"", "see the causes in the report of the library (doc/REPORT.md)"}}};
    for (const Remedy& each : kRemedies)
      if (causes.find(each.word) != std::string::npos) return each.remedy;
    return "";
  }

  void not_collective(const Dataset& dataset) {
    if (dataset.not_collective == 0) return;
    std::string causes;
    for (const auto& [cause, count] : dataset.causes)
      causes += (causes.empty() ? "" : "; ") + cause;
    const double part = static_cast<double>(dataset.not_collective) /
                        static_cast<double>(std::max<std::uint64_t>(1, dataset.transfers()));
    add({Mistake::kNotCollective, dataset.title(), "transfers that could not be collective",
         fmt::format("{} asked to be collective and were not: {}",
                     counted(dataset.not_collective, "transfer"), causes),
         remedy_of(causes), part * overhead(dataset)});
  }

  void tiny_chunks(const Dataset& dataset) {
    const std::uint64_t transfers = std::max<std::uint64_t>(1, dataset.transfers());
    const Stored& stored = dataset.stored;
    if (stored.chunk.empty() || stored.chunk_bytes >= kSmallChunk ||
        dataset.chunks_touched / transfers < kManyChunks)
      return;
    double index = 0;
    for (const char* kind : {"create", "extend", "flush", "close"})
      if (const MetadataCalls* calls = calls_of(dataset, kind); calls != nullptr)
        index += std::max(0.0, calls->seconds - calls->fill);
    const double saved =
        1 - static_cast<double>(stored.chunk_bytes) / static_cast<double>(kGoodChunk);
    add({Mistake::kTinyChunks, dataset.title(), "tiny chunks",
         fmt::format("chunks have {} elements, {}: {} in a transfer", dims_text(stored.chunk),
                     bytes_text(stored.chunk_bytes), dataset.chunks_touched / transfers),
         "make chunks of about 1 MiB (H5Pset_chunk): fewer places to look up, fewer pieces to "
         "move and a smaller index",
         saved * (overhead(dataset) + share_of_file(dataset) * index)});
  }

  void conversion(const Dataset& dataset) {
    if (dataset.converted == 0) return;
    // Elements that are converted come from the cache to the file: what is not converted has to be fetched there.
    const double fetched =
        static_cast<double>(dataset.selected) / static_cast<double>(dataset.ranks) / kCopyRate;
    add({Mistake::kConversion, dataset.title(), "types are converted",
         fmt::format("each of {} elements of {} is converted, {} on a mean rank",
                     dataset.writes ? "the written" : "the read",
                     bytes_text(dataset.stored.element_bytes),
                     seconds_text(dataset.times[Part::kConversion])),
         "make the dataset of the type that the program has in memory (H5T_NATIVE_...)",
         of_all(dataset.times[Part::kConversion] - fetched, dataset)});
  }

  /// Pieces of chunks with filters go to the chunk's image, whoever has it: only the way there differs.
  static double saved_exchange(const Dataset& dataset, double part) {
    const double all = part * dataset.times[Part::kExchange];
    if (dataset.stored.filters.empty()) return all;
    const auto ranks = static_cast<double>(dataset.ranks);
    return std::min(all, static_cast<double>(dataset.sent) / ranks / kCopyRate +
                             static_cast<double>(dataset.between_nodes) / ranks / kNodeRate);
  }

  void straddling(const Dataset& dataset) {
    if (dataset.shared == 0 || dataset.distinct == 0 || dataset.ranks < 2) return;
    const double part =
        std::min(1.0, static_cast<double>(dataset.shared) / static_cast<double>(dataset.distinct));
    const bool filtered = !dataset.stored.filters.empty();
    add({Mistake::kStraddling, dataset.title(), "chunks that several ranks share",
         fmt::format("{:.0f} % of the chunks are touched by more than one rank{}: {} moved between "
                     "ranks",
                     100 * part,
                     filtered ? ", and with filters one of them has to gather all of a chunk" : "",
                     bytes_text(dataset.sent)),
         fmt::format("let the chunks follow what the ranks have: the shape now is {}; the best "
                     "one divides each rank's part and crosses no border of it",
                     dims_text(dataset.stored.chunk)),
         of_all(saved_exchange(dataset, part), dataset)});
  }

  struct Late {
    std::uint64_t rank = 0;
    unsigned transfers = 0;
    double waiting = 0;
  };
  /// The rank for which the others wait, again and again: chance does not choose the same one.
  static Late late_rank(const Dataset& dataset) {
    Late late;
    for (const auto& [rank, waiting] : dataset.late)
      if (waiting > late.waiting) late = {rank, dataset.lates.at(rank), waiting};
    const std::uint64_t all = dataset.collective + dataset.not_collective;
    if (dataset.ranks < 3 || late.transfers < 6 || 10 * std::uint64_t{late.transfers} < 7 * all ||
        late.waiting < 0.7 * dataset.waiting || late.waiting < kLeastLate * late.transfers)
      return {};
    return late;
  }
  static double late_waiting(const Dataset& dataset) { return late_rank(dataset).waiting; }

  void busy_rank(const Dataset& dataset) {
    const auto mean = static_cast<double>(dataset.selected) / static_cast<double>(dataset.ranks);
    const double most = static_cast<double>(dataset.most_selected);
    if (dataset.ranks > 1 && most > 2 * mean && mean > 0) {
      add({Mistake::kBusyRank, dataset.title(),
           fmt::format("rank {} has most of the data", dataset.most_selected_rank),
           fmt::format("it brings {} of {}", bytes_text(dataset.most_selected),
                       bytes_text(dataset.selected)),
           "let each rank bring what it has, and not one for all",
           (dataset.seconds - late_waiting(dataset)) * (1 - mean / most)});
    }
    const Late late = late_rank(dataset);
    if (late.waiting <= 0) return;
    add({Mistake::kBusyRank, dataset.title(), fmt::format("all wait for rank {}", late.rank),
         fmt::format("it came last to {} of {}; the others waited {} for it", late.transfers,
                     counted(dataset.collective + dataset.not_collective, "transfer"),
                     seconds_text(late.waiting)),
         "share out the work before the transfers more evenly: that rank does more than others",
         late.waiting});
  }

  /// Many small transfers, which grow the dataset or don't.
  void many_calls(const Dataset& dataset) {
    const std::uint64_t calls = calls_of_a_rank(dataset);
    if (calls < kManyTransfers || dataset.selected / calls / dataset.ranks >= kSmallTransfer)
      return;
    const std::uint64_t each = dataset.selected / calls / dataset.ranks;
    // As many bytes as a good transfer has, at once.
    const double fewer =
        std::max(1.0 / static_cast<double>(calls),
                 static_cast<double>(each) / static_cast<double>(4 * kSmallTransfer));
    const MetadataCalls* const extend = calls_of(dataset, "extend");
    const double saved = overhead(dataset) * (1 - fewer);
    if (extend != nullptr && dataset.writes && 2 * extend->calls >= calls) {
      add({Mistake::kAppends, dataset.title(), "small appends",
           fmt::format("the dataset grew {} times, for {} in {} of about {} a rank", extend->calls,
                       bytes_text(dataset.selected), counted(calls, "transfer"), bytes_text(each)),
           "collect some steps in memory and append them at once (H5Dset_extent by many rows, one "
           "H5Dwrite)",
           saved + (extend->seconds - extend->fill) * (1 - fewer)});
      return;
    }
    add({Mistake::kManyCalls, dataset.title(), "many small transfers",
         fmt::format("{} of about {} a rank, {} each: time goes to agreeing, not to bytes",
                     counted(calls, "transfer"), bytes_text(each),
                     seconds_text(dataset.seconds / static_cast<double>(calls))),
         "move more at once: one selection of many rows (H5Sselect_hyperslab) and one call in "
         "place "
         "of a loop over rows",
         saved});
  }

  /// Checksums and orders of bytes are not there to save anything.
  static bool compresses(const Dataset& dataset) {
    return std::any_of(dataset.stored.filters.begin(), dataset.stored.filters.end(),
                       [](const std::string& filter) {
                         return filter.find("fletcher32") == std::string::npos &&
                                filter.find("shuffle") == std::string::npos;
                       });
  }

  void filters(const Dataset& dataset) {
    if (!compresses(dataset)) return;
    const auto raw = static_cast<double>(dataset.raw);
    const auto stored = static_cast<double>(dataset.stored_bytes);
    if (raw <= 0 || stored < 0.95 * raw) return;
    add({Mistake::kFilters, dataset.title(), "filters that save nothing",
         fmt::format("{} of data are {} in the file; encoding and decoding took {} on a mean rank",
                     bytes_text(dataset.raw), bytes_text(dataset.stored_bytes),
                     seconds_text(dataset.times[Part::kFilters])),
         "leave the filters out, or put shuffle before the compression (H5Pset_shuffle)",
         of_all(dataset.times[Part::kFilters], dataset)});
  }

  void fill(const File& file) {
    double time = 0, gain = 0;
    std::uint64_t bytes = 0;
    for (const auto& [kind, calls] : file.metadata) {
      time += calls.fill;
      gain += of_all(calls.fill, calls.mean, calls.agreement, calls.seconds);
      bytes += calls.filled;
    }
    for (const Dataset& dataset : run_.datasets)
      if (dataset.file == file.name) {
        time += dataset.times[Part::kFill];
        gain += of_all(dataset.times[Part::kFill], dataset);
        bytes += dataset.filled;
      }
    if (time <= 0) return;
    add({Mistake::kFill, file.name, "fill values are written",
         fmt::format("{} of fill values were written, {} on a mean rank", bytes_text(bytes),
                     seconds_text(time)),
         "where the program writes all elements, switch them off: "
         "H5Pset_fill_time(list, H5D_FILL_TIME_NEVER)",
         gain});
  }

  void flushes(const File& file) {
    const auto found = file.metadata.find("flush");
    if (found == file.metadata.end() || found->second.calls < 8) return;
    const MetadataCalls& calls = found->second;
    add({Mistake::kFlushes, file.name, "many flushes",
         fmt::format("{}, {} in all", counted(calls.calls, "flush call"),
                     seconds_text(calls.seconds)),
         "flush where a kill may not lose what came before, and not after each dataset: a close "
         "flushes anyway",
         calls.seconds * (1 - 1 / static_cast<double>(calls.calls))});
  }

  const Run& run_;
  double whole_;
  double rate_;
  std::vector<Advice> found_;
};

}  // namespace

std::vector<Advice> advise(const Run& run) { return Adviser(run).all(); }

}  // namespace pcio_report
