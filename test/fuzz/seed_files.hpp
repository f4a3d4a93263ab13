// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: sound files to begin with.

#ifndef PCIO_TEST_FUZZ_SEED_FILES_HPP
#define PCIO_TEST_FUZZ_SEED_FILES_HPP

#include "fuzz.hpp"

namespace fuzz {

/// Small files with all kinds of objects, made by the library in `folder`; the same bytes each time.
std::vector<NamedImage> made_files(const std::string& folder);
/// Those of a folder of foreign files (INDEX.tsv names them) of at most `most` bytes.
std::vector<NamedImage> corpus_files(const std::string& folder, std::size_t most);

}  // namespace fuzz

#endif
