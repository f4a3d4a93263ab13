// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Dimension scales: datasets that say what lies along a dimension of others. All of it is attributes:
// CLASS and NAME of a scale, DIMENSION_LIST of the dataset (for each dimension references to scales),
// REFERENCE_LIST of the scale (who uses it, and for which dimension), DIMENSION_LABELS.
//
// Every rank of a parallel file makes the same calls with the same values, so that they are metadata calls.
#include "H5DSpublic.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "all_ranks.hpp"
#include "attributes.hpp"
#include "support.hpp"

namespace pcio::hl {
namespace {

using ScaleLists = std::vector<std::vector<hobj_ref_t>>;

// An element of REFERENCE_LIST.
struct UseOfScale {
  hobj_ref_t dataset;
  int dimension;
  int padding = 0;  // in the file, too
};

OwnedId list_space(hsize_t count) { return OwnedId(H5Screate_simple(1, &count, nullptr)); }

OwnedId references_type() { return OwnedId(H5Tvlen_create(H5T_STD_REF_OBJ)); }

OwnedId use_type(hid_t dimension) {
  OwnedId type(H5Tcreate(H5T_COMPOUND, sizeof(UseOfScale)));
  H5Tinsert(type.get(), "dataset", HOFFSET(UseOfScale, dataset), H5T_STD_REF_OBJ);
  H5Tinsert(type.get(), "dimension", HOFFSET(UseOfScale, dimension), dimension);
  return type;
}

OwnedId label_type(H5T_cset_t characters = H5T_CSET_ASCII) {
  OwnedId type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), characters);
  return type;
}

// Of the labels that a dataset has; of new ones ASCII.
H5T_cset_t characters_of_labels(hid_t dataset) {
  const ErrorsKept kept;
  if (H5Aexists(dataset, DIMENSION_LABELS) <= 0) return H5T_CSET_ASCII;
  const OwnedId attribute(H5Aopen(dataset, DIMENSION_LABELS, H5P_DEFAULT));
  const OwnedId type(attribute ? H5Aget_type(attribute.get()) : -1);
  return type && H5Tget_cset(type.get()) == H5T_CSET_UTF8 ? H5T_CSET_UTF8 : H5T_CSET_ASCII;
}

bool is_dataset(hid_t id) { return H5Iget_type(id) == H5I_DATASET; }

// Dimensions that can have scales: a scalar dataset counts as one of a single dimension if asked to.
int dimensions_of(hid_t dataset) {
  const OwnedId space(H5Dget_space(dataset));
  return space ? H5Sget_simple_extent_ndims(space.get()) : -1;
}

// Elements of an attribute, as long as they are as many as its readers make room for.
std::optional<size_t> element_count(hid_t attribute) {
  const OwnedId space(H5Aget_space(attribute));
  const hssize_t count = space ? H5Sget_simple_extent_npoints(space.get()) : -1;
  if (count < 0) return std::nullopt;
  return static_cast<size_t>(count);
}

htri_t is_scale(hid_t dataset) {
  const htri_t exists = H5Aexists(dataset, "CLASS");
  if (exists <= 0) return exists;
  return read_text(dataset, "CLASS") == DIMENSION_SCALE_CLASS ? 1 : 0;
}

// What lists of references are in memory that the library made; given back at the end.
struct ReadSequences {
  hid_t type;
  hid_t space;
  std::vector<hvl_t> list;
  ~ReadSequences() { H5Dvlen_reclaim(type, space, H5P_DEFAULT, list.data()); }
};

// The scales of each dimension; empty lists where no scale was ever attached.
std::optional<ScaleLists> read_scales(hid_t dataset, size_t ndims) {
  ScaleLists scales(ndims);
  const htri_t exists = H5Aexists(dataset, DIMENSION_LIST);
  if (exists < 0) return std::nullopt;
  if (exists == 0) return scales;
  const OwnedId attribute(H5Aopen(dataset, DIMENSION_LIST, H5P_DEFAULT));
  if (!attribute || element_count(attribute.get()) != ndims) return std::nullopt;
  const OwnedId type = references_type();
  const OwnedId space = list_space(ndims);
  ReadSequences read{type.get(), space.get(), std::vector<hvl_t>(ndims)};
  if (H5Aread(attribute.get(), type.get(), read.list.data()) < 0) return std::nullopt;
  for (size_t i = 0; i < ndims; ++i) {
    const auto* first = static_cast<const hobj_ref_t*>(read.list[i].p);
    scales[i].assign(first, first + read.list[i].len);
  }
  return scales;
}

bool write_scales(hid_t dataset, ScaleLists& scales) {
  if (std::all_of(scales.begin(), scales.end(), [](const auto& list) { return list.empty(); })) {
    return H5Adelete(dataset, DIMENSION_LIST) >= 0;
  }
  std::vector<hvl_t> list;
  for (auto& of_dimension : scales) list.push_back({of_dimension.size(), of_dimension.data()});
  const OwnedId type = references_type();
  return write_attribute(dataset, DIMENSION_LIST, type.get(), list_space(list.size()), list.data());
}

std::optional<std::vector<UseOfScale>> read_uses(hid_t scale) {
  std::vector<UseOfScale> uses;
  const htri_t exists = H5Aexists(scale, REFERENCE_LIST);
  if (exists < 0) return std::nullopt;
  if (exists == 0) return uses;
  const OwnedId attribute(H5Aopen(scale, REFERENCE_LIST, H5P_DEFAULT));
  const auto count = attribute ? element_count(attribute.get()) : std::nullopt;
  if (!count) return std::nullopt;
  uses.resize(*count);
  const OwnedId type = use_type(H5T_NATIVE_INT);
  if (H5Aread(attribute.get(), type.get(), uses.data()) < 0) return std::nullopt;
  return uses;
}

bool write_uses(hid_t scale, const std::vector<UseOfScale>& uses) {
  if (uses.empty()) {
    const htri_t exists = H5Aexists(scale, REFERENCE_LIST);
    return exists == 0 || (exists > 0 && H5Adelete(scale, REFERENCE_LIST) >= 0);
  }
  const OwnedId type = use_type(H5T_NATIVE_INT);
  return write_attribute(scale, REFERENCE_LIST, type.get(), list_space(uses.size()), uses.data());
}

// The place of an object in its file: equal for two ids of one object.
std::optional<hobj_ref_t> reference_to(hid_t object) {
  hobj_ref_t reference = 0;
  if (H5Rcreate(&reference, object, ".", H5R_OBJECT, H5I_INVALID_HID) < 0) return std::nullopt;
  return reference;
}

bool same_object(hid_t a, hid_t b) {
  H5O_info_t info_a;
  H5O_info_t info_b;
  return H5Oget_info2(a, &info_a, H5O_INFO_BASIC) >= 0 &&
         H5Oget_info2(b, &info_b, H5O_INFO_BASIC) >= 0 && info_a.fileno == info_b.fileno &&
         info_a.addr == info_b.addr;
}

// What attaching, detaching and asking have in common: the arguments, and where the two stand.
struct Pair {
  ScaleLists scales;
  hobj_ref_t scale = 0;
  hobj_ref_t dataset = 0;
};

std::optional<Pair> pair_of(const char* function, hid_t did, hid_t dsid, unsigned idx) {
  const auto no = [&](const char* argument, const char* reason) {
    refuse(function, argument, reason);
    return std::nullopt;
  };
  if (!is_dataset(did)) return no("did", "not a dataset");
  if (!is_dataset(dsid)) return no("dsid", "not a dataset");
  if (same_object(did, dsid)) return no("dsid", "the dataset itself, which can't be its own scale");
  const htri_t dataset_is_scale = is_scale(did);
  if (dataset_is_scale != 0)
    return no("did", dataset_is_scale > 0 ? "a scale, which has no scales" : "CLASS can't be read");
  const int ndims = dimensions_of(did);
  if (ndims < 0) return no("did", "its dataspace can't be read");
  const auto places = static_cast<size_t>(std::max(ndims, 1));
  if (idx >= places) return no("idx", "the dataset has fewer dimensions");
  auto scales = read_scales(did, places);
  if (!scales) return no("did", "its DIMENSION_LIST can't be read");
  const auto scale = reference_to(dsid);
  const auto dataset = reference_to(did);
  if (!scale || !dataset) return no("dsid", "can't be referred to");
  return Pair{std::move(*scales), *scale, *dataset};
}

bool contains(const std::vector<hobj_ref_t>& list, hobj_ref_t one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

bool can_be_scale(const char* function, hid_t dsid) {
  return H5Aexists(dsid, DIMENSION_LIST) == 0 ||
         refuse(function, "dsid", "has scales of its own (DIMENSION_LIST)") == 0;
}

herr_t set_scale(const char* function, hid_t dsid, const char* name) {
  if (!can_be_scale(function, dsid)) return -1;
  if (!write_text(dsid, "CLASS", DIMENSION_SCALE_CLASS))
    return refuse(function, "dsid", "CLASS can't be written");
  if (name != nullptr && !write_text(dsid, "NAME", name))
    return refuse(function, "dimname", "NAME can't be written");
  return 0;
}

// What an attachment changes, in memory: what both datasets are to have.
struct Change {
  Pair pair;
  std::vector<UseOfScale> uses;
  bool becomes_scale = false;
  bool nothing = false;
};

bool is_in_one_file(const char* function, hid_t did, hid_t dsid) {
  H5O_info_t of_dataset;
  H5O_info_t of_scale;
  if (H5Oget_info2(did, &of_dataset, H5O_INFO_BASIC) < 0 ||
      H5Oget_info2(dsid, &of_scale, H5O_INFO_BASIC) < 0)
    return false;
  return of_dataset.fileno == of_scale.fileno ||
         refuse(function, "dsid", "in another file than the dataset") == 0;
}

std::optional<Change> plan_attachment(const char* function, hid_t did, hid_t dsid, unsigned idx) {
  const auto no = [&](const char* argument, const char* reason) {
    refuse(function, argument, reason);
    return std::nullopt;
  };
  auto pair = pair_of(function, did, dsid, idx);
  if (!pair || !is_in_one_file(function, did, dsid)) return std::nullopt;
  const htri_t scale = is_scale(dsid);
  if (scale < 0) return no("dsid", "CLASS can't be read");
  if (scale == 0 && !can_be_scale(function, dsid)) return std::nullopt;
  Change change{std::move(*pair), {}, scale == 0, false};
  auto& list = change.pair.scales[idx];
  if (contains(list, change.pair.scale)) {
    change.nothing = true;
    return change;
  }
  auto uses = read_uses(dsid);
  if (!uses) return no("dsid", "its REFERENCE_LIST can't be read");
  change.uses = std::move(*uses);
  list.push_back(change.pair.scale);
  change.uses.push_back({change.pair.dataset, static_cast<int>(idx)});
  return change;
}

std::optional<Change> plan_detachment(const char* function, hid_t did, hid_t dsid, unsigned idx) {
  const auto no = [&](const char* reason) {
    refuse(function, "dsid", reason);
    return std::nullopt;
  };
  auto pair = pair_of(function, did, dsid, idx);
  if (!pair) return std::nullopt;
  auto& list = pair->scales[idx];
  if (!contains(list, pair->scale)) return no("not attached to this dimension");
  auto uses = read_uses(dsid);
  if (!uses) return no("its REFERENCE_LIST can't be read");
  std::erase(list, pair->scale);
  std::erase_if(*uses, [&](const UseOfScale& use) {
    return use.dataset == pair->dataset && use.dimension == static_cast<int>(idx);
  });
  return Change{std::move(*pair), std::move(*uses), false, false};
}

bool write_change(const char* function, hid_t did, hid_t dsid, Change& change) {
  if (change.becomes_scale && set_scale(function, dsid, nullptr) < 0) return false;
  if (change.nothing) return true;
  if (!write_scales(did, change.pair.scales))
    return refuse(function, "did", "DIMENSION_LIST can't be written") == 0;
  return write_uses(dsid, change.uses) ||
         refuse(function, "dsid", "REFERENCE_LIST can't be written") == 0;
}

// Values of variable length are written by all ranks together: none begins before all know what to write.
template <class Plan>
herr_t change_scales(const char* function, hid_t did, hid_t dsid, const Plan& plan) {
  std::optional<Change> change;
  const bool planned = all_take(function, did, {}, [&] {
    change = plan();
    return change.has_value();
  });
  if (!planned) return -1;
  return all_take(function, did, {}, [&] { return write_change(function, did, dsid, *change); })
             ? 0
             : -1;
}

herr_t attach(hid_t did, hid_t dsid, unsigned idx) {
  constexpr const char* kFunction = "H5DSattach_scale";
  return change_scales(kFunction, did, dsid,
                       [&] { return plan_attachment(kFunction, did, dsid, idx); });
}

herr_t detach(hid_t did, hid_t dsid, unsigned idx) {
  constexpr const char* kFunction = "H5DSdetach_scale";
  return change_scales(kFunction, did, dsid,
                       [&] { return plan_detachment(kFunction, did, dsid, idx); });
}

// The scales of one dimension; `function` is whose failure it is.
std::optional<std::vector<hobj_ref_t>> scales_of(const char* function, hid_t did, unsigned dim) {
  if (!is_dataset(did)) return refuse(function, "did", "not a dataset"), std::nullopt;
  const int ndims = dimensions_of(did);
  if (ndims < 0) return refuse(function, "did", "its dataspace can't be read"), std::nullopt;
  if (dim >= static_cast<unsigned>(ndims))
    return refuse(function, "dim", "the dataset has fewer dimensions"), std::nullopt;
  auto scales = read_scales(did, static_cast<size_t>(ndims));
  if (!scales) return refuse(function, "did", "its DIMENSION_LIST can't be read"), std::nullopt;
  return std::move((*scales)[dim]);
}

herr_t iterate(hid_t did, unsigned dim, int* idx, H5DS_iterate_t visitor, void* data) {
  constexpr const char* kFunction = "H5DSiterate_scales";
  if (visitor == nullptr) return refuse(kFunction, "visitor", "NULL");
  const auto scales = scales_of(kFunction, did, dim);
  if (!scales) return -1;
  const int first = idx != nullptr ? *idx : 0;
  if (first < 0 || (first > 0 && static_cast<size_t>(first) >= scales->size())) {
    return refuse(kFunction, "idx", "no scale of that number");
  }
  for (auto i = static_cast<size_t>(first); i < scales->size(); ++i) {
    const OwnedId scale(H5Rdereference2(did, H5P_DEFAULT, H5R_OBJECT, &(*scales)[i]));
    if (!scale) return refuse(kFunction, "did", "a reference leads to no object");
    if (idx != nullptr) *idx = static_cast<int>(i);
    const herr_t answer = visitor(did, dim, scale.get(), data);
    if (answer != 0) return answer;
  }
  return 0;
}

// Labels as the library reads them: texts that it allocated, given back at the end.
class Labels {
 public:
  bool read(hid_t dataset, size_t ndims) {
    m_texts.assign(ndims, nullptr);
    const htri_t exists = H5Aexists(dataset, DIMENSION_LABELS);
    if (exists <= 0) return exists == 0;
    const OwnedId attribute(H5Aopen(dataset, DIMENSION_LABELS, H5P_DEFAULT));
    return attribute && element_count(attribute.get()) == ndims &&
           H5Aread(attribute.get(), m_type.get(), m_texts.data()) >= 0;
  }
  ~Labels() {
    for (char* text : m_texts) H5free_memory(text);
  }
  Labels() = default;
  Labels(const Labels&) = delete;
  Labels& operator=(const Labels&) = delete;
  [[nodiscard]] const std::vector<char*>& texts() const { return m_texts; }

 private:
  OwnedId m_type = label_type();
  std::vector<char*> m_texts;
};

herr_t set_label(hid_t did, unsigned idx, const char* label) {
  constexpr const char* kFunction = "H5DSset_label";
  Labels labels;
  std::vector<const char*> texts;
  const bool read = all_take(kFunction, did, {}, [&] {
    if (label == nullptr) return refuse(kFunction, "label", "NULL") == 0;
    if (!is_dataset(did)) return refuse(kFunction, "did", "not a dataset") == 0;
    const int ndims = dimensions_of(did);
    if (ndims < 0 || idx >= static_cast<unsigned>(ndims))
      return refuse(kFunction, "idx", "the dataset has fewer dimensions") == 0;
    if (!labels.read(did, static_cast<size_t>(ndims)))
      return refuse(kFunction, "did", "its labels can't be read") == 0;
    texts.assign(labels.texts().begin(), labels.texts().end());
    texts[idx] = label;
    return true;
  });
  if (!read) return -1;
  const bool written = all_take(kFunction, did, {}, [&] {
    const OwnedId type = label_type(characters_of_labels(did)), space = list_space(texts.size());
    return write_attribute(did, DIMENSION_LABELS, type.get(), space, texts.data()) ||
           refuse(kFunction, "did", "labels can't be written") == 0;
  });
  return written ? 0 : -1;
}

// As much of a text as fits, closed with NUL; the length of all of it.
ssize_t give_text(const char* text, char* buffer, size_t size) {
  const size_t length = std::strlen(text);
  if (buffer != nullptr && size > 0) {
    const size_t copied = std::min(length, size - 1);
    std::memcpy(buffer, text, copied);
    buffer[copied] = '\0';
  }
  return static_cast<ssize_t>(length);
}

ssize_t get_label(hid_t did, unsigned idx, char* label, size_t size) {
  constexpr const char* kFunction = "H5DSget_label";
  if (!is_dataset(did)) return refuse(kFunction, "did", "not a dataset");
  const int ndims = dimensions_of(did);
  if (ndims < 0 || idx >= static_cast<unsigned>(ndims))
    return refuse(kFunction, "idx", "the dataset has fewer dimensions");
  Labels labels;
  if (!labels.read(did, static_cast<size_t>(ndims)))
    return refuse(kFunction, "did", "its labels can't be read");
  const char* text = labels.texts()[idx];
  return give_text(text != nullptr ? text : "", label, size);
}

ssize_t get_scale_name(hid_t did, char* name, size_t size) {
  constexpr const char* kFunction = "H5DSget_scale_name";
  if (!is_dataset(did) || is_scale(did) <= 0)
    return refuse(kFunction, "did", "not a dimension scale");
  const htri_t exists = H5Aexists(did, "NAME");
  if (exists < 0) return -1;
  if (exists == 0) return give_text("", name, size);
  const auto text = read_text(did, "NAME");
  return text ? give_text(text->c_str(), name, size)
              : refuse(kFunction, "did", "NAME is no text of fixed length");
}

// Nothing may leave a C function but its value.
template <typename Call>
auto guarded(const char* function, Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception&) {
    return refuse(function, "memory", "not enough");
  }
}

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

herr_t H5DSattach_scale(hid_t did, hid_t dsid, unsigned int idx) {
  return guarded("H5DSattach_scale", [&] { return attach(did, dsid, idx); });
}

herr_t H5DSdetach_scale(hid_t did, hid_t dsid, unsigned int idx) {
  return guarded("H5DSdetach_scale", [&] { return detach(did, dsid, idx); });
}

herr_t H5DSset_scale(hid_t dsid, const char* dimname) {
  return guarded("H5DSset_scale", [&]() -> herr_t {
    if (!is_dataset(dsid)) return refuse("H5DSset_scale", "dsid", "not a dataset");
    return set_scale("H5DSset_scale", dsid, dimname);
  });
}

int H5DSget_num_scales(hid_t did, unsigned int dim) {
  return guarded("H5DSget_num_scales", [&] {
    const auto scales = scales_of("H5DSget_num_scales", did, dim);
    return scales ? static_cast<int>(scales->size()) : -1;
  });
}

herr_t H5DSset_label(hid_t did, unsigned int idx, const char* label) {
  return guarded("H5DSset_label", [&] { return set_label(did, idx, label); });
}

ssize_t H5DSget_label(hid_t did, unsigned int idx, char* label, size_t size) {
  return guarded("H5DSget_label", [&] { return get_label(did, idx, label, size); });
}

ssize_t H5DSget_scale_name(hid_t did, char* name, size_t size) {
  return guarded("H5DSget_scale_name", [&] { return get_scale_name(did, name, size); });
}

htri_t H5DSis_scale(hid_t did) {
  return guarded("H5DSis_scale", [&]() -> htri_t {
    return is_dataset(did) ? is_scale(did) : refuse("H5DSis_scale", "did", "not a dataset");
  });
}

herr_t H5DSiterate_scales(hid_t did, unsigned int dim, int* idx, H5DS_iterate_t visitor,
                          void* visitor_data) {
  return guarded("H5DSiterate_scales",
                 [&] { return iterate(did, dim, idx, visitor, visitor_data); });
}

htri_t H5DSis_attached(hid_t did, hid_t dsid, unsigned int idx) {
  return guarded("H5DSis_attached", [&]() -> htri_t {
    const auto pair = pair_of("H5DSis_attached", did, dsid, idx);
    return pair ? static_cast<htri_t>(contains(pair->scales[idx], pair->scale)) : -1;
  });
}
