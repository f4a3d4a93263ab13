/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Datatypes (room: include).
 *
 * Sizes and offsets of members are in bytes; precision, offset and fields of numbers in bits,
 * counted from the lowest one. Setters refuse predefined, locked and committed types, and leave the
 * type alone where they fail; for arrays, sequences and enumerations without symbols they mean the
 * base type. Committing a type is a metadata call; everything else is local.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Tpublic_H
#define H5Tpublic_H

#include "H5Ipublic.h"
#include "H5public.h"

/** \defgroup H5T H5T: datatypes
 *  @{ */

/**
 * Offset of a member of a C structure in bytes, for H5Tinsert().
 *
 * \param S The structure.
 * \param M The member.
 */
#define HOFFSET(S, M) (offsetof(S, M))

/** Classes of types. */
typedef enum H5T_class_t {
  H5T_NO_CLASS = -1, /**< No class: a call failed. */
  H5T_INTEGER = 0,   /**< Integers. */
  H5T_FLOAT = 1,     /**< Floating-point numbers. */
  H5T_TIME = 2,      /**< Times; not converted to anything. */
  H5T_STRING = 3,    /**< Text. */
  H5T_BITFIELD = 4,  /**< Bits. */
  H5T_OPAQUE = 5,    /**< Bytes that nobody looks into. */
  H5T_COMPOUND = 6,  /**< Structures. */
  H5T_REFERENCE = 7, /**< References to objects and regions. */
  H5T_ENUM = 8,      /**< Enumerations. */
  H5T_VLEN = 9,      /**< Sequences of varying length. */
  H5T_ARRAY = 10,    /**< Arrays. */
  H5T_NCLASSES = 11  /**< Number of classes. */
} H5T_class_t;

/** Byte order of a number. */
typedef enum H5T_order_t {
  H5T_ORDER_ERROR = -1, /**< No order: a call failed. */
  H5T_ORDER_LE = 0,     /**< Lowest byte first. */
  H5T_ORDER_BE = 1,     /**< Highest byte first. */
  H5T_ORDER_VAX = 2,    /**< Of VAX floating-point numbers. */
  H5T_ORDER_MIXED = 3,  /**< Members of a compound differ. */
  H5T_ORDER_NONE = 4    /**< Means nothing for this type. */
} H5T_order_t;

/** Sign of an integer. */
typedef enum H5T_sign_t {
  H5T_SGN_ERROR = -1, /**< No answer: a call failed. */
  H5T_SGN_NONE = 0,   /**< Unsigned. */
  H5T_SGN_2 = 1,      /**< Two's complement. */
  H5T_NSGN = 2        /**< Number of kinds. */
} H5T_sign_t;

/** Normalization of a mantissa. */
typedef enum H5T_norm_t {
  H5T_NORM_ERROR = -1,  /**< No answer: a call failed. */
  H5T_NORM_IMPLIED = 0, /**< The highest bit is not stored, and 1. */
  H5T_NORM_MSBSET = 1,  /**< The highest bit is stored, and 1. */
  H5T_NORM_NONE = 2     /**< Not normalized. */
} H5T_norm_t;

/** Character set of a string; the reserved numbers are for later. */
typedef enum H5T_cset_t {
  H5T_CSET_ERROR = -1,       /**< No answer: a call failed. */
  H5T_CSET_ASCII = 0,        /**< ASCII. */
  H5T_CSET_UTF8 = 1,         /**< UTF-8. */
  H5T_CSET_RESERVED_2 = 2,   /**< Reserved. */
  H5T_CSET_RESERVED_3 = 3,   /**< Reserved. */
  H5T_CSET_RESERVED_4 = 4,   /**< Reserved. */
  H5T_CSET_RESERVED_5 = 5,   /**< Reserved. */
  H5T_CSET_RESERVED_6 = 6,   /**< Reserved. */
  H5T_CSET_RESERVED_7 = 7,   /**< Reserved. */
  H5T_CSET_RESERVED_8 = 8,   /**< Reserved. */
  H5T_CSET_RESERVED_9 = 9,   /**< Reserved. */
  H5T_CSET_RESERVED_10 = 10, /**< Reserved. */
  H5T_CSET_RESERVED_11 = 11, /**< Reserved. */
  H5T_CSET_RESERVED_12 = 12, /**< Reserved. */
  H5T_CSET_RESERVED_13 = 13, /**< Reserved. */
  H5T_CSET_RESERVED_14 = 14, /**< Reserved. */
  H5T_CSET_RESERVED_15 = 15  /**< Reserved. */
} H5T_cset_t;

#define H5T_NCSET H5T_CSET_RESERVED_2 /**< Number of character sets. */

/** How a fixed-length string ends. */
typedef enum H5T_str_t {
  H5T_STR_ERROR = -1,       /**< No answer: a call failed. */
  H5T_STR_NULLTERM = 0,     /**< With a NUL. */
  H5T_STR_NULLPAD = 1,      /**< Filled up with NULs. */
  H5T_STR_SPACEPAD = 2,     /**< Filled up with blanks. */
  H5T_STR_RESERVED_3 = 3,   /**< Reserved. */
  H5T_STR_RESERVED_4 = 4,   /**< Reserved. */
  H5T_STR_RESERVED_5 = 5,   /**< Reserved. */
  H5T_STR_RESERVED_6 = 6,   /**< Reserved. */
  H5T_STR_RESERVED_7 = 7,   /**< Reserved. */
  H5T_STR_RESERVED_8 = 8,   /**< Reserved. */
  H5T_STR_RESERVED_9 = 9,   /**< Reserved. */
  H5T_STR_RESERVED_10 = 10, /**< Reserved. */
  H5T_STR_RESERVED_11 = 11, /**< Reserved. */
  H5T_STR_RESERVED_12 = 12, /**< Reserved. */
  H5T_STR_RESERVED_13 = 13, /**< Reserved. */
  H5T_STR_RESERVED_14 = 14, /**< Reserved. */
  H5T_STR_RESERVED_15 = 15  /**< Reserved. */
} H5T_str_t;

#define H5T_NSTR H5T_STR_RESERVED_3 /**< Number of kinds. */

/** Unused bits of a number. */
typedef enum H5T_pad_t {
  H5T_PAD_ERROR = -1,     /**< No answer: a call failed. */
  H5T_PAD_ZERO = 0,       /**< 0. */
  H5T_PAD_ONE = 1,        /**< 1. */
  H5T_PAD_BACKGROUND = 2, /**< As they were. */
  H5T_NPAD = 3            /**< Number of kinds. */
} H5T_pad_t;

/**
 * Which native type H5Tget_native_type() is to look for first; the answer is the same for all of
 * them.
 */
typedef enum H5T_direction_t {
  H5T_DIR_DEFAULT = 0, /**< As H5T_DIR_ASCEND. */
  H5T_DIR_ASCEND = 1,  /**< From the smallest one. */
  H5T_DIR_DESCEND = 2  /**< From the largest one; not honoured. */
} H5T_direction_t;

/** What a conversion function is called for. */
typedef enum H5T_cmd_t {
  H5T_CONV_INIT = 0, /**< Does it convert these types? Then it may keep something in priv. */
  H5T_CONV_CONV = 1, /**< Convert elements. */
  H5T_CONV_FREE = 2  /**< It is not called again; the ids are invalid. */
} H5T_cmd_t;

/** What a conversion function wants to have in its background buffer. */
typedef enum H5T_bkg_t {
  H5T_BKG_NO = 0,   /**< Nothing. */
  H5T_BKG_TEMP = 1, /**< Room for destination elements. */
  H5T_BKG_YES = 2   /**< Destination elements as they were. */
} H5T_bkg_t;

/** What a conversion function and the library tell each other, kept for each pair of types. */
typedef struct H5T_cdata_t {
  H5T_cmd_t command;  /**< What is asked for. */
  H5T_bkg_t need_bkg; /**< Set by the function in H5T_CONV_INIT. */
  hbool_t recalc;     /**< Other functions came or went since priv was made. */
  void *priv;         /**< The function's own. */
} H5T_cdata_t;

/** What a conversion function is for. */
typedef enum H5T_pers_t {
  H5T_PERS_DONTCARE = -1, /**< Any, where functions are looked for. */
  H5T_PERS_HARD = 0,      /**< Two types. */
  H5T_PERS_SOFT = 1       /**< All types of two classes that it accepts. */
} H5T_pers_t;

/**
 * Converts elements in place. It must not throw or jump.
 *
 * \param src_id Type of the source, for the time of the call.
 * \param dst_id Type of the destination, for the time of the call.
 * \param cdata What is asked for.
 * \param nelmts Number of elements.
 * \param buf_stride Bytes from one element to the next in buf; 0: packed, first as source, then as
 *   destination elements.
 * \param bkg_stride The same of bkg; 0: packed.
 * \param buf The elements.
 * \param bkg Destination elements as they were, or room for some; may be NULL.
 * \param dset_xfer_plist The transfer list of the call.
 * \return Negative: the conversion fails; in H5T_CONV_INIT: not for these types.
 */
typedef herr_t (*H5T_conv_t)(hid_t src_id, hid_t dst_id, H5T_cdata_t *cdata, size_t nelmts,
                             size_t buf_stride, size_t bkg_stride, void *buf, void *bkg,
                             hid_t dset_xfer_plist);

/** What is exceptional about a value in a conversion. */
typedef enum H5T_conv_except_t {
  H5T_CONV_EXCEPT_RANGE_HI = 0,  /**< Too large. */
  H5T_CONV_EXCEPT_RANGE_LOW = 1, /**< Too small. */
  H5T_CONV_EXCEPT_PRECISION = 2, /**< Loses bits, integer to floating point. */
  H5T_CONV_EXCEPT_TRUNCATE = 3,  /**< Loses its fraction. */
  H5T_CONV_EXCEPT_PINF = 4,      /**< Positive infinity, to integer. */
  H5T_CONV_EXCEPT_NINF = 5,      /**< Negative infinity, to integer. */
  H5T_CONV_EXCEPT_NAN = 6        /**< Not a number, to integer. */
} H5T_conv_except_t;

/** What the callback says about it. */
typedef enum H5T_conv_ret_t {
  H5T_CONV_ABORT = -1,    /**< The conversion fails. */
  H5T_CONV_UNHANDLED = 0, /**< The library does what it would do. */
  H5T_CONV_HANDLED = 1    /**< The callback has written the value. */
} H5T_conv_ret_t;

/**
 * Asked about a value that does not fit (H5Pset_type_conv_cb()).
 *
 * \param except_type What is exceptional.
 * \param src_id Type of the source, for the time of the call.
 * \param dst_id Type of the destination, for the time of the call.
 * \param src_buf The value.
 * \param dst_buf Where the converted value goes.
 * \param user_data The caller's.
 * \return What is to be done.
 */
typedef H5T_conv_ret_t (*H5T_conv_except_func_t)(H5T_conv_except_t except_type, hid_t src_id,
                                                 hid_t dst_id, void *src_buf, void *dst_buf,
                                                 void *user_data);

/** A variable-length sequence in memory. */
typedef struct {
  size_t len; /**< Number of elements. */
  void *p;    /**< The elements. */
} hvl_t;

#define H5T_VARIABLE ((size_t)(-1)) /**< Size of a variable-length string type. */
#define H5T_OPAQUE_TAG_MAX 256      /**< Longest tag of an opaque type in bytes. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name IEEE 754 floating-point numbers */
/** @{ */
#define H5T_IEEE_F32BE (H5OPEN H5T_IEEE_F32BE_g) /**< 32 bits, big-endian. */
#define H5T_IEEE_F32LE (H5OPEN H5T_IEEE_F32LE_g) /**< 32 bits, little-endian. */
#define H5T_IEEE_F64BE (H5OPEN H5T_IEEE_F64BE_g) /**< 64 bits, big-endian. */
#define H5T_IEEE_F64LE (H5OPEN H5T_IEEE_F64LE_g) /**< 64 bits, little-endian. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5T_IEEE_F32BE_g;
H5_DLLVAR hid_t H5T_IEEE_F32LE_g;
H5_DLLVAR hid_t H5T_IEEE_F64BE_g;
H5_DLLVAR hid_t H5T_IEEE_F64LE_g;
/** \endcond */
/** @} */

/** \name Signed (I) and unsigned (U) integers and bit fields (B) of fixed size and byte order */
/** @{ */
#define H5T_STD_I8BE (H5OPEN H5T_STD_I8BE_g)   /**< Signed integer, 8 bits, big-endian. */
#define H5T_STD_I8LE (H5OPEN H5T_STD_I8LE_g)   /**< Signed integer, 8 bits, little-endian. */
#define H5T_STD_I16BE (H5OPEN H5T_STD_I16BE_g) /**< Signed integer, 16 bits, big-endian. */
#define H5T_STD_I16LE (H5OPEN H5T_STD_I16LE_g) /**< Signed integer, 16 bits, little-endian. */
#define H5T_STD_I32BE (H5OPEN H5T_STD_I32BE_g) /**< Signed integer, 32 bits, big-endian. */
#define H5T_STD_I32LE (H5OPEN H5T_STD_I32LE_g) /**< Signed integer, 32 bits, little-endian. */
#define H5T_STD_I64BE (H5OPEN H5T_STD_I64BE_g) /**< Signed integer, 64 bits, big-endian. */
#define H5T_STD_I64LE (H5OPEN H5T_STD_I64LE_g) /**< Signed integer, 64 bits, little-endian. */
#define H5T_STD_U8BE (H5OPEN H5T_STD_U8BE_g)   /**< Unsigned integer, 8 bits, big-endian. */
#define H5T_STD_U8LE (H5OPEN H5T_STD_U8LE_g)   /**< Unsigned integer, 8 bits, little-endian. */
#define H5T_STD_U16BE (H5OPEN H5T_STD_U16BE_g) /**< Unsigned integer, 16 bits, big-endian. */
#define H5T_STD_U16LE (H5OPEN H5T_STD_U16LE_g) /**< Unsigned integer, 16 bits, little-endian. */
#define H5T_STD_U32BE (H5OPEN H5T_STD_U32BE_g) /**< Unsigned integer, 32 bits, big-endian. */
#define H5T_STD_U32LE (H5OPEN H5T_STD_U32LE_g) /**< Unsigned integer, 32 bits, little-endian. */
#define H5T_STD_U64BE (H5OPEN H5T_STD_U64BE_g) /**< Unsigned integer, 64 bits, big-endian. */
#define H5T_STD_U64LE (H5OPEN H5T_STD_U64LE_g) /**< Unsigned integer, 64 bits, little-endian. */
#define H5T_STD_B8BE (H5OPEN H5T_STD_B8BE_g)   /**< Bit field, 8 bits, big-endian. */
#define H5T_STD_B8LE (H5OPEN H5T_STD_B8LE_g)   /**< Bit field, 8 bits, little-endian. */
#define H5T_STD_B16BE (H5OPEN H5T_STD_B16BE_g) /**< Bit field, 16 bits, big-endian. */
#define H5T_STD_B16LE (H5OPEN H5T_STD_B16LE_g) /**< Bit field, 16 bits, little-endian. */
#define H5T_STD_B32BE (H5OPEN H5T_STD_B32BE_g) /**< Bit field, 32 bits, big-endian. */
#define H5T_STD_B32LE (H5OPEN H5T_STD_B32LE_g) /**< Bit field, 32 bits, little-endian. */
#define H5T_STD_B64BE (H5OPEN H5T_STD_B64BE_g) /**< Bit field, 64 bits, big-endian. */
#define H5T_STD_B64LE (H5OPEN H5T_STD_B64LE_g) /**< Bit field, 64 bits, little-endian. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5T_STD_I8BE_g;
H5_DLLVAR hid_t H5T_STD_I8LE_g;
H5_DLLVAR hid_t H5T_STD_I16BE_g;
H5_DLLVAR hid_t H5T_STD_I16LE_g;
H5_DLLVAR hid_t H5T_STD_I32BE_g;
H5_DLLVAR hid_t H5T_STD_I32LE_g;
H5_DLLVAR hid_t H5T_STD_I64BE_g;
H5_DLLVAR hid_t H5T_STD_I64LE_g;
H5_DLLVAR hid_t H5T_STD_U8BE_g;
H5_DLLVAR hid_t H5T_STD_U8LE_g;
H5_DLLVAR hid_t H5T_STD_U16BE_g;
H5_DLLVAR hid_t H5T_STD_U16LE_g;
H5_DLLVAR hid_t H5T_STD_U32BE_g;
H5_DLLVAR hid_t H5T_STD_U32LE_g;
H5_DLLVAR hid_t H5T_STD_U64BE_g;
H5_DLLVAR hid_t H5T_STD_U64LE_g;
H5_DLLVAR hid_t H5T_STD_B8BE_g;
H5_DLLVAR hid_t H5T_STD_B8LE_g;
H5_DLLVAR hid_t H5T_STD_B16BE_g;
H5_DLLVAR hid_t H5T_STD_B16LE_g;
H5_DLLVAR hid_t H5T_STD_B32BE_g;
H5_DLLVAR hid_t H5T_STD_B32LE_g;
H5_DLLVAR hid_t H5T_STD_B64BE_g;
H5_DLLVAR hid_t H5T_STD_B64LE_g;
/** \endcond */
/** @} */

/** \name References */
/** @{ */
#define H5T_STD_REF_OBJ (H5OPEN H5T_STD_REF_OBJ_g) /**< To an object (hobj_ref_t). */
/** To a region of a dataset (hdset_reg_ref_t). */
#define H5T_STD_REF_DSETREG (H5OPEN H5T_STD_REF_DSETREG_g)

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5T_STD_REF_OBJ_g;
H5_DLLVAR hid_t H5T_STD_REF_DSETREG_g;
/** \endcond */
/** @} */

/** \name UNIX times */
/** @{ */
#define H5T_UNIX_D32BE (H5OPEN H5T_UNIX_D32BE_g) /**< 32 bits, big-endian. */
#define H5T_UNIX_D32LE (H5OPEN H5T_UNIX_D32LE_g) /**< 32 bits, little-endian. */
#define H5T_UNIX_D64BE (H5OPEN H5T_UNIX_D64BE_g) /**< 64 bits, big-endian. */
#define H5T_UNIX_D64LE (H5OPEN H5T_UNIX_D64LE_g) /**< 64 bits, little-endian. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5T_UNIX_D32BE_g;
H5_DLLVAR hid_t H5T_UNIX_D32LE_g;
H5_DLLVAR hid_t H5T_UNIX_D64BE_g;
H5_DLLVAR hid_t H5T_UNIX_D64LE_g;
/** \endcond */
/** @} */

/** \name Strings of one character, to be copied and made longer */
/** @{ */
#define H5T_C_S1 (H5OPEN H5T_C_S1_g)             /**< NUL-terminated. */
#define H5T_FORTRAN_S1 (H5OPEN H5T_FORTRAN_S1_g) /**< Filled up with blanks. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5T_C_S1_g;
H5_DLLVAR hid_t H5T_FORTRAN_S1_g;
/** \endcond */
/** @} */

/** \name VAX floating-point numbers */
/** @{ */
#define H5T_VAX_F32 (H5OPEN H5T_VAX_F32_g) /**< 32 bits. */
#define H5T_VAX_F64 (H5OPEN H5T_VAX_F64_g) /**< 64 bits. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5T_VAX_F32_g;
H5_DLLVAR hid_t H5T_VAX_F64_g;
/** \endcond */
/** @} */

/** \name The types of known processors */
/** @{ */
#define H5T_INTEL_I8 H5T_STD_I8LE    /**< Signed integer, 8 bits. */
#define H5T_INTEL_I16 H5T_STD_I16LE  /**< Signed integer, 16 bits. */
#define H5T_INTEL_I32 H5T_STD_I32LE  /**< Signed integer, 32 bits. */
#define H5T_INTEL_I64 H5T_STD_I64LE  /**< Signed integer, 64 bits. */
#define H5T_INTEL_U8 H5T_STD_U8LE    /**< Unsigned integer, 8 bits. */
#define H5T_INTEL_U16 H5T_STD_U16LE  /**< Unsigned integer, 16 bits. */
#define H5T_INTEL_U32 H5T_STD_U32LE  /**< Unsigned integer, 32 bits. */
#define H5T_INTEL_U64 H5T_STD_U64LE  /**< Unsigned integer, 64 bits. */
#define H5T_INTEL_B8 H5T_STD_B8LE    /**< Bit field, 8 bits. */
#define H5T_INTEL_B16 H5T_STD_B16LE  /**< Bit field, 16 bits. */
#define H5T_INTEL_B32 H5T_STD_B32LE  /**< Bit field, 32 bits. */
#define H5T_INTEL_B64 H5T_STD_B64LE  /**< Bit field, 64 bits. */
#define H5T_INTEL_F32 H5T_IEEE_F32LE /**< Floating point, 32 bits. */
#define H5T_INTEL_F64 H5T_IEEE_F64LE /**< Floating point, 64 bits. */
#define H5T_ALPHA_I8 H5T_STD_I8LE    /**< Signed integer, 8 bits. */
#define H5T_ALPHA_I16 H5T_STD_I16LE  /**< Signed integer, 16 bits. */
#define H5T_ALPHA_I32 H5T_STD_I32LE  /**< Signed integer, 32 bits. */
#define H5T_ALPHA_I64 H5T_STD_I64LE  /**< Signed integer, 64 bits. */
#define H5T_ALPHA_U8 H5T_STD_U8LE    /**< Unsigned integer, 8 bits. */
#define H5T_ALPHA_U16 H5T_STD_U16LE  /**< Unsigned integer, 16 bits. */
#define H5T_ALPHA_U32 H5T_STD_U32LE  /**< Unsigned integer, 32 bits. */
#define H5T_ALPHA_U64 H5T_STD_U64LE  /**< Unsigned integer, 64 bits. */
#define H5T_ALPHA_B8 H5T_STD_B8LE    /**< Bit field, 8 bits. */
#define H5T_ALPHA_B16 H5T_STD_B16LE  /**< Bit field, 16 bits. */
#define H5T_ALPHA_B32 H5T_STD_B32LE  /**< Bit field, 32 bits. */
#define H5T_ALPHA_B64 H5T_STD_B64LE  /**< Bit field, 64 bits. */
#define H5T_ALPHA_F32 H5T_IEEE_F32LE /**< Floating point, 32 bits. */
#define H5T_ALPHA_F64 H5T_IEEE_F64LE /**< Floating point, 64 bits. */
#define H5T_MIPS_I8 H5T_STD_I8BE     /**< Signed integer, 8 bits. */
#define H5T_MIPS_I16 H5T_STD_I16BE   /**< Signed integer, 16 bits. */
#define H5T_MIPS_I32 H5T_STD_I32BE   /**< Signed integer, 32 bits. */
#define H5T_MIPS_I64 H5T_STD_I64BE   /**< Signed integer, 64 bits. */
#define H5T_MIPS_U8 H5T_STD_U8BE     /**< Unsigned integer, 8 bits. */
#define H5T_MIPS_U16 H5T_STD_U16BE   /**< Unsigned integer, 16 bits. */
#define H5T_MIPS_U32 H5T_STD_U32BE   /**< Unsigned integer, 32 bits. */
#define H5T_MIPS_U64 H5T_STD_U64BE   /**< Unsigned integer, 64 bits. */
#define H5T_MIPS_B8 H5T_STD_B8BE     /**< Bit field, 8 bits. */
#define H5T_MIPS_B16 H5T_STD_B16BE   /**< Bit field, 16 bits. */
#define H5T_MIPS_B32 H5T_STD_B32BE   /**< Bit field, 32 bits. */
#define H5T_MIPS_B64 H5T_STD_B64BE   /**< Bit field, 64 bits. */
#define H5T_MIPS_F32 H5T_IEEE_F32BE  /**< Floating point, 32 bits. */
#define H5T_MIPS_F64 H5T_IEEE_F64BE  /**< Floating point, 64 bits. */
/** @} */

/** \name The C types of this machine */
/** @{ */
#define H5T_NATIVE_CHAR (CHAR_MIN ? H5T_NATIVE_SCHAR : H5T_NATIVE_UCHAR) /**< char. */
#define H5T_NATIVE_SCHAR (H5OPEN H5T_NATIVE_SCHAR_g)                     /**< signed char. */
#define H5T_NATIVE_UCHAR (H5OPEN H5T_NATIVE_UCHAR_g)                     /**< unsigned char. */
#define H5T_NATIVE_SHORT (H5OPEN H5T_NATIVE_SHORT_g)                     /**< short. */
#define H5T_NATIVE_USHORT (H5OPEN H5T_NATIVE_USHORT_g)                   /**< unsigned short. */
#define H5T_NATIVE_INT (H5OPEN H5T_NATIVE_INT_g)                         /**< int. */
#define H5T_NATIVE_UINT (H5OPEN H5T_NATIVE_UINT_g)                       /**< unsigned. */
#define H5T_NATIVE_LONG (H5OPEN H5T_NATIVE_LONG_g)                       /**< long. */
#define H5T_NATIVE_ULONG (H5OPEN H5T_NATIVE_ULONG_g)                     /**< unsigned long. */
#define H5T_NATIVE_LLONG (H5OPEN H5T_NATIVE_LLONG_g)                     /**< long long. */
#define H5T_NATIVE_ULLONG (H5OPEN H5T_NATIVE_ULLONG_g)                   /**< unsigned long long. */
#define H5T_NATIVE_FLOAT (H5OPEN H5T_NATIVE_FLOAT_g)                     /**< float. */
#define H5T_NATIVE_DOUBLE (H5OPEN H5T_NATIVE_DOUBLE_g)                   /**< double. */
#define H5T_NATIVE_LDOUBLE (H5OPEN H5T_NATIVE_LDOUBLE_g)                 /**< long double. */
#define H5T_NATIVE_B8 (H5OPEN H5T_NATIVE_B8_g)                           /**< 8 bits. */
#define H5T_NATIVE_B16 (H5OPEN H5T_NATIVE_B16_g)                         /**< 16 bits. */
#define H5T_NATIVE_B32 (H5OPEN H5T_NATIVE_B32_g)                         /**< 32 bits. */
#define H5T_NATIVE_B64 (H5OPEN H5T_NATIVE_B64_g)                         /**< 64 bits. */
#define H5T_NATIVE_OPAQUE (H5OPEN H5T_NATIVE_OPAQUE_g)                   /**< One byte. */
#define H5T_NATIVE_HADDR (H5OPEN H5T_NATIVE_HADDR_g)                     /**< haddr_t. */
#define H5T_NATIVE_HSIZE (H5OPEN H5T_NATIVE_HSIZE_g)                     /**< hsize_t. */
#define H5T_NATIVE_HSSIZE (H5OPEN H5T_NATIVE_HSSIZE_g)                   /**< hssize_t. */
#define H5T_NATIVE_HERR (H5OPEN H5T_NATIVE_HERR_g)                       /**< herr_t. */
#define H5T_NATIVE_HBOOL (H5OPEN H5T_NATIVE_HBOOL_g)                     /**< hbool_t. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5T_NATIVE_SCHAR_g;
H5_DLLVAR hid_t H5T_NATIVE_UCHAR_g;
H5_DLLVAR hid_t H5T_NATIVE_SHORT_g;
H5_DLLVAR hid_t H5T_NATIVE_USHORT_g;
H5_DLLVAR hid_t H5T_NATIVE_INT_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT_g;
H5_DLLVAR hid_t H5T_NATIVE_LONG_g;
H5_DLLVAR hid_t H5T_NATIVE_ULONG_g;
H5_DLLVAR hid_t H5T_NATIVE_LLONG_g;
H5_DLLVAR hid_t H5T_NATIVE_ULLONG_g;
H5_DLLVAR hid_t H5T_NATIVE_FLOAT_g;
H5_DLLVAR hid_t H5T_NATIVE_DOUBLE_g;
H5_DLLVAR hid_t H5T_NATIVE_LDOUBLE_g;
H5_DLLVAR hid_t H5T_NATIVE_B8_g;
H5_DLLVAR hid_t H5T_NATIVE_B16_g;
H5_DLLVAR hid_t H5T_NATIVE_B32_g;
H5_DLLVAR hid_t H5T_NATIVE_B64_g;
H5_DLLVAR hid_t H5T_NATIVE_OPAQUE_g;
H5_DLLVAR hid_t H5T_NATIVE_HADDR_g;
H5_DLLVAR hid_t H5T_NATIVE_HSIZE_g;
H5_DLLVAR hid_t H5T_NATIVE_HSSIZE_g;
H5_DLLVAR hid_t H5T_NATIVE_HERR_g;
H5_DLLVAR hid_t H5T_NATIVE_HBOOL_g;
/** \endcond */
/** @} */

/** \name The types of stdint.h */
/** @{ */
#define H5T_NATIVE_INT8 (H5OPEN H5T_NATIVE_INT8_g)                 /**< int8_t. */
#define H5T_NATIVE_UINT8 (H5OPEN H5T_NATIVE_UINT8_g)               /**< uint8_t. */
#define H5T_NATIVE_INT_LEAST8 (H5OPEN H5T_NATIVE_INT_LEAST8_g)     /**< int_least8_t. */
#define H5T_NATIVE_UINT_LEAST8 (H5OPEN H5T_NATIVE_UINT_LEAST8_g)   /**< uint_least8_t. */
#define H5T_NATIVE_INT_FAST8 (H5OPEN H5T_NATIVE_INT_FAST8_g)       /**< int_fast8_t. */
#define H5T_NATIVE_UINT_FAST8 (H5OPEN H5T_NATIVE_UINT_FAST8_g)     /**< uint_fast8_t. */
#define H5T_NATIVE_INT16 (H5OPEN H5T_NATIVE_INT16_g)               /**< int16_t. */
#define H5T_NATIVE_UINT16 (H5OPEN H5T_NATIVE_UINT16_g)             /**< uint16_t. */
#define H5T_NATIVE_INT_LEAST16 (H5OPEN H5T_NATIVE_INT_LEAST16_g)   /**< int_least16_t. */
#define H5T_NATIVE_UINT_LEAST16 (H5OPEN H5T_NATIVE_UINT_LEAST16_g) /**< uint_least16_t. */
#define H5T_NATIVE_INT_FAST16 (H5OPEN H5T_NATIVE_INT_FAST16_g)     /**< int_fast16_t. */
#define H5T_NATIVE_UINT_FAST16 (H5OPEN H5T_NATIVE_UINT_FAST16_g)   /**< uint_fast16_t. */
#define H5T_NATIVE_INT32 (H5OPEN H5T_NATIVE_INT32_g)               /**< int32_t. */
#define H5T_NATIVE_UINT32 (H5OPEN H5T_NATIVE_UINT32_g)             /**< uint32_t. */
#define H5T_NATIVE_INT_LEAST32 (H5OPEN H5T_NATIVE_INT_LEAST32_g)   /**< int_least32_t. */
#define H5T_NATIVE_UINT_LEAST32 (H5OPEN H5T_NATIVE_UINT_LEAST32_g) /**< uint_least32_t. */
#define H5T_NATIVE_INT_FAST32 (H5OPEN H5T_NATIVE_INT_FAST32_g)     /**< int_fast32_t. */
#define H5T_NATIVE_UINT_FAST32 (H5OPEN H5T_NATIVE_UINT_FAST32_g)   /**< uint_fast32_t. */
#define H5T_NATIVE_INT64 (H5OPEN H5T_NATIVE_INT64_g)               /**< int64_t. */
#define H5T_NATIVE_UINT64 (H5OPEN H5T_NATIVE_UINT64_g)             /**< uint64_t. */
#define H5T_NATIVE_INT_LEAST64 (H5OPEN H5T_NATIVE_INT_LEAST64_g)   /**< int_least64_t. */
#define H5T_NATIVE_UINT_LEAST64 (H5OPEN H5T_NATIVE_UINT_LEAST64_g) /**< uint_least64_t. */
#define H5T_NATIVE_INT_FAST64 (H5OPEN H5T_NATIVE_INT_FAST64_g)     /**< int_fast64_t. */
#define H5T_NATIVE_UINT_FAST64 (H5OPEN H5T_NATIVE_UINT_FAST64_g)   /**< uint_fast64_t. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5T_NATIVE_INT8_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT8_g;
H5_DLLVAR hid_t H5T_NATIVE_INT_LEAST8_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT_LEAST8_g;
H5_DLLVAR hid_t H5T_NATIVE_INT_FAST8_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT_FAST8_g;
H5_DLLVAR hid_t H5T_NATIVE_INT16_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT16_g;
H5_DLLVAR hid_t H5T_NATIVE_INT_LEAST16_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT_LEAST16_g;
H5_DLLVAR hid_t H5T_NATIVE_INT_FAST16_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT_FAST16_g;
H5_DLLVAR hid_t H5T_NATIVE_INT32_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT32_g;
H5_DLLVAR hid_t H5T_NATIVE_INT_LEAST32_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT_LEAST32_g;
H5_DLLVAR hid_t H5T_NATIVE_INT_FAST32_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT_FAST32_g;
H5_DLLVAR hid_t H5T_NATIVE_INT64_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT64_g;
H5_DLLVAR hid_t H5T_NATIVE_INT_LEAST64_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT_LEAST64_g;
H5_DLLVAR hid_t H5T_NATIVE_INT_FAST64_g;
H5_DLLVAR hid_t H5T_NATIVE_UINT_FAST64_g;
/** \endcond */
/** @} */

/** \name Create, copy, compare, close */
/** @{ */
/**
 * Makes a type of a class that needs only a size.
 *
 * \param type H5T_COMPOUND, H5T_OPAQUE, H5T_STRING, or H5T_ENUM of a native integer of that size;
 *   integers, floating-point numbers and times give a string, as in HDF5.
 * \param size Bytes; H5T_VARIABLE for strings of varying length.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors Other classes; a size of 0; an enumeration not of 1, 2, 4 or 8 bytes; H5T_VARIABLE for
 *   anything but strings.
 */
H5_DLL hid_t H5Tcreate(H5T_class_t type, size_t size);

/**
 * Copies a type, or the type of a dataset; the copy can be changed.
 *
 * \param type_id Datatype or dataset.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Tcopy(hid_t type_id);

/**
 * Closes a type.
 *
 * \param type_id Datatype.
 * \return 0, or negative on failure.
 * \local
 * \errors A predefined or locked type.
 */
H5_DLL herr_t H5Tclose(hid_t type_id);

/**
 * Are two types the same in everything that matters for data?
 *
 * \param type1_id Datatype.
 * \param type2_id Another one.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Tequal(hid_t type1_id, hid_t type2_id);

/**
 * Makes a type unchangeable; it can't be closed either, but for the end of the library.
 *
 * \param type_id Datatype.
 * \return 0, or negative on failure.
 * \local
 * \errors A committed type.
 */
H5_DLL herr_t H5Tlock(hid_t type_id);

/**
 * Is this class that of the type or of any type in it?
 *
 * \param type_id Datatype.
 * \param cls Class.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors No such class.
 */
H5_DLL htri_t H5Tdetect_class(hid_t type_id, H5T_class_t cls);

/**
 * The class of a type; a variable-length string is a string.
 *
 * \param type_id Datatype.
 * \return The class; H5T_NO_CLASS on failure.
 * \local
 */
H5_DLL H5T_class_t H5Tget_class(hid_t type_id);
/** @} */

/** \name Committed types */
/** @{ */
/**
 * Stores a type as an object with a name; the id then stands for that object.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the new link.
 * \param type_id Datatype.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param tcpl_id Datatype creation list, or H5P_DEFAULT.
 * \param tapl_id Datatype access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors name exists; a type that is predefined, locked or committed; a compound or enumeration
 *   without members.
 */
H5_DLL herr_t H5Tcommit2(hid_t loc_id, const char *name, hid_t type_id, hid_t lcpl_id,
                         hid_t tcpl_id, hid_t tapl_id);

/**
 * Stores a type as an object without a name; it is gone when it is closed and no link was made.
 *
 * \param loc_id The file, or any object in it.
 * \param type_id Datatype.
 * \param tcpl_id Datatype creation list, or H5P_DEFAULT.
 * \param tapl_id Datatype access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Those of H5Tcommit2(), but for the name.
 */
H5_DLL herr_t H5Tcommit_anon(hid_t loc_id, hid_t type_id, hid_t tcpl_id, hid_t tapl_id);

/**
 * Opens a committed type by name.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the type.
 * \param tapl_id Datatype access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors No such name; not a committed type.
 */
H5_DLL hid_t H5Topen2(hid_t loc_id, const char *name, hid_t tapl_id);

/**
 * Does the id stand for a committed type?
 *
 * \param type_id Datatype.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Tcommitted(hid_t type_id);

/**
 * Commits everything that changed in a committed type's file; a file goes out as a whole (H5Fflush()).
 *
 * \param type_id Committed datatype.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The type is not committed; those of H5Fflush(); all ranks get them.
 */
H5_DLL herr_t H5Tflush(hid_t type_id);

/**
 * H5Orefresh() for a committed type.
 *
 * \param type_id Committed datatype.
 * \return 0, or negative on failure.
 * \local
 * \errors The type is not committed; those of H5Orefresh().
 */
H5_DLL herr_t H5Trefresh(hid_t type_id);

/**
 * A creation list with which the type was committed; the default for other types.
 *
 * \param type_id Datatype.
 * \return A new id, to be closed with H5Pclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Tget_create_plist(hid_t type_id);
/** @} */

/** \name As bytes */
/** @{ */
/**
 * Writes a type as bytes: the file format's, behind two of HDF5's own.
 *
 * \param obj_id Datatype.
 * \param buf For the bytes; NULL, or one too short, asks for their number.
 * \param nalloc Bytes of buf; where those are too few, or buf is NULL, set to those that are needed.
 * \return 0, or negative on failure.
 * \local
 * \errors nalloc NULL.
 */
H5_DLL herr_t H5Tencode(hid_t obj_id, void *buf, size_t *nalloc);

/**
 * Makes a type of such bytes. Their length is not known to it: give only what H5Tencode() made.
 *
 * \param buf The bytes.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors NULL; bytes that are none.
 */
H5_DLL hid_t H5Tdecode(const void *buf);
/** @} */

/** \name Any type */
/** @{ */
/**
 * Bytes of an element in memory.
 *
 * \param type_id Datatype.
 * \return Bytes; 0 on failure.
 * \local
 */
H5_DLL size_t H5Tget_size(hid_t type_id);

/**
 * Sets the bytes of an element; a number's precision and offset are fitted in.
 *
 * \param type_id Datatype.
 * \param size Bytes, or H5T_VARIABLE for a string.
 * \return 0, or negative on failure.
 * \local
 * \errors 0 or over 4,294,967,295; a member would be cut off; a reference, or an enumeration with
 *   symbols; fields of a floating-point number don't fit.
 */
H5_DLL herr_t H5Tset_size(hid_t type_id, size_t size);

/**
 * Byte order of a type.
 *
 * \param type_id Datatype.
 * \return The order; H5T_ORDER_ERROR on failure.
 * \local
 */
H5_DLL H5T_order_t H5Tget_order(hid_t type_id);

/**
 * Sets the byte order, of a compound that of all members.
 *
 * \param type_id Datatype.
 * \param order The order.
 * \return 0, or negative on failure.
 * \local
 * \errors H5T_ORDER_MIXED; H5T_ORDER_NONE for numbers; a compound without members; an enumeration
 *   with symbols.
 */
H5_DLL herr_t H5Tset_order(hid_t type_id, H5T_order_t order);

/**
 * The type on which an array, sequence or enumeration is built.
 *
 * \param type Datatype.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors Another class.
 */
H5_DLL hid_t H5Tget_super(hid_t type);
/** @} */

/** \name Numbers: precision and offset in bits */
/** @{ */
/**
 * Number of significant bits.
 *
 * \param type_id Datatype.
 * \return Bits; 0 on failure.
 * \local
 * \errors Not an atomic type.
 */
H5_DLL size_t H5Tget_precision(hid_t type_id);

/**
 * Sets the number of significant bits; the type grows where they don't fit.
 *
 * \param type_id Datatype.
 * \param prec Bits, 1 to 65,535.
 * \return 0, or negative on failure.
 * \local
 * \errors Another number; a class whose precision is fixed; fields of a floating-point number don't
 *   fit.
 */
H5_DLL herr_t H5Tset_precision(hid_t type_id, size_t prec);

/**
 * Place of the lowest significant bit.
 *
 * \param type_id Datatype.
 * \return Bits, or negative on failure.
 * \local
 * \errors Not an atomic type.
 */
H5_DLL int H5Tget_offset(hid_t type_id);

/**
 * Sets the place of the lowest significant bit; the type grows where they don't fit.
 *
 * \param type_id Datatype.
 * \param offset Bits, 0 to 65,535.
 * \return 0, or negative on failure.
 * \local
 * \errors Another number; a class whose offset is fixed.
 */
H5_DLL herr_t H5Tset_offset(hid_t type_id, size_t offset);

/**
 * Tells what unused bits are.
 *
 * \param type_id Datatype.
 * \param lsb For those below; may be NULL.
 * \param msb For those above; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Not an atomic type.
 */
H5_DLL herr_t H5Tget_pad(hid_t type_id, H5T_pad_t *lsb, H5T_pad_t *msb);

/**
 * Sets what unused bits are.
 *
 * \param type_id Datatype.
 * \param lsb Those below.
 * \param msb Those above.
 * \return 0, or negative on failure.
 * \local
 * \errors No such kind; not an atomic type.
 */
H5_DLL herr_t H5Tset_pad(hid_t type_id, H5T_pad_t lsb, H5T_pad_t msb);

/**
 * Sign of an integer type.
 *
 * \param type_id Datatype.
 * \return The sign; H5T_SGN_ERROR on failure.
 * \local
 * \errors Not an integer.
 */
H5_DLL H5T_sign_t H5Tget_sign(hid_t type_id);

/**
 * Sets the sign of an integer type.
 *
 * \param type_id Datatype.
 * \param sign The sign.
 * \return 0, or negative on failure.
 * \local
 * \errors No such kind; not an integer.
 */
H5_DLL herr_t H5Tset_sign(hid_t type_id, H5T_sign_t sign);
/** @} */

/** \name Floating-point numbers: positions and sizes in bits */
/** @{ */
/**
 * Tells where the parts of a number are.
 *
 * \param type_id Datatype.
 * \param spos For the position of the sign; may be NULL.
 * \param epos For the position of the exponent; may be NULL.
 * \param esize For its bits; may be NULL.
 * \param mpos For the position of the mantissa; may be NULL.
 * \param msize For its bits; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a floating-point type.
 */
H5_DLL herr_t H5Tget_fields(hid_t type_id, size_t *spos, size_t *epos, size_t *esize, size_t *mpos,
                            size_t *msize);

/**
 * Sets where the parts of a number are.
 *
 * \param type_id Datatype.
 * \param spos Position of the sign.
 * \param epos Position of the exponent.
 * \param esize Bits of the exponent.
 * \param mpos Position of the mantissa.
 * \param msize Bits of the mantissa.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a floating-point type; a part outside the precision; parts that overlap.
 */
H5_DLL herr_t H5Tset_fields(hid_t type_id, size_t spos, size_t epos, size_t esize, size_t mpos,
                            size_t msize);

/**
 * Bias of the exponent.
 *
 * \param type_id Datatype.
 * \return The bias; 0 on failure.
 * \local
 * \errors Not a floating-point type.
 */
H5_DLL size_t H5Tget_ebias(hid_t type_id);

/**
 * Sets the bias of the exponent.
 *
 * \param type_id Datatype.
 * \param ebias The bias.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a floating-point type.
 */
H5_DLL herr_t H5Tset_ebias(hid_t type_id, size_t ebias);

/**
 * Normalization of the mantissa.
 *
 * \param type_id Datatype.
 * \return The kind; H5T_NORM_ERROR on failure.
 * \local
 * \errors Not a floating-point type.
 */
H5_DLL H5T_norm_t H5Tget_norm(hid_t type_id);

/**
 * Sets the normalization of the mantissa.
 *
 * \param type_id Datatype.
 * \param norm The kind.
 * \return 0, or negative on failure.
 * \local
 * \errors No such kind; not a floating-point type.
 */
H5_DLL herr_t H5Tset_norm(hid_t type_id, H5T_norm_t norm);

/**
 * What bits between the parts are.
 *
 * \param type_id Datatype.
 * \return The kind; H5T_PAD_ERROR on failure.
 * \local
 * \errors Not a floating-point type.
 */
H5_DLL H5T_pad_t H5Tget_inpad(hid_t type_id);

/**
 * Sets what bits between the parts are.
 *
 * \param type_id Datatype.
 * \param pad The kind.
 * \return 0, or negative on failure.
 * \local
 * \errors No such kind; not a floating-point type.
 */
H5_DLL herr_t H5Tset_inpad(hid_t type_id, H5T_pad_t pad);
/** @} */

/** \name Strings */
/** @{ */
/**
 * Character set of a string type.
 *
 * \param type_id Datatype.
 * \return The set; H5T_CSET_ERROR on failure.
 * \local
 * \errors Not a string.
 */
H5_DLL H5T_cset_t H5Tget_cset(hid_t type_id);

/**
 * Sets the character set of a string type.
 *
 * \param type_id Datatype.
 * \param cset H5T_CSET_ASCII or H5T_CSET_UTF8.
 * \return 0, or negative on failure.
 * \local
 * \errors Another set; not a string.
 */
H5_DLL herr_t H5Tset_cset(hid_t type_id, H5T_cset_t cset);

/**
 * How a string type ends.
 *
 * \param type_id Datatype.
 * \return The kind; H5T_STR_ERROR on failure.
 * \local
 * \errors Not a string.
 */
H5_DLL H5T_str_t H5Tget_strpad(hid_t type_id);

/**
 * Sets how a string type ends.
 *
 * \param type_id Datatype.
 * \param strpad The kind.
 * \return 0, or negative on failure.
 * \local
 * \errors No such kind; not a string.
 */
H5_DLL herr_t H5Tset_strpad(hid_t type_id, H5T_str_t strpad);

/**
 * Is it a string of varying length?
 *
 * \param type_id Datatype.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Tis_variable_str(hid_t type_id);
/** @} */

/** \name Compounds and enumerations; texts are freed with H5free_memory() */
/** @{ */
/**
 * Adds a member to a compound.
 *
 * \param parent_id Compound.
 * \param name Name of the member, unique.
 * \param offset Bytes from the start of the compound.
 * \param member_id Type of the member.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a compound; a name that is there; a member that overlaps another one or ends behind
 *   the compound; over 65,535 members.
 */
H5_DLL herr_t H5Tinsert(hid_t parent_id, const char *name, size_t offset, hid_t member_id);

/**
 * Takes the gaps between members away, in compounds inside too.
 *
 * \param type_id Datatype.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a compound; a locked type that has gaps.
 */
H5_DLL herr_t H5Tpack(hid_t type_id);

/**
 * Number of members or symbols.
 *
 * \param type_id Datatype.
 * \return The number, or negative on failure.
 * \local
 * \errors Neither a compound nor an enumeration.
 */
H5_DLL int H5Tget_nmembers(hid_t type_id);

/**
 * Name of a member or symbol.
 *
 * \param type_id Datatype.
 * \param membno Number of the member, from 0.
 * \return The text, the caller's to free; NULL on failure.
 * \local
 * \errors Neither a compound nor an enumeration; no such member.
 */
H5_DLL char *H5Tget_member_name(hid_t type_id, unsigned membno);

/**
 * Number of a member or symbol.
 *
 * \param type_id Datatype.
 * \param name Its name.
 * \return From 0, or negative on failure.
 * \local
 * \errors Neither a compound nor an enumeration; no such name.
 */
H5_DLL int H5Tget_member_index(hid_t type_id, const char *name);

/**
 * Where a member begins in its compound.
 *
 * \param type_id Datatype.
 * \param membno Number of the member, from 0.
 * \return Bytes; 0 on failure.
 * \local
 * \errors Not a compound; no such member.
 */
H5_DLL size_t H5Tget_member_offset(hid_t type_id, unsigned membno);

/**
 * Class of a member's type.
 *
 * \param type_id Datatype.
 * \param membno Number of the member, from 0.
 * \return The class; H5T_NO_CLASS on failure.
 * \local
 * \errors Not a compound; no such member.
 */
H5_DLL H5T_class_t H5Tget_member_class(hid_t type_id, unsigned membno);

/**
 * Type of a member.
 *
 * \param type_id Datatype.
 * \param membno Number of the member, from 0.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors Not a compound; no such member.
 */
H5_DLL hid_t H5Tget_member_type(hid_t type_id, unsigned membno);
/** @} */

/** \name Enumerations */
/** @{ */
/**
 * Makes an enumeration without symbols.
 *
 * \param base_id Integer type.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors Not an integer.
 */
H5_DLL hid_t H5Tenum_create(hid_t base_id);

/**
 * Adds a symbol.
 *
 * \param type Datatype.
 * \param name Name of the symbol, unique.
 * \param value Its value, one element of the base type; unique.
 * \return 0, or negative on failure.
 * \local
 * \errors Not an enumeration; a name or value that is there; over 65,535 symbols.
 */
H5_DLL herr_t H5Tenum_insert(hid_t type, const char *name, const void *value);

/**
 * Finds the name of a value.
 *
 * \param type Datatype.
 * \param value The value, one element of the base type.
 * \param name For the name; without NUL where it is cut off, which is an error.
 * \param size Bytes of name.
 * \return 0, or negative on failure.
 * \local
 * \errors No such value; name longer than size; NULL; size 0.
 */
H5_DLL herr_t H5Tenum_nameof(hid_t type, const void *value, char *name, size_t size);

/**
 * Finds the value of a name.
 *
 * \param type Datatype.
 * \param name The name.
 * \param value For it, one element of the base type.
 * \return 0, or negative on failure.
 * \local
 * \errors Not an enumeration; no such name; value NULL.
 */
H5_DLL herr_t H5Tenum_valueof(hid_t type, const char *name, void *value);

/**
 * Tells the value of a symbol.
 *
 * \param type_id Datatype.
 * \param membno Number of the member, from 0.
 * \param value For it, one element of the base type.
 * \return 0, or negative on failure.
 * \local
 * \errors Not an enumeration; no such symbol; value NULL.
 */
H5_DLL herr_t H5Tget_member_value(hid_t type_id, unsigned membno, void *value);
/** @} */

/** \name Arrays, sequences, opaque types */
/** @{ */
/**
 * Makes an array type.
 *
 * \param base_id Type of an element.
 * \param ndims Number of dimensions, 1 to 32.
 * \param dim Elements, [ndims], row-major, each at least 1.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors Other numbers; too many bytes together; dim NULL.
 * \differs An enumeration or compound without members is taken (libhdf5 1.10.8 refuses it).
 */
H5_DLL hid_t H5Tarray_create2(hid_t base_id, unsigned ndims, const hsize_t dim[]);

/**
 * Number of dimensions of an array type.
 *
 * \param type_id Datatype.
 * \return 1 to 32, or negative on failure.
 * \local
 * \errors Not an array.
 */
H5_DLL int H5Tget_array_ndims(hid_t type_id);

/**
 * Tells the dimensions of an array type.
 *
 * \param type_id Datatype.
 * \param dims For elements, [ndims]; may be NULL.
 * \return Number of dimensions, or negative on failure.
 * \local
 * \errors Not an array.
 */
H5_DLL int H5Tget_array_dims2(hid_t type_id, hsize_t dims[]);

/**
 * Makes a type of sequences of varying length (hvl_t).
 *
 * \param base_id Type of an element.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Tvlen_create(hid_t base_id);

/**
 * Frees what the variable-length elements of a buffer point to, and clears them; as H5Dvlen_reclaim().
 *
 * \param type_id Type of the elements in the buffer.
 * \param space_id Shape of the buffer and selection in it.
 * \param plist_id Transfer list whose H5Pset_vlen_mem_manager() frees, or H5P_DEFAULT: free().
 * \param buf Elements, row-major; with a fixed-size type nothing is done.
 * \return 0, or negative on failure.
 * \local
 * \errors buf NULL; a selection outside its extent.
 */
H5_DLL herr_t H5Treclaim(hid_t type_id, hid_t space_id, hid_t plist_id, void *buf);

/**
 * Sets the tag of an opaque type.
 *
 * \param type Datatype.
 * \param tag Text, shorter than H5T_OPAQUE_TAG_MAX bytes.
 * \return 0, or negative on failure.
 * \local
 * \errors Not opaque; too long; NULL.
 */
H5_DLL herr_t H5Tset_tag(hid_t type, const char *tag);

/**
 * The tag of an opaque type.
 *
 * \param type Datatype.
 * \return The text, freed with H5free_memory(); NULL on failure.
 * \local
 * \errors Not opaque.
 */
H5_DLL char *H5Tget_tag(hid_t type);
/** @} */

/** \name Conversion */
/** @{ */
/**
 * Registers a conversion function of the program, which H5Tconvert() and all transfers of datasets and
 * attributes use, also for members and bases of types. Types that are equal are never converted.
 *
 * \param pers H5T_PERS_HARD: for these two types, in the place of any other way; H5T_PERS_SOFT: for all
 *   types of their classes that func accepts, but where the processor converts. The function that was
 *   registered last is asked first.
 * \param name For messages and H5Tunregister(); not empty.
 * \param src_id Type of the source.
 * \param dst_id Type of the destination.
 * \param func The function; called at once with H5T_CONV_INIT for pairs that are known.
 * \return 0, or negative on failure.
 * \local
 * \errors pers; an empty name; func NULL, or it refuses the pair of a hard registration.
 */
H5_DLL herr_t H5Tregister(H5T_pers_t pers, const char *name, hid_t src_id, hid_t dst_id,
                          H5T_conv_t func);

/**
 * Takes conversion functions of the program away again; the library's own ways stay.
 *
 * \param pers Which ones; H5T_PERS_DONTCARE: both kinds.
 * \param name Those of this name; NULL or empty: any.
 * \param src_id Those from this type (soft ones: class); 0 or negative: any.
 * \param dst_id Those to this type or class; 0 or negative: any.
 * \param func This one; NULL: any.
 * \return 0, or negative on failure.
 * \local
 * \errors pers; ids that are no datatypes.
 */
H5_DLL herr_t H5Tunregister(H5T_pers_t pers, const char *name, hid_t src_id, hid_t dst_id,
                            H5T_conv_t func);

/**
 * Finds how elements of one type are converted to another.
 *
 * \param src_id Type of the source.
 * \param dst_id Type of the destination.
 * \param pcdata For what belongs to the function and these types; it stays until functions are
 *   unregistered.
 * \return The program's function, or one that stands for the library's own ways; NULL on failure.
 * \local
 * \errors Types that don't convert; pcdata NULL.
 */
H5_DLL H5T_conv_t H5Tfind(hid_t src_id, hid_t dst_id, H5T_cdata_t **pcdata);

/**
 * Converts elements in place.
 *
 * \param src_id Type of the elements.
 * \param dst_id Wanted type.
 * \param nelmts Number of elements.
 * \param buf The elements; room for the larger of both types.
 * \param background Destination elements as they were, for members that the source lacks; NULL:
 *   zeros.
 * \param plist_id Transfer list (H5Pset_type_conv_cb(), H5Pset_vlen_mem_manager()), or H5P_DEFAULT.
 * \return 0, or negative on failure. Variable-length elements get memory of their own; what they
 *   pointed to is not freed. With such elements buf is as it was on failure.
 * \local
 * \errors Types that don't convert; the list's callback aborts; buf NULL.
 */
H5_DLL herr_t H5Tconvert(hid_t src_id, hid_t dst_id, size_t nelmts, void *buf, void *background,
                         hid_t plist_id);

/**
 * Is the conversion one that a C compiler does itself?
 *
 * \param src_id Type of the elements.
 * \param dst_id Wanted type.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors Types that don't convert.
 */
H5_DLL htri_t H5Tcompiler_conv(hid_t src_id, hid_t dst_id);

/**
 * The type in which a C program would hold the values of a type: the smallest number that fits,
 * compounds laid out as the compiler would.
 *
 * \param type_id Datatype.
 * \param direction One of H5T_direction_t; it makes no difference.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors A time; no such direction.
 */
H5_DLL hid_t H5Tget_native_type(hid_t type_id, H5T_direction_t direction);
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS

/**
 * H5Tcommit2() with default lists.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the new link.
 * \param type_id Datatype.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Those of H5Tcommit2().
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Tcommit1(hid_t loc_id, const char *name, hid_t type_id);

/** \name The forms of HDF5 1.6 */
/** @{ */
/**
 * H5Topen2() with the default access list.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the type.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors Those of H5Topen2().
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Topen1(hid_t loc_id, const char *name);

/**
 * H5Tarray_create2() with an argument more.
 *
 * \param base_id Type of an element.
 * \param ndims Number of dimensions, 1 to 32.
 * \param dim Elements, [ndims], row-major.
 * \param perm Ignored; may be NULL.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 * \errors Those of H5Tarray_create2().
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Tarray_create1(hid_t base_id, int ndims, const hsize_t dim[], const int perm[]);

/**
 * H5Tget_array_dims2() with an argument more.
 *
 * \param type_id Datatype.
 * \param dims For elements, [ndims]; may be NULL.
 * \param perm Left alone; may be NULL.
 * \return Number of dimensions, or negative on failure.
 * \local
 * \errors Not an array.
 * \source HDF5 1.6
 */
H5_DLL int H5Tget_array_dims1(hid_t type_id, hsize_t dims[], int perm[]);
/** @} */

#endif

#ifdef __cplusplus
}
#endif

/** @} */

#endif
