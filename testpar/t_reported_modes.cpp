// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Modes of collective chunk I/O and their thresholds, as a program sees them: what is asked for,
// what is reported, chunk by chunk. Room: testpar, public headers only.
//
// Source: HDF Group, RFC "Actual I/O Mode" (2013), and the flow of collective chunk I/O.

#include <algorithm>
#include <cstdlib>

#include "support.hpp"
#include "testpar/views.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>
#include <vector>

using par::Id;

namespace {

/// A one-dimensional dataset in a file of its own; chunk k holds elements [k * width, (k + 1) *
/// width).
struct Target {
  Id access, file, dataset;
  hsize_t chunks = 0, width = 0;
};

Target make_target(const char* word, hsize_t chunks, hsize_t width) {
  Target t;
  t.chunks = chunks;
  t.width = width;
  t.access = Id(par::mpio_access());
  t.file = Id(H5Fcreate(par::file_name(word).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, t.access));
  const hsize_t dims = chunks * width;
  const Id space(H5Screate_simple(1, &dims, nullptr)), create(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(create, 1, &width);
  t.dataset =
      Id(H5Dcreate2(t.file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT));
  CHECK(t.dataset.valid());
  return t;
}

/// What a transfer reports on this rank.
struct Seen {
  H5D_mpio_actual_chunk_opt_mode_t option = H5D_MPIO_NO_CHUNK_OPTIMIZATION;
  H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
  uint32_t local = 99, global = 99;
  std::vector<pcio_chunk_mode_t> chunks;
};

Seen seen_of(hid_t list) {
  Seen seen;
  H5Pget_mpio_actual_chunk_opt_mode(list, &seen.option);
  H5Pget_mpio_actual_io_mode(list, &seen.mode);
  H5Pget_mpio_no_collective_cause(list, &seen.local, &seen.global);
  std::size_t count = 0;
  CHECK(pcio_get_chunk_modes(list, &count, nullptr) >= 0);
  seen.chunks.resize(count);
  if (count > 0) CHECK(pcio_get_chunk_modes(list, &count, seen.chunks.data()) >= 0);
  return seen;
}

/// Each rank writes, of each chunk in `touched`, the element with its own number, and reads it
/// back: both directions must report the same.
Seen write_and_read(const Target& t, const std::vector<hsize_t>& touched, hid_t list) {
  pcio_set_dxpl_report_chunks(list, 1);
  const Id space(H5Dget_space(t.dataset));
  H5Sselect_none(space);
  const hsize_t one = 1;
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const hsize_t at = touched[i] * t.width + static_cast<hsize_t>(par::rank());
    H5Sselect_hyperslab(space, i == 0 ? H5S_SELECT_SET : H5S_SELECT_OR, &at, nullptr, &one,
                        nullptr);
  }
  const hsize_t count = std::max<hsize_t>(touched.size(), 1);
  const Id memory(H5Screate_simple(1, &count, nullptr));
  if (touched.empty()) H5Sselect_none(memory);
  std::vector<int> values(count), back(count, -1);
  for (std::size_t i = 0; i < touched.size(); ++i)
    values[i] = static_cast<int>(100 * touched[i]) + par::rank();
  CHECK(H5Dwrite(t.dataset, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
  const Seen wrote = seen_of(list);
  CHECK(H5Dread(t.dataset, H5T_NATIVE_INT, memory, space, list, back.data()) >= 0);
  const Seen read = seen_of(list);
  CHECK(touched.empty() || values == back);
  CHECK(wrote.option == read.option && wrote.mode == read.mode);
  CHECK(wrote.local == read.local && wrote.global == read.global);
  CHECK(wrote.chunks.size() == touched.size() && read.chunks.size() == touched.size());
  for (std::size_t i = 0; i < std::min(wrote.chunks.size(), read.chunks.size()); ++i) {
    CHECK(wrote.chunks[i].ordinal == touched[i] && read.chunks[i].ordinal == touched[i]);
    CHECK(wrote.chunks[i].mode == read.chunks[i].mode);
  }
  return wrote;
}

Id collective_list(H5FD_mpio_chunk_opt_t option) {
  Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(H5Pset_dxpl_mpio_chunk_opt(list, option) >= 0);
  static const bool by_itself = par::collective_by_itself();
  if (!by_itself) pcio_set_dxpl_transport(list, PCIO_TRANSPORT_EXCHANGE);
  return list;
}

hsize_t ranks() { return static_cast<hsize_t>(par::size()); }
hsize_t me() { return static_cast<hsize_t>(par::rank()); }

/// Chunk k is touched by ranks 0 to k.
std::vector<hsize_t> staircase() {
  std::vector<hsize_t> touched;
  for (hsize_t k = me(); k < ranks(); ++k) touched.push_back(k);
  return touched;
}

/// The mode that a rank reports which has so many chunks of each kind.
H5D_mpio_actual_io_mode_t mode_of(std::size_t collective, std::size_t independent) {
  if (collective > 0 && independent > 0) return H5D_MPIO_CHUNK_MIXED;
  if (collective > 0) return H5D_MPIO_CHUNK_COLLECTIVE;
  return independent > 0 ? H5D_MPIO_CHUNK_INDEPENDENT : H5D_MPIO_NO_COLLECTIVE;
}

/// The reported chunks are those that `is_collective(chunk)` says, and the mode fits them.
template <class Rule>
void check_marks(const Seen& seen, Rule is_collective) {
  std::size_t collective = 0;
  for (const pcio_chunk_mode_t& chunk : seen.chunks) {
    const bool wanted = is_collective(chunk.ordinal);
    CHECK((chunk.mode == H5FD_MPIO_COLLECTIVE) == wanted);
    if (wanted) ++collective;
  }
  CHECK(seen.mode == mode_of(collective, seen.chunks.size() - collective));
  CHECK(seen.local == H5D_MPIO_COLLECTIVE && seen.global == H5D_MPIO_COLLECTIVE);
}

}  // namespace

// ---- every request -----------------------------------------------------------------------------

CASE(one_io_links_all_chunks) {
  const Target t = make_target("modes_one", ranks() + 1, ranks());
  const Id list = collective_list(H5FD_MPIO_CHUNK_ONE_IO);
  H5Pset_dxpl_mpio_chunk_opt_num(list, 1000000);  // of no meaning here
  const Seen seen = write_and_read(t, staircase(), list);
  CHECK(seen.option == H5D_MPIO_LINK_CHUNK);
  check_marks(seen, [](hsize_t) { return true; });
}

CASE(all_chunk_ind_is_independent) {
  const Target t = make_target("modes_ind", ranks() + 1, ranks());
  const Id list = collective_list(H5FD_MPIO_ALL_CHUNK_IND_IO);
  const Seen seen = write_and_read(t, staircase(), list);
  CHECK(seen.option == H5D_MPIO_ALL_CHUNK_IND && seen.mode == H5D_MPIO_CHUNK_INDEPENDENT);
  CHECK(seen.local == H5D_MPIO_COLLECTIVE && seen.global == H5D_MPIO_COLLECTIVE);
  for (const pcio_chunk_mode_t& chunk : seen.chunks) CHECK(chunk.mode == H5FD_MPIO_INDEPENDENT);
}

/// Round i is collective while all ranks have an i-th chunk; the rest is independent.
CASE(multi_no_opt_takes_what_all_ranks_have) {
  const Target t = make_target("modes_noopt", 2 * ranks() + 1, ranks());
  for (const hsize_t least : {hsize_t{0}, hsize_t{1}, hsize_t{2}}) {
    std::vector<hsize_t> touched;
    for (hsize_t i = 0; i < least + (me() == 0 && ranks() > 1 ? 2 : 0); ++i)
      touched.push_back(2 * me() + i);
    const Id list = collective_list(PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO);
    const Seen seen = write_and_read(t, touched, list);
    CHECK(seen.option == H5D_MPIO_MULTI_CHUNK_NO_OPT);
    std::size_t collective = 0;
    for (const pcio_chunk_mode_t& chunk : seen.chunks)
      if (chunk.mode == H5FD_MPIO_COLLECTIVE) ++collective;
    CHECK(collective == least);
    CHECK(seen.mode == mode_of(collective, touched.size() - collective));
  }
}

CASE(a_single_chunk_is_one_block) {
  for (const auto option :
       {H5FD_MPIO_CHUNK_DEFAULT, H5FD_MPIO_CHUNK_ONE_IO, H5FD_MPIO_CHUNK_MULTI_IO,
        H5FD_MPIO_COLL_CHUNK_ATONCE_IO, PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO}) {
    const Target t = make_target("modes_single", 1, ranks());
    const Id list = collective_list(option);
    H5Pset_dxpl_mpio_chunk_opt_num(list, 1000000);
    const Seen seen = write_and_read(t, {0}, list);
    CHECK(seen.option == H5D_MPIO_LINK_CHUNK && seen.mode == H5D_MPIO_CHUNK_COLLECTIVE);
  }
}

/// Individual I/O wins over any chunk option.
CASE(individual_io_wins) {
  for (const auto option :
       {H5FD_MPIO_CHUNK_DEFAULT, H5FD_MPIO_CHUNK_ONE_IO, H5FD_MPIO_CHUNK_MULTI_IO,
        H5FD_MPIO_COLL_CHUNK_ATONCE_IO, H5FD_MPIO_ALL_CHUNK_IND_IO}) {
    const Target t = make_target("modes_individual", ranks() + 1, ranks());
    const Id list = collective_list(option);
    H5Pset_dxpl_mpio_collective_opt(list, H5FD_MPIO_INDIVIDUAL_IO);
    const Seen seen = write_and_read(t, staircase(), list);
    CHECK(seen.option == H5D_MPIO_ALL_CHUNK_IND && seen.mode == H5D_MPIO_CHUNK_INDEPENDENT);
    CHECK(seen.local == H5D_MPIO_SET_INDEPENDENT && seen.global == H5D_MPIO_SET_INDEPENDENT);
  }
}

// ---- the link threshold ------------------------------------------------------------------------

/// Linked where the ranks touch `threshold` chunks or more on average: the sum decides.
CASE(link_threshold) {
  const hsize_t each = 2;
  for (const bool even : {true, false}) {
    const Target t = make_target("modes_threshold", each * ranks() + 1, ranks());
    std::vector<hsize_t> touched;
    const hsize_t mine = even ? each : me() == 0 ? each * ranks() : 0;
    for (hsize_t i = 0; i < mine; ++i) touched.push_back(even ? each * me() + i : i);
    for (const unsigned threshold : {0U, 1U, 2U, 3U, 4294967295U}) {
      const Id list = collective_list(H5FD_MPIO_CHUNK_DEFAULT);
      H5Pset_dxpl_mpio_chunk_opt_num(list, threshold);
      const Seen seen = write_and_read(t, touched, list);
      CHECK(seen.option == (threshold <= each ? H5D_MPIO_LINK_CHUNK : H5D_MPIO_MULTI_CHUNK));
    }
  }
}

/// One chunk more than the average needs, and one fewer.
CASE(link_threshold_to_the_chunk) {
  const unsigned threshold = 3;
  const hsize_t needed = threshold * ranks();
  for (const hsize_t sum : {needed - 1, needed, needed + 1}) {
    const Target t = make_target("modes_exact", needed + 2, ranks());
    std::vector<hsize_t> touched;
    // The last rank has what the others leave; the sum decides, not any rank's number.
    for (hsize_t k = me(); k < sum; k += ranks()) touched.push_back(k);
    const Id list = collective_list(H5FD_MPIO_CHUNK_DEFAULT);
    H5Pset_dxpl_mpio_chunk_opt_num(list, threshold);
    const Seen seen = write_and_read(t, touched, list);
    CHECK(seen.option == (sum >= needed ? H5D_MPIO_LINK_CHUNK : H5D_MPIO_MULTI_CHUNK));
  }
}

// ---- the ratio ---------------------------------------------------------------------------------

/// A chunk is collective where more ranks touch it than max(1, floor(ranks * percent / 100)); with
/// 0 percent every chunk is. In the staircase chunk k is touched by k + 1 ranks, so each percentage
/// has chunks below, at and above its limit.
CASE(ratio_marks_chunks) {
  const Target t = make_target("modes_ratio", ranks() + 1, ranks());
  for (const auto option : {H5FD_MPIO_CHUNK_MULTI_IO, H5FD_MPIO_COLL_CHUNK_ATONCE_IO})
    for (const unsigned percent : {0U, 1U, 16U, 17U, 25U, 33U, 34U, 49U, 50U, 51U, 60U, 66U, 67U,
                                   75U, 83U, 84U, 99U, 100U}) {
      const Id list = collective_list(option);
      H5Pset_dxpl_mpio_chunk_opt_ratio(list, percent);
      const Seen seen = write_and_read(t, staircase(), list);
      CHECK(seen.option == (option == H5FD_MPIO_CHUNK_MULTI_IO ? H5D_MPIO_MULTI_CHUNK
                                                               : H5D_MPIO_COLL_CHUNK_ATONCE));
      const hsize_t limit = std::max<hsize_t>(1, ranks() * percent / 100);
      check_marks(seen, [&](hsize_t k) { return percent == 0 || k + 1 > limit; });
    }
}

/// The automatic choice below the link threshold marks by the default ratio, 60 percent.
CASE(automatic_multi_chunk_marks_by_default_ratio) {
  const Target t = make_target("modes_auto", ranks() + 1, ranks());
  const Id list = collective_list(H5FD_MPIO_CHUNK_DEFAULT);
  H5Pset_dxpl_mpio_chunk_opt_num(list, 1000000);
  const Seen seen = write_and_read(t, staircase(), list);
  CHECK(seen.option == H5D_MPIO_MULTI_CHUNK);
  const hsize_t limit = std::max<hsize_t>(1, ranks() * 60 / 100);
  check_marks(seen, [&](hsize_t k) { return k + 1 > limit; });
}

// ---- results in the list -----------------------------------------------------------------------

/// Reset at the start of each transfer; kept chunk modes only where asked for.
CASE(results_are_of_the_last_transfer) {
  const Target t = make_target("modes_last", ranks() + 1, ranks());
  const Id list = collective_list(H5FD_MPIO_CHUNK_ONE_IO);
  CHECK(write_and_read(t, staircase(), list).option == H5D_MPIO_LINK_CHUNK);
  CHECK(H5Pset_dxpl_mpio(list, H5FD_MPIO_INDEPENDENT) >= 0);
  const Seen alone = write_and_read(t, staircase(), list);
  CHECK(alone.option == H5D_MPIO_NO_CHUNK_OPTIMIZATION && alone.mode == H5D_MPIO_NO_COLLECTIVE);
  CHECK(H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE) >= 0);
  pcio_set_dxpl_report_chunks(list, 0);
  const Id space(H5Dget_space(t.dataset));
  std::vector<int> values(t.chunks * t.width);
  CHECK(H5Dread(t.dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) >= 0);
  const Seen whole = seen_of(list);
  CHECK(whole.option == H5D_MPIO_LINK_CHUNK && whole.mode == H5D_MPIO_CHUNK_COLLECTIVE);
  CHECK(whole.chunks.empty());
}

// ---- dry runs ----------------------------------------------------------------------------------

/// What is wrong on one rank is everybody's error, as in the transfer itself.
CASE(a_dry_run_fails_on_all_ranks) {
  const Target t = make_target("modes_explain", ranks() + 1, ranks());
  const Id list = collective_list(H5FD_MPIO_CHUNK_DEFAULT);
  const bool culprit = par::rank() == par::size() - 1;
  pcio_transfer_report_t report;
  const par::Silence silence;
  CHECK(pcio_explain(t.dataset, culprit ? hid_t{t.dataset} : H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list,
                     PCIO_DIRECTION_READ, &report, sizeof report) < 0);
  CHECK(pcio_explain(t.dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, PCIO_DIRECTION_WRITE,
                     culprit ? nullptr : &report, sizeof report) < 0);
  CHECK(pcio_explain(t.dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list,
                     culprit ? PCIO_DIRECTION_NONE : PCIO_DIRECTION_READ, &report,
                     sizeof report) < 0);
  // The ranks are in step all the same.
  CHECK(pcio_explain(t.dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, PCIO_DIRECTION_READ,
                     &report, sizeof report) >= 0);
  CHECK(report.actual_chunk_opt_mode == H5D_MPIO_LINK_CHUNK);
}

/// One rank reads for all where that is right; it can't be asked for, by the list or otherwise.
CASE(a_broadcast_is_not_forced) {
  const Id list(collective_list(H5FD_MPIO_CHUNK_ONE_IO));
  H5E_BEGIN_TRY { CHECK(pcio_set_dxpl_transport(list, PCIO_TRANSPORT_BROADCAST) < 0); }
  H5E_END_TRY
  setenv("PCIO_TRANSPORT", "broadcast", 1);
  const Target t = make_target("modes_broadcast", 5, 100);
  unsetenv("PCIO_TRANSPORT");
  std::vector<int> values(500);
  H5E_BEGIN_TRY {
    CHECK(H5Dread(t.dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) < 0);
  }
  H5E_END_TRY
}

/// A transport that no step used is not reported.
CASE(without_a_collective_chunk_there_is_no_exchange) {
  if (ranks() < 3) return;
  const Target t = make_target("modes_none", ranks(), ranks());
  const Id list(collective_list(H5FD_MPIO_CHUNK_MULTI_IO));
  CHECK(pcio_set_dxpl_transport(list, PCIO_TRANSPORT_EXCHANGE) >= 0);
  const Seen seen = write_and_read(t, {me()}, list);
  CHECK(seen.option == H5D_MPIO_MULTI_CHUNK && seen.mode == H5D_MPIO_CHUNK_INDEPENDENT);
  pcio_transfer_report_t report;
  CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
  CHECK(report.transport == PCIO_TRANSPORT_DIRECT && report.exchange_rounds == 0);
}

/// Reading back what was written through a view changes nothing about what is said of the write.
CASE(verifying_is_no_access) {
  if (!views_are_possible()) return;
  setenv("PCIO_VERIFY", "full", 1);
  const Target t = make_target("modes_verify", 4, 64);
  unsetenv("PCIO_VERIFY");
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(pcio_set_dxpl_transport(list, PCIO_TRANSPORT_VIEW) >= 0);
  CHECK(pcio_set_dxpl_report_chunks(list, 1) >= 0);
  const hsize_t start = me(), stride = 64, count = 4, one = 1;
  const Id space(H5Dget_space(t.dataset)), memory(H5Screate_simple(1, &count, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, &one);
  const std::vector<int> values(count, par::rank());
  CHECK(H5Dwrite(t.dataset, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
  const Seen seen = seen_of(list);
  CHECK(seen.mode == H5D_MPIO_CHUNK_COLLECTIVE && seen.chunks.size() == count);
  pcio_transfer_report_t report;
  CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
  CHECK(report.verified == 1 && report.transport == PCIO_TRANSPORT_VIEW);
  CHECK(report.chunks_collective == count && report.chunks_independent == 0);
}

/// Lists must be the same where they steer; the error names the property.
CASE(lists_that_differ_are_an_error) {
  if (par::size() == 1) return;
  const Target t = make_target("modes_differ", ranks() + 1, ranks());
  const Id list = collective_list(H5FD_MPIO_CHUNK_DEFAULT);
  if (par::rank() == 1) CHECK(pcio_set_dxpl_transport(list, PCIO_TRANSPORT_DIRECT) >= 0);
  std::vector<int> values(t.chunks * t.width);
  const par::Silence silence;
  CHECK(H5Dread(t.dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) < 0);
  CHECK(par::error_text().find("transport") != std::string::npos);
}

#endif
