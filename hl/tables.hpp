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
  /// A transfer list for what all ranks of the file do together, in steps that none begins before all have ended
  /// the one before.
  OwnedId together;
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

enum class Way { kRead, kWrite };
/// `buffer` is only read where records are written.
herr_t move(const Table& table, Way way, hid_t type, hsize_t start, hsize_t count, void* buffer,
            hid_t list = H5P_DEFAULT);
/// The fields of a call in some records.
struct Part {
  hsize_t start, count;
  void* buffer;
};
herr_t move_fields(const char* function, const Table& table, const std::vector<size_t>& fields,
                   const Places& places, Way way, const Part& part);

/// All of some records as they are in the file; what they lead to is given back.
class Records {
 public:
  Records(const Table& table, hsize_t start, hsize_t count, hid_t list = H5P_DEFAULT);
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  ~Records();
  [[nodiscard]] bool read() const { return read_; }
  [[nodiscard]] void* data() { return bytes_.data(); }
  [[nodiscard]] const unsigned char* record(hsize_t i, size_t size) const {
    return bytes_.data() + i * size;
  }

 private:
  hid_t type_;
  hsize_t count_;
  std::vector<unsigned char> bytes_;
  bool read_ = false;
};

bool resize(const Table& table, hsize_t records);
/// Makes room for `count` records at `start`. The table is that long then. All ranks together.
bool make_room(Table& table, hsize_t start, hsize_t count);
/// Those behind move up. All ranks together.
bool take_out(const Table& table, hsize_t start, hsize_t count);

/// What describes a table; `fill` null: it has no fill values. Both in the type of the table.
bool describe(hid_t dataset, const char* title, const std::vector<Member>& members,
              const unsigned char* fill);
/// Attributes of `from` but for those that describe a table.
bool copy_other_attributes(hid_t from, hid_t to);
/// The fill values of all fields, in the type of the table; empty: it has none.
std::optional<std::vector<unsigned char>> fills_of(const Table& table);
/// Of records in chunks that can become more.
OwnedId create_table(hid_t loc, const char* name, hid_t type, hsize_t records, hid_t list);
/// The list of a table for another one with other records: its fill value is of the old type.
OwnedId list_like(const Table& table);

}  // namespace pcio::hl
