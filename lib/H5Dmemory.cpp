// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5D: calls on buffers in memory alone: iterate, fill, scatter, gather, reclaim.

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "base/without_throwing.hpp"
#include "lib/api_entry.hpp"
#include "lib/conversion_table.hpp"
#include "lib/iteration.hpp"
#include "lib/text_argument.hpp"
#include "lib/value_handles.hpp"
#include "props/transfer_props.hpp"
#include "space/runs.hpp"
#include "space/unlimited.hpp"
#include "type/convert.hpp"

using namespace pcio;

namespace {

/// The type and space of a buffer, both checked.
struct BufferShape {
  Datatype type;
  Dataspace space;
  [[nodiscard]] std::size_t element() const { return type.size(); }
  [[nodiscard]] std::uint64_t bytes() const { return space.selected() * element(); }
};

Result<BufferShape> buffer_shape(hid_t type_id, hid_t space_id) {
  PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
  PCIO_ASSIGN(auto space, get<SpaceObject>(space_id, "space_id"));
  if (lacks_extent(space->space))
    return PCIO_ERROR(ARGS, BADVALUE, "argument space_id: the dataspace has no extent yet");
  PCIO_TRY(space->space.check_selection());
  return BufferShape{type->type.memory_form(), space->space};
}

/// Coordinates of element number `offset` of an extent.
void coordinates(std::uint64_t offset, const Dims& dims, hsize_t* point) {
  for (unsigned d = dims.size(); d-- > 0;) {
    point[d] = offset % dims[d];
    offset /= dims[d];
  }
}

/// Calls `visit(element bytes, point) -> Result<herr_t>` for the selected elements.
template <class Visit>
Result<herr_t> for_each_element(const BufferShape& shape, std::byte* buffer, Visit&& visit) {
  hsize_t point[kMaxNdims] = {};
  RunCursor cursor(shape.space);
  for (Run run; cursor.next(run);) {
    for (std::uint64_t i = 0; i < run.length; ++i) {
      coordinates(run.offset + i, shape.space.dims(), point);
      PCIO_ASSIGN(herr_t answer, visit(buffer + (run.offset + i) * shape.element(), point));
      if (answer != 0) return answer;
    }
  }
  return 0;
}

}  // namespace

herr_t H5Diterate(void* buf, hid_t type_id, hid_t space_id, H5D_operator_t op,
                  void* operator_data) {
  return api_value("H5Diterate", herr_t{-1}, [&]() -> Result<herr_t> {
    PCIO_TRY(need_callback(op));
    PCIO_TRY(need_pointer(buf, "buf"));
    PCIO_ASSIGN(BufferShape shape, buffer_shape(type_id, space_id));
    const ProgramsTurn turn;
    return for_each_element(
        shape, static_cast<std::byte*>(buf),
        [&](std::byte* element, const hsize_t* point) -> Result<herr_t> {
          herr_t answer = op(element, type_id, shape.space.ndims(), point, operator_data);
          if (answer < 0) return PCIO_ERROR(ARGS, BADITER, "argument op: the callback failed");
          return answer;
        });
  });
}

namespace {

/// How an element gets the fill value. Each element has memory of its own for variable-length parts.
struct FillMaker {
  const std::byte* value = nullptr;  ///< in the fill type; null: zeros
  std::optional<Conversion> way;
  std::vector<std::byte> element;  ///< what all elements get, where they are complete in themselves
};

Result<FillMaker> fill_maker(const void* fill, hid_t fill_type_id, const Datatype& type,
                             SequenceMemory* memory) {
  FillMaker maker;
  maker.element.resize(type.size());
  if (fill == nullptr) return maker;
  PCIO_ASSIGN(auto fill_type, get<TypeObject>(fill_type_id, "fill_type_id"));
  ConvertOptions options;
  options.sequences.memory = memory;
  options.foreign = foreign_conversions(H5P_DEFAULT);
  PCIO_ASSIGN(Conversion way, Conversion::make(fill_type->type.memory_form(), type, options));
  const auto* value = static_cast<const std::byte*>(fill);
  if (type.is_fixed()) {
    PCIO_TRY(way.run(value, maker.element.data(), 1));
    return maker;
  }
  maker.value = value;
  maker.way = std::move(way);
  return maker;
}

/// The selected elements of a buffer. On failure the first `filled` of them are filled, with memory that is
/// taken back.
Status fill_elements(const BufferShape& shape, FillMaker& maker, std::byte* buffer,
                     std::uint64_t* filled) {
  const std::size_t size = shape.element();
  RunCursor cursor(shape.space);
  for (Run run; cursor.next(run);)
    for (std::uint64_t i = 0; i < run.length; ++i) {
      if (maker.way) PCIO_TRY(maker.way->run(maker.value, maker.element.data(), 1));
      std::memcpy(buffer + (run.offset + i) * size, maker.element.data(), size);
      ++*filled;
    }
  return Status();
}

/// Empties what was given memory that is taken back: the first `filled` elements. The others have what the
/// program gave them.
void clear_elements(const BufferShape& shape, std::byte* buffer, std::uint64_t filled) {
  RunCursor cursor(shape.space);
  for (Run run; filled > 0 && cursor.next(run);) {
    const std::uint64_t n = std::min(run.length, filled);
    clear_sequences(shape.type, buffer + run.offset * shape.element(), static_cast<std::size_t>(n));
    filled -= n;
  }
}

}  // namespace

herr_t H5Dfill(const void* fill, hid_t fill_type_id, void* buf, hid_t buf_type_id, hid_t space_id) {
  return api_status("H5Dfill", [&]() -> Status {
    PCIO_TRY(need_pointer(buf, "buf"));
    PCIO_ASSIGN(BufferShape shape, buffer_shape(buf_type_id, space_id));
    SequenceMemory memory;
    PCIO_ASSIGN(FillMaker maker, fill_maker(fill, fill_type_id, shape.type, &memory));
    auto* bytes = static_cast<std::byte*>(buf);
    std::uint64_t count = 0;
    Status filled = without_throwing([&] { return fill_elements(shape, maker, bytes, &count); });
    if (filled.ok())
      memory.keep();
    else
      clear_elements(shape, bytes, count);
    return filled;
  });
}

namespace {

/// Walks the bytes of a selection in selection order, as far as asked for each time.
class SelectedBytes {
 public:
  explicit SelectedBytes(const BufferShape& shape)
      : cursor_(shape.space), element_(shape.element()) {}

  /// Calls `piece(offset, size)` for the next `size` bytes of the selection.
  template <class Piece>
  void next(std::uint64_t size, Piece&& piece) {
    while (size > 0) {
      if (left_ == 0) {
        Run run;
        if (!cursor_.next(run)) return;
        offset_ = run.offset * element_;
        left_ = run.length * element_;
      }
      std::uint64_t n = std::min(size, left_);
      piece(offset_, n);
      offset_ += n;
      left_ -= n;
      size -= n;
    }
  }

 private:
  RunCursor cursor_;
  std::uint64_t element_;
  std::uint64_t offset_ = 0;
  std::uint64_t left_ = 0;
};

/// One call of a scatter's callback, its answer checked.
Result<ConstBytes> ask_for_bytes(H5D_scatter_func_t op, void* op_data, std::uint64_t left,
                                 std::size_t element) {
  const void* source = nullptr;
  size_t used = 0;
  if (op(&source, &used, op_data) < 0)
    return PCIO_ERROR(DATASET, CALLBACK, "argument op: the callback failed");
  if (source == nullptr || used == 0 || used > left || used % element != 0)
    return PCIO_ERROR(DATASET, CALLBACK,
                      "argument op: the callback gave " + std::to_string(used) + " bytes of " +
                          std::to_string(left) + " in elements of " + std::to_string(element));
  return ConstBytes(static_cast<const std::byte*>(source), used);
}

}  // namespace

herr_t H5Dscatter(H5D_scatter_func_t op, void* op_data, hid_t type_id, hid_t dst_space_id,
                  void* dst_buf) {
  return api_status("H5Dscatter", [&]() -> Status {
    PCIO_TRY(need_callback(op));
    PCIO_TRY(need_pointer(dst_buf, "dst_buf"));
    PCIO_ASSIGN(BufferShape shape, buffer_shape(type_id, dst_space_id));
    SelectedBytes selected(shape);
    auto* bytes = static_cast<std::byte*>(dst_buf);
    for (std::uint64_t left = shape.bytes(); left > 0;) {
      PCIO_ASSIGN(ConstBytes source, ask_for_bytes(op, op_data, left, shape.element()));
      const std::byte* from = source.data();
      selected.next(source.size(), [&](std::uint64_t offset, std::uint64_t n) {
        std::memcpy(bytes + offset, from, n);
        from += n;
      });
      left -= source.size();
    }
    return Status();
  });
}

namespace {

/// The largest piece that a gather hands over: whole elements that fit into the buffer.
Result<std::uint64_t> gather_step(const BufferShape& shape, std::size_t dst_buf_size,
                                  H5D_gather_func_t op) {
  std::uint64_t step = dst_buf_size / shape.element() * shape.element();
  if (step == 0)
    return PCIO_ERROR(ARGS, BADVALUE, "argument dst_buf_size: smaller than one element");
  if (op == nullptr && step < shape.bytes())
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument op: without a callback dst_buf must hold all selected elements");
  return step;
}

}  // namespace

herr_t H5Dgather(hid_t src_space_id, const void* src_buf, hid_t type_id, size_t dst_buf_size,
                 void* dst_buf, H5D_gather_func_t op, void* op_data) {
  return api_status("H5Dgather", [&]() -> Status {
    PCIO_TRY(need_pointer(src_buf, "src_buf"));
    PCIO_TRY(need_pointer(dst_buf, "dst_buf"));
    PCIO_ASSIGN(BufferShape shape, buffer_shape(type_id, src_space_id));
    PCIO_ASSIGN(std::uint64_t step, gather_step(shape, dst_buf_size, op));
    SelectedBytes selected(shape);
    const auto* bytes = static_cast<const std::byte*>(src_buf);
    for (std::uint64_t left = shape.bytes(); left > 0;) {
      std::uint64_t size = std::min(step, left);
      auto* to = static_cast<std::byte*>(dst_buf);
      selected.next(size, [&](std::uint64_t offset, std::uint64_t n) {
        std::memcpy(to, bytes + offset, n);
        to += n;
      });
      if (op != nullptr && op(dst_buf, size, op_data) < 0)
        return PCIO_ERROR(DATASET, CALLBACK, "argument op: the callback failed");
      left -= size;
    }
    return Status();
  });
}

// ---- variable-length data ----------------------------------------------------------------------

namespace {

/// What H5Dvlen_reclaim and H5Treclaim do.
Status reclaim(hid_t type_id, hid_t space_id, hid_t list_id, void* buf, const char* list_argument) {
  PCIO_TRY(need_pointer(buf, "buf"));
  PCIO_ASSIGN(BufferShape shape, buffer_shape(type_id, space_id));
  PCIO_ASSIGN(auto props, props_or_default<TransferProps>(list_id, list_argument));
  if (shape.type.is_fixed()) return Status();
  const SequenceMemoryCalls calls = sequence_memory_calls(*props);
  RunCursor cursor(shape.space);
  for (Run run; cursor.next(run);)
    release_sequences(shape.type, static_cast<std::byte*>(buf) + run.offset * shape.element(),
                      static_cast<std::size_t>(run.length), calls);
  return Status();
}

}  // namespace

herr_t H5Dvlen_reclaim(hid_t type_id, hid_t space_id, hid_t dxpl_id, void* buf) {
  return api_status("H5Dvlen_reclaim",
                    [&] { return reclaim(type_id, space_id, dxpl_id, buf, "dxpl_id"); });
}

herr_t H5Treclaim(hid_t type_id, hid_t space_id, hid_t plist_id, void* buf) {
  return api_status("H5Treclaim",
                    [&] { return reclaim(type_id, space_id, plist_id, buf, "plist_id"); });
}
