// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: where the structures of a file are, and how to spoil them.
//
// Structures are found by their signatures, version 1 object headers by their looks; a grammar of one
// string each says where the numbers in them are. Source: HDF5 File Format Specification.

#ifndef PCIO_TEST_FUZZ_MUTATE_HPP
#define PCIO_TEST_FUZZ_MUTATE_HPP

#include <memory>

#include "fuzz.hpp"

namespace fuzz {

/// A number in a file.
struct Field {
  std::size_t at = 0;     ///< byte in the file
  std::size_t width = 1;  ///< bytes, 1 to 8
};

/// A header message.
struct Message {
  std::size_t head = 0;  ///< where its type is
  std::size_t body = 0;
  std::size_t size = 0;  ///< of the body, bytes
  unsigned type = 0;
  unsigned version = 1;  ///< of the object header
};

/// What is known of one sound file.
struct FileMap {
  NamedImage file;
  std::size_t base = 0;  ///< where the superblock is
  std::vector<Field> fields;
  std::vector<Message> messages;
  std::vector<std::size_t> blocks;  ///< where structures begin
};

using FileMaps = std::vector<FileMap>;

FileMap map_of(NamedImage file);

/// How often each way of spoiling was chosen.
struct MutationCounts {
  std::uint64_t field = 0, message = 0, splice = 0, block = 0, bytes = 0, end = 0, none = 0;
};

/// A file as `maps[which]`, spoiled in one to four places, perhaps with pieces of other files.
Image mutate(const FileMaps& maps, std::size_t which, Random& random, MutationCounts* counts);

}  // namespace fuzz

#endif
