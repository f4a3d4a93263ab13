// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tables: one-dimensional datasets of a compound type, which attributes name and describe.
#include "H5TBpublic.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "attributes.hpp"
#include "tables.hpp"

namespace pcio::hl {
namespace {

constexpr unsigned kDeflateLevel = 6;

/// A table in the place of another one, whose records have a field more, or one less.
struct Rebuilt {
  std::vector<Member> members;
  std::vector<std::optional<size_t>> from;  ///< which field of the old one
  OwnedId type;
};

std::optional<Rebuilt> rebuilt(std::vector<Member>&& members,
                               std::vector<std::optional<size_t>>&& from) {
  size_t size = 0;
  for (Member& member : members) {
    member.offset = size;
    size += H5Tget_size(member.type.get());
  }
  Rebuilt made{std::move(members), std::move(from), OwnedId(H5Tcreate(H5T_COMPOUND, size))};
  for (const Member& member : made.members)
    if (H5Tinsert(made.type.get(), member.name.c_str(), member.offset, member.type.get()) < 0)
      return std::nullopt;
  return made;
}

/// What a new field has: a value for each record, or one for all, or none.
struct NewField {
  const unsigned char* values = nullptr;
  const unsigned char* fill = nullptr;
};

std::vector<unsigned char> new_record(const Table& table, const Rebuilt& to,
                                      const unsigned char* old, const unsigned char* of_new) {
  std::vector<unsigned char> record(H5Tget_size(to.type.get()));
  for (size_t i = 0; i < to.members.size(); ++i) {
    const size_t size = H5Tget_size(to.members[i].type.get());
    const unsigned char* const from = to.from[i] ? old + table.members[*to.from[i]].offset : of_new;
    if (from != nullptr) std::memcpy(record.data() + to.members[i].offset, from, size);
  }
  return record;
}

/// The old table stays until the new one is whole.
herr_t replace(hid_t loc, const char* name, const Table& table, const Rebuilt& to,
               const NewField& field) {
  const std::string temporary = std::string(name) + ".rebuilt";
  Records old(table, 0, table.records);
  const auto fills = fills_of(table);
  if (!fills) return -1;
  const auto title = read_text(table.dataset.get(), "TITLE");
  const OwnedId list = list_like(table);
  if (!old.read() || !list) return -1;
  std::vector<unsigned char> records;
  size_t field_size = 0;
  for (size_t i = 0; i < to.members.size(); ++i)
    if (!to.from[i]) field_size = H5Tget_size(to.members[i].type.get());
  for (hsize_t i = 0; i < table.records; ++i) {
    const auto* value = field.values != nullptr ? field.values + i * field_size : field.fill;
    const auto record = new_record(table, to, old.record(i, table.size()), value);
    records.insert(records.end(), record.begin(), record.end());
  }
  std::vector<unsigned char> fill;
  if (!fills->empty()) fill = new_record(table, to, fills->data(), field.fill);
  bool made = false;
  {
    const OwnedId dataset =
        create_table(loc, temporary.c_str(), to.type.get(), table.records, list.get());
    if (!dataset) return -1;
    const hid_t into = dataset.get();
    made = (table.records == 0 ||
            H5Dwrite(into, to.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, records.data()) >= 0) &&
           describe(into, title ? title->c_str() : "", to.members,
                    fill.empty() ? nullptr : fill.data()) &&
           copy_other_attributes(table.dataset.get(), into);
  }
  if (made && H5Ldelete(loc, name, H5P_DEFAULT) >= 0)
    return H5Lmove(loc, temporary.c_str(), loc, name, H5P_DEFAULT, H5P_DEFAULT) < 0 ? -1 : 0;
  H5Ldelete(loc, temporary.c_str(), H5P_DEFAULT);
  return -1;
}

Member copy_of(const Member& member) {
  return {member.name, OwnedId(H5Tcopy(member.type.get())), 0};
}

/// What the functions do; without memory they fail as otherwise.
template <class Body>
int guarded(const char* function, const Body& body) {
  try {
    return body();
  } catch (const std::exception&) {
    return refuse(function, "nrecords", "out of memory");
  }
}

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

herr_t H5TBmake_table(const char* table_title, hid_t loc_id, const char* dset_name, hsize_t nfields,
                      hsize_t nrecords, size_t type_size, const char* field_names[],
                      const size_t* field_offset, const hid_t* field_types, hsize_t chunk_size,
                      void* fill_data, int compress, const void* buf) {
  constexpr const char* kFunction = "H5TBmake_table";
  if (table_title == nullptr) return refuse(kFunction, "table_title", "it is null");
  if (dset_name == nullptr) return refuse(kFunction, "dset_name", "it is null");
  if (field_names == nullptr) return refuse(kFunction, "field_names", "it is null");
  if (field_offset == nullptr) return refuse(kFunction, "field_offset", "it is null");
  if (field_types == nullptr) return refuse(kFunction, "field_types", "it is null");
  return guarded(kFunction, [&] {
    std::vector<Member> members;
    const OwnedId type(H5Tcreate(H5T_COMPOUND, type_size));
    if (!type) return -1;
    for (hsize_t i = 0; i < nfields; ++i) {
      if (field_names[i] == nullptr) return refuse(kFunction, "field_names", "one is null");
      if (H5Tinsert(type.get(), field_names[i], field_offset[i], field_types[i]) < 0) return -1;
      members.push_back({field_names[i], OwnedId(H5Tcopy(field_types[i])), field_offset[i]});
    }
    const OwnedId list(H5Pcreate(H5P_DATASET_CREATE));
    if (H5Pset_chunk(list.get(), 1, &chunk_size) < 0) return -1;
    if (fill_data != nullptr && H5Pset_fill_value(list.get(), type.get(), fill_data) < 0) return -1;
    if (compress != 0 && H5Pset_deflate(list.get(), kDeflateLevel) < 0) return -1;
    const OwnedId dataset = create_table(loc_id, dset_name, type.get(), nrecords, list.get());
    if (!dataset) return -1;
    if (buf != nullptr && nrecords > 0 &&
        H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buf) < 0)
      return -1;
    return describe(dataset.get(), table_title, members,
                    static_cast<const unsigned char*>(fill_data))
               ? 0
               : -1;
  });
}

herr_t H5TBappend_records(hid_t loc_id, const char* dset_name, hsize_t nrecords, size_t type_size,
                          const size_t* field_offset, const size_t* dst_sizes, const void* buf) {
  constexpr const char* kFunction = "H5TBappend_records";
  return guarded(kFunction, [&] {
    auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    if (nrecords == 0) return 0;
    if (buf == nullptr) return refuse(kFunction, "buf", "it is null");
    const OwnedId type =
        record_type(kFunction, *table, all_fields(*table), {type_size, field_offset, dst_sizes});
    const hsize_t start = table->records;
    if (!type || !make_room(*table, start, nrecords)) return -1;
    return move(*table, Way::kWrite, type.get(), start, nrecords, const_cast<void*>(buf),
                table->together.get());
  });
}

herr_t H5TBwrite_records(hid_t loc_id, const char* dset_name, hsize_t start, hsize_t nrecords,
                         size_t type_size, const size_t* field_offset, const size_t* dst_sizes,
                         const void* buf) {
  constexpr const char* kFunction = "H5TBwrite_records";
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    return move_fields(kFunction, *table, all_fields(*table), {type_size, field_offset, dst_sizes},
                       Way::kWrite, {start, nrecords, const_cast<void*>(buf)});
  });
}

herr_t H5TBwrite_fields_name(hid_t loc_id, const char* dset_name, const char* field_names,
                             hsize_t start, hsize_t nrecords, size_t type_size,
                             const size_t* field_offset, const size_t* dst_sizes, const void* buf) {
  constexpr const char* kFunction = "H5TBwrite_fields_name";
  if (field_names == nullptr) return refuse(kFunction, "field_names", "it is null");
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    return move_fields(kFunction, *table, named_fields(*table, field_names),
                       {type_size, field_offset, dst_sizes}, Way::kWrite,
                       {start, nrecords, const_cast<void*>(buf)});
  });
}

herr_t H5TBwrite_fields_index(hid_t loc_id, const char* dset_name, hsize_t nfields,
                              const int* field_index, hsize_t start, hsize_t nrecords,
                              size_t type_size, const size_t* field_offset, const size_t* dst_sizes,
                              const void* buf) {
  constexpr const char* kFunction = "H5TBwrite_fields_index";
  if (field_index == nullptr) return refuse(kFunction, "field_index", "it is null");
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    return move_fields(kFunction, *table, numbered_fields(*table, nfields, field_index),
                       {type_size, field_offset, dst_sizes}, Way::kWrite,
                       {start, nrecords, const_cast<void*>(buf)});
  });
}

herr_t H5TBread_table(hid_t loc_id, const char* dset_name, size_t dst_size,
                      const size_t* dst_offset, const size_t* dst_sizes, void* dst_buf) {
  constexpr const char* kFunction = "H5TBread_table";
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    return move_fields(kFunction, *table, all_fields(*table), {dst_size, dst_offset, dst_sizes},
                       Way::kRead, {0, table->records, dst_buf});
  });
}

herr_t H5TBread_fields_name(hid_t loc_id, const char* dset_name, const char* field_names,
                            hsize_t start, hsize_t nrecords, size_t type_size,
                            const size_t* field_offset, const size_t* dst_sizes, void* buf) {
  constexpr const char* kFunction = "H5TBread_fields_name";
  if (field_names == nullptr) return refuse(kFunction, "field_names", "it is null");
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    return move_fields(kFunction, *table, named_fields(*table, field_names),
                       {type_size, field_offset, dst_sizes}, Way::kRead, {start, nrecords, buf});
  });
}

herr_t H5TBread_fields_index(hid_t loc_id, const char* dset_name, hsize_t nfields,
                             const int* field_index, hsize_t start, hsize_t nrecords,
                             size_t type_size, const size_t* field_offset, const size_t* dst_sizes,
                             void* buf) {
  constexpr const char* kFunction = "H5TBread_fields_index";
  if (field_index == nullptr) return refuse(kFunction, "field_index", "it is null");
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    return move_fields(kFunction, *table, numbered_fields(*table, nfields, field_index),
                       {type_size, field_offset, dst_sizes}, Way::kRead, {start, nrecords, buf});
  });
}

herr_t H5TBread_records(hid_t loc_id, const char* dset_name, hsize_t start, hsize_t nrecords,
                        size_t type_size, const size_t* dst_offset, const size_t* dst_sizes,
                        void* buf) {
  constexpr const char* kFunction = "H5TBread_records";
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    return move_fields(kFunction, *table, all_fields(*table), {type_size, dst_offset, dst_sizes},
                       Way::kRead, {start, nrecords, buf});
  });
}

herr_t H5TBget_table_info(hid_t loc_id, const char* dset_name, hsize_t* nfields,
                          hsize_t* nrecords) {
  constexpr const char* kFunction = "H5TBget_table_info";
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    if (nfields != nullptr) *nfields = table->members.size();
    if (nrecords != nullptr) *nrecords = table->records;
    return 0;
  });
}

herr_t H5TBget_field_info(hid_t loc_id, const char* dset_name, char* field_names[],
                          size_t* field_sizes, size_t* field_offsets, size_t* type_size) {
  constexpr const char* kFunction = "H5TBget_field_info";
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    const OwnedId native(H5Tget_native_type(table->type.get(), H5T_DIR_DEFAULT));
    const auto members = native ? members_of(native.get()) : std::nullopt;
    if (!members) return -1;
    for (size_t i = 0; i < members->size(); ++i) {
      if (field_names != nullptr && field_names[i] != nullptr)
        std::strcpy(field_names[i], (*members)[i].name.c_str());
      if (field_sizes != nullptr) field_sizes[i] = H5Tget_size((*members)[i].type.get());
      if (field_offsets != nullptr) field_offsets[i] = (*members)[i].offset;
    }
    if (type_size != nullptr) *type_size = H5Tget_size(native.get());
    return 0;
  });
}

herr_t H5TBdelete_record(hid_t loc_id, const char* dset_name, hsize_t start, hsize_t nrecords) {
  constexpr const char* kFunction = "H5TBdelete_record";
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    if (!is_within(*table, start, nrecords))
      return refuse(kFunction, "nrecords", "the table has not as many");
    return take_out(*table, start, nrecords) ? 0 : -1;
  });
}

herr_t H5TBinsert_record(hid_t loc_id, const char* dset_name, hsize_t start, hsize_t nrecords,
                         size_t dst_size, const size_t* dst_offset, const size_t* dst_sizes,
                         void* buf) {
  constexpr const char* kFunction = "H5TBinsert_record";
  return guarded(kFunction, [&] {
    auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    if (start > table->records) return refuse(kFunction, "start", "it is behind the last record");
    if (buf == nullptr && nrecords > 0) return refuse(kFunction, "buf", "it is null");
    const OwnedId type =
        record_type(kFunction, *table, all_fields(*table), {dst_size, dst_offset, dst_sizes});
    if (!type || !make_room(*table, start, nrecords)) return -1;
    return move(*table, Way::kWrite, type.get(), start, nrecords, buf, table->together.get());
  });
}

herr_t H5TBadd_records_from(hid_t loc_id, const char* dset_name1, hsize_t start1, hsize_t nrecords,
                            const char* dset_name2, hsize_t start2) {
  constexpr const char* kFunction = "H5TBadd_records_from";
  return guarded(kFunction, [&] {
    const auto from = open_table(kFunction, loc_id, dset_name1);
    auto to = from ? open_table(kFunction, loc_id, dset_name2) : std::nullopt;
    if (!to) return -1;
    if (!is_within(*from, start1, nrecords))
      return refuse(kFunction, "nrecords", "the first table has not as many");
    if (start2 > to->records) return refuse(kFunction, "start2", "it is behind the last record");
    Records records(*from, start1, nrecords);
    if (!records.read() || !make_room(*to, start2, nrecords)) return -1;
    return move(*to, Way::kWrite, from->type.get(), start2, nrecords, records.data(),
                to->together.get());
  });
}

herr_t H5TBcombine_tables(hid_t loc_id1, const char* dset_name1, hid_t loc_id2,
                          const char* dset_name2, const char* dset_name3) {
  constexpr const char* kFunction = "H5TBcombine_tables";
  if (dset_name3 == nullptr) return refuse(kFunction, "dset_name3", "it is null");
  return guarded(kFunction, [&] {
    const auto first = open_table(kFunction, loc_id1, dset_name1);
    const auto second = first ? open_table(kFunction, loc_id2, dset_name2) : std::nullopt;
    if (!second) return -1;
    const OwnedId list = list_like(*first);
    const auto fills = fills_of(*first);
    if (!fills) return -1;
    Records a(*first, 0, first->records), b(*second, 0, second->records);
    if (!list || !a.read() || !b.read()) return -1;
    OwnedId dataset = create_table(loc_id1, dset_name3, first->type.get(),
                                   first->records + second->records, list.get());
    if (!dataset) return -1;
    const Table made{std::move(dataset),
                     OwnedId(H5Tcopy(first->type.get())),
                     {},
                     OwnedId(H5I_INVALID_HID),
                     first->records + second->records};
    const bool whole =
        move(made, Way::kWrite, first->type.get(), 0, first->records, a.data()) >= 0 &&
        move(made, Way::kWrite, second->type.get(), first->records, second->records, b.data()) >=
            0 &&
        describe(made.dataset.get(), "Merge table", first->members,
                 fills->empty() ? nullptr : fills->data());
    if (whole) return 0;
    H5Ldelete(loc_id1, dset_name3, H5P_DEFAULT);
    return -1;
  });
}

herr_t H5TBinsert_field(hid_t loc_id, const char* dset_name, const char* field_name,
                        hid_t field_type, hsize_t position, const void* fill_data,
                        const void* buf) {
  constexpr const char* kFunction = "H5TBinsert_field";
  if (field_name == nullptr) return refuse(kFunction, "field_name", "it is null");
  if (H5Iget_type(field_type) != H5I_DATATYPE)
    return refuse(kFunction, "field_type", "not a datatype");
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    if (position > table->members.size())
      return refuse(kFunction, "position", "it is behind the last field");
    std::vector<Member> members;
    std::vector<std::optional<size_t>> from;
    for (size_t i = 0; i <= table->members.size(); ++i) {
      if (i == position) {
        members.push_back({field_name, OwnedId(H5Tcopy(field_type)), 0});
        from.emplace_back();
      }
      if (i == table->members.size()) break;
      members.push_back(copy_of(table->members[i]));
      from.emplace_back(i);
    }
    const auto to = rebuilt(std::move(members), std::move(from));
    if (!to) return -1;
    return replace(
        loc_id, dset_name, *table, *to,
        {static_cast<const unsigned char*>(buf), static_cast<const unsigned char*>(fill_data)});
  });
}

herr_t H5TBdelete_field(hid_t loc_id, const char* dset_name, const char* field_name) {
  constexpr const char* kFunction = "H5TBdelete_field";
  if (field_name == nullptr) return refuse(kFunction, "field_name", "it is null");
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    if (!table) return -1;
    std::vector<Member> members;
    std::vector<std::optional<size_t>> from;
    for (size_t i = 0; i < table->members.size(); ++i)
      if (table->members[i].name != field_name) {
        members.push_back(copy_of(table->members[i]));
        from.emplace_back(i);
      }
    if (members.size() == table->members.size())
      return refuse(kFunction, "field_name", "no such field");
    if (members.empty()) return refuse(kFunction, "field_name", "the table has no other");
    const auto to = rebuilt(std::move(members), std::move(from));
    return to ? replace(loc_id, dset_name, *table, *to, {}) : -1;
  });
}

herr_t H5TBAget_title(hid_t loc_id, char* table_title) {
  constexpr const char* kFunction = "H5TBAget_title";
  if (table_title == nullptr) return refuse(kFunction, "table_title", "it is null");
  return guarded(kFunction, [&] {
    const auto title = read_text(loc_id, "TITLE");
    if (!title) return refuse(kFunction, "loc_id", "it has no title");
    std::memcpy(table_title, title->c_str(), title->size() + 1);
    return 0;
  });
}

htri_t H5TBAget_fill(hid_t loc_id, const char* dset_name, hid_t dset_id, unsigned char* dst_buf) {
  constexpr const char* kFunction = "H5TBAget_fill";
  if (H5Iget_type(dset_id) != H5I_DATASET) return refuse(kFunction, "dset_id", "not a dataset");
  if (dst_buf == nullptr) return refuse(kFunction, "dst_buf", "it is null");
  return guarded(kFunction, [&] {
    const auto table = open_table(kFunction, loc_id, dset_name);
    const auto fills = table ? fills_of(*table) : std::nullopt;
    if (!fills) return -1;
    std::copy(fills->begin(), fills->end(), dst_buf);
    return fills->empty() ? 0 : 1;
  });
}
