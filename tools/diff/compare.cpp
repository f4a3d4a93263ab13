// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// All objects of two files compared, by all ranks. Room: tools, public headers only.

#include "compare.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace diff {

using nlohmann::json;
using tools::need;
using tools::need_id;

namespace {

constexpr std::uint64_t kLarge = 4 << 20;  // bytes of a dataset that all ranks share
constexpr std::size_t kMostTasks = 256;    // small ones that are told together

enum Flag : std::uint64_t { kDifferent = 1, kNotComparable = 2, kError = 4 };

std::string pair_line(const char* word, const Names& names) {
  return fmt::format("{}: <{}> and <{}>\n", word, names[0], names[1]);
}

std::string count_line(std::uint64_t count) { return fmt::format("{} differences found\n", count); }

}  // namespace

void Comparison::put_outcome(const Outcome& outcome, const std::string& head, bool with_count,
                             std::string* to, Finding* finding) {
  const std::uint64_t count = std::min(outcome.count, options_.most);
  if (outcome.count > 0) finding->flags |= kDifferent;
  if (!outcome.not_comparable.empty()) {
    finding->flags |= kNotComparable;
    finding->contents += "Not comparable: " + outcome.not_comparable + "\n";
  }
  if (outcome.error) throw tools::Failure(outcome.reason);
  if (outcome.count == 0 && !tells_all()) return;
  if (!outcome.not_comparable.empty() && outcome.count == 0) return;
  *to += head;
  if (outcome.count > 0) *to += outcome.lines;
  if (with_count) *to += count_line(count);
}

void Comparison::examine_dataset(const Task& task, Finding* finding) {
  Outcome outcome;
  const DatasetPair pair(options_, files_, task.names, &outcome);
  pair.compare(0, pair.pieces(), &outcome);
  if (tells_all() && outcome.count > 0) {
    const auto last = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    outcome.lines = head_of(options_, pair.size_line(), last(task.names[0]), last(task.names[1])) +
                    outcome.lines;
  }
  put_outcome(outcome, pair_line("dataset", task.names), true, &finding->head, finding);
}

void Comparison::examine_link(const Task& task, Finding* finding) {
  std::vector<char> values[2];
  for (int i = 0; i < 2; ++i) {
    H5L_info_t info{};
    need(H5Lget_info(files_[i], task.names[i].c_str(), &info, H5P_DEFAULT), task.names[i]);
    values[i].resize(info.u.val_size + 1);
    need(H5Lget_val(files_[i], task.names[i].c_str(), values[i].data(), info.u.val_size,
                    H5P_DEFAULT),
         task.names[i]);
  }
  const bool different = values[0] != values[1];
  if (different) finding->flags |= kDifferent;
  if (different || options_.verbose)
    finding->head +=
        pair_line(task.kinds[0] == Kind::kSoft ? "link   " : "external link", task.names);
}

void Comparison::examine_type(const Task& task, Finding* finding) {
  const Id first = need_id(H5Topen2(files_[0], task.names[0].c_str(), H5P_DEFAULT), task.names[0]);
  const Id second = need_id(H5Topen2(files_[1], task.names[1].c_str(), H5P_DEFAULT), task.names[1]);
  const bool different = need(H5Tequal(first.get(), second.get()), task.names[0]) == 0;
  if (different) finding->flags |= kDifferent;
  if (different || options_.verbose) finding->head += pair_line("datatype", task.names);
}

void Comparison::examine_attributes(const Task& task, Finding* finding) {
  const Id first = need_id(H5Oopen(files_[0], task.names[0].c_str(), H5P_DEFAULT), task.names[0]);
  const Id second = need_id(H5Oopen(files_[1], task.names[1].c_str(), H5P_DEFAULT), task.names[1]);
  const AttributeLists lists = list_attributes(options_, first.get(), second.get(), task.names[0]);
  if (!lists.first_only.empty() || !lists.second_only.empty()) finding->flags |= kDifferent;
  if (options_.verbose && options_.level >= 2) {
    finding->tail += "   obj1   obj2\n --------------------------------------\n";
    const auto row = [&](const char* marks, const std::vector<std::string>& names) {
      for (const std::string& name : names) finding->tail += fmt::format("{}{:<15}\n", marks, name);
    };
    row("    x      x    ", lists.common);
    row("    x           ", lists.first_only);
    row("           x    ", lists.second_only);
  }
  if (options_.verbose && options_.level >= 1)
    finding->tail +=
        fmt::format("Attributes status:  {} common, {} only in obj1, {} only in obj2\n",
                    lists.common.size(), lists.first_only.size(), lists.second_only.size());
  for (const std::string& name : lists.common) {
    Outcome outcome;
    compare_attribute(options_, files_, {first.get(), second.get()}, task.names, name, &outcome);
    put_outcome(outcome,
                pair_line("attribute", {name + " of <" + task.names[0] + ">",
                                        name + " of <" + task.names[1] + ">"}),
                true, &finding->tail, finding);
  }
}

Comparison::Finding Comparison::examine(const Task& task, std::uint64_t number) {
  Finding finding;
  finding.task = number;
  try {
    if (task.kinds[0] != task.kinds[1]) {
      const bool dangling = task.kinds[0] == Kind::kDangling || task.kinds[1] == Kind::kDangling;
      finding.flags |= dangling ? kDifferent : kNotComparable;
      if (dangling)
        finding.head += count_line(1);
      else
        finding.contents = fmt::format(
            "Not comparable: <{}> is of type {} and <{}> is of type {}\n", task.names[0],
            kind_word(task.kinds[0]), task.names[1], kind_word(task.kinds[1]));
      return finding;
    }
    switch (task.kinds[0]) {
      case Kind::kGroup:
        if (options_.verbose) finding.head += pair_line("group  ", task.names) + count_line(0);
        break;
      case Kind::kDataset: examine_dataset(task, &finding); break;
      case Kind::kType: examine_type(task, &finding); break;
      case Kind::kSoft:
      case Kind::kExternal: examine_link(task, &finding); return finding;
      default: return finding;
    }
    examine_attributes(task, &finding);
  } catch (const std::exception& failure) {
    finding.flags |= kError;
    finding.contents = failure.what();
  }
  return finding;
}

/// A large dataset: rounds of pieces, so that what is told of it never lies in memory as a whole.
void Comparison::share(const Task& task, DatasetPair* pair) {
  const auto ranks = static_cast<std::uint64_t>(ranks_.size()),
             rank = static_cast<std::uint64_t>(ranks_.rank());
  const auto last = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  std::uint64_t count = 0;
  bool told_head = false;
  std::string why;
  bool not_comparable = false;
  for (std::uint64_t first = 0; first < pair->pieces(); first += ranks) {
    Outcome outcome;
    try {
      if (why.empty() && first + rank < pair->pieces())
        pair->compare(first + rank, first + rank + 1, &outcome);
      if (outcome.error) why = outcome.reason;
    } catch (const std::exception& failure) {
      why = failure.what();
    }
    not_comparable = not_comparable || !outcome.not_comparable.empty();
    const std::uint64_t found = ranks_.sum(outcome.count);
    if (found > 0 && tells_all() && count < options_.most) {
      for (const std::string& lines : ranks_.gather(outcome.lines)) {
        if (!ranks_.first() || lines.empty()) continue;
        if (!told_head)
          fmt::print(
              "{}{}", pair_line("dataset", task.names),
              head_of(options_, pair->size_line(), last(task.names[0]), last(task.names[1])));
        told_head = true;
        // Where only so many are to be told each rank has told so many: the first ones count.
        std::size_t end = 0;
        std::uint64_t told = count;
        while (told < options_.most && end < lines.size()) {
          end = lines.find('\n', end) + 1;
          ++told;
        }
        count = told;
        fmt::print("{}", lines.substr(0, end));
      }
      count = ranks_.most(count);
    }
    if (!tells_all() || found == 0) count += found;
    progress_.add(pair->bytes() / pair->pieces() * std::min(ranks, pair->pieces() - first),
                  task.names[0]);
  }
  std::string reason = why;
  if (!ranks_.agree(why.empty(), &reason)) {
    verdict_.error = true;
    if (ranks_.first()) fmt::print(stderr, "pciodiff: {}: {}\n", task.names[0], reason);
    return;
  }
  if (ranks_.most(not_comparable ? 1 : 0) > 0) verdict_.not_comparable = true;
  if (count > 0) verdict_.different = true;
  if (!ranks_.first() || options_.quiet || (count == 0 && !tells_all())) return;
  if (!told_head) fmt::print("{}", pair_line("dataset", task.names));
  fmt::print("{}", count_line(std::min(count, options_.most)));
}

void Comparison::add(const Names& names, Kind first, Kind second) {
  Task task{names, {first, second}};
  if (first != Kind::kDataset || second != Kind::kDataset) {
    tasks_.push_back(std::move(task));
  } else {
    std::unique_ptr<DatasetPair> pair;
    Outcome outcome;
    try {
      pair = std::make_unique<DatasetPair>(options_, files_, names, &outcome);
    } catch (const tools::Failure&) {
      pair.reset();  // found again, and told, where it is compared
    }
    const bool large =
        ranks_.most(pair && pair->comparable() && pair->bytes() >= kLarge ? 1 : 0) != 0;
    if (!large) {
      progress_.add(pair ? pair->bytes() : 0, names[0]);
      tasks_.push_back(std::move(task));
    } else {
      flush();
      if (pair) share(task, pair.get());
      // Its attributes remain.
      task.kinds[0] = task.kinds[1] = Kind::kOther;
      Finding finding;
      try {
        examine_attributes(task, &finding);
      } catch (const std::exception& failure) {
        finding.flags |= kError;
        finding.contents = failure.what();
      }
      tell({finding});
    }
  }
  if (tasks_.size() >= kMostTasks) flush();
}

/// Ranks compare their objects; the first one tells what all have found.
void Comparison::flush() {
  json mine = json::array();
  for (std::uint64_t i = 0; i < tasks_.size(); ++i) {
    if (i % static_cast<std::uint64_t>(ranks_.size()) != static_cast<std::uint64_t>(ranks_.rank()))
      continue;
    const Finding found = examine(tasks_[i], i);
    mine.push_back({found.task, found.flags, found.head, found.tail, found.contents});
  }
  // Names of files may be in no encoding at all: what isn't text is kept as bytes.
  const std::vector<std::uint8_t> packed = json::to_msgpack(mine);
  std::vector<Finding> findings;
  for (const std::string& part : ranks_.gather(std::string(packed.begin(), packed.end())))
    for (const json& one : json::from_msgpack(part.begin(), part.end())) {
      Finding finding;
      finding.task = one[0];
      finding.flags = one[1];
      finding.head = one[2];
      finding.tail = one[3];
      finding.contents = one[4];
      findings.push_back(std::move(finding));
    }
  tasks_.clear();
  std::sort(findings.begin(), findings.end(),
            [](const Finding& a, const Finding& b) { return a.task < b.task; });
  tell(findings);
}

void Comparison::tell(const std::vector<Finding>& findings) {
  if (!ranks_.first()) return;
  for (const Finding& finding : findings) {
    if ((finding.flags & kDifferent) != 0) verdict_.different = true;
    if ((finding.flags & kNotComparable) != 0) verdict_.not_comparable = true;
    if ((finding.flags & kError) != 0) {
      verdict_.error = true;
      if (!options_.quiet) fmt::print(stderr, "pciodiff: {}\n", finding.contents);
      continue;
    }
    if (options_.quiet) continue;
    fmt::print("{}{}", finding.head, finding.tail);
    if (options_.contents) fmt::print("{}", finding.contents);
  }
  std::fflush(stdout);
}

}  // namespace diff
