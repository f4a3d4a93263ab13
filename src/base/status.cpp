// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: Status out of line.

#include "base/status.hpp"

namespace pcio {

namespace {

/// Made when the library is loaded, and never destroyed: a closing at exit may fail too.
std::vector<ErrorFrame>* const no_memory = new std::vector<ErrorFrame>{
    ErrorFrame{"Status", __FILE__, __LINE__, Major::RESOURCE, Minor::NOSPACE, "out of memory"}};
const std::vector<ErrorFrame>* const no_frames = new std::vector<ErrorFrame>;
const std::string* const no_text = new std::string;

template <class Make>
std::vector<ErrorFrame>* frames_or_none(Make&& make) noexcept {
  try {
    return make().release();
  } catch (...) {
    return no_memory;
  }
}

}  // namespace

void detail::FramesDeleter::operator()(std::vector<ErrorFrame>* frames) const noexcept {
  if (frames != no_memory) delete frames;
}

Status::Status(ErrorFrame frame) noexcept
    : frames_(frames_or_none([&] {
        auto frames = std::make_unique<std::vector<ErrorFrame>>();
        frames->push_back(std::move(frame));
        return frames;
      })) {}

Status::Status(const Status& other) noexcept
    : frames_(other.ok() ? nullptr : frames_or_none([&] {
        return std::make_unique<std::vector<ErrorFrame>>(*other.frames_);
      })) {}

const std::vector<ErrorFrame>& Status::frames() const { return frames_ ? *frames_ : *no_frames; }

const std::string& Status::message() const { return frames_ ? frames_->front().text : *no_text; }

void Status::push(ErrorFrame frame) & noexcept {
  if (!frames_ || frames_.get() == no_memory) return;
  try {
    frames_->push_back(std::move(frame));
  } catch (...) {
    return;  // the inner frames say what happened
  }
}

void Status::join(Status&& other) noexcept {
  if (ok()) {
    *this = std::move(other);
  } else if (!other.ok() && other.frames_.get() != no_memory) {
    for (ErrorFrame& frame : *other.frames_) push(std::move(frame));
  }
}

Status&& Status::push(ErrorFrame frame) && noexcept {
  push(std::move(frame));
  return std::move(*this);
}

}  // namespace pcio
