// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Classes, properties and id types of programs: what test/oracle compares with libhdf5 is not here, but
// that nothing is lost, that bad arguments are told by name, and where libhdf5 is not a model.

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

/// Values that live on the heap: each that a function of a property makes must be freed by another.
struct Heap {
  int alive = 0;
};
Heap heap;

herr_t make_text(const char*, size_t, void* value) {
  auto** text = static_cast<char**>(value);
  *text = strdup(*text != nullptr ? *text : "default");
  ++heap.alive;
  return 0;
}
herr_t take_text(hid_t, const char* name, size_t size, void* value) {
  return make_text(name, size, value);
}
herr_t free_text(const char*, size_t, void* value) {
  // The class's own value, which none of these has made, is ended too where a copy fails.
  char* const text = *static_cast<char**>(value);
  if (text != nullptr) --heap.alive;
  std::free(text);
  return 0;
}
herr_t drop_text(hid_t, const char* name, size_t size, void* value) {
  return free_text(name, size, value);
}
int compare_texts(const void* a, const void* b, size_t) {
  return std::strcmp(*static_cast<char* const*>(a), *static_cast<char* const*>(b));
}

class OwnLists : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    heap = {};
  }
  static hid_t class_with_text(hid_t parent) {
    hid_t cls =
        H5Pcreate_class(parent, "with text", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    char* none = nullptr;
    EXPECT_EQ(H5Pregister2(cls, "text", sizeof none, &none, make_text, take_text, take_text,
                           drop_text, make_text, compare_texts, free_text),
              0);
    return cls;
  }
  static std::string text_in(hid_t list) {
    char* text = nullptr;
    if (H5Pget(list, "text", &text) < 0) return "(none)";
    std::string copy = text;
    std::free(text);
    --heap.alive;  // the get function made a copy for us
    return copy;
  }
};

TEST_F(OwnLists, ValuesOnTheHeapAreFreedWhateverHappensToTheirLists) {
  hid_t cls = class_with_text(H5P_FILE_ACCESS);
  hid_t list = H5Pcreate(cls);
  EXPECT_EQ(text_in(list), "default");
  const char* word = "word";
  ASSERT_EQ(H5Pset(list, "text", &word), 0);
  EXPECT_EQ(text_in(list), "word");
  hid_t copy = H5Pcopy(list);
  EXPECT_GT(H5Pequal(copy, list), 0);
  const char* other = "other";
  ASSERT_EQ(H5Pset(copy, "text", &other), 0);
  EXPECT_EQ(H5Pequal(copy, list), 0);
  EXPECT_EQ(heap.alive, 2);
  ASSERT_EQ(H5Pcopy_prop(copy, list, "text"), 0);
  EXPECT_EQ(text_in(copy), "word") << "libhdf5 1.10.8 loses it";
  EXPECT_GT(H5Pequal(copy, list), 0);
  hid_t plain = H5Pcreate(H5P_ROOT);
  ASSERT_EQ(H5Pcopy_prop(plain, list, "text"), 0);
  EXPECT_EQ(heap.alive, 3);
  EXPECT_EQ(H5Premove(copy, "text"), 0);
  EXPECT_EQ(H5Pexist(copy, "text"), 0);
  for (hid_t each : {list, copy, plain}) EXPECT_EQ(H5Pclose(each), 0);
  EXPECT_EQ(H5Pclose_class(cls), 0);
  EXPECT_EQ(heap.alive, 0);
}

bool refuses = false;
herr_t refuse(const char*, size_t, void*) { return refuses ? -1 : 0; }

TEST_F(OwnLists, ValuesAreFreedOfAListThatIsNotMade) {
  hid_t cls = class_with_text(H5P_ROOT);
  int none = 0;
  ASSERT_EQ(H5Pregister2(cls, "z", sizeof none, &none, refuse, nullptr, nullptr, nullptr, refuse,
                         nullptr, nullptr),
            0);
  refuses = true;
  EXPECT_LT(H5Pcreate(cls), 0);
  EXPECT_EQ(heap.alive, 0);
  refuses = false;
  hid_t list = H5Pcreate(cls);
  EXPECT_EQ(heap.alive, 1);
  refuses = true;
  EXPECT_LT(H5Pcopy(list), 0);
  EXPECT_EQ(heap.alive, 1);
  EXPECT_EQ(text_in(list), "default");
  refuses = false;
  EXPECT_EQ(H5Pclose(list), 0);
  EXPECT_EQ(H5Pclose_class(cls), 0);
  EXPECT_EQ(heap.alive, 0);
}

// A list of a program's class is one of the library's class above it, in every call that takes one.
TEST_F(OwnLists, OpenFilesAndTransferData) {
  hid_t cls = class_with_text(H5P_DATASET_XFER);
  hid_t list = H5Pcreate(cls);
  ASSERT_EQ(H5Pset_buffer(list, 4096, nullptr, nullptr), 0);
  const hsize_t n = 4;
  hid_t space = H5Screate_simple(1, &n, nullptr);
  hid_t data = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const int values[4] = {1, 2, 3, 4};
  EXPECT_EQ(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values), 0) << first_error();
  H5Dclose(data);
  H5Sclose(space);
  hid_t before = H5Pcreate(H5P_DATASET_XFER);
  int mine = 5;
  ASSERT_EQ(H5Pregister2(H5P_DATASET_XFER, "mine", sizeof mine, &mine, nullptr, nullptr, nullptr,
                         nullptr, nullptr, nullptr, nullptr),
            0);
  EXPECT_EQ(H5Pset_buffer(before, 4096, nullptr, nullptr), 0)
      << "libhdf5 1.10.8 takes it for another class";
  EXPECT_GT(H5Pisa_class(before, H5P_DATASET_XFER), 0);
  EXPECT_EQ(H5Pexist(before, "mine"), 0);
  EXPECT_EQ(H5Punregister(H5P_DATASET_XFER, "mine"), 0);
  H5Pclose(before);
  H5Pclose(list);
  H5Pclose_class(cls);
  EXPECT_EQ(heap.alive, 0);
}

TEST_F(OwnLists, DefaultListsNeverChange) {
  int value = 1;
  EXPECT_LT(H5Pinsert2(H5P_FILE_ACCESS_DEFAULT, "x", sizeof value, &value, nullptr, nullptr,
                       nullptr, nullptr, nullptr, nullptr),
            0);
  EXPECT_EQ(first_error(), "argument plist_id: can't set values in a default property list");
  EXPECT_LT(H5Premove(H5P_FILE_ACCESS_DEFAULT, "align"), 0);
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  EXPECT_LT(H5Pcopy_prop(H5P_FILE_ACCESS_DEFAULT, list, "align"), 0);
  EXPECT_EQ(first_error(), "argument dst_id: can't set values in a default property list");
  EXPECT_LT(H5Pcopy_prop(list, list, "nothing"), 0);
  EXPECT_EQ(first_error(), "there is no property 'nothing'");
  H5Pclose(list);
}

TEST_F(OwnLists, ALayoutIsCopiedWithItsMappings) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), copy = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t four = 4;
  hid_t space = H5Screate_simple(1, &four, nullptr);
  ASSERT_EQ(H5Pset_virtual(list, space, "a.h5", "/d", space), 0);
  ASSERT_EQ(H5Pcopy_prop(copy, list, "layout"), 0);
  EXPECT_EQ(H5Pget_layout(copy), H5D_VIRTUAL);
  size_t count = 0;
  EXPECT_EQ(H5Pget_virtual_count(copy, &count), 0);
  EXPECT_EQ(count, 1U);
  H5Sclose(space);
  H5Pclose(list);
  H5Pclose(copy);
}

TEST_F(OwnLists, ValuesThatASetterRefusesAreRefusedByNameToo) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  const hsize_t zero = 0;
  EXPECT_LT(H5Pset(list, "align", &zero), 0);
  EXPECT_EQ(first_error(), "property 'align' can't have this value");
  const int bound = 77;
  EXPECT_LT(H5Pset(list, "libver_low_bound", &bound), 0);
  const hbool_t yes = true;
  EXPECT_EQ(H5Pset(list, "clear_status_flags", &yes), 0) << "as h5clear does";
  hbool_t got = false;
  EXPECT_EQ(H5Pget(list, "clear_status_flags", &got), 0);
  EXPECT_TRUE(got);
  H5Pclose(list);
}

TEST_F(OwnLists, DamagedBytesOfAListAreRefused) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[2] = {10, 20};
  H5Pset_chunk(list, 2, chunk);
  H5Pset_deflate(list, 4);
  const int fill = 7;
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  std::size_t size = 0;
  ASSERT_EQ(H5Pencode(list, nullptr, &size), 0);
  std::vector<unsigned char> bytes(size);
  ASSERT_EQ(H5Pencode(list, bytes.data(), &size), 0);
  int refused = 0;
  int read = 0;
  // Behind the damaged bytes there is room: they say themselves where they end.
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<unsigned char> damaged = bytes;
    damaged[i] = static_cast<unsigned char>(damaged[i] + 1 + i % 3);
    damaged.resize(size + (std::size_t{4} << 20));
    hid_t back = H5Pdecode(damaged.data());
    ++(back < 0 ? refused : read);
    if (back >= 0) H5Pclose(back);
  }
  EXPECT_GT(refused, static_cast<int>(size) / 3);
  EXPECT_GT(read, 0);
  hid_t back = H5Pdecode(bytes.data());
  ASSERT_GT(back, 0) << first_error();
  EXPECT_GT(H5Pequal(back, list), 0);
  H5Pclose(back);
  H5Pclose(list);
}

TEST_F(OwnLists, OldFormsHaveNoComparison) {
  hid_t cls =
      H5Pcreate_class(H5P_ROOT, "old", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  int value = 3;
  EXPECT_EQ(H5Pregister1(cls, "a", sizeof value, &value, nullptr, nullptr, nullptr, nullptr,
                         nullptr, nullptr),
            0);
  hid_t list = H5Pcreate(cls);
  EXPECT_EQ(
      H5Pinsert1(list, "b", sizeof value, &value, nullptr, nullptr, nullptr, nullptr, nullptr), 0);
  std::size_t n = 0;
  EXPECT_EQ(H5Pget_nprops(list, &n), 0);
  EXPECT_EQ(n, 2u);
  H5Pclose(list);
  H5Pclose_class(cls);
}

// ---- id types ----------------------------------------------------------------------------------

int is_key(void* object, hid_t, void* key) {
  return std::strcmp(static_cast<char*>(object), static_cast<char*>(key)) == 0 ? 1 : 0;
}
int fails(void*, hid_t, void*) { return -1; }

TEST_F(OwnLists, ObjectsOfAProgramAreFound) {
  H5I_type_t type = H5Iregister_type(0, 0, nullptr);
  char one[] = "one", two[] = "two", three[] = "three";
  for (char* each : {one, two, three}) ASSERT_GT(H5Iregister(type, each), 0);
  EXPECT_EQ(H5Isearch(type, is_key, two), two) << "libhdf5 1.10.8 looks at the first one only";
  char none[] = "none";
  EXPECT_EQ(H5Isearch(type, is_key, none), nullptr);
  EXPECT_EQ(H5Isearch(type, fails, two), nullptr);
  EXPECT_EQ(first_error(), "the program's search function failed");
  EXPECT_EQ(H5Isearch(type, nullptr, two), nullptr);
  EXPECT_EQ(first_error(), "argument func: NULL");
  EXPECT_EQ(H5Isearch(H5I_DATASET, is_key, two), nullptr);
  EXPECT_EQ(first_error(), "argument type: a type of the library, not of the program");
  EXPECT_EQ(H5Iobject_verify(file, type), nullptr);
  hid_t nothing = H5Iregister(type, nullptr);
  EXPECT_EQ(H5Idec_ref(nothing), 0);
  EXPECT_EQ(H5Idestroy_type(type), 0);
  EXPECT_LT(H5Iregister(type, one), 0);
  EXPECT_EQ(first_error(), "argument type: no such id type");
}

// ---- files -------------------------------------------------------------------------------------

herr_t count_flush(hid_t object, void* count) {
  EXPECT_EQ(H5Iget_type(object), H5I_DATASET);
  ++*static_cast<int*>(count);
  return 0;
}

TEST_F(OwnLists, SettingsOfOpenFiles) {
  hbool_t hint = true;
  EXPECT_EQ(H5Fget_dset_no_attrs_hint(file, &hint), 0);
  EXPECT_FALSE(hint);
  EXPECT_EQ(H5Fset_dset_no_attrs_hint(file, true), 0);
  EXPECT_EQ(H5Fget_dset_no_attrs_hint(file, &hint), 0);
  EXPECT_TRUE(hint);
  EXPECT_LT(H5Fget_dset_no_attrs_hint(file, nullptr), 0);
  EXPECT_EQ(first_error(), "argument minimize: NULL");
  EXPECT_LT(H5Fset_dset_no_attrs_hint(-1, true), 0);

  haddr_t before = 0;
  haddr_t after = 0;
  H5Fget_eoa(file, &before);
  EXPECT_EQ(H5Fincrement_filesize(file, 100000), 0) << first_error();
  EXPECT_EQ(H5Fincrement_filesize(file, 0), 0);
  H5Fget_eoa(file, &after);
  EXPECT_EQ(after, before + 100000);
  EXPECT_LT(H5Fincrement_filesize(H5S_ALL, 1), 0);

  EXPECT_EQ(H5Fset_latest_format(file, true), 0);
  hid_t group = H5Gcreate2(file, "new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GT(group, 0);
  H5Gclose(group);
  EXPECT_EQ(H5Fset_latest_format(file, false), 0);
  EXPECT_LT(H5Fset_latest_format(-1, false), 0);

  EXPECT_LT(H5Fstart_swmr_write(file), 0);
  EXPECT_NE(first_error().find("single-writer"), std::string::npos);
  EXPECT_EQ(H5Fformat_convert(file), 0);
  EXPECT_LT(H5Fformat_convert(-1), 0);
  reopen();
  group = H5Gopen2(file, "new", H5P_DEFAULT);
  EXPECT_GT(group, 0) << first_error();
  H5Gclose(group);
}

TEST_F(OwnLists, CachesAndBuffersThatThereAreNot) {
  hbool_t enabled = true;
  hbool_t running = true;
  EXPECT_EQ(H5Fget_mdc_logging_status(file, &enabled, &running), 0);
  EXPECT_FALSE(enabled || running);
  EXPECT_LT(H5Fstart_mdc_logging(file), 0);
  EXPECT_LT(H5Fstop_mdc_logging(file), 0);
  unsigned n[5][2];
  EXPECT_LT(H5Fget_page_buffering_stats(file, n[0], n[1], n[2], n[3], n[4]), 0);
  EXPECT_LT(H5Fget_page_buffering_stats(file, n[0], n[1], n[2], n[3], nullptr), 0);
  EXPECT_EQ(first_error(), "argument bypasses: NULL");
  EXPECT_LT(H5Freset_page_buffering_stats(file), 0);
  H5F_retry_info_t info;
  std::memset(&info, 0x55, sizeof info);
  EXPECT_EQ(H5Fget_metadata_read_retry_info(file, &info), 0);
  EXPECT_EQ(info.nbins, 0u);
  EXPECT_EQ(info.retries[20], nullptr);
  EXPECT_LT(H5Fget_metadata_read_retry_info(file, nullptr), 0);
  haddr_t address = 1;
  hsize_t size = 1;
  EXPECT_EQ(H5Fget_mdc_image_info(file, &address, &size), 0);
  EXPECT_EQ(address, HADDR_UNDEF);
  EXPECT_EQ(size, 0u);
  EXPECT_LT(H5Fget_mdc_image_info(file, nullptr, nullptr), 0);
  H5_alloc_stats_t stats;
  std::memset(&stats, 0x55, sizeof stats);
  EXPECT_EQ(H5get_alloc_stats(&stats), 0);
  EXPECT_EQ(stats.peak_alloc_bytes, 0u);
  EXPECT_EQ(H5get_alloc_stats(nullptr), 0);
  std::size_t lists[4] = {1, 1, 1, 1};
  EXPECT_EQ(H5get_free_list_sizes(&lists[0], &lists[1], &lists[2], &lists[3]), 0);
  EXPECT_EQ(lists[0] + lists[1] + lists[2] + lists[3], 0u);
  EXPECT_EQ(H5get_free_list_sizes(nullptr, nullptr, nullptr, nullptr), 0);
}

TEST_F(OwnLists, AccessListsWithLogBufferAndFlushFunction) {
  const std::string log = path() + ".log";
  const std::string second_path = path() + ".second";
  int flushes = 0;
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  ASSERT_EQ(H5Pset_mdc_log_options(fapl, true, log.c_str(), false), 0);
  ASSERT_EQ(H5Pset_page_buffer_size(fapl, 65536, 0, 0), 0);
  ASSERT_EQ(H5Pset_metadata_read_attempts(fapl, 100), 0);
  ASSERT_EQ(H5Pset_object_flush_cb(fapl, count_flush, &flushes), 0);
  EXPECT_LT(H5Pset_object_flush_cb(fapl, nullptr, &flushes), 0);
  H5F_flush_cb_t function = nullptr;
  void* data = nullptr;
  EXPECT_EQ(H5Pget_object_flush_cb(fapl, &function, &data), 0);
  EXPECT_EQ(function, count_flush);
  EXPECT_EQ(data, &flushes);
  hid_t fcpl = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_PAGE, false, 1);
  hid_t second = H5Fcreate(second_path.c_str(), H5F_ACC_TRUNC, fcpl, fapl);
  H5Pclose(fcpl);
  ASSERT_GT(second, 0) << first_error();
  EXPECT_EQ(H5Fstart_mdc_logging(second), 0);
  hbool_t enabled = false;
  hbool_t running = false;
  EXPECT_EQ(H5Fget_mdc_logging_status(second, &enabled, &running), 0);
  EXPECT_TRUE(enabled && running);
  EXPECT_EQ(H5Fstop_mdc_logging(second), 0);
  EXPECT_LT(H5Fstop_mdc_logging(second), 0);
  unsigned n[5][2] = {{9, 9}, {9, 9}, {9, 9}, {9, 9}, {9, 9}};
  EXPECT_EQ(H5Fget_page_buffering_stats(second, n[0], n[1], n[2], n[3], n[4]), 0);
  EXPECT_EQ(n[0][0] + n[4][1], 0u);
  EXPECT_EQ(H5Freset_page_buffering_stats(second), 0);
  H5F_retry_info_t info;
  EXPECT_EQ(H5Fget_metadata_read_retry_info(second, &info), 0);
  EXPECT_EQ(info.nbins, 2u);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(second, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(H5Dflush(set), 0);
  EXPECT_EQ(H5Oflush(set), 0);
  EXPECT_EQ(H5Fflush(second, H5F_SCOPE_LOCAL), 0);
  EXPECT_EQ(flushes, 2);
  EXPECT_EQ(H5Dformat_convert(set), 0) << "no chunks";
  EXPECT_LT(H5Dformat_convert(second), 0);
  EXPECT_LT(H5Ddebug(second), 0);
  testing::internal::CaptureStdout();
  EXPECT_EQ(H5Ddebug(set), 0);
  std::fflush(stdout);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("Address:"), std::string::npos);
  H5Dclose(set);
  H5Sclose(space);
  EXPECT_EQ(H5Fclose(second), 0);
  H5Pclose(fapl);
  std::remove(second_path.c_str());
  EXPECT_EQ(std::remove(log.c_str()), 0);
}

herr_t on_append(hid_t, hsize_t*, void*) { return 0; }

TEST_F(OwnLists, OlderNamesAndGrowth) {
  hid_t fcpl = H5Pcreate(H5P_FILE_CREATE);
  H5F_file_space_type_t type = H5F_FILE_SPACE_DEFAULT;
  hsize_t threshold = 0;
  EXPECT_EQ(H5Pset_file_space(fcpl, H5F_FILE_SPACE_ALL_PERSIST, 7), 0);
  EXPECT_EQ(H5Pset_file_space(fcpl, H5F_FILE_SPACE_DEFAULT, 0), 0);
  EXPECT_EQ(H5Pget_file_space(fcpl, &type, &threshold), 0);
  EXPECT_EQ(type, H5F_FILE_SPACE_ALL_PERSIST);
  EXPECT_EQ(threshold, 7u);
  EXPECT_LT(H5Pset_file_space(fcpl, number_as<H5F_file_space_type_t>(5), 0), 0);
  EXPECT_EQ(first_error(), "argument strategy: no such strategy");
  H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_PAGE, false, 1);
  EXPECT_LT(H5Pget_file_space(fcpl, &type, &threshold), 0);
  H5Pclose(fcpl);

  hid_t dapl = H5Pcreate(H5P_DATASET_ACCESS);
  const hsize_t boundary[2] = {3, 0};
  H5D_append_cb_t function = on_append;
  EXPECT_EQ(H5Pset_append_flush(dapl, 2, boundary, function, &heap), 0);
  EXPECT_LT(H5Pset_append_flush(dapl, 0, boundary, function, &heap), 0);
  EXPECT_EQ(first_error(), "argument ndims: not between 1 and 32");
  EXPECT_LT(H5Pset_append_flush(dapl, 1, nullptr, function, &heap), 0);
  EXPECT_LT(H5Pset_append_flush(dapl, 1, boundary, nullptr, &heap), 0);
  hsize_t got[3] = {9, 9, 9};
  H5D_append_cb_t back = nullptr;
  void* data = nullptr;
  EXPECT_EQ(H5Pget_append_flush(dapl, 3, got, &back, &data), 0);
  EXPECT_EQ(got[0], 3u);
  EXPECT_EQ(got[2], 0u);
  EXPECT_EQ(back, function);
  EXPECT_EQ(data, &heap);
  H5Pclose(dapl);
}

}  // namespace
