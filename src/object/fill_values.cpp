// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: load_fill_value.

#include "object/fill_values.hpp"

#include "storage/heaps/heap_reader.hpp"
#include "type/convert.hpp"

namespace pcio {

Result<FillValue> load_fill_value(FileStore& store, const Datatype& type, ConstBytes value) {
  FillValue fill;
  fill.state = FillState::kUserDefined;
  if (type.is_fixed()) {
    fill.type = type;
    fill.bytes.assign(value.begin(), value.end());
    return fill;
  }
  if (value.size() != type.size())
    return PCIO_ERROR(DATASET, BADVALUE, "the fill value is no element of the dataset's type");
  fill.type = type.file_form(StoredSequences::kAddressWidth);
  fill.bytes.resize(fill.type->size());
  fill.sequences = std::make_shared<StoredSequences>();
  HeapReader reader = store.heap_reader();
  FileHeap heap(reader, nullptr);
  PCIO_TRY(reader.prepare(SequenceMap(type), value));
  ConvertOptions options;
  options.sequences = {&heap, fill.sequences.get(), nullptr};
  PCIO_ASSIGN(const Conversion way, Conversion::make(type, *fill.type, options));
  PCIO_TRY(way.run(value.data(), fill.bytes.data(), 1));
  return fill;
}

}  // namespace pcio
