// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: files used through the rooms object and transfer, without the C API.
//
// Every helper returns a Status or Result, so that tests of failures see them; must() is for what
// can't fail.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "object/attribute.hpp"
#include "object/dataset_extent.hpp"
#include "object/object_info.hpp"
#include "support/disk_driver.hpp"
#include "support/fault_driver.hpp"
#include "transfer/call/dataset_transfer.hpp"
#include "type/native_types.hpp"

namespace pcio::test {

inline void must(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "failed: %s\n", status.message().c_str());
  std::abort();
}
template <class T>
T must(Result<T> result) {
  if (!result) must(result.error());
  return std::move(*result);
}

inline Datatype int32() {
  return Datatype::integer(4, ByteOrder::kLittle, SignScheme::kTwosComplement);
}

/// How a test opens its files.
struct OpenWith {
  std::string path = "session.h5";
  FileCreateProps create;
  FileAccessProps access;
};

inline Result<FilePtr> open_session(const DriverSettings& driver, OpenMode mode,
                                    const OpenWith& setup = {}) {
  OpenFileRequest request;
  request.path = setup.path;
  request.mode = mode;
  request.create = setup.create;
  request.access = setup.access;
  request.access.driver = DriverChoice(driver.clone());
  return is_create(mode) ? File::create(request) : File::open(request);
}
inline Result<FilePtr> open_session(const Disk& disk, OpenMode mode, const OpenWith& setup = {}) {
  return open_session(disk_settings(disk), mode, setup);
}
inline Status close_session(const FilePtr& file) { return file->release_file_id(file, ""); }
inline Status flush_session(const FilePtr& file) { return file->flush({"H5Fflush", "/"}); }

using pcio::root_of;
inline Result<Location> find(const FilePtr& file, const std::string& path) {
  return find_object(root_of(file), path);
}
inline Result<LinkPlace> place(const FilePtr& file, const std::string& path) {
  return find_place(root_of(file), path);
}
inline Result<Location> add_group(const FilePtr& file, const std::string& path) {
  PCIO_ASSIGN(LinkPlace where, place(file, path));
  return make_group(where, {}, {});
}

struct DatasetSpec {
  Dims dims;
  Dims max{};    // empty: as dims
  Dims chunk{};  // empty: contiguous, or compact
  bool compact = false;
  FillTime fill_time = FillTime::kIfSet;
  AllocTime alloc = AllocTime::kDefault;
  std::optional<std::int32_t> fill{};
  FilterPipeline filters{};
};

inline DatasetCreateProps create_props(const DatasetSpec& spec) {
  DatasetCreateProps props;
  props.layout = spec.compact            ? Layout::kCompact
                 : spec.chunk.size() > 0 ? Layout::kChunked
                                         : Layout::kContiguous;
  props.chunk_dims.assign(spec.chunk.begin(), spec.chunk.end());
  props.fill_time = spec.fill_time;
  props.alloc_time = spec.alloc;
  props.filters = spec.filters;
  if (spec.fill) {
    props.fill.state = FillState::kUserDefined;
    props.fill.type = int32();
    ConstBytes bytes = std::as_bytes(std::span(&*spec.fill, 1));
    props.fill.bytes.assign(bytes.begin(), bytes.end());
  }
  return props;
}

/// A dataset of int32 behind a link.
inline Result<Location> add_dataset(const FilePtr& file, const std::string& path,
                                    const DatasetSpec& spec) {
  PCIO_ASSIGN(LinkPlace where, place(file, path));
  DatasetRequest request;
  request.type = int32();
  PCIO_ASSIGN(request.space,
              Dataspace::simple(spec.dims, spec.max.size() > 0 ? &spec.max : nullptr));
  request.create = create_props(spec);
  NewSpace unfilled;
  PCIO_ASSIGN(Location made, make_dataset(file, request, &unfilled));
  PCIO_TRY(finish_fill(*file, made.object, unfilled, {"H5Dcreate2", path}));
  PCIO_TRY(add_hard_link(where, made, {}));
  made.path = path;
  return made;
}

/// Moves a box of elements (all of them where `box` is null).
inline Status move_elements(const Location& dataset, Direction direction, const Box* box,
                            std::int32_t* buffer, TransferProps props = {}) {
  FileStore& store = dataset.file->store();
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(dataset.object));
  TransferRequest request;
  request.direction = direction;
  request.memory_type = int32();
  request.file_space = state->extent;
  if (box != nullptr) PCIO_TRY(request.file_space.select_box(*box));
  if (state->extent.cls() == SpaceClass::kSimple) {
    PCIO_ASSIGN(request.memory_space,
                Dataspace::simple(box != nullptr ? box->count : state->extent.dims()));
  } else {
    request.memory_space = state->extent;
  }
  request.buffer = reinterpret_cast<std::byte*>(buffer);
  request.props = std::move(props);
  TransferReport report;
  return transfer_dataset(store, dataset.object, request, &report, {"H5Dwrite", dataset.path},
                          Status());
}
inline Status write_all(const Location& dataset, std::vector<std::int32_t> data) {
  return move_elements(dataset, Direction::kWrite, nullptr, data.data());
}
inline Result<std::vector<std::int32_t>> read_all(const Location& dataset) {
  PCIO_ASSIGN(DatasetState * state, dataset.file->store().datasets().state(dataset.object));
  std::vector<std::int32_t> data(static_cast<std::size_t>(state->extent.npoints()), -77);
  PCIO_TRY(move_elements(dataset, Direction::kRead, nullptr, data.data()));
  return data;
}
inline Status set_extent(const Location& dataset, const Dims& dims) {
  PCIO_ASSIGN(ExtentChange change, change_extent(dataset.file->store(), dataset.object, dims));
  return complete_extent(*dataset.file, dataset.object, change, {"H5Dset_extent", dataset.path});
}

/// A one-dimensional attribute of int32.
inline Status add_attribute(const Location& where, const std::string& name,
                            const std::vector<std::int32_t>& value) {
  OpenObject object(where.file, where.object, where.path);
  Attribute attribute;
  attribute.name = name;
  attribute.type = int32();
  PCIO_ASSIGN(attribute.space, Dataspace::simple({value.size()}));
  PCIO_TRY(create_attribute(object, attribute));
  return write_attribute(object, name, int32(), value.data());
}
inline Result<std::map<std::string, std::vector<std::int32_t>>> attributes_of(
    const Location& where) {
  OpenObject object(where.file, where.object, where.path);
  std::map<std::string, std::vector<std::int32_t>> all;
  PCIO_ASSIGN(auto names, attribute_names(object, IndexBy::kName, IterOrder::kIncreasing));
  for (const std::string& name : names) {
    PCIO_ASSIGN(Attribute attribute, find_attribute(object, name));
    auto& value = all[name];
    value.resize(static_cast<std::size_t>(attribute.space.npoints()));
    PCIO_TRY(read_attribute(object, name, int32(), value.data()));
  }
  return all;
}

template <class T>
std::string join_numbers(const T& numbers) {
  std::string text;
  for (auto n : numbers) text += std::to_string(n) + " ";
  return text;
}

/// Everything below a group as text: one line per link, and what the object behind it holds.
inline Status list_into(const Location& group, std::map<std::string, std::string>* lines) {
  PCIO_ASSIGN(auto names, ordered_names(group, IndexBy::kName, IterOrder::kIncreasing));
  for (const std::string& name : names) {
    LinkPlace where{group, name};
    PCIO_ASSIGN(const LinkMessage* link, find_link(where));
    std::string& line = (*lines)[where.path()];
    if (link->type == kLinkSoft) {
      line = "-> " + std::string(link->target.text());
      continue;
    }
    PCIO_ASSIGN(StoredObjectPtr object, group.file->store().objects().object(link->address));
    Location child{group.file, object, where.path()};
    PCIO_ASSIGN(auto attributes, attributes_of(child));
    for (const auto& [attribute, value] : attributes)
      line += "@" + attribute + "=" + join_numbers(value);
    if (object->kind() == ObjectKind::kGroup) {
      line += "group of " + std::to_string(object->links_to);
      PCIO_TRY(list_into(child, lines));
      continue;
    }
    PCIO_ASSIGN(DatasetState * state, group.file->store().datasets().state(object));
    PCIO_ASSIGN(auto data, read_all(child));
    line += "dataset " + join_numbers(state->extent.dims()) + ": " + join_numbers(data);
  }
  return Status();
}

using Listing = std::map<std::string, std::string>;
inline Result<Listing> list_file(const FilePtr& file) {
  Listing lines;
  PCIO_TRY(list_into(root_of(file), &lines));
  PCIO_ASSIGN(auto attributes, attributes_of(root_of(file)));
  for (const auto& [name, value] : attributes) lines["/@" + name] = join_numbers(value);
  return lines;
}
/// What a reader of a copy of these bytes sees.
inline Result<Listing> list_image(const DiskImage& image) {
  OpenWith setup;
  setup.path = "copy.h5";
  PCIO_ASSIGN(FilePtr file, open_session(make_disk(image), OpenMode::kReadOnly, setup));
  Result<Listing> lines = list_file(file);
  PCIO_TRY(close_session(file));
  return lines;
}

}  // namespace pcio::test
