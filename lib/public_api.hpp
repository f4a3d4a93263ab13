// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the public headers as the library itself sees them: without the calls of H5open() that
// the macros for predefined ids make in programs.

#pragma once

#ifndef PCIO_INSIDE
#define PCIO_INSIDE 1
#endif

#include "hdf5.h"
#include "pcio.h"
