// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: complete_pipeline.

#include "filter/parameters.hpp"

#include <algorithm>

#include "filter/nbit.hpp"
#include "filter/pipeline.hpp"
#include "filter/scale_offset.hpp"

namespace pcio {

namespace {

// Bits of szip's option mask and its limits. Source: szlib.h; H5Zpublic.h of HDF5 1.10.
constexpr unsigned kSzipLittleEndian = 8;
constexpr unsigned kSzipBigEndian = 16;
constexpr std::uint64_t kMostBlocksPerScanline = 128;
constexpr std::uint64_t kMostPixelsPerScanline = 4096;

/// Pixels are coded with their significant bits up to 24, else with 32 or 64.
Result<unsigned> szip_bits(const Datatype& type) {
  PCIO_ASSIGN(std::size_t precision, type.precision());
  PCIO_ASSIGN(unsigned offset, type.bit_offset());
  std::size_t bits = offset != 0 ? 8 * type.size() : precision;
  if (bits > 24 && bits <= 32) bits = 32;
  if (bits > 32 && bits <= 64) bits = 64;
  return static_cast<unsigned>(bits);
}

/// Source: parameters stored by libhdf5 1.10.8 for many types and chunk shapes.
Result<std::vector<unsigned>> szip_parameters(const FilterSpec& spec,
                                              const FilterSubject& subject) {
  if (spec.values.size() < 2)
    return PCIO_ERROR(PLINE, BADVALUE, "szip needs an option mask and the pixels of a block");
  PCIO_ASSIGN(ByteOrder order, subject.type.order());
  PCIO_ASSIGN(unsigned bits, szip_bits(subject.type));
  if (order != ByteOrder::kLittle && order != ByteOrder::kBig)
    return PCIO_ERROR(PLINE, BADTYPE, "szip: numbers are neither little- nor big-endian");
  const std::uint64_t block = spec.values[1];
  if (block == 0 || block % 2 != 0 || block > 32)
    return PCIO_ERROR(PLINE, BADVALUE, "szip: pixels of a block are not even and in 2..32");
  std::uint64_t scanline = subject.chunk[subject.chunk.size() - 1];
  if (scanline < block) {
    scanline = subject.chunk.volume().value_or(0);
    if (scanline < block)
      return PCIO_ERROR(PLINE, BADRANGE, "szip: a chunk has fewer elements than a block");
    scanline = std::min(block * kMostBlocksPerScanline, scanline);
  } else if (scanline <= kMostPixelsPerScanline) {
    scanline = std::min(block * kMostBlocksPerScanline, scanline);
  } else {
    scanline = block * kMostBlocksPerScanline;
  }
  unsigned options = spec.values[0] & ~(kSzipLittleEndian | kSzipBigEndian);
  options |= order == ByteOrder::kBig ? kSzipBigEndian : kSzipLittleEndian;
  return std::vector<unsigned>{options, static_cast<unsigned>(block), bits,
                               static_cast<unsigned>(scanline)};
}

Status complete_stage(const FilterSubject& subject, FilterSpec* stage) {
  switch (stage->id) {
    case kFilterShuffle: stage->values = {static_cast<unsigned>(subject.type.size())}; break;
    case kFilterSzip: {
      PCIO_ASSIGN(stage->values, szip_parameters(*stage, subject));
      break;
    }
    case kFilterNbit: {
      auto elements = subject.chunk.volume();
      if (!elements) return PCIO_ERROR(PLINE, OVERFLOW, "a chunk has too many elements");
      PCIO_ASSIGN(stage->values, nbit_parameters(subject.type, *elements));
      break;
    }
    case kFilterScaleOffset: {
      PCIO_ASSIGN(stage->values, scale_offset_parameters(*stage, subject));
      break;
    }
    default: break;
  }
  return Status();
}

}  // namespace

Result<FilterPipeline> complete_pipeline(const FilterPipeline& pipeline,
                                         const FilterSubject& subject) {
  PCIO_TRY(check_encodable(pipeline));
  FilterPipeline done = pipeline;
  for (FilterSpec& stage : done) {
    if (auto filter = find_filter_class(stage.id); filter && stage.name.empty())
      stage.name = (*filter)->name;
    Status status = complete_stage(subject, &stage);
    if (status.ok()) continue;
    status.push(
        PCIO_FRAME(PLINE, CANTINIT, filter_label(stage) + " can't be applied to this dataset"));
    return detail::StatusReturn(std::move(status));
  }
  return done;
}

}  // namespace pcio
