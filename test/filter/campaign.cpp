// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: random filtered chunks beside libhdf5: the parameters that it stores with a dataset,
// the bytes that it makes of a chunk, and each library's chunks decoded by the other.
//
// Linked with libhdf5 and with the pure rooms, which have no H5 symbol: types go over as encoded
// messages. Usage: filter_campaign SEED CASES

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "filter/parameters.hpp"
#include "filter/pipeline.hpp"
#include "format/datatype_message.hpp"

namespace pcio {
namespace {

using Buffer = std::vector<std::byte>;

std::mt19937_64 random_bits;
std::map<std::string, std::map<std::string, int>> histogram;

void count(const char* dimension, const std::string& bin) { ++histogram[dimension][bin]; }

std::uint64_t below(std::uint64_t n) { return random_bits() % n; }
std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + below(high - low + 1); }
bool coin() { return below(2) == 0; }

/// Stops the campaign: libhdf5 refused what it must not.
hid_t must(hid_t id, const char* what) {
  if (id >= 0) return id;
  std::fprintf(stderr, "libhdf5 failed: %s\n", what);
  std::exit(2);
}

struct Case {
  hid_t type = -1;
  std::string type_name;
  std::vector<hsize_t> chunk;
  FilterPipeline pipeline;  // as the user asks for it
  FillState fill_state = FillState::kDefault;
  Buffer fill;
  Buffer image;
  std::size_t element_size = 0;
  std::uint64_t elements = 1;
};

// ---- random types -------------------------------------------------------------------------------

hid_t random_integer() {
  static const hid_t kinds[] = {H5T_STD_I8LE,  H5T_STD_U8LE,  H5T_STD_I16LE, H5T_STD_U16BE,
                                H5T_STD_I32BE, H5T_STD_U32LE, H5T_STD_I64LE, H5T_STD_U64BE,
                                H5T_STD_I16BE, H5T_STD_I32LE};
  return H5Tcopy(kinds[below(std::size(kinds))]);
}

hid_t random_narrow_integer() {
  hid_t type = random_integer();
  std::size_t bits = 8 * H5Tget_size(type);
  if (below(6) == 0 && bits >= 32) {  // an odd size
    H5Tset_precision(type, between(1, 20));
    H5Tset_size(type, between(3, H5Tget_size(type)));
    bits = 8 * H5Tget_size(type);
  }
  std::size_t precision = between(1, bits);
  H5Tset_precision(type, precision);
  H5Tset_offset(type, below(bits - precision + 1));
  return type;
}

hid_t random_float() {
  static const hid_t kinds[] = {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE};
  return H5Tcopy(kinds[below(std::size(kinds))]);
}

hid_t random_narrow_float() {
  hid_t type = H5Tcopy(coin() ? H5T_IEEE_F32LE : H5T_IEEE_F32BE);
  std::size_t mantissa = between(5, 15);
  H5Tset_fields(type, mantissa + 6, mantissa, 6, 0, mantissa);
  H5Tset_precision(type, mantissa + 7);
  H5Tset_offset(type, below(32 - mantissa - 7 + 1));
  return type;
}

hid_t random_bytes_type() {
  if (coin()) return H5Tcreate(H5T_OPAQUE, between(1, 7));
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, between(1, 9));
  return type;
}

hid_t random_type(int depth, std::string* name) {
  std::uint64_t kind = below(depth > 0 ? 10 : 6);
  if (kind < 2) return *name = "int", random_integer();
  if (kind < 4) return *name = "narrow int", random_narrow_integer();
  if (kind == 4)
    return *name = coin() ? "float" : "narrow float",
           *name == "float" ? random_float() : random_narrow_float();
  if (kind == 5) return *name = "bytes", random_bytes_type();
  std::string inside;
  if (kind < 8) {
    hid_t base = random_type(depth - 1, &inside);
    hsize_t dims[2] = {between(1, 4), between(1, 3)};
    hid_t type = H5Tarray_create2(base, coin() ? 1 : 2, dims);
    H5Tclose(base);
    return *name = "array", type;
  }
  std::size_t members = between(1, 4), at = below(3);
  std::vector<std::pair<std::size_t, hid_t>> placed;
  for (std::size_t i = 0; i < members; ++i) {
    hid_t member = random_type(depth - 1, &inside);
    placed.emplace_back(at, member);
    at += H5Tget_size(member) + (coin() ? 0 : below(4));
  }
  hid_t type = H5Tcreate(H5T_COMPOUND, at + below(3));
  std::shuffle(placed.begin(), placed.end(), random_bits);
  for (std::size_t i = 0; i < members; ++i) {
    H5Tinsert(type, ("m" + std::to_string(i)).c_str(), placed[i].first, placed[i].second);
    H5Tclose(placed[i].second);
  }
  return *name = "compound", type;
}

// ---- random images ------------------------------------------------------------------------------

template <class T>
void put_number(Buffer* image, std::size_t at, T value, bool swap) {
  std::byte bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  if (swap) std::reverse(std::begin(bytes), std::end(bytes));
  std::memcpy(image->data() + at, bytes, sizeof bytes);
}

/// Numbers that lie near each other, so that scale-offset has something to do.
void near_numbers(Case* c) {
  const bool swap = H5Tget_order(c->type) == H5T_ORDER_BE;
  const bool floating = H5Tget_class(c->type) == H5T_FLOAT;
  const unsigned bits = static_cast<unsigned>(between(0, 8 * c->element_size));
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t base = coin() ? random_bits() : below(100);
  const double scale = std::pow(10.0, static_cast<double>(below(6)) - 3);
  for (std::uint64_t i = 0; i < c->elements; ++i) {
    if (!c->fill.empty() && below(6) == 0) {
      std::memcpy(c->image.data() + i * c->element_size, c->fill.data(), c->element_size);
    } else if (floating) {
      double value = (static_cast<double>(random_bits() % 20001) - 10000) * scale;
      if (c->element_size == 4)
        put_number(&c->image, i * 4, static_cast<float>(value), swap);
      else
        put_number(&c->image, i * 8, value, swap);
    } else {
      std::uint64_t value = base + (random_bits() & mask);
      std::byte bytes[8];
      for (unsigned k = 0; k < 8; ++k) bytes[k] = static_cast<std::byte>(value >> 8 * k);
      if (swap) std::reverse(bytes, bytes + c->element_size);
      std::memcpy(c->image.data() + i * c->element_size, bytes, c->element_size);
    }
  }
}

void random_image(Case* c) {
  c->image.resize(c->elements * c->element_size);
  const bool plain_number = (c->type_name == "int" || c->type_name == "float");
  if (plain_number && below(8) != 0) return near_numbers(c), count("image", "near numbers");
  int kinds = static_cast<int>(below(3));
  for (std::byte& b : c->image)
    b = static_cast<std::byte>(kinds == 0 ? 7 : kinds == 1 ? below(3) : random_bits());
  count("image", kinds == 0 ? "constant" : kinds == 1 ? "few values" : "noise");
}

// ---- random pipelines ---------------------------------------------------------------------------

/// libsz writes behind its buffers where an image ends inside a pixel: nothing for libhdf5.
bool whole_pixels(const Case& c) {
  std::size_t bits = H5Tget_precision(c.type);
  if (bits == 0) return true;  // refused at creation
  if (H5Tget_class(c.type) == H5T_ARRAY) {
    hid_t base = H5Tget_super(c.type);
    if (H5Tget_offset(base) != 0) bits = 8 * c.element_size;
    H5Tclose(base);
  } else if (H5Tget_offset(c.type) != 0) {
    bits = 8 * c.element_size;
  }
  // Random bits outside the precision are no pixels.
  if (bits <= 24 && bits % 8 != 0) return false;
  std::size_t pixel = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
  if (bits <= 24 && bits != 8 * pixel) return false;
  return c.elements * c.element_size % pixel == 0;
}

FilterSpec random_stage(const Case& c, bool first) {
  const bool number = c.type_name == "int" || c.type_name == "float";
  std::uint64_t kind = below(first ? 6 : 3);
  if (kind == 5 && !number) kind = 4;
  if (kind == 3 && !whole_pixels(c)) kind = 4;
  switch (kind) {
    case 0: return {kFilterDeflate, kFilterOptional, {static_cast<unsigned>(below(10))}, {}};
    case 1: return {kFilterShuffle, kFilterOptional, {}, {}};
    case 2: return {kFilterFletcher32, 0, {}, {}};
    case 3:
      return {kFilterSzip,
              kFilterOptional,
              {coin() ? 4U : 32U, static_cast<unsigned>(2 * between(1, 16))},
              {}};
    case 4: return {kFilterNbit, kFilterOptional, {}, {}};
    default: {
      const bool floating = c.type_name == "float";
      unsigned factor = floating        ? static_cast<unsigned>(below(5))
                        : below(4) == 0 ? static_cast<unsigned>(below(8 * c.element_size + 2))
                                        : 0;
      return {kFilterScaleOffset, kFilterOptional, {floating ? 0U : 2U, factor}, {}};
    }
  }
}

Case random_case() {
  Case c;
  c.type = random_type(2, &c.type_name);
  c.element_size = H5Tget_size(c.type);
  std::size_t ndims = between(1, 3);
  for (std::size_t d = 0; d < ndims; ++d) {
    hsize_t most = ndims == 1 ? (below(20) == 0 ? 9000 : 300) : 40;
    c.chunk.push_back(between(1, most));
    c.elements *= c.chunk.back();
  }
  std::uint64_t stages = between(1, 3);
  for (std::uint64_t i = 0; i < stages; ++i) {
    FilterSpec stage = random_stage(c, i == 0);
    // Twice the same filter: libhdf5 gives parameters to the first only.
    if (std::none_of(c.pipeline.begin(), c.pipeline.end(),
                     [&](const FilterSpec& other) { return other.id == stage.id; }))
      c.pipeline.push_back(stage);
  }
  std::uint64_t fill = below(4);
  if (fill == 0) c.fill_state = FillState::kUndefined;
  if (fill == 1) {
    c.fill_state = FillState::kUserDefined;
    c.fill.resize(c.element_size);
    for (std::byte& b : c.fill) b = static_cast<std::byte>(coin() ? below(4) : random_bits());
    if (c.type_name == "float") {
      const bool swap = H5Tget_order(c.type) == H5T_ORDER_BE;
      if (c.element_size == 4)
        put_number(&c.fill, 0, static_cast<float>(below(50)), swap);
      else
        put_number(&c.fill, 0, static_cast<double>(below(50)), swap);
    }
  }
  random_image(&c);
  count("type", c.type_name);
  count("fill", fill == 0 ? "undefined" : fill == 1 ? "user" : "default");
  count("dims", std::to_string(ndims));
  count("stages", std::to_string(c.pipeline.size()));
  return c;
}

// ---- both libraries -----------------------------------------------------------------------------

struct Theirs {
  bool created = false;
  FilterPipeline stored;
  Buffer bytes;
  std::uint32_t mask = 0;
  bool written = false;
};

hid_t creation_list(const Case& c) {
  hid_t list = must(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
  must(H5Pset_chunk(list, static_cast<int>(c.chunk.size()), c.chunk.data()), "H5Pset_chunk");
  for (const FilterSpec& s : c.pipeline) {
    if (s.id == kFilterSzip)  // stores bits of its own
      must(H5Pset_szip(list, s.values[0], s.values[1]), "H5Pset_szip");
    else
      must(H5Pset_filter(list, s.id, s.flags, s.values.size(), s.values.data()), "H5Pset_filter");
  }
  if (c.fill_state == FillState::kUndefined)
    must(H5Pset_fill_value(list, c.type, nullptr), "H5Pset_fill_value");
  if (c.fill_state == FillState::kUserDefined)
    must(H5Pset_fill_value(list, c.type, c.fill.data()), "H5Pset_fill_value");
  return list;
}

FilterPipeline pipeline_of(hid_t dataset) {
  FilterPipeline pipeline;
  hid_t list = must(H5Dget_create_plist(dataset), "H5Dget_create_plist");
  for (int i = 0; i < H5Pget_nfilters(list); ++i) {
    unsigned values[256];
    std::size_t n = 256;
    FilterSpec spec;
    spec.id = H5Pget_filter2(list, static_cast<unsigned>(i), &spec.flags, &n, values, 0, nullptr,
                             nullptr);
    spec.values.assign(values, values + n);
    pipeline.push_back(spec);
  }
  H5Pclose(list);
  return pipeline;
}

hid_t create_dataset(const Case& c, hid_t file, const char* name) {
  hid_t list = creation_list(c);
  hid_t space = H5Screate_simple(static_cast<int>(c.chunk.size()), c.chunk.data(), nullptr);
  hid_t dataset = H5Dcreate2(file, name, c.type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Sclose(space);
  H5Pclose(list);
  return dataset;
}

Theirs theirs_of(const Case& c, hid_t file, hid_t* dataset) {
  Theirs t;
  *dataset = create_dataset(c, file, "theirs");
  if (*dataset < 0) return t;
  t.created = true;
  t.stored = pipeline_of(*dataset);
  t.written = H5Dwrite(*dataset, c.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, c.image.data()) >= 0 &&
              H5Dflush(*dataset) >= 0;
  if (!t.written) return t;
  std::vector<hsize_t> origin(c.chunk.size());
  hsize_t size = 0;
  must(H5Dget_chunk_storage_size(*dataset, origin.data(), &size), "H5Dget_chunk_storage_size");
  t.bytes.resize(size);
  must(H5Dread_chunk(*dataset, H5P_DEFAULT, origin.data(), &t.mask, t.bytes.data()),
       "H5Dread_chunk");
  return t;
}

/// The type in our words, by its encoded message.
Result<Datatype> our_type(hid_t type) {
  std::size_t n = 0;
  H5Tencode(type, nullptr, &n);
  Buffer encoded(n);
  H5Tencode(type, encoded.data(), &n);
  // Two bytes in front: what is encoded, and the version of that.
  ByteReader reader(ConstBytes(encoded).subspan(2));
  return decode_datatype(reader);
}

/// What libhdf5 reads where `bytes` are stored.
bool read_by_libhdf5(const Case& c, hid_t file, ConstBytes bytes, std::uint32_t mask,
                     Buffer* image) {
  hid_t dataset = must(create_dataset(c, file, "ours"), "H5Dcreate2");
  std::vector<hsize_t> origin(c.chunk.size());
  must(H5Dwrite_chunk(dataset, H5P_DEFAULT, mask, origin.data(), bytes.size(), bytes.data()),
       "H5Dwrite_chunk");
  // Opened anew: the open dataset remembers the mask of a chunk that was not there.
  H5Dclose(dataset);
  dataset = must(H5Dopen2(file, "ours", H5P_DEFAULT), "H5Dopen2");
  image->assign(c.image.size(), std::byte{0x5A});
  herr_t outcome = H5Dread(dataset, c.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, image->data());
  H5Dclose(dataset);
  H5Ldelete(file, "ours", H5P_DEFAULT);
  return outcome >= 0;
}

std::string describe(const Case& c) {
  std::string text = c.type_name + " of " + std::to_string(c.element_size) + " bytes, chunk";
  for (hsize_t d : c.chunk) text += " " + std::to_string(d);
  for (const FilterSpec& s : c.pipeline) {
    text += " | " + filter_label(s);
    for (unsigned v : s.values) text += " " + std::to_string(v);
  }
  return text + " | fill " + std::to_string(static_cast<int>(c.fill_state));
}

/// libhdf5 stores some chunks larger than their images; ours are never.
bool same_bytes_expected(const Case& c, const Theirs& theirs, std::uint32_t our_mask) {
  for (const FilterSpec& s : c.pipeline)
    if (s.id == kFilterDeflate) return false;
  return theirs.mask == our_mask;
}

Buffer decoded_or_empty(const Result<Buffer>& decoded) { return decoded ? *decoded : Buffer(); }

/// Empty: all is well.
std::string compare(const Case& c, hid_t file, const Theirs& theirs) {
  auto type = our_type(c.type);
  if (!type) return "type is not decoded: " + type.error().message();
  std::vector<std::uint64_t> dims(c.chunk.begin(), c.chunk.end());
  Dims chunk = Dims::from(dims.data(), static_cast<unsigned>(dims.size()));
  FilterPipeline asked = c.pipeline;
  for (FilterSpec& s : asked)
    if (s.id == kFilterSzip) s.values[0] = (s.values[0] & ~2U) | 1U | 128U;
  auto completed = complete_pipeline(asked, {*type, chunk, c.fill_state, c.fill});
  if (completed.has_value() != theirs.created)
    return std::string("creation: libhdf5 ") + (theirs.created ? "did" : "refused") + ", we " +
           (completed ? "did" : "refused: " + completed.error().message());
  count("created", theirs.created ? "yes" : "no");
  if (!theirs.created) return "";
  for (std::size_t i = 0; i < completed->size(); ++i)
    if ((*completed)[i].values != theirs.stored[i].values) {
      std::string text = "parameters of stage " + std::to_string(i) + ":";
      for (unsigned v : (*completed)[i].values) text += " " + std::to_string(v);
      text += " | libhdf5:";
      for (unsigned v : theirs.stored[i].values) text += " " + std::to_string(v);
      return text;
    }
  if (!theirs.written) return "libhdf5 does not write it";
  FilterScratch scratch;
  auto ours = encode_chunk(theirs.stored, c.image, scratch);
  if (!ours) return "not encoded: " + ours.error().message();
  Buffer our_bytes(ours->bytes.begin(), ours->bytes.end());
  std::uint32_t our_mask = ours->mask;
  const bool masks_equal = our_mask == theirs.mask;
  count("masks", masks_equal ? theirs.mask == 0 ? "all applied" : "some skipped" : "differ");
  // libdeflate does not try to shrink some dozen bytes, and is not always the better one.
  constexpr std::size_t kTiny = 64;
  const bool larger = our_bytes.size() > theirs.bytes.size() + theirs.bytes.size() / 50 + kTiny;
  if (!masks_equal && (larger || (our_mask & ~theirs.mask) == 0))
    return "masks: ours " + std::to_string(our_mask) + ", libhdf5's " +
           std::to_string(theirs.mask) + ", sizes " + std::to_string(our_bytes.size()) + ", " +
           std::to_string(theirs.bytes.size());
  if (same_bytes_expected(c, theirs, our_mask) && our_bytes != theirs.bytes) {
    auto at =
        std::mismatch(our_bytes.begin(), our_bytes.end(), theirs.bytes.begin(), theirs.bytes.end());
    return "bytes differ at " + std::to_string(at.first - our_bytes.begin()) + " of " +
           std::to_string(our_bytes.size()) + " / " + std::to_string(theirs.bytes.size());
  }
  auto of_theirs = decode_chunk(theirs.stored, theirs.bytes, theirs.mask, c.image.size());
  if (!of_theirs) return "libhdf5's chunk is not decoded: " + of_theirs.error().message();
  auto of_ours = decode_chunk(theirs.stored, our_bytes, our_mask, c.image.size());
  if (!of_ours) return "our own chunk is not decoded: " + of_ours.error().message();
  Buffer read;
  if (!read_by_libhdf5(c, file, theirs.bytes, theirs.mask, &read))
    return "libhdf5 does not read its own";
  if (read != decoded_or_empty(of_theirs)) return "libhdf5's chunk is decoded otherwise by it";
  if (!read_by_libhdf5(c, file, our_bytes, our_mask, &read)) return "libhdf5 does not read ours";
  if (read != *of_ours) return "our chunk is decoded otherwise by libhdf5";
  count("lossless", read == c.image ? "yes" : "no");
  for (const FilterSpec& s : c.pipeline) count("filter", filter_label(s));
  return "";
}

int run(std::uint64_t seed, int cases) {
  int failures = 0;
  if (std::getenv("SHOW_H5") == nullptr) H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  hid_t access = must(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate");
  must(H5Pset_fapl_core(access, 1 << 16, 0), "H5Pset_fapl_core");
  for (int i = 0; i < cases; ++i) {
    random_bits.seed(seed + static_cast<std::uint64_t>(i));
    Case c = random_case();
    hid_t file = must(H5Fcreate("campaign.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), "H5Fcreate");
    hid_t dataset = -1;
    Theirs theirs = theirs_of(c, file, &dataset);
    std::string why = compare(c, file, theirs);
    if (!why.empty()) {
      ++failures;
      std::printf("FAILED seed %llu: %s: %s\n",
                  static_cast<unsigned long long>(seed) + static_cast<unsigned>(i),
                  describe(c).c_str(), why.c_str());
    }
    if (dataset >= 0) H5Dclose(dataset);
    H5Tclose(c.type);
    H5Fclose(file);
  }
  static const std::map<std::string, std::size_t> kBins = {
      {"type", 7},    {"fill", 3},  {"dims", 3},     {"stages", 3}, {"image", 4},
      {"created", 2}, {"masks", 3}, {"lossless", 2}, {"filter", 6}};
  std::printf("filter campaign: seed %llu, %d cases", static_cast<unsigned long long>(seed), cases);
  for (const auto& [dimension, bins] : histogram) {
    std::printf("; %s:", dimension.c_str());
    for (const auto& [bin, n] : bins) std::printf(" %s %d", bin.c_str(), n);
  }
  for (const auto& [dimension, wanted] : kBins)
    if (histogram[dimension].size() < wanted) {
      std::printf("; EMPTY BIN in %s", dimension.c_str());
      ++failures;
    }
  std::printf("; %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SEED CASES\n", argv[0]);
    return 2;
  }
  return pcio::run(std::strtoull(argv[1], nullptr, 10), std::atoi(argv[2]));
}
