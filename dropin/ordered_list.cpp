// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Drop-in, serial flavour: the ordered lists that HDF5's tools take from libhdf5_serial. They are no public
// interface: what the calls do was found by making them. A list belongs to its caller and has no lock.

#include <cstdint>
#include <cstring>
#include <map>
#include <new>

namespace {

using Compare = int (*)(const void*, const void*);

/// How keys are compared, as callers number it.
enum class KeyType {
  kInt = 0,
  kAddress = 1,
  kText = 2,
  kSize64 = 3,
  kUnsigned = 4,
  kSize = 5,
  kObject = 6,
  kId = 7,
  kGeneric = 8
};

/// A file's number and an address in it.
struct ObjectKey {
  std::uint64_t file;
  std::uint64_t address;
};

template <class T>
T value_of(const void* key) {
  T value;
  std::memcpy(&value, key, sizeof value);
  return value;
}

template <class T>
bool is_value_less(const void* a, const void* b) {
  return value_of<T>(a) < value_of<T>(b);
}

bool is_object_less(const void* a, const void* b) {
  auto x = value_of<ObjectKey>(a), y = value_of<ObjectKey>(b);
  return x.file != y.file ? x.file < y.file : x.address < y.address;
}

struct KeyLess {
  KeyType type;
  Compare compare;

  bool operator()(const void* a, const void* b) const {
    switch (type) {
      case KeyType::kInt: return is_value_less<int>(a, b);
      case KeyType::kUnsigned: return is_value_less<unsigned>(a, b);
      case KeyType::kAddress:
      case KeyType::kSize64:
      case KeyType::kSize: return is_value_less<std::uint64_t>(a, b);
      case KeyType::kId: return is_value_less<std::int64_t>(a, b);
      case KeyType::kObject: return is_object_less(a, b);
      case KeyType::kText:
        return std::strcmp(static_cast<const char*>(a), static_cast<const char*>(b)) < 0;
      case KeyType::kGeneric: return compare(a, b) < 0;
    }
    return false;
  }
};

}  // namespace

/// A list: items by keys, which are the caller's memory.
struct H5SL_t {
  std::map<const void*, void*, KeyLess> items;
};

#pragma GCC visibility push(default)
extern "C" {
H5SL_t* H5SL_create(int type, Compare compare);
int H5SL_insert(H5SL_t* list, void* item, const void* key);
void* H5SL_search(H5SL_t* list, const void* key);
int H5SL_destroy(H5SL_t* list, int (*release)(void*, void*, void*), void* data);
}
#pragma GCC visibility pop

H5SL_t* H5SL_create(int type, Compare compare) {
  auto keys = static_cast<KeyType>(type);
  if (type < 0 || keys > KeyType::kGeneric) return nullptr;
  if (keys == KeyType::kGeneric && compare == nullptr) return nullptr;
  return new (std::nothrow) H5SL_t{std::map<const void*, void*, KeyLess>(KeyLess{keys, compare})};
}

/// -1 where the key is in the list already.
int H5SL_insert(H5SL_t* list, void* item, const void* key) {
  if (list == nullptr || item == nullptr || key == nullptr) return -1;
  try {
    return list->items.emplace(key, item).second ? 0 : -1;
  } catch (...) {
    return -1;
  }
}

void* H5SL_search(H5SL_t* list, const void* key) {
  if (list == nullptr || key == nullptr) return nullptr;
  auto found = list->items.find(key);
  return found == list->items.end() ? nullptr : found->second;
}

/// Gives each item to `release`, by ascending keys; what that returns does not matter.
int H5SL_destroy(H5SL_t* list, int (*release)(void*, void*, void*), void* data) {
  if (list == nullptr) return -1;
  if (release != nullptr)
    for (auto& [key, item] : list->items) release(item, const_cast<void*>(key), data);
  delete list;
  return 0;
}
