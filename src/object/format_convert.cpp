// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: convert_dataset() and convert_file().

#include "object/format_convert.hpp"

#include "object/dataset_extent.hpp"
#include "storage/dataset/convert_layout.hpp"
#include "transfer/filtered/pending_chunks.hpp"

namespace pcio {

Status prepare_conversion(const OpenObject& dataset, NamedArguments* out) {
  out->number("dataset", dataset.object()->address);
  PCIO_TRY(check_not_in_transfer(dataset));
  if (!dataset.file().parallel()) return Status();
  DatasetTable& datasets = dataset.store().datasets();
  PCIO_ASSIGN(const DatasetState* state, datasets.state(dataset.object()));
  return state->chunked() ? datasets.load_chunk_index(dataset.object()) : Status();
}

Status convert_dataset(const OpenObject& dataset, const CallName& name) {
  FileStore& store = dataset.store();
  // What waits in memory is in the form of the old layout. Ranks with other arguments part here.
  if (dataset.file().parallel()) PCIO_TRY(write_any_pending(store, *dataset.object(), name));
  return convert_layout(store, dataset.object());
}

Status convert_file(File& file) {
  PCIO_TRY(check_writable(file));
  return file.store().superblock_store().become_earlier();
}

}  // namespace pcio
