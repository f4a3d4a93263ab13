// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: modules H5FD and H5P: drivers that the library does not have. Calls say so.

#include "lib/api_entry.hpp"

using namespace pcio;

namespace {

Status not_there(const char* driver, const char* why) {
  return PCIO_ERROR(VFL, UNSUPPORTED,
                    std::string("the driver \"") + driver + "\" is not there: " + why);
}

hid_t no_id(const char* function, const char* driver, const char* why) {
  return api_id(function,
                [&]() -> Result<hid_t> { return detail::StatusReturn(not_there(driver, why)); });
}

herr_t no_driver(const char* function, const char* driver, const char* why) {
  return api_status(function, [&]() -> Status { return not_there(driver, why); });
}

constexpr const char* kTwice = "the library does not write two files at once";
constexpr const char* kDirect = "the library was built without direct I/O";
constexpr const char* kHdfs = "the library was built without libhdfs";
constexpr const char* kRos3 = "the library was built without S3";
constexpr const char* kMirror = "the library does not write on other machines";
constexpr const char* kWindows = "this is not Windows";

}  // namespace

hid_t H5FD_splitter_init(void) { return no_id("H5FD_splitter_init", "splitter", kTwice); }

herr_t H5Pset_fapl_splitter(hid_t, H5FD_splitter_vfd_config_t*) {
  return no_driver("H5Pset_fapl_splitter", "splitter", kTwice);
}

herr_t H5Pget_fapl_splitter(hid_t, H5FD_splitter_vfd_config_t*) {
  return no_driver("H5Pget_fapl_splitter", "splitter", kTwice);
}

hid_t H5FD_direct_init(void) { return no_id("H5FD_direct_init", "direct", kDirect); }

herr_t H5Pset_fapl_direct(hid_t, size_t, size_t, size_t) {
  return no_driver("H5Pset_fapl_direct", "direct", kDirect);
}

herr_t H5Pget_fapl_direct(hid_t, size_t*, size_t*, size_t*) {
  return no_driver("H5Pget_fapl_direct", "direct", kDirect);
}

hid_t H5FD_hdfs_init(void) { return no_id("H5FD_hdfs_init", "hdfs", kHdfs); }

herr_t H5Pset_fapl_hdfs(hid_t, H5FD_hdfs_fapl_t*) {
  return no_driver("H5Pset_fapl_hdfs", "hdfs", kHdfs);
}

herr_t H5Pget_fapl_hdfs(hid_t, H5FD_hdfs_fapl_t*) {
  return no_driver("H5Pget_fapl_hdfs", "hdfs", kHdfs);
}

hid_t H5FD_ros3_init(void) { return no_id("H5FD_ros3_init", "ros3", kRos3); }

herr_t H5Pset_fapl_ros3(hid_t, H5FD_ros3_fapl_t*) {
  return no_driver("H5Pset_fapl_ros3", "ros3", kRos3);
}

herr_t H5Pget_fapl_ros3(hid_t, H5FD_ros3_fapl_t*) {
  return no_driver("H5Pget_fapl_ros3", "ros3", kRos3);
}

hid_t H5FD_mirror_init(void) { return no_id("H5FD_mirror_init", "mirror", kMirror); }

herr_t H5Pset_fapl_mirror(hid_t, H5FD_mirror_fapl_t*) {
  return no_driver("H5Pset_fapl_mirror", "mirror", kMirror);
}

herr_t H5Pget_fapl_mirror(hid_t, H5FD_mirror_fapl_t*) {
  return no_driver("H5Pget_fapl_mirror", "mirror", kMirror);
}

herr_t H5Pset_fapl_windows(hid_t) { return no_driver("H5Pset_fapl_windows", "windows", kWindows); }
