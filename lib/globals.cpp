// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: definition and filling of the exported data symbols.

#include "lib/globals.hpp"

#include <array>

#include "lib/error_stack.hpp"
#include "lib/value_handles.hpp"
#include "type/native_types.hpp"

// ---- definitions ----------------------------------------------------------------------------
// Visibility and C linkage come from the declarations in the public headers.

#define PCIO_MAJOR(name, text) hid_t H5E_##name##_g = H5I_INVALID_HID;
#define PCIO_MINOR(name, text) hid_t H5E_##name##_g = H5I_INVALID_HID;
#include "base/error_codes.def"
hid_t H5E_ERR_CLS_g = H5I_INVALID_HID;

#define PCIO_PREDEFINED_TYPE(name, make) hid_t H5T_##name##_g = H5I_INVALID_HID;
#include "type/predefined_types.def"
#undef PCIO_PREDEFINED_TYPE

// X(public name, class kind)
#define PCIO_CLASSES_WITH_LISTS(X)      \
  X(FILE_CREATE, kFileCreate)           \
  X(FILE_ACCESS, kFileAccess)           \
  X(DATASET_CREATE, kDatasetCreate)     \
  X(DATASET_ACCESS, kDatasetAccess)     \
  X(DATASET_XFER, kDatasetTransfer)     \
  X(FILE_MOUNT, kFileMount)             \
  X(GROUP_CREATE, kGroupCreate)         \
  X(GROUP_ACCESS, kGroupAccess)         \
  X(DATATYPE_CREATE, kDatatypeCreate)   \
  X(DATATYPE_ACCESS, kDatatypeAccess)   \
  X(ATTRIBUTE_CREATE, kAttributeCreate) \
  X(ATTRIBUTE_ACCESS, kAttributeAccess) \
  X(OBJECT_COPY, kObjectCopy)           \
  X(LINK_CREATE, kLinkCreate)           \
  X(LINK_ACCESS, kLinkAccess)
// Classes that exist to be derived from have no default list.
#define PCIO_CLASSES_WITHOUT_LISTS(X) \
  X(ROOT, kRoot)                      \
  X(OBJECT_CREATE, kObjectCreate)     \
  X(STRING_CREATE, kStringCreate)

#define PCIO_DEFINE(name, kind) hid_t H5P_CLS_##name##_ID_g = H5I_INVALID_HID;
PCIO_CLASSES_WITH_LISTS(PCIO_DEFINE)
PCIO_CLASSES_WITHOUT_LISTS(PCIO_DEFINE)
#undef PCIO_DEFINE
#define PCIO_DEFINE(name, kind) hid_t H5P_LST_##name##_ID_g = H5I_INVALID_HID;
PCIO_CLASSES_WITH_LISTS(PCIO_DEFINE)
#undef PCIO_DEFINE

// "Whether MPI-IO may use derived datatypes": kept for programs that read it. Source: H5FDmpio.h.
hbool_t H5FD_mpi_opt_types_g = true;

// ---- filling --------------------------------------------------------------------------------

namespace pcio {

namespace {

struct ListGlobals {
  PropertyClassKind kind;
  hid_t* class_id;
  hid_t* list_id;  // nullptr where the class has no default list
};

constexpr ListGlobals kListGlobals[] = {
#define PCIO_ROW(name, kind) \
  {PropertyClassKind::kind, &H5P_CLS_##name##_ID_g, &H5P_LST_##name##_ID_g},
    PCIO_CLASSES_WITH_LISTS(PCIO_ROW)
#undef PCIO_ROW
#define PCIO_ROW(name, kind) {PropertyClassKind::kind, &H5P_CLS_##name##_ID_g, nullptr},
        PCIO_CLASSES_WITHOUT_LISTS(PCIO_ROW)
#undef PCIO_ROW
};
static_assert(std::size(kListGlobals) == kPropertyClassCount);

struct TypeGlobal {
  NativeKind kind;
  hid_t* id;
};

constexpr TypeGlobal kTypeGlobals[] = {
#define PCIO_PREDEFINED_TYPE(name, make) {NativeKind::name, &H5T_##name##_g},
#include "type/predefined_types.def"
#undef PCIO_PREDEFINED_TYPE
};

struct ErrorGlobal {
  H5E_type_t kind;
  hid_t* id;
  const char* text;
};

constexpr ErrorGlobal kMajorGlobals[] = {
#define PCIO_MAJOR(name, text) {H5E_MAJOR, &H5E_##name##_g, text},
#include "base/error_codes.def"
};
constexpr ErrorGlobal kMinorGlobals[] = {
#define PCIO_MINOR(name, text) {H5E_MINOR, &H5E_##name##_g, text},
#include "base/error_codes.def"
};

/// Registers an object of the library's own and notes its id in a global.
template <class T, class... Args>
Status define(hid_t* global, Args&&... args) {
  auto object = std::make_shared<T>(std::forward<Args>(args)...);
  object->predefined = true;
  PCIO_ASSIGN(*global, register_object(std::move(object)));
  return Status();
}

Status fill_error_globals() {
  PCIO_TRY(define<ErrorClassObject>(&H5E_ERR_CLS_g, "HDF5", "HDF5", "1.10.8"));
  PCIO_ASSIGN(auto cls, get<ErrorClassObject>(H5E_ERR_CLS_g, "class"));
  for (const ErrorGlobal& row : kMajorGlobals)
    PCIO_TRY(define<ErrorMessageObject>(row.id, cls, row.kind, row.text));
  for (const ErrorGlobal& row : kMinorGlobals)
    PCIO_TRY(define<ErrorMessageObject>(row.id, cls, row.kind, row.text));
  return Status();
}

Status fill_list_globals() {
  // Made now: calls in which the other ranks wait read them, and ask for no memory.
  static_cast<void>(detail::default_property_list(PropertyClassKind::kRoot));
  reset_library_classes();
  for (const ListGlobals& row : kListGlobals) {
    PCIO_TRY(define<PropertyClassObject>(row.class_id, library_class(row.kind)));
    if (row.list_id != nullptr) PCIO_TRY(define<PropertyListObject>(row.list_id, row.kind));
  }
  return Status();
}

Status fill_type_globals() {
  for (const TypeGlobal& row : kTypeGlobals)
    PCIO_TRY(define<TypeObject>(row.id, native_type(row.kind), TypeObject::State::kImmutable));
  return Status();
}

}  // namespace

Status fill_globals() {
  PCIO_TRY(fill_error_globals());
  PCIO_TRY(fill_list_globals());
  return fill_type_globals();
}

void clear_globals() {
  H5E_ERR_CLS_g = H5I_INVALID_HID;
  for (const ErrorGlobal& row : kMajorGlobals) *row.id = H5I_INVALID_HID;
  for (const ErrorGlobal& row : kMinorGlobals) *row.id = H5I_INVALID_HID;
  for (const TypeGlobal& row : kTypeGlobals) *row.id = H5I_INVALID_HID;
  for (const ListGlobals& row : kListGlobals) {
    *row.class_id = H5I_INVALID_HID;
    if (row.list_id != nullptr) *row.list_id = H5I_INVALID_HID;
  }
}

hid_t error_ids::of(Major major) { return *kMajorGlobals[static_cast<unsigned>(major)].id; }
hid_t error_ids::of(Minor minor) { return *kMinorGlobals[static_cast<unsigned>(minor)].id; }

HandleId property_class_id(PropertyClassKind kind) {
  for (const ListGlobals& row : kListGlobals)
    if (row.kind == kind) return *row.class_id;
  return H5I_INVALID_HID;
}

}  // namespace pcio
