// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/job: what one rank knows of a transfer before any rank has spoken.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agree/agreement.hpp"
#include "plan/chunk_strategy.hpp"
#include "plan/cause_facts.hpp"
#include "props/transfer_props.hpp"
#include "storage/file/file_store.hpp"
#include "transfer/pieces/convert_buffer.hpp"

namespace pcio {

/// One H5Dread or H5Dwrite on this rank. Threads: one thread.
class TransferJob {
 public:
  TransferJob(FileStore& store, const StoredObjectPtr& object, const TransferRequest& request,
              Effort effort)
      : store_(store), object_(object), in_transfer_(object), request_(request), effort_(effort) {}

  /// Finds everything that can be found wrong before anything is moved or communicated.
  /// Collective: independent. Errors: counts of selected elements that differ, no way between the
  /// types, filters, a file opened for reading, no buffer.
  Status prepare();

  [[nodiscard]] FileStore& store() const { return store_; }
  [[nodiscard]] const StoredObjectPtr& object() const { return object_; }
  [[nodiscard]] const TransferRequest& request() const { return request_; }
  [[nodiscard]] const TransferProps& props() const { return request_.props; }
  [[nodiscard]] Effort effort() const { return effort_; }
  [[nodiscard]] bool writes() const { return request_.direction == Direction::kWrite; }
  [[nodiscard]] bool is_collective() const {
    return store_.parallel() && props().mode == TransferMode::kCollective;
  }
  /// The list's choice, else that of PCIO_TRANSPORT, which is equal on all ranks.
  [[nodiscard]] Transport forced_transport() const;

  // After prepare(), or as far as it came.
  [[nodiscard]] DatasetState* state() const { return state_; }
  [[nodiscard]] const Dataspace& file() const { return file_; }
  [[nodiscard]] const Dataspace& memory() const { return request_.memory_space; }
  [[nodiscard]] const ElementForm& form() const { return form_; }
  [[nodiscard]] bool is_compact() const {
    return state_ != nullptr && state_->layout.cls == LayoutClass::kCompact;
  }
  [[nodiscard]] bool needs_allocation() const { return needs_allocation_; }
  /// prepare() left open whether there is space for all that is written: so many chunks are looked
  /// up when the ranks have agreed on who reads the index.
  [[nodiscard]] bool looks_up_later() const { return looks_up_later_; }
  /// Finds needs_allocation(). Collective: independent. Errors: those of reading the index.
  Status find_space();
  [[nodiscard]] std::uint64_t bytes() const;
  /// Chunks of this rank's selection; 0 where the dataset is not chunked.
  [[nodiscard]] std::uint64_t touched_chunks() const { return touched_chunks_; }
  /// Of the whole grid.
  [[nodiscard]] std::uint64_t dataset_chunks() const;
  /// Mean length of a contiguous run of the selection in the file, in bytes, from a sample; 0 where
  /// nothing is selected.
  [[nodiscard]] std::uint64_t mean_run() const { return mean_run_; }
  /// Equal on two ranks only if they select the same elements of the file.
  [[nodiscard]] std::uint64_t selection_key() const;

  /// Room for the bytes of this rank's selection where all ranks might read the same few.
  [[nodiscard]] Bytes broadcast_buffer() const { return Bytes(broadcast_.get(), broadcast_size_); }

  /// A word for each byte of a compact dataset; zeros.
  [[nodiscard]] std::span<std::uint64_t> compact_words() const { return compact_words_; }

  [[nodiscard]] CauseFacts cause_facts() const;
  [[nodiscard]] TransferTraits traits() const;

 private:
  Status check_possible() const;
  Status find_conversion();
  Status find_transform();
  Status count_chunks();
  Status sample_runs();
  Status reserve_broadcast();

  FileStore& store_;
  const StoredObjectPtr& object_;
  DatasetInTransfer in_transfer_;
  const TransferRequest& request_;
  Effort effort_;
  DatasetState* state_ = nullptr;
  Dataspace file_;
  std::optional<Conversion> conversion_;
  ElementForm form_;
  bool needs_allocation_ = false;
  bool looks_up_later_ = false;
  std::uint64_t touched_chunks_ = 0;
  std::uint64_t mean_run_ = 0;
  std::unique_ptr<std::byte[]> broadcast_;  ///< not touched before it is used
  std::uint64_t broadcast_size_ = 0;
  mutable std::vector<std::uint64_t> compact_words_;
};

}  // namespace pcio
