// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5PL: where plugins are looked for.

#include "lib/api_entry.hpp"
#include "lib/plugins.hpp"
#include "lib/text_argument.hpp"

using namespace pcio;

namespace {

using Paths = std::vector<std::string>;

Status check_path(const char* path) {
  PCIO_TRY(need_pointer(path, "search_path"));
  if (*path == '\0') return PCIO_ERROR(ARGS, BADVALUE, "argument search_path is empty");
  return Status();
}

Status check_index(const Paths& paths, unsigned index) {
  if (index < paths.size()) return Status();
  return PCIO_ERROR(
      ARGS, BADRANGE,
      "argument index: path " + std::to_string(index) + " of " + std::to_string(paths.size()));
}

Paths::iterator at(Paths& paths, unsigned index) {
  return paths.begin() + static_cast<std::ptrdiff_t>(index);
}

/// H5PLappend and the like: `change(paths)` with a checked path.
template <class F>
herr_t change_paths(const char* function, const char* path, F&& change) {
  return api_status(function, [&]() -> Status {
    PCIO_TRY(check_path(path));
    return change_plugin_paths(change);
  });
}

}  // namespace

herr_t H5PLset_loading_state(unsigned int plugin_control_mask) {
  return api_status("H5PLset_loading_state", [&]() -> Status {
    set_plugin_state(plugin_control_mask);
    return Status();
  });
}

herr_t H5PLget_loading_state(unsigned int* plugin_control_mask) {
  return api_status("H5PLget_loading_state", [&]() -> Status {
    PCIO_TRY(need_pointer(plugin_control_mask, "plugin_control_mask"));
    *plugin_control_mask = plugin_state();
    return Status();
  });
}

herr_t H5PLappend(const char* search_path) {
  return change_paths("H5PLappend", search_path, [&](Paths& paths) -> Status {
    paths.emplace_back(search_path);
    return Status();
  });
}

herr_t H5PLprepend(const char* search_path) {
  return change_paths("H5PLprepend", search_path, [&](Paths& paths) -> Status {
    paths.insert(paths.begin(), search_path);
    return Status();
  });
}

herr_t H5PLreplace(const char* search_path, unsigned int index) {
  return change_paths("H5PLreplace", search_path, [&](Paths& paths) -> Status {
    PCIO_TRY(check_index(paths, index));
    paths[index] = search_path;
    return Status();
  });
}

herr_t H5PLinsert(const char* search_path, unsigned int index) {
  return change_paths("H5PLinsert", search_path, [&](Paths& paths) -> Status {
    if (index != paths.size()) PCIO_TRY(check_index(paths, index));
    paths.insert(at(paths, index), search_path);
    return Status();
  });
}

herr_t H5PLremove(unsigned int index) {
  return api_status("H5PLremove", [&]() -> Status {
    return change_plugin_paths([&](Paths& paths) -> Status {
      PCIO_TRY(check_index(paths, index));
      paths.erase(at(paths, index));
      return Status();
    });
  });
}

ssize_t H5PLget(unsigned int index, char* path_buf, size_t buf_size) {
  return api_value("H5PLget", ssize_t{-1}, [&]() -> Result<ssize_t> {
    const Paths paths = plugin_paths();
    PCIO_TRY(check_index(paths, index));
    if (path_buf != nullptr) copy_text(paths[index], path_buf, buf_size);
    return static_cast<ssize_t>(paths[index].size());
  });
}

herr_t H5PLsize(unsigned int* num_paths) {
  return api_status("H5PLsize", [&]() -> Status {
    PCIO_TRY(need_pointer(num_paths, "num_paths"));
    *num_paths = static_cast<unsigned>(plugin_paths().size());
    return Status();
  });
}
