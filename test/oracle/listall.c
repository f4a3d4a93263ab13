/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Lists and hashes everything that an HDF5 file holds, as text.
 *
 * Room: test/oracle, public C API only. The same source is compiled against libhdf5 and against
 * libpcio; two builds that understand a file alike print the same text. What a library refuses
 * becomes one line `refused: <call>: <reason>` and the listing goes on, so that it may be fed
 * hostile files: allocations are capped, cycles of hard links end at the address set, and
 * recursion is bounded.
 *
 * Exit: 0 all was read, 1 the file cannot be opened, 2 usage, 3 something inside was refused. */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  kMaxTypeDepth = 24, /* nesting of compound, array, enum and sequence types */
  kMaxPathDepth = 64, /* nesting of groups */
  kMaxNames = 200000, /* links of one group, attributes of one object, objects of a file */
  kMaxText = 1 << 20, /* characters of one line */
  kCorner = 4         /* elements per dimension that are read of a dataset over the limit */
};

static size_t limit_bytes = (size_t)64 << 20;
static unsigned long refusals = 0;

/* ---- text ---------------------------------------------------------------------------------- */

typedef struct {
  char* data;
  size_t size, capacity;
} Text;

static void text_put(Text* text, const char* piece) {
  const size_t length = strlen(piece);
  if (text->size + length > kMaxText) return;
  if (text->size + length + 1 > text->capacity) {
    text->capacity = 2 * (text->size + length) + 64;
    text->data = (char*)realloc(text->data, text->capacity);
    if (text->data == NULL) exit(4);
  }
  memcpy(text->data + text->size, piece, length + 1);
  text->size += length;
}

static void text_number(Text* text, const char* before, long long value) {
  char digits[40];
  snprintf(digits, sizeof digits, "%s%lld", before, value);
  text_put(text, digits);
}

/* Names come from the file: everything but plain printable ASCII is written as \xNN. */
static void text_quoted(Text* text, const char* name, size_t length) {
  text_put(text, "\"");
  for (size_t i = 0; i < length; ++i) {
    const unsigned char c = (unsigned char)name[i];
    char piece[8];
    if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
      snprintf(piece, sizeof piece, "\\x%02x", (unsigned)c);
    else
      snprintf(piece, sizeof piece, "%c", c);
    text_put(text, piece);
  }
  text_put(text, "\"");
}

static void text_print(const char* label, Text* text) {
  printf("%s%s\n", label, text->data != NULL ? text->data : "");
  free(text->data);
  memset(text, 0, sizeof *text);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static herr_t innermost_message(unsigned n, const H5E_error2_t* error, void* out) {
  if (n == 0 && error->desc != NULL) snprintf((char*)out, 400, "%s", error->desc);
  return 0;
}

/* One line for what could not be done; the innermost message of the stack is the reason. */
static void refused(const char* call, const char* name) {
  char reason[400] = "";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost_message, reason);
  Text text = {NULL, 0, 0};
  text_put(&text, call);
  if (name != NULL) {
    text_put(&text, " ");
    text_quoted(&text, name, strlen(name));
  }
  text_put(&text, ": ");
  text_put(&text, reason[0] != '\0' ? reason : "no reason given");
  for (char* c = text.data; *c != '\0'; ++c)
    if (*c == '\n') *c = ' ';
  text_print("  refused: ", &text);
  H5Eclear2(H5E_DEFAULT);
  ++refusals;
}

/* ---- datatypes ----------------------------------------------------------------------------- */

static void text_type(Text* text, hid_t type, int depth);

static void text_pads(Text* text, hid_t type) {
  H5T_pad_t low = H5T_PAD_ERROR, high = H5T_PAD_ERROR;
  H5Tget_pad(type, &low, &high);
  text_number(text, " pad=", (long long)low);
  text_number(text, "/", (long long)high);
}

static void text_bits(Text* text, hid_t type) {
  text_number(text, " size=", (long long)H5Tget_size(type));
  text_number(text, " order=", (long long)H5Tget_order(type));
  text_number(text, " precision=", (long long)H5Tget_precision(type));
  text_number(text, " offset=", (long long)H5Tget_offset(type));
  text_pads(text, type);
}

static void text_float(Text* text, hid_t type) {
  size_t sign = 0, exponent = 0, exponent_size = 0, mantissa = 0, mantissa_size = 0;
  text_put(text, "float{");
  text_bits(text, type);
  H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size);
  text_number(text, " sign=", (long long)sign);
  text_number(text, " exponent=", (long long)exponent);
  text_number(text, "+", (long long)exponent_size);
  text_number(text, " mantissa=", (long long)mantissa);
  text_number(text, "+", (long long)mantissa_size);
  text_number(text, " bias=", (long long)H5Tget_ebias(type));
  text_number(text, " norm=", (long long)H5Tget_norm(type));
  text_number(text, " inpad=", (long long)H5Tget_inpad(type));
  text_put(text, "}");
}

static void text_string(Text* text, hid_t type) {
  text_put(text, "string{");
  if (H5Tis_variable_str(type) > 0)
    text_put(text, " variable");
  else
    text_number(text, " size=", (long long)H5Tget_size(type));
  text_number(text, " pad=", (long long)H5Tget_strpad(type));
  text_number(text, " cset=", (long long)H5Tget_cset(type));
  text_put(text, "}");
}

static void text_compound(Text* text, hid_t type, int depth) {
  const int members = H5Tget_nmembers(type);
  text_number(text, "compound{ size=", (long long)H5Tget_size(type));
  for (int i = 0; i < members && text->size < kMaxText / 2; ++i) {
    char* name = H5Tget_member_name(type, (unsigned)i);
    const hid_t member = H5Tget_member_type(type, (unsigned)i);
    text_put(text, "; ");
    if (name != NULL) text_quoted(text, name, strlen(name));
    text_number(text, "@", (long long)H5Tget_member_offset(type, (unsigned)i));
    text_put(text, ":");
    text_type(text, member, depth + 1);
    if (name != NULL) H5free_memory(name);
    if (member >= 0) H5Tclose(member);
  }
  text_put(text, "}");
}

static void text_hex(Text* text, const unsigned char* bytes, size_t size) {
  char piece[4];
  for (size_t i = 0; i < size; ++i) {
    snprintf(piece, sizeof piece, "%02x", (unsigned)bytes[i]);
    text_put(text, piece);
  }
}

static void text_enum(Text* text, hid_t type, int depth) {
  const int members = H5Tget_nmembers(type);
  const size_t size = H5Tget_size(type);
  const hid_t base = H5Tget_super(type);
  text_put(text, "enum{ ");
  text_type(text, base, depth + 1);
  if (base >= 0) H5Tclose(base);
  for (int i = 0; i < members && size <= 16 && text->size < kMaxText / 2; ++i) {
    unsigned char value[16] = {0};
    char* name = H5Tget_member_name(type, (unsigned)i);
    text_put(text, "; ");
    if (name != NULL) text_quoted(text, name, strlen(name));
    H5Tget_member_value(type, (unsigned)i, value);
    text_put(text, "=");
    text_hex(text, value, size);
    if (name != NULL) H5free_memory(name);
  }
  text_put(text, "}");
}

static void text_array(Text* text, hid_t type, int depth) {
  hsize_t dims[H5S_MAX_RANK] = {0};
  const int ndims = H5Tget_array_ndims(type);
  const hid_t base = H5Tget_super(type);
  text_put(text, "array{ [");
  if (ndims > 0 && ndims <= H5S_MAX_RANK) H5Tget_array_dims2(type, dims);
  for (int i = 0; i < ndims && i < H5S_MAX_RANK; ++i)
    text_number(text, i == 0 ? "" : ",", (long long)dims[i]);
  text_put(text, "] ");
  text_type(text, base, depth + 1);
  if (base >= 0) H5Tclose(base);
  text_put(text, "}");
}

static void text_opaque(Text* text, hid_t type) {
  char* tag = H5Tget_tag(type);
  text_number(text, "opaque{ size=", (long long)H5Tget_size(type));
  text_put(text, " tag=");
  if (tag != NULL) {
    text_quoted(text, tag, strlen(tag));
    H5free_memory(tag);
  }
  text_put(text, "}");
}

static void text_sequence(Text* text, hid_t type, int depth) {
  const hid_t base = H5Tget_super(type);
  text_put(text, "sequence{ ");
  text_type(text, base, depth + 1);
  if (base >= 0) H5Tclose(base);
  text_put(text, "}");
}

static void text_type(Text* text, hid_t type, int depth) {
  if (depth > kMaxTypeDepth) {
    text_put(text, "(nested too deep)");
    return;
  }
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      text_number(text, "integer{ sign=", (long long)H5Tget_sign(type));
      text_bits(text, type);
      text_put(text, "}");
      break;
    case H5T_FLOAT:
      text_float(text, type);
      break;
    case H5T_TIME:
      text_number(text, "time{ size=", (long long)H5Tget_size(type));
      text_put(text, "}");
      break;
    case H5T_STRING:
      text_string(text, type);
      break;
    case H5T_BITFIELD:
      text_put(text, "bitfield{");
      text_bits(text, type);
      text_put(text, "}");
      break;
    case H5T_OPAQUE:
      text_opaque(text, type);
      break;
    case H5T_COMPOUND:
      text_compound(text, type, depth);
      break;
    case H5T_REFERENCE:
      text_put(text,
               H5Tequal(type, H5T_STD_REF_OBJ) > 0 ? "reference{object}" : "reference{region}");
      break;
    case H5T_ENUM:
      text_enum(text, type, depth);
      break;
    case H5T_VLEN:
      text_sequence(text, type, depth);
      break;
    case H5T_ARRAY:
      text_array(text, type, depth);
      break;
    default:
      text_put(text, "(no class)");
  }
}

/* ---- hashing of values --------------------------------------------------------------------- */

typedef unsigned long long Hash; /* FNV-1a, 64 bits */

static Hash hash_bytes(Hash hash, const void* bytes, size_t size) {
  const unsigned char* at = (const unsigned char*)bytes;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ at[i]) * 1099511628211ULL;
  return hash;
}

/* A plan per type, made once, so that hashing a million elements asks the library nothing. */
typedef struct Walk {
  enum { kPlain, kVariable, kSequence, kMembers, kRepeat } kind;
  size_t size, count;
  int outside;
  size_t* offsets;
  struct Walk** parts;
} Walk;

static Walk* walk_new(hid_t type, int depth);

static void walk_members(Walk* walk, hid_t type, int depth) {
  const int members = H5Tget_nmembers(type);
  walk->kind = kMembers;
  walk->count = members > 0 ? (size_t)members : 0;
  walk->offsets = (size_t*)calloc(walk->count + 1, sizeof *walk->offsets);
  walk->parts = (Walk**)calloc(walk->count + 1, sizeof *walk->parts);
  if (walk->offsets == NULL || walk->parts == NULL) exit(4);
  for (size_t i = 0; i < walk->count; ++i) {
    const hid_t member = H5Tget_member_type(type, (unsigned)i);
    walk->offsets[i] = H5Tget_member_offset(type, (unsigned)i);
    walk->parts[i] = walk_new(member, depth + 1);
    if (member >= 0) H5Tclose(member);
    if (walk->parts[i]->size > walk->size || walk->offsets[i] > walk->size - walk->parts[i]->size)
      walk->outside = 1; /* a library should have refused this type */
  }
}

static void walk_base(Walk* walk, hid_t type, int depth) {
  const hid_t base = H5Tget_super(type);
  walk->parts = (Walk**)calloc(1, sizeof *walk->parts);
  if (walk->parts == NULL) exit(4);
  walk->parts[0] = walk_new(base, depth + 1);
  walk->count =
      walk->kind == kRepeat && walk->parts[0]->size > 0 ? walk->size / walk->parts[0]->size : 1;
  if (base >= 0) H5Tclose(base);
}

static Walk* walk_new(hid_t type, int depth) {
  Walk* walk = (Walk*)calloc(1, sizeof *walk);
  if (walk == NULL) exit(4);
  walk->size = H5Tget_size(type);
  walk->kind = kPlain;
  if (depth > kMaxTypeDepth) return walk;
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      if (H5Tis_variable_str(type) > 0) walk->kind = kVariable;
      break;
    case H5T_COMPOUND:
      walk_members(walk, type, depth);
      break;
    case H5T_VLEN:
      walk->kind = kSequence;
      walk_base(walk, type, depth);
      break;
    case H5T_ARRAY:
      walk->kind = kRepeat;
      walk_base(walk, type, depth);
      break;
    default:
      break;
  }
  return walk;
}

static void walk_free(Walk* walk) {
  if (walk == NULL) return;
  for (size_t i = 0; walk->parts != NULL && i < (walk->kind == kMembers ? walk->count : 1); ++i)
    walk_free(walk->parts[i]);
  free(walk->parts);
  free(walk->offsets);
  free(walk);
}

static Hash walk_hash(const Walk* walk, Hash hash, const unsigned char* at) {
  switch (walk->kind) {
    case kPlain:
      return hash_bytes(hash, at, walk->size);
    case kVariable: {
      char* string;
      memcpy(&string, at, sizeof string);
      return string == NULL ? hash_bytes(hash, "\1", 1)
                            : hash_bytes(hash, string, strlen(string) + 1);
    }
    case kSequence: {
      hvl_t sequence;
      memcpy(&sequence, at, sizeof sequence);
      hash = hash_bytes(hash, &sequence.len, sizeof sequence.len);
      for (size_t i = 0; i < sequence.len; ++i)
        hash =
            walk_hash(walk->parts[0], hash, (unsigned char*)sequence.p + i * walk->parts[0]->size);
      return hash;
    }
    case kMembers: /* the gaps between members are not values */
      for (size_t i = 0; i < walk->count && !walk->outside; ++i)
        hash = walk_hash(walk->parts[i], hash, at + walk->offsets[i]);
      return hash;
    case kRepeat:
      for (size_t i = 0; i < walk->count; ++i)
        hash = walk_hash(walk->parts[0], hash, at + i * walk->parts[0]->size);
      return hash;
  }
  return hash;
}

static Hash hash_values(hid_t type, const void* values, size_t count) {
  Walk* walk = walk_new(type, 0);
  Hash hash = 14695981039346656037ULL;
  if (walk->kind == kPlain)
    hash = hash_bytes(hash, values, count * walk->size);
  else
    for (size_t i = 0; i < count; ++i)
      hash = walk_hash(walk, hash, (const unsigned char*)values + i * walk->size);
  walk_free(walk);
  return hash;
}

/* ---- values of datasets and attributes ----------------------------------------------------- */

/* Reads in one memory type and prints the hash. `space` < 0 reads an attribute, else a dataset
 * with the selection of `space` (H5S_ALL allowed), `count` elements. */
static void print_hash(hid_t object, hid_t type, hid_t space, hsize_t count, const char* label) {
  const size_t size = H5Tget_size(type);
  if (size == 0 || count > limit_bytes / size) {
    printf("  %s: over the limit of memory\n", label);
    return;
  }
  void* values = calloc((size_t)count + 1, size);
  hsize_t extent = count;
  const hid_t memory = space > 0 ? H5Screate_simple(1, &extent, NULL) : H5S_ALL;
  if (values == NULL) exit(4);
  const herr_t status = space < 0 ? H5Aread(object, type, values)
                                  : H5Dread(object, type, memory, space, H5P_DEFAULT, values);
  if (status < 0) {
    refused(space < 0 ? "H5Aread" : "H5Dread", label);
  } else {
    printf("  %s: %016llx\n", label, hash_values(type, values, (size_t)count));
    if (count > 0 && H5Tdetect_class(type, H5T_VLEN) > 0) {
      const hid_t whole = H5Screate_simple(1, &extent, NULL);
      H5Dvlen_reclaim(type, whole, H5P_DEFAULT, values);
      H5Sclose(whole);
    }
  }
  if (memory > 0) H5Sclose(memory);
  free(values);
}

static void print_both_hashes(hid_t object, hid_t type, hid_t space, hsize_t count) {
  const hid_t native = H5Tget_native_type(type, H5T_DIR_ASCEND);
  print_hash(object, type, space, count, "values in the file's type");
  if (native < 0) {
    refused("H5Tget_native_type", NULL);
    return;
  }
  Text text = {NULL, 0, 0};
  text_type(&text, native, 0);
  text_print("  native type: ", &text);
  print_hash(object, native, space, count, "values in the native type");
  H5Tclose(native);
}

static void print_type(hid_t type) {
  Text text = {NULL, 0, 0};
  if (H5Tcommitted(type) > 0) text_put(&text, "committed ");
  text_type(&text, type, 0);
  text_print("  type: ", &text);
}

/* Prints the space and returns its number of elements. */
static hsize_t print_space(hid_t space) {
  hsize_t dims[H5S_MAX_RANK] = {0}, most[H5S_MAX_RANK] = {0};
  Text text = {NULL, 0, 0};
  const int ndims = H5Sget_simple_extent_dims(space, dims, most);
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  text_put(&text, kind == H5S_NULL ? "null" : kind == H5S_SCALAR ? "scalar" : "simple");
  for (int i = 0; i < ndims && i < H5S_MAX_RANK; ++i) {
    text_number(&text, " ", (long long)dims[i]);
    if (most[i] == H5S_UNLIMITED)
      text_put(&text, "/unlimited");
    else
      text_number(&text, "/", (long long)most[i]);
  }
  text_print("  space: ", &text);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  return points > 0 ? (hsize_t)points : 0;
}

/* ---- names --------------------------------------------------------------------------------- */

typedef struct {
  size_t count;
  char** name;
  H5L_type_t* type;
} Names;

static int names_add(Names* names, const char* name, H5L_type_t type) {
  if (names->count >= kMaxNames) return -1;
  if ((names->count & (names->count + 1)) == 0 || names->name == NULL) {
    const size_t capacity = 2 * names->count + 2;
    names->name = (char**)realloc(names->name, capacity * sizeof *names->name);
    names->type = (H5L_type_t*)realloc(names->type, capacity * sizeof *names->type);
    if (names->name == NULL || names->type == NULL) exit(4);
  }
  const size_t size = strlen(name) + 1;
  names->name[names->count] = (char*)malloc(size);
  if (names->name[names->count] == NULL) exit(4);
  memcpy(names->name[names->count], name, size);
  names->type[names->count++] = type;
  return 0;
}

static void names_free(Names* names) {
  for (size_t i = 0; i < names->count; ++i) free(names->name[i]);
  free(names->name);
  free(names->type);
}

static herr_t collect_attribute(hid_t object, const char* name, const H5A_info_t* info, void* out) {
  (void)object, (void)info;
  return names_add((Names*)out, name, H5L_TYPE_ERROR);
}

static herr_t collect_link(hid_t group, const char* name, const H5L_info_t* info, void* out) {
  (void)group;
  return names_add((Names*)out, name, info->type);
}

/* ---- objects ------------------------------------------------------------------------------- */

static void list_attribute(hid_t object, const char* name) {
  Text text = {NULL, 0, 0};
  text_quoted(&text, name, strlen(name));
  text_print("  attribute ", &text);
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) {
    refused("H5Aopen", name);
    return;
  }
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  if (type < 0 || space < 0) {
    refused("H5Aget_type or H5Aget_space", name);
  } else {
    print_type(type);
    const hsize_t count = print_space(space);
    if (count > 0) print_both_hashes(attribute, type, -1, count);
  }
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  H5Aclose(attribute);
}

static void list_attributes(hid_t object) {
  Names names = {0, NULL, NULL};
  hsize_t from = 0;
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &from, collect_attribute, &names) < 0)
    refused("H5Aiterate2", NULL);
  for (size_t i = 0; i < names.count; ++i) list_attribute(object, names.name[i]);
  names_free(&names);
}

static void print_filters(hid_t list) {
  const int filters = H5Pget_nfilters(list);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, values[32] = {0}, config = 0;
    size_t count = 32;
    char name[64] = "";
    const H5Z_filter_t id =
        H5Pget_filter2(list, (unsigned)i, &flags, &count, values, sizeof name, name, &config);
    Text text = {NULL, 0, 0};
    text_number(&text, "", (long long)id);
    text_number(&text, " flags=", (long long)flags);
    for (size_t k = 0; k < count && k < 32; ++k) text_number(&text, " ", (long long)values[k]);
    text_print("  filter: ", &text);
  }
}

static void print_fill(hid_t list, hid_t type) {
  H5D_fill_value_t defined = H5D_FILL_VALUE_ERROR;
  H5D_alloc_time_t alloc = H5D_ALLOC_TIME_ERROR;
  H5D_fill_time_t when = H5D_FILL_TIME_ERROR;
  const size_t size = H5Tget_size(type);
  H5Pfill_value_defined(list, &defined);
  H5Pget_alloc_time(list, &alloc);
  H5Pget_fill_time(list, &when);
  printf("  fill: defined=%d alloc=%d time=%d\n", (int)defined, (int)alloc, (int)when);
  /* A fill of pointers is the library's memory: it is not asked for. */
  if (defined != H5D_FILL_VALUE_USER_DEFINED || size == 0 || size > limit_bytes ||
      H5Tdetect_class(type, H5T_VLEN) > 0)
    return;
  void* value = calloc(1, size);
  if (value == NULL) exit(4);
  if (H5Pget_fill_value(list, type, value) < 0)
    refused("H5Pget_fill_value", NULL);
  else
    printf("  fill value: %016llx\n", hash_values(type, value, 1));
  free(value);
}

static void print_creation_list(hid_t dataset, hid_t type) {
  const hid_t list = H5Dget_create_plist(dataset);
  if (list < 0) {
    refused("H5Dget_create_plist", NULL);
    return;
  }
  const H5D_layout_t layout = H5Pget_layout(list);
  Text text = {NULL, 0, 0};
  text_put(&text, layout == H5D_COMPACT      ? "compact"
                  : layout == H5D_CONTIGUOUS ? "contiguous"
                  : layout == H5D_CHUNKED    ? "chunked"
                                             : "other");
  if (layout == H5D_CHUNKED) {
    hsize_t chunk[H5S_MAX_RANK] = {0};
    const int ndims = H5Pget_chunk(list, H5S_MAX_RANK, chunk);
    for (int i = 0; i < ndims && i < H5S_MAX_RANK; ++i)
      text_number(&text, " ", (long long)chunk[i]);
  }
  const int external = H5Pget_external_count(list);
  if (external > 0) text_number(&text, " external files: ", external);
  text_print("  layout: ", &text);
  print_fill(list, type);
  print_filters(list);
  H5Pclose(list);
}

/* Of a dataset over the limit only the corner at the origin is read. */
static void print_corner(hid_t dataset, hid_t type, hid_t space) {
  hsize_t dims[H5S_MAX_RANK] = {0}, start[H5S_MAX_RANK] = {0}, count = 1;
  const int ndims = H5Sget_simple_extent_dims(space, dims, NULL);
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] > kCorner) dims[i] = i < 8 ? kCorner : 1;
    count *= dims[i];
  }
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, dims, NULL) < 0) {
    refused("H5Sselect_hyperslab", NULL);
    return;
  }
  printf("  values: the corner of %llu elements\n", (unsigned long long)count);
  print_both_hashes(dataset, type, space, count);
}

static void list_dataset(hid_t dataset) {
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  printf("  elements\n"); /* what follows is not of the last attribute */
  if (type < 0 || space < 0) {
    refused("H5Dget_type or H5Dget_space", NULL);
  } else {
    print_type(type);
    const hsize_t count = print_space(space);
    const size_t size = H5Tget_size(type);
    print_creation_list(dataset, type);
    H5Eclear2(H5E_DEFAULT);
    const unsigned long long stored = H5Dget_storage_size(dataset);
    if (stored == 0 && H5Eget_num(H5E_DEFAULT) > 0) /* 0 is also the sign of a failure */
      refused("H5Dget_storage_size", NULL);
    else
      printf("  storage: %llu bytes\n", stored);
    if (count > 0 && size > 0 && count > limit_bytes / size)
      print_corner(dataset, type, space);
    else if (count > 0)
      print_both_hashes(dataset, type, H5S_ALL, count);
  }
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
}

/* ---- traversal ----------------------------------------------------------------------------- */

typedef struct {
  size_t count;
  haddr_t* address;
  char** path;
} Visited;

static const char* visited_path(const Visited* visited, haddr_t address) {
  for (size_t i = 0; i < visited->count; ++i)
    if (visited->address[i] == address) return visited->path[i];
  return NULL;
}

static void visited_add(Visited* visited, haddr_t address, const char* path) {
  if ((visited->count & (visited->count + 1)) == 0 || visited->path == NULL) {
    const size_t capacity = 2 * visited->count + 2;
    visited->address = (haddr_t*)realloc(visited->address, capacity * sizeof(haddr_t));
    visited->path = (char**)realloc(visited->path, capacity * sizeof(char*));
    if (visited->address == NULL || visited->path == NULL) exit(4);
  }
  const size_t size = strlen(path) + 1;
  visited->path[visited->count] = (char*)malloc(size);
  if (visited->path[visited->count] == NULL) exit(4);
  memcpy(visited->path[visited->count], path, size);
  visited->address[visited->count++] = address;
}

static void visit(Visited* visited, hid_t object, const char* path, int depth);

static void print_soft(hid_t group, const char* name, H5L_type_t type) {
  H5L_info_t info;
  Text text = {NULL, 0, 0};
  if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0) {
    refused("H5Lget_info", name);
    return;
  }
  const size_t size = info.u.val_size < (size_t)kMaxText / 8 ? info.u.val_size : 0;
  char* value = (char*)calloc(1, size + 1);
  if (value == NULL) exit(4);
  if (H5Lget_val(group, name, value, size, H5P_DEFAULT) < 0) {
    refused("H5Lget_val", name);
  } else {
    const char *file = NULL, *target = value;
    unsigned flags = 0;
    if (type == H5L_TYPE_EXTERNAL && H5Lunpack_elink_val(value, size, &flags, &file, &target) < 0)
      refused("H5Lunpack_elink_val", name);
    text_put(&text, type == H5L_TYPE_EXTERNAL ? "external " : "soft ");
    text_quoted(&text, name, strlen(name));
    text_put(&text, " -> ");
    if (file != NULL) {
      text_quoted(&text, file, strlen(file));
      text_put(&text, " ");
    }
    if (target != NULL) text_quoted(&text, target, strlen(target));
    text_print("link: ", &text);
  }
  free(value);
}

/* Visits what one link of the group named `path` leads to. */
static void visit_link(Visited* visited, hid_t group, const char* path, const char* name,
                       H5L_type_t type, int depth) {
  if (type == H5L_TYPE_SOFT || type == H5L_TYPE_EXTERNAL) {
    print_soft(group, name, type);
    return;
  }
  if (type != H5L_TYPE_HARD) {
    printf("link: of class %d\n", (int)type);
    return;
  }
  Text full = {NULL, 0, 0};
  text_put(&full, path);
  if (strcmp(path, "/") != 0) text_put(&full, "/");
  text_put(&full, name);
  const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  if (object < 0) {
    Text text = {NULL, 0, 0};
    text_quoted(&text, full.data, full.size);
    text_print("object ", &text);
    refused("H5Oopen", name);
  } else {
    visit(visited, object, full.data, depth);
    H5Oclose(object);
  }
  free(full.data);
}

static void list_group(Visited* visited, hid_t group, const char* path, int depth) {
  Names names = {0, NULL, NULL};
  H5G_info_t info;
  hsize_t from = 0;
  memset(&info, 0, sizeof info);
  if (H5Gget_info(group, &info) < 0)
    refused("H5Gget_info", NULL);
  else
    printf("  links: %llu\n", (unsigned long long)info.nlinks);
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &from, collect_link, &names) < 0)
    refused("H5Literate", NULL);
  if (depth >= kMaxPathDepth)
    printf("  groups nested too deep\n");
  else
    for (size_t i = 0; i < names.count; ++i)
      visit_link(visited, group, path, names.name[i], names.type[i], depth + 1);
  names_free(&names);
}

static void visit(Visited* visited, hid_t object, const char* path, int depth) {
  H5O_info_t info;
  Text text = {NULL, 0, 0};
  memset(&info, 0, sizeof info);
  text_quoted(&text, path, strlen(path));
  if (H5Oget_info(object, &info) < 0) {
    text_print("object ", &text);
    refused("H5Oget_info", NULL);
    return;
  }
  const char* before = visited_path(visited, info.addr);
  if (before != NULL) {
    text_put(&text, " is ");
    text_quoted(&text, before, strlen(before));
    text_print("object ", &text);
    return;
  }
  if (visited->count >= kMaxNames) return;
  visited_add(visited, info.addr, path);
  text_put(&text, info.type == H5O_TYPE_GROUP     ? " group"
                  : info.type == H5O_TYPE_DATASET ? " dataset"
                                                  : " type");
  text_number(&text, " references=", (long long)info.rc);
  text_number(&text, " attributes=", (long long)info.num_attrs);
  text_print("object ", &text);
  list_attributes(object);
  if (info.type == H5O_TYPE_GROUP) list_group(visited, object, path, depth);
  if (info.type == H5O_TYPE_DATASET) list_dataset(object);
  if (info.type == H5O_TYPE_NAMED_DATATYPE) print_type(object);
}

static int list_file(const char* name) {
  Visited visited = {0, NULL, NULL};
  hsize_t user_block = 0;
  const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) {
    printf("file\n");
    refused("H5Fopen", NULL);
    return 1;
  }
  const hid_t list = H5Fget_create_plist(file);
  if (list >= 0) H5Pget_userblock(list, &user_block);
  printf("file user block %llu\n", (unsigned long long)user_block);
  if (list >= 0) H5Pclose(list);
  const hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
  if (root < 0) {
    refused("H5Gopen2", "/");
  } else {
    visit(&visited, root, "/", 0);
    H5Gclose(root);
  }
  if (H5Fclose(file) < 0) refused("H5Fclose", NULL);
  for (size_t i = 0; i < visited.count; ++i) free(visited.path[i]);
  free(visited.path);
  free(visited.address);
  return refusals > 0 ? 3 : 0;
}

int main(int argc, char** argv) {
  const char* name = NULL;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--max-mib") == 0 && i + 1 < argc)
      limit_bytes = (size_t)strtoul(argv[++i], NULL, 10) << 20;
    else if (argv[i][0] != '-' && name == NULL)
      name = argv[i];
    else
      name = "", i = argc;
  }
  if (name == NULL || name[0] == '\0') {
    fprintf(stderr, "usage: listall [--max-mib N] FILE\n");
    return 2;
  }
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return list_file(name);
}
