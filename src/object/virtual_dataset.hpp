// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: elements of virtual datasets, which are those of other datasets.
//
// Each rank opens the sources by itself, for one call. Source: HDF5 Reference Manual, H5Pset_virtual;
// RFC "HDF5 Virtual Dataset".

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

/// As transfer_dataset. What no source has, or a source that is not there, reads as the fill value. In
/// parallel files only reading is possible; a collective read ends with one agreement, in which all
/// ranks fail where one has.
/// Errors: virtual datasets that lead to each other; what opening and reading sources gives.
Status transfer_virtual(const Location& dataset, const TransferRequest& request,
                        TransferReport* report, std::string_view function, const Status& checked);

}  // namespace pcio
