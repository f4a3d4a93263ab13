// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: advice.

#include "advice.hpp"

#include <fmt/format.h>

#include "words.hpp"

namespace pcio_explain {

using pcio_report::bytes_text;
using pcio_report::counted;
using pcio_report::percent_text;

namespace {

constexpr std::uint64_t kSmallChunk = 64 << 10, kManyChunks = 16;

bool is_tiny(const Plan& plan, const Figures& figures) {
  return !plan.subject.chunk.empty() && plan.subject.chunk_bytes() < kSmallChunk &&
         figures.touched.most >= kManyChunks;
}

double part(std::uint64_t some, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

/// What the other shape brings, in figures.
std::string gain_text(const Figures& now, const Trial& better) {
  const Figures& then = better.figures;
  std::string text = fmt::format("chunks of {} ({})", shape_text(better.subject.chunk),
                                 bytes_text(better.subject.chunk_bytes()));
  if (now.shared > 0)
    text += fmt::format(": {} shared in place of {}", then.shared, now.shared);
  else
    text += fmt::format(": {} in place of {}", counted(then.chunks, "chunk"), now.chunks);
  if (now.sent.sum > 0)
    text += fmt::format(", {} between ranks in place of {}", bytes_text(then.sent.sum),
                        bytes_text(now.sent.sum));
  return text + fmt::format(", {} of the busiest rank in place of {}",
                            counted(then.calls.most, "call"), now.calls.most);
}

class Adviser {
 public:
  Adviser(const Plan& plan, const Figures& figures, const std::optional<Trial>& better)
      : plan_(plan), figures_(figures), better_(better) {}

  std::vector<Advice> all() {
    not_collective();
    straddling();
    tiny_chunks();
    rewritten();
    conversion();
    scattered();
    busy_rank();
    few_owners();
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool has_better() const { return better_ && better_->figures.cost < figures_.cost; }
  [[nodiscard]] std::string shape_remedy(const char* otherwise) const {
    return has_better() ? gain_text(figures_, *better_) : otherwise;
  }
  void add(const char* name, std::string cause, std::string remedy) {
    found_.push_back({name, std::move(cause), std::move(remedy)});
  }

  void not_collective() {
    const pcio::TransferReport& report = plan_.ranks.front().report;
    if (report.global_causes == pcio::cause::kCollective) return;
    if (plan_.settings.independent)
      return add("independent", "each rank works by itself: nobody joins small pieces",
                 "let all ranks make the call together: H5Pset_dxpl_mpio(list, "
                 "H5FD_MPIO_COLLECTIVE), a rank without data with an empty selection");
    add("not-collective",
        "the transfer can't be collective: " + pcio::cause_text(report.global_causes),
        "doc/site/why-not-collective.md says what each cause means");
  }

  void straddling() {
    if (figures_.shared == 0 || figures_.sent.sum == 0) return;
    const bool filtered = !plan_.subject.filters.empty();
    add("straddle",
        fmt::format("{} of {} chunks ({}) are touched by more than one rank{}: {} between ranks",
                    figures_.shared, figures_.distinct,
                    percent_text(static_cast<double>(figures_.shared),
                                 static_cast<double>(figures_.distinct)),
                    filtered ? ", and with filters one of them gathers all of a chunk" : "",
                    bytes_text(figures_.sent.sum)),
        shape_remedy("choose chunks that divide each rank's part, or give the ranks parts that are "
                     "whole chunks"));
  }

  void tiny_chunks() {
    if (!is_tiny(plan_, figures_)) return;
    add("chunks",
        fmt::format("chunks have {}: {} of a rank, {} in the index",
                    bytes_text(plan_.subject.chunk_bytes()), figures_.touched.most,
                    figures_.chunks),
        shape_remedy("make chunks of about 1 MiB"));
  }

  /// What is read to be written again.
  void rewritten() {
    if (plan_.settings.direction != pcio::Direction::kWrite || figures_.read.sum == 0) return;
    add("rewrite",
        fmt::format("{} are read back, because pieces are written with gaps or chunks in parts",
                    bytes_text(figures_.read.sum)),
        "write whole chunks, or the elements between the pieces too");
  }

  void conversion() {
    if (!plan_.ranks.front().report.traits.converted) return;
    add("conversion",
        fmt::format("each element is converted between {} in memory and {} in the file",
                    plan_.settings.memory_type, plan_.subject.type),
        "make the dataset of the type that the program has in memory");
  }

  /// No chunk is shared, and still bytes go between ranks: runs are short.
  void scattered() {
    if (figures_.shared > 0 || figures_.sent.sum == 0) return;
    const bool contiguous = plan_.subject.chunk.empty();
    if (part(figures_.sent.sum, figures_.selected.sum) < 0.05) return;
    add("scattered",
        fmt::format("each rank's elements are in short runs{}: {} go to other ranks first, which "
                    "write long ones",
                    contiguous ? " of a contiguous dataset" : "", bytes_text(figures_.sent.sum)),
        contiguous
            ? shape_remedy("make the dataset chunked, with chunks that follow the ranks' parts")
            : "give the ranks parts that are longer along the last dimension");
  }

  void busy_rank() {
    const Spread& spread = figures_.selected;
    if (plan_.ranks.size() < 2 || static_cast<double>(spread.most) <= 1.5 * spread.mean) return;
    add("busy",
        fmt::format("rank {} has {}, {:.1f} times the mean; {} have nothing", spread.most_rank,
                    bytes_text(spread.most), static_cast<double>(spread.most) / spread.mean,
                    counted(figures_.idle, "rank")),
        "share the dataset out evenly: the slowest rank is the one with most bytes");
  }

  void few_owners() {
    const Spread& owned = figures_.owned;
    if (owned.sum == 0 || plan_.ranks.size() < 2 || owned.most < 2 ||
        static_cast<double>(owned.most) <= 1.5 * owned.mean)
      return;
    add("owners",
        fmt::format("rank {} filters {}, the mean is {:.1f}", owned.most_rank,
                    counted(owned.most, "chunk"), owned.mean),
        "have a multiple of the number of ranks of equal chunks");
  }

  const Plan& plan_;
  const Figures& figures_;
  const std::optional<Trial>& better_;
  std::vector<Advice> found_;
};

}  // namespace

Numbers better_chunk(const Plan& plan, const Figures& figures, const Deal& deal) {
  if (figures.shared == 0 && !is_tiny(plan, figures) && figures.sent.sum == 0) return {};
  const Numbers block = block_of(deal, plan.subject.dims);
  if (block.empty()) return {};
  Numbers chunk = aligned_chunk(block, plan.subject.element_bytes);
  return chunk == plan.subject.chunk ? Numbers() : chunk;
}

std::vector<Advice> advise(const Plan& plan, const Figures& figures,
                           const std::optional<Trial>& better) {
  return Adviser(plan, figures, better).all();
}

}  // namespace pcio_explain
