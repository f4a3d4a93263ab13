// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: Status out of line.

#include "base/status.hpp"

namespace pcio {

const std::vector<ErrorFrame>& Status::frames() const {
  static const auto& none = *new std::vector<ErrorFrame>;  // never destroyed
  return frames_ ? *frames_ : none;
}

const std::string& Status::message() const {
  static const auto& none = *new std::string;  // never destroyed
  return frames_ ? frames_->front().text : none;
}

void Status::push(ErrorFrame frame) & {
  if (frames_) frames_->push_back(std::move(frame));
}

Status&& Status::push(ErrorFrame frame) && {
  if (frames_) frames_->push_back(std::move(frame));
  return std::move(*this);
}

}  // namespace pcio
