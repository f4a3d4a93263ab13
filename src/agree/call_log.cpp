// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: the running hash of metadata calls.

#include "agree/call_log.hpp"

#include <cstring>

#include "agree/space_hash.hpp"

namespace pcio {

namespace {

std::uint64_t mix(std::uint64_t x) { return mix_bits(x); }

template <std::size_t kBytes>
void put_name(const CallName& name, FixedText<kBytes>* text) {
  text->clear();
  text->append(name.function);
  if (!name.object.empty()) text->append(" on ").append(name.object.substr(0, kBytes / 2));
}

}  // namespace

std::uint64_t hash_bytes(ConstBytes data, std::uint64_t seed) {
  std::uint64_t hash = mix(seed + kHashStep + data.size());
  while (!data.empty()) {
    std::uint64_t word = 0;
    const std::size_t n = data.size() < sizeof(word) ? data.size() : sizeof(word);
    std::memcpy(&word, data.data(), n);
    hash = mix(hash * kHashStep + word);
    data = data.subspan(n);
  }
  return hash;
}

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  return hash_bytes(std::as_bytes(std::span(text.data(), text.size())), seed);
}

void CallLog::record(const CallName& name, ConstBytes arguments,
                     const ArgumentMarks& marks) noexcept {
  marks_ = marks;
  const std::uint64_t seed = hash_text(name.function, hash_);
  hash_ = marks.empty() ? hash_bytes(arguments, seed) : marks.hash(seed);
  ++calls_;
  put_name(name, &last_call_);
}

void CallLog::record_failure(const CallName& name, std::string_view why) noexcept {
  // Which call in the sequence failed, not with what words: those may name this rank's file or
  // memory.
  failure_hash_ = mix(failure_hash_ + hash_ + kHashStep);
  ++failures_;
  put_name(name, &last_failure_);
  last_failure_.append(" failed: ").append(why);
}

void CallLog::differ(int rank) noexcept {
  failure_hash_ = mix(failure_hash_ + static_cast<std::uint64_t>(rank) + 1);
}

void CallLog::note_step(const CallName& name, std::uint64_t space) noexcept {
  FixedText<CallTrail::kNameBytes> text(name.function);
  if (!name.object.empty()) text.append(" on ").append(name.object);
  trail_.note(text.view(), hash_, space, marks_);
  marks_ = ArgumentMarks();
}

void CallLog::restart() noexcept {
  hash_ = calls_ = failure_hash_ = failures_ = 0;
  last_call_.clear();
  last_failure_.clear();
  trail_.clear();
  marks_ = ArgumentMarks();
}

LogFacts CallLog::facts() const { return {hash_, failure_hash_, failures_}; }

std::string CallLog::describe() const {
  if (calls_ == 0) return "no metadata call";
  return std::to_string(calls_) +
         (calls_ == 1 ? " metadata call, " : " metadata calls, the last ") +
         std::string(last_call_.view());
}

}  // namespace pcio
