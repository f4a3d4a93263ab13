// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pciorepack IN OUT: writes an HDF5 file anew, with all ranks of an MPI job or alone.
// Room: tools, public headers only.
//
// Exit status: 0 done, 1 not done, 2 usage.

#include <algorithm>
#include <filesystem>
#include <optional>
#include <pcio.h>

#include "attributes.hpp"
#include "data.hpp"
#include "dataset_list.hpp"
#include "new_file.hpp"
#include "options.hpp"
#include "part_file.hpp"
#include "ranks.hpp"
#include "structure.hpp"

namespace {

using repack::Item;
using repack::Options;
using tools::Failure;
using tools::Id;

enum Exit { kDone = 0, kNotDone = 1, kUsage = 2 };

class Repack {
 public:
  Repack(const tools::Ranks& ranks, const Options& options) : ranks_(ranks), options_(options) {}

  void run() {
    part_.emplace(ranks_.broadcast(repack::part_name(options_.out)));
    std::string why;
    try {
      check_names();
      write();
    } catch (const std::exception& failure) {
      why = failure.what();
    }
    if (!ranks_.agree(why.empty(), &why)) throw Failure(why);
    finish();
  }

 private:
  void check_names() const {
    std::error_code absent;
    if (std::filesystem::equivalent(options_.in, options_.out, absent))
      throw Failure(options_.out + ": it is the file that is read");
  }

  /// A failure of one rank reaches the others with the next call of all ranks.
  void write() {
    const Id access = ranks_.access_list();
    const Id in =
        tools::need_id(H5Fopen(options_.in.c_str(), H5F_ACC_RDONLY, access.get()), options_.in);
    const Id list = tools::need_id(H5Fget_create_plist(in.get()), options_.in);
    tools::need(H5Pget_userblock(list.get(), &user_block_), options_.in);
    repack::find_named(in.get(), &options_);
    Id out = repack::create_file(ranks_, options_, in.get(), part_->path());
    {
      repack::Twins twins(in.get(), out.get(),
                          options_.forget_unlinked ? repack::Twins::Unlinked::kForgotten
                                                   : repack::Twins::Unlinked::kRefused);
      fill(&twins);
    }
    const hid_t id = out.release();
    tools::need(H5Fclose(id), options_.out);
  }

  /// Runs what all ranks do alike; where it fails on some it fails on all.
  template <typename Work>
  auto together(hid_t file, Work&& work) {
    decltype(work()) result;
    std::string why;
    try {
      result = work();
    } catch (const std::exception& failure) {
      why = failure.what();
    }
    if (!ranks_.agree(why.empty(), &why)) throw Failure(why);
    tools::need(pcio_agree(file, 0, 0, nullptr, nullptr), options_.out);
    return result;
  }

  void fill(repack::Twins* twins) {
    const std::vector<Item> items = together(twins->out(), [&] {
      std::vector<Item> made =
          repack::make_structure(options_, twins, [&](const std::string& text) { warn(text); });
      for (const Item& item : made) repack::copy_attributes(twins, item);
      return made;
    });
    std::uint64_t bytes = 0;
    for (const Item& item : items)
      if (item.type == H5O_TYPE_DATASET) bytes += repack::bytes_of(twins->in(), item.path);
    tools::Progress progress(ranks_.first() ? options_.bar : tools::Bar::kOff, bytes);
    repack::DataCopy copy(ranks_, options_.memory, twins, &progress);
    for (const Item& item : items)
      if (item.type == H5O_TYPE_DATASET) {
        copy.copy(item);
        if (options_.verbose) describe(*twins, item);
      }
  }

  void describe(const repack::Twins& twins, const Item& item) const {
    const Id in(H5Dopen2(twins.in(), item.path.c_str(), H5P_DEFAULT));
    const Id out(H5Dopen2(twins.out(), item.path.c_str(), H5P_DEFAULT));
    const hsize_t before = H5Dget_storage_size(in.get()), after = H5Dget_storage_size(out.get());
    if (ranks_.first())
      fmt::print("{}: {} -> {}\n", tools::printable(item.path), tools::bytes_in_words(before),
                 tools::bytes_in_words(after));
  }

  void warn(const std::string& text) const {
    if (ranks_.first()) fmt::print(stderr, "pciorepack: {}\n", text);
  }

  /// The new file is whole: the first rank gives it its name.
  void finish() {
    std::string why;
    if (ranks_.first()) try {
        repack::copy_user_block(options_, user_block_, part_->path());
        part_->finish(options_.out);
      } catch (const std::exception& failure) {
        why = failure.what();
      }
    if (!ranks_.agree(why.empty(), &why)) throw Failure(why);
    part_->leave();
  }

  const tools::Ranks& ranks_;
  Options options_;
  std::optional<repack::PartFile> part_;
  hsize_t user_block_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const tools::Ranks ranks(&argc, &argv);
  Options options;
  int status = kUsage;
  if (!repack::read_options(argc, argv, ranks.first(), &options, &status)) return status;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  try {
    Repack(ranks, options).run();
    return kDone;
  } catch (const std::exception& failure) {
    if (ranks.first()) fmt::print(stderr, "pciorepack: {}\n", failure.what());
    return kNotDone;
  }
}
