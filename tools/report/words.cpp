// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: amounts in words.

#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pcio_report {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 6> kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} bytes", bytes)
                   : fmt::format("{:.{}f} {}", value, value < 10 ? 1 : 0, kUnits[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds >= 100) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 10) return fmt::format("{:.1f} s", seconds);
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 0.01) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds >= 0.001) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.0f} µs", seconds * 1e6);
}

std::string percent_text(double part, double whole) {
  if (!(whole > 0) || !(part > 0)) return "0 %";
  const double percent = 100 * part / whole;
  return percent < 1 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string counted(std::uint64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string dims_text(const std::vector<std::uint64_t>& dims) {
  std::string text;
  for (const std::uint64_t dim : dims) text += (text.empty() ? "" : " × ") + std::to_string(dim);
  return text.empty() ? "one element" : text;
}

std::string filter_text(const std::string& label) {
  const std::size_t end = label.rfind(" (");
  return end == std::string::npos || label.rfind("filter ", 0) == 0 ? label : label.substr(0, end);
}

std::string stored_text(const Stored& stored) {
  if (stored.layout.empty()) return "not known";
  if (stored.chunk.empty()) return stored.layout;
  std::string filters;
  for (const std::string& filter : stored.filters)
    filters += (filters.empty() ? "; " : ", ") + filter_text(filter);
  return fmt::format("chunks of {} elements, {}{}", dims_text(stored.chunk),
                     bytes_text(stored.chunk_bytes), filters);
}

std::string printable(const std::string& text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // Of UTF-8 the control characters U+0080 to U+009F, which some terminals obey.
    const bool is_c1 =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    shown += byte < 0x20 || byte == 0x7F || is_c1 ? '?' : text[i];
    if (is_c1) ++i;
  }
  return shown;
}

std::string wrapped(const std::string& text, std::size_t blanks, std::size_t width) {
  std::string out, line;
  const std::size_t most = std::max<std::size_t>(width, blanks + 20) - blanks;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > most) {
      out += std::string(blanks, ' ') + line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return line.empty() ? out : out + std::string(blanks, ' ') + line + '\n';
}

}  // namespace pcio_report
