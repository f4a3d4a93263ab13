// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// References among elements, out of line. Room: tools, public headers only.

#include "references.hpp"

#include <algorithm>

namespace check {

namespace {

constexpr int kMostNesting = 32;

}  // namespace

ReferenceMap::ReferenceMap(hid_t type, int depth)
    : size_(std::max<std::size_t>(H5Tget_size(type), 1)) {
  add(type, 0, depth);
}

void ReferenceMap::add(hid_t type, std::size_t offset, int depth) {
  if (depth > kMostNesting) return;
  const H5T_class_t cls = H5Tget_class(type);
  if (cls == H5T_REFERENCE) {
    const bool object = H5Tequal(type, H5T_STD_REF_OBJ) > 0;
    if (!object && H5Tequal(type, H5T_STD_REF_DSETREG) <= 0) {
      has_later_ = true;
      return;
    }
    parts_.push_back({Kind::kReference,
                      object ? H5R_OBJECT : H5R_DATASET_REGION,
                      offset,
                      H5Tget_size(type),
                      1,
                      {}});
  }
  if (cls == H5T_COMPOUND) {
    const int members = H5Tget_nmembers(type);
    for (int i = 0; i < members; ++i) {
      const auto number = static_cast<unsigned>(i);
      const tools::Id member(H5Tget_member_type(type, number));
      add(member.get(), offset + H5Tget_member_offset(type, number), depth + 1);
    }
  }
  if (cls != H5T_ARRAY && cls != H5T_VLEN) return;
  const tools::Id base(H5Tget_super(type));
  ReferenceMap inside(base.get(), depth + 1);
  has_later_ = has_later_ || inside.has_later_;
  if (inside.empty()) return;
  Part part;
  part.kind = cls == H5T_ARRAY ? Kind::kArray : Kind::kSequence;
  part.offset = offset;
  part.count = H5Tget_size(type) / std::max<std::size_t>(inside.size_, 1);
  part.inside.push_back(std::move(inside));
  parts_.push_back(std::move(part));
}

void ReferenceMap::visit(const void* elements, std::size_t count, const Visit& visit) const {
  const auto* at = static_cast<const char*>(elements);
  for (std::size_t i = 0; i < count; ++i, at += size_)
    for (const Part& part : parts_) {
      const char* const place = at + part.offset;
      if (part.kind == Kind::kArray) {
        part.inside.front().visit(place, part.count, visit);
      } else if (part.kind == Kind::kSequence) {
        hvl_t sequence{};
        std::copy_n(place, sizeof sequence, reinterpret_cast<char*>(&sequence));
        if (sequence.p != nullptr) part.inside.front().visit(sequence.p, sequence.len, visit);
      } else if (std::any_of(place, place + part.size, [](char c) { return c != 0; })) {
        visit(part.reference, place);
      }
    }
}

}  // namespace check
