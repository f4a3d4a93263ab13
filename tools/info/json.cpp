// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What a file holds as JSON, out of line. Room: tools, public headers only.

#include "json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "describe.hpp"
#include "details.hpp"
#include "id.hpp"
#include "walk.hpp"

namespace pcioinfo {

namespace {

using Json = nlohmann::ordered_json;

class Writer {
 public:
  Json describe(hid_t file, const check::Object& object) {
    Json json{{"path", object.path}, {"address", object.address}};
    const Id id(H5Oopen_by_addr(file, object.address));
    if (!id.valid()) return refuse(&json);
    json["kind"] = object.type == H5I_GROUP     ? "group"
                   : object.type == H5I_DATASET ? "dataset"
                                                : "type";
    if (object.type == H5I_DATATYPE) json["type"] = describe_type(id.get());
    if (object.type == H5I_GROUP) add_links(id.get(), &json);
    if (object.type == H5I_DATASET) add_dataset(id.get(), &json);
    add_attributes(id.get(), &json);
    return json;
  }
  int refusals() const { return refusals_; }

 private:
  Json& refuse(Json* json) {
    ++refusals_;
    (*json)["refused"] = last_reason();
    return *json;
  }

  static Json sizes(const std::vector<hsize_t>& numbers) {
    Json json = Json::array();
    for (const hsize_t number : numbers)
      json.push_back(number == H5S_UNLIMITED ? Json() : Json(number));
    return json;
  }

  static void add_shape(hid_t space, Json* json) {
    const int ndims = std::max(H5Sget_simple_extent_ndims(space), 0);
    std::vector<hsize_t> dims(static_cast<std::size_t>(ndims)), most = dims;
    H5Sget_simple_extent_dims(space, dims.data(), most.data());
    if (H5Sget_simple_extent_type(space) == H5S_NULL) {
      (*json)["shape"] = nullptr;
      return;
    }
    (*json)["shape"] = sizes(dims);
    if (most != dims) (*json)["most"] = sizes(most);
  }

  static void add_filters(hid_t list, Json* json) {
    const int filters = H5Pget_nfilters(list);
    for (int i = 0; i < filters; ++i) {
      unsigned flags = 0, config = 0, values[32] = {0};
      std::size_t count = 32;
      char name[64] = "";
      const H5Z_filter_t id = H5Pget_filter2(list, static_cast<unsigned>(i), &flags, &count, values,
                                             sizeof name, name, &config);
      Json parameters = Json::array();
      for (std::size_t p = 0; p < std::min<std::size_t>(count, 32); ++p)
        parameters.push_back(values[p]);
      (*json)["filters"].push_back({{"id", id}, {"name", name}, {"parameters", parameters}});
    }
  }

  void add_dataset(hid_t dataset, Json* json) {
    const Id type(H5Dget_type(dataset)), space(H5Dget_space(dataset)),
        list(H5Dget_create_plist(dataset));
    if (!type.valid() || !space.valid() || !list.valid()) {
      refuse(json);
      return;
    }
    static const char* const kLayouts[] = {"compact", "contiguous", "chunked", "virtual"};
    const H5D_layout_t layout = H5Pget_layout(list.get());
    const StorageFacts facts = storage_facts(dataset);
    (*json)["type"] = describe_type(type.get());
    add_shape(space.get(), json);
    (*json)["layout"] = layout >= 0 && layout < 4 ? kLayouts[layout] : "?";
    (*json)["bytes"] = facts.elements;
    (*json)["allocated"] = facts.stored;
    if (layout != H5D_CHUNKED) return;
    std::vector<hsize_t> chunk(H5S_MAX_RANK);
    chunk.resize(static_cast<std::size_t>(
        std::max(H5Pget_chunk(list.get(), H5S_MAX_RANK, chunk.data()), 0)));
    (*json)["chunk"] = sizes(chunk);
    (*json)["chunks"] = facts.chunks;
    (*json)["index"] = facts.index;
    (*json)["index_bytes"] = facts.index_bytes;
    add_filters(list.get(), json);
    if (facts.ratio) (*json)["ratio"] = *facts.ratio;
  }

  static herr_t add_name(hid_t, const char* name, const H5A_info_t*, void* out) {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  }

  void add_attributes(hid_t object, Json* json) {
    std::vector<std::string> names;
    hsize_t from = 0;
    Json attributes = Json::array();
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &from, add_name, &names) < 0) refuse(json);
    for (const std::string& name : names) {
      Json one{{"name", name}};
      const Id id(H5Aopen(object, name.c_str(), H5P_DEFAULT));
      const Id type(H5Aget_type(id.get())), space(H5Aget_space(id.get()));
      if (id.valid() && type.valid() && space.valid()) {
        bool failed = false;
        one["type"] = describe_type(type.get());
        add_shape(space.get(), &one);
        const std::string value = describe_value(id.get(), failed, kAllValues);
        if (failed) ++refusals_;
        if (!value.empty()) one[failed ? "refused" : "value"] = value.substr(failed ? 10 : 3);
      } else {
        refuse(&one);
      }
      attributes.push_back(std::move(one));
    }
    if (!attributes.empty()) (*json)["attributes"] = std::move(attributes);
  }

  static herr_t add_link(hid_t group, const char* name, const H5L_info_t* info, void* out) {
    Json link{{"name", name}};
    if (info->type == H5L_TYPE_HARD) {
      link["object"] = info->u.address;
    } else if (info->u.val_size < (std::size_t{1} << 20)) {
      std::vector<char> value(info->u.val_size + 1);
      const char *file = nullptr, *target = value.data();
      unsigned flags = 0;
      H5Lget_val(group, name, value.data(), info->u.val_size, H5P_DEFAULT);
      if (info->type == H5L_TYPE_EXTERNAL &&
          H5Lunpack_elink_val(value.data(), info->u.val_size, &flags, &file, &target) >= 0)
        link["file"] = file;
      if (info->type == H5L_TYPE_SOFT || file != nullptr) link["target"] = target;
    }
    static_cast<Json*>(out)->push_back(std::move(link));
    return 0;
  }

  void add_links(hid_t group, Json* json) {
    Json links = Json::array();
    hsize_t from = 0;
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &from, add_link, &links) < 0) refuse(json);
    (*json)["links"] = std::move(links);
  }

  int refusals_ = 0;
};

}  // namespace

int print_json(hid_t file, const std::string& name, hid_t object, const std::string& path) {
  hsize_t size = 0, user_block = 0;
  const Id list(H5Fget_create_plist(file));
  H5Fget_filesize(file, &size);
  H5Pget_userblock(list.get(), &user_block);
  const check::SpaceUse space = space_of(file, name);
  Json json{{"file", name}, {"bytes", size}, {"user_block", user_block}};
  json["space"] = {{"data", space.data()},
                   {"metadata", space.metadata()},
                   {"free", space.free()},
                   {"unowned", space.unowned}};
  json["objects"] = Json::array();
  check::Findings found;
  check::Walk walk(file, "", &found);
  walk.leave_other_links();
  H5O_info_t info{};
  Writer writer;
  int refused = H5Oget_info(object, &info) < 0 ? 1 : 0;
  if (refused == 0)
    for (const check::Object& one : walk.from(info.addr, path))
      json["objects"].push_back(writer.describe(file, one));
  for (const check::Finding& finding : found.list) {
    ++refused;
    json["refused"].push_back({{"path", finding.where}, {"reason", finding.text}});
  }
  H5Eclear2(H5E_DEFAULT);
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  return refused + writer.refusals();
}

}  // namespace pcioinfo
