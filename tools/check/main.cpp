// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pciocheck FILE...: whether files are sound: structure, checksums, who has which bytes; with --deep also the
// elements. With all ranks of an MPI job or alone. Room: tools, public headers only.
//
// Exit status, the largest over the files: 0 sound, 1 not opened or error, 2 usage, 3 something is wrong.

#include <algorithm>
#include <memory>

#include "links.hpp"
#include "object_check.hpp"
#include "ranks.hpp"
#include "report.hpp"

namespace {

using check::Findings;
using check::Object;
using check::Options;
using check::Walk;

enum Exit { kSound = 0, kNotOpened = 1, kWrong = 3 };

/// One file, by all ranks, each of which opens it for itself: nothing but reading.
class FileCheck {
 public:
  FileCheck(const tools::Ranks& ranks, const Options& options, const std::string& file)
      : ranks_(ranks), options_(options), name_(file) {}

  /// On the first rank all of it; on others their part.
  check::FileReport run() {
    report_.file = name_;
    std::string why;
    const bool readable = stands() && open(&why);
    std::string reason = why;
    // A note says nothing of why it can't be read.
    if (!ranks_.agree(readable || report_.wrong() > 0, &reason)) {
      report_.error = reason.empty() ? "another rank can't open it" : reason;
      return std::move(report_);
    }
    if (!readable) return std::move(report_);
    report_.opened = true;
    if (!ranks_.agree(check_objects(&why), &why)) throw tools::Failure(name_ + ": " + why);
    unite();
    return std::move(report_);
  }

 private:
  /// As pciorecover tells it. False where it can't be read for a reason that is told.
  bool stands() {
    pcio_commit_info_t& info = report_.commit;
    if (pcio_get_commit_info(name_.c_str(), &info, sizeof info) < 0) {
      why_ = tools::last_reason();
      return true;  // open() says it
    }
    Findings& found = report_.found;
    if (info.state == PCIO_COMMIT_BROKEN) {
      found.wrong("commit", "",
                  fmt::format("a commit was cut, and it cannot be completed: {}", info.why));
      return false;
    }
    if (info.state != PCIO_COMMIT_WHOLE)
      found.wrong("commit", "",
                  "a commit was cut; its journal is whole (pciorecover completes it)");
    if (info.state == PCIO_COMMIT_WHOLE && info.file_size < info.end_of_file) {
      found.wrong("end", "",
                  fmt::format("truncated: ends at byte {}, has {} bytes", info.end_of_file,
                              info.file_size));
      return false;
    }
    if (info.state == PCIO_COMMIT_WHOLE && info.file_size > info.end_of_file)
      found.note("end", "",
                 fmt::format("{} bytes behind its end that nobody reads",
                             info.file_size - info.end_of_file));
    return true;
  }

  bool open(std::string* why) {
    file_ = std::make_unique<tools::Id>(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (file_->valid()) return true;
    *why = tools::last_reason();
    return false;
  }

  std::string folder() const {
    const std::size_t slash = name_.rfind('/');
    return slash == std::string::npos ? "" : name_.substr(0, slash + 1);
  }

  /// Every rank finds all objects; who tells of one, and reads which of its elements, goes by its number.
  bool check_objects(std::string* why) {
    try {
      if (!ranks_.first()) report_.found = Findings();
      Findings nowhere;
      Walk walk(file_->get(), folder(), ranks_.first() ? &report_.found : &nowhere);
      const haddr_t root = root_address();
      const std::vector<Object> objects = walk.from(root, "/");
      if (ranks_.first()) ++report_.found.links[root].found;  // the superblock's
      walk.tell_to(&report_.found);
      tools::Progress progress(ranks_.first() && options_.deep ? options_.bar : tools::Bar::kOff,
                               bytes_of(objects));
      check::ObjectCheck checks(file_->get(), options_, &walk, &report_.found, &progress);
      if (ranks_.first()) check_file_itself();
      const auto size = static_cast<std::uint64_t>(ranks_.size());
      const auto rank = static_cast<std::uint64_t>(ranks_.rank());
      for (std::uint64_t i = 0; i < objects.size(); ++i) {
        const std::uint64_t first = (i + size - rank) % size;  // 0 on the rank whose object it is
        if (first == 0) checks.structure(objects[i]);
        if (options_.deep) checks.elements(objects[i], {first, size});
        checks.met();
      }
      report_.found.join_ranges();
      return true;
    } catch (const std::exception& failure) {
      *why = failure.what();
      return false;
    }
  }

  haddr_t root_address() const {
    H5O_info_t info{};
    const tools::Id root = tools::need_id(H5Gopen2(file_->get(), "/", H5P_DEFAULT), "/");
    tools::need(H5Oget_info(root.get(), &info), "/");
    return info.addr;
  }

  void check_file_itself() {
    const auto keep = [](const pcio_range_t* range, void* out) -> herr_t {
      static_cast<Findings*>(out)->ranges.push_back(
          {range->start, range->bytes, range->object, static_cast<std::uint8_t>(range->use)});
      return 0;
    };
    if (pcio_visit_ranges(file_->get(), 0, keep, &report_.found) < 0)
      check::tell_reason(&report_.found, "file", "");
  }

  /// For the bar: this rank's share of the elements as they are stored.
  std::uint64_t bytes_of(const std::vector<Object>& objects) const {
    std::uint64_t all = 0;
    if (!options_.deep || !ranks_.first()) return all;
    for (const Object& object : objects) {
      if (object.type != H5I_DATASET) continue;
      const tools::Id id(H5Oopen_by_addr(file_->get(), object.address));
      if (id.valid()) all += H5Dget_storage_size(id.get());
    }
    H5Eclear2(H5E_DEFAULT);
    return all / static_cast<std::uint64_t>(ranks_.size());
  }

  void unite() {
    Findings mine = std::move(report_.found);
    const std::vector<std::string> all =
        ranks_.gather(ranks_.first() ? std::string() : mine.pack());
    if (!ranks_.first()) return;
    for (std::size_t rank = 1; rank < all.size(); ++rank) mine.unpack(all[rank]);
    report_.found = std::move(mine);
    const pcio_commit_info_t& info = report_.commit;
    check::check_links(&report_.found);
    report_.space = check_space({info.user_block, info.end_of_file}, &report_.found);
  }

  const tools::Ranks& ranks_;
  const Options& options_;
  std::string name_, why_;
  std::unique_ptr<tools::Id> file_;
  check::FileReport report_;
};

int status_of(const check::FileReport& report) {
  if (!report.error.empty()) return kNotOpened;
  return report.wrong() > 0 ? kWrong : kSound;
}

int check_files(const tools::Ranks& ranks, const Options& options) {
  int worst = kSound;
  std::vector<check::FileReport> reports;
  for (const std::string& file : options.files) {
    check::FileReport report = FileCheck(ranks, options, file).run();
    if (!ranks.first()) continue;
    worst = std::max(worst, status_of(report));
    if (options.json)
      reports.push_back(std::move(report));
    else if (!options.quiet)
      print_report(report, options);
  }
  if (ranks.first() && options.json) print_json(reports);
  return ranks.broadcast(worst);
}

}  // namespace

int main(int argc, char** argv) {
  const tools::Ranks ranks(&argc, &argv);
  Options options;
  int status = kNotOpened;
  if (!check::read_options(argc, argv, ranks.first(), &options, &status)) return status;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  try {
    return check_files(ranks, options);
  } catch (const std::exception& failure) {
    if (ranks.first()) fmt::print(stderr, "pciocheck: {}\n", failure.what());
    return kNotOpened;
  }
}
