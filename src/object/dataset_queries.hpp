// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: opening datasets, and what can be asked of them. Collective: all of it is independent, but for
// allocate_late.

#pragma once

#include <cstdint>
#include <optional>

#include "object/named_type.hpp"
#include "props/dataset_props.hpp"
#include "storage/dataset/allocation.hpp"

namespace pcio {

/// From here on the dataset allocates late (pcio_set_dapl_late_allocation). Collective: by contract.
/// Errors: not a dataset; messages that can't be decoded.
Status allocate_late(const Location& dataset);
/// To be called before a dataset is counted as open: damaged and unknown messages show now and not at the
/// first use. The first open decides about the chunk cache: what `access` leaves open is taken from the
/// file's access list.
Status begin_use(const Location& dataset, const DatasetAccessProps& access);
/// `access` with the values that hold for the chunk cache. Source: HDF5 Reference Manual,
/// H5Dget_access_plist.
DatasetAccessProps dataset_access_props(const OpenObject& dataset,
                                        const DatasetAccessProps& access);
/// The creation list with which the dataset could be made again.
Result<DatasetCreateProps> dataset_create_props(const OpenObject& dataset);

/// Refuses, naming the reason, a dataset whose data can't be read here.
Status check_readable(const OpenObject& dataset);
/// The extent, with everything selected.
Result<Dataspace> dataset_extent(const OpenObject& dataset);
/// What a selection in another number of dimensions is to it.
Result<Elements> dataset_elements(const OpenObject& dataset);
/// The extent as programs are told it. Errors: a virtual dataset without a limit, how far it goes being known
/// to its sources only.
Result<Dataspace> dataset_space(const OpenObject& dataset);
/// In the form of the file.
Result<StoredType> dataset_type(const OpenObject& dataset);
/// False also where nobody has looked at the dataset yet.
bool allocates_late(const OpenObject& dataset);

/// How much of the space there is, as HDF5 counts it: what filters left of chunks is a part of it.
Result<AllocationState> dataset_allocation(const OpenObject& dataset);
/// Bytes that the data take in the file.
Result<std::uint64_t> dataset_bytes(const OpenObject& dataset);
/// Where contiguous data begin in the file, a user block included; nothing where they have no one place.
Result<std::optional<std::uint64_t>> dataset_offset(const OpenObject& dataset);

}  // namespace pcio
