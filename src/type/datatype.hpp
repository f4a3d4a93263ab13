// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: what an element of a dataset or attribute is.
//
// A Datatype is a value. Copies share one immutable node, so passing them around is cheap; setters
// copy the node first. Enumerator values are those of the C API and of the file format.
// Source: HDF5 File Format Specification, IV.A.2.d; HDF5 Reference Manual, H5T.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

enum class TypeClass : std::int8_t {
  kInteger = 0,
  kFloat = 1,
  kTime = 2,
  kString = 3,
  kBitfield = 4,
  kOpaque = 5,
  kCompound = 6,
  kReference = 7,
  kEnum = 8,
  kVlen = 9,
  kArray = 10,
};
inline constexpr int kTypeClasses = 11;

enum class ByteOrder : std::int8_t { kLittle = 0, kBig = 1, kVax = 2, kMixed = 3, kNone = 4 };
enum class SignScheme : std::int8_t { kUnsigned = 0, kTwosComplement = 1 };
enum class Normalization : std::int8_t { kImplied = 0, kMsbSet = 1, kNone = 2 };
enum class BitPad : std::int8_t { kZero = 0, kOne = 1, kBackground = 2 };
enum class StringPad : std::int8_t { kNullTerminated = 0, kNullPadded = 1, kSpacePadded = 2 };
enum class CharacterSet : std::int8_t { kAscii = 0, kUtf8 = 1 };
enum class ReferenceKind : std::int8_t {
  kObject = 0,
  kRegion = 1,
  kNewer = 2  ///< of HDF5 1.12 or later: bytes that nobody here follows
};

/// Where the parts of a floating-point number are; positions and sizes in bits.
///
/// Positions count from the lowest bit of the element, whatever the type's bit offset; set_fields()
/// wants them inside the precision, as libhdf5 does.
struct FloatFields {
  unsigned sign_position = 0;
  unsigned exponent_position = 0;
  unsigned exponent_size = 0;
  unsigned mantissa_position = 0;
  unsigned mantissa_size = 0;
  std::uint64_t exponent_bias = 0;
  Normalization norm = Normalization::kImplied;
  BitPad inner_pad = BitPad::kZero;
  friend bool operator==(const FloatFields&, const FloatFields&) = default;
};

namespace detail {
struct MemberIndex;
}
struct TypeNode;
struct CompoundMember;
struct EnumMember;

/// Type of one element.
///
/// Threads: a value type; distinct objects are independent, also where they share a node.
class Datatype {
 public:
  /// An opaque type of one byte, so that containers and results can be made.
  Datatype();

  // Factories. Sizes and offsets in bytes, precisions and bit offsets in bits.
  static Datatype integer(std::size_t size, ByteOrder order, SignScheme sign);
  static Result<Datatype> integer(std::size_t size, ByteOrder order, SignScheme sign,
                                  unsigned precision, unsigned bit_offset);
  static Result<Datatype> floating(std::size_t size, ByteOrder order, const FloatFields& fields,
                                   unsigned precision, unsigned bit_offset);
  static Datatype ieee_float(ByteOrder order);
  static Datatype ieee_double(ByteOrder order);
  static Datatype time(std::size_t size, ByteOrder order);
  static Datatype string(std::size_t size, StringPad pad = StringPad::kNullTerminated,
                         CharacterSet cset = CharacterSet::kAscii);
  static Datatype bitfield(std::size_t size, ByteOrder order);
  static Datatype opaque(std::size_t size, std::string tag = "");
  /// A compound without members; add them with insert().
  static Datatype compound(std::size_t size);
  static Datatype reference(ReferenceKind kind);
  /// An enumeration without members. Errors: BADTYPE unless `base` is an integer.
  static Result<Datatype> enumeration(const Datatype& base);
  /// A sequence in memory form (length and pointer, 16 bytes).
  static Datatype vlen(const Datatype& base);
  /// A character pointer in memory form (8 bytes).
  static Datatype vlen_string(StringPad pad = StringPad::kNullTerminated,
                              CharacterSet cset = CharacterSet::kAscii);
  /// Row-major `dims`. Errors: BADVALUE for no or more than 32 dimensions, a dimension 0, or a size
  /// that does not fit 63 bits.
  static Result<Datatype> array(const Datatype& base, const std::vector<std::uint64_t>& dims);
  /// H5Tcreate: classes without parameters of their own. Errors: BADTYPE, BADVALUE.
  static Result<Datatype> create(TypeClass cls, std::size_t size);

  // Queries of any type.
  [[nodiscard]] TypeClass type_class() const;
  /// Bytes of one element.
  [[nodiscard]] std::size_t size() const;
  /// Equal in everything that matters for data: the encoding version is not compared.
  friend bool operator==(const Datatype& a, const Datatype& b);
  /// A vlen or reference type anywhere inside.
  [[nodiscard]] bool has_vlen_or_reference() const;
  /// No vlen type anywhere inside: elements are complete in their own bytes.
  [[nodiscard]] bool is_fixed() const;
  /// `cls` is the class of this type or of any type inside, as H5Tdetect_class sees it.
  [[nodiscard]] bool contains_class(TypeClass cls) const;
  [[nodiscard]] bool is_variable_string() const;
  /// Levels of types inside each other; an atomic type has 1.
  [[nodiscard]] unsigned depth() const;
  /// Class as H5Tget_class reports it: a variable-length string is a string.
  [[nodiscard]] TypeClass reported_class() const;

  // Atomic types. Derived types (enum, array, vlen) answer for their base type as HDF5 does.
  [[nodiscard]] Result<ByteOrder> order() const;
  [[nodiscard]] Result<std::size_t> precision() const;
  [[nodiscard]] Result<unsigned> bit_offset() const;
  [[nodiscard]] Result<BitPad> lsb_pad() const;
  [[nodiscard]] Result<BitPad> msb_pad() const;
  [[nodiscard]] Result<SignScheme> sign() const;
  [[nodiscard]] Result<FloatFields> fields() const;
  [[nodiscard]] Result<StringPad> string_pad() const;
  [[nodiscard]] Result<CharacterSet> character_set() const;
  [[nodiscard]] Result<std::string> tag() const;
  [[nodiscard]] Result<ReferenceKind> reference_kind() const;

  // Derived types.
  /// Base of an enum, array or vlen type. Errors: BADTYPE.
  [[nodiscard]] Result<Datatype> super() const;
  /// Row-major dimensions of an array type. Errors: BADTYPE.
  [[nodiscard]] Result<std::vector<std::uint64_t>> array_dims() const;

  // Compound and enum types.
  /// Members of a compound in order of insertion; empty for other classes.
  [[nodiscard]] const std::vector<CompoundMember>& members() const;
  /// Members of an enumeration in order of insertion; empty for other classes.
  [[nodiscard]] const std::vector<EnumMember>& enum_members() const;
  /// Number of a member of a compound or enum type by name.
  [[nodiscard]] std::optional<unsigned> member_index(std::string_view name) const;
  /// Name of an enum value (`size()` bytes). Errors: NOTFOUND.
  [[nodiscard]] Result<std::string> enum_name(const std::byte* value) const;

  // Setters. On failure the type is as before. Rules: HDF5 Reference Manual; details as libhdf5
  // 1.10.8 was observed to act.
  Status set_size(std::size_t size);
  Status set_variable_size();
  Status set_order(ByteOrder order);
  Status set_precision(std::size_t precision);
  Status set_bit_offset(std::size_t offset);
  Status set_pads(BitPad lsb, BitPad msb);
  Status set_sign(SignScheme sign);
  /// Positions and sizes only; bias, norm and padding are kept.
  Status set_fields(const FloatFields& fields);
  Status set_exponent_bias(std::uint64_t bias);
  Status set_norm(Normalization norm);
  Status set_inner_pad(BitPad pad);
  Status set_string_pad(StringPad pad);
  Status set_character_set(CharacterSet cset);
  Status set_tag(std::string_view tag);
  /// Adds a compound member at byte `offset`. Errors: name taken, overlap, beyond the size.
  Status insert(std::string_view name, std::size_t offset, const Datatype& type);
  /// Removes the gaps between the members of a compound, in nested compounds too.
  Status pack();
  /// Adds an enum member; `value` has size() bytes. Errors: name or value taken.
  Status insert_enum(std::string_view name, const std::byte* value);

  // Forms. In memory a vlen is pointers; in a file it is a heap reference.
  /// The same type as a file with addresses of `address_width` bytes stores it.
  [[nodiscard]] Datatype file_form(unsigned address_width) const;
  /// The same type as a program's buffer holds it.
  [[nodiscard]] Datatype memory_form() const;

  /// Version of the Datatype message that this type was read with or needs (1 to 4).
  [[nodiscard]] unsigned encode_version() const;

  // For the rooms that read and build nodes (format, convert).
  [[nodiscard]] const TypeNode& node() const { return *node_; }
  explicit Datatype(std::shared_ptr<const TypeNode> node) : node_(std::move(node)) {}

 private:
  TypeNode& mutate();
  std::shared_ptr<const TypeNode> node_;
};

/// One field of a compound type.
struct CompoundMember {
  std::string name;
  std::size_t offset = 0;  // bytes from the start of the element
  Datatype type;
};

/// One symbol of an enumeration; value in the byte order of the base type.
struct EnumMember {
  std::string name;
  std::vector<std::byte> value;
};

/// The parts of a type. Which ones mean something depends on the class.
struct TypeNode {
  TypeClass cls = TypeClass::kOpaque;
  std::size_t size = 1;
  std::uint8_t version = 1;

  // integer, float, time, bitfield, string, reference
  ByteOrder order = ByteOrder::kNone;
  std::size_t precision = 0;
  unsigned bit_offset = 0;
  BitPad lsb_pad = BitPad::kZero;
  BitPad msb_pad = BitPad::kZero;
  SignScheme sign = SignScheme::kUnsigned;
  FloatFields fields;

  // string, variable string
  StringPad string_pad = StringPad::kNullTerminated;
  CharacterSet cset = CharacterSet::kAscii;
  bool variable_string = false;  // vlen only

  ReferenceKind reference = ReferenceKind::kObject;
  std::uint32_t newer_reference =
      0;            // what the file says of a newer kind: the 24 bits of its class
  std::string tag;  // opaque

  std::optional<Datatype> super;    // enum, vlen, array
  std::vector<std::uint64_t> dims;  // array
  std::vector<CompoundMember> members;
  std::vector<EnumMember> symbols;
  std::shared_ptr<detail::MemberIndex> index;  // of many members or symbols; see type/member_index
};

/// Clears bytes of an element that belong to no value: between members of compounds, behind the end of null-terminated text
/// and of a long double. What a program's memory happens to have there is each rank's own.
void clear_unused(const Datatype& type, std::byte* element);
/// Of a number, before these: all but for a long double. Bytes.
[[nodiscard]] std::ptrdiff_t used_bytes(const Datatype& number);

/// True for classes whose bytes are one number or text: all but compound, enum, vlen, array, opaque.
[[nodiscard]] bool is_atomic(TypeClass cls);

}  // namespace pcio
