// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: elements of datasets, out of line.

#include "object/dataset_io.hpp"

#include "object/virtual_dataset.hpp"

namespace pcio {

Status transfer_dataset(const OpenObject& dataset, const TransferRequest& request,
                        TransferReport* report, std::string_view function, const Status& checked) {
  const Location at{dataset.file_ptr(), dataset.object(), dataset.path()};
  if (is_virtual(at)) return transfer_virtual(at, request, report, function, checked);
  return transfer_dataset(dataset.store(), dataset.object(), request, report,
                          {function, dataset.path()}, checked);
}

bool transfer_one_run(const OpenObject& dataset, const PlainRequest& request,
                      TransferReport* report, Status* done) {
  return dataset.file().is_open() &&
         transfer_one_run(dataset.store(), dataset.object(), request, report, done);
}

Status explain_dataset(const OpenObject& dataset, const TransferRequest& request,
                       TransferReport* report, std::string_view function, const Status& checked) {
  return explain_dataset(dataset.store(), dataset.object(), request, report,
                         {function, dataset.path()}, checked);
}

MultiPart part_of(const OpenObject& dataset, TransferRequest&& request, const Status& checked) {
  return {dataset.object(), std::move(request), dataset.path(), checked};
}

Status transfer_datasets(const OpenObject& first, std::span<const MultiPart> parts,
                         TransferReport* report, std::string_view function, const Status& checked) {
  return transfer_datasets(first.store(), parts, report, {function, first.path()}, checked);
}

Status transfer_no_datasets(File& file, Direction direction, TransferReport* report,
                            const CallName& name, const Status& checked) {
  return transfer_no_datasets(file.store(), direction, report, name, checked);
}

}  // namespace pcio
