// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5T: properties of atomic datatypes.

#include "lib/type_access.hpp"

using namespace pcio;

namespace {

/// A position or size in bits as the type keeps it. Errors: above 32 bits.
Result<unsigned> bits_argument(size_t value, const char* argument) {
  if (value > 0xffffffff)
    return PCIO_ERROR(ARGS, BADVALUE, std::string("argument ") + argument + ": too large");
  return static_cast<unsigned>(value);
}

Result<FloatFields> fields_arguments(const size_t (&values)[5]) {
  FloatFields fields;
  PCIO_ASSIGN(fields.sign_position, bits_argument(values[0], "spos"));
  PCIO_ASSIGN(fields.exponent_position, bits_argument(values[1], "epos"));
  PCIO_ASSIGN(fields.exponent_size, bits_argument(values[2], "esize"));
  PCIO_ASSIGN(fields.mantissa_position, bits_argument(values[3], "mpos"));
  PCIO_ASSIGN(fields.mantissa_size, bits_argument(values[4], "msize"));
  return fields;
}

void store(size_t* where, std::size_t value) {
  if (where != nullptr) *where = value;
}

}  // namespace

H5T_order_t H5Tget_order(hid_t type_id) {
  return query_type("H5Tget_order", type_id, H5T_ORDER_ERROR,
                    [](const Datatype& type) { return type.order(); });
}

herr_t H5Tset_order(hid_t type_id, H5T_order_t order) {
  return change_type("H5Tset_order", type_id, [&](Datatype& type) -> Status {
    PCIO_ASSIGN(const ByteOrder wanted, enum_argument(order, ByteOrder::kNone, "order"));
    return type.set_order(wanted);
  });
}

size_t H5Tget_precision(hid_t type_id) {
  return query_type<size_t>("H5Tget_precision", type_id, 0,
                            [](const Datatype& type) { return type.precision(); });
}

herr_t H5Tset_precision(hid_t type_id, size_t prec) {
  return change_type("H5Tset_precision", type_id,
                     [&](Datatype& type) { return type.set_precision(prec); });
}

int H5Tget_offset(hid_t type_id) {
  return query_type("H5Tget_offset", type_id, -1,
                    [](const Datatype& type) { return type.bit_offset(); });
}

herr_t H5Tset_offset(hid_t type_id, size_t offset) {
  return change_type("H5Tset_offset", type_id,
                     [&](Datatype& type) { return type.set_bit_offset(offset); });
}

herr_t H5Tget_pad(hid_t type_id, H5T_pad_t* lsb, H5T_pad_t* msb) {
  return api_status("H5Tget_pad", [&]() -> Status {
    PCIO_ASSIGN(auto object, type_of(type_id, "type_id"));
    PCIO_ASSIGN(const BitPad low, object->type.lsb_pad());
    PCIO_ASSIGN(const BitPad high, object->type.msb_pad());
    if (lsb != nullptr) *lsb = static_cast<H5T_pad_t>(low);
    if (msb != nullptr) *msb = static_cast<H5T_pad_t>(high);
    return {};
  });
}

herr_t H5Tset_pad(hid_t type_id, H5T_pad_t lsb, H5T_pad_t msb) {
  return change_type("H5Tset_pad", type_id, [&](Datatype& type) -> Status {
    PCIO_ASSIGN(const BitPad low, enum_argument(lsb, BitPad::kBackground, "lsb"));
    PCIO_ASSIGN(const BitPad high, enum_argument(msb, BitPad::kBackground, "msb"));
    return type.set_pads(low, high);
  });
}

H5T_sign_t H5Tget_sign(hid_t type_id) {
  return query_type("H5Tget_sign", type_id, H5T_SGN_ERROR,
                    [](const Datatype& type) { return type.sign(); });
}

herr_t H5Tset_sign(hid_t type_id, H5T_sign_t sign) {
  return change_type("H5Tset_sign", type_id, [&](Datatype& type) -> Status {
    PCIO_ASSIGN(const SignScheme wanted, enum_argument(sign, SignScheme::kTwosComplement, "sign"));
    return type.set_sign(wanted);
  });
}

herr_t H5Tget_fields(hid_t type_id, size_t* spos, size_t* epos, size_t* esize, size_t* mpos,
                     size_t* msize) {
  return api_status("H5Tget_fields", [&]() -> Status {
    PCIO_ASSIGN(auto object, type_of(type_id, "type_id"));
    PCIO_ASSIGN(const FloatFields fields, object->type.fields());
    store(spos, fields.sign_position);
    store(epos, fields.exponent_position);
    store(esize, fields.exponent_size);
    store(mpos, fields.mantissa_position);
    store(msize, fields.mantissa_size);
    return {};
  });
}

herr_t H5Tset_fields(hid_t type_id, size_t spos, size_t epos, size_t esize, size_t mpos,
                     size_t msize) {
  return change_type("H5Tset_fields", type_id, [&](Datatype& type) -> Status {
    PCIO_ASSIGN(const FloatFields fields, fields_arguments({spos, epos, esize, mpos, msize}));
    return type.set_fields(fields);
  });
}

size_t H5Tget_ebias(hid_t type_id) {
  return query_type<size_t>("H5Tget_ebias", type_id, 0,
                            [](const Datatype& type) -> Result<std::uint64_t> {
                              PCIO_ASSIGN(const FloatFields fields, type.fields());
                              return fields.exponent_bias;
                            });
}

herr_t H5Tset_ebias(hid_t type_id, size_t ebias) {
  return change_type("H5Tset_ebias", type_id,
                     [&](Datatype& type) { return type.set_exponent_bias(ebias); });
}

H5T_norm_t H5Tget_norm(hid_t type_id) {
  return query_type("H5Tget_norm", type_id, H5T_NORM_ERROR,
                    [](const Datatype& type) -> Result<Normalization> {
                      PCIO_ASSIGN(const FloatFields fields, type.fields());
                      return fields.norm;
                    });
}

herr_t H5Tset_norm(hid_t type_id, H5T_norm_t norm) {
  return change_type("H5Tset_norm", type_id, [&](Datatype& type) -> Status {
    PCIO_ASSIGN(const Normalization wanted, enum_argument(norm, Normalization::kNone, "norm"));
    return type.set_norm(wanted);
  });
}

H5T_pad_t H5Tget_inpad(hid_t type_id) {
  return query_type("H5Tget_inpad", type_id, H5T_PAD_ERROR,
                    [](const Datatype& type) -> Result<BitPad> {
                      PCIO_ASSIGN(const FloatFields fields, type.fields());
                      return fields.inner_pad;
                    });
}

herr_t H5Tset_inpad(hid_t type_id, H5T_pad_t pad) {
  return change_type("H5Tset_inpad", type_id, [&](Datatype& type) -> Status {
    PCIO_ASSIGN(const BitPad wanted, enum_argument(pad, BitPad::kBackground, "pad"));
    return type.set_inner_pad(wanted);
  });
}

H5T_cset_t H5Tget_cset(hid_t type_id) {
  return query_type("H5Tget_cset", type_id, H5T_CSET_ERROR,
                    [](const Datatype& type) { return type.character_set(); });
}

herr_t H5Tset_cset(hid_t type_id, H5T_cset_t cset) {
  return change_type("H5Tset_cset", type_id, [&](Datatype& type) -> Status {
    PCIO_ASSIGN(const CharacterSet wanted, enum_argument(cset, CharacterSet::kUtf8, "cset"));
    return type.set_character_set(wanted);
  });
}

H5T_str_t H5Tget_strpad(hid_t type_id) {
  return query_type("H5Tget_strpad", type_id, H5T_STR_ERROR,
                    [](const Datatype& type) { return type.string_pad(); });
}

herr_t H5Tset_strpad(hid_t type_id, H5T_str_t strpad) {
  return change_type("H5Tset_strpad", type_id, [&](Datatype& type) -> Status {
    PCIO_ASSIGN(const StringPad wanted, enum_argument(strpad, StringPad::kSpacePadded, "strpad"));
    return type.set_string_pad(wanted);
  });
}
