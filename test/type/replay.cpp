// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Reads the lines that convert_oracle printed (with libhdf5) and makes the same conversions with room
// type; prints where they differ. Usage: convert_oracle SEED COUNT | convert_replay [-v]
//
// Two things are not compared: the padding bytes of long double, which libhdf5 leaves undefined.

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "format/datatype_message.hpp"
#include "type/convert.hpp"
#include "type/native_types.hpp"

namespace {

using Data = std::vector<std::byte>;

Data from_hex(const std::string& text) {
  Data data;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    data.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return data;
}

std::string to_hex(const Data& data) {
  std::string text;
  char buf[4];
  for (const std::byte b : data) {
    std::snprintf(buf, sizeof buf, "%02x", static_cast<unsigned>(b));
    text += buf;
  }
  return text.empty() ? "-" : text;
}

pcio::Result<pcio::Datatype> decode(const std::string& hex) {
  const Data data = from_hex(hex);
  pcio::ByteReader reader(data);
  reader.skip(2);  // what H5Tencode puts before the message
  return pcio::decode_datatype(reader);
}

/// Clears the bytes whose content is undefined.
void mask(const pcio::Datatype& type, Data& data) {
  if (!(type == pcio::native_type(pcio::NativeKind::NATIVE_LDOUBLE))) return;
  for (std::size_t i = 0; i < data.size(); ++i)
    if (i % 16 >= 10) data[i] = std::byte{0};
}

/// Empty where the conversion agrees.
std::string compare(const std::string& line) {
  std::istringstream in(line);
  std::string letter, source, target, input, background, output;
  std::size_t n = 0;
  int status = 0;
  in >> letter >> source >> target >> n >> input >> background >> status >> output;
  const auto from = decode(source);
  const auto to = decode(target);
  if (!from || !to) return "type not decoded: " + (from ? to.error() : from.error()).message();
  const auto conversion = pcio::Conversion::make(*from, *to);
  if (!conversion) return status < 0 ? "" : "no way: " + conversion.error().message();
  if (status < 0) return "libhdf5 refuses";
  const Data src = from_hex(input);
  Data dst = from_hex(background);
  const pcio::Status ran = conversion->run(src.data(), dst.data(), n);
  if (!ran.ok()) return "failed: " + ran.message();
  Data expected = from_hex(output);
  mask(*to, dst);
  mask(*to, expected);
  if (dst == expected) return "";
  return "got " + to_hex(dst);
}

}  // namespace

int main(int argc, char**) {
  std::string line;
  long lines = 0, wrong = 0;
  while (std::getline(std::cin, line)) {
    if (line.empty() || line[0] != 'C') continue;
    ++lines;
    const std::string difference = compare(line);
    if (difference.empty()) continue;
    ++wrong;
    if (argc > 1 || wrong <= 5) std::cout << line << "\n  " << difference << "\n";
  }
  std::cout << lines << " conversions, " << wrong << " differ\n";
  return wrong == 0 && lines > 0 ? 0 : 1;
}
