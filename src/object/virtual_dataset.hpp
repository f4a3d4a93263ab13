// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: elements of virtual datasets, which are those of other datasets.
//
// For a read, and in serial files, each rank opens the sources by itself, for one call; for a collective write
// all ranks open them together (virtual_write.hpp). Source: HDF5 Reference Manual, H5Pset_virtual; RFC "HDF5
// Virtual Dataset".

#pragma once

#include "object/traverse.hpp"
#include "props/transfer_report.hpp"
#include "props/transfer_props.hpp"

namespace pcio {

/// True for a dataset whose elements are those of others. Collective: independent.
bool is_virtual(const Location& dataset);

/// Gives a virtual dataset that may grow the extent that its sources have now. Other datasets stay as they
/// are. Collective: independent. Errors: sources that can't be read.
Status follow_sources(const Location& dataset);

/// As transfer_dataset. What no source has, or a source that is not there, reads as the fill value; to write
/// it is an error. A collective read of a parallel file ends with one agreement, in which all ranks fail where
/// one has; an independent write reaches sources only that the program has open for writing.
/// Errors: virtual datasets that lead to each other; what opening, reading and writing sources gives.
Status transfer_virtual(const Location& dataset, const TransferRequest& request,
                        TransferReport* report, std::string_view function, const Status& checked);

/// The same of a source, which may be virtual.
Status transfer_source(const Location& source, const TransferRequest& request,
                       TransferReport* report, std::string_view function);
/// Errors: different numbers of elements in file and memory.
Status check_counts(const TransferRequest& request);

}  // namespace pcio
