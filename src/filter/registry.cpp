// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: the table of filters.

#include "filter/registry.hpp"

#include <map>
#include <mutex>

#include "filter/standard_filters.hpp"

namespace pcio {

namespace {

struct Registry {
  std::mutex lock;
  std::map<int, FilterClassPtr> filters;
  FilterLoader loader = nullptr;

  Registry() {
    for (const FilterClass& filter : standard_filters())
      filters[filter.id] = std::make_shared<const FilterClass>(filter);
  }
};

/// Lives as long as the process: filters may run while static objects are destroyed.
Registry& registry() {
  static auto* const the = new Registry;
  return *the;
}

}  // namespace

Status register_filter(FilterClass filter) {
  Registry& all = registry();
  auto added = std::make_shared<const FilterClass>(std::move(filter));
  std::lock_guard guard(all.lock);
  all.filters[added->id] = added;
  return Status();
}

Status unregister_filter(int id) {
  Registry& all = registry();
  std::lock_guard guard(all.lock);
  auto found = all.filters.find(id);
  if (found == all.filters.end())
    return PCIO_ERROR(PLINE, NOTFOUND, "filter " + std::to_string(id) + " is not registered");
  if (found->second->is_native())
    return PCIO_ERROR(PLINE, NOTFOUND,
                      "filter " + found->second->name + " belongs to the library itself");
  all.filters.erase(found);
  return Status();
}

void set_filter_loader(FilterLoader loader) {
  Registry& all = registry();
  std::lock_guard guard(all.lock);
  all.loader = loader;
}

FilterClassPtr registered_filter(int id) {
  Registry& all = registry();
  std::lock_guard guard(all.lock);
  auto found = all.filters.find(id);
  return found == all.filters.end() ? nullptr : found->second;
}

Result<FilterClassPtr> find_filter_class(int id) {
  if (FilterClassPtr there = registered_filter(id)) return there;
  Registry& all = registry();
  FilterLoader loader = nullptr;
  {
    std::lock_guard guard(all.lock);
    loader = all.loader;
  }
  // Without the lock: a plugin's code runs in it.
  if (loader != nullptr) return loader(id);
  return PCIO_ERROR(PLINE, NOFILTER, "filter " + std::to_string(id) + " is not registered");
}

std::string filter_label(const FilterSpec& stage) {
  std::string number = std::to_string(stage.id);
  for (const FilterClass& own : standard_filters())
    if (own.id == stage.id) return own.name + " (" + number + ")";
  std::string name = stage.name;
  if (name.empty())
    if (FilterClassPtr known = registered_filter(stage.id)) name = known->name;
  return name.empty() ? "filter " + number : "filter " + number + " (" + name + ")";
}

}  // namespace pcio
