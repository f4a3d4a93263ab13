// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls that have functions of the program called, and these functions.

#include "api/acting.hpp"

#include <cstdlib>
#include <cstring>

#include "api/acting_functions.hpp"

namespace acting {

using Called = World::Called;

namespace {

/// In the first of the names that is free.
std::string free_name(hid_t file, const std::string& name) {
  std::string free = name;
  while (H5Lexists(file, free.c_str(), H5P_DEFAULT) > 0) free += "x";
  return free;
}

}  // namespace

Called World::call(Place place) {
  switch (place) {
    case kConversionException:
    case kConversion: return call_conversion(place);
    case kEncoding:
    case kDecoding:
    case kCanApply:
    case kSetLocal: return call_filter(place);
    case kTraverse: return call_traverse();
    case kLinkMade:
    case kLinkMoved:
    case kLinkCopied:
    case kLinkDeleted:
    case kLinkQueried: return call_link_class(place);
    case kLinkVisit:
    case kObjectVisit:
    case kAttributeVisit:
    case kErrorWalk:
    case kErrorReport: return call_visit(place);
    case kElementVisit:
    case kScatter:
    case kGather:
    case kVlenAllocate:
    case kVlenFree: return call_memory(place);
    case kListMade:
    case kListCopied:
    case kListClosed:
    case kPropertySet:
    case kPropertyCompared:
    case kListVisit: return call_list(place);
    case kIdFreed:
    case kIdSearch: return call_id(place);
    case kDriverRead:
    case kDriverWrite:
    case kDriverClose: return call_driver(place);
    default: return call_object(place);
  }
}

Called World::call_conversion(Place place) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  Called called;
  if (place == kConversionException) {
    H5Pset_type_conv_cb(list, on_exception, nullptr);
    called.writes = pick(3) > 0;
    if (called.writes) {
      const std::vector<long long> large(kElements, kLarge);
      called.name = "H5Dwrite";
      called.good = H5Dwrite(target, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, list, large.data()) >= 0;
    } else {
      std::vector<signed char> small(kMoreElements);
      called.name = "H5Dread";
      called.good = H5Dread(target, H5T_NATIVE_SCHAR, H5S_ALL, H5S_ALL, list, small.data()) >= 0;
    }
  } else {
    const hid_t opaque = opaque_type();
    const std::vector<int> any(kElements, 3);
    switch (pick(3)) {
      case 0: {
        called.name = "H5Awrite";
        const hid_t attribute = H5Aopen(group, "a", H5P_DEFAULT);
        called.good = H5Awrite(attribute, opaque, any.data()) >= 0;
        H5Aclose(attribute);
        break;
      }
      case 1: {
        called.name = "H5Tconvert";
        std::vector<int> elements = any;
        called.good = H5Tconvert(opaque, H5T_STD_I32LE, kElements, elements.data(), nullptr,
                                 H5P_DEFAULT) >= 0;
        break;
      }
      default:
        called.name = "H5Dwrite";
        called.writes = true;
        called.good = H5Dwrite(target, opaque, H5S_ALL, H5S_ALL, list, any.data()) >= 0;
    }
    H5Tclose(opaque);
  }
  H5Pclose(list);
  return called;
}

/// The target has the filter.
Called World::call_filter(Place place) {
  Called called;
  std::vector<int> elements(kMoreElements, kNew);
  if (place == kCanApply || place == kSetLocal) {
    const std::string name = free_name(file, pick(2) == 0 ? "/g/made" : "/to/made");
    called.name = "H5Dcreate2";
    const hid_t made = make_dataset(name.c_str(), {H5D_CHUNKED, true, true}, kFromDeed);
    called.good = made >= 0;
    if (made >= 0) H5Dclose(made);
    return called;
  }
  if (place == kEncoding) {
    called.name = "H5Dwrite";
    called.writes = true;
    called.good =
        H5Dwrite(target, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()) >= 0;
    if (!called.good || pick(3) == 0) return called;
    called.name = "H5Fflush";
    called.good = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    return called;
  }
  called.name = "H5Dread";
  if (pick(2) == 0) {
    called.good =
        H5Dread(target, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()) >= 0;
  } else {
    called.name = "H5Dset_extent";
    const hsize_t less = kElements - kChunk / 2, again = kElements;
    called.good = H5Dset_extent(target, &less) >= 0;
    values.insert(0);
    if (called.good) called.good = H5Dset_extent(target, &again) >= 0;
  }
  return called;
}

Called World::call_traverse() {
  Called called;
  hid_t made = H5I_INVALID_HID;
  const auto done = [&](const char* name, hid_t id) {
    called.name = name;
    called.good = id >= 0;
    if (id >= 0) H5Idec_ref(id);
  };
  const auto was = [&](const char* name, herr_t result) {
    called.name = name;
    called.good = result >= 0;
  };
  // Looked for where the function isn't asked.
  const std::string to = "/way" + free_name(file, "/g/n").substr(2),
                    beside = free_name(file, "/to/n");
  H5O_info_t info;
  switch (pick(10)) {
    case 0: done("H5Dopen2", H5Dopen2(file, "/way/t", H5P_DEFAULT)); break;
    case 1:
      was("H5Lmove", H5Lmove(file, "/way/t", file, beside.c_str(), H5P_DEFAULT, H5P_DEFAULT));
      break;
    case 2:
      was("H5Lcreate_hard",
          H5Lcreate_hard(file, kTargetPath, file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT));
      break;
    case 3:
      was("H5Ocopy", H5Ocopy(file, kTargetPath, file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT));
      break;
    case 4: was("H5Olink", H5Olink(target, file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT)); break;
    case 5:
      done("H5Gcreate2", H5Gcreate2(file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      break;
    case 6:
      made = make_dataset(to.c_str(), {H5D_CHUNKED, false, true}, kFromDeed);
      done("H5Dcreate2", made);
      break;
    case 7: was("H5Oget_info", H5Oget_info_by_name(file, "/way/t", &info, H5P_DEFAULT)); break;
    case 8: was("H5Ldelete", H5Ldelete(file, "/way/t", H5P_DEFAULT)); break;
    default: {
      const hid_t space = H5Screate(H5S_SCALAR);
      done("H5Acreate_by_name", H5Acreate_by_name(file, "/way/t", "new", H5T_NATIVE_INT, space,
                                                  H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      H5Sclose(space);
    }
  }
  return called;
}

Called World::call_link_class(Place place) {
  Called called;
  H5L_info_t info;
  char value[8];
  const std::string from = std::string("/g/") + (pick(2) == 0 ? "ud" : "ud2"),
                    to = free_name(file, pick(2) == 0 ? "/g/new" : "/to/new");
  switch (place) {
    case kLinkMade:
      called.name = "H5Lcreate_ud";
      called.good = H5Lcreate_ud(file, to.c_str(), kLinkType, "", 0, H5P_DEFAULT, H5P_DEFAULT) >= 0;
      break;
    case kLinkMoved:
      called.name = "H5Lmove";
      called.good = H5Lmove(file, from.c_str(), file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
      break;
    case kLinkCopied:
      called.name = "H5Lcopy";
      called.good = H5Lcopy(file, from.c_str(), file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
      break;
    case kLinkDeleted:
      called.name = "H5Ldelete";
      called.good = H5Ldelete(file, from.c_str(), H5P_DEFAULT) >= 0;
      break;
    default:
      if (pick(2) == 0) {
        called.name = "H5Lget_info";
        called.good = H5Lget_info(file, from.c_str(), &info, H5P_DEFAULT) >= 0;
      } else {
        called.name = "H5Lget_val";
        called.good = H5Lget_val(file, from.c_str(), value, sizeof value, H5P_DEFAULT) >= 0;
      }
  }
  return called;
}

Called World::call_visit(Place place) {
  Called called;
  hsize_t at = 0;
  switch (place) {
    case kLinkVisit:
      if (pick(2) == 0) {
        called.name = "H5Literate";
        called.good = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, on_link, nullptr) >= 0;
      } else {
        called.name = "H5Lvisit";
        called.good = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, on_link, nullptr) >= 0;
      }
      break;
    case kObjectVisit:
      called.name = "H5Ovisit";
      called.good = H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, on_object, nullptr) >= 0;
      break;
    case kAttributeVisit:
      called.name = "H5Aiterate2";
      called.good = H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, &at, on_attribute, nullptr) >= 0;
      break;
    case kErrorWalk:
      called.name = "H5Ewalk2";
      H5Dopen2(file, "/nothing", H5P_DEFAULT);
      called.good = H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, on_error, nullptr) >= 0;
      break;
    default:
      called.name = "H5Dopen2";
      H5Eset_auto2(H5E_DEFAULT, on_report, nullptr);
      called.good = H5Dopen2(file, "/nothing", H5P_DEFAULT) < 0;
      H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  return called;
}

Called World::call_memory(Place place) {
  Called called;
  std::vector<int> values(kElements, 1);
  const hsize_t size = kElements;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  if (place == kElementVisit) {
    called.name = "H5Diterate";
    called.good = H5Diterate(values.data(), H5T_NATIVE_INT, space, on_element, nullptr) >= 0;
  } else if (place == kScatter) {
    called.name = "H5Dscatter";
    called.good = H5Dscatter(on_scatter, nullptr, H5T_NATIVE_INT, space, values.data()) >= 0;
  } else if (place == kGather) {
    called.name = "H5Dgather";
    std::vector<int> part(kElements / 3);
    called.good = H5Dgather(space, values.data(), H5T_NATIVE_INT, part.size() * sizeof(int),
                            part.data(), on_gather, nullptr) >= 0;
  } else {
    const hid_t type = text_type(), list = H5Pcreate(H5P_DATASET_XFER),
                texts = H5Dopen2(file, "/texts", H5P_DEFAULT);
    H5Pset_vlen_mem_manager(list, on_allocate, nullptr, on_free, nullptr);
    const hid_t few = H5Dget_space(texts);
    std::vector<char*> found(kTexts);
    called.name = place == kVlenAllocate ? "H5Dread" : "H5Dvlen_reclaim";
    const bool read = H5Dread(texts, type, H5S_ALL, H5S_ALL, list, found.data()) >= 0;
    called.good = read && H5Dvlen_reclaim(type, few, list, found.data()) >= 0;
    for (const hid_t id : {texts, few, type, list}) H5Idec_ref(id);
  }
  H5Sclose(space);
  return called;
}

Called World::call_list(Place place) {
  Called called;
  const hid_t cls = H5Pcreate_class(H5P_ROOT, "acting", on_list_made, nullptr, on_list_copied,
                                    nullptr, on_list_closed, nullptr);
  int value = 1;
  H5Pregister2(cls, "p", sizeof value, &value, nullptr, on_property, nullptr, nullptr, nullptr,
               on_compare, nullptr);
  const hid_t list = H5Pcreate(cls), copy = list < 0 ? list : H5Pcopy(list);
  called.good = list >= 0 && copy >= 0;
  called.name = "H5Pcreate, H5Pcopy, H5Pclose";
  if (called.good && place == kPropertySet) {
    called.name = "H5Pset";
    called.good = H5Pset(list, "p", &value) >= 0;
  }
  if (called.good && place == kPropertyCompared) {
    called.name = "H5Pequal";
    called.good = H5Pequal(list, copy) >= 0;
  }
  if (called.good && place == kListVisit) {
    called.name = "H5Piterate";
    int at = 0;
    called.good = H5Piterate(list, &at, on_list_property, nullptr) >= 0;
  }
  for (const hid_t id : {list, copy})
    if (id >= 0 && H5Pclose(id) < 0) {
      called.good = false;
      if (H5Iis_valid(id) > 0) H5Pclose(id);
    }
  H5Pclose_class(cls);
  return called;
}

Called World::call_id(Place place) {
  Called called;
  static int object = 0;
  const H5I_type_t type = H5Iregister_type(16, 0, on_id_freed);
  const hid_t ids[] = {H5Iregister(type, &object), H5Iregister(type, &object)};
  called.good = ids[1] >= 0;
  if (place == kIdSearch) {
    called.name = "H5Isearch";
    // Finds nothing, which is what it says of a failure.
    H5Isearch(type, on_search, nullptr);
    H5Idestroy_type(type);
  } else if (pick(2) == 0) {
    called.name = "H5Idec_ref";
    called.good = H5Idec_ref(ids[0]) >= 0;
    H5Idestroy_type(type);
  } else {
    called.name = "H5Idestroy_type";
    called.good = H5Idestroy_type(type) >= 0;
  }
  return called;
}

/// On a file of the program's driver.
Called World::call_driver(Place place) {
  Called called;
  const hid_t list = driver_list();
  const hid_t own = H5Fcreate("driven", H5F_ACC_TRUNC, H5P_DEFAULT, list);
  const hid_t around = std::exchange(driven, own);
  called.name = place == kDriverWrite ? "H5Fflush" : place == kDriverRead ? "H5Dread" : "H5Fclose";
  hid_t data = own < 0 ? own : make_dataset("/d", {H5D_CONTIGUOUS, false, false}, 1, own);
  called.good = data >= 0 && H5Fflush(own, H5F_SCOPE_GLOBAL) >= 0;
  std::vector<int> found(kElements);
  if (called.good)
    called.good = H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0;
  if (H5Iis_valid(data) > 0 && H5Dclose(data) < 0) called.good = false;
  if (H5Iis_valid(own) > 0 && H5Fclose(own) < 0) called.good = false;
  // A close that failed can be made again.
  if (H5Iis_valid(own) > 0) H5Fclose(own);
  driven = around;
  H5Pclose(list);
  return called;
}

Called World::call_object(Place place) {
  Called called;
  if (place == kExternalLink) {
    called.name = "H5Oopen";
    const hid_t list = H5Pcreate(H5P_LINK_ACCESS);
    H5Pset_elink_cb(list, on_external, nullptr);
    const hid_t found = H5Oopen(file, "/ext", list);
    called.good = found >= 0;
    if (found >= 0) H5Oclose(found);
    H5Pclose(list);
  } else if (place == kTypeSearch) {
    called.name = "H5Ocopy";
    const hid_t list = H5Pcreate(H5P_OBJECT_COPY);
    H5Pset_copy_object(list, H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG);
    H5Padd_merge_committed_dtype_path(list, "/nothing");
    H5Pset_mcdt_search_cb(list, on_type_search, nullptr);
    // Within the file the type itself would do.
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, 0);
    const hid_t to = H5Fcreate((temp_.str() + ".copy").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    called.good = H5Ocopy(file, "/typed", to, "typed", list, H5P_DEFAULT) >= 0;
    for (const hid_t id : {to, access, list}) H5Idec_ref(id);
  } else {
    called.name = "H5Oflush";
    called.good = H5Oflush(target) >= 0;
  }
  return called;
}

}  // namespace acting
