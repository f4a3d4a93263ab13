/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Umbrella header: the whole C interface of HDF5 1.10 as libpcio implements it (room: include).
 * Every function declared here exists in the library; what could only be refused is left out.
 */
#ifndef hdf5_H
#define hdf5_H

#include "H5public.h"

#include "H5ACpublic.h"
#include "H5Apublic.h"
#include "H5Cpublic.h"
#include "H5Dpublic.h"
#include "H5Epublic.h"
#include "H5FDpublic.h"
#include "H5Fpublic.h"
#include "H5Gpublic.h"
#include "H5Ipublic.h"
#include "H5Lpublic.h"
#include "H5MMpublic.h"
#include "H5Opublic.h"
#include "H5PLpublic.h"
#include "H5Ppublic.h"
#include "H5Rpublic.h"
#include "H5Spublic.h"
#include "H5Tpublic.h"
#include "H5Zpublic.h"

/* File drivers. */
#include "H5FDcore.h"
#include "H5FDmpi.h"
#include "H5FDmpio.h"
#include "H5FDmpiposix.h"
#include "H5FDsec2.h"

#endif
