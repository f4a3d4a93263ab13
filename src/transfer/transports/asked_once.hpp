// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: letters of a node's ranks that ask for the same bytes, as one letter that asks for each of
// them once; what comes is handed out on the node.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "transfer/transports/exchange_buffers.hpp"
#include "transfer/transports/slice_letters.hpp"

namespace pcio {

/// Letters stay as they are, and where their answers go, until these are handed out. Threads: one thread.
class AskedOnce {
 public:
  /// A letter of sections only, whose elements go to `reply`, one behind the other. May throw bad_alloc.
  void add(ConstBytes letter, std::byte* reply);
  /// Makes one of all; false where no byte is asked for twice, where the letter would be longer than `most` bytes or
  /// its answer than `most_answer`, where both together are no shorter than letters and answers as they are, or where
  /// pieces of one slice lie too far apart for a map of it: then letters go as they are. May throw bad_alloc.
  bool settle(std::uint64_t most, std::uint64_t most_answer);

  // Once settled.
  [[nodiscard]] ConstBytes request() const { return request_; }
  /// Where what is asked for comes.
  [[nodiscard]] Bytes place() { return place_.bytes(); }
  /// To all that asked. Local.
  void hand_out();

 private:
  struct Letter {
    ConstBytes bytes;
    std::byte* reply = nullptr;
  };
  /// Bytes that follow each other in the file, as they lie in the answer.
  struct Run {
    std::uint64_t slice = 0;
    std::uint64_t offset = 0;  ///< in it
    std::uint64_t length = 0;
    std::uint64_t place = 0;
  };
  /// What a letter asks for of one slice.
  struct Part {
    std::uint64_t slice = 0;
    std::span<const Section> sections;
  };

  /// False where its map, or the list of runs, takes more than `most` bytes.
  bool find_runs(std::span<const Part> parts, std::uint64_t most);
  void write_request();

  std::vector<Letter> letters_;
  std::vector<Run> runs_;      ///< ascending; no two touch
  std::uint64_t payload_ = 0;  ///< bytes of them
  std::vector<std::byte> request_;
  RawBuffer place_;
};

}  // namespace pcio
