// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: keep_loaded.

#include "base/keep_loaded.hpp"

#include <dlfcn.h>

namespace pcio {

void keep_loaded(const void* code) {
  Dl_info found{};
  if (code != nullptr && dladdr(code, &found) != 0 && found.dli_fname != nullptr)
    (void)dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace pcio
