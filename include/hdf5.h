/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Umbrella header: the whole C interface of HDF5 1.10 as libpcio implements it (room: include).
 * Every function declared here exists in the library; what could only be refused is left out.
 */
/**
 * \mainpage libpcio
 *
 * A library with the C interface of HDF5 1.10 that reads and writes HDF5 files, on one process or
 * on all ranks of an MPI program. Programs include hdf5.h, and pcio.h for what libpcio has beyond
 * HDF5: reports about transfers, durability, commits.
 *
 * \section errors How failures are seen
 *
 * A call that fails returns what its description says, mostly a negative number, leaves frames on
 * the thread's error stack (H5Ewalk2()), and prints them unless H5Eset_auto2() says otherwise. The
 * frames name function, argument and reason. "Errors" below lists what a call refuses besides the
 * general mistakes: an id that is closed or of another kind, a name that is NULL or empty, and
 * memory that runs out.
 *
 * \section conventions Conventions
 *
 * Dimensions are row-major, the last one changing fastest. An array of them is written [ndims].
 * Offsets and extents are in elements, sizes in bytes. H5P_DEFAULT stands for the default list of
 * the class that a call wants, H5S_ALL for everything. A pointer for an answer may be NULL only
 * where that is said. A text is cut to the size of its buffer and closed with a NUL, and its whole
 * length is returned, unless said otherwise.
 */
/**
 * \page collectivity Which ranks make a call
 *
 * A parallel file is one that was opened through the MPI-IO or the MPI-POSIX driver. Each function
 * says in one word which of the file's ranks make the call:
 *
 * <dl>
 * <dt>Local</dt>
 * <dd>This rank alone, whenever it likes. Nothing is communicated.</dd>
 * <dt>Metadata</dt>
 * <dd>All ranks, in the same order, with equal arguments; file ids and the like need not be the
 * same numbers. Nothing is communicated, so no rank waits, but where the description says so
 * (H5Dcreate2() and H5Dset_extent(), which may have to fill new space). What differs, or fails on
 * some ranks only, is an error on all ranks at the next call that communicates. With the
 * environment variable PCIO_CHECK=calls each such call is compared at once. The file must be open
 * for writing.</dd>
 * <dt>Communicates</dt>
 * <dd>All ranks, which wait for each other. Whatever fails on one of them is an error on all.</dd>
 * <dt>Transfer</dt>
 * <dd>With a transfer list set to H5FD_MPIO_COLLECTIVE (H5Pset_dxpl_mpio()) as "communicates", with
 * any other as "local". A rank with nothing to move selects nothing and still makes the call.</dd>
 * </dl>
 *
 * For files of one process, all words mean "local".
 */
#ifndef hdf5_H
#define hdf5_H

#include "H5public.h"

#include "H5ACpublic.h"
#include "H5Apublic.h"
#include "H5Cpublic.h"
#include "H5Dpublic.h"
#include "H5Epublic.h"
#include "H5FDpublic.h"
#include "H5Fpublic.h"
#include "H5Gpublic.h"
#include "H5Ipublic.h"
#include "H5Lpublic.h"
#include "H5MMpublic.h"
#include "H5Opublic.h"
#include "H5PLpublic.h"
#include "H5Ppublic.h"
#include "H5Rpublic.h"
#include "H5Spublic.h"
#include "H5Tpublic.h"
#include "H5Zpublic.h"

/* File drivers. */
#include "H5FDcore.h"
#include "H5FDdirect.h"
#include "H5FDfamily.h"
#include "H5FDhdfs.h"
#include "H5FDlog.h"
#include "H5FDmirror.h"
#include "H5FDmpi.h"
#include "H5FDmpio.h"
#include "H5FDmpiposix.h"
#include "H5FDmulti.h"
#include "H5FDros3.h"
#include "H5FDsec2.h"
#include "H5FDsplitter.h"
#include "H5FDstdio.h"
#include "H5FDwindows.h"

#endif
