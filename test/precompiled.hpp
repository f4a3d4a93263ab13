// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What nearly every serial test includes, compiled once: reading it takes half of the time that a test's file takes.
// The compiler includes it by itself, before all else; each file names what it uses all the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>
