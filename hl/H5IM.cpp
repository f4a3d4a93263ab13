// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Images and palettes: datasets that attributes make one (HDF5 Image and Palette Specification, version 1.2).
#include "H5IMpublic.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "all_ranks.hpp"
#include "attributes.hpp"
#include "support.hpp"

namespace pcio::hl {
namespace {

constexpr const char* kImage = "IMAGE";
constexpr const char* kPalette = "PALETTE";
constexpr const char* kVersion = "1.2";
constexpr const char* kByPixel = "INTERLACE_PIXEL";
constexpr const char* kByPlane = "INTERLACE_PLANE";

OwnedId none() { return OwnedId(H5I_INVALID_HID); }

OwnedId open(const char* function, const char* argument, hid_t loc, const char* name) {
  if (name == nullptr) return refuse(function, argument, "it is null"), none();
  return OwnedId(H5Dopen2(loc, name, H5P_DEFAULT));
}

bool is_of_class(hid_t dataset, const char* name) { return read_text(dataset, "CLASS") == name; }

OwnedId open_image(const char* function, const char* argument, hid_t loc, const char* name) {
  OwnedId dataset = open(function, argument, loc, name);
  if (dataset && !is_of_class(dataset.get(), kImage))
    return refuse(function, argument, "not an image"), none();
  return dataset;
}

/// A dataset of bytes and the texts that say what it is.
struct Bytes {
  hid_t loc;
  const char* name;
  int ndims;
  hsize_t dims[3];
  const unsigned char* values;
  const char* texts[4][2];
};

/// `check() -> bool` looks at the arguments.
template <class Check>
herr_t make(const char* function, const Bytes& bytes, const Check& check) {
  const auto make_it = [&] {
    const OwnedId space(H5Screate_simple(bytes.ndims, bytes.dims, nullptr));
    return OwnedId(H5Dcreate2(bytes.loc, bytes.name, H5T_NATIVE_UCHAR, space.get(), H5P_DEFAULT,
                              H5P_DEFAULT, H5P_DEFAULT));
  };
  const auto describe = [&](hid_t dataset) {
    return std::all_of(std::begin(bytes.texts), std::end(bytes.texts), [&](const auto& text) {
      return text[0] == nullptr || write_text(dataset, text[0], text[1]);
    });
  };
  return make_with_values(function, {bytes.loc, bytes.name, bytes.values, std::ref(check),
                                     std::ref(make_it), std::ref(describe)});
}

/// The sizes of a dataset; as many as it has.
std::optional<std::vector<hsize_t>> dims_of(hid_t dataset) {
  const OwnedId space(H5Dget_space(dataset));
  const int ndims = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (ndims < 0) return std::nullopt;
  std::vector<hsize_t> dims(static_cast<size_t>(ndims));
  H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr);
  return dims;
}

std::optional<std::vector<hobj_ref_t>> palettes_of(hid_t image) {
  std::vector<hobj_ref_t> found;
  const htri_t exists = H5Aexists(image, kPalette);
  if (exists < 0) return std::nullopt;
  if (exists == 0) return found;
  const OwnedId attribute(H5Aopen(image, kPalette, H5P_DEFAULT));
  const OwnedId type(attribute ? H5Aget_type(attribute.get()) : H5I_INVALID_HID);
  const OwnedId space(attribute ? H5Aget_space(attribute.get()) : H5I_INVALID_HID);
  if (!type || !space || H5Tequal(type.get(), H5T_STD_REF_OBJ) <= 0) return std::nullopt;
  found.resize(static_cast<size_t>(H5Sget_simple_extent_npoints(space.get())));
  if (!found.empty() && H5Aread(attribute.get(), H5T_STD_REF_OBJ, found.data()) < 0)
    return std::nullopt;
  return found;
}

bool write_palettes(hid_t image, const std::vector<hobj_ref_t>& all) {
  if (all.empty()) return H5Adelete(image, kPalette) >= 0;
  const hsize_t count = all.size();
  // One alone is a scalar, as libhdf5_hl has it.
  const OwnedId space(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr));
  return write_attribute(image, kPalette, H5T_STD_REF_OBJ, space, all.data());
}

OwnedId open_palette(const char* function, hid_t image, int number) {
  const auto all = palettes_of(image);
  if (!all) return none();
  if (number < 0 || static_cast<size_t>(number) >= all->size())
    return refuse(function, "pal_number", "the image has not as many"), none();
  return OwnedId(
      H5Rdereference2(image, H5P_DEFAULT, H5R_OBJECT, &(*all)[static_cast<size_t>(number)]));
}

template <class Body>
herr_t guarded(const char* function, const Body& body) {
  try {
    return body();
  } catch (const std::exception&) {
    return refuse(function, "loc_id", "out of memory");
  }
}

herr_t is(const char* function, hid_t loc, const char* name, const char* what) {
  return guarded(function, [&] {
    const OwnedId dataset = open(function, "dset_name", loc, name);
    if (!dataset) return -1;
    return is_of_class(dataset.get(), what) ? 1 : 0;
  });
}

/// Where a planes are the first dimension, else the last.
struct Shape {
  hsize_t width, height, planes;
  std::string interlace;
};

std::optional<Shape> shape_of(const char* function, hid_t image) {
  const auto dims = dims_of(image);
  const auto interlace = read_text(image, "INTERLACE_MODE");
  if (!dims) return std::nullopt;
  if (dims->size() == 2 && !interlace) return Shape{(*dims)[1], (*dims)[0], 1, ""};
  if (dims->size() == 3 && interlace == kByPixel)
    return Shape{(*dims)[1], (*dims)[0], (*dims)[2], *interlace};
  if (dims->size() == 3 && interlace == kByPlane)
    return Shape{(*dims)[2], (*dims)[1], (*dims)[0], *interlace};
  refuse(function, "dset_name", "the dimensions of the image don't go with its interlace mode");
  return std::nullopt;
}

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

herr_t H5IMmake_image_8bit(hid_t loc_id, const char* dset_name, hsize_t width, hsize_t height,
                           const unsigned char* buffer) {
  constexpr const char* kFunction = "H5IMmake_image_8bit";
  const Bytes image{
      loc_id,
      dset_name,
      2,
      {height, width},
      buffer,
      {{"CLASS", kImage}, {"IMAGE_VERSION", kVersion}, {"IMAGE_SUBCLASS", "IMAGE_INDEXED"}}};
  return make(kFunction, image, [&] {
    return dset_name != nullptr || refuse(kFunction, "dset_name", "it is null") == 0;
  });
}

herr_t H5IMmake_image_24bit(hid_t loc_id, const char* dset_name, hsize_t width, hsize_t height,
                            const char* interlace, const unsigned char* buffer) {
  constexpr const char* kFunction = "H5IMmake_image_24bit";
  const bool by_plane = interlace != nullptr && std::strcmp(interlace, kByPlane) == 0;
  const Bytes image{loc_id,
                    dset_name,
                    3,
                    {by_plane ? 3 : height, by_plane ? height : width, by_plane ? width : 3},
                    buffer,
                    {{"CLASS", kImage},
                     {"IMAGE_VERSION", kVersion},
                     {"IMAGE_SUBCLASS", "IMAGE_TRUECOLOR"},
                     {"INTERLACE_MODE", interlace}}};
  return make(kFunction, image, [&] {
    if (dset_name == nullptr) return refuse(kFunction, "dset_name", "it is null") == 0;
    if (interlace == nullptr) return refuse(kFunction, "interlace", "it is null") == 0;
    return by_plane || std::strcmp(interlace, kByPixel) == 0 ||
           refuse(kFunction, "interlace", "neither INTERLACE_PIXEL nor INTERLACE_PLANE") == 0;
  });
}

herr_t H5IMget_image_info(hid_t loc_id, const char* dset_name, hsize_t* width, hsize_t* height,
                          hsize_t* planes, char* interlace, hssize_t* npals) {
  constexpr const char* kFunction = "H5IMget_image_info";
  return guarded(kFunction, [&] {
    const OwnedId image = open_image(kFunction, "dset_name", loc_id, dset_name);
    const auto shape = image ? shape_of(kFunction, image.get()) : std::nullopt;
    const auto palettes = shape ? palettes_of(image.get()) : std::nullopt;
    if (!palettes) return -1;
    if (width != nullptr) *width = shape->width;
    if (height != nullptr) *height = shape->height;
    if (planes != nullptr) *planes = shape->planes;
    if (interlace != nullptr && !shape->interlace.empty())
      std::memcpy(interlace, shape->interlace.c_str(), shape->interlace.size() + 1);
    if (npals != nullptr) *npals = static_cast<hssize_t>(palettes->size());
    return 0;
  });
}

herr_t H5IMread_image(hid_t loc_id, const char* dset_name, unsigned char* buffer) {
  constexpr const char* kFunction = "H5IMread_image";
  if (buffer == nullptr) return refuse(kFunction, "buffer", "it is null");
  const OwnedId dataset = open(kFunction, "dset_name", loc_id, dset_name);
  if (!dataset) return -1;
  return H5Dread(dataset.get(), H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer) < 0 ? -1
                                                                                             : 0;
}

herr_t H5IMmake_palette(hid_t loc_id, const char* pal_name, const hsize_t* pal_dims,
                        const unsigned char* pal_data) {
  constexpr const char* kFunction = "H5IMmake_palette";
  const Ranks ranks = ranks_of(loc_id);
  htri_t exists = -1;
  const bool known = take(kFunction, [&] {
    if (pal_name == nullptr) return refuse(kFunction, "pal_name", "it is null") == 0;
    if (pal_dims == nullptr) return refuse(kFunction, "pal_dims", "it is null") == 0;
    return (exists = H5Lexists(loc_id, pal_name, H5P_DEFAULT)) >= 0;
  });
  if (!all_have(kFunction, loc_id, ranks, known, {exists > 0 ? 1U : 0U})) return -1;
  if (exists > 0) return 0;
  const Bytes palette{loc_id,   pal_name,
                      2,        {pal_dims[0], pal_dims[1]},
                      pal_data, {{"CLASS", kPalette}, {"PAL_VERSION", kVersion}}};
  return make(kFunction, palette, [] { return true; });
}

herr_t H5IMlink_palette(hid_t loc_id, const char* image_name, const char* pal_name) {
  constexpr const char* kFunction = "H5IMlink_palette";
  if (pal_name == nullptr) return refuse(kFunction, "pal_name", "it is null");
  return guarded(kFunction, [&] {
    // It may become an image after this.
    const OwnedId image = open(kFunction, "image_name", loc_id, image_name);
    auto all = image ? palettes_of(image.get()) : std::nullopt;
    hobj_ref_t palette;
    if (!all || H5Rcreate(&palette, loc_id, pal_name, H5R_OBJECT, -1) < 0) return -1;
    all->push_back(palette);
    return write_palettes(image.get(), *all) ? 0 : -1;
  });
}

herr_t H5IMunlink_palette(hid_t loc_id, const char* image_name, const char* pal_name) {
  constexpr const char* kFunction = "H5IMunlink_palette";
  if (pal_name == nullptr) return refuse(kFunction, "pal_name", "it is null");
  return guarded(kFunction, [&] {
    const OwnedId image = open_image(kFunction, "image_name", loc_id, image_name);
    auto all = image ? palettes_of(image.get()) : std::nullopt;
    hobj_ref_t palette;
    if (!all || H5Rcreate(&palette, loc_id, pal_name, H5R_OBJECT, -1) < 0) return -1;
    const auto found = std::find(all->begin(), all->end(), palette);
    if (found == all->end()) return refuse(kFunction, "pal_name", "not linked to the image");
    all->erase(found);
    return write_palettes(image.get(), *all) ? 0 : -1;
  });
}

herr_t H5IMget_npalettes(hid_t loc_id, const char* image_name, hssize_t* npals) {
  constexpr const char* kFunction = "H5IMget_npalettes";
  if (npals == nullptr) return refuse(kFunction, "npals", "it is null");
  return guarded(kFunction, [&] {
    const OwnedId image = open_image(kFunction, "image_name", loc_id, image_name);
    const auto all = image ? palettes_of(image.get()) : std::nullopt;
    if (!all) return -1;
    *npals = static_cast<hssize_t>(all->size());
    return 0;
  });
}

herr_t H5IMget_palette_info(hid_t loc_id, const char* image_name, int pal_number,
                            hsize_t* pal_dims) {
  constexpr const char* kFunction = "H5IMget_palette_info";
  if (pal_dims == nullptr) return refuse(kFunction, "pal_dims", "it is null");
  return guarded(kFunction, [&] {
    const OwnedId image = open_image(kFunction, "image_name", loc_id, image_name);
    const OwnedId palette = image ? open_palette(kFunction, image.get(), pal_number) : none();
    const auto dims = palette ? dims_of(palette.get()) : std::nullopt;
    if (!dims) return -1;
    if (dims->size() != 2) return refuse(kFunction, "pal_number", "not of two dimensions");
    std::copy(dims->begin(), dims->end(), pal_dims);
    return 0;
  });
}

herr_t H5IMget_palette(hid_t loc_id, const char* image_name, int pal_number,
                       unsigned char* pal_data) {
  constexpr const char* kFunction = "H5IMget_palette";
  if (pal_data == nullptr) return refuse(kFunction, "pal_data", "it is null");
  return guarded(kFunction, [&] {
    const OwnedId image = open_image(kFunction, "image_name", loc_id, image_name);
    const OwnedId palette = image ? open_palette(kFunction, image.get(), pal_number) : none();
    if (!palette) return -1;
    return H5Dread(palette.get(), H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, pal_data) < 0
               ? -1
               : 0;
  });
}

herr_t H5IMis_image(hid_t loc_id, const char* dset_name) {
  return is("H5IMis_image", loc_id, dset_name, kImage);
}

herr_t H5IMis_palette(hid_t loc_id, const char* dset_name) {
  return is("H5IMis_palette", loc_id, dset_name, kPalette);
}
