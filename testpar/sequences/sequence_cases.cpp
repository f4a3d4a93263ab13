// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random collective writes and reads of variable-length data, beside a model: ranks with nothing, with a
// few bytes and with much, slow ones, values that come and go, flushes between. Files that stay are
// read by h5py. Room: testpar, public headers only.
//
// PCIO_SEED, PCIO_CASES choose others, from PCIO_FIRST on; PCIO_CASE plays one; PCIO_FOLDER: where files
// stay, up to PCIO_KEPT.

#include <hdf5.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "campaign/histogram.hpp"
#include "support.hpp"

namespace {

using par::Id;

enum Type { kText, kNumbers, kNested, kTypes };
enum Layout { kContiguous, kChunked, kFiltered, kCompact, kLayouts };
enum Load { kNothing, kFew, kMany, kLarge, kLoads };
constexpr const char* kTypeNames[] = {"text", "numbers", "nested"};
constexpr const char* kLayoutNames[] = {"contiguous", "chunked", "filtered", "compact"};
constexpr const char* kLoadNames[] = {"nothing", "few", "many", "large"};

campaign::Histogram histogram;

using Numbers = std::vector<int>;
/// An element as it should be: a text, or numbers, or lists of them.
struct Value {
  bool null = true;
  std::vector<Numbers> parts;
  friend bool operator==(const Value&, const Value&) = default;
};

class Case {
 public:
  Case(unsigned long seed, std::string path) : random_(seed), path_(std::move(path)) {
    type_ = static_cast<Type>(below(kTypes));
    layout_ = static_cast<Layout>(below(kLayouts));
    elements_ = 1 + below(layout_ == kCompact ? 300 : 900);
    slow_ = below(3) == 0 ? static_cast<int>(below(static_cast<unsigned>(par::size()))) : -1;
    model_.resize(elements_);
    memory_ = Id(make_type());
  }

  bool play() {
    make();
    histogram.count("layout", kLayoutNames[layout_]);
    histogram.count("type", kTypeNames[type_]);
    histogram.count("ranks", slow_ < 0 ? "as they come" : "one is slow");
    for (int i = 0; i < 5 && good_; ++i) {
      if (slow_ == par::rank()) std::this_thread::sleep_for(std::chrono::milliseconds(i));
      const unsigned what = below(8);
      if (what < 4)
        write();
      else if (what < 6)
        read(what == 4 ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
      else if (what == 6)
        flush();
      else
        reopen();
    }
    if (good_) read_all();
    const bool closed = dataset_.close() >= 0 && file_.close() >= 0;
    return par::all(good_ && closed);
  }

  /// For h5py: a line for each element. Rank 0's.
  void save(const std::string& name) const {
    std::FILE* out = std::fopen(name.c_str(), "w");
    if (out == nullptr) return;
    for (const Value& value : model_) {
      for (const Numbers& part : value.parts) {
        for (int number : part) std::fprintf(out, "%d ", number);
        std::fprintf(out, type_ == kNested ? ";" : "");
      }
      std::fprintf(out, "\n");
    }
    std::fclose(out);
  }
  [[nodiscard]] bool for_h5py() const { return type_ != kNested; }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  hid_t make_type() const {
    if (type_ == kText) {
      const hid_t text = H5Tcopy(H5T_C_S1);
      H5Tset_size(text, H5T_VARIABLE);
      return text;
    }
    const hid_t numbers = H5Tvlen_create(H5T_NATIVE_INT);
    if (type_ == kNumbers) return numbers;
    const hid_t nested = H5Tvlen_create(numbers);
    H5Tclose(numbers);
    return nested;
  }

  Value random_value(Load load) {
    Value value;
    value.null = below(8) == 0;
    if (value.null) return value;
    const unsigned most = load == kFew ? 12 : load == kMany ? 90 : 3000;
    const unsigned parts = type_ == kNested ? 1 + below(4) : 1;
    for (unsigned p = 0; p < parts; ++p) {
      Numbers part(below(most));
      for (int& number : part)
        number = type_ == kText ? 'a' + static_cast<int>(below(26)) : static_cast<int>(random_());
      value.parts.push_back(std::move(part));
    }
    // A sequence without elements is a null one.
    if (type_ == kNumbers && value.parts[0].empty()) value = Value();
    return value;
  }

  // --- memory form ---
  static hvl_t numbers_of(const Numbers& numbers) {
    hvl_t sequence{numbers.size(), nullptr};
    if (numbers.empty()) return sequence;
    sequence.p = std::malloc(numbers.size() * sizeof(int));
    std::memcpy(sequence.p, numbers.data(), numbers.size() * sizeof(int));
    return sequence;
  }
  void to_memory(const Value& value, std::byte* at) const {
    std::memset(at, 0, H5Tget_size(memory_));
    if (value.null) return;
    if (type_ == kText) {
      char* text = static_cast<char*>(std::malloc(value.parts[0].size() + 1));
      for (std::size_t i = 0; i < value.parts[0].size(); ++i)
        text[i] = static_cast<char>(value.parts[0][i]);
      text[value.parts[0].size()] = 0;
      std::memcpy(at, &text, sizeof text);
      return;
    }
    hvl_t all = numbers_of(value.parts[0]);
    if (type_ == kNested) {
      all = {value.parts.size(), std::malloc(value.parts.size() * sizeof(hvl_t))};
      for (std::size_t i = 0; i < value.parts.size(); ++i)
        static_cast<hvl_t*>(all.p)[i] = numbers_of(value.parts[i]);
    }
    std::memcpy(at, &all, sizeof all);
  }
  static Numbers numbers_in(const hvl_t& sequence) {
    const int* first = static_cast<const int*>(sequence.p);
    return {first, first + sequence.len};
  }
  Value from_memory(const std::byte* at) const {
    Value value;
    if (type_ == kText) {
      const char* text = nullptr;
      std::memcpy(&text, at, sizeof text);
      if (text == nullptr) return value;
      value.parts.emplace_back(text, text + std::strlen(text));
    } else {
      hvl_t all{};
      std::memcpy(&all, at, sizeof all);
      if (all.len == 0) return value;
      if (type_ == kNumbers) value.parts.push_back(numbers_in(all));
      for (std::size_t i = 0; type_ == kNested && i < all.len; ++i)
        value.parts.push_back(numbers_in(static_cast<hvl_t*>(all.p)[i]));
    }
    value.null = false;
    return value;
  }

  // --- calls ---
  void make() {
    const Id access(par::mpio_access()), create(H5Pcreate(H5P_DATASET_CREATE));
    file_ = Id(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const hsize_t n = elements_, chunk = 1 + below(static_cast<unsigned>(elements_));
    if (layout_ == kChunked || layout_ == kFiltered) H5Pset_chunk(create, 1, &chunk);
    if (layout_ == kFiltered) H5Pset_deflate(create, 1);
    if (layout_ == kCompact) H5Pset_layout(create, H5D_COMPACT);
    const Id space(H5Screate_simple(1, &n, nullptr));
    dataset_ = Id(H5Dcreate2(file_, "data", memory_, space, H5P_DEFAULT, create, H5P_DEFAULT));
    check(dataset_.valid(), "create");
  }

  struct Part {
    hsize_t start = 0, stride = 1, count = 0;
    Load load = kNothing;
  };
  /// Disjoint parts, the same on all ranks.
  std::vector<Part> random_parts() {
    std::vector<Part> parts(static_cast<std::size_t>(par::size()));
    const bool dealt = below(3) == 0;
    hsize_t at = 0;
    for (std::size_t r = 0; r < parts.size(); ++r) {
      Part& part = parts[r];
      part.load = static_cast<Load>(below(kLoads));
      if (dealt) {
        part.start = r;
        part.stride = parts.size();
        part.count = r < elements_ ? (elements_ - r + part.stride - 1) / part.stride : 0;
      } else {
        const hsize_t room = (elements_ - at) / (parts.size() - r);
        part.start = at;
        part.count = room == 0 ? 0 : below(static_cast<unsigned>(room) + 1);
        at += room;
      }
      const hsize_t most[] = {0, 3, 200, 100};
      part.count = std::min(part.count, most[part.load]);
    }
    return parts;
  }

  static std::pair<Id, Id> spaces(hid_t dataset, const Part& part) {
    Id space(H5Dget_space(dataset));
    const hsize_t n = part.count > 0 ? part.count : 1;
    Id memory(H5Screate_simple(1, &n, nullptr));
    if (part.count > 0) {
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &part.start, &part.stride, &part.count, nullptr);
    } else {
      H5Sselect_none(space);
      H5Sselect_none(memory);
    }
    return {std::move(space), std::move(memory)};
  }

  void write() {
    const std::vector<Part> parts = random_parts();
    const std::size_t size = H5Tget_size(memory_);
    std::vector<std::byte> buffer;
    for (std::size_t r = 0; r < parts.size(); ++r) {
      const bool mine = static_cast<int>(r) == par::rank();
      histogram.count("load", kLoadNames[parts[r].load]);
      if (mine) buffer.resize((parts[r].count + 1) * size);
      for (hsize_t i = 0; i < parts[r].count; ++i) {
        Value& value = model_[parts[r].start + i * parts[r].stride];
        value = random_value(parts[r].load);
        if (mine) to_memory(value, buffer.data() + i * size);
      }
    }
    const Part& part = parts[static_cast<std::size_t>(par::rank())];
    const auto [space, memory] = spaces(dataset_, part);
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    check(H5Dwrite(dataset_, memory_, memory, space, list, buffer.data()) >= 0, "write");
    if (part.count > 0) H5Dvlen_reclaim(memory_, memory, H5P_DEFAULT, buffer.data());
    histogram.count("call", "write");
  }

  void read(H5FD_mpio_xfer_t mode) {
    const std::vector<Part> parts = random_parts();
    read_part(parts[static_cast<std::size_t>(par::rank())], mode);
    histogram.count("call", mode == H5FD_MPIO_COLLECTIVE ? "collective read" : "independent read");
  }
  void read_all() { read_part({0, 1, elements_, kMany}, H5FD_MPIO_COLLECTIVE); }

  void read_part(const Part& part, H5FD_mpio_xfer_t mode) {
    const std::size_t size = H5Tget_size(memory_);
    std::vector<std::byte> buffer((part.count + 1) * size);
    const auto [space, memory] = spaces(dataset_, part);
    const Id list(par::transfer_list(mode));
    const bool done = H5Dread(dataset_, memory_, memory, space, list, buffer.data()) >= 0;
    check(done, "read");
    if (!good_) return;
    hsize_t wrong = 0;
    for (hsize_t i = 0; i < part.count; ++i)
      if (from_memory(buffer.data() + i * size) != model_[part.start + i * part.stride]) ++wrong;
    check(wrong == 0, "read another thing");
    if (part.count > 0) H5Dvlen_reclaim(memory_, memory, H5P_DEFAULT, buffer.data());
  }

  void flush() {
    check(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "flush");
    histogram.count("call", "flush");
  }

  void reopen() {
    check(dataset_.close() >= 0 && file_.close() >= 0, "close");
    const Id access(par::mpio_access());
    file_ = Id(H5Fopen(path_.c_str(), H5F_ACC_RDWR, access));
    dataset_ = Id(H5Dopen2(file_, "data", H5P_DEFAULT));
    check(dataset_.valid(), "open again");
    histogram.count("call", "reopen");
  }

  void check(bool ok, const char* what) {
    if (!ok)
      std::fprintf(stderr, "rank %d: %s (%s, %s)\n%s", par::rank(), what, kTypeNames[type_],
                   kLayoutNames[layout_], par::error_text().c_str());
    good_ = par::all(good_ && ok);
  }

  std::mt19937_64 random_;
  std::string path_;
  Type type_ = kText;
  Layout layout_ = kContiguous;
  hsize_t elements_ = 1;
  int slow_ = -1;  ///< a rank
  std::vector<Value> model_;
  Id memory_, file_, dataset_;
  bool good_ = true;
};

void prepare_histogram() {
  histogram.add_group("layout", {std::begin(kLayoutNames), std::end(kLayoutNames)});
  histogram.add_group("type", {std::begin(kTypeNames), std::end(kTypeNames)});
  histogram.add_group("ranks", {"as they come", "one is slow"});
  histogram.add_group("load", {std::begin(kLoadNames), std::end(kLoadNames)});
  histogram.add_group("call", {"write", "collective read", "independent read", "flush", "reopen"});
}

long number(const char* name, long otherwise) {
  const char* word = std::getenv(name);
  return word != nullptr ? std::atol(word) : otherwise;
}

}  // namespace

CASE(variable_length_data) {
  const long seed = number("PCIO_SEED", 1), cases = number("PCIO_CASES", 60);
  const long only = number("PCIO_CASE", -1), first = number("PCIO_FIRST", 0);
  const long most_kept = number("PCIO_KEPT", 12);
  const char* const folder = std::getenv("PCIO_FOLDER");
  const par::Silence silence;
  prepare_histogram();
  long failures = 0, played = 0, kept = 0;
  for (long i = only >= 0 ? only : first; i < (only >= 0 ? only + 1 : first + cases);
       ++i, ++played) {
    std::string path = par::file_name("sequences");
    const bool keep = folder != nullptr && kept < most_kept;
    if (keep) path = std::string(folder) + "/case" + std::to_string(i) + ".h5";
    Case one(static_cast<unsigned long>(seed * 1000003 + i), path);
    const bool good = one.play();
    if (good && keep && one.for_h5py()) {
      ++kept;
      if (par::rank() == 0) one.save(path + ".values");
    }
    if (good) continue;
    ++failures;
    if (par::rank() == 0) std::fprintf(stderr, "FAILED: PCIO_SEED=%ld PCIO_CASE=%ld\n", seed, i);
    if (failures == 5) break;
  }
  const std::string empty = histogram.empty_bins();
  CHECK(failures == 0);
  CHECK(only >= 0 || empty.empty());
  if (par::rank() == 0)
    std::printf("sequences: seed %ld, %ld cases on %d ranks, %ld failures: %s%s%s\n", seed, played,
                par::size(), failures, histogram.text().c_str(),
                empty.empty() ? "" : "; EMPTY: ", empty.c_str());
}
