// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Creation lists of datasets as the rules want them. Room: tools, public headers only.

#include "dataset_list.hpp"

#include <algorithm>

namespace repack {

using tools::Failure;
using tools::need;
using tools::need_id;

namespace {

constexpr hsize_t kUsualChunk = 1 << 20;  // bytes of a chunk where nobody says
constexpr hsize_t kMostCompact = 65520;   // bytes of a compact dataset

/// What the rules say about one dataset.
struct Wanted {
  const LayoutRule* layout = nullptr;
  std::vector<const FilterRule*> filters;
  bool named = false;
};

bool names(const Objects& objects, haddr_t address) {
  return std::find(objects.addresses.begin(), objects.addresses.end(), address) !=
         objects.addresses.end();
}

/// A rule that names the dataset goes before those for all.
Wanted wanted_for(const Options& options, const std::string& path, hid_t dataset) {
  H5O_info_t info{};
  need(H5Oget_info(dataset, &info), path);
  Wanted wanted;
  for (const LayoutRule& rule : options.layouts) {
    const bool named = names(rule.objects, info.addr);
    if (named || (rule.objects.paths.empty() && wanted.layout == nullptr)) wanted.layout = &rule;
    wanted.named = wanted.named || named;
  }
  bool own = false;
  for (const FilterRule& rule : options.filters) own = own || names(rule.objects, info.addr);
  for (const FilterRule& rule : options.filters)
    if (own ? names(rule.objects, info.addr) : rule.objects.paths.empty())
      wanted.filters.push_back(&rule);
  wanted.named = wanted.named || own;
  return wanted;
}

/// Its data lie elsewhere.
bool is_elsewhere(hid_t list) {
  return H5Pget_layout(list) == H5D_VIRTUAL || H5Pget_external_count(list) > 0;
}

void find_objects(hid_t in, Objects* objects) {
  for (const std::string& path : objects->paths) {
    H5O_info_t info{};
    if (H5Oget_info_by_name(in, path.c_str(), &info, H5P_DEFAULT) < 0 ||
        info.type != H5O_TYPE_DATASET)
      throw Failure(fmt::format("{}: no dataset has this path", tools::printable(path)));
    objects->addresses.push_back(info.addr);
  }
}

struct Shape {
  std::vector<hsize_t> dims, most;
  hsize_t bytes = 0, element = 0;
};

Shape shape_of(const std::string& path, hid_t dataset, hid_t space) {
  Shape shape;
  const int ndims = need(H5Sget_simple_extent_ndims(space), path);
  shape.dims.resize(static_cast<std::size_t>(ndims));
  shape.most.resize(static_cast<std::size_t>(ndims));
  if (ndims > 0) need(H5Sget_simple_extent_dims(space, shape.dims.data(), shape.most.data()), path);
  const Id type = need_id(H5Dget_type(dataset), path);
  shape.element = H5Tget_size(type.get());
  shape.bytes =
      shape.element * static_cast<hsize_t>(need(H5Sget_simple_extent_npoints(space), path));
  return shape;
}

/// Chunks of whole rows of the fastest dimensions, about a mebibyte each.
std::vector<hsize_t> usual_chunk(const Shape& shape) {
  std::vector<hsize_t> chunk(shape.dims.size(), 1);
  hsize_t bytes = std::max<hsize_t>(shape.element, 1);
  for (std::size_t i = chunk.size(); i-- > 0 && bytes < kUsualChunk;) {
    chunk[i] = std::clamp<hsize_t>(kUsualChunk / bytes, 1, std::max<hsize_t>(shape.dims[i], 1));
    bytes *= chunk[i];
  }
  return chunk;
}

/// No chunk may be larger than a dimension that can't grow.
std::vector<hsize_t> fitting_chunk(std::vector<hsize_t> chunk, const Shape& shape) {
  for (std::size_t i = 0; i < chunk.size(); ++i)
    if (shape.most[i] != H5S_UNLIMITED)
      chunk[i] = std::min(chunk[i], std::max<hsize_t>(shape.most[i], 1));
  return chunk;
}

void remove_filters(const std::string& path, hid_t list) {
  if (need(H5Pget_nfilters(list), path) > 0) need(H5Premove_filter(list, H5Z_FILTER_ALL), path);
}

void add_filter(const std::string& path, hid_t list, const FilterRule& rule) {
  switch (rule.id) {
    case H5Z_FILTER_SHUFFLE: need(H5Pset_shuffle(list), path); break;
    case H5Z_FILTER_FLETCHER32: need(H5Pset_fletcher32(list), path); break;
    case H5Z_FILTER_NBIT: need(H5Pset_nbit(list), path); break;
    case H5Z_FILTER_DEFLATE: need(H5Pset_deflate(list, rule.values[0]), path); break;
    case H5Z_FILTER_SZIP: need(H5Pset_szip(list, rule.values[0], rule.values[1]), path); break;
    case H5Z_FILTER_SCALEOFFSET:
      need(H5Pset_scaleoffset(list, static_cast<H5Z_SO_scale_type_t>(rule.values[0]),
                              static_cast<int>(rule.values[1])),
           path);
      break;
    default:
      need(H5Pset_filter(list, rule.id, rule.flags, rule.values.size(), rule.values.data()), path);
  }
}

/// A list without the layout of the old one, which knows chunks, sources or external files.
Id list_with_layout(const std::string& path, hid_t old, H5D_layout_t layout) {
  Id list = need_id(H5Pcreate(H5P_DATASET_CREATE), path);
  for (const char* name :
       {"fill_value", "object header flags", "max compact attr", "min dense attr"})
    if (H5Pexist(old, name) > 0) need(H5Pcopy_prop(list.get(), old, name), path);
  H5D_fill_time_t time{};
  need(H5Pget_fill_time(old, &time), path);
  need(H5Pset_fill_time(list.get(), time), path);
  need(H5Pset_layout(list.get(), layout), path);
  return list;
}

/// Filters of one list put on another.
void keep_filters(const std::string& path, hid_t old, hid_t list) {
  if (H5Pget_layout(old) == H5D_CHUNKED && H5Pget_nfilters(old) > 0)
    need(H5Pcopy_prop(list, old, "pline"), path);
}

void set_layout(const std::string& path, const Shape& shape, const LayoutRule& rule,
                DatasetPlan* plan) {
  if (rule.layout == H5D_CHUNKED && rule.chunk.size() != shape.dims.size())
    throw Failure(fmt::format("{}: {} dimensions, and a chunk of {}", tools::printable(path),
                              shape.dims.size(), rule.chunk.size()));
  if (rule.layout == H5D_COMPACT && shape.bytes > kMostCompact)
    throw Failure(fmt::format("{}: {} bytes are too many for a compact dataset",
                              tools::printable(path), shape.bytes));
  const Id old = std::move(plan->list);
  plan->list = list_with_layout(path, old.get(), rule.layout);
  plan->changed = true;
  if (rule.layout == H5D_CHUNKED) {
    const std::vector<hsize_t> chunk = fitting_chunk(rule.chunk, shape);
    need(H5Pset_chunk(plan->list.get(), static_cast<int>(chunk.size()), chunk.data()), path);
    keep_filters(path, old.get(), plan->list.get());
    return;
  }
  plan->space = need_id(
      H5Screate_simple(static_cast<int>(shape.dims.size()), shape.dims.data(), nullptr), path);
}

void set_filters(const std::string& path, const Shape& shape,
                 const std::vector<const FilterRule*>& rules, DatasetPlan* plan) {
  const bool none = rules.back()->id == H5Z_FILTER_NONE;
  const bool chunked = H5Pget_layout(plan->list.get()) == H5D_CHUNKED;
  if (none && (!chunked || H5Pget_nfilters(plan->list.get()) == 0)) return;
  plan->changed = true;
  if (!chunked) {
    const Id old = std::move(plan->list);
    plan->list = list_with_layout(path, old.get(), H5D_CHUNKED);
    const std::vector<hsize_t> chunk = usual_chunk(shape);
    need(H5Pset_chunk(plan->list.get(), static_cast<int>(chunk.size()), chunk.data()), path);
  }
  remove_filters(path, plan->list.get());
  for (const FilterRule* rule : rules)
    if (rule->id != H5Z_FILTER_NONE)
      add_filter(path, plan->list.get(), *rule);
    else
      remove_filters(path, plan->list.get());
}

}  // namespace

void find_named(hid_t in, Options* options) {
  for (FilterRule& rule : options->filters) find_objects(in, &rule.objects);
  for (LayoutRule& rule : options->layouts) find_objects(in, &rule.objects);
}

DatasetPlan plan_dataset(const Options& options, const std::string& path, hid_t dataset) {
  DatasetPlan plan;
  plan.list = need_id(H5Dget_create_plist(dataset), path);
  plan.space = need_id(H5Dget_space(dataset), path);
  const Wanted wanted = wanted_for(options, path, dataset);
  plan.named = wanted.named;
  if (H5Sget_simple_extent_ndims(plan.space.get()) <= 0) return plan;
  // Rules for all are for what is in the file.
  if (!wanted.named && is_elsewhere(plan.list.get())) return plan;
  const Shape shape = shape_of(path, dataset, plan.space.get());
  const bool fits = wanted.layout == nullptr || wanted.layout->layout != H5D_CHUNKED ||
                    wanted.layout->chunk.size() == shape.dims.size();
  const bool small = wanted.layout != nullptr && wanted.layout->layout == H5D_COMPACT &&
                     shape.bytes > kMostCompact;
  // A rule for all datasets is for those that it suits.
  if (wanted.layout != nullptr && (wanted.named || (fits && !small)))
    set_layout(path, shape, *wanted.layout, &plan);
  const bool laid_out = wanted.layout != nullptr && wanted.layout->layout != H5D_CHUNKED;
  if (!wanted.filters.empty() && !laid_out && shape.bytes >= options.minimum && shape.bytes > 0)
    set_filters(path, shape, wanted.filters, &plan);
  return plan;
}

}  // namespace repack
