// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: names of files from the root on. std::filesystem::path is not for calls that may lack memory: that of GCC 12
// frees what it never had where memory runs out within an operator.

#pragma once

#include <string>

namespace pcio {

/// `path` from the root on, as it is written. Empty where the current folder has no name.
std::string absolute_name(const std::string& path);

/// An absolute name without empty parts and ".", each ".." taken together with what is before it, links or not.
std::string normal_name(const std::string& absolute);

/// An absolute name with the folder as it is now: no links on the way to it. Empty where there is no such folder.
std::string lasting_name(const std::string& absolute);

}  // namespace pcio
