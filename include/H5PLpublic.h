/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Plugins: where they are looked for (room: include). Local; a parallel program does the same on
 * every rank.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5PLpublic_H
#define H5PLpublic_H

#include "H5public.h"

/** \defgroup H5PL H5PL: plugins
 *  @{ */

#define H5PL_NO_PLUGIN "::" /**< The value of HDF5_PLUGIN_PRELOAD that forbids plugins. */

/** What a plugin says it is. */
typedef enum H5PL_type_t {
  H5PL_TYPE_ERROR = -1, /**< Nothing: a call failed. */
  H5PL_TYPE_FILTER = 0, /**< A filter. */
  H5PL_TYPE_NONE = 1    /**< Nothing. */
} H5PL_type_t;

/** \name Bits of the loading state */
/** @{ */
#define H5PL_FILTER_PLUGIN 0x0001 /**< Filters may be loaded. */
#define H5PL_ALL_PLUGIN 0xFFFF    /**< Everything may be loaded. */
/** @} */

#ifdef __cplusplus
extern "C" {
#endif

/** \name Which kinds of plugins may be loaded */
/** @{ */
/**
 * Sets which kinds of plugins may be loaded.
 *
 * \param plugin_control_mask Bits; 0: none.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5PLset_loading_state(unsigned int plugin_control_mask);

/**
 * Tells which kinds of plugins may be loaded.
 *
 * \param plugin_control_mask Set to the bits.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL.
 */
H5_DLL herr_t H5PLget_loading_state(unsigned int *plugin_control_mask /*out*/);
/** @} */

/** \name The folders, searched in order; HDF5_PLUGIN_PATH sets them at the beginning */
/** @{ */
/**
 * Adds a folder behind the others.
 *
 * \param search_path Path of a folder.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5PLappend(const char *search_path);

/**
 * Adds a folder before the others.
 *
 * \param search_path Path of a folder.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5PLprepend(const char *search_path);

/**
 * Puts a folder in the place of another one.
 *
 * \param search_path Path of a folder.
 * \param index Number of a folder, from 0.
 * \return 0, or negative on failure.
 * \local
 * \errors There are not so many.
 */
H5_DLL herr_t H5PLreplace(const char *search_path, unsigned int index);

/**
 * Adds a folder before number index, or behind the last one.
 *
 * \param search_path Path of a folder.
 * \param index Number of a folder, from 0.
 * \return 0, or negative on failure.
 * \local
 * \errors There are not so many.
 */
H5_DLL herr_t H5PLinsert(const char *search_path, unsigned int index);

/**
 * Takes a folder away.
 *
 * \param index Number of a folder, from 0.
 * \return 0, or negative on failure.
 * \local
 * \errors There are not so many.
 */
H5_DLL herr_t H5PLremove(unsigned int index);

/**
 * Tells a folder.
 *
 * \param index Number of a folder, from 0.
 * \param path_buf For the text, cut, with NUL; may be NULL.
 * \param buf_size Bytes of path_buf.
 * \return Length without NUL, or negative on failure.
 * \local
 * \errors There are not so many.
 */
H5_DLL ssize_t H5PLget(unsigned int index, char *path_buf /*out*/, size_t buf_size);

/**
 * Counts the folders.
 *
 * \param num_paths Set to the number.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL.
 */
H5_DLL herr_t H5PLsize(unsigned int *num_paths /*out*/);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
