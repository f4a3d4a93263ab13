// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: errno.

#include "base/system_text.hpp"

#include <cerrno>
#include <system_error>

namespace pcio {

std::string system_text(int error) {
  return "errno = " + std::to_string(error) + ", error message = '" +
         std::generic_category().message(error) + "'";
}

bool is_out_of_space(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

bool is_data_loss(int error) {
  return is_out_of_space(error) || error == EIO || error == EROFS || error == ESTALE;
}

}  // namespace pcio
