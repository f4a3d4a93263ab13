// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the arguments of H5Dread, H5Dwrite and pcio_explain become one request.
//
// Once the dataset is known, a bad argument is not returned at once: it goes along as `checked`, so
// that in a collective transfer every rank learns of it and none is left waiting.

#pragma once

#include <memory>

#include "lib/api_entry.hpp"
#include "lib/object_handles.hpp"
#include "lib/value_handles.hpp"
#include "object/dataset_queries.hpp"
#include "props/transfer_props.hpp"

namespace pcio {

/// What the program passed.
struct TransferCall {
  const char* function;
  Direction direction;
  hid_t dset_id;
  hid_t mem_type_id;
  hid_t mem_space_id;
  hid_t file_space_id;
  hid_t dxpl_id;
  void* buffer;
};

struct PreparedTransfer {
  std::shared_ptr<DatasetObject> dataset;
  std::shared_ptr<const TransferProps> list;  ///< keeps alive what the request points to
  TransferRequest request;
  /// What is wrong with the other arguments; the request then holds what was good.
  Status checked;
  [[nodiscard]] const OpenObject& open() const { return *dataset->open; }
};

/// Collective: independent. Errors: no such dataset; everything else goes into `checked`.
Result<PreparedTransfer> prepare_transfer(const TransferCall& call);
/// The same of the dataset that was found.
PreparedTransfer prepare_transfer(const TransferCall& call, std::shared_ptr<DatasetObject> dataset);
/// The dataset of a call. Errors: no such.
Result<std::shared_ptr<DatasetObject>> dataset_of(const TransferCall& call);

/// The call by the short way (transfer_one_run): false where there is none, and nothing was done.
/// `report`: null where none is kept.
[[nodiscard]] bool transfer_shortly(const TransferCall& call, const DatasetObject& dataset,
                                    TransferReport* report, Status* done);

}  // namespace pcio
