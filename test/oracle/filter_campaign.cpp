// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random life of one chunked dataset, told by a seed, beside a model of all its elements.
// Compiled against libpcio and against libhdf5, so that one library goes on where the other ended.
//
//   filter_campaign SEED FIRST LAST FILE [defect]
//
// replays sessions 0 .. FIRST-1 in the model only, does sessions FIRST .. LAST-1 on FILE too, and
// then compares all elements. A session is: open, some operations, close. LAST = 99: all there are.
// Prints "case key=value ..." for the histogram. Exit: 0 good, 1 wrong.
// Room: test/oracle.

#include <hdf5.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed)
      : state_(seed * 0x9E3779B97F4A7C15ULL + 88172645463325252ULL) {
    for (int i = 0; i < 8; ++i) next();
  }
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  /// [low, high]
  hsize_t pick(hsize_t low, hsize_t high) { return low + (next() >> 11) % (high - low + 1); }
  bool chance(int percent) { return pick(0, 99) < static_cast<hsize_t>(percent); }

 private:
  std::uint64_t state_;
};

constexpr int kFilters = 9;
const char* const kFilterNames[kFilters] = {"none",
                                            "deflate",
                                            "shuffle+deflate",
                                            "fletcher32",
                                            "szip",
                                            "nbit",
                                            "scaleoffset",
                                            "deflate+fletcher32",
                                            "shuffle+deflate+fletcher32"};
constexpr int kTypes = 5;
const char* const kTypeNames[kTypes] = {"i32le", "i16be", "i64le", "f64be", "u12in32"};
const char* const kAllocNames[4] = {"default", "early", "late", "incr"};
const char* const kOps[] = {"write_whole", "write_box", "write_strided",   "write_points",
                            "read_box",    "grow",      "shrink",          "reopen",
                            "flush",       "recreate",  "write_chunk_copy"};
constexpr int kOpCount = 11;

/// Values that both 16-bit types and the transform can hold.
constexpr int kMostValue = 100;
constexpr int kUnknown = -1000000;

struct Plan {
  int filter, type, memory, ndims, alloc, fill_time, fill;  // fill: 0 default, 1 user, 2 undefined
  int cache, libver, transform, edge, max;                  // max: 0 fixed, 1 one unlimited, 2 all
  std::vector<hsize_t> dims, most, chunk;
  int sessions;
};

Plan make_plan(Random& random) {
  Plan p{};
  p.filter = static_cast<int>(random.pick(0, kFilters - 1));
  p.type = static_cast<int>(random.pick(0, kTypes - 1));
  p.memory = static_cast<int>(random.pick(0, 3));
  p.ndims = static_cast<int>(random.pick(1, 3));
  p.alloc = static_cast<int>(random.pick(0, 3));
  p.fill_time = static_cast<int>(random.pick(0, 2));
  p.fill = random.chance(15) ? 2 : static_cast<int>(random.pick(0, 1));
  if (p.fill == 2 && p.fill_time == H5D_FILL_TIME_ALLOC) p.fill_time = H5D_FILL_TIME_IFSET;
  p.cache = static_cast<int>(random.pick(0, 3));
  p.libver = static_cast<int>(random.pick(0, 1));
  p.transform = random.chance(25);
  p.edge = random.chance(25);
  p.max = static_cast<int>(random.pick(0, 2));
  const hsize_t most = p.ndims == 1 ? 60 : p.ndims == 2 ? 16 : 8;
  for (int d = 0; d < p.ndims; ++d) {
    p.most.push_back(random.pick(2, most));
    p.dims.push_back(random.pick(1, p.most.back()));
    p.chunk.push_back(random.pick(1, random.chance(50) ? p.dims.back() : p.most.back()));
  }
  if (p.max == 0 && random.chance(60)) p.most = p.dims;  // born with its full size
  for (std::size_t d = 0; d < p.chunk.size(); ++d)
    if (p.chunk[d] > p.most[d]) p.chunk[d] = p.most[d];
  if (random.chance(10)) p.chunk = p.dims;  // a single chunk
  hsize_t volume = 1;
  for (hsize_t c : p.chunk) volume *= c;
  if (p.filter == 4 && volume < 4) p.filter = 1;  // szip wants a block of 4 at least
  p.sessions = static_cast<int>(random.pick(2, 4));
  return p;
}

/// All elements that the dataset may ever have; kUnknown where the file may hold anything.
class Model {
 public:
  Model(const Plan& plan, int fill) : most_(plan.most), fill_(fill) { reset(plan.dims); }
  void reset(const std::vector<hsize_t>& dims) {
    std::size_t n = 1;
    for (hsize_t m : most_) n *= m;
    data_.assign(n, fill_);
    dims_ = dims;
  }
  void resize(const std::vector<hsize_t>& dims) {
    std::vector<hsize_t> at(most_.size(), 0);
    dims_ = dims;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      for (std::size_t d = 0; d < at.size(); ++d)
        if (at[d] >= dims_[d]) data_[i] = fill_;
      for (std::size_t d = at.size(); d-- > 0 && ++at[d] == most_[d];) at[d] = 0;
    }
  }
  int& at(const std::vector<hsize_t>& point) {
    std::size_t n = 0;
    for (std::size_t d = 0; d < most_.size(); ++d) n = n * most_[d] + point[d];
    return data_[n];
  }
  [[nodiscard]] const std::vector<hsize_t>& dims() const { return dims_; }

 private:
  std::vector<hsize_t> most_, dims_;
  std::vector<int> data_;
  int fill_;
};

void die(const char* what) {
  std::fprintf(stderr, "failed: %s\n", what);
  H5Eprint2(H5E_DEFAULT, stderr);
  std::exit(1);
}
template <class T>
T need(T value, const char* what) {
  if (value < 0) die(what);
  return value;
}

hid_t file_type(int type) {
  switch (type) {
    case 0: return H5Tcopy(H5T_STD_I32LE);
    case 1: return H5Tcopy(H5T_STD_I16BE);
    case 2: return H5Tcopy(H5T_STD_I64LE);
    case 3: return H5Tcopy(H5T_IEEE_F64BE);
    default: {
      hid_t id = H5Tcopy(H5T_STD_U32LE);
      H5Tset_precision(id, 12);
      H5Tset_offset(id, 3);
      return id;
    }
  }
}

/// Numbers in the application's memory type.
class Numbers {
 public:
  explicit Numbers(int memory) : memory_(memory) {}
  [[nodiscard]] hid_t type() const {
    const hid_t types[] = {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE, H5T_NATIVE_SHORT, H5T_NATIVE_LLONG};
    return types[memory_];
  }
  [[nodiscard]] std::size_t size() const {
    const std::size_t sizes[] = {sizeof(int), sizeof(double), sizeof(short), sizeof(long long)};
    return sizes[memory_];
  }
  void resize(std::size_t n) { bytes_.assign((n + 1) * size(), 0x5A); }
  void* data() { return bytes_.data(); }
  void set(std::size_t i, int value) {
    switch (memory_) {
      case 0: put(i, value); break;
      case 1: put(i, static_cast<double>(value)); break;
      case 2: put(i, static_cast<short>(value)); break;
      default: put(i, static_cast<long long>(value));
    }
  }
  [[nodiscard]] long long get(std::size_t i) const {
    switch (memory_) {
      case 0: return take<int>(i);
      case 1: return static_cast<long long>(take<double>(i));
      case 2: return take<short>(i);
      default: return take<long long>(i);
    }
  }

 private:
  template <class T>
  void put(std::size_t i, T v) {
    std::memcpy(bytes_.data() + i * sizeof v, &v, sizeof v);
  }
  template <class T>
  [[nodiscard]] T take(std::size_t i) const {
    T v;
    std::memcpy(&v, bytes_.data() + i * sizeof v, sizeof v);
    return v;
  }
  int memory_;
  std::vector<unsigned char> bytes_;
};

void add_filters(hid_t dcpl, int filter) {
  const bool shuffle = filter == 2 || filter == 8;
  const bool deflate = filter == 1 || filter == 2 || filter == 7 || filter == 8;
  const bool fletcher = filter == 3 || filter == 7 || filter == 8;
  if (shuffle) need(H5Pset_shuffle(dcpl), "shuffle");
  if (deflate) need(H5Pset_deflate(dcpl, 5), "deflate");
  if (filter == 4) need(H5Pset_szip(dcpl, H5_SZIP_NN_OPTION_MASK, 4), "szip");
  if (filter == 5) need(H5Pset_nbit(dcpl), "nbit");
  if (filter == 6) need(H5Pset_scaleoffset(dcpl, H5Z_SO_INT, H5Z_SO_INT_MINBITS_DEFAULT), "so");
  if (fletcher) need(H5Pset_fletcher32(dcpl), "fletcher32");
}

class Life {
 public:
  Life(Plan plan, std::uint64_t seed, const char* file)
      : plan_(std::move(plan)),
        random_(seed ^ 0xABCDEF),
        path_(file),
        numbers_(plan_.memory),
        fill_value_(7),
        model_(plan_, fill_in_model()) {}

  /// What an element is that nobody wrote.
  [[nodiscard]] int fill_in_model() const {
    if (plan_.fill == 2 || plan_.fill_time == H5D_FILL_TIME_NEVER) return kUnknown;
    // libhdf5 1.10.8 transforms the fill value of chunks that exist, and no other.
    if (plan_.transform != 0) return kUnknown;
    return plan_.fill == 1 ? 7 : 0;
  }

  void session(int number, bool real) {
    real_ = real;
    if (real_) open(number == 0);
    const int ops = static_cast<int>(random_.pick(3, 9));
    for (int i = 0; i < ops; ++i) operate();
    if (real_) close();
  }
  void check() {
    real_ = true;
    open(false);
    std::vector<hsize_t> start(model_.dims().size(), 0);
    read(start, model_.dims());
    // And chunk by chunk, which goes another way through the cache.
    for (int i = 0; i < 5; ++i) read_box();
    close();
  }
  [[nodiscard]] const int* counts() const { return counts_; }
  bool defect = false;

 private:
  hid_t access() {
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    if (plan_.libver == 1) H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
    return fapl;
  }
  hid_t dataset_access() {
    hid_t dapl = H5Pcreate(H5P_DATASET_ACCESS);
    if (plan_.cache == 1) H5Pset_chunk_cache(dapl, 0, 0, 0.75);
    if (plan_.cache == 2) H5Pset_chunk_cache(dapl, 3, 400, 0.5);
    if (plan_.cache == 3) H5Pset_chunk_cache(dapl, 521, 3000, 1.0);
    return dapl;
  }
  void open(bool make) {
    hid_t fapl = access();
    file_ = make ? H5Fcreate(path_, H5F_ACC_TRUNC, H5P_DEFAULT, fapl)
                 : H5Fopen(path_, H5F_ACC_RDWR, fapl);
    need(file_, "file");
    H5Pclose(fapl);
    if (make)
      create();
    else
      open_dataset();
  }
  void open_dataset() {
    hid_t dapl = dataset_access();
    dataset_ = need(H5Dopen2(file_, "d", dapl), "H5Dopen2");
    H5Pclose(dapl);
  }
  void create() {
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    need(H5Pset_chunk(dcpl, plan_.ndims, plan_.chunk.data()), "chunk");
    add_filters(dcpl, plan_.filter);
    const H5D_alloc_time_t times[] = {H5D_ALLOC_TIME_DEFAULT, H5D_ALLOC_TIME_EARLY,
                                      H5D_ALLOC_TIME_LATE, H5D_ALLOC_TIME_INCR};
    need(H5Pset_alloc_time(dcpl, times[plan_.alloc]), "alloc");
    need(H5Pset_fill_time(dcpl, static_cast<H5D_fill_time_t>(plan_.fill_time)), "fill time");
    if (plan_.fill == 1) need(H5Pset_fill_value(dcpl, H5T_NATIVE_INT, &fill_value_), "fill");
    if (plan_.fill == 2) need(H5Pset_fill_value(dcpl, H5T_NATIVE_INT, nullptr), "fill");
    if (plan_.edge) need(H5Pset_chunk_opts(dcpl, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS), "opts");
    std::vector<hsize_t> most = plan_.most;
    if (plan_.max == 1) most[0] = H5S_UNLIMITED;
    if (plan_.max == 2)
      for (hsize_t& m : most) m = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(plan_.ndims, model_.dims().data(), most.data());
    hid_t type = file_type(plan_.type);
    hid_t dapl = dataset_access();
    dataset_ = need(H5Dcreate2(file_, "d", type, space, H5P_DEFAULT, dcpl, dapl), "H5Dcreate2");
    H5Pclose(dapl);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(dcpl);
  }
  void close() {
    need(H5Dclose(dataset_), "H5Dclose");
    need(H5Fclose(file_), "H5Fclose");
  }

  void operate() {
    const int op = static_cast<int>(random_.pick(0, kOpCount - 1));
    if (op == 9 && random_.chance(60)) return operate();
    ++counts_[op];
    switch (op) {
      case 0: return write(std::vector<hsize_t>(model_.dims().size(), 0), model_.dims());
      case 1: return write_box();
      case 2: return write_strided();
      case 3: return write_points();
      case 4: return read_box();
      case 5:
      case 6: return resize(op == 5);
      case 7:
        if (real_) {
          need(H5Dclose(dataset_), "H5Dclose");
          open_dataset();
        }
        return;
      case 8:
        if (real_) need(H5Fflush(file_, H5F_SCOPE_LOCAL), "H5Fflush");
        return;
      case 9: return recreate();
      default: return copy_chunk();
    }
  }

  bool random_box(std::vector<hsize_t>& start, std::vector<hsize_t>& count) {
    bool some = true;
    for (hsize_t n : model_.dims()) {
      start.push_back(n == 0 ? 0 : random_.pick(0, n - 1));
      count.push_back(n == 0 ? 0 : random_.pick(1, n - start.back()));
      some = some && n > 0;
    }
    return some;
  }
  void write_box() {
    std::vector<hsize_t> start, count;
    if (random_box(start, count)) write(start, count);
  }
  void read_box() {
    std::vector<hsize_t> start, count;
    if (random_box(start, count)) read(start, count);
  }
  int value() { return static_cast<int>(random_.pick(0, kMostValue)); }
  /// What the file gets where the program has `value`.
  [[nodiscard]] int stored(int value) const { return plan_.transform != 0 ? 2 * value + 1 : value; }

  template <class F>
  static void each(const std::vector<hsize_t>& count, F&& f) {
    for (hsize_t n : count)
      if (n == 0) return;
    std::vector<hsize_t> at(count.size(), 0);
    for (;;) {
      f(at);
      std::size_t d = at.size();
      while (d > 0 && ++at[d - 1] == count[d - 1]) at[--d] = 0;
      if (d == 0) return;
    }
  }

  void write(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count) {
    std::vector<hsize_t> stride(start.size(), 1);
    write_slab(start, stride, count);
  }
  void write_strided() {
    std::vector<hsize_t> start, count, stride;
    if (!random_box(start, count)) return;
    for (std::size_t d = 0; d < start.size(); ++d) {
      stride.push_back(random_.pick(1, 3));
      count[d] = (count[d] - 1) / stride[d] + 1;
    }
    write_slab(start, stride, count);
  }
  void write_slab(const std::vector<hsize_t>& start, const std::vector<hsize_t>& stride,
                  const std::vector<hsize_t>& count) {
    std::size_t n = 1;
    for (hsize_t c : count) n *= c;
    if (n == 0) return;
    numbers_.resize(n);
    std::size_t i = 0;
    each(count, [&](const std::vector<hsize_t>& at) {
      std::vector<hsize_t> where = start;
      for (std::size_t d = 0; d < at.size(); ++d) where[d] += at[d] * stride[d];
      const int v = value();
      numbers_.set(i++, v);
      model_.at(where) = stored(v);
    });
    if (!real_) return;
    hid_t space = H5Dget_space(dataset_);
    need(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), stride.data(), count.data(),
                             nullptr),
         "slab");
    move(space, n, true);
  }
  void write_points() {
    for (hsize_t d : model_.dims())
      if (d == 0) return;
    const std::size_t n = random_.pick(1, 12);
    std::vector<hsize_t> points;
    numbers_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<hsize_t> at;
      for (hsize_t d : model_.dims()) at.push_back(random_.pick(0, d - 1));
      const int v = value();
      bool again = false;  // the order of repeated points is nobody's promise
      for (std::size_t k = 0; k + at.size() <= points.size(); k += at.size())
        again = again || std::memcmp(&points[k], at.data(), at.size() * sizeof(hsize_t)) == 0;
      if (again) continue;
      numbers_.set(points.size() / at.size(), v);
      model_.at(at) = stored(v);
      points.insert(points.end(), at.begin(), at.end());
    }
    if (!real_) return;
    hid_t space = H5Dget_space(dataset_);
    const std::size_t have = points.size() / model_.dims().size();
    need(H5Sselect_elements(space, H5S_SELECT_SET, have, points.data()), "points");
    move(space, have, true);
  }
  void read(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count) {
    std::size_t n = 1;
    for (hsize_t c : count) n *= c;
    if (!real_ || n == 0) return;
    // Without fill value and without space there is nothing to read, says libhdf5.
    if (plan_.fill == 2 && H5Dget_storage_size(dataset_) == 0) return;
    numbers_.resize(n);
    hid_t space = H5Dget_space(dataset_);
    need(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
         "slab");
    move(space, n, false);
    std::size_t i = 0;
    each(count, [&](const std::vector<hsize_t>& at) {
      std::vector<hsize_t> where = start;
      for (std::size_t d = 0; d < at.size(); ++d) where[d] += at[d];
      const int wanted = model_.at(where);
      const long long have = numbers_.get(i++);
      if (wanted == kUnknown || have == stored(wanted)) return;
      std::printf("wrong at");
      for (hsize_t w : where) std::printf(" %llu", static_cast<unsigned long long>(w));
      std::printf(": %lld, not %d\n", have, stored(wanted));
      std::exit(1);
    });
  }
  void move(hid_t space, std::size_t n, bool writes) {
    hsize_t length = n;
    hid_t memory = H5Screate_simple(1, &length, nullptr);
    hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
    if (plan_.transform != 0) need(H5Pset_data_transform(dxpl, "2*x+1"), "transform");
    if (writes)
      need(H5Dwrite(dataset_, numbers_.type(), memory, space, dxpl, numbers_.data()), "H5Dwrite");
    else
      need(H5Dread(dataset_, numbers_.type(), memory, space, dxpl, numbers_.data()), "H5Dread");
    H5Pclose(dxpl);
    H5Sclose(memory);
    H5Sclose(space);
  }

  void resize(bool grow) {
    std::vector<hsize_t> dims = model_.dims();
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (random_.chance(30)) continue;
      dims[d] = grow ? random_.pick(dims[d], plan_.most[d])
                     : random_.pick(random_.chance(90) ? 1 : 0, dims[d] > 0 ? dims[d] : 1);
      dims[d] = dims[d] > plan_.most[d] ? plan_.most[d] : dims[d];
    }
    model_.resize(dims);
    if (real_) need(H5Dset_extent(dataset_, dims.data()), "H5Dset_extent");
    if (defect) std::swap(model_.at(std::vector<hsize_t>(dims.size(), 0)), fill_value_);
  }
  void recreate() {
    model_.reset(plan_.dims);
    if (!real_) return;
    need(H5Dclose(dataset_), "H5Dclose");
    need(H5Ldelete(file_, "d", H5P_DEFAULT), "H5Ldelete");
    create();
  }
  /// Reads a chunk as it is stored and writes it back: nothing changes.
  void copy_chunk() {
    for (hsize_t d : model_.dims())
      if (d == 0) return;
    std::vector<hsize_t> at;
    for (std::size_t d = 0; d < model_.dims().size(); ++d)
      at.push_back(random_.pick(0, (model_.dims()[d] - 1) / plan_.chunk[d]) * plan_.chunk[d]);
    if (!real_) return;
    hsize_t size = 0;
    haddr_t address = HADDR_UNDEF;
    unsigned mask = 0;
    need(H5Dget_chunk_info_by_coord(dataset_, at.data(), &mask, &address, &size), "chunk info");
    if (address == HADDR_UNDEF) return;
    std::vector<unsigned char> bytes(size);
    std::uint32_t same = 0;
    need(H5Dread_chunk(dataset_, H5P_DEFAULT, at.data(), &same, bytes.data()), "H5Dread_chunk");
    if (same != mask) die("two masks of one chunk");
    need(H5Dwrite_chunk(dataset_, H5P_DEFAULT, mask, at.data(), size, bytes.data()),
         "H5Dwrite_chunk");
  }

  Plan plan_;
  Random random_;
  const char* path_;
  Numbers numbers_;
  int fill_value_;
  Model model_;
  bool real_ = false;
  hid_t file_ = -1, dataset_ = -1;
  int counts_[kOpCount] = {};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  Random random(seed);
  Plan plan = make_plan(random);
  const int first = std::atoi(argv[2]);
  const int last = std::atoi(argv[3]) < plan.sessions ? std::atoi(argv[3]) : plan.sessions;
  Life life(plan, seed, argv[4]);
  life.defect = argc > 5;
  for (int i = 0; i < last; ++i) life.session(i, i >= first);
  life.check();
  std::printf(
      "case sessions=%d filter=%s type=%s ndims=%d alloc=%s fill=%d fill_time=%d cache=%d "
      "libver=%d transform=%d edge=%d max=%d memory=%d",
      plan.sessions, kFilterNames[plan.filter], kTypeNames[plan.type], plan.ndims,
      kAllocNames[plan.alloc], plan.fill, plan.fill_time, plan.cache, plan.libver, plan.transform,
      plan.edge, plan.max, plan.memory);
  for (int i = 0; i < kOpCount; ++i)
    if (life.counts()[i] > 0) std::printf(" op=%s", kOps[i]);
  std::printf("\n");
  return 0;
}
