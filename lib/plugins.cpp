// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: finding and loading filter plugins.
//
// Debian's plugins need libhdf5_serial.so.103 by name. A shim of that name whose symbols are
// libpcio's (lib/shim) is loaded before the first plugin, so that their calls come here; it lies in a
// folder beside libpcio, which has libpcio's name (`libpcio_mpich` for MPICH, which may lie beside that of Open MPI). Where the real libhdf5_serial is in the process already, a plugin
// is bound to that one: then it may decode, which needs no ids, but not encode. The drop-in of that name
// needs no shim, that of libhdf5_openmpi's has one of its own.

#include "lib/plugins.hpp"

#include "config.h"
#undef VERSION  // it stands for a code of errors in files that are compiled as one with this

#include <dirent.h>
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "filter/registry.hpp"
#include "lib/public_api.hpp"

namespace pcio {

namespace {

constexpr char kShimName[] = "libhdf5_serial.so.103";

struct PluginTable {
  std::mutex lock;
  std::vector<std::string> paths;
  unsigned state = H5PL_ALL_PLUGIN;
  std::map<std::string, int> ids;  // of the filters in files that were looked at; -1: none
  bool shim_tried = false;

  PluginTable() {
    const char* said = std::getenv("HDF5_PLUGIN_PATH");
    std::string list = said != nullptr ? said : PCIO_DEFAULT_PLUGIN_PATH;
    for (std::size_t at = 0; at <= list.size();) {
      std::size_t end = std::min(list.find(':', at), list.size());
      if (end > at) paths.push_back(list.substr(at, end - at));
      at = end + 1;
    }
    const char* preload = std::getenv("HDF5_PLUGIN_PRELOAD");
    if (preload != nullptr && std::strcmp(preload, H5PL_NO_PLUGIN) == 0) state = 0;
  }
};

PluginTable& table() {
  static auto* const the = new PluginTable;
  return *the;
}

std::atomic<void (*)()> refresh_shim{nullptr};

/// A function of a shared library; null where it has none of that name.
template <class F>
F function_of(void* library, const char* name) {
  void* address = dlsym(library, name);
  F function = nullptr;
  static_assert(sizeof function == sizeof address);
  std::memcpy(&function, &address, sizeof address);
  return function;
}

/// Whether this library itself has the name that plugins look for.
bool is_sought_by_plugins() {
  void* loaded = dlopen(kShimName, RTLD_NOW | RTLD_NOLOAD);
  if (loaded == nullptr) return false;
  bool ours = function_of<herr_t (*)()>(loaded, "H5open") == &H5open;
  dlclose(loaded);
  return ours;
}

void load_shim() {
  if (is_sought_by_plugins()) return;
  Dl_info here;
  // Any function of this library tells where it lies.
  if (dladdr(reinterpret_cast<void*>(&load_shim), &here) == 0 || here.dli_fname == nullptr) return;
  // Through links, as those of the prefix for programs that look for HDF5, the shim is where the library itself is.
  char* real = realpath(here.dli_fname, nullptr);
  std::string path = real != nullptr ? real : here.dli_fname;
  std::free(real);
  path = path.substr(0, path.find_last_of('/') + 1) + PCIO_SHIM_FOLDER "/" + kShimName;
  // Left loaded and global: a plugin that does not say what it needs finds its symbols there too.
  void* shim = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (shim == nullptr) return;
  refresh_shim = function_of<void (*)()>(shim, "pcio_shim_refresh");
  if (auto refresh = refresh_shim.load()) refresh();
}

/// Whether the plugin's HDF5 calls come to this library.
bool is_bound_here(void* plugin) {
  auto open = function_of<herr_t (*)()>(plugin, "H5open");
  return open == nullptr || open == &H5open;
}

struct LoadedPlugin {
  int id = -1;
  FilterClass filter;
};

/// dlopen, with what Debian's plugin for lzf forgot to say that it needs. Null: see dlerror().
void* open_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr || path.find("lzf") == std::string::npos) return library;
  if (dlopen("liblzf.so.1", RTLD_NOW | RTLD_GLOBAL) == nullptr) return nullptr;
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// Loads the file; it stays loaded if it holds filter `wanted`.
Result<LoadedPlugin> load_file(const std::string& path, int wanted) {
  void* library = open_library(path);
  if (library == nullptr) {
    const char* why = dlerror();
    return PCIO_ERROR(PLUGIN, OPENERROR, why != nullptr ? why : path + " can't be loaded");
  }
  LoadedPlugin loaded;
  auto type = function_of<H5PL_type_t (*)()>(library, "H5PLget_plugin_type");
  auto info = function_of<const void* (*)()>(library, "H5PLget_plugin_info");
  if (type != nullptr && info != nullptr && type() == H5PL_TYPE_FILTER) {
    const void* cls = info();
    auto filter = cls != nullptr ? foreign_filter(cls) : Result<FilterClass>(FilterClass());
    if (filter) {
      loaded.id = filter->id;
      loaded.filter = std::move(*filter);
    }
  }
  if (loaded.id == wanted && !is_bound_here(library)) {
    loaded.filter.encodes = false;
    loaded.filter.can_apply = loaded.filter.set_local = nullptr;
  }
  if (loaded.id != wanted) dlclose(library);
  return loaded;
}

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  DIR* open = opendir(folder.c_str());
  if (open == nullptr) return files;
  while (const dirent* entry = readdir(open)) {
    std::string name = entry->d_name;
    if (name.rfind("lib", 0) == 0 && name.find(".so") != std::string::npos)
      files.push_back(std::string(folder).append("/").append(name));
  }
  closedir(open);
  // The order of a folder is nobody's decision: the same file on every rank.
  std::sort(files.begin(), files.end());
  return files;
}

Result<FilterClassPtr> load_plugin(int id) {
  PluginTable& all = table();
  std::lock_guard guard(all.lock);
  if ((all.state & H5PL_FILTER_PLUGIN) == 0)
    return PCIO_ERROR(PLUGIN, NOFILTER,
                      "it is not registered, and plugins are forbidden (HDF5_PLUGIN_PRELOAD or "
                      "H5PLset_loading_state)");
  if (!all.shim_tried) {
    all.shim_tried = true;
    load_shim();
  }
  std::string where, trouble;
  for (const std::string& folder : all.paths) {
    where += (where.empty() ? "" : ":") + folder;
    for (const std::string& file : files_of(folder)) {
      auto known = all.ids.find(file);
      if (known != all.ids.end() && known->second != id) continue;
      auto loaded = load_file(file, id);
      if (!loaded) {
        trouble = "; " + loaded.error().message();
        continue;
      }
      all.ids[file] = loaded->id;
      if (loaded->id != id) continue;
      PCIO_TRY(register_filter(std::move(loaded->filter)));
      return registered_filter(id);
    }
  }
  return PCIO_ERROR(PLUGIN, NOFILTER,
                    "no plugin for it in " + (where.empty() ? "an empty search path" : where) +
                        " (HDF5_PLUGIN_PATH)" + trouble);
}

FilterClass filter_of(const H5Z_class2_t& cls) {
  FilterClass filter;
  filter.id = cls.id;
  filter.name = cls.name != nullptr ? cls.name : "";
  filter.encodes = cls.encoder_present != 0;
  filter.decodes = cls.decoder_present != 0;
  filter.foreign = cls.filter;
  filter.can_apply = reinterpret_cast<void (*)()>(cls.can_apply);
  filter.set_local = reinterpret_cast<void (*)()>(cls.set_local);
  return filter;
}

}  // namespace

Result<FilterClass> foreign_filter(const void* cls) {
  H5Z_class2_t given;
  int version = 0;
  std::memcpy(&version, cls, sizeof version);
  if (version == H5Z_CLASS_T_VERS) {
    std::memcpy(&given, cls, sizeof given);
  } else {
    // The older form begins with the filter's number and has no word on directions.
    H5Z_class1_t old;
    std::memcpy(&old, cls, sizeof old);
    given = {H5Z_CLASS_T_VERS, old.id, 1, 1, old.name, old.can_apply, old.set_local, old.filter};
  }
  if (given.id < 0 || given.id > H5Z_FILTER_MAX)
    return PCIO_ERROR(ARGS, BADVALUE,
                      "filter number " + std::to_string(given.id) + " is not in 256..65535");
  if (given.id < H5Z_FILTER_RESERVED)
    return PCIO_ERROR(ARGS, BADVALUE, "filter numbers below 256 are the library's own");
  if (given.filter == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "a filter without a function");
  return filter_of(given);
}

std::vector<std::string> plugin_paths() {
  std::lock_guard guard(table().lock);
  return table().paths;
}

Status change_plugin_paths(const std::function<Status(std::vector<std::string>&)>& change) {
  std::lock_guard guard(table().lock);
  return change(table().paths);
}

unsigned plugin_state() {
  std::lock_guard guard(table().lock);
  return table().state;
}

void set_plugin_state(unsigned state) {
  std::lock_guard guard(table().lock);
  table().state = state;
}

void prepare_plugins() {
  set_filter_loader(load_plugin);
  if (auto refresh = refresh_shim.load()) refresh();
}

}  // namespace pcio
