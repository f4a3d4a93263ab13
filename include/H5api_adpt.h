/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * How public symbols are exported (room: include).
 * H5_DLL goes before a function, H5_DLLVAR before a variable, PCIO_DLL before a function of our
 * own. Visibility is "default", never "protected": executables take copy relocations on the
 * variables.
 */
#ifndef H5api_adpt_H
#define H5api_adpt_H

#if defined(__GNUC__) && __GNUC__ >= 4
#define H5_DLL __attribute__((visibility("default")))
#define H5_DLLVAR extern __attribute__((visibility("default")))
#else
#define H5_DLL
#define H5_DLLVAR extern
#endif
#define PCIO_DLL H5_DLL
/* The same for libraries on top, whose headers use these names. */
#define H5_HLDLL H5_DLL
#define H5_HLDLLVAR H5_DLLVAR

#endif
