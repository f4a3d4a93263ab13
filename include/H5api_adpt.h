/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * How public symbols are exported (room: include).
 * H5_DLL goes before a function, H5_DLLVAR before a variable, PCIO_DLL before a function of our
 * own. Visibility is "default", never "protected": executables take copy relocations on the
 * variables.
 */
#ifndef H5api_adpt_H
#define H5api_adpt_H

/** \addtogroup H5
 *  @{ */

#if defined(__GNUC__) && __GNUC__ >= 4
#define H5_DLL __attribute__((visibility("default")))           /**< Goes before a function. */
#define H5_DLLVAR extern __attribute__((visibility("default"))) /**< Goes before a variable. */
#else
#define H5_DLL           /**< Goes before a function. */
#define H5_DLLVAR extern /**< Goes before a variable. */
#endif
#define PCIO_DLL H5_DLL       /**< Goes before a function of our own. */
#define H5_HLDLL H5_DLL       /**< H5_DLL, for libraries on top whose headers use this name. */
#define H5_HLDLLVAR H5_DLLVAR /**< H5_DLLVAR, for the same. */

/** @} */

#endif
