// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Which types can be compared, and how. Room: tools, public headers only.

#include "element.hpp"

namespace diff {

using tools::need;
using tools::need_id;

namespace {

constexpr const char* kType = "type";

const char* class_word(H5T_class_t of) {
  static const char* const kWords[] = {
      "H5T_INTEGER",  "H5T_FLOAT",     "H5T_TIME", "H5T_STRING", "H5T_BITFIELD", "H5T_OPAQUE",
      "H5T_COMPOUND", "H5T_REFERENCE", "H5T_ENUM", "H5T_VLEN",   "H5T_ARRAY"};
  return of >= 0 && of <= H5T_ARRAY ? kWords[of] : "H5T_NO_CLASS";
}

/// Builds a part for two types in memory. Keeps the ids of enumerations in the plan.
class Planner {
 public:
  explicit Planner(Plan* plan) : plan_(*plan) {}

  Part part(hid_t first, hid_t second) {
    Part part;
    const hid_t types[2] = {first, second};
    H5T_class_t classes[2] = {H5T_NO_CLASS, H5T_NO_CLASS};
    for (int i = 0; i < 2; ++i) {
      classes[i] = need(H5Tget_class(types[i]), kType);
      part.size[i] = H5Tget_size(types[i]);
    }
    if (classes[0] != classes[1]) {
      refuse(fmt::format("is of class {}", class_word(classes[0])),
             fmt::format("is of class {}", class_word(classes[1])));
      return part;
    }
    fill(&part, classes[0], types);
    return part;
  }

 private:
  void refuse(const std::string& first, const std::string& second) {
    if (!plan_.why_not.empty()) return;
    plan_.why_not = "types";
    plan_.kind_words[0] = first;
    plan_.kind_words[1] = second;
  }

  void fill(Part* part, H5T_class_t of, const hid_t (&types)[2]) {
    switch (of) {
      case H5T_INTEGER: integer(part, types); break;
      case H5T_FLOAT: part->kind = Part::Kind::kFloat; break;
      case H5T_STRING: string(part, types); break;
      case H5T_COMPOUND: compound(part, types); break;
      case H5T_ENUM: enumeration(part, types); break;
      case H5T_ARRAY: array(part, types); break;
      case H5T_VLEN:
        plan_.fixed = false;
        part->kind = Part::Kind::kSequence;
        base(part, types);
        break;
      case H5T_REFERENCE:
        plan_.fixed = false;
        part->kind =
            H5Tequal(types[0], H5T_STD_REF_OBJ) > 0 ? Part::Kind::kObject : Part::Kind::kRegion;
        break;
      default: part->kind = Part::Kind::kBytes;
    }
  }

  void integer(Part* part, const hid_t (&types)[2]) {
    const H5T_sign_t signs[2] = {H5Tget_sign(types[0]), H5Tget_sign(types[1])};
    if (signs[0] != signs[1])
      refuse(fmt::format("has sign {}", signs[0] == H5T_SGN_NONE ? "H5T_SGN_NONE" : "H5T_SGN_2"),
             fmt::format("has sign {}", signs[1] == H5T_SGN_NONE ? "H5T_SGN_NONE" : "H5T_SGN_2"));
    part->kind = signs[0] == H5T_SGN_NONE ? Part::Kind::kUnsigned : Part::Kind::kSigned;
  }

  void string(Part* part, const hid_t (&types)[2]) {
    const bool variable[2] = {H5Tis_variable_str(types[0]) > 0, H5Tis_variable_str(types[1]) > 0};
    if (variable[0] != variable[1])
      refuse(variable[0] ? "is a string of variable length" : "is a string of fixed length",
             variable[1] ? "is a string of variable length" : "is a string of fixed length");
    if (variable[0]) plan_.fixed = false;
    part->kind = variable[0] ? Part::Kind::kString : Part::Kind::kText;
  }

  void compound(Part* part, const hid_t (&types)[2]) {
    part->kind = Part::Kind::kCompound;
    const int members[2] = {need(H5Tget_nmembers(types[0]), kType),
                            need(H5Tget_nmembers(types[1]), kType)};
    if (members[0] != members[1]) {
      refuse(fmt::format("has {} members", members[0]), fmt::format("has {} members", members[1]));
      return;
    }
    for (int i = 0; i < members[0]; ++i) {
      const auto index = static_cast<unsigned>(i);
      const Id one = need_id(H5Tget_member_type(types[0], index), kType),
               other = need_id(H5Tget_member_type(types[1], index), kType);
      Part member = this->part(one.get(), other.get());
      for (int k = 0; k < 2; ++k) member.offset[k] = H5Tget_member_offset(types[k], index);
      part->parts.push_back(std::move(member));
    }
  }

  void enumeration(Part* part, const hid_t (&types)[2]) {
    part->kind = Part::Kind::kEnum;
    for (int i = 0; i < 2; ++i) {
      plan_.kept.push_back(need_id(H5Tcopy(types[i]), kType));
      part->type[i] = plan_.kept.back().get();
    }
    base(part, types);
  }

  void array(Part* part, const hid_t (&types)[2]) {
    part->kind = Part::Kind::kArray;
    hsize_t dims[2][H5S_MAX_RANK] = {{0}};
    int ndims[2] = {0, 0};
    for (int i = 0; i < 2; ++i) ndims[i] = need(H5Tget_array_dims2(types[i], dims[i]), kType);
    bool alike = ndims[0] == ndims[1];
    for (int i = 0; alike && i < ndims[0]; ++i) {
      alike = dims[0][i] == dims[1][i];
      part->count *= dims[0][i];
    }
    if (!alike) refuse("is an array of one shape", "is an array of another one");
    base(part, types);
  }

  void base(Part* part, const hid_t (&types)[2]) {
    const Id one = need_id(H5Tget_super(types[0]), kType),
             other = need_id(H5Tget_super(types[1]), kType);
    part->parts.push_back(this->part(one.get(), other.get()));
  }

  Plan& plan_;
};

}  // namespace

Plan plan_types(hid_t first, hid_t second) {
  Plan plan;
  plan.types[0] = need_id(H5Tget_native_type(first, H5T_DIR_DEFAULT), kType);
  plan.types[1] = need_id(H5Tget_native_type(second, H5T_DIR_DEFAULT), kType);
  plan.whole = Planner(&plan).part(plan.types[0].get(), plan.types[1].get());
  return plan;
}

}  // namespace diff
