/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Which version of a call or type a name without number stands for (room: include).
 *
 * Default: the 1.10 forms. H5_USE_16_API or H5_USE_18_API choose an older set for all names,
 * H5_USE_110_API says the default aloud, and H5X_vers set to 1 or 2 chooses for one name and wins.
 * After this header every H5X_vers is defined, so that programs can test it.
 *
 * Source: the mapping is that of HDF5 1.10.8.
 */
#ifndef H5version_H
#define H5version_H

#include "H5pubconf.h"

/** \addtogroup H5
 *  @{ */

#if defined(H5_USE_16_API_DEFAULT) && !defined(H5_USE_16_API)
#define H5_USE_16_API 1 /**< Names without number are those of HDF5 1.6. */
#endif
#if defined(H5_USE_18_API_DEFAULT) && !defined(H5_USE_18_API) && !defined(H5_USE_110_API)
#define H5_USE_18_API 1 /**< Names without number are those of HDF5 1.8. */
#endif
#if defined(H5_NO_DEPRECATED_SYMBOLS) && (defined(H5_USE_16_API) || defined(H5_USE_18_API))
#error "An old API was chosen, but H5_NO_DEPRECATED_SYMBOLS hides it"
#endif

/* Version of names that changed with 1.8, and of names that changed with 1.10. */
#ifdef H5_USE_16_API
#define PCIO_VERS_SINCE_18 1 /**< Version of names that changed with 1.8. */
#else
#define PCIO_VERS_SINCE_18 2 /**< Version of names that changed with 1.8. */
#endif
#if defined(H5_USE_16_API) || defined(H5_USE_18_API)
#define PCIO_VERS_SINCE_110 1 /**< Version of names that changed with 1.10. */
#else
#define PCIO_VERS_SINCE_110 2 /**< Version of names that changed with 1.10. */
#endif
/* H5Fget_info was new in 1.8: the 1.6 set does not choose it. */
#if defined(H5_USE_18_API)
/** Version of names that were new in 1.8: the 1.6 set does not choose them. */
#define PCIO_VERS_NEW_IN_18 1
#else
/** Version of names that were new in 1.8: the 1.6 set does not choose them. */
#define PCIO_VERS_NEW_IN_18 2
#endif

#ifndef H5Acreate_vers
#define H5Acreate_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Acreate is meant. */
#endif
#if H5Acreate_vers == 1
#define H5Acreate H5Acreate1 /**< H5Acreate1() or H5Acreate2(). */
#elif H5Acreate_vers == 2
#define H5Acreate H5Acreate2 /**< H5Acreate1() or H5Acreate2(). */
#else
#error "H5Acreate_vers must be 1 or 2"
#endif

#ifndef H5Aiterate_vers
#define H5Aiterate_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Aiterate is meant. */
#endif
#if H5Aiterate_vers == 1
#define H5Aiterate H5Aiterate1         /**< H5Aiterate1() or H5Aiterate2(). */
#define H5A_operator_t H5A_operator1_t /**< H5A_operator1_t or H5A_operator2_t. */
#elif H5Aiterate_vers == 2
#define H5Aiterate H5Aiterate2         /**< H5Aiterate1() or H5Aiterate2(). */
#define H5A_operator_t H5A_operator2_t /**< H5A_operator1_t or H5A_operator2_t. */
#else
#error "H5Aiterate_vers must be 1 or 2"
#endif

#ifndef H5Dcreate_vers
#define H5Dcreate_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Dcreate is meant. */
#endif
#if H5Dcreate_vers == 1
#define H5Dcreate H5Dcreate1 /**< H5Dcreate1() or H5Dcreate2(). */
#elif H5Dcreate_vers == 2
#define H5Dcreate H5Dcreate2 /**< H5Dcreate1() or H5Dcreate2(). */
#else
#error "H5Dcreate_vers must be 1 or 2"
#endif

#ifndef H5Dopen_vers
#define H5Dopen_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Dopen is meant. */
#endif
#if H5Dopen_vers == 1
#define H5Dopen H5Dopen1 /**< H5Dopen1() or H5Dopen2(). */
#elif H5Dopen_vers == 2
#define H5Dopen H5Dopen2 /**< H5Dopen1() or H5Dopen2(). */
#else
#error "H5Dopen_vers must be 1 or 2"
#endif

#ifndef H5Eclear_vers
#define H5Eclear_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Eclear is meant. */
#endif
#if H5Eclear_vers == 1
#define H5Eclear H5Eclear1 /**< H5Eclear1() or H5Eclear2(). */
#elif H5Eclear_vers == 2
#define H5Eclear H5Eclear2 /**< H5Eclear1() or H5Eclear2(). */
#else
#error "H5Eclear_vers must be 1 or 2"
#endif

#ifndef H5Eget_auto_vers
#define H5Eget_auto_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Eget_auto is meant. */
#endif
#if H5Eget_auto_vers == 1
#define H5Eget_auto H5Eget_auto1 /**< H5Eget_auto1() or H5Eget_auto2(). */
#elif H5Eget_auto_vers == 2
#define H5Eget_auto H5Eget_auto2 /**< H5Eget_auto1() or H5Eget_auto2(). */
#else
#error "H5Eget_auto_vers must be 1 or 2"
#endif

#ifndef H5Eprint_vers
#define H5Eprint_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Eprint is meant. */
#endif
#if H5Eprint_vers == 1
#define H5Eprint H5Eprint1 /**< H5Eprint1() or H5Eprint2(). */
#elif H5Eprint_vers == 2
#define H5Eprint H5Eprint2 /**< H5Eprint1() or H5Eprint2(). */
#else
#error "H5Eprint_vers must be 1 or 2"
#endif

#ifndef H5Epush_vers
#define H5Epush_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Epush is meant. */
#endif
#if H5Epush_vers == 1
#define H5Epush H5Epush1 /**< H5Epush1() or H5Epush2(). */
#elif H5Epush_vers == 2
#define H5Epush H5Epush2 /**< H5Epush1() or H5Epush2(). */
#else
#error "H5Epush_vers must be 1 or 2"
#endif

#ifndef H5Eset_auto_vers
#define H5Eset_auto_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Eset_auto is meant. */
#endif
#if H5Eset_auto_vers == 1
#define H5Eset_auto H5Eset_auto1 /**< H5Eset_auto1() or H5Eset_auto2(). */
#elif H5Eset_auto_vers == 2
#define H5Eset_auto H5Eset_auto2 /**< H5Eset_auto1() or H5Eset_auto2(). */
#else
#error "H5Eset_auto_vers must be 1 or 2"
#endif

#ifndef H5Ewalk_vers
#define H5Ewalk_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Ewalk is meant. */
#endif
#if H5Ewalk_vers == 1
#define H5Ewalk H5Ewalk1         /**< H5Ewalk1() or H5Ewalk2(). */
#define H5E_error_t H5E_error1_t /**< H5E_error1_t or H5E_error2_t. */
#define H5E_walk_t H5E_walk1_t   /**< H5E_walk1_t or H5E_walk2_t. */
#elif H5Ewalk_vers == 2
#define H5Ewalk H5Ewalk2         /**< H5Ewalk1() or H5Ewalk2(). */
#define H5E_error_t H5E_error2_t /**< H5E_error1_t or H5E_error2_t. */
#define H5E_walk_t H5E_walk2_t   /**< H5E_walk1_t or H5E_walk2_t. */
#else
#error "H5Ewalk_vers must be 1 or 2"
#endif

#ifndef H5Fget_info_vers
#define H5Fget_info_vers PCIO_VERS_NEW_IN_18 /**< 1 or 2: which H5Fget_info is meant. */
#endif
#if H5Fget_info_vers == 1
#define H5Fget_info H5Fget_info1 /**< H5Fget_info1() or H5Fget_info2(). */
#define H5F_info_t H5F_info1_t   /**< H5F_info1_t or H5F_info2_t. */
#elif H5Fget_info_vers == 2
#define H5Fget_info H5Fget_info2 /**< H5Fget_info1() or H5Fget_info2(). */
#define H5F_info_t H5F_info2_t   /**< H5F_info1_t or H5F_info2_t. */
#else
#error "H5Fget_info_vers must be 1 or 2"
#endif

#ifndef H5Gcreate_vers
#define H5Gcreate_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Gcreate is meant. */
#endif
#if H5Gcreate_vers == 1
#define H5Gcreate H5Gcreate1 /**< H5Gcreate1() or H5Gcreate2(). */
#elif H5Gcreate_vers == 2
#define H5Gcreate H5Gcreate2 /**< H5Gcreate1() or H5Gcreate2(). */
#else
#error "H5Gcreate_vers must be 1 or 2"
#endif

#ifndef H5Gopen_vers
#define H5Gopen_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Gopen is meant. */
#endif
#if H5Gopen_vers == 1
#define H5Gopen H5Gopen1 /**< H5Gopen1() or H5Gopen2(). */
#elif H5Gopen_vers == 2
#define H5Gopen H5Gopen2 /**< H5Gopen1() or H5Gopen2(). */
#else
#error "H5Gopen_vers must be 1 or 2"
#endif

#ifndef H5Pget_filter_vers
#define H5Pget_filter_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Pget_filter is meant. */
#endif
#if H5Pget_filter_vers == 1
#define H5Pget_filter H5Pget_filter1 /**< H5Pget_filter1() or H5Pget_filter2(). */
#elif H5Pget_filter_vers == 2
#define H5Pget_filter H5Pget_filter2 /**< H5Pget_filter1() or H5Pget_filter2(). */
#else
#error "H5Pget_filter_vers must be 1 or 2"
#endif

#ifndef H5Pget_filter_by_id_vers
/** 1 or 2: which H5Pget_filter_by_id is meant. */
#define H5Pget_filter_by_id_vers PCIO_VERS_SINCE_18
#endif
#if H5Pget_filter_by_id_vers == 1
/** H5Pget_filter_by_id1() or H5Pget_filter_by_id2(). */
#define H5Pget_filter_by_id H5Pget_filter_by_id1
#elif H5Pget_filter_by_id_vers == 2
/** H5Pget_filter_by_id1() or H5Pget_filter_by_id2(). */
#define H5Pget_filter_by_id H5Pget_filter_by_id2
#else
#error "H5Pget_filter_by_id_vers must be 1 or 2"
#endif

#ifndef H5Pinsert_vers
#define H5Pinsert_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Pinsert is meant. */
#endif
#if H5Pinsert_vers == 1
#define H5Pinsert H5Pinsert1 /**< H5Pinsert1() or H5Pinsert2(). */
#elif H5Pinsert_vers == 2
#define H5Pinsert H5Pinsert2 /**< H5Pinsert1() or H5Pinsert2(). */
#else
#error "H5Pinsert_vers must be 1 or 2"
#endif

#ifndef H5Pregister_vers
#define H5Pregister_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Pregister is meant. */
#endif
#if H5Pregister_vers == 1
#define H5Pregister H5Pregister1 /**< H5Pregister1() or H5Pregister2(). */
#elif H5Pregister_vers == 2
#define H5Pregister H5Pregister2 /**< H5Pregister1() or H5Pregister2(). */
#else
#error "H5Pregister_vers must be 1 or 2"
#endif

#ifndef H5Rdereference_vers
#define H5Rdereference_vers PCIO_VERS_SINCE_110 /**< 1 or 2: which H5Rdereference is meant. */
#endif
#if H5Rdereference_vers == 1
#define H5Rdereference H5Rdereference1 /**< H5Rdereference1() or H5Rdereference2(). */
#elif H5Rdereference_vers == 2
#define H5Rdereference H5Rdereference2 /**< H5Rdereference1() or H5Rdereference2(). */
#else
#error "H5Rdereference_vers must be 1 or 2"
#endif

#ifndef H5Rget_obj_type_vers
#define H5Rget_obj_type_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Rget_obj_type is meant. */
#endif
#if H5Rget_obj_type_vers == 1
#define H5Rget_obj_type H5Rget_obj_type1 /**< H5Rget_obj_type1() or H5Rget_obj_type2(). */
#elif H5Rget_obj_type_vers == 2
#define H5Rget_obj_type H5Rget_obj_type2 /**< H5Rget_obj_type1() or H5Rget_obj_type2(). */
#else
#error "H5Rget_obj_type_vers must be 1 or 2"
#endif

#ifndef H5Tarray_create_vers
#define H5Tarray_create_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Tarray_create is meant. */
#endif
#if H5Tarray_create_vers == 1
#define H5Tarray_create H5Tarray_create1 /**< H5Tarray_create1() or H5Tarray_create2(). */
#elif H5Tarray_create_vers == 2
#define H5Tarray_create H5Tarray_create2 /**< H5Tarray_create1() or H5Tarray_create2(). */
#else
#error "H5Tarray_create_vers must be 1 or 2"
#endif

#ifndef H5Tcommit_vers
#define H5Tcommit_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Tcommit is meant. */
#endif
#if H5Tcommit_vers == 1
#define H5Tcommit H5Tcommit1 /**< H5Tcommit1() or H5Tcommit2(). */
#elif H5Tcommit_vers == 2
#define H5Tcommit H5Tcommit2 /**< H5Tcommit1() or H5Tcommit2(). */
#else
#error "H5Tcommit_vers must be 1 or 2"
#endif

#ifndef H5Tget_array_dims_vers
#define H5Tget_array_dims_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Tget_array_dims is meant. */
#endif
#if H5Tget_array_dims_vers == 1
#define H5Tget_array_dims H5Tget_array_dims1 /**< H5Tget_array_dims1() or H5Tget_array_dims2(). */
#elif H5Tget_array_dims_vers == 2
#define H5Tget_array_dims H5Tget_array_dims2 /**< H5Tget_array_dims1() or H5Tget_array_dims2(). */
#else
#error "H5Tget_array_dims_vers must be 1 or 2"
#endif

#ifndef H5Topen_vers
#define H5Topen_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Topen is meant. */
#endif
#if H5Topen_vers == 1
#define H5Topen H5Topen1 /**< H5Topen1() or H5Topen2(). */
#elif H5Topen_vers == 2
#define H5Topen H5Topen2 /**< H5Topen1() or H5Topen2(). */
#else
#error "H5Topen_vers must be 1 or 2"
#endif

/* Types that change alone. */
#ifndef H5E_auto_t_vers
#define H5E_auto_t_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5E_auto_t is meant. */
#endif
#if H5E_auto_t_vers == 1
#define H5E_auto_t H5E_auto1_t /**< H5E_auto1_t or H5E_auto2_t. */
#elif H5E_auto_t_vers == 2
#define H5E_auto_t H5E_auto2_t /**< H5E_auto1_t or H5E_auto2_t. */
#else
#error "H5E_auto_t_vers must be 1 or 2"
#endif

#ifndef H5Z_class_t_vers
#define H5Z_class_t_vers PCIO_VERS_SINCE_18 /**< 1 or 2: which H5Z_class_t is meant. */
#endif
#if H5Z_class_t_vers == 1
#define H5Z_class_t H5Z_class1_t /**< H5Z_class1_t or H5Z_class2_t. */
#elif H5Z_class_t_vers == 2
#define H5Z_class_t H5Z_class2_t /**< H5Z_class1_t or H5Z_class2_t. */
#else
#error "H5Z_class_t_vers must be 1 or 2"
#endif

/** @} */

#endif
