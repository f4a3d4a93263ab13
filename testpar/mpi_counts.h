/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * What this process really asked of MPI: a program that links mpi_counts.c counts its calls by
 * MPI's profiling interface, those of the libraries that it loads included. Room: testpar.
 *
 * Source: MPI 3.1, chapter 14, Profiling Interface.
 */
#ifndef PCIO_TESTPAR_MPI_COUNTS_H
#define PCIO_TESTPAR_MPI_COUNTS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mpi_counts_t {
  unsigned long long write_at, read_at; /* and pwrite in other threads than the first one */
  unsigned long long write_at_all, read_at_all;
  unsigned long long set_view;
  unsigned long long other_io;                  /* every other call that moves bytes of a file */
  unsigned long long bytes_written, bytes_read; /* as the calls' statuses say */
  unsigned long long messages_sent, bytes_sent; /* MPI_Isend, but not within calls for files */
  unsigned long long bytes_broadcast;           /* as root of MPI_Bcast, MPI_Ibcast */
  unsigned long long reductions;                /* MPI_Iallreduce */
  /* Calls that all ranks of a communicator or file make, nonblocking ones and MPI_Comm_free included. */
  unsigned long long collectives;
  unsigned long long fsyncs; /* of the system, those within calls for files included */
} mpi_counts_t;

/* Since the program began; a later count minus an earlier one is what was done in between. */
extern mpi_counts_t mpi_counts;

#ifdef __cplusplus
}
#endif

#endif
