/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Umbrella header of the high level library, libpcio_hl: what of HDF5's high level interface it has so far,
 * dimension scales. What is not declared here does not exist.
 */
#ifndef HDF5_HL_H
#define HDF5_HL_H

#include "H5DSpublic.h"
#include "hdf5.h"

#endif
