// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A driver of the program, whose functions act: files in memory, gone when they are closed.

#include <cstdint>
#include <cstring>
#include <vector>

#include "api/acting_functions.hpp"

namespace acting {

namespace {

constexpr haddr_t kMost = 1 << 22;

struct Memory {
  H5FD_t common;
  std::vector<unsigned char>* bytes;
  haddr_t allocated;
};

Memory* memory_of(H5FD_t* file) { return reinterpret_cast<Memory*>(file); }
const Memory* memory_of(const H5FD_t* file) { return reinterpret_cast<const Memory*>(file); }

H5FD_t* open_memory(const char*, unsigned flags, hid_t, haddr_t) {
  if ((flags & H5F_ACC_CREAT) == 0) return nullptr;
  auto* const file = static_cast<Memory*>(std::calloc(1, sizeof(Memory)));
  file->bytes = new std::vector<unsigned char>;
  return &file->common;
}
herr_t close_memory(H5FD_t* file) {
  Hook::at(kDriverClose);
  delete memory_of(file)->bytes;
  std::free(file);
  return 0;
}
int compare(const H5FD_t* one, const H5FD_t* other) {
  return one == other                                                                      ? 0
         : reinterpret_cast<std::uintptr_t>(one) < reinterpret_cast<std::uintptr_t>(other) ? -1
                                                                                           : 1;
}
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = 0;
  return 0;
}
haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) { return memory_of(file)->allocated; }
herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  memory_of(file)->allocated = end;
  return 0;
}
haddr_t get_end(const H5FD_t* file, H5FD_mem_t) { return memory_of(file)->bytes->size(); }
herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, size_t size, void* buffer) {
  Hook::at(kDriverRead);
  const auto& bytes = *memory_of(file)->bytes;
  std::memset(buffer, 0, size);
  if (at < bytes.size())
    std::memcpy(buffer, bytes.data() + at, std::min<size_t>(size, bytes.size() - at));
  return 0;
}
herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, size_t size, const void* buffer) {
  Hook::at(kDriverWrite);
  auto& bytes = *memory_of(file)->bytes;
  if (at + size > kMost) return -1;
  if (bytes.size() < at + size) bytes.resize(at + size);
  std::memcpy(bytes.data() + at, buffer, size);
  return 0;
}
herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  memory_of(file)->bytes->resize(memory_of(file)->allocated);
  return 0;
}

hid_t driver_id() {
  H5FD_class_t cls;
  static const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_SINGLE;
  std::memset(&cls, 0, sizeof cls);
  cls.name = "acting";
  cls.maxaddr = kMost;
  cls.fc_degree = H5F_CLOSE_WEAK;
  cls.open = open_memory;
  cls.close = close_memory;
  cls.cmp = compare;
  cls.query = query;
  cls.get_eoa = get_allocated;
  cls.set_eoa = set_allocated;
  cls.get_eof = get_end;
  cls.read = read;
  cls.write = write;
  cls.truncate = truncate;
  std::memcpy(cls.fl_map, map, sizeof map);
  return H5FDregister(&cls);
}

}  // namespace

hid_t driver_list() {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS), driver = driver_id();
  H5Pset_driver(list, driver, nullptr);
  // The list has it as long as it lives.
  H5FDunregister(driver);
  return list;
}

}  // namespace acting
