// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: running the stages of a pipeline.

#include "filter/pipeline.hpp"

#include <algorithm>
#include <cstring>

#include "base/library_lock.hpp"
#include "base/time_split.hpp"
#include "base/without_throwing.hpp"
#include "filter/foreign.hpp"
#include "filter/standard_filters.hpp"

namespace pcio {

namespace {

/// Stages behind this one have no bit in the mask. Source: HDF5 File Format Specification IV.A.2.l.
constexpr std::size_t kMaskBits = 32;
/// Chunks of more bytes are refused when a dataset is made. Source: HDF5 Reference Manual, H5Pset_chunk.
constexpr std::uint64_t kMostChunkBytes = 0xFFFFFFFF;

bool is_skipped(std::uint32_t mask, std::size_t stage) {
  return stage < kMaskBits && (mask >> stage & 1) != 0;
}

Status failed_stage(const FilterSpec& stage, const char* what, Status why) {
  why.push(PCIO_FRAME(PLINE, CANTFILTER, filter_label(stage) + " failed to " + what + " a chunk"));
  return why;
}

/// Asks the program's callback about a failed stage. True: go on with the bytes as they are.
bool program_goes_on(const FilterOptions& options, const FilterSpec& stage, ConstBytes bytes) {
  if (options.failure.function == nullptr) return false;
  // H5Z_filter_func_t; 1 is H5Z_CB_CONT.
  using Asked = int (*)(int filter, void* buf, std::size_t size, void* data);
  auto ask = reinterpret_cast<Asked>(options.failure.function);
  return ask(stage.id, const_cast<std::byte*>(bytes.data()), bytes.size(), options.failure.data) ==
         1;
}

/// Chunks may be longer than those of their dataset (chunk_bytes): up to so many bytes,
constexpr std::uint64_t kLongerBytes = std::uint64_t{16} << 20;
/// or so many times as long.
constexpr std::uint64_t kTimesLonger = 4;

/// Of a program or a plugin.
bool is_foreign(const FilterSpec& stage) { return stage.id > kFilterScaleOffset; }

/// Filters that leave out bits which no element has set, or needs. What a filter before them has made is
/// not made of elements: left out there they would be lost.
bool takes_elements(const FilterSpec& stage) {
  return stage.id == kFilterNbit || stage.id == kFilterScaleOffset;
}

/// Bytes that stage `i` gives back when undone, unless a foreign filter is in front of it or the chunk is a longer
/// one: others may have added to the image (checksums, headers, deflate that found nothing).
std::uint64_t likely_bytes(std::size_t i, std::uint64_t image_bytes) {
  if (i == 0) return image_bytes;
  std::uint64_t added = image_bytes / 8 + 1024 * i;
  return image_bytes > UINT64_MAX - added ? UINT64_MAX : image_bytes + added;
}

/// Bytes that it may give back. What a foreign filter has made of a chunk may be of any size: only the stored bytes
/// bound it then, which deflate and szip see to. Filters of elements have those of the chunk.
std::uint64_t decode_limit(const FilterPipeline& pipeline, std::uint32_t mask, std::size_t i,
                           std::uint64_t image_bytes) {
  const std::uint64_t likely = likely_bytes(i, image_bytes);
  if (takes_elements(pipeline[i])) return likely;
  for (std::size_t before = 0; before < i; ++before)
    if (!is_skipped(mask, before) && is_foreign(pipeline[before]) &&
        find_filter_class(pipeline[before].id))
      return UINT64_MAX;
  return likely > UINT64_MAX / kTimesLonger ? UINT64_MAX
                                            : std::max(kLongerBytes, kTimesLonger * likely);
}

/// Encoding: optional szip must not make a chunk larger; it is stored without it then. The others may,
/// as under libhdf5: where 1.10.8 stores a chunk anew in as many bytes as before it keeps the old mask,
/// and has lost the chunk if the filter was skipped in the one and not in the other.
std::uint64_t encode_limit(const FilterSpec& stage, std::uint64_t bytes) {
  return stage.id == kFilterSzip && (stage.flags & kFilterOptional) != 0 ? bytes : UINT64_MAX;
}

Status run_stage(const FilterClass& filter, NativeFilter native, unsigned flags,
                 const FilterCall& call) {
  const Spends codes(Spent::kFilters);
  if (filter.is_native()) {
    if (native == nullptr)
      return PCIO_ERROR(PLINE, NOFILTER, "this filter can't be run in this direction here");
    // Bytes to bytes. Those of programs run one at a time, for which they were written.
    const LibraryPause others_go_on;
    return native(call);
  }
  return run_foreign(filter, flags, call);
}

/// The stages of a chunk on their way: `now` is what the last one made.
class Stages {
 public:
  Stages(ConstBytes begin, FilterScratch& scratch) : now_(begin), scratch_(scratch) {}

  [[nodiscard]] ConstBytes now() const { return now_; }
  /// A buffer that does not hold now().
  FilterBuffer& free_buffer() {
    return now_.data() == scratch_.front.data() && !now_.empty() ? scratch_.back : scratch_.front;
  }
  void advance(const FilterBuffer& made) { now_ = made.view(); }

 private:
  ConstBytes now_;
  FilterScratch& scratch_;
};

Status encode_stage(const FilterSpec& stage, Stages& stages) {
  PCIO_ASSIGN(FilterClassPtr filter, find_filter_class(stage.id));
  if (!filter->encodes)
    return PCIO_ERROR(PLINE, NOFILTER, filter_label(stage) + " can only be read here");
  FilterBuffer& out = stages.free_buffer();
  FilterCall call{stage, stages.now(), out, encode_limit(stage, stages.now().size()), 0};
  PCIO_TRY(run_stage(*filter, filter->encode, 0, call));
  stages.advance(out);
  return Status();
}

struct DecodedSize {
  std::uint64_t likely = 0;
  std::uint64_t limit = 0;
};

Status decode_stage(const FilterSpec& stage, const DecodedSize& size, unsigned flags, ConstBytes in,
                    FilterBuffer& out) {
  auto filter = find_filter_class(stage.id);
  if (!filter)
    return PCIO_ERROR(
        PLINE, NOFILTER,
        filter_label(stage) + " is not available for reading: " + filter.error().message());
  // What the class of a foreign one says of decoding libhdf5 never looks at, and programs leave it 0.
  if ((*filter)->is_native() && !(*filter)->decodes)
    return PCIO_ERROR(PLINE, NOFILTER, filter_label(stage) + " can only be written here");
  return run_stage(**filter, (*filter)->decode, flags | kFilterReverse,
                   {stage, in, out, size.limit, flags, size.likely});
}

/// Decodes into the scratch or, where the last stage can, into `image`.
Result<ConstBytes> decode_stages(const FilterPipeline& pipeline, ConstBytes stored,
                                 std::uint32_t mask, FilterBuffer& image, std::uint64_t image_bytes,
                                 FilterScratch& scratch, const FilterOptions& options) {
  Stages stages(stored, scratch);
  const unsigned flags = options.checksum == ChecksumCheck::kDisable ? kFilterSkipChecksum : 0;
  std::size_t last = 0;
  while (last < pipeline.size() && is_skipped(mask, last)) ++last;
  for (std::size_t i = pipeline.size(); i-- > 0;) {
    if (is_skipped(mask, i)) continue;
    FilterBuffer& out = i == last ? image : stages.free_buffer();
    const DecodedSize size = {likely_bytes(i, image_bytes),
                              decode_limit(pipeline, mask, i, image_bytes)};
    Status status = decode_stage(pipeline[i], size, flags, stages.now(), out);
    if (status.ok()) {
      stages.advance(out);
    } else if (!program_goes_on(options, pipeline[i], stages.now())) {
      return detail::StatusReturn(failed_stage(pipeline[i], "decode", std::move(status)));
    }
  }
  count_amount(Amount::kRaw, stages.now().size());
  count_amount(Amount::kStored, stored.size());
  return stages.now();
}

Status wrong_size(std::uint64_t has, std::uint64_t wanted) {
  return PCIO_ERROR(
      PLINE, CANTFILTER,
      "chunk decodes to " + std::to_string(has) + " bytes, expected " + std::to_string(wanted));
}

/// The bytes of the chunk, of what the pipeline has made: that may be longer, as under libhdf5, which takes the bytes
/// that the chunk has. Filters of others pad, as netCDF's own tests do, and programs put chunks of other shapes.
Result<ConstBytes> chunk_bytes(ConstBytes made, std::uint64_t image_bytes) {
  if (made.size() < image_bytes) return detail::StatusReturn(wrong_size(made.size(), image_bytes));
  return made.first(static_cast<std::size_t>(image_bytes));
}

}  // namespace

Status check_encodable(const FilterPipeline& pipeline) {
  for (const FilterSpec& stage : pipeline) {
    auto filter = find_filter_class(stage.id);
    if (!filter && (stage.flags & kFilterOptional) != 0) continue;
    if (!filter)
      return PCIO_ERROR(
          PLINE, NOFILTER,
          filter_label(stage) + " is not available for writing: " + filter.error().message());
    if (!(*filter)->encodes)
      return PCIO_ERROR(PLINE, NOENCODER, filter_label(stage) + " can only be read here");
  }
  return Status();
}

namespace {

/// Its second parameter: nothing in the type can be packed.
bool nbit_copies(const FilterSpec& stage) {
  return stage.id == kFilterNbit && stage.values.size() > 1 && stage.values[1] != 0;
}

Status no_elements(const FilterSpec& stage) {
  return PCIO_ERROR(
      PLINE, CANTFILTER,
      filter_label(stage) + " comes behind a filter that has changed the elements; put it first");
}

}  // namespace

Result<EncodedView> encode_chunk(const FilterPipeline& pipeline, ConstBytes image,
                                 FilterScratch& scratch, const FilterOptions& options) {
  Stages stages(image, scratch);
  std::uint32_t mask = 0;
  bool elements = true;  // not changed yet, but by n-bit that had nothing to pack
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    Status status = elements || !takes_elements(pipeline[i]) ? encode_stage(pipeline[i], stages)
                                                             : no_elements(pipeline[i]);
    if (status.ok()) {
      elements = elements && nbit_copies(pipeline[i]);
      continue;
    }
    const bool optional = (pipeline[i].flags & kFilterOptional) != 0;
    if (i >= kMaskBits || (!optional && !program_goes_on(options, pipeline[i], stages.now())))
      return detail::StatusReturn(failed_stage(pipeline[i], "encode", std::move(status)));
    mask |= std::uint32_t{1} << i;
  }
  count_amount(Amount::kRaw, image.size());
  count_amount(Amount::kStored, stages.now().size());
  return EncodedView{stages.now(), mask};
}

Result<EncodedChunk> encode_chunk(const FilterPipeline& pipeline, ConstBytes image) {
  FilterScratch scratch;
  EncodedChunk chunk;
  PCIO_TRY(without_throwing([&]() -> Status {
    PCIO_ASSIGN(EncodedView view, encode_chunk(pipeline, image, scratch));
    chunk = {{view.bytes.begin(), view.bytes.end()}, view.mask};
    return Status();
  }));
  return chunk;
}

Status check_image_size(const FilterPipeline& pipeline, std::uint64_t stored_bytes,
                        std::uint32_t mask, std::uint64_t image_bytes) {
  if (image_bytes > kMostChunkBytes)
    return PCIO_ERROR(PLINE, BADSIZE,
                      "chunks of " + std::to_string(image_bytes) + " bytes have no filters");
  std::uint64_t most = stored_bytes;
  for (std::size_t i = pipeline.size(); i-- > 0;) {
    if (is_skipped(mask, i)) continue;
    // Of other filters nothing is known: a few bytes may stand for any number of equal values.
    if (pipeline[i].id > kFilterFletcher32) return Status();
    if (pipeline[i].id == kFilterDeflate) most = most_inflated(most);
  }
  if (most < image_bytes) return wrong_size(most, image_bytes);
  return Status();
}

Status decode_chunk(const FilterPipeline& pipeline, ConstBytes stored, std::uint32_t mask,
                    Bytes image, FilterScratch& scratch, const FilterOptions& options) {
  FilterBuffer target(image);
  PCIO_ASSIGN(ConstBytes made,
              decode_stages(pipeline, stored, mask, target, image.size(), scratch, options));
  PCIO_ASSIGN(made, chunk_bytes(made, image.size()));
  if (made.data() != image.data() && !image.empty())
    std::memcpy(image.data(), made.data(), image.size());
  return Status();
}

Result<std::vector<std::byte>> decode_chunk(const FilterPipeline& pipeline, ConstBytes stored,
                                            std::uint32_t mask, std::uint64_t image_bytes) {
  FilterScratch scratch;
  FilterBuffer target;
  std::vector<std::byte> image;
  PCIO_TRY(without_throwing([&]() -> Status {
    PCIO_TRY(check_image_size(pipeline, stored.size(), mask, image_bytes));
    PCIO_ASSIGN(ConstBytes made, decode_stages(pipeline, stored, mask, target, image_bytes, scratch,
                                               FilterOptions()));
    PCIO_ASSIGN(made, chunk_bytes(made, image_bytes));
    image.assign(made.begin(), made.end());
    return Status();
  }));
  return image;
}

}  // namespace pcio
