// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The file that pciorepack makes. Room: tools, public headers only.

#include "new_file.hpp"

#include <filesystem>
#include <fstream>

namespace repack {

using tools::Failure;
using tools::Id;
using tools::need;
using tools::need_id;

namespace {

/// Smallest user block that holds so many bytes.
std::uint64_t block_for(std::uint64_t bytes) {
  std::uint64_t block = 512;
  while (block < bytes) block *= 2;
  return block;
}

void set_user_block(const Options& options, hid_t list) {
  std::uint64_t block = options.user_block;
  if (!options.user_block_file.empty()) {
    const std::uint64_t bytes = std::filesystem::file_size(options.user_block_file);
    if (block == 0) block = block_for(bytes);
    if (block < bytes)
      throw Failure(
          fmt::format("--block {}: {} has {} bytes", block, options.user_block_file, bytes));
  }
  if (block != 0) need(H5Pset_userblock(list, block), fmt::format("--block {}", block));
}

void set_space(const Options& options, hid_t list) {
  H5F_fspace_strategy_t strategy{};
  hbool_t persist = 0;
  hsize_t threshold = 0;
  need(H5Pget_file_space_strategy(list, &strategy, &persist, &threshold), "file space strategy");
  if (options.strategy == "FSM_AGGR") strategy = H5F_FSPACE_STRATEGY_FSM_AGGR;
  if (options.strategy == "PAGE") strategy = H5F_FSPACE_STRATEGY_PAGE;
  if (options.strategy == "AGGR") strategy = H5F_FSPACE_STRATEGY_AGGR;
  if (options.strategy == "NONE") strategy = H5F_FSPACE_STRATEGY_NONE;
  if (options.persist >= 0) persist = options.persist == 1;
  if (options.section_threshold >= 0) threshold = static_cast<hsize_t>(options.section_threshold);
  need(H5Pset_file_space_strategy(list, strategy, persist, threshold), "file space strategy");
  if (options.page_size >= 0)
    need(H5Pset_file_space_page_size(list, static_cast<hsize_t>(options.page_size)),
         "--fs_pagesize");
}

/// How the root group keeps its links and attributes: the file's own list says nothing of it.
void set_root(hid_t in, hid_t list) {
  const Id root = need_id(H5Gopen2(in, "/", H5P_DEFAULT), "/");
  const Id of = need_id(H5Gget_create_plist(root.get()), "/");
  unsigned order = 0, most = 0, least = 0;
  need(H5Pget_link_creation_order(of.get(), &order), "/");
  need(H5Pset_link_creation_order(list, order), "/");
  need(H5Pget_attr_creation_order(of.get(), &order), "/");
  need(H5Pset_attr_creation_order(list, order), "/");
  need(H5Pget_link_phase_change(of.get(), &most, &least), "/");
  need(H5Pset_link_phase_change(list, most, least), "/");
  need(H5Pget_attr_phase_change(of.get(), &most, &least), "/");
  need(H5Pset_attr_phase_change(list, most, least), "/");
}

}  // namespace

Id create_file(const tools::Ranks& ranks, const Options& options, hid_t in,
               const std::string& path) {
  const Id list = need_id(H5Fget_create_plist(in), options.in);
  set_root(in, list.get());
  set_user_block(options, list.get());
  set_space(options, list.get());
  const Id access = ranks.access_list();
  need(H5Pset_libver_bounds(access.get(), options.low, options.high), "--libver");
  need(H5Pset_alignment(access.get(), options.threshold, options.alignment), "--alignment");
  if (options.metadata_block != 0)
    need(H5Pset_meta_block_size(access.get(), options.metadata_block), "--metadata_block_size");
  return need_id(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, list.get(), access.get()), options.out);
}

void copy_user_block(const Options& options, std::uint64_t bytes_in_source,
                     const std::string& path) {
  const bool own = options.user_block_file.empty();
  const std::string& from = own ? options.in : options.user_block_file;
  std::uint64_t left = own ? bytes_in_source : std::filesystem::file_size(from);
  if (own && options.user_block != 0) left = std::min(left, options.user_block);
  if (left == 0) return;
  std::ifstream in(from, std::ios::binary);
  std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
  std::string bytes(1 << 20, '\0');
  while (left > 0 && in && out) {
    const std::uint64_t now = std::min<std::uint64_t>(left, bytes.size());
    in.read(bytes.data(), static_cast<std::streamsize>(now));
    if (in.gcount() <= 0) break;
    out.write(bytes.data(), in.gcount());
    left -= static_cast<std::uint64_t>(in.gcount());
  }
  out.close();
  if (left > 0 || !out) throw Failure(fmt::format("{}: its user block can't be copied", from));
}

}  // namespace repack
