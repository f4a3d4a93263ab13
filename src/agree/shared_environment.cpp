// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: reading the environment, and its form for the broadcast.

#include "agree/shared_environment.hpp"

#include "config.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace pcio {

namespace {

/// In the order of the encoded text.
constexpr std::array<const char*, 7> kNames = {
    "PCIO_TRANSPORT",    "PCIO_REPORT",     "PCIO_VERIFY",       "PCIO_CHECK",
    "PCIO_HANG_SECONDS", "PCIO_HANG_ABORT", "HDF5_MPI_OPT_TYPES"};
constexpr std::size_t kReport = 1;
constexpr char kSeparator = '\x1f';
constexpr double kDefaultHangSeconds = 60;
/// A year is as good as for ever.
constexpr double kLongestHangSeconds = 3.2e7;

/// What configure found, or was told: packages are built where no rank can be started.
constexpr bool kDerivedTypesWork =
    PCIO_COMPLEX_DERIVED_DATATYPE_WORKS != 0 && PCIO_SPECIAL_COLLECTIVE_IO_WORKS != 0;

/// What a variable may say; words of one that lists them are parted by any of `separators`.
struct Choice {
  const char* name;
  const char* words;
  const char* separators;
};
constexpr std::array<Choice, 3> kChoices = {
    {{"PCIO_DURABILITY", "none, checked, power_loss", ""},
     {"PCIO_VERIFY", "none, full", ""},
     {"PCIO_CHECK", "calls, messages, nodes:N, stripe:BYTES", ", "}}};

using Values = std::array<std::string, kNames.size()>;

double parse_seconds(const std::string& text) {
  if (text.empty()) return kDefaultHangSeconds;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  // Also catches NaN.
  return end != text.c_str() && value >= 0 && value <= kLongestHangSeconds ? value
                                                                           : kDefaultHangSeconds;
}

bool has_word(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(", ");
    if (text.substr(0, end) == word) return true;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return false;
}

/// A word that has a number, and the largest that it may be.
struct NumberWord {
  std::string_view name;
  std::uint64_t most;
  std::uint64_t multiple_of = 1;
};
constexpr NumberWord kNodes{"nodes:", 1'000'000};
constexpr NumberWord kStripe{"stripe:", std::uint64_t{16} << 20, 4096};

/// The number behind the name; 0 where the word is another one, or the number can't be.
std::uint64_t parse_number(std::string_view word, const NumberWord& kind) {
  if (word.substr(0, kind.name.size()) != kind.name) return 0;
  word.remove_prefix(kind.name.size());
  std::uint64_t number = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool all = read.ec == std::errc() && read.ptr == word.data() + word.size();
  return all && number <= kind.most && number % kind.multiple_of == 0 ? number : 0;
}

/// Calls f(word) for each word of a list.
template <class F>
void for_each_word(std::string_view text, std::string_view separators, F&& f) {
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(separators);
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) f(word);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
}

bool is_known(const Choice& choice, std::string_view word) {
  if (word == "nodes:N" || word == "stripe:BYTES") return false;
  return has_word(choice.words, word) ||
         (has_word(choice.words, "nodes:N") &&
          (parse_number(word, kNodes) > 0 || parse_number(word, kStripe) > 0));
}

/// A name of a file as it was meant when the process first used the library: a program that goes to
/// another directory for each of its files still has one report.
std::string from_first_directory(const std::string& name) {
  if (name.empty() || name.front() == '/') return name;
  // Never destroyed: files are closed while the process ends.
  static const auto& first = *new const std::string([] {
    std::error_code failed;
    const std::filesystem::path here = std::filesystem::current_path(failed);
    return failed ? std::string() : here.string() + "/";
  }());
  return first + name;
}

SharedEnvironment interpret(const Values& values) {
  SharedEnvironment environment;
  environment.transport = values[0];
  environment.report = values[kReport];
  environment.verify = values[2];
  environment.check_calls = has_word(values[3], "calls");
  environment.check_messages = has_word(values[3], "messages");
  for_each_word(values[3], ", ", [&](std::string_view word) {
    if (const std::uint64_t nodes = parse_number(word, kNodes)) environment.check_nodes = nodes;
    if (const std::uint64_t stripe = parse_number(word, kStripe)) environment.check_stripe = stripe;
  });
  environment.hang_seconds = parse_seconds(values[4]);
  environment.hang_abort = !values[5].empty() && values[5] != "0";
  const std::string& said = values[6];
  environment.derived_types = said == "0" || said == "1" ? said == "1" : kDerivedTypesWork;
  return environment;
}

}  // namespace

Status check_environment() {
  for (const Choice& choice : kChoices) {
    const char* text = std::getenv(choice.name);
    Status known;
    for_each_word(text != nullptr ? text : "", choice.separators, [&](std::string_view word) {
      if (known.ok() && !is_known(choice, word))
        known = PCIO_ERROR(ARGS, BADVALUE,
                           std::string(choice.name) + "=" + text + ": \"" + std::string(word) +
                               "\" is none of " + choice.words);
    });
    PCIO_TRY(std::move(known));
  }
  return Status();
}

SharedEnvironment read_environment() {
  Values values;
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (const char* text = std::getenv(kNames[i])) values[i] = text;
  values[kReport] = from_first_directory(values[kReport]);
  return interpret(values);
}

std::string encode(const SharedEnvironment& environment) {
  std::string text;
  for (const std::string& value :
       {environment.transport, environment.report, environment.verify,
        std::string(environment.check_calls ? "calls" : "") +
            (environment.check_messages ? " messages" : "") +
            (environment.check_nodes > 0 ? " nodes:" + std::to_string(environment.check_nodes)
                                         : std::string()) +
            (environment.check_stripe > 0 ? " stripe:" + std::to_string(environment.check_stripe)
                                          : std::string()),
        std::to_string(environment.hang_seconds), std::string(environment.hang_abort ? "1" : "0"),
        std::string(environment.derived_types ? "1" : "0")})
    text.append(value).push_back(kSeparator);
  return text;
}

SharedEnvironment decode_environment(const std::string& text) {
  Values values;
  std::size_t start = 0;
  for (std::string& value : values) {
    const std::size_t end = text.find(kSeparator, start);
    if (end == std::string::npos) break;
    value = text.substr(start, end - start);
    start = end + 1;
  }
  return interpret(values);
}

}  // namespace pcio
