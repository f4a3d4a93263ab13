// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: the running hash of metadata calls.

#include "agree/call_log.hpp"

#include <cstring>

namespace pcio {

namespace {

constexpr std::uint64_t kStart = 0x9E3779B97F4A7C15ULL;

/// Finalizer with full avalanche. Source: S. Vigna, splitmix64, 2015 (constants by D. Stafford).
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ULL;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBULL;
  return x ^ x >> 31;
}

}  // namespace

std::uint64_t hash_bytes(ConstBytes data, std::uint64_t seed) {
  std::uint64_t hash = mix(seed + kStart + data.size());
  while (!data.empty()) {
    std::uint64_t word = 0;
    const std::size_t n = data.size() < sizeof(word) ? data.size() : sizeof(word);
    std::memcpy(&word, data.data(), n);
    hash = mix(hash * kStart + word);
    data = data.subspan(n);
  }
  return hash;
}

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  return hash_bytes(std::as_bytes(std::span(text.data(), text.size())), seed);
}

void CallLog::record(const CallName& name, ConstBytes arguments) {
  hash_ = hash_bytes(arguments, hash_text(name.function, hash_));
  ++calls_;
  last_call_ = to_string(name);
}

void CallLog::record_failure(const CallName& name, const Status& failure) {
  // Which call in the sequence failed, not with what words: those may name this rank's file or
  // memory.
  failure_hash_ = mix(failure_hash_ + hash_ + kStart);
  ++failures_;
  last_failure_ = to_string(name) + " failed: " + failure.message();
}

void CallLog::settle() { *this = CallLog(); }

LogFacts CallLog::facts() const { return {hash_, failure_hash_, failures_}; }

std::string CallLog::describe() const {
  if (calls_ == 0) return "no metadata call";
  return std::to_string(calls_) +
         (calls_ == 1 ? " metadata call, " : " metadata calls, the last ") + last_call_;
}

}  // namespace pcio
