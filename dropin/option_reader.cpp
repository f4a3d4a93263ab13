// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Drop-in, serial flavour: how HDF5's tools read their command lines, a function and two variables that they
// take from libhdf5_serial. It is no public interface: what the function does was found by calling it. Its
// messages are our own.

#include <cstdio>
#include <cstring>
#include <string_view>

/// One long option; the last of a table has no name.
struct LongOption {
  const char* name;
  int argument;  // 0: none, 1: one, also as the next word; 2: after "=" only
  char letter;
};

#pragma GCC visibility push(default)
extern "C" {
extern const char* H5_optarg;
extern int H5_optind;
int H5_get_option(int argc, const char** argv, const char* letters, const LongOption* names);
}
#pragma GCC visibility pop

/// The value of the option that was read last, null without one; the next word to read.
const char* H5_optarg = nullptr;
int H5_optind = 1;

namespace {

constexpr int kEnd = -1;
constexpr int kWrong = '?';

/// Where in a word of several letters the next one is.
std::size_t letter_at = 1;

int read_long(int argc, const char** argv, const LongOption* names) {
  std::string_view word = argv[H5_optind] + 2;
  ++H5_optind;
  std::size_t equals = word.find('=');
  std::string_view name = word.substr(0, equals);
  H5_optarg = equals == std::string_view::npos ? nullptr : word.data() + equals + 1;
  for (const LongOption* known = names; known != nullptr && known->name != nullptr; ++known) {
    if (name != known->name) continue;
    if (known->argument == 0 && H5_optarg != nullptr) {
      std::fprintf(stderr, "%s: the option --%s takes no value\n", argv[0], known->name);
      return kWrong;
    }
    if (known->argument == 1 && H5_optarg == nullptr && H5_optind < argc && argv[H5_optind][0] != '-')
      H5_optarg = argv[H5_optind++];
    return known->letter;
  }
  std::fprintf(stderr, "%s: there is no option --%.*s\n", argv[0], static_cast<int>(name.size()), name.data());
  return kWrong;
}

/// A letter that needs a value: the rest of its word, or the next word.
int read_value(int argc, const char** argv, int letter) {
  const char* rest = argv[H5_optind++] + letter_at;
  letter_at = 1;
  if (*rest != '\0') {
    H5_optarg = rest;
  } else if (H5_optind < argc) {
    H5_optarg = argv[H5_optind++];
  } else {
    H5_optarg = nullptr;
    std::fprintf(stderr, "%s: the option -%c needs a value\n", argv[0], letter);
    return kWrong;
  }
  return letter;
}

/// A letter that may have a value: the next word, unless it is an option or the last one, a file's name.
int read_optional_value(int argc, const char** argv, int letter) {
  ++H5_optind;
  letter_at = 1;
  H5_optarg = nullptr;
  if (H5_optind + 1 < argc && argv[H5_optind][0] != '-') H5_optarg = argv[H5_optind++];
  return letter;
}

int read_letter(int argc, const char** argv, const char* letters) {
  const char* word = argv[H5_optind];
  char letter = word[letter_at++];
  const char* known = letter == ':' || letter == '*' ? nullptr : std::strchr(letters, letter);
  if (known != nullptr && known[1] == ':') return read_value(argc, argv, letter);
  if (known != nullptr && known[1] == '*') return read_optional_value(argc, argv, letter);
  H5_optarg = nullptr;
  if (word[letter_at] == '\0') {
    ++H5_optind;
    letter_at = 1;
  }
  if (known != nullptr) return letter;
  std::fprintf(stderr, "%s: there is no option -%c\n", argv[0], letter);
  return kWrong;
}

}  // namespace

/// The next option's letter, '?' where it is unknown or wrong, -1 at the first word that is no option.
int H5_get_option(int argc, const char** argv, const char* letters, const LongOption* names) {
  if (letter_at > 1) return read_letter(argc, argv, letters);
  if (H5_optind >= argc) return kEnd;
  const char* word = argv[H5_optind];
  if (word[0] != '-' || word[1] == '\0') return kEnd;
  if (std::strcmp(word, "--") == 0) {
    ++H5_optind;
    return kEnd;
  }
  return word[1] == '-' ? read_long(argc, argv, names) : read_letter(argc, argv, letters);
}
