/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Umbrella header of the high level library, libpcio_hl: what of HDF5's high level interface it has so far:
 * dimension scales, datasets and attributes in one call, types as text, appending. What is not declared here does
 * not exist.
 */
#ifndef HDF5_HL_H
#define HDF5_HL_H

#include "H5DOpublic.h"
#include "H5DSpublic.h"
#include "H5LDpublic.h"
#include "H5LTpublic.h"
#include "hdf5.h"

#endif
