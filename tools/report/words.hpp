// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: amounts in words.

#ifndef PCIO_TOOLS_REPORT_WORDS_HPP
#define PCIO_TOOLS_REPORT_WORDS_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "run_log.hpp"

namespace pcio_report {

/// "12 bytes", "3.1 MiB".
std::string bytes_text(std::uint64_t bytes);
/// "1.24 s", "31 ms", "420 µs".
std::string seconds_text(double seconds);
/// "37 %", "0.4 %"; of nothing "0 %".
std::string percent_text(double part, double whole);
/// "1 transfer", "12 transfers".
std::string counted(std::uint64_t count, const char* one);
/// "100 × 100".
std::string dims_text(const std::vector<std::uint64_t>& dims);
/// "deflate" of "deflate (1)": the number of a filter that everybody knows looks like a level of it.
std::string filter_text(const std::string& label);

/// "chunks of 100 × 100 elements, 39.1 KiB; deflate"; "not known".
std::string stored_text(const Stored& stored);
/// What is not plain text becomes '?', so that a name can't steer a terminal. UTF-8 stays.
std::string printable(const std::string& text);

/// Words of `text` in lines of at most `width` columns, each behind so many blanks.
std::string wrapped(const std::string& text, std::size_t blanks, std::size_t width);

}  // namespace pcio_report

#endif
