// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: values of attributes, of which each rank of a parallel file has a copy.

#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "storage/file/compact_copies.hpp"
#include "storage/objects/object_table.hpp"

namespace pcio {

/// Knows which values this rank has written over old ones since the last commit, which any rank may do alone, and
/// brings them to all ranks in the next. Messages say of themselves whether they are meant
/// (HeaderMessage::written_here). Nothing that ranks hold alike changes before: no object is marked as changed.
/// Threads: one thread drives a file.
class AttributeCopies {
 public:
  AttributeCopies(FileContext& file, ObjectTable& objects) : file_(file), objects_(objects) {}

  /// Notes that the value in `message`, an attribute of the object, is going to be written over. Collective: independent.
  /// Errors: memory, and then the value may not be written.
  Status note_written(const StoredObjectPtr& object, HeaderMessage* message);
  [[nodiscard]] bool any_written() const { return any_written_; }
  /// Of what is written, and which values: what is renamed counts by its new name, what is deleted does not count.
  [[nodiscard]] std::uint64_t hash() const;
  /// Where ranks have not written the same values to the same attributes all of them get what somebody wrote: of an
  /// attribute that several have, the value of one that has written it more than once (what all wrote, and one of them
  /// again), and of several such ranks, or of several others, the lowest's. What was written is changed metadata from here on.
  /// Collective: over the file; no exchange, or where ranks differ five for each rank that brings something (ten at most), and one. Errors,
  /// on all ranks: memory; a header that can't be read. Then a retry takes the rest.
  Status agree(const CallName& name, Copies copies);
  /// The object is deleted.
  void remove(FileAddress address) { written_.erase(address); }

 private:
  struct Told;
  using ValuesByName = std::map<std::string_view, ConstBytes>;
  [[nodiscard]] bool has_any_left(std::uint8_t times) const;
  [[nodiscard]] std::vector<std::byte> list(std::uint8_t times) const;
  Status share(const CallName& name, int teller, std::uint8_t times);
  Status find_told(const StoredObjectPtr& object, ValuesByName values, std::vector<Told>* told);
  Status find_told(ConstBytes list, std::vector<Told>* told, ObjectsByAddress* objects);
  template <class Each>
  void for_each_written(std::uint8_t times, Each&& each) const;
  void forget_written(std::uint8_t times);

  FileContext& file_;
  ObjectTable& objects_;
  /// All that have messages that are written, which stay in memory, and perhaps others.
  ObjectsByAddress written_;
  bool any_written_ = false;
};

}  // namespace pcio
