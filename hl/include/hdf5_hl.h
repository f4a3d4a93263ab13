/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Umbrella header of the high level library, libpcio_hl: all of HDF5's high level interface.
 */
#ifndef HDF5_HL_H
#define HDF5_HL_H

#include "H5DOpublic.h"
#include "H5DSpublic.h"
#include "H5IMpublic.h"
#include "H5LDpublic.h"
#include "H5LTpublic.h"
#include "H5PTpublic.h"
#include "H5TBpublic.h"
#include "hdf5.h"

#endif
