// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tables as they are open, and their records.
#include "tables.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "all_ranks.hpp"
#include "attributes.hpp"

namespace pcio::hl {
namespace {

constexpr const char* kClass = "TABLE";
constexpr const char* kVersion = "3.0";

std::string name_attribute(size_t field) { return "FIELD_" + std::to_string(field) + "_NAME"; }
std::string fill_attribute(size_t field) { return "FIELD_" + std::to_string(field) + "_FILL"; }

/// What describes a table, and is not copied with other attributes.
bool describes(const std::string& name) {
  const bool of_field = name.compare(0, 6, "FIELD_") == 0 && name.size() > 11 &&
                        (name.compare(name.size() - 5, 5, "_NAME") == 0 ||
                         name.compare(name.size() - 5, 5, "_FILL") == 0);
  return of_field || name == "CLASS" || name == "VERSION" || name == "TITLE";
}

herr_t copy_attribute(hid_t from, const char* name, const H5A_info_t*, void* to) {
  if (describes(name)) return 0;
  const OwnedId old(H5Aopen(from, name, H5P_DEFAULT));
  const OwnedId type(H5Aget_type(old.get())), space(H5Aget_space(old.get()));
  if (!type || !space) return -1;
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  std::vector<unsigned char> value(static_cast<size_t>(count) * H5Tget_size(type.get()) + 1);
  if (count > 0 && H5Aread(old.get(), type.get(), value.data()) < 0) return -1;
  const bool made =
      write_attribute(*static_cast<hid_t*>(to), name, type.get(), space, value.data());
  if (count > 0) H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, value.data());
  return made ? 0 : -1;
}

}  // namespace

std::optional<std::vector<Member>> members_of(hid_t type) {
  std::vector<Member> members;
  const int count = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_nmembers(type) : -1;
  if (count < 0) return std::nullopt;
  for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) {
    const LibraryText name{H5Tget_member_name(type, i)};
    OwnedId member(H5Tget_member_type(type, i));
    if (name.text == nullptr || !member) return std::nullopt;
    members.push_back({name.text, std::move(member), H5Tget_member_offset(type, i)});
  }
  return members;
}

std::optional<Table> open_table(const char* function, hid_t loc, const char* name) {
  if (name == nullptr) return refuse(function, "dset_name", "it is null"), std::nullopt;
  OwnedId dataset(H5Dopen2(loc, name, H5P_DEFAULT));
  if (!dataset) return std::nullopt;
  OwnedId type(H5Dget_type(dataset.get()));
  const OwnedId space(H5Dget_space(dataset.get()));
  if (!type || !space) return std::nullopt;
  auto members = members_of(type.get());
  if (!members) return refuse(function, "dset_name", "its type is not a compound"), std::nullopt;
  if (H5Sget_simple_extent_ndims(space.get()) != 1)
    return refuse(function, "dset_name", "it has not one dimension"), std::nullopt;
  Table table{std::move(dataset), std::move(type), std::move(*members)};
  if (H5Sget_simple_extent_dims(space.get(), &table.records, nullptr) < 0) return std::nullopt;
  return table;
}

bool is_within(const Table& table, hsize_t start, hsize_t count) {
  return start <= table.records && count <= table.records - start;
}

OwnedId record_type(const char* function, const Table& table, const std::vector<size_t>& fields,
                    const Places& places) {
  const auto none = [] { return OwnedId(H5I_INVALID_HID); };
  if (places.offsets == nullptr) return refuse(function, "field_offset", "it is null"), none();
  if (places.sizes == nullptr) return refuse(function, "dst_sizes", "it is null"), none();
  OwnedId type(H5Tcreate(H5T_COMPOUND, places.record_size));
  if (!type) return none();
  for (size_t i = 0; i < fields.size(); ++i) {
    const Member& member = table.members[fields[i]];
    const OwnedId native(H5Tget_native_type(member.type.get(), H5T_DIR_DEFAULT));
    if (!native) return none();
    if (H5Tget_size(native.get()) != places.sizes[i] &&
        H5Tset_size(native.get(), places.sizes[i]) < 0)
      return none();
    if (H5Tinsert(type.get(), member.name.c_str(), places.offsets[i], native.get()) < 0)
      return none();
  }
  return type;
}

std::vector<size_t> all_fields(const Table& table) {
  std::vector<size_t> all(table.members.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

std::vector<size_t> named_fields(const Table& table, const char* names) {
  std::vector<std::string> wanted(1);
  for (const char* at = names; *at != '\0'; ++at)
    if (*at == ',')
      wanted.emplace_back();
    else
      wanted.back() += *at;
  std::vector<size_t> found;
  for (size_t i = 0; i < table.members.size(); ++i)
    if (std::find(wanted.begin(), wanted.end(), table.members[i].name) != wanted.end())
      found.push_back(i);
  return found.size() == wanted.size() ? found : std::vector<size_t>();
}

std::vector<size_t> numbered_fields(const Table& table, hsize_t count, const int* numbers) {
  std::vector<size_t> found;
  for (hsize_t i = 0; i < count; ++i) {
    if (numbers[i] < 0 || static_cast<size_t>(numbers[i]) >= table.members.size()) return {};
    found.push_back(static_cast<size_t>(numbers[i]));
  }
  return found;
}

herr_t move(const Table& table, Way way, hid_t type, hsize_t start, hsize_t count, void* buffer) {
  if (count == 0) return 0;
  const OwnedId file(H5Dget_space(table.dataset.get()));
  const OwnedId memory(H5Screate_simple(1, &count, nullptr));
  if (!file || !memory ||
      H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) < 0)
    return -1;
  const herr_t done =
      way == Way::kRead
          ? H5Dread(table.dataset.get(), type, memory.get(), file.get(), H5P_DEFAULT, buffer)
          : H5Dwrite(table.dataset.get(), type, memory.get(), file.get(), H5P_DEFAULT, buffer);
  return done < 0 ? -1 : 0;
}

herr_t move_fields(const char* function, const Table& table, const std::vector<size_t>& fields,
                   const Places& places, Way way, const Part& part) {
  if (fields.empty()) return refuse(function, "field_names", "not all are fields of the table");
  if (part.buffer == nullptr && part.count > 0) return refuse(function, "buf", "it is null");
  if (!is_within(table, part.start, part.count))
    return refuse(function, "nrecords", "the table has not as many");
  const OwnedId type = record_type(function, table, fields, places);
  return type ? move(table, way, type.get(), part.start, part.count, part.buffer) : -1;
}

namespace {

/// Room for records; throws where there is none.
std::vector<unsigned char> room_for(hsize_t records, size_t size) {
  if (records > std::numeric_limits<size_t>::max() / size) throw std::bad_alloc();
  return std::vector<unsigned char>(records * size);
}

/// The share of a rank that begins somewhere in the table.
Range behind(hsize_t start, Range share) { return {start + share.start, share.count}; }

}  // namespace

Records::Records(const Table& table, hsize_t start, hsize_t count, const Ranks& ranks)
    : type_(table.type.get()),
      count_(count),
      ranks_(ranks),
      together_(ranks_of(table.dataset.get()).count == ranks.count),
      share_(share_of(count, ranks)),
      bytes_(room_for(share_.count, table.size())),
      reading_(table.dataset.get(), Way::kRead, type_, behind(start, share_), bytes_.data(),
               together_ ? ranks : Ranks{}) {}

bool Records::read(const char* function, hid_t loc) {
  if (count_ == 0) return true;
  read_ = reading_.run();
  return together_ ? read_ : all_have(function, loc, ranks_, read_, {});
}

Records::~Records() {
  if (!read_ || share_.count == 0) return;
  const ErrorsKept kept;
  const OwnedId space(H5Screate_simple(1, &share_.count, nullptr));
  H5Dvlen_reclaim(type_, space.get(), H5P_DEFAULT, bytes_.data());
}

bool resize(const Table& table, hsize_t records) {
  return H5Dset_extent(table.dataset.get(), &records) >= 0;
}

Insertion::Insertion(const Table& table, hsize_t start, hsize_t count)
    : table_(table),
      start_(start),
      count_(count),
      ranks_(ranks_of(table.dataset.get())),
      behind_(table, start, table.records - start, ranks_),
      moved_(start < table.records) {}

bool Insertion::run(const char* function, hid_t type, void* values) {
  const hid_t dataset = table_.dataset.get();
  if (!behind_.read(function, dataset)) return false;
  std::optional<SharedTransfer> moving, writing, moving_back;
  bool longer = false;
  const bool ready = all_take(function, dataset, {}, [&] {
    longer = resize(table_, table_.records + count_);
    if (!longer) return false;
    moving.emplace(dataset, Way::kWrite, table_.type.get(),
                   behind(start_ + count_, behind_.share()), behind_.data());
    moving_back.emplace(dataset, Way::kWrite, table_.type.get(), behind(start_, behind_.share()),
                        behind_.data());
    writing.emplace(dataset, Way::kWrite, type, behind(start_, share()), values);
    return moving->is_ready() && moving_back->is_ready() && writing->is_ready();
  });
  if (ready && (!moved_ || moving->run()) && writing->run()) return true;
  const ErrorsKept kept;
  // Whatever was moved is still in memory.
  if (ready && moved_ && !moving_back->run()) return false;
  if (longer) resize(table_, table_.records);
  return false;
}

bool take_out(const char* function, const Table& table, hsize_t start, hsize_t count) {
  const hsize_t moved = table.records - start - count;
  std::optional<Records> out, behind_them;
  std::optional<SharedTransfer> moving, moving_back, putting_back;
  const hid_t dataset = table.dataset.get();
  const auto write = [&](hsize_t at, Records& records) {
    return SharedTransfer(dataset, Way::kWrite, table.type.get(), behind(at, records.share()),
                          records.data());
  };
  const bool ready = all_take(function, dataset, {start, count}, [&] {
    const Ranks ranks = ranks_of(dataset);
    out.emplace(table, start, count, ranks);
    behind_them.emplace(table, start + count, moved, ranks);
    moving.emplace(write(start, *behind_them));
    moving_back.emplace(write(start + count, *behind_them));
    putting_back.emplace(write(start, *out));
    return out->is_ready() && behind_them->is_ready() && moving->is_ready() &&
           moving_back->is_ready() && putting_back->is_ready();
  });
  if (!ready || !out->read(function, dataset) || !behind_them->read(function, dataset))
    return false;
  if ((moved == 0 || moving->run()) &&
      all_take(function, dataset, {}, [&] { return resize(table, table.records - count); }))
    return true;
  const ErrorsKept kept;
  if (moved == 0 || moving_back->run()) putting_back->run();
  return false;
}

bool describe(hid_t dataset, const char* title, const std::vector<Member>& members,
              const unsigned char* fill) {
  if (!write_text(dataset, "CLASS", kClass) || !write_text(dataset, "VERSION", kVersion) ||
      !write_text(dataset, "TITLE", title))
    return false;
  for (size_t i = 0; i < members.size(); ++i)
    if (!write_text(dataset, name_attribute(i).c_str(), members[i].name.c_str())) return false;
  const OwnedId scalar(H5Screate(H5S_SCALAR));
  for (size_t i = 0; fill != nullptr && i < members.size(); ++i)
    if (!write_attribute(dataset, fill_attribute(i).c_str(), members[i].type.get(), scalar,
                         fill + members[i].offset))
      return false;
  return true;
}

bool copy_other_attributes(hid_t from, hid_t to) {
  return H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, nullptr, copy_attribute, &to) >= 0;
}

std::optional<std::vector<unsigned char>> fills_of(const Table& table) {
  std::vector<unsigned char> fill;
  const htri_t has = H5Aexists(table.dataset.get(), fill_attribute(0).c_str());
  if (has < 0) return std::nullopt;
  if (has == 0) return fill;
  fill.resize(table.size());
  for (size_t i = 0; i < table.members.size(); ++i) {
    const htri_t there = H5Aexists(table.dataset.get(), fill_attribute(i).c_str());
    if (there == 0) continue;
    const OwnedId attribute(H5Aopen(table.dataset.get(), fill_attribute(i).c_str(), H5P_DEFAULT));
    const OwnedId space(attribute ? H5Aget_space(attribute.get()) : H5I_INVALID_HID);
    if (!space || H5Sget_simple_extent_npoints(space.get()) != 1) {
      refuse("fills_of", "dset_name", "the fill value of a field is no single element");
      return std::nullopt;
    }
    if (H5Aread(attribute.get(), table.members[i].type.get(),
                fill.data() + table.members[i].offset) < 0)
      return std::nullopt;
  }
  return fill;
}

FillsGivenBack::~FillsGivenBack() {
  if (fills_.empty()) return;
  const ErrorsKept kept;
  const OwnedId scalar(H5Screate(H5S_SCALAR));
  H5Dvlen_reclaim(type_, scalar.get(), H5P_DEFAULT, fills_.data());
}

OwnedId create_table(hid_t loc, const char* name, hid_t type, hsize_t records, hid_t list) {
  const hsize_t forever = H5S_UNLIMITED;
  const OwnedId space(H5Screate_simple(1, &records, &forever));
  return OwnedId(H5Dcreate2(loc, name, type, space.get(), H5P_DEFAULT, list, H5P_DEFAULT));
}

OwnedId list_like(const Table& table) {
  OwnedId list(H5Dget_create_plist(table.dataset.get()));
  if (!list) return list;
  // A table of the same kind, but for its fill value, which is none; and what has none can't be filled at allocation.
  H5Pset_fill_value(list.get(), H5T_NATIVE_INT, nullptr);
  H5Pset_fill_time(list.get(), H5D_FILL_TIME_IFSET);
  return list;
}

}  // namespace pcio::hl
