// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5D: chunks as they lie in the file: read, written, counted, described.
//
// As in HDF5 1.10 a selection given to the questions is checked, but the answers are about all
// chunks. Addresses count from the start of the file, a user block included.

#include "lib/api_entry.hpp"
#include "lib/object_handles.hpp"
#include "lib/text_argument.hpp"
#include "lib/value_handles.hpp"
#include "object/dataset.hpp"
#include "storage/chunks/stored_chunks.hpp"
#include "transfer/call/direct_chunk.hpp"

using namespace pcio;

namespace {

struct ChunkedDataset {
  std::shared_ptr<DatasetObject> dataset;
  DatasetState* state;
  [[nodiscard]] const OpenObject& open() const { return *dataset->open; }
  [[nodiscard]] FileStore& store() const { return dataset->open->store(); }
  [[nodiscard]] haddr_t in_file(FileAddress address) const {
    return address + store().context().superblock.base_address;
  }
};

Result<ChunkedDataset> chunked_dataset(hid_t dset_id) {
  PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(dset_id, "dset_id"));
  PCIO_ASSIGN(DatasetState * state,
              dataset->open->store().datasets().state(dataset->open->object()));
  if (!state->chunked())
    return PCIO_ERROR(DATASET, BADVALUE, "argument dset_id: not a chunked dataset");
  return ChunkedDataset{std::move(dataset), state};
}

/// An offset of as many numbers as the dataset has dimensions.
Result<Dims> offset_argument(const ChunkedDataset& of, const hsize_t* offset) {
  PCIO_TRY(need_pointer(offset, "offset"));
  Dims dims(of.state->extent.ndims());
  for (unsigned d = 0; d < dims.size(); ++d) dims[d] = offset[d];
  return dims;
}

Status check_space_argument(hid_t fspace_id) {
  if (fspace_id == H5S_ALL) return Status();
  return detail::to_status(get<SpaceObject>(fspace_id, "fspace_id"));
}

/// Where the application wants to know about a chunk; any of them may be NULL.
struct ChunkAnswer {
  hsize_t* offset;
  unsigned* mask;
  haddr_t* address;
  hsize_t* size;
  [[nodiscard]] bool wanted() const {
    return offset != nullptr || mask != nullptr || address != nullptr || size != nullptr;
  }
};

/// A chunk that is not there has no address and no bytes, one that waits no address; its offset and mask are left alone.
void answer_chunk(const ChunkedDataset& of, const std::optional<StoredChunk>& chunk,
                  const ChunkAnswer& to) {
  const bool placed = chunk && chunk->address != kUndefinedAddress;
  if (to.address != nullptr) *to.address = placed ? of.in_file(chunk->address) : HADDR_UNDEF;
  if (to.size != nullptr) *to.size = chunk ? chunk->size : 0;
  if (!chunk) return;
  if (to.mask != nullptr) *to.mask = chunk->mask;
  if (to.offset != nullptr)
    for (unsigned d = 0; d < chunk->offset.size(); ++d) to.offset[d] = chunk->offset[d];
}

struct DirectCall {
  hid_t dset_id, dxpl_id;
  uint32_t filters;
  const hsize_t* offset;
  size_t size;
  const void* buffer;
};

/// What is wrong with the arguments goes along, so that other ranks of a collective call learn of it.
Status resolve(const DirectCall& call, const ChunkedDataset& of, DirectChunk* chunk) {
  if (call.offset == nullptr && call.size == 0) return Status();
  PCIO_ASSIGN(chunk->offset, offset_argument(of, call.offset));
  PCIO_TRY(need_pointer(call.buffer, "buf"));
  chunk->mask = call.filters;
  chunk->bytes = {static_cast<const std::byte*>(call.buffer), call.size};
  return check_writable(of.open().file());
}

Status write_chunk(const DirectCall& call) {
  PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(call.dset_id, "dset_id"));
  const OpenObject& open = *dataset->open;
  TransferMode mode = TransferMode::kIndependent;
  DirectChunk chunk;
  Status checked = [&]() -> Status {
    PCIO_ASSIGN(auto list, props_or_default<TransferProps>(call.dxpl_id, "dxpl_id"));
    mode = list->mode;
    PCIO_ASSIGN(ChunkedDataset of, chunked_dataset(call.dset_id));
    return resolve(call, of, &chunk);
  }();
  return write_direct_chunk(open.store(), open.object(), chunk, mode,
                            {"H5Dwrite_chunk", open.path()}, checked);
}

}  // namespace

herr_t H5Dwrite_chunk(hid_t dset_id, hid_t dxpl_id, uint32_t filters, const hsize_t* offset,
                      size_t data_size, const void* buf) {
  return api_status("H5Dwrite_chunk", [&] {
    return write_chunk({dset_id, dxpl_id, filters, offset, data_size, buf});
  });
}

herr_t H5Dread_chunk(hid_t dset_id, hid_t dxpl_id, const hsize_t* offset, uint32_t* filters,
                     void* buf) {
  return api_status("H5Dread_chunk", [&]() -> Status {
    PCIO_ASSIGN(ChunkedDataset of, chunked_dataset(dset_id));
    PCIO_TRY(detail::to_status(props_or_default<TransferProps>(dxpl_id, "dxpl_id")));
    PCIO_ASSIGN(Dims at, offset_argument(of, offset));
    PCIO_TRY(need_pointer(filters, "filters"));
    PCIO_TRY(need_pointer(buf, "buf"));
    return read_direct_chunk(of.store(), of.open().object(), at, static_cast<std::byte*>(buf),
                             filters);
  });
}

herr_t H5Dget_num_chunks(hid_t dset_id, hid_t fspace_id, hsize_t* nchunks) {
  return api_status("H5Dget_num_chunks", [&]() -> Status {
    PCIO_ASSIGN(ChunkedDataset of, chunked_dataset(dset_id));
    PCIO_TRY(check_space_argument(fspace_id));
    PCIO_TRY(need_pointer(nchunks, "nchunks"));
    PCIO_ASSIGN(*nchunks, count_stored_chunks(of.store(), of.open().object()));
    return Status();
  });
}

herr_t H5Dget_chunk_info(hid_t dset_id, hid_t fspace_id, hsize_t chk_idx, hsize_t* offset,
                         unsigned* filter_mask, haddr_t* addr, hsize_t* size) {
  return api_status("H5Dget_chunk_info", [&]() -> Status {
    const ChunkAnswer to{offset, filter_mask, addr, size};
    PCIO_ASSIGN(ChunkedDataset of, chunked_dataset(dset_id));
    PCIO_TRY(check_space_argument(fspace_id));
    if (!to.wanted()) return PCIO_ERROR(ARGS, BADVALUE, "no argument for an answer was given");
    PCIO_ASSIGN(auto chunk, stored_chunk(of.store(), of.open().object(), chk_idx));
    answer_chunk(of, chunk, to);
    return Status();
  });
}

herr_t H5Dget_chunk_info_by_coord(hid_t dset_id, const hsize_t* offset, unsigned* filter_mask,
                                  haddr_t* addr, hsize_t* size) {
  return api_status("H5Dget_chunk_info_by_coord", [&]() -> Status {
    const ChunkAnswer to{nullptr, filter_mask, addr, size};
    PCIO_ASSIGN(ChunkedDataset of, chunked_dataset(dset_id));
    PCIO_ASSIGN(Dims at, offset_argument(of, offset));
    if (!to.wanted()) return PCIO_ERROR(ARGS, BADVALUE, "no argument for an answer was given");
    PCIO_ASSIGN(auto chunk, stored_chunk_at(of.store(), of.open().object(), at));
    answer_chunk(of, chunk, to);
    return Status();
  });
}

herr_t H5Dget_chunk_storage_size(hid_t dset_id, const hsize_t* offset, hsize_t* chunk_bytes) {
  return api_status("H5Dget_chunk_storage_size", [&]() -> Status {
    PCIO_ASSIGN(ChunkedDataset of, chunked_dataset(dset_id));
    PCIO_ASSIGN(Dims at, offset_argument(of, offset));
    PCIO_TRY(need_pointer(chunk_bytes, "chunk_bytes"));
    PCIO_ASSIGN(auto chunk, stored_chunk_at(of.store(), of.open().object(), at));
    *chunk_bytes = chunk ? chunk->size : 0;
    return Status();
  });
}

herr_t H5Dget_chunk_index_type(hid_t did, H5D_chunk_index_t* idx_type) {
  return api_status("H5Dget_chunk_index_type", [&]() -> Status {
    PCIO_ASSIGN(ChunkedDataset of, chunked_dataset(did));
    PCIO_TRY(need_pointer(idx_type, "idx_type"));
    *idx_type = static_cast<H5D_chunk_index_t>(of.state->layout.index);
    return Status();
  });
}

// A positive answer of the function ends the iteration well, a negative one makes it fail.
herr_t H5Dchunk_iter(hid_t dset_id, hid_t dxpl_id, H5D_chunk_iter_op_t cb, void* op_data) {
  return api_value("H5Dchunk_iter", herr_t{-1}, [&]() -> Result<herr_t> {
    PCIO_ASSIGN(ChunkedDataset of, chunked_dataset(dset_id));
    PCIO_TRY(detail::to_status(props_or_default<TransferProps>(dxpl_id, "dxpl_id")));
    if (cb == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument cb: NULL");
    int answer = 0;
    PCIO_TRY(visit_stored_chunks(of.store(), of.open().object(), [&](const StoredChunk& chunk) {
      hsize_t offset[kMaxNdims] = {};
      for (unsigned d = 0; d < chunk.offset.size(); ++d) offset[d] = chunk.offset[d];
      answer = cb(offset, chunk.mask, of.in_file(chunk.address), chunk.size, op_data);
      return answer == H5_ITER_CONT;
    }));
    if (answer < 0) return PCIO_ERROR(DATASET, BADITER, "the function of the iteration failed");
    return answer;
  });
}
