// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Packet tables: one-dimensional datasets that are appended to and read in turn, with ids of their own.
#include "H5PTpublic.h"

#include <hdf5.h>

#include <cstdint>
#include <limits>
#include <new>
#include <optional>

#include "all_ranks.hpp"
#include "support.hpp"

namespace pcio::hl {
namespace {

struct PacketTable {
  hid_t dataset, type;
  hsize_t next = 0;
};

/// How many packets there are: several ids may have one table open, and append to it.
std::optional<hsize_t> count_packets(const PacketTable& table) {
  const OwnedId space(H5Dget_space(table.dataset));
  hsize_t packets = 0;
  if (!space || H5Sget_simple_extent_dims(space.get(), &packets, nullptr) < 0) return std::nullopt;
  return packets;
}

/// The dataset may be what is open last of a file: where its close fails the table stays, to be closed once more.
herr_t give_back(PacketTable* table) {
  if (H5Dclose(table->dataset) < 0) return -1;
  H5Tclose(table->type);
  delete table;
  return 0;
}

herr_t free_table(void* table) { return give_back(static_cast<PacketTable*>(table)); }

/// The type of ids of packet tables; made at first use, and again after H5close().
H5I_type_t id_type() {
  static H5I_type_t type = H5I_BADID;
  if (type == H5I_BADID || H5Itype_exists(type) <= 0) type = H5Iregister_type(0, 0, free_table);
  return type;
}

/// Null: not a packet table.
PacketTable* find(hid_t id) {
  const H5I_type_t type = id_type();
  if (type == H5I_BADID || H5Iget_type(id) != type) return nullptr;
  return static_cast<PacketTable*>(H5Iobject_verify(id, type));
}

PacketTable* find_or_refuse(const char* function, hid_t id) {
  PacketTable* const table = find(id);
  if (table == nullptr) refuse(function, "table_id", "not a packet table");
  return table;
}

/// Takes both ids, also where it fails.
hid_t enter(hid_t dataset, hid_t type) {
  auto* table = new (std::nothrow) PacketTable{dataset, type};
  const H5I_type_t ids = id_type();
  const hid_t made = table != nullptr && ids != H5I_BADID ? H5Iregister(ids, table) : -1;
  if (made >= 0) return made;
  H5Tclose(type);
  H5Dclose(dataset);
  delete table;
  return H5I_INVALID_HID;
}

struct NewTable {
  hid_t loc;
  const char* name;
  hid_t type;
  hsize_t chunk;
};

bool check(const char* function, const NewTable& made) {
  if (made.name == nullptr) return refuse(function, "dset_name", "it is null") == 0;
  if (H5Iget_type(made.type) != H5I_DATATYPE)
    return refuse(function, "dtype_id", "not a datatype") == 0;
  return true;
}

/// All ranks have the table, or none. `list() -> OwnedId`: a creation list of this rank's own.
template <class List>
hid_t create(const char* function, const NewTable& made, const List& list) {
  const hsize_t none = 0, forever = H5S_UNLIMITED;
  OwnedId own(H5I_INVALID_HID), space(H5I_INVALID_HID), type(H5I_INVALID_HID);
  const bool ready = all_take(function, made.loc, {}, [&] {
    if (!check(function, made)) return false;
    own = list();
    space = OwnedId(H5Screate_simple(1, &none, &forever));
    type = OwnedId(H5Tcopy(made.type));
    return own && space && type && H5Pset_chunk(own.get(), 1, &made.chunk) >= 0;
  });
  if (!ready) return H5I_INVALID_HID;
  hid_t table = H5I_INVALID_HID;
  bool is_there = false;
  const bool done = all_take(function, made.loc, {}, [&] {
    const hid_t dataset = H5Dcreate2(made.loc, made.name, made.type, space.get(), H5P_DEFAULT,
                                     own.get(), H5P_DEFAULT);
    is_there = dataset >= 0;
    if (is_there) table = enter(dataset, type.release());
    return table >= 0;
  });
  if (done) return table;
  // On all ranks alike, and not before they have met.
  const ErrorsKept kept;
  if (table >= 0) H5Idec_ref(table);
  if (is_there) H5Ldelete(made.loc, made.name, H5P_DEFAULT);
  return H5I_INVALID_HID;
}

herr_t read(const char* function, const PacketTable& table, hsize_t start, size_t count,
            void* data) {
  if (count == 0) return 0;
  if (data == nullptr) return refuse(function, "data", "it is null");
  const auto packets = count_packets(table);
  if (!packets) return -1;
  if (start > *packets || count > *packets - start)
    return refuse(function, "nrecords", "the table has not as many");
  const hsize_t wanted = count;
  const OwnedId file(H5Dget_space(table.dataset)), memory(H5Screate_simple(1, &wanted, nullptr));
  if (!file || !memory ||
      H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, &start, nullptr, &wanted, nullptr) < 0)
    return -1;
  return H5Dread(table.dataset, table.type, memory.get(), file.get(), H5P_DEFAULT, data) < 0 ? -1
                                                                                             : 0;
}

/// All ranks together, each a share of the packets. Where they can't be written the table is as long as before.
herr_t append(const char* function, const PacketTable& table, size_t count, const void* data) {
  hsize_t before = 0;
  const bool checked = all_take(function, table.dataset, {count}, [&] {
    if (count > 0 && data == nullptr) return refuse(function, "data", "it is null") == 0;
    const auto packets = count_packets(table);
    if (!packets) return false;
    before = *packets;
    return count < std::numeric_limits<hsize_t>::max() - before ||
           refuse(function, "nrecords", "more than a table can have") == 0;
  });
  if (!checked) return -1;
  if (count == 0) return 0;
  bool longer = false;
  std::optional<SharedTransfer> writing;
  const bool ready = all_take(function, table.dataset, {}, [&] {
    const hsize_t after = before + count;
    const Range share = share_of(count, ranks_of(table.dataset));
    const auto* const mine =
        static_cast<const unsigned char*>(data) + share.start * H5Tget_size(table.type);
    longer = H5Dset_extent(table.dataset, &after) >= 0;
    if (!longer) return false;
    writing.emplace(table.dataset, Way::kWrite, table.type,
                    Range{before + share.start, share.count}, const_cast<unsigned char*>(mine));
    return writing->is_ready();
  });
  if (ready && writing->run()) return 0;
  const ErrorsKept kept;
  if (longer) H5Dset_extent(table.dataset, &before);
  return -1;
}

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

hid_t H5PTcreate(hid_t loc_id, const char* dset_name, hid_t dtype_id, hsize_t chunk_size,
                 hid_t plist_id) {
  constexpr const char* kFunction = "H5PTcreate";
  return create(kFunction, {loc_id, dset_name, dtype_id, chunk_size}, [&] {
    if (plist_id == H5P_DEFAULT) return OwnedId(H5Pcreate(H5P_DATASET_CREATE));
    if (H5Pisa_class(plist_id, H5P_DATASET_CREATE) > 0) return OwnedId(H5Pcopy(plist_id));
    refuse(kFunction, "plist_id", "not a dataset creation list");
    return OwnedId(H5I_INVALID_HID);
  });
}

hid_t H5PTcreate_fl(hid_t loc_id, const char* dset_name, hid_t dtype_id, hsize_t chunk_size,
                    int compression) {
  constexpr const char* kFunction = "H5PTcreate_fl";
  constexpr int kStrongest = 9;
  return create(kFunction, {loc_id, dset_name, dtype_id, chunk_size}, [&] {
    if (compression > kStrongest) {
      refuse(kFunction, "compression", "more than 9");
      return OwnedId(H5I_INVALID_HID);
    }
    OwnedId list(H5Pcreate(H5P_DATASET_CREATE));
    if (list && compression >= 0 &&
        H5Pset_deflate(list.get(), static_cast<unsigned>(compression)) < 0)
      return OwnedId(H5I_INVALID_HID);
    return list;
  });
}

hid_t H5PTopen(hid_t loc_id, const char* dset_name) {
  constexpr const char* kFunction = "H5PTopen";
  if (dset_name == nullptr) return refuse(kFunction, "dset_name", "it is null");
  const hid_t dataset = H5Dopen2(loc_id, dset_name, H5P_DEFAULT);
  if (dataset < 0) return H5I_INVALID_HID;
  hid_t native = H5I_INVALID_HID;
  {
    const OwnedId space(H5Dget_space(dataset)), type(H5Dget_type(dataset));
    if (space && H5Sget_simple_extent_ndims(space.get()) != 1)
      refuse(kFunction, "dset_name", "it has not one dimension");
    else if (space && type)
      native = H5Tget_native_type(type.get(), H5T_DIR_DEFAULT);
  }
  if (native >= 0) return enter(dataset, native);
  const OwnedId given_back(dataset);
  return H5I_INVALID_HID;
}

herr_t H5PTclose(hid_t table_id) {
  if (find_or_refuse("H5PTclose", table_id) == nullptr) return -1;
  return H5Idec_ref(table_id) < 0 ? -1 : 0;
}

herr_t H5PTappend(hid_t table_id, size_t nrecords, const void* data) {
  constexpr const char* kFunction = "H5PTappend";
  const PacketTable* const table = find_or_refuse(kFunction, table_id);
  return table == nullptr ? -1 : append(kFunction, *table, nrecords, data);
}

herr_t H5PTget_next(hid_t table_id, size_t nrecords, void* data) {
  constexpr const char* kFunction = "H5PTget_next";
  PacketTable* const table = find_or_refuse(kFunction, table_id);
  if (table == nullptr || read(kFunction, *table, table->next, nrecords, data) < 0) return -1;
  table->next += nrecords;
  return 0;
}

herr_t H5PTread_packets(hid_t table_id, hsize_t start, size_t nrecords, void* data) {
  constexpr const char* kFunction = "H5PTread_packets";
  const PacketTable* const table = find_or_refuse(kFunction, table_id);
  return table == nullptr ? -1 : read(kFunction, *table, start, nrecords, data);
}

herr_t H5PTget_num_packets(hid_t table_id, hsize_t* nrecords) {
  const PacketTable* const table = find_or_refuse("H5PTget_num_packets", table_id);
  if (table == nullptr) return -1;
  const auto packets = count_packets(*table);
  if (!packets) return -1;
  if (nrecords != nullptr) *nrecords = *packets;
  return 0;
}

herr_t H5PTis_valid(hid_t table_id) {
  return find_or_refuse("H5PTis_valid", table_id) == nullptr ? -1 : 0;
}

herr_t H5PTis_varlen(hid_t table_id) {
  const PacketTable* const table = find_or_refuse("H5PTis_varlen", table_id);
  if (table == nullptr) return -1;
  return H5Tget_class(table->type) == H5T_VLEN ? 1 : 0;
}

hid_t H5PTget_dataset(hid_t table_id) {
  const PacketTable* const table = find_or_refuse("H5PTget_dataset", table_id);
  return table == nullptr ? H5I_INVALID_HID : table->dataset;
}

hid_t H5PTget_type(hid_t table_id) {
  const PacketTable* const table = find_or_refuse("H5PTget_type", table_id);
  return table == nullptr ? H5I_INVALID_HID : table->type;
}

herr_t H5PTcreate_index(hid_t table_id) {
  PacketTable* const table = find_or_refuse("H5PTcreate_index", table_id);
  if (table == nullptr) return -1;
  table->next = 0;
  return 0;
}

herr_t H5PTset_index(hid_t table_id, hsize_t pt_index) {
  constexpr const char* kFunction = "H5PTset_index";
  PacketTable* const table = find_or_refuse(kFunction, table_id);
  if (table == nullptr) return -1;
  const auto packets = count_packets(*table);
  if (!packets) return -1;
  if (pt_index >= *packets) return refuse(kFunction, "pt_index", "behind the last packet");
  table->next = pt_index;
  return 0;
}

herr_t H5PTget_index(hid_t table_id, hsize_t* pt_index) {
  const PacketTable* const table = find_or_refuse("H5PTget_index", table_id);
  if (table == nullptr) return -1;
  if (pt_index != nullptr) *pt_index = table->next;
  return 0;
}

herr_t H5PTfree_vlen_buff(hid_t table_id, size_t bufflen, void* buff) {
  constexpr const char* kFunction = "H5PTfree_vlen_buff";
  const PacketTable* const table = find_or_refuse(kFunction, table_id);
  if (table == nullptr) return -1;
  if (buff == nullptr) return refuse(kFunction, "buff", "it is null");
  const hsize_t count = bufflen;
  const OwnedId space(H5Screate_simple(1, &count, nullptr));
  return space && H5Dvlen_reclaim(table->type, space.get(), H5P_DEFAULT, buff) >= 0 ? 0 : -1;
}
