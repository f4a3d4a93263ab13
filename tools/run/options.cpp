// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors

#include "options.hpp"

namespace pcio_run {

Options read_options(int argc, char** argv) {
  Options options;
  int at = 1;
  for (; at < argc && options.wrong.empty(); ++at) {
    std::string word = argv[at];
    if (word == "--") {
      ++at;
      break;
    }
    if (word.empty() || word[0] != '-') break;
    if (word == "--help" || word == "-h") {
      options.help = true;
    } else if (word == "--check") {
      options.check = true;
    } else if (word == "--explain") {
      options.explain = true;
    } else if (word.rfind("--report=", 0) == 0) {
      options.report = word.substr(9);
    } else if (word == "--report" && at + 1 < argc) {
      options.report = argv[++at];
    } else {
      options.wrong = word == "--report" ? "--report needs a file" : "there is no option " + word;
    }
  }
  options.command.assign(argv + at, argv + argc);
  if (options.wrong.empty() && !options.help && options.command.empty())
    options.wrong = "no command";
  return options;
}

}  // namespace pcio_run
