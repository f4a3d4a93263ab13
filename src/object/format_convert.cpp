// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: convert_dataset() and convert_file().

#include "object/format_convert.hpp"

#include "storage/dataset/convert_layout.hpp"

namespace pcio {

void name_converted(const OpenObject& dataset, NamedArguments* out) {
  out->number("dataset", dataset.object()->address);
}

Status convert_dataset(const OpenObject& dataset) {
  PCIO_TRY(check_writable(dataset.file()));
  if (dataset.file().parallel())
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "datasets are converted by one process that has the file alone "
                      "(H5Pset_fapl_sec2)");
  return convert_layout(dataset.store(), dataset.object());
}

Status convert_file(File& file) {
  PCIO_TRY(check_writable(file));
  return file.store().superblock_store().become_earlier();
}

}  // namespace pcio
