/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * A library of the name libhdf5_serial.so.103 whose symbols are libpcio's, or those of the drop-in that has
 * libhdf5_openmpi's name (room: lib).
 *
 * Plugins of Debian need that library by name and its symbols by version. Each function here is
 * resolved, when a plugin is bound to it, to our function: no call passes through. The
 * variables are copies, renewed by pcio_shim_refresh(): a plugin reads them only.
 *
 * shim_symbols.h is made by lib/shim/make-shim: FUNCTION(name, version) and
 * VARIABLE(name, version) for each symbol.
 */
#include <stdint.h>

typedef int64_t hid_t;

/* Our symbol of the same name, told apart by its version. */
#define FUNCTION(name, version)                              \
  extern void ours_##name(void);                             \
  __asm__(".symver ours_" #name "," #name "@" version);      \
  extern void (*resolve_##name(void))(void);                 \
  void (*resolve_##name(void))(void) { return ours_##name; } \
  extern void name(void) __attribute__((ifunc("resolve_" #name)));
#define VARIABLE(name, version)                         \
  extern hid_t ours_##name;                             \
  __asm__(".symver ours_" #name "," #name "@" version); \
  extern hid_t name;                                    \
  hid_t name = -1;
#include "shim_symbols.h"
#undef FUNCTION
#undef VARIABLE

extern void pcio_shim_refresh(void);

/* The ids are known once libpcio is open, and change when it is closed and opened again. */
void pcio_shim_refresh(void) {
#define FUNCTION(name, version)
#define VARIABLE(name, version) name = ours_##name;
#include "shim_symbols.h"
#undef FUNCTION
#undef VARIABLE
}
