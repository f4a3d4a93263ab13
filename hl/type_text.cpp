// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// H5LTdtype_to_text and H5LTtext_to_dtype: types in HDF5's Data Description Language.
#include <hdf5.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "H5LTpublic.h"
#include "support.hpp"

namespace pcio::hl {
namespace {

/// Types in each other, in texts as in types.
constexpr int kMostLevels = 64;
/// One step to the right.
constexpr size_t kStep = 3;

struct Named {
  const char* name;
  hid_t id;
};

/// Names that a text is written with, in the order in which they are compared with a type.
std::vector<Named> written_names() {
  return {{"H5T_STD_I8LE", H5T_STD_I8LE},
          {"H5T_STD_I8BE", H5T_STD_I8BE},
          {"H5T_STD_I16LE", H5T_STD_I16LE},
          {"H5T_STD_I16BE", H5T_STD_I16BE},
          {"H5T_STD_I32LE", H5T_STD_I32LE},
          {"H5T_STD_I32BE", H5T_STD_I32BE},
          {"H5T_STD_I64LE", H5T_STD_I64LE},
          {"H5T_STD_I64BE", H5T_STD_I64BE},
          {"H5T_STD_U8LE", H5T_STD_U8LE},
          {"H5T_STD_U8BE", H5T_STD_U8BE},
          {"H5T_STD_U16LE", H5T_STD_U16LE},
          {"H5T_STD_U16BE", H5T_STD_U16BE},
          {"H5T_STD_U32LE", H5T_STD_U32LE},
          {"H5T_STD_U32BE", H5T_STD_U32BE},
          {"H5T_STD_U64LE", H5T_STD_U64LE},
          {"H5T_STD_U64BE", H5T_STD_U64BE},
          {"H5T_IEEE_F32LE", H5T_IEEE_F32LE},
          {"H5T_IEEE_F32BE", H5T_IEEE_F32BE},
          {"H5T_IEEE_F64LE", H5T_IEEE_F64LE},
          {"H5T_IEEE_F64BE", H5T_IEEE_F64BE},
          {"H5T_NATIVE_LDOUBLE", H5T_NATIVE_LDOUBLE}};
}

std::vector<Named> read_names() {
  std::vector<Named> names = written_names();
  const std::vector<Named> more = {
      {"H5T_NATIVE_CHAR", H5T_NATIVE_CHAR},     {"H5T_NATIVE_SCHAR", H5T_NATIVE_SCHAR},
      {"H5T_NATIVE_UCHAR", H5T_NATIVE_UCHAR},   {"H5T_NATIVE_SHORT", H5T_NATIVE_SHORT},
      {"H5T_NATIVE_USHORT", H5T_NATIVE_USHORT}, {"H5T_NATIVE_INT", H5T_NATIVE_INT},
      {"H5T_NATIVE_UINT", H5T_NATIVE_UINT},     {"H5T_NATIVE_LONG", H5T_NATIVE_LONG},
      {"H5T_NATIVE_ULONG", H5T_NATIVE_ULONG},   {"H5T_NATIVE_LLONG", H5T_NATIVE_LLONG},
      {"H5T_NATIVE_ULLONG", H5T_NATIVE_ULLONG}, {"H5T_NATIVE_FLOAT", H5T_NATIVE_FLOAT},
      {"H5T_NATIVE_DOUBLE", H5T_NATIVE_DOUBLE}, {"H5T_STD_B8LE", H5T_STD_B8LE},
      {"H5T_STD_B8BE", H5T_STD_B8BE},           {"H5T_STD_B16LE", H5T_STD_B16LE},
      {"H5T_STD_B16BE", H5T_STD_B16BE},         {"H5T_STD_B32LE", H5T_STD_B32LE},
      {"H5T_STD_B32BE", H5T_STD_B32BE},         {"H5T_STD_B64LE", H5T_STD_B64LE},
      {"H5T_STD_B64BE", H5T_STD_B64BE},         {"H5T_STD_REF_OBJECT", H5T_STD_REF_OBJ},
      {"H5T_STD_REF_OBJ", H5T_STD_REF_OBJ},     {"H5T_STD_REF_DSETREG", H5T_STD_REF_DSETREG}};
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

// ---- writing --------------------------------------------------------------------------------

/// Threads: one thread.
class TypeWriter {
 public:
  /// `indent`: of the line on which the type begins.
  bool write(hid_t type, size_t indent, int level) {
    if (level > kMostLevels) return false;
    switch (H5Tget_class(type)) {
      case H5T_INTEGER: return number(type, "undefined integer");
      case H5T_BITFIELD: out_ += "undefined integer"; return true;
      case H5T_FLOAT: return number(type, "undefined float");
      case H5T_TIME: out_ += "H5T_TIME: not yet implemented"; return true;
      case H5T_STRING: return string(type, indent);
      case H5T_OPAQUE: return opaque(type, indent);
      case H5T_COMPOUND: return compound(type, indent, level);
      case H5T_REFERENCE: return reference(type);
      case H5T_ENUM: return enumeration(type, indent, level);
      case H5T_VLEN: {
        const OwnedId base(H5Tget_super(type));
        out_ += "H5T_VLEN {\n" + std::string(indent + kStep, ' ');
        return base && write(base.get(), indent + kStep, level + 1) && end(indent);
      }
      case H5T_ARRAY: return array(type, indent, level);
      default: return false;
    }
  }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void line(size_t indent, const std::string& what) {
    out_ += std::string(indent, ' ') + what + "\n";
  }
  bool end(size_t indent) {
    out_ += "\n" + std::string(indent, ' ') + "}";
    return true;
  }
  bool number(hid_t type, const char* otherwise) {
    for (const Named& one : written_names())
      if (H5Tequal(type, one.id) > 0) {
        out_ += one.name;
        return true;
      }
    out_ += otherwise;
    return true;
  }
  bool string(hid_t type, size_t indent) {
    const size_t in = indent + kStep;
    const bool variable = H5Tis_variable_str(type) > 0;
    const H5T_str_t pad = H5Tget_strpad(type);
    out_ += "H5T_STRING {\n";
    line(in, "STRSIZE " + (variable ? "H5T_VARIABLE" : std::to_string(H5Tget_size(type))) + ";");
    line(in, std::string("STRPAD ") +
                 (pad == H5T_STR_NULLTERM  ? "H5T_STR_NULLTERM"
                  : pad == H5T_STR_NULLPAD ? "H5T_STR_NULLPAD"
                                           : "H5T_STR_SPACEPAD") +
                 ";");
    line(in, std::string("CSET ") +
                 (H5Tget_cset(type) == H5T_CSET_UTF8 ? "H5T_CSET_UTF8" : "H5T_CSET_ASCII") + ";");
    out_ += std::string(in, ' ') + "CTYPE H5T_C_S1;";
    return end(indent);
  }
  bool opaque(hid_t type, size_t indent) {
    const LibraryText tag{H5Tget_tag(type)};
    if (tag.text == nullptr) return false;
    out_ += "H5T_OPAQUE {\n";
    line(indent + kStep, "OPQ_SIZE " + std::to_string(H5Tget_size(type)) + ";");
    out_ += std::string(indent + kStep, ' ') + "OPQ_TAG \"" + tag.text + "\";";
    return end(indent);
  }
  bool reference(hid_t type) {
    if (H5Tequal(type, H5T_STD_REF_DSETREG) > 0)
      out_ += " H5T_REFERENCE { H5T_STD_REF_DSETREG }";
    else
      out_ += " H5T_REFERENCE { H5T_STD_REF_OBJECT }";
    return true;
  }
  bool compound(hid_t type, size_t indent, int level) {
    const int count = H5Tget_nmembers(type);
    if (count < 0) return false;
    out_ += "H5T_COMPOUND {\n";
    for (int i = 0; i < count; ++i) {
      const auto number = static_cast<unsigned>(i);
      const LibraryText name{H5Tget_member_name(type, number)};
      const OwnedId member(H5Tget_member_type(type, number));
      if (name.text == nullptr || !member) return false;
      out_ += std::string(indent + kStep, ' ');
      const bool nested = H5Tget_class(member.get()) == H5T_COMPOUND;
      if (!write(member.get(), indent + (nested ? 2 : 1) * kStep, level + 1)) return false;
      out_ += std::string(" \"") + name.text +
              "\" : " + std::to_string(H5Tget_member_offset(type, number)) + ";\n";
    }
    out_ += std::string(indent, ' ') + "}";
    return true;
  }
  bool array(hid_t type, size_t indent, int level) {
    const OwnedId base(H5Tget_super(type));
    hsize_t dims[H5S_MAX_RANK];
    const int ndims = base ? H5Tget_array_dims2(type, dims) : -1;
    if (ndims < 0) return false;
    out_ += "H5T_ARRAY {\n" + std::string(indent + kStep, ' ');
    for (int d = 0; d < ndims; ++d) out_ += "[" + std::to_string(dims[d]) + "]";
    out_ += " ";
    return write(base.get(), indent + kStep, level + 1) && end(indent);
  }
  bool enumeration(hid_t type, size_t indent, int level) {
    const OwnedId base(H5Tget_super(type));
    const int count = base ? H5Tget_nmembers(type) : -1;
    if (count < 0) return false;
    out_ += "H5T_ENUM {\n" + std::string(indent + kStep, ' ');
    if (!write(base.get(), indent + kStep, level + 1)) return false;
    out_ += ";";
    for (int i = 0; i < count; ++i) {
      const LibraryText name{H5Tget_member_name(type, static_cast<unsigned>(i))};
      std::string value;
      if (name.text == nullptr || !value_of(type, base.get(), i, &value)) return false;
      const std::string quoted = std::string("\"") + name.text + "\"";
      constexpr size_t kNameColumns = 16;
      out_ += "\n" + std::string(indent + kStep, ' ') + quoted +
              std::string(quoted.size() < kNameColumns ? kNameColumns - quoted.size() : 0, ' ') +
              "   " + value + ";";
    }
    return end(indent);
  }
  static bool value_of(hid_t type, hid_t base, int number, std::string* out) {
    const bool is_signed = H5Tget_sign(base) == H5T_SGN_2;
    std::vector<unsigned char> value(
        std::max(sizeof(long long), std::max(H5Tget_size(type), H5Tget_size(base))));
    if (H5Tget_member_value(type, static_cast<unsigned>(number), value.data()) < 0) return false;
    if (H5Tconvert(base, is_signed ? H5T_NATIVE_LLONG : H5T_NATIVE_ULLONG, 1, value.data(), nullptr,
                   H5P_DEFAULT) < 0)
      return false;
    long long whole = 0;
    std::memcpy(&whole, value.data(), sizeof whole);
    *out =
        is_signed ? std::to_string(whole) : std::to_string(static_cast<unsigned long long>(whole));
    return true;
  }

  std::string out_;
};

// ---- reading --------------------------------------------------------------------------------

/// Recursive descent over the text. What fails says what was expected, once. Threads: one thread.
class TypeReader {
 public:
  explicit TypeReader(const char* text) : text_(text) {}

  OwnedId type(int level) {
    if (level > kMostLevels) return wrong("fewer types in each other");
    const std::string_view word = this->word();
    if (word == "H5T_STRING") return string();
    if (word == "H5T_OPAQUE") return opaque();
    if (word == "H5T_COMPOUND") return compound(level);
    if (word == "H5T_ARRAY") return array(level);
    if (word == "H5T_VLEN") {
      if (!mark('{')) return none();
      const OwnedId base = type(level + 1);
      if (!base || !mark('}')) return none();
      return OwnedId(H5Tvlen_create(base.get()));
    }
    if (word == "H5T_ENUM") return enumeration();
    if (word == "H5T_REFERENCE") {
      if (!mark('{')) return none();
      const std::string_view kind = this->word();
      if (kind != "H5T_STD_REF_OBJECT" && kind != "H5T_STD_REF_DSETREG")
        return wrong("H5T_STD_REF_OBJECT or H5T_STD_REF_DSETREG");
      if (!mark('}')) return none();
      return OwnedId(H5Tcopy(kind == "H5T_STD_REF_OBJECT" ? H5T_STD_REF_OBJ : H5T_STD_REF_DSETREG));
    }
    for (const Named& one : read_names())
      if (word == one.name) return OwnedId(H5Tcopy(one.id));
    return wrong("the name of a type");
  }
  /// Why it failed; empty where a call of the library did.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  static OwnedId none() { return OwnedId(H5I_INVALID_HID); }
  OwnedId wrong(const std::string& expected) {
    if (reason_.empty())
      reason_ = "expected: " + expected + ", at character " + std::to_string(begun_);
    return none();
  }
  void skip() {
    while (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    begun_ = at_;
  }
  std::string_view word() {
    skip();
    const auto belongs = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    while (belongs(static_cast<unsigned char>(text_[at_]))) ++at_;
    return std::string_view(text_).substr(begun_, at_ - begun_);
  }
  bool mark(char wanted) {
    skip();
    if (text_[at_] == wanted) {
      ++at_;
      return true;
    }
    static_cast<void>(wrong(std::string("'") + wanted + "'"));
    return false;
  }
  bool is_next(char wanted) {
    skip();
    return text_[at_] == wanted;
  }
  bool keyword(const char* wanted) {
    if (word() == wanted) return true;
    static_cast<void>(wrong(wanted));
    return false;
  }
  std::optional<std::string> quoted() {
    if (!mark('"')) return std::nullopt;
    const std::size_t end = text_.find('"', at_);
    if (end == std::string::npos) {
      static_cast<void>(wrong("a closing quotation mark"));
      return std::nullopt;
    }
    std::string inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    return inside;
  }
  std::optional<unsigned long long> count() {
    skip();
    unsigned long long value = 0;
    constexpr auto kMost = std::numeric_limits<unsigned long long>::max();
    for (; std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; ++at_) {
      const auto digit = static_cast<unsigned long long>(text_[at_] - '0');
      if (value > (kMost - digit) / 10) {
        static_cast<void>(wrong("a smaller number"));
        return std::nullopt;
      }
      value = 10 * value + digit;
    }
    if (at_ != begun_) return value;
    static_cast<void>(wrong("a number"));
    return std::nullopt;
  }

  OwnedId string() {
    OwnedId made(H5Tcopy(H5T_C_S1));
    if (!mark('{') || !keyword("STRSIZE")) return none();
    if (skip(); std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      const auto size = count();
      if (!size) return none();
      if (*size == 0) return wrong("a size of 1 or more");
      if (H5Tset_size(made.get(), *size) < 0) return none();
    } else {
      if (!keyword("H5T_VARIABLE") || H5Tset_size(made.get(), H5T_VARIABLE) < 0) return none();
    }
    if (!mark(';') || !keyword("STRPAD")) return none();
    const std::string_view pad = word();
    if (pad != "H5T_STR_NULLTERM" && pad != "H5T_STR_NULLPAD" && pad != "H5T_STR_SPACEPAD")
      return wrong("H5T_STR_NULLTERM, H5T_STR_NULLPAD or H5T_STR_SPACEPAD");
    H5Tset_strpad(made.get(), pad == "H5T_STR_NULLTERM"  ? H5T_STR_NULLTERM
                              : pad == "H5T_STR_NULLPAD" ? H5T_STR_NULLPAD
                                                         : H5T_STR_SPACEPAD);
    if (!mark(';') || !keyword("CSET")) return none();
    const std::string_view set = word();
    if (set != "H5T_CSET_ASCII" && set != "H5T_CSET_UTF8")
      return wrong("H5T_CSET_ASCII or H5T_CSET_UTF8");
    H5Tset_cset(made.get(), set == "H5T_CSET_UTF8" ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
    if (!mark(';') || !keyword("CTYPE")) return none();
    const std::string_view like = word();
    if (like != "H5T_C_S1" && like != "H5T_FORTRAN_S1") return wrong("H5T_C_S1 or H5T_FORTRAN_S1");
    if (!mark(';') || !mark('}')) return none();
    return made;
  }

  OwnedId opaque() {
    if (!mark('{') || !keyword("OPQ_SIZE")) return none();
    const auto size = count();
    if (!size || !mark(';') || !keyword("OPQ_TAG")) return none();
    const auto tag = quoted();
    if (!tag || !mark(';') || !mark('}')) return none();
    OwnedId made(H5Tcreate(H5T_OPAQUE, *size));
    if (!made || H5Tset_tag(made.get(), tag->c_str()) < 0) return none();
    return made;
  }

  struct Member {
    std::string name;
    OwnedId type;
    size_t offset;
  };
  OwnedId compound(int level) {
    std::vector<Member> members;
    size_t end = 0, size = 1;
    if (!mark('{')) return none();
    while (!is_next('}')) {
      OwnedId member = type(level + 1);
      if (!member) return none();
      const auto name = quoted();
      if (!name) return none();
      std::optional<unsigned long long> offset = end;
      if (is_next(':')) {
        ++at_;
        offset = count();
      }
      if (!offset || !mark(';')) return none();
      const size_t bytes = H5Tget_size(member.get());
      if (*offset > std::numeric_limits<size_t>::max() - bytes) return wrong("a smaller offset");
      end = *offset + bytes;
      size = std::max(size, end);
      members.push_back({*name, std::move(member), *offset});
    }
    ++at_;
    OwnedId made(H5Tcreate(H5T_COMPOUND, size));
    if (!made) return none();
    for (const Member& member : members)
      if (H5Tinsert(made.get(), member.name.c_str(), member.offset, member.type.get()) < 0)
        return none();
    return made;
  }

  OwnedId array(int level) {
    std::vector<hsize_t> dims;
    if (!mark('{')) return none();
    while (is_next('[')) {
      ++at_;
      const auto size = count();
      if (!size || !mark(']')) return none();
      if (dims.size() == H5S_MAX_RANK) return wrong("32 dimensions or fewer");
      dims.push_back(*size);
    }
    if (dims.empty()) return wrong("'['");
    const OwnedId base = type(level + 1);
    if (!base || !mark('}')) return none();
    return OwnedId(H5Tarray_create2(base.get(), static_cast<unsigned>(dims.size()), dims.data()));
  }

  OwnedId enumeration() {
    if (!mark('{')) return none();
    const OwnedId base = type(kMostLevels);
    if (!base) return none();
    if (H5Tget_class(base.get()) != H5T_INTEGER) return wrong("a type of integers before this");
    if (!mark(';')) return none();
    OwnedId made(H5Tenum_create(base.get()));
    if (!made) return none();
    while (!is_next('}')) {
      const auto name = quoted();
      if (!name) return none();
      const bool negative = is_next('-');
      if (negative) ++at_;
      const auto value = count();
      if (!value || !mark(';')) return none();
      if (!insert(made.get(), base.get(), name->c_str(), negative, *value))
        return wrong("a name and a value that are new, and a value that the type has, before this");
    }
    ++at_;
    return made;
  }
  static bool insert(hid_t made, hid_t base, const char* name, bool negative,
                     unsigned long long value) {
    const size_t bits = H5Tget_precision(base);
    const bool has_sign = H5Tget_sign(base) == H5T_SGN_2;
    const unsigned long long half = bits > 64 ? 0 : 1ULL << (bits - 1);
    if (negative && (!has_sign || value > half)) return false;
    if (!negative && has_sign && value >= half) return false;
    if (!negative && !has_sign && bits < 64 && value >= 2 * half) return false;
    unsigned char room[64] = {};
    if (H5Tget_size(base) > sizeof room) return false;
    const unsigned long long stored = negative ? 0 - value : value;
    std::memcpy(room, &stored, sizeof stored);
    return H5Tconvert(has_sign ? H5T_NATIVE_LLONG : H5T_NATIVE_ULLONG, base, 1, room, nullptr,
                      H5P_DEFAULT) >= 0 &&
           H5Tenum_insert(made, name, room) >= 0;
  }

  std::string text_;
  std::size_t at_ = 0, begun_ = 0;
  std::string reason_;
};

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

hid_t H5LTtext_to_dtype(const char* text, H5LT_lang_t lang_type) {
  constexpr const char* kFunction = "H5LTtext_to_dtype";
  if (text == nullptr) return refuse(kFunction, "text", "it is null");
  if (lang_type != H5LT_DDL) return refuse(kFunction, "lang_type", "only H5LT_DDL is understood");
  try {
    TypeReader reader(text);
    const OwnedId made = reader.type(1);
    if (!made) {
      if (!reader.reason().empty()) refuse(kFunction, "text", reader.reason().c_str());
      return H5I_INVALID_HID;
    }
    return H5Tcopy(made.get());
  } catch (const std::exception&) {
    return refuse(kFunction, "text", "out of memory");
  }
}

herr_t H5LTdtype_to_text(hid_t dtype, char* str, H5LT_lang_t lang_type, size_t* len) {
  constexpr const char* kFunction = "H5LTdtype_to_text";
  if (H5Iget_type(dtype) != H5I_DATATYPE) return refuse(kFunction, "dtype", "not a datatype");
  if (lang_type != H5LT_DDL) return refuse(kFunction, "lang_type", "only H5LT_DDL is understood");
  if (len == nullptr) return refuse(kFunction, "len", "it is null");
  try {
    TypeWriter writer;
    if (!writer.write(dtype, kStep, 1))
      return refuse(kFunction, "dtype",
                    "more than 64 types in each other, or one that can't be read");
    const std::string& text = writer.text();
    if (str == nullptr) {
      *len = text.size() + 1;
      return 0;
    }
    if (*len == 0) return 0;
    const size_t room = std::min(text.size(), *len - 1);
    std::memcpy(str, text.data(), room);
    str[room] = '\0';
    return 0;
  } catch (const std::exception&) {
    return refuse(kFunction, "dtype", "out of memory");
  }
}
