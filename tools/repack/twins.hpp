// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Which object of the source is which of the new file: links, committed types, references.
// Room: tools, public headers only.

#ifndef PCIO_TOOLS_REPACK_TWINS_HPP
#define PCIO_TOOLS_REPACK_TWINS_HPP

#include <array>
#include <map>
#include <string>

#include "failure.hpp"

namespace repack {

using tools::Id;

/// The two files, and the objects that are in both. Equal on all ranks.
class Twins {
 public:
  enum class Unlinked : bool { kRefused, kForgotten };
  /// `unlinked`: references to objects that no link leads to.
  Twins(hid_t in, hid_t out, Unlinked unlinked)
      : in_(in), out_(out), forget_unlinked_(unlinked == Unlinked::kForgotten) {}

  hid_t in() const { return in_; }
  hid_t out() const { return out_; }

  /// The path at which an object of the source is in the new file; null: it isn't yet.
  const std::string* path_of(haddr_t source) const;
  void put(haddr_t source, const std::string& path) { paths_.emplace(source, path); }

  /// A type for objects of the new file that is as `type` of the source: where that is committed, the
  /// committed one there, which is made where it isn't yet. Throws tools::Failure.
  Id type_for(hid_t type);
  /// The type at `source` was needed before its link came: it is in the new file already, and this is it.
  bool made_before(haddr_t source, hid_t* type) const;

  /// Makes references in `values`, elements of `type` in memory, those of the new file. What refers to
  /// nothing that is in it refers to nothing then. Throws tools::Failure.
  void translate(hid_t type, void* values, std::size_t count);

 private:
  using Region = std::array<unsigned char, sizeof(hdset_reg_ref_t)>;
  hobj_ref_t object_reference(hobj_ref_t source);
  Region region_reference(const Region& source);
  void translate_one(hid_t type, unsigned char* value);
  void translate_members(hid_t type, unsigned char* value);
  void translate_reference(hid_t type, unsigned char* value);

  hid_t in_, out_;
  bool forget_unlinked_;
  std::map<haddr_t, std::string> paths_;
  std::map<haddr_t, Id> types_;  // made before their links
  std::map<hobj_ref_t, hobj_ref_t> references_;
};

/// Elements of the type refer to objects or regions, or their parts do.
bool has_references(hid_t type);
/// They refer to regions.
bool has_regions(hid_t type);
/// They have parts of variable length.
bool has_sequences(hid_t type);

}  // namespace repack

#endif
