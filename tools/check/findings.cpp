// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What is found in a file, out of line. Room: tools, pure.

#include "findings.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace check {

namespace {

void put(std::string* out, std::uint64_t number) {
  out->append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string* out, const std::string& text) {
  put(out, text.size());
  *out += text;
}

/// Reads what put() wrote.
class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::string text() {
    const std::uint64_t size = number();
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

void Findings::add(Finding finding) {
  if (list.size() < kMostListed)
    list.push_back(std::move(finding));
  else
    ++unlisted[static_cast<std::size_t>(finding.weight)];
}

void Findings::join_ranges() {
  std::sort(ranges.begin(), ranges.end(), [](const OwnedRange& a, const OwnedRange& b) {
    return std::tie(a.loose, a.object, a.use, a.start, a.bytes) <
           std::tie(b.loose, b.object, b.use, b.start, b.bytes);
  });
  std::vector<OwnedRange> joined;
  for (const OwnedRange& range : ranges) {
    OwnedRange* const last = joined.empty() ? nullptr : &joined.back();
    if (last != nullptr && last->object == range.object && last->use == range.use &&
        last->loose == range.loose && last->start + last->bytes == range.start)
      last->bytes += range.bytes;
    else
      joined.push_back(range);
  }
  ranges = std::move(joined);
}

std::string Findings::pack() const {
  std::string out;
  put(&out, list.size());
  for (const Finding& finding : list) {
    put(&out, static_cast<std::uint64_t>(finding.weight));
    for (const std::string* text : {&finding.kind, &finding.where, &finding.text}) put(&out, *text);
    put(&out, finding.start);
    put(&out, finding.bytes);
  }
  for (const std::uint64_t number : unlisted) put(&out, number);
  for (const std::uint64_t number : counts) put(&out, number);
  put(&out, ranges.size());
  for (const OwnedRange& range : ranges)
    for (const std::uint64_t number : {range.start, range.bytes, range.object,
                                       std::uint64_t{range.use}, std::uint64_t{range.loose}})
      put(&out, number);
  put(&out, names.size());
  for (const Named& named : names) {
    put(&out, named.address);
    put(&out, named.path);
  }
  put(&out, links.size());
  for (const auto& [address, count] : links)
    for (const std::uint64_t number :
         {address, count.found, count.uses, count.counted, std::uint64_t{count.loose}})
      put(&out, number);
  return out;
}

void Findings::unpack(const std::string& bytes) {
  Reader in(bytes);
  for (std::uint64_t left = in.number(); left > 0; --left) {
    Finding finding;
    finding.weight = static_cast<Weight>(in.number());
    for (std::string* text : {&finding.kind, &finding.where, &finding.text}) *text = in.text();
    finding.start = in.number();
    finding.bytes = in.number();
    // What no link leads to may have been found by several ranks.
    if (std::find(list.begin(), list.end(), finding) == list.end()) add(std::move(finding));
  }
  for (std::uint64_t& number : unlisted) number += in.number();
  for (std::uint64_t& number : counts) number += in.number();
  for (std::uint64_t left = in.number(); left > 0; --left) {
    OwnedRange range;
    range.start = in.number();
    range.bytes = in.number();
    range.object = in.number();
    range.use = static_cast<std::uint8_t>(in.number());
    range.loose = in.number() != 0;
    ranges.push_back(range);
  }
  for (std::uint64_t left = in.number(); left > 0; --left) {
    Named named;
    named.address = in.number();
    named.path = in.text();
    names.push_back(std::move(named));
  }
  for (std::uint64_t left = in.number(); left > 0; --left) {
    LinkCount& count = links[in.number()];
    count.found += in.number();
    count.uses += in.number();
    count.counted = std::min(count.counted, in.number());
    count.loose = in.number() != 0 || count.loose;
  }
}

}  // namespace check
