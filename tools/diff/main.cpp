// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pciodiff FILE1 FILE2 [OBJECT1 [OBJECT2]]: what differs between two HDF5 files. With all ranks of an MPI job or
// alone. Room: tools, public headers only.
//
// Exit status, as h5diff's: 0 nothing differs, 1 something does, 2 error or usage.

#include <set>

#include "compare.hpp"
#include "listing.hpp"

namespace {

using diff::Kind;
using diff::Listing;
using diff::Options;
using tools::Failure;
using tools::Id;

enum Exit { kSame = 0, kDifferent = 1, kError = 2 };

class Diff {
 public:
  Diff(const tools::Ranks& ranks, const Options& options) : ranks_(ranks), options_(options) {}

  int run() {
    std::string why;
    try {
      open();
      list();
    } catch (const std::exception& failure) {
      why = failure.what();
    }
    if (!ranks_.agree(why.empty(), &why)) throw Failure(why);
    const diff::Files files{files_[0].get(), files_[1].get()};
    tools::Progress progress(ranks_.first() && !options_.quiet ? options_.bar : tools::Bar::kOff,
                             bytes());
    diff::Comparison comparison(options_, ranks_, files, &progress);
    if (options_.verbose && ranks_.first() && !options_.quiet && objects_are_groups()) tell_lists();
    compare(&comparison);
    comparison.finish();
    return status(comparison.verdict());
  }

 private:
  static std::string start_of(const std::string& object) {
    if (object.empty() || object == "/") return "/";
    const std::string path = object[0] == '/' ? object : "/" + object;
    return path.back() == '/' ? path.substr(0, path.size() - 1) : path;
  }

  /// Each rank reads for itself: nothing there needs the others.
  void open() {
    for (int i = 0; i < 2; ++i) {
      files_[i] = Id(H5Fopen(options_.files[i].c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
      if (!files_[i].valid())
        throw Failure(fmt::format("<{}>: {}", options_.files[i], tools::last_reason()));
    }
  }

  void list() {
    for (int i = 0; i < 2; ++i) {
      start_[i] = start_of(options_.objects[i]);
      try {
        kinds_[i] = diff::kind_of(options_, files_[i].get(), start_[i]);
      } catch (const Failure&) {
        throw Failure(
            fmt::format("Object <{}> could not be found in <{}>", start_[i], options_.files[i]));
      }
    }
    if (!objects_are_groups()) return;
    for (int i = 0; i < 2; ++i)
      lists_[i] = diff::list_objects(options_, files_[i].get(), start_[i]);
  }

  bool objects_are_groups() const { return kinds_[0] == Kind::kGroup && kinds_[1] == Kind::kGroup; }

  std::string path_of(int i, const std::string& below) const {
    if (below.empty()) return start_[i];
    return start_[i] == "/" ? below : start_[i] + below;
  }

  void compare(diff::Comparison* comparison) const {
    if (!objects_are_groups()) {
      comparison->add({start_[0], start_[1]}, kinds_[0], kinds_[1]);
      return;
    }
    for (const auto& [path, kind] : lists_[0]) {
      const auto other = lists_[1].find(path);
      if (other == lists_[1].end())
        comparison->note_different();
      else
        comparison->add({path_of(0, path), path_of(1, path)}, kind, other->second);
    }
    for (const auto& [path, kind] : lists_[1])
      if (!lists_[0].contains(path)) comparison->note_different();
  }

  std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const auto& [path, kind] : lists_[0]) {
      if (kind != Kind::kDataset) continue;
      const Id set(H5Dopen2(files_[0].get(), path_of(0, path).c_str(), H5P_DEFAULT));
      const Id space(H5Dget_space(set.get())), type(H5Dget_type(set.get()));
      const hssize_t count = H5Sget_simple_extent_npoints(space.get());
      if (count > 0) all += 2 * static_cast<std::uint64_t>(count) * H5Tget_size(type.get());
    }
    H5Eclear2(H5E_DEFAULT);
    return all;
  }

  void tell_lists() const {
    std::set<std::string> all;
    for (const Listing& listing : lists_)
      for (const auto& [path, kind] : listing) all.insert(path);
    if (options_.level >= 3)
      fmt::print("file1: {}\nfile2: {}\n", options_.files[0], options_.files[1]);
    fmt::print("\nfile1     file2\n---------------------------------------\n");
    for (const std::string& path : all)
      fmt::print("{}{}    {:<15}\n", lists_[0].contains(path) ? "    x  " : "       ",
                 lists_[1].contains(path) ? "    x" : "     ", path.empty() ? "/" : path);
    fmt::print("\n");
  }

  int status(const diff::Verdict& verdict) const {
    if (verdict.not_comparable && ranks_.first() && !options_.contents && !options_.quiet)
      fmt::print(
          "--------------------------------\nSome objects are not comparable\n"
          "--------------------------------\nUse -c for a list of objects.\n");
    const bool strict = options_.strict && verdict.not_comparable;
    const int status = verdict.error ? kError : verdict.different || strict ? kDifferent : kSame;
    // The first rank knows what all found.
    return ranks_.broadcast(status);
  }

  const tools::Ranks& ranks_;
  const Options& options_;
  Id files_[2] = {Id(-1), Id(-1)};
  std::string start_[2];
  Kind kinds_[2] = {Kind::kOther, Kind::kOther};
  Listing lists_[2];
};

}  // namespace

int main(int argc, char** argv) {
  const tools::Ranks ranks(&argc, &argv);
  Options options;
  int status = kError;
  if (!diff::read_options(argc, argv, ranks.first(), &options, &status)) return status;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  std::string why;
  try {
    status = Diff(ranks, options).run();
  } catch (const std::exception& failure) {
    why = failure.what();
  }
  if (ranks.first() && !why.empty()) fmt::print(stderr, "pciodiff: {}\n", why);
  return why.empty() ? status : kError;
}
