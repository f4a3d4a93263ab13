// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Two objects compared. Room: tools, public headers only.

#ifndef PCIO_TOOLS_DIFF_OBJECT_HPP
#define PCIO_TOOLS_DIFF_OBJECT_HPP

#include "element.hpp"
#include "listing.hpp"
#include "pieces.hpp"

namespace diff {

/// Two files, open for reading.
struct Files {
  hid_t first, second;
  hid_t operator[](int i) const { return i == 0 ? first : second; }
};

/// What two objects are called in the two files.
struct Names {
  std::string first, second;
  const std::string& operator[](int i) const { return i == 0 ? first : second; }
};

/// Two datasets, and in which pieces they are compared.
class DatasetPair {
 public:
  /// Throws tools::Failure. What can't be compared says why in `outcome`.
  DatasetPair(const Options& options, const Files& files, const Names& names, Outcome* outcome);
  DatasetPair(const Options& options, const Files& files, hid_t first, hid_t second,
              Outcome* outcome);

  bool comparable() const { return comparable_; }
  std::uint64_t pieces() const { return comparable_ ? pieces_->count() : 0; }
  std::uint64_t bytes() const { return bytes_; }
  /// Compares the pieces [from, to). `depth`: references that led here. Throws tools::Failure.
  void compare(std::uint64_t from, std::uint64_t to, Outcome* outcome, int depth = 0) const;
  /// "[3x4]" of both, for the head of the lines.
  std::string size_line() const;

 private:
  void begin(Outcome* outcome, const Names& names);
  bool spaces_alike(Outcome* outcome, const Names& names);
  void plan_pieces();
  void compare_piece(const tools::Piece& piece, Outcome* outcome, int depth) const;

  const Options& options_;
  Files files_;
  Id sets_[2] = {Id(-1), Id(-1)}, spaces_[2] = {Id(-1), Id(-1)};
  std::vector<hsize_t> dims_[2];
  Plan plan_;
  std::unique_ptr<tools::Pieces> pieces_;
  std::uint64_t bytes_ = 0;
  bool comparable_ = false;
};

/// What both have, what one has only.
struct AttributeLists {
  std::vector<std::string> common, first_only, second_only;
};
/// Attributes of the objects `first` and `second`, called so. Throws tools::Failure.
AttributeLists list_attributes(const Options& options, hid_t first, hid_t second,
                               const std::string& path);
/// Compares an attribute of both. Throws tools::Failure.
void compare_attribute(const Options& options, const Files& files, const hid_t (&objects)[2],
                       const Names& names, const std::string& attribute, Outcome* outcome);

/// "size:" with two shapes, and what stands over the columns.
std::string head_of(const Options& options, const std::string& sizes, const std::string& first,
                    const std::string& second);
std::string shape_words(hid_t space);

/// A function that compares what references of the two files lead to.
CompareTargets compare_targets(const Options& options, const Files& files, Outcome* outcome,
                               int depth);

}  // namespace diff

#endif
