// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What goes between nodes, for whose ranks those of this machine are taken: reports beside what MPI was asked for
// (mpi_counts.c) and a dry run, and few messages and bytes of each node. Room: testpar, public headers only.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "mpi_counts.h"
#include "pattern.hpp"

#ifdef PCIO_VERSION

using par::Id;
using par::Pattern;

namespace {

using Number = unsigned long long;
using Report = pcio_transfer_report_t;

/// What the dry run said of a transfer, and how that was.
bool as_planned(const Report& plan, const Report& report) {
  return plan.transport == report.transport && plan.bytes_sent == report.bytes_sent &&
         plan.bytes_received == report.bytes_received &&
         plan.messages_sent == report.messages_sent &&
         plan.messages_received == report.messages_received &&
         plan.exchange_rounds == report.exchange_rounds &&
         plan.bytes_between_nodes == report.bytes_between_nodes &&
         plan.messages_between_nodes == report.messages_between_nodes;
}

Number sum_over_ranks(Number value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

/// A file whose ranks are taken for those of so many nodes.
hid_t create_on_nodes(const char* name, int nodes) {
  setenv("PCIO_CHECK", ("nodes:" + std::to_string(nodes)).c_str(), 1);
  const Id access(par::mpio_access());
  const hid_t file = H5Fcreate(par::file_name(name).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  unsetenv("PCIO_CHECK");
  return file;
}

/// One transfer on `nodes` nodes: MPI was asked for what report and plan say, and a node sends few messages.
void count_between_nodes(hid_t dataset, const std::vector<hsize_t>& dims,
                         const par::Transfer& transfer, int nodes, bool writes, bool filtered) {
  const auto direction = writes ? PCIO_DIRECTION_WRITE : PCIO_DIRECTION_READ;
  Report plan{}, report{};
  CHECK(par::explain_part(dataset, dims, transfer, direction, &plan));
  const mpi_counts_t before = mpi_counts;
  CHECK(writes ? par::write_part(dataset, dims, transfer)
               : par::read_part(dataset, dims, transfer) == 0);
  const Number messages = mpi_counts.messages_sent - before.messages_sent,
               bytes = mpi_counts.bytes_sent - before.bytes_sent;
  CHECK(pcio_get_transfer_report(transfer.list, &report, sizeof report) >= 0);
  CHECK(filtered || report.transport == PCIO_TRANSPORT_EXCHANGE || par::size() == 1);
  CHECK(as_planned(plan, report));
  // Ranks of a node reach each other without MPI.
  CHECK(report.messages_between_nodes == messages && report.bytes_between_nodes == bytes);
  const int node = par::rank() * nodes / par::size();
  std::vector<Number> of_node(static_cast<std::size_t>(nodes), 0);
  of_node[static_cast<std::size_t>(node)] = messages;
  MPI_Allreduce(MPI_IN_PLACE, of_node.data(), nodes, MPI_UNSIGNED_LONG_LONG, MPI_SUM,
                MPI_COMM_WORLD);
  // Chunks with filters are read on each node.
  const Number each = filtered && !writes ? 0 : writes ? 1 : 2;
  for (const Number sent : of_node)
    CHECK(sent <= report.exchange_rounds * Number(nodes - 1) * each);
  CHECK(nodes == 1 || each == 0 || *std::max_element(of_node.begin(), of_node.end()) > 0);
}

}  // namespace

/// Between nodes ranks send for each other: as many messages as there are other nodes, and of a read as many answers.
CASE(letters_of_a_node_go_together) {
  setenv("PCIO_HANG_SECONDS", "0", 1);
  // No letter is so large that its rank sends it by itself, on three ranks too.
  const std::vector<hsize_t> dims{60, 400};
  for (const int wanted : {2, 3})
    for (const bool filtered : {false, true}) {
      Id file(create_on_nodes("letters_of_nodes", wanted));
      const Id space(H5Screate_simple(2, dims.data(), nullptr)),
          made(H5Pcreate(H5P_DATASET_CREATE));
      const hsize_t chunk[2] = {10, 400};
      if (filtered) CHECK(H5Pset_chunk(made, 2, chunk) >= 0 && H5Pset_deflate(made, 1) >= 0);
      Id dataset(H5Dcreate2(file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, made, H5P_DEFAULT));
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
      if (!filtered) pcio_set_dxpl_transport(list, PCIO_TRANSPORT_EXCHANGE);
      par::Transfer transfer;
      transfer.pattern = Pattern::kCyclic;
      transfer.who = par::rank();
      transfer.list = list;
      const int nodes = std::min(wanted, par::size());
      for (const bool writes : {true, false})
        count_between_nodes(dataset, dims, transfer, nodes, writes, filtered);
      CHECK(dataset.close() >= 0 && file.close() >= 0);
    }
}

/// Of what all nodes have equally much each owns a MiB in turn, in slices that are moved by one call: a file system takes few
/// long pieces sooner than many short ones.
CASE(owners_move_long_pieces) {
  setenv("PCIO_HANG_SECONDS", "0", 1);
  if (par::size() == 1 || !par::collective_by_itself()) return;
  // Of each slice ranks have equally much, but for a part of a row.
  const std::vector<hsize_t> dims{8192, 120};
  const Number all = dims[0] * dims[1] * sizeof(double), longest = Number{1} << 20;
  for (const int wanted : {2, 3}) {
    // Of smaller nodes' slices that go elsewhere, each finds its own best.
    if (wanted > 2 && par::size() % wanted != 0) continue;
    Id file(create_on_nodes("long_pieces", wanted));
    const Id space(H5Screate_simple(2, dims.data(), nullptr)), made(H5Pcreate(H5P_DATASET_CREATE));
    const hsize_t chunk[2] = {1024, 120};
    CHECK(H5Pset_chunk(made, 2, chunk) >= 0);
    Id dataset(H5Dcreate2(file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, made, H5P_DEFAULT));
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    pcio_set_dxpl_transport(list, PCIO_TRANSPORT_EXCHANGE);
    par::Transfer transfer;
    transfer.pattern = Pattern::kColumns;
    transfer.who = par::rank();
    transfer.list = list;
    for (const bool writes : {true, false}) {
      const mpi_counts_t before = mpi_counts;
      CHECK(writes ? par::write_part(dataset, dims, transfer)
                   : par::read_part(dataset, dims, transfer) == 0);
      const Number calls = sum_over_ranks(writes ? mpi_counts.write_at - before.write_at
                                                 : mpi_counts.read_at - before.read_at);
      CHECK(calls <= 4 * all / longest);
    }
    CHECK(dataset.close() >= 0 && file.close() >= 0);
  }
}

/// What all ranks of a node read comes to it once: in an exchange by who asks for it, of few bytes down a tree.
CASE(what_a_node_reads_comes_once) {
  setenv("PCIO_HANG_SECONDS", "0", 1);
  const std::vector<hsize_t> dims{60, 400};
  const Number all = dims[0] * dims[1] * sizeof(double);
  for (const int wanted : {2, 3}) {
    Id file(create_on_nodes("once_a_node", wanted));
    const Id space(H5Screate_simple(2, dims.data(), nullptr));
    Id dataset(
        H5Dcreate2(file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    par::Transfer transfer;
    transfer.list = list;
    transfer.pattern = Pattern::kCyclic;
    transfer.who = par::rank();
    CHECK(par::write_part(dataset, dims, transfer));
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    const Number others = static_cast<Number>(std::min(wanted, par::size()) - 1);
    transfer.pattern = Pattern::kEverybody;
    // Of so few bytes a broadcast is chosen.
    for (const auto transport : {PCIO_TRANSPORT_EXCHANGE, PCIO_TRANSPORT_BROADCAST}) {
      if (transport == PCIO_TRANSPORT_EXCHANGE)
        pcio_set_dxpl_transport(list, transport);
      else
        pcio_set_dxpl_transport(list, PCIO_TRANSPORT_NONE);
      Report plan{}, report{};
      CHECK(par::explain_part(dataset, dims, transfer, PCIO_DIRECTION_READ, &plan));
      CHECK(par::read_part(dataset, dims, transfer) == 0);
      CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
      CHECK(report.transport == transport || par::size() == 1);
      CHECK(as_planned(plan, report));
      const Number crossed = sum_over_ranks(report.bytes_between_nodes);
      CHECK(crossed <= others * (all + all / 50) && (crossed > 0) == (others > 0));
    }
    CHECK(dataset.close() >= 0 && file.close() >= 0);
  }
}

#endif
