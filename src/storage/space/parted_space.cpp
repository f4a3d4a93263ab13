// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: FileSpace of files whose addresses are in several parts.

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "storage/space/file_space.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kFewBytes = 8;

}  // namespace

void FileSpace::set_parts(std::span<const SpacePart> parts, std::array<std::size_t, 3> places) {
  parts_.clear();
  places_ = places;
  if (parts.size() < 2) return;
  settings_.max_address = parts[1].start;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const FileAddress behind = i + 1 < parts.size() ? parts[i + 1].start : kUndefinedAddress;
    SpaceSettings settings = settings_;
    settings.max_address = behind - parts[i].start;
    const FileAddress end = parts[i].end - std::min(parts[i].end, parts[i].start);
    parts_.push_back({parts[i].start, FileSpace(std::min(end, settings.max_address), settings)});
  }
}

Status FileSpace::begin_empty_parts(RawPart raw) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].space.end_ > 0 || (raw == RawPart::kMayBeEmpty && places_[2] == i + 1)) continue;
    PCIO_TRY(detail::to_status(parts_[i].space.allocate_at_end(kFewBytes)));
  }
  return Status();
}

const FileSpace::Part* FileSpace::part_at(FileAddress address) const {
  const Part* found = nullptr;
  for (const Part& part : parts_)
    if (part.start <= address) found = &part;
  return found;
}

FileSpace::Part* FileSpace::part_at(FileAddress address) {
  return const_cast<Part*>(std::as_const(*this).part_at(address));
}

std::size_t FileSpace::place_of(SpaceUse use) const {
  if (!is_parted()) return 0;
  if (use == SpaceUse::kHeaders) return places_[0];
  return use == SpaceUse::kMetadata ? places_[1] : places_[2];
}

std::vector<FileAddress> FileSpace::part_ends() const {
  if (!is_parted()) return {};
  std::vector<FileAddress> ends{end_};
  for (const Part& part : parts_) ends.push_back(part.start + part.space.end_);
  return ends;
}

FileAddress FileSpace::second_part() const { return is_parted() ? parts_.front().start : 0; }

FileAddress FileSpace::end_at(FileAddress address) const {
  const Part* part = part_at(address);
  return part != nullptr ? part->start + part->space.end_ : end_;
}

FileAddress FileSpace::top() const {
  FileAddress last = end_;
  for (const Part& part : parts_)
    if (part.space.end_ > 0) last = part.start + part.space.end_;
  return last;
}

std::uint64_t FileSpace::all_bytes() const {
  std::uint64_t bytes = end_;
  for (const Part& part : parts_) bytes = checked_add(bytes, part.space.end_).value_or(UINT64_MAX);
  return bytes;
}

const FileSpace& FileSpace::raw_part() const {
  const std::size_t place = place_of(SpaceUse::kRawData);
  return place == 0 ? *this : parts_[place - 1].space;
}

bool FileSpace::is_fresh(FileAddress address) const {
  if (const Part* part = part_at(address)) return part->space.is_fresh(address - part->start);
  return address >= fresh_from_;
}

std::uint64_t FileSpace::reserved_bytes() const {
  std::uint64_t bytes = blocks_[0].left + blocks_[1].left;
  for (const Part& part : parts_) bytes += part.space.reserved_bytes();
  return bytes;
}

}  // namespace pcio
