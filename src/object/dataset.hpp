// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: datasets but for their elements.

#pragma once

#include "object/group.hpp"
#include "props/dataset_props.hpp"
#include "storage/dataset/allocation.hpp"

namespace pcio {

/// What a new dataset is to be.
struct DatasetRequest {
  Datatype type;
  FileAddress committed_type = kUndefinedAddress;  ///< of the same file, where `type` is committed
  Dataspace space;
  DatasetCreateProps create;
  bool late_allocation = false;  ///< pcio_set_dapl_late_allocation
};

/// Checks a request without changing anything: chunk against space, layout against extent, fill
/// value against type, filters and external files (refused by name).
Status check_dataset_request(File& file, const DatasetRequest& request);

/// A dataset without a link; space is given to it as its allocation time says, on parallel files at
/// once. `unfilled` gets what must be filled before anybody reads (see finish_fill).
/// Collective: by contract.
Result<Location> make_dataset(const FilePtr& file, const DatasetRequest& request,
                              NewSpace* unfilled);

/// True where making a dataset with these lists may need its space filled (equal on all ranks): then all
/// of them meet before it is made, also one whose arguments are wrong, and come to finish_fill, also one
/// that could not make it. `access`, for pcio_set_dapl_late_allocation: null where it is not known.
/// Asks for no memory.
bool create_may_need_fill(File& file, const DatasetCreateProps& create,
                          const DatasetAccessProps* access);
/// The same for a change of the extent to `dims`.
bool extent_may_need_fill(File& file, const StoredObject& object, const Dims& dims);

/// Fills new space; on a parallel file all ranks share the work and agree on the outcome. `local`: how
/// far this rank has come; on failure `object` may be null.
/// Collective: over the file. Errors: `local`; another rank's; those of writing.
Status finish_fill(File& file, const StoredObjectPtr& object, const NewSpace& unfilled,
                   const CallName& name, const Status& local = Status());

/// Fills what a change of the extent asks for, and finishes it; on failure the dataset is what it was.
/// Collective: as finish_fill.
Status settle_extent(File& file, const StoredObjectPtr& object, ExtentChange& change,
                     const CallName& name, const Status& local = Status());

/// Refuses, naming the reason, a dataset whose data can't be read here.
Status check_readable(FileStore& store, const StoredObjectPtr& object);

/// The first open of a dataset decides about its chunk cache: what `access` leaves open is taken from
/// the file's access list. To be called before the dataset is counted as open.
void use_chunk_cache(File& file, const StoredObjectPtr& object, const DatasetAccessProps& access);
/// `access` with the values that hold for the chunk cache. Source: HDF5 Reference Manual,
/// H5Dget_access_plist.
DatasetAccessProps dataset_access_props(File& file, const StoredObjectPtr& object,
                                        const DatasetAccessProps& access);

/// The creation list with which the dataset could be made again. Collective: independent.
Result<DatasetCreateProps> dataset_create_props(FileStore& store, const StoredObjectPtr& object);

}  // namespace pcio
