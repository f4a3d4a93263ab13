// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: CallTrail out of line.

#include "agree/call_trail.hpp"

#include <algorithm>

namespace pcio {

void CallTrail::note(std::string_view what, std::uint64_t calls, std::uint64_t space,
                     const ArgumentMarks& arguments) noexcept {
  last_.number = ++steps_;
  last_.calls = calls;
  last_.space = space;
  last_.name.clear();
  last_.name.append(what);
  last_.arguments = arguments;
  if (steps_ % stride_ != 0) return;
  if (count_ == kKept) thin();
  if (steps_ % stride_ == 0) kept_[count_++] = last_;
}

void CallTrail::thin() noexcept {
  stride_ *= 2;
  const auto end = std::remove_if(kept_.begin(), kept_.begin() + count_,
                                  [&](const Step& step) { return step.number % stride_ != 0; });
  count_ = static_cast<std::size_t>(end - kept_.begin());
}

void CallTrail::clear() noexcept {
  count_ = 0;
  last_ = Step();
  steps_ = 0;
  stride_ = 1;
}

CallTrail::Words CallTrail::words() const noexcept {
  Words words{};
  words[0] = steps_;
  words[1] = stride_;
  std::size_t at = 2;
  auto put = [&](const Step& step) {
    words[at++] = step.number;
    words[at++] = step.calls;
    words[at++] = step.space;
  };
  for (std::size_t i = 0; i < count_; ++i) put(kept_[i]);
  put(last_);
  return words;
}

const CallTrail::Step* CallTrail::find(std::uint64_t number) const noexcept {
  if (number == 0) return nullptr;
  if (last_.number == number) return &last_;
  const auto end = kept_.begin() + count_;
  const auto at =
      std::find_if(kept_.begin(), end, [&](const Step& step) { return step.number == number; });
  return at == end ? nullptr : &*at;
}

std::uint64_t CallTrail::first_difference(const Words& other, Mark mark) const noexcept {
  std::uint64_t first = kNoStep;
  for (std::size_t at = 2; at < other.size(); at += 3) {
    const std::uint64_t number = other[at];
    const Step* const mine = find(number);
    if (mine == nullptr) continue;
    const std::uint64_t theirs = other[at + static_cast<std::size_t>(mark)];
    if (theirs != (mark == Mark::kCalls ? mine->calls : mine->space))
      first = std::min(first, number);
  }
  if (other[0] != steps_) first = std::min(first, std::min(other[0], steps_) + 1);
  return first;
}

std::string_view CallTrail::name_of(std::uint64_t number) const noexcept {
  if (number > steps_) return "nothing more";
  // Steps in between were thinned out: the next one that is kept says about where it was.
  const Step* best = &last_;
  for (std::size_t i = 0; i < count_; ++i)
    if (kept_[i].number >= number && kept_[i].number < best->number) best = &kept_[i];
  return best->name.view();
}

ArgumentMarks CallTrail::arguments_of(std::uint64_t number) const noexcept {
  const Step* const step = find(number);
  return step != nullptr ? step->arguments : ArgumentMarks();
}

}  // namespace pcio
