// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: libhdf5 beside libpcio in one program. Its own calls must find its own functions and not libpcio's of the same
// names, which are this program's: RTLD_DEEPBIND.

#include "library.hpp"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <pcio.h>
#include <vector>

namespace bench {

namespace {

// Not the other MPI library's: it would come along.
#if defined(OPEN_MPI)
constexpr std::array kStems = {"libhdf5_openmpi.so", "libhdf5.so"};
#else
constexpr std::array kStems = {"libhdf5_mpich.so", "libhdf5.so"};
#endif
// Of the releases 2.0, 1.14, 1.12, 1.10; what a development package has.
constexpr std::array kEndings = {".320", ".310", ".200", ".103", ""};

std::vector<std::string> usual_names() {
  std::vector<std::string> folders, names;
  for (const char* variable : {"HDF5_ROOT", "HDF5_DIR", "HDF5_HOME"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      folders.push_back(std::string(value) + "/lib/");
  folders.emplace_back();
  for (const std::string& folder : folders)
    for (const char* stem : kStems)
      for (const char* ending : kEndings) names.push_back(folder + stem + ending);
  return names;
}

/// Of the library and what it was linked with. Null: it has none.
template <typename Thing>
Thing find(void* handle, const char* name) {
  return reinterpret_cast<Thing>(::dlsym(handle, name));
}

/// Why the library is not one to compare with; empty: it is.
std::string unfit(void* handle) {
  if (find<void*>(handle, "pcio_version_string") != nullptr) return "is libpcio";
  if (find<void*>(handle, "H5Pset_fapl_mpio") == nullptr) return "has no parallel I/O";
  if (find<void*>(handle, "MPI_Init") != find<void*>(RTLD_DEFAULT, "MPI_Init"))
    return "belongs to another MPI library";
  const auto version = find<decltype(&::H5get_libversion)>(handle, "H5get_libversion");
  unsigned major = 0, minor = 0, release = 0;
  // Ids were ints before.
  if (version == nullptr || version(&major, &minor, &release) < 0 || (major == 1 && minor < 10))
    return "is older than 1.10";
  return "";
}

std::string version_of(const Library& library) {
  unsigned major = 0, minor = 0, release = 0;
  library.H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

/// False where one of its calls or ids is not there, whose name `why` begins with then.
bool take(void* handle, Library* library, std::string* why) {
#define PCIO_BENCH_CALL(call)                             \
  library->call = find<decltype(&::call)>(handle, #call); \
  if (library->call == nullptr) return *why = #call " is not there", false;
  PCIO_BENCH_CALLS(PCIO_BENCH_CALL)
#undef PCIO_BENCH_CALL
  if (library->H5open() < 0) return *why = "H5open fails", false;
  const std::pair<const char*, hid_t*> ids[] = {
      {"H5T_NATIVE_FLOAT_g", &library->native_float},
      {"H5T_NATIVE_DOUBLE_g", &library->native_double},
      {"H5T_NATIVE_LLONG_g", &library->native_llong},
      {"H5P_CLS_FILE_ACCESS_ID_g", &library->file_access},
      {"H5P_CLS_DATASET_CREATE_ID_g", &library->dataset_create},
      {"H5P_CLS_DATASET_XFER_ID_g", &library->dataset_xfer}};
  for (const auto& [name, id] : ids) {
    const auto* const variable = find<const hid_t*>(handle, name);
    if (variable == nullptr) return *why = std::string(name) + " is not there", false;
    *id = *variable;
  }
  return true;
}

}  // namespace

Library own_library() {
  Library own;
  own.name = "libpcio";
  own.version = pcio_version_string();
#define PCIO_BENCH_CALL(call) own.call = &::call;
  PCIO_BENCH_CALLS(PCIO_BENCH_CALL)
#undef PCIO_BENCH_CALL
  own.native_float = H5T_NATIVE_FLOAT;
  own.native_double = H5T_NATIVE_DOUBLE;
  own.native_llong = H5T_NATIVE_LLONG;
  own.file_access = H5P_FILE_ACCESS;
  own.dataset_create = H5P_DATASET_CREATE;
  own.dataset_xfer = H5P_DATASET_XFER;
  return own;
}

std::optional<Library> find_hdf5(const std::string& file, std::string* why) {
  *why = "no libhdf5 with parallel I/O was found (--hdf5 says where one is)";
  for (const std::string& name : file.empty() ? usual_names() : std::vector{file}) {
    void* const handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (handle == nullptr) {
      if (!file.empty()) *why = ::dlerror();
      continue;
    }
    Library library;
    library.name = "libhdf5";
    library.file = name;
    const std::string reason = unfit(handle);
    if (reason.empty() && take(handle, &library, why)) {
      library.version = version_of(library);
      return library;
    }
    if (!reason.empty()) *why = reason;
    *why = name + ": " + *why;
    // It is not unloaded: libraries that have begun with threads or MPI don't like that.
  }
  return std::nullopt;
}

}  // namespace bench
