// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: changing the extent of a dataset.
//
// One H5Dset_extent: change_extent in a metadata call, then complete_extent where something must be
// filled, else finish_extent.

#pragma once

#include "object/call_trial.hpp"
#include "object/dataset.hpp"

namespace pcio {

/// The dimensions as far as they are known without reading and without memory; null where they are not.
const Dims* known_extent(const OpenObject& dataset);
/// True where a change of the extent to `dims` may have to fill something (equal on all ranks), as
/// create_may_need_fill. Asks for no memory.
bool extent_may_need_fill(const OpenObject& dataset, const Dims& dims);

/// True where a change to `dims` reads chunks (extent_reads_chunks). Asks for no memory.
bool extent_reads_chunks(const OpenObject& dataset, const Dims& dims);
/// A function of the program that runs in a transfer, or in H5Dchunk_iter, changes no extent under it. Collective:
/// independent.
Status check_not_in_transfer(const OpenObject& dataset);
/// What change_extent() would refuse but for memory and space. Collective: independent.
Status check_extent_change(const OpenObject& dataset, const Dims& dims);
/// ... and what it has done can be undone, also where that of others failed: ranks that meet may try it. The same on
/// all of them.
bool extent_can_be_undone(const OpenObject& dataset);
/// Reads them before anything changes. Collective: independent.
Result<KeptChunks> keep_cut_chunks(const OpenObject& dataset, const Dims& dims);
/// Before that: all ranks see what any of them has written. Collective: over the file, one exchange where machines have
/// caches of their own and the dataset has filters.
Status show_cut_chunks(const OpenObject& dataset, const CallName& name);
/// Changes the extent, so that it can still be undone. Collective: by contract. On failure nothing has changed.
Result<ExtentChange> change_extent(const OpenObject& dataset, const Dims& dims, KeptChunks* kept);
/// Nothing had to be filled. Collective: by contract.
void finish_extent(const OpenObject& dataset, ExtentChange& change);
/// After finish_extent(): what is new of a dataset whose fill value is in heaps gets it. Collective: as
/// fill_sequences(); where several ranks have the file complete_extent() does it. On failure what is new goes again.
Status fill_grown_elements(const OpenObject& dataset, const ExtentChange& change,
                           const CallName& name);
/// Fills what the change asks for, and finishes it; on failure the dataset is what it was, but for fill values of
/// variable length: what they were to fill may be empty then.
/// Collective: as finish_fill.
Status complete_extent(File& file, const StoredObjectPtr& object, ExtentChange& change,
                       const CallName& name, const Status& local = Status());
/// The same where the ranks met and what they have done since is a trial: where one has failed all undo it.
Status complete_tried_extent(const OpenObject& dataset, ExtentChange& change, CallTrial& trial,
                             const CallName& name, const Status& local);

}  // namespace pcio
