// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: making datasets. What can be asked of them: dataset_queries; their extent: dataset_extent;
// their elements: dataset_io, dataset_chunks.

#pragma once

#include "object/group.hpp"
#include "props/dataset_props.hpp"
#include "storage/dataset/allocation.hpp"

namespace pcio {

/// A fill value in the form of the file.
struct StoredFill {
  std::vector<std::byte> value;  ///< empty: the user gave none; zeros where it has objects
  bool has_objects = false;      ///< heaps are to hold parts of it (place_fill_value)
};

/// What a new dataset is to be.
struct DatasetRequest {
  Datatype type;
  FileAddress committed_type = kUndefinedAddress;  ///< of the same file, where `type` is committed
  Dataspace space;
  DatasetCreateProps create;
  bool late_allocation = false;  ///< pcio_set_dapl_late_allocation
  /// Functions of the program that may convert the fill value of `create`; null: there are none.
  std::shared_ptr<ForeignConversions> conversions;
  /// That value, once it is converted (convert_fill_value).
  std::optional<StoredFill> fill;
};

/// Variable-length data is elsewhere, and a single element has no chunks: of filters such datasets note those
/// that may be left out, with the parameters given, and have no others. As observed on libhdf5 1.10.8.
bool ignores_filters(const Datatype& type, const Dataspace& space);

/// Heaps may have to hold parts of the fill value (place_fill_value), which all ranks meet for; whether they do its
/// conversion says (StoredFill). `type`: the dataset's; null where it is not known. Collective: pure; asks for no memory.
bool fill_may_have_objects(const DatasetCreateProps& create, const Datatype* type);

/// Converts the fill value, once, so that functions of the program do it before anything changes, and the ranks compare
/// what has become of it. Collective: independent. Errors: no way between the types; those of the conversion.
Status convert_fill_value(File& file, DatasetRequest* request);
/// Afterwards: heaps are to hold parts of it.
[[nodiscard]] inline bool has_fill_objects(const DatasetRequest& request) {
  return request.fill && request.fill->has_objects;
}

/// Checks a request without changing anything: chunk against space, layout against extent, fill
/// value against type, filters and external files (refused by name).
Status check_dataset_request(File& file, const DatasetRequest& request);
/// What else make_dataset() could refuse one rank but for memory and space, for ranks that meet before they make it.
/// Collective: independent.
Status check_dataset_can_be_made(File& file, const DatasetRequest& request);

/// A dataset without a link; space is given to it as its allocation time says, on parallel files at
/// once. `unfilled` gets what must be filled before anybody reads (see finish_fill).
/// Collective: by contract.
Result<Location> make_dataset(const FilePtr& file, const DatasetRequest& request,
                              NewSpace* unfilled);

/// A dataset without a link and without space, of the type, extent, fill value, filters and layout of
/// `like`, which may be of another file: compact data, external files and the mappings of a virtual dataset
/// included, names as they are. `committed_type`: of this file. `source`: the object that `like` is of.
/// Collective: by contract.
Result<Location> make_dataset_like(const FilePtr& file, const DatasetState& like,
                                   FileAddress committed_type, const StoredObject& source);

/// True where making a dataset with these lists may need its space filled (equal on all ranks): then all
/// of them meet before it is made, also one whose arguments are wrong, and come to finish_fill, also one
/// that could not make it. `access`, for pcio_set_dapl_late_allocation, and `type`: null where they are not known.
/// Asks for no memory.
bool create_may_need_fill(File& file, const DatasetCreateProps& create,
                          const DatasetAccessProps* access, const Datatype* type);

/// Fills new space; on a parallel file all ranks share the work and agree on the outcome. `local`: how
/// far this rank has come; on failure `object` may be null.
/// Collective: over the file. Errors: `local`; another rank's; those of writing.
Status finish_fill(File& file, const StoredObjectPtr& object, const NewSpace& unfilled,
                   const CallName& name, const Status& local = Status());

/// The same where all ranks have made it.
Status fill_made(File& file, const StoredObjectPtr& object, const NewSpace& unfilled,
                 const CallName& name);

/// After finish_fill(), where has_fill_objects(): the fill value goes into heaps, and new elements that have
/// space get it. Collective: over the file. Errors: no space; those of writing.
Status place_fill_value(const Location& dataset, const DatasetRequest& request,
                        const CallName& name);

}  // namespace pcio
