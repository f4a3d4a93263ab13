// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tables as they are open, and their records: what the calls of H5TB are made of. Where one fails there is an error
// on the stack.
#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <vector>

#include "all_ranks.hpp"
#include "support.hpp"

namespace pcio::hl {

/// A member of the records.
struct Member {
  std::string name;
  OwnedId type;
  size_t offset;
};
std::optional<std::vector<Member>> members_of(hid_t type);

struct Table {
  OwnedId dataset, type;
  std::vector<Member> members;
  hsize_t records = 0;
  [[nodiscard]] size_t size() const { return H5Tget_size(type.get()); }
};
/// Errors: not a dataset of one dimension and a compound type.
std::optional<Table> open_table(const char* function, hid_t loc, const char* name);
bool is_within(const Table& table, hsize_t start, hsize_t count);

/// Where the fields that a call names lie in its records.
struct Places {
  size_t record_size;
  const size_t* offsets;
  const size_t* sizes;
};
/// The type of records in memory that have the fields with these numbers.
OwnedId record_type(const char* function, const Table& table, const std::vector<size_t>& fields,
                    const Places& places);
std::vector<size_t> all_fields(const Table& table);
/// In the order of the table. Empty: not all names are fields.
std::vector<size_t> named_fields(const Table& table, const char* names);
std::vector<size_t> numbered_fields(const Table& table, hsize_t count, const int* numbers);

/// `buffer` is only read where records are written. This rank alone.
herr_t move(const Table& table, Way way, hid_t type, hsize_t start, hsize_t count, void* buffer);
/// The fields of a call in some records.
struct Part {
  hsize_t start, count;
  void* buffer;
};
herr_t move_fields(const char* function, const Table& table, const std::vector<size_t>& fields,
                   const Places& places, Way way, const Part& part);

/// This rank's share of some records, as they are in the file; what they lead to is given back.
class Records {
 public:
  /// A step of this rank. `ranks`: those that share them, of the file that they go to. Where the table's file is
  /// another one, which other ranks have open, each reads its share by itself.
  Records(const Table& table, hsize_t start, hsize_t count, const Ranks& ranks);
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  ~Records();
  [[nodiscard]] bool is_ready() const { return reading_.is_ready(); }
  /// All ranks together, where there are any records. `loc`: in the file that they go to.
  bool read(const char* function, hid_t loc);
  [[nodiscard]] Range share() const { return share_; }
  [[nodiscard]] void* data() { return bytes_.data(); }
  [[nodiscard]] const unsigned char* record(hsize_t i, size_t size) const {
    return bytes_.data() + i * size;
  }

 private:
  hid_t type_;
  hsize_t count_;  ///< of all ranks
  Ranks ranks_;
  bool together_;
  Range share_;
  std::vector<unsigned char> bytes_;
  SharedTransfer reading_;
  bool read_ = false;
};

/// Records that come between others: those behind move up. Where it fails the table is what it was.
class Insertion {
 public:
  /// A step of this rank. The table has records enough.
  Insertion(const Table& table, hsize_t start, hsize_t count);
  [[nodiscard]] bool is_ready() const { return behind_.is_ready(); }
  /// This rank's, of the new records.
  [[nodiscard]] Range share() const { return share_of(count_, ranks_); }
  /// All ranks together. `values`: those of the share.
  bool run(const char* function, hid_t type, void* values);

 private:
  const Table& table_;
  hsize_t start_, count_;
  Ranks ranks_;
  Records behind_;
  bool moved_;
};

bool resize(const Table& table, hsize_t records);
/// Those behind move up. All ranks together. Where it fails the table is what it was.
bool take_out(const char* function, const Table& table, hsize_t start, hsize_t count);

/// What describes a table; `fill` null: it has no fill values. Both in the type of the table.
bool describe(hid_t dataset, const char* title, const std::vector<Member>& members,
              const unsigned char* fill);
/// Attributes of `from` but for those that describe a table.
bool copy_other_attributes(hid_t from, hid_t to);
/// The fill values of all fields, in the type of the table; empty: it has none.
std::optional<std::vector<unsigned char>> fills_of(const Table& table);
/// Gives back, in the end, what fill values lead to.
class FillsGivenBack {
 public:
  FillsGivenBack(const Table& table, std::vector<unsigned char>& fills)
      : type_(table.type.get()), fills_(fills) {}
  FillsGivenBack(const FillsGivenBack&) = delete;
  FillsGivenBack& operator=(const FillsGivenBack&) = delete;
  ~FillsGivenBack();

 private:
  hid_t type_;
  std::vector<unsigned char>& fills_;
};
/// Of records in chunks that can become more.
OwnedId create_table(hid_t loc, const char* name, hid_t type, hsize_t records, hid_t list);
/// The list of a table for another one with other records: its fill value is of the old type.
OwnedId list_like(const Table& table);

}  // namespace pcio::hl
