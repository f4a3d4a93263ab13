/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Images of 8 and 24 bits a pixel, and palettes (library: libpcio_hl): datasets with attributes as the HDF5 Image and
 * Palette Specification 1.2 has them. What changes one is a metadata call on a parallel file, with the same values on
 * all ranks.
 *
 * Source: names and signatures are those of HDF5 1.10.8; what calls do was watched.
 */
#ifndef H5IMpublic_H
#define H5IMpublic_H

#include "hdf5.h"

/** \defgroup H5IM H5IM: images and palettes
 *  @{ */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes an image of palette entries.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there.
 * \param width Pixels in a row.
 * \param height Rows.
 * \param buffer The pixels, row by row, or null.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The name is null or taken.
 */
H5_HLDLL herr_t H5IMmake_image_8bit(hid_t loc_id, const char *dset_name, hsize_t width, hsize_t height, const unsigned char *buffer);

/**
 * Makes an image of red, green and blue.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there.
 * \param width Pixels in a row.
 * \param height Rows.
 * \param interlace "INTERLACE_PIXEL": three bytes for each pixel; "INTERLACE_PLANE": three planes.
 * \param buffer The bytes, or null.
 * \return 0, or negative on failure.
 * \communicates
 * \errors A null pointer; the name is taken; another interlace mode.
 */
H5_HLDLL herr_t H5IMmake_image_24bit(hid_t loc_id, const char *dset_name, hsize_t width, hsize_t height, const char *interlace, const unsigned char *buffer);

/**
 * Sizes of an image.
 *
 * \param loc_id File or group.
 * \param dset_name Image.
 * \param width Gets the pixels in a row, or null.
 * \param height Gets the rows, or null.
 * \param planes Gets 1 or 3, or null.
 * \param interlace Gets the interlace mode of an image of 24 bits, with room for 16 characters, or null.
 * \param npals Gets the number of palettes, or null.
 * \return 0, or negative on failure.
 * \local
 * \errors Not an image.
 * \differs What is no image is an error.
 */
H5_HLDLL herr_t H5IMget_image_info(hid_t loc_id, const char *dset_name, hsize_t *width, hsize_t *height, hsize_t *planes, char *interlace, hssize_t *npals);

/**
 * Reads the bytes of an image.
 *
 * \param loc_id File or group.
 * \param dset_name Image.
 * \param buffer Gets them, all.
 * \return 0, or negative on failure.
 * \local
 * \errors No such dataset; a null pointer.
 */
H5_HLDLL herr_t H5IMread_image(hid_t loc_id, const char *dset_name, unsigned char *buffer);

/**
 * Makes a palette; where there is something of that name nothing is done.
 *
 * \param loc_id File or group.
 * \param pal_name Its name there.
 * \param pal_dims Entries, and bytes of each [2].
 * \param pal_data The bytes.
 * \return 0, or negative on failure.
 * \communicates
 * \errors A null pointer.
 */
H5_HLDLL herr_t H5IMmake_palette(hid_t loc_id, const char *pal_name, const hsize_t *pal_dims, const unsigned char *pal_data);

/**
 * Adds a palette to those of an image.
 *
 * \param loc_id File or group.
 * \param image_name Image.
 * \param pal_name Palette.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such dataset, or palette; a null pointer.
 */
H5_HLDLL herr_t H5IMlink_palette(hid_t loc_id, const char *image_name, const char *pal_name);

/**
 * Takes a palette from those of an image.
 *
 * \param loc_id File or group.
 * \param image_name Image.
 * \param pal_name Palette.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Not an image; the palette is none of its; a null pointer.
 * \differs Other palettes of the image stay; one that is not linked is an error.
 */
H5_HLDLL herr_t H5IMunlink_palette(hid_t loc_id, const char *image_name, const char *pal_name);

/**
 * Number of palettes of an image.
 *
 * \param loc_id File or group.
 * \param image_name Image.
 * \param npals Gets the number.
 * \return 0, or negative on failure.
 * \local
 * \errors Not an image; a null pointer.
 */
H5_HLDLL herr_t H5IMget_npalettes(hid_t loc_id, const char *image_name, hssize_t *npals);

/**
 * Sizes of a palette of an image.
 *
 * \param loc_id File or group.
 * \param image_name Image.
 * \param pal_number Which, from 0.
 * \param pal_dims Gets the entries, and the bytes of each [2].
 * \return 0, or negative on failure.
 * \local
 * \errors Not an image; it has not as many; a null pointer.
 * \differs A number that no palette has is an error.
 */
H5_HLDLL herr_t H5IMget_palette_info(hid_t loc_id, const char *image_name, int pal_number, hsize_t *pal_dims);

/**
 * Reads a palette of an image.
 *
 * \param loc_id File or group.
 * \param image_name Image.
 * \param pal_number Which, from 0.
 * \param pal_data Gets the bytes.
 * \return 0, or negative on failure.
 * \local
 * \errors Not an image; it has not as many; a null pointer.
 * \differs A number that no palette has is an error.
 */
H5_HLDLL herr_t H5IMget_palette(hid_t loc_id, const char *image_name, int pal_number, unsigned char *pal_data);

/**
 * Whether a dataset is an image.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \return 1 or 0, or negative on failure.
 * \local
 * \errors No such dataset.
 */
H5_HLDLL herr_t H5IMis_image(hid_t loc_id, const char *dset_name);

/**
 * Whether a dataset is a palette.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \return 1 or 0, or negative on failure.
 * \local
 * \errors No such dataset.
 */
H5_HLDLL herr_t H5IMis_palette(hid_t loc_id, const char *dset_name);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
