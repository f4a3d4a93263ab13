// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tables: one-dimensional datasets of a compound type, which attributes name and describe.
#include "H5TBpublic.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <limits>
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

/// Where a field of a new record comes from: of the old record, or of what the new field has.
struct FieldCopy {
  std::optional<size_t> from;
  size_t to, size;
};

std::vector<FieldCopy> copies_for(const Table& table, const Rebuilt& to) {
  std::vector<FieldCopy> copies;
  for (size_t i = 0; i < to.members.size(); ++i) {
    std::optional<size_t> from;
    if (to.from[i]) from = table.members[*to.from[i]].offset;
    copies.push_back({from, to.members[i].offset, H5Tget_size(to.members[i].type.get())});
  }
  return copies;
}

/// `record` is of zeros.
void fill_record(const std::vector<FieldCopy>& copies, const unsigned char* old,
                 const unsigned char* of_new, unsigned char* record) {
  for (const FieldCopy& field : copies)
    if (field.from)
      std::memcpy(record + field.to, old + *field.from, field.size);
    else if (of_new != nullptr)
      std::memcpy(record + field.to, of_new, field.size);
}

/// A table that is made anew from its records.
struct Replacement {
  hid_t loc;
  const char* name;
  std::string temporary, aside;
};

bool rename_link(hid_t loc, const char* from, const char* to) {
  return H5Lmove(loc, from, loc, to, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

bool is_there(hid_t loc, const std::string& name) {
  return H5Lexists(loc, name.c_str(), H5P_DEFAULT) > 0;
}

/// The old table stays until the new one has its name, and comes back where that fails. A metadata call. A call that
/// fails for want of memory may have done its work: what counts is what is there.
bool swap(const Replacement& what) {
  if (rename_link(what.loc, what.name, what.aside.c_str()) &&
      rename_link(what.loc, what.temporary.c_str(), what.name) &&
      H5Ldelete(what.loc, what.aside.c_str(), H5P_DEFAULT) >= 0)
    return true;
  const ErrorsKept kept;
  const bool has_new = !is_there(what.loc, what.temporary) && is_there(what.loc, what.name);
  if (!is_there(what.loc, what.aside)) return has_new;
  if (has_new) rename_link(what.loc, what.name, what.temporary.c_str());
  rename_link(what.loc, what.aside.c_str(), what.name);
  return false;
}

/// This rank's share of the records of the new table.
std::vector<unsigned char> new_records(const Table& table, const Rebuilt& to, const Records& old,
                                       const NewField& field) {
  const std::vector<FieldCopy> copies = copies_for(table, to);
  size_t field_size = 0;
  for (const FieldCopy& copy : copies)
    if (!copy.from) field_size = copy.size;
  const size_t size = H5Tget_size(to.type.get()), old_size = table.size();
  const Range share = old.share();
  std::vector<unsigned char> records(share.count * size);
  for (hsize_t i = 0; i < share.count; ++i) {
    const auto* value =
        field.values != nullptr ? field.values + (share.start + i) * field_size : field.fill;
    fill_record(copies, old.record(i, old_size), value, records.data() + i * size);
  }
  return records;
}

/// A table without records, but with all that describes it.
OwnedId make_like(const Replacement& what, const Table& table, const Rebuilt& to,
                  const NewField& field) {
  auto fills = fills_of(table);
  const OwnedId list = list_like(table);
  if (!fills || !list) return OwnedId(H5I_INVALID_HID);
  const FillsGivenBack given_back(table, *fills);
  std::vector<unsigned char> fill(fills->empty() ? 0 : H5Tget_size(to.type.get()));
  if (!fill.empty()) fill_record(copies_for(table, to), fills->data(), field.fill, fill.data());
  const auto title = read_text(table.dataset.get(), "TITLE");
  OwnedId dataset =
      create_table(what.loc, what.temporary.c_str(), to.type.get(), table.records, list.get());
  if (dataset &&
      describe(dataset.get(), title ? title->c_str() : "", to.members,
               fill.empty() ? nullptr : fill.data()) &&
      copy_other_attributes(table.dataset.get(), dataset.get()))
    return dataset;
  const ErrorsKept kept;
  if (dataset) H5Ldelete(what.loc, what.temporary.c_str(), H5P_DEFAULT);
  return OwnedId(H5I_INVALID_HID);
}

/// All ranks together, in steps that all of them take. `prepare(Table) -> optional<Rebuilt>`: the new records.
template <class Prepare>
herr_t replace(const char* function, hid_t loc, const char* name, const NewField& field,
               std::initializer_list<std::uint64_t> numbers, const Prepare& prepare) {
  std::optional<Table> table;
  std::optional<Rebuilt> to;
  std::optional<Records> old;
  Replacement what{loc, name, {}, {}};
  if (!all_take(function, loc, numbers,
                [&] {
                  table = open_table(function, loc, name);
                  if (!table) return false;
                  to = prepare(*table);
                  if (!to) return false;
                  what.temporary = std::string(name) + ".rebuilt";
                  what.aside = std::string(name) + ".replaced";
                  old.emplace(*table, 0, table->records, ranks_of(table->dataset.get()));
                  return old->is_ready();
                }) ||
      !old->read(function, loc))
    return -1;
  // Memory for them, before anything is made that all ranks have to make.
  std::vector<unsigned char> records;
  if (!all_take(function, loc, {}, [&] {
        records = new_records(*table, *to, *old, field);
        return true;
      }))
    return -1;
  OwnedId made(H5I_INVALID_HID);
  std::optional<SharedTransfer> writing;
  const bool ready = all_take(function, loc, {}, [&] {
    made = make_like(what, *table, *to, field);
    if (!made) return false;
    writing.emplace(made.get(), Way::kWrite, to->type.get(), old->share(), records.data());
    return writing->is_ready();
  });
  if (ready && (table->records == 0 || writing->run()) &&
      all_take(function, loc, {}, [&] { return swap(what); }))
    return 0;
  const ErrorsKept kept;
  if (made) H5Ldelete(loc, what.temporary.c_str(), H5P_DEFAULT);
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

/// How many records there may be besides those that a table has.
hsize_t most_records(const Table& table) {
  return std::numeric_limits<hsize_t>::max() - 1 - table.records;
}

/// Records of a program that come between those of a table, or behind the last.
struct NewRecords {
  std::optional<hsize_t> start;
  hsize_t count;
  Places places;
  const void* values;
};

/// All ranks together, with the same records.
herr_t insert(const char* function, hid_t loc, const char* name, const NewRecords& records) {
  return guarded(function, [&] {
    std::optional<Table> table;
    std::optional<Insertion> insertion;
    OwnedId type(H5I_INVALID_HID);
    hsize_t start = 0;
    const bool ready = all_take(function, loc, {records.start.value_or(0), records.count}, [&] {
      table = open_table(function, loc, name);
      if (!table) return false;
      start = records.start.value_or(table->records);
      if (!is_within(*table, start, 0))
        return refuse(function, "start", "it is behind the last record") == 0;
      if (records.count == 0) return true;
      if (records.values == nullptr) return refuse(function, "buf", "it is null") == 0;
      if (records.count > most_records(*table))
        return refuse(function, "nrecords", "more than a table can have") == 0;
      type = record_type(function, *table, all_fields(*table), records.places);
      if (!type) return false;
      insertion.emplace(*table, start, records.count);
      return insertion->is_ready();
    });
    if (!ready) return -1;
    if (records.count == 0) return 0;
    const Range share = insertion->share();
    const auto* const first = static_cast<const unsigned char*>(records.values);
    void* const values =
        const_cast<unsigned char*>(first + share.start * records.places.record_size);
    return insertion->run(function, type.get(), values) ? 0 : -1;
  });
}

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

herr_t H5TBmake_table(const char* table_title, hid_t loc_id, const char* dset_name, hsize_t nfields,
                      hsize_t nrecords, size_t type_size, const char* field_names[],
                      const size_t* field_offset, const hid_t* field_types, hsize_t chunk_size,
                      void* fill_data, int compress, const void* buf) {
  constexpr const char* kFunction = "H5TBmake_table";
  std::vector<Member> members;
  OwnedId type(H5I_INVALID_HID), list(H5I_INVALID_HID);
  const auto check = [&] {
    if (table_title == nullptr) return refuse(kFunction, "table_title", "it is null") == 0;
    if (dset_name == nullptr) return refuse(kFunction, "dset_name", "it is null") == 0;
    if (field_names == nullptr) return refuse(kFunction, "field_names", "it is null") == 0;
    if (field_offset == nullptr) return refuse(kFunction, "field_offset", "it is null") == 0;
    if (field_types == nullptr) return refuse(kFunction, "field_types", "it is null") == 0;
    type = OwnedId(H5Tcreate(H5T_COMPOUND, type_size));
    if (!type) return false;
    for (hsize_t i = 0; i < nfields; ++i) {
      if (field_names[i] == nullptr) return refuse(kFunction, "field_names", "one is null") == 0;
      if (H5Tinsert(type.get(), field_names[i], field_offset[i], field_types[i]) < 0) return false;
      members.push_back({field_names[i], OwnedId(H5Tcopy(field_types[i])), field_offset[i]});
    }
    list = OwnedId(H5Pcreate(H5P_DATASET_CREATE));
    if (H5Pset_chunk(list.get(), 1, &chunk_size) < 0) return false;
    if (fill_data != nullptr && H5Pset_fill_value(list.get(), type.get(), fill_data) < 0)
      return false;
    return compress == 0 || H5Pset_deflate(list.get(), kDeflateLevel) >= 0;
  };
  const auto make = [&] {
    return create_table(loc_id, dset_name, type.get(), nrecords, list.get());
  };
  const auto describe_it = [&](hid_t dataset) {
    return describe(dataset, table_title, members, static_cast<const unsigned char*>(fill_data));
  };
  return guarded(kFunction, [&] {
    return make_with_values(kFunction, {loc_id, dset_name, nrecords > 0 ? buf : nullptr,
                                        std::ref(check), std::ref(make), std::ref(describe_it)});
  });
}

herr_t H5TBappend_records(hid_t loc_id, const char* dset_name, hsize_t nrecords, size_t type_size,
                          const size_t* field_offset, const size_t* dst_sizes, const void* buf) {
  return insert("H5TBappend_records", loc_id, dset_name,
                {std::nullopt, nrecords, {type_size, field_offset, dst_sizes}, buf});
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
    std::optional<Table> table;
    const bool open = all_take(kFunction, loc_id, {start, nrecords}, [&] {
      table = open_table(kFunction, loc_id, dset_name);
      if (!table) return false;
      return is_within(*table, start, nrecords) ||
             refuse(kFunction, "nrecords", "the table has not as many") == 0;
    });
    return open && take_out(kFunction, *table, start, nrecords) ? 0 : -1;
  });
}

herr_t H5TBinsert_record(hid_t loc_id, const char* dset_name, hsize_t start, hsize_t nrecords,
                         size_t dst_size, const size_t* dst_offset, const size_t* dst_sizes,
                         void* buf) {
  return insert("H5TBinsert_record", loc_id, dset_name,
                {start, nrecords, {dst_size, dst_offset, dst_sizes}, buf});
}

herr_t H5TBadd_records_from(hid_t loc_id, const char* dset_name1, hsize_t start1, hsize_t nrecords,
                            const char* dset_name2, hsize_t start2) {
  constexpr const char* kFunction = "H5TBadd_records_from";
  return guarded(kFunction, [&] {
    std::optional<Table> from, to;
    std::optional<Records> records;
    std::optional<Insertion> insertion;
    const bool ready = all_take(kFunction, loc_id, {start1, nrecords, start2}, [&] {
      from = open_table(kFunction, loc_id, dset_name1);
      if (from) to = open_table(kFunction, loc_id, dset_name2);
      if (!to) return false;
      if (!is_within(*from, start1, nrecords))
        return refuse(kFunction, "nrecords", "the first table has not as many") == 0;
      if (!is_within(*to, start2, 0))
        return refuse(kFunction, "start2", "it is behind the last record") == 0;
      if (nrecords > most_records(*to))
        return refuse(kFunction, "nrecords", "more than a table can have") == 0;
      records.emplace(*from, start1, nrecords, ranks_of(to->dataset.get()));
      insertion.emplace(*to, start2, nrecords);
      return records->is_ready() && insertion->is_ready();
    });
    if (!ready || !records->read(kFunction, loc_id)) return -1;
    if (nrecords == 0) return 0;
    return insertion->run(kFunction, from->type.get(), records->data()) ? 0 : -1;
  });
}

herr_t H5TBcombine_tables(hid_t loc_id1, const char* dset_name1, hid_t loc_id2,
                          const char* dset_name2, const char* dset_name3) {
  constexpr const char* kFunction = "H5TBcombine_tables";
  return guarded(kFunction, [&] {
    std::optional<Table> first, second;
    std::optional<Records> a, b;
    const bool open = all_take(kFunction, loc_id1, {}, [&] {
      if (dset_name3 == nullptr) return refuse(kFunction, "dset_name3", "it is null") == 0;
      first = open_table(kFunction, loc_id1, dset_name1);
      if (first) second = open_table(kFunction, loc_id2, dset_name2);
      if (!second) return false;
      if (second->records > most_records(*first))
        return refuse(kFunction, "dset_name2", "more records than a table can have") == 0;
      const Ranks ranks = ranks_of(loc_id1);
      a.emplace(*first, 0, first->records, ranks);
      b.emplace(*second, 0, second->records, ranks);
      return a->is_ready() && b->is_ready();
    });
    if (!open || !a->read(kFunction, loc_id1) || !b->read(kFunction, loc_id1)) return -1;
    // What a rank may lack, before anything is made that all ranks have to make.
    OwnedId made(H5I_INVALID_HID), list(H5I_INVALID_HID);
    std::optional<std::vector<unsigned char>> fills;
    std::optional<FillsGivenBack> given_back;
    if (!all_take(kFunction, loc_id1, {}, [&] {
          list = list_like(*first);
          if (list) fills = fills_of(*first);
          if (fills) given_back.emplace(*first, *fills);
          return fills.has_value();
        }))
      return -1;
    std::optional<SharedTransfer> writing_a, writing_b;
    const bool ready = all_take(kFunction, loc_id1, {}, [&] {
      made = create_table(loc_id1, dset_name3, first->type.get(), first->records + second->records,
                          list.get());
      if (!made || !describe(made.get(), "Merge table", first->members,
                             fills->empty() ? nullptr : fills->data()))
        return false;
      writing_a.emplace(made.get(), Way::kWrite, first->type.get(), a->share(), a->data());
      const Range share{first->records + b->share().start, b->share().count};
      writing_b.emplace(made.get(), Way::kWrite, second->type.get(), share, b->data());
      return writing_a->is_ready() && writing_b->is_ready();
    });
    if (ready && (first->records == 0 || writing_a->run()) &&
        (second->records == 0 || writing_b->run()))
      return 0;
    const ErrorsKept kept;
    if (made) H5Ldelete(loc_id1, dset_name3, H5P_DEFAULT);
    return -1;
  });
}

herr_t H5TBinsert_field(hid_t loc_id, const char* dset_name, const char* field_name,
                        hid_t field_type, hsize_t position, const void* fill_data,
                        const void* buf) {
  constexpr const char* kFunction = "H5TBinsert_field";
  const auto with_field = [&](const Table& table) -> std::optional<Rebuilt> {
    const auto no = [&](const char* argument, const char* reason) {
      refuse(kFunction, argument, reason);
      return std::nullopt;
    };
    if (field_name == nullptr) return no("field_name", "it is null");
    if (H5Iget_type(field_type) != H5I_DATATYPE) return no("field_type", "not a datatype");
    if (position > table.members.size()) return no("position", "it is behind the last field");
    std::vector<Member> members;
    std::vector<std::optional<size_t>> from;
    for (size_t i = 0; i <= table.members.size(); ++i) {
      if (i == position) {
        members.push_back({field_name, OwnedId(H5Tcopy(field_type)), 0});
        from.emplace_back();
      }
      if (i == table.members.size()) break;
      members.push_back(copy_of(table.members[i]));
      from.emplace_back(i);
    }
    return rebuilt(std::move(members), std::move(from));
  };
  return guarded(kFunction, [&] {
    const NewField field{static_cast<const unsigned char*>(buf),
                         static_cast<const unsigned char*>(fill_data)};
    return replace(kFunction, loc_id, dset_name, field,
                   {position, buf != nullptr ? 1U : 0U, fill_data != nullptr ? 1U : 0U},
                   with_field);
  });
}

herr_t H5TBdelete_field(hid_t loc_id, const char* dset_name, const char* field_name) {
  constexpr const char* kFunction = "H5TBdelete_field";
  const auto without_field = [&](const Table& table) -> std::optional<Rebuilt> {
    const auto no = [&](const char* reason) {
      refuse(kFunction, "field_name", reason);
      return std::nullopt;
    };
    if (field_name == nullptr) return no("it is null");
    std::vector<Member> members;
    std::vector<std::optional<size_t>> from;
    for (size_t i = 0; i < table.members.size(); ++i)
      if (table.members[i].name != field_name) {
        members.push_back(copy_of(table.members[i]));
        from.emplace_back(i);
      }
    if (members.size() == table.members.size()) return no("no such field");
    if (members.empty()) return no("the table has no other");
    return rebuilt(std::move(members), std::move(from));
  };
  return guarded(kFunction,
                 [&] { return replace(kFunction, loc_id, dset_name, {}, {}, without_field); });
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
