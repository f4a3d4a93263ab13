// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: meant_variable, tell_misspelt_variables.

#include "agree/misspelt_names.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace pcio {

namespace {

constexpr std::string_view kPrefix = "PCIO_";
constexpr std::array<const char*, 8> kVariables = {
    "PCIO_REPORT",       "PCIO_TRANSPORT",  "PCIO_VERIFY",     "PCIO_CHECK",
    "PCIO_HANG_SECONDS", "PCIO_HANG_ABORT", "PCIO_DURABILITY", "PCIO_RUN_LOG"};
constexpr std::size_t kMostLetters = 32;
constexpr unsigned kMostWrong = 2;

/// Letters to be changed, left out or put in (Levenshtein).
unsigned distance(std::string_view a, std::string_view b) {
  std::array<unsigned, kMostLetters + 1> row{};
  for (unsigned i = 0; i <= b.size(); ++i) row[i] = i;
  for (unsigned i = 0; i < a.size(); ++i) {
    unsigned corner = std::exchange(row[0], i + 1);
    for (std::size_t k = 0; k < b.size(); ++k) {
      const unsigned changed = corner + (a[i] == b[k] ? 0 : 1);
      corner = std::exchange(row[k + 1], std::min({changed, row[k] + 1, row[k + 1] + 1}));
    }
  }
  return row[b.size()];
}

}  // namespace

const char* meant_variable(std::string_view name) noexcept {
  if (name.substr(0, kPrefix.size()) != kPrefix || name.size() > kMostLetters) return nullptr;
  const char* meant = nullptr;
  unsigned least = kMostWrong + 1;
  for (const char* variable : kVariables) {
    const unsigned wrong = distance(name, variable);
    if (wrong == 0) return nullptr;
    if (wrong < least) {
      least = wrong;
      meant = variable;
    }
  }
  return meant;
}

void tell_misspelt_variables() noexcept {
  static std::atomic<bool> told{false};
  if (environ == nullptr || told.exchange(true)) return;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (const char* meant = meant_variable(name))
      std::fprintf(stderr, "libpcio: warning: nothing reads the variable %.*s: is %s meant?\n",
                   static_cast<int>(name.size()), name.data(), meant);
  }
}

}  // namespace pcio
