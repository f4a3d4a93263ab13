/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Identifiers of the major and minor error codes (room: include). The same list as
 * src/base/error_codes.def; the ABI tests compare the two.
 *
 * Source: the set of names is that of HDF5 1.10.8.
 */
#ifndef H5Epubgen_H
#define H5Epubgen_H

#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5E
 *  @{ */

#ifdef __cplusplus
extern "C" {
#endif

/** \name Majors: in which part of the library */
/** @{ */
#define H5E_ARGS (H5OPEN H5E_ARGS_g)             /**< Bad argument in call. */
#define H5E_ATOM (H5OPEN H5E_ATOM_g)             /**< Identifiers. */
#define H5E_ATTR (H5OPEN H5E_ATTR_g)             /**< Attribute. */
#define H5E_BTREE (H5OPEN H5E_BTREE_g)           /**< B-tree. */
#define H5E_CACHE (H5OPEN H5E_CACHE_g)           /**< Metadata cache. */
#define H5E_CONTEXT (H5OPEN H5E_CONTEXT_g)       /**< Call context. */
#define H5E_DATASET (H5OPEN H5E_DATASET_g)       /**< Dataset. */
#define H5E_DATASPACE (H5OPEN H5E_DATASPACE_g)   /**< Dataspace. */
#define H5E_DATATYPE (H5OPEN H5E_DATATYPE_g)     /**< Datatype. */
#define H5E_EARRAY (H5OPEN H5E_EARRAY_g)         /**< Extensible array index. */
#define H5E_EFL (H5OPEN H5E_EFL_g)               /**< List of external raw data files. */
#define H5E_ERROR (H5OPEN H5E_ERROR_g)           /**< Error stack interface. */
#define H5E_FARRAY (H5OPEN H5E_FARRAY_g)         /**< Fixed array index. */
#define H5E_FILE (H5OPEN H5E_FILE_g)             /**< File access. */
#define H5E_FSPACE (H5OPEN H5E_FSPACE_g)         /**< Free space in the file. */
#define H5E_FUNC (H5OPEN H5E_FUNC_g)             /**< Entry into or exit from the library. */
#define H5E_HEAP (H5OPEN H5E_HEAP_g)             /**< Heap. */
#define H5E_INTERNAL (H5OPEN H5E_INTERNAL_g)     /**< Fault inside the library. */
#define H5E_IO (H5OPEN H5E_IO_g)                 /**< Low-level input and output. */
#define H5E_LINK (H5OPEN H5E_LINK_g)             /**< Link. */
#define H5E_NONE_MAJOR (H5OPEN H5E_NONE_MAJOR_g) /**< No error. */
#define H5E_OHDR (H5OPEN H5E_OHDR_g)             /**< Object header. */
#define H5E_PAGEBUF (H5OPEN H5E_PAGEBUF_g)       /**< Page buffer. */
#define H5E_PLINE (H5OPEN H5E_PLINE_g)           /**< Filter pipeline. */
#define H5E_PLIST (H5OPEN H5E_PLIST_g)           /**< Property list. */
#define H5E_PLUGIN (H5OPEN H5E_PLUGIN_g)         /**< Dynamically loaded plugin. */
#define H5E_REFERENCE (H5OPEN H5E_REFERENCE_g)   /**< Reference to an object or region. */
#define H5E_RESOURCE (H5OPEN H5E_RESOURCE_g)     /**< Resource not available. */
#define H5E_RS (H5OPEN H5E_RS_g)                 /**< Reference-counted string. */
#define H5E_SLIST (H5OPEN H5E_SLIST_g)           /**< Skip list. */
#define H5E_SOHM (H5OPEN H5E_SOHM_g)             /**< Shared header messages. */
#define H5E_STORAGE (H5OPEN H5E_STORAGE_g)       /**< Raw data storage. */
#define H5E_SYM (H5OPEN H5E_SYM_g)               /**< Group and symbol table. */
#define H5E_TST (H5OPEN H5E_TST_g)               /**< Ternary search tree. */
#define H5E_VFL (H5OPEN H5E_VFL_g)               /**< File driver. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5E_ARGS_g;
H5_DLLVAR hid_t H5E_ATOM_g;
H5_DLLVAR hid_t H5E_ATTR_g;
H5_DLLVAR hid_t H5E_BTREE_g;
H5_DLLVAR hid_t H5E_CACHE_g;
H5_DLLVAR hid_t H5E_CONTEXT_g;
H5_DLLVAR hid_t H5E_DATASET_g;
H5_DLLVAR hid_t H5E_DATASPACE_g;
H5_DLLVAR hid_t H5E_DATATYPE_g;
H5_DLLVAR hid_t H5E_EARRAY_g;
H5_DLLVAR hid_t H5E_EFL_g;
H5_DLLVAR hid_t H5E_ERROR_g;
H5_DLLVAR hid_t H5E_FARRAY_g;
H5_DLLVAR hid_t H5E_FILE_g;
H5_DLLVAR hid_t H5E_FSPACE_g;
H5_DLLVAR hid_t H5E_FUNC_g;
H5_DLLVAR hid_t H5E_HEAP_g;
H5_DLLVAR hid_t H5E_INTERNAL_g;
H5_DLLVAR hid_t H5E_IO_g;
H5_DLLVAR hid_t H5E_LINK_g;
H5_DLLVAR hid_t H5E_NONE_MAJOR_g;
H5_DLLVAR hid_t H5E_OHDR_g;
H5_DLLVAR hid_t H5E_PAGEBUF_g;
H5_DLLVAR hid_t H5E_PLINE_g;
H5_DLLVAR hid_t H5E_PLIST_g;
H5_DLLVAR hid_t H5E_PLUGIN_g;
H5_DLLVAR hid_t H5E_REFERENCE_g;
H5_DLLVAR hid_t H5E_RESOURCE_g;
H5_DLLVAR hid_t H5E_RS_g;
H5_DLLVAR hid_t H5E_SLIST_g;
H5_DLLVAR hid_t H5E_SOHM_g;
H5_DLLVAR hid_t H5E_STORAGE_g;
H5_DLLVAR hid_t H5E_SYM_g;
H5_DLLVAR hid_t H5E_TST_g;
H5_DLLVAR hid_t H5E_VFL_g;
/** \endcond */
/** @} */

/** \name Minors: what went wrong */
/** @{ */
#define H5E_ALIGNMENT (H5OPEN H5E_ALIGNMENT_g) /**< Misaligned. */
/** Name or object is already there. */
#define H5E_ALREADYEXISTS (H5OPEN H5E_ALREADYEXISTS_g)
/** Was initialized before. */
#define H5E_ALREADYINIT (H5OPEN H5E_ALREADYINIT_g)
#define H5E_BADATOM (H5OPEN H5E_BADATOM_g)     /**< Identifier not found, perhaps closed already. */
#define H5E_BADFILE (H5OPEN H5E_BADFILE_g)     /**< Not a usable file identifier. */
#define H5E_BADGROUP (H5OPEN H5E_BADGROUP_g)   /**< Identifier type not found. */
#define H5E_BADITER (H5OPEN H5E_BADITER_g)     /**< Iteration stopped with an error. */
#define H5E_BADMESG (H5OPEN H5E_BADMESG_g)     /**< Header message not recognized. */
#define H5E_BADRANGE (H5OPEN H5E_BADRANGE_g)   /**< Value out of range. */
#define H5E_BADSELECT (H5OPEN H5E_BADSELECT_g) /**< Selection not valid. */
#define H5E_BADSIZE (H5OPEN H5E_BADSIZE_g)     /**< Size not valid. */
#define H5E_BADTYPE (H5OPEN H5E_BADTYPE_g)     /**< Wrong type. */
#define H5E_BADVALUE (H5OPEN H5E_BADVALUE_g)   /**< Value not valid. */
#define H5E_CALLBACK (H5OPEN H5E_CALLBACK_g)   /**< User's callback failed. */
#define H5E_CANAPPLY (H5OPEN H5E_CANAPPLY_g)   /**< Filter says it does not apply. */
#define H5E_CANTALLOC (H5OPEN H5E_CANTALLOC_g) /**< Could not allocate space. */
/** Could not append. */
#define H5E_CANTAPPEND (H5OPEN H5E_CANTAPPEND_g)
/** Could not attach. */
#define H5E_CANTATTACH (H5OPEN H5E_CANTATTACH_g)
#define H5E_CANTCLEAN (H5OPEN H5E_CANTCLEAN_g) /**< Could not mark metadata clean. */
#define H5E_CANTCLIP (H5OPEN H5E_CANTCLIP_g)   /**< Could not clip selection to extent. */
/** Could not close file. */
#define H5E_CANTCLOSEFILE (H5OPEN H5E_CANTCLOSEFILE_g)
/** Could not close object. */
#define H5E_CANTCLOSEOBJ (H5OPEN H5E_CANTCLOSEOBJ_g)
/** Could not compare. */
#define H5E_CANTCOMPARE (H5OPEN H5E_CANTCOMPARE_g)
/** Could not compute. */
#define H5E_CANTCOMPUTE (H5OPEN H5E_CANTCOMPUTE_g)
/** Could not convert between datatypes. */
#define H5E_CANTCONVERT (H5OPEN H5E_CANTCONVERT_g)
#define H5E_CANTCOPY (H5OPEN H5E_CANTCOPY_g)   /**< Could not copy. */
#define H5E_CANTCORK (H5OPEN H5E_CANTCORK_g)   /**< Could not hold back flushes of object. */
#define H5E_CANTCOUNT (H5OPEN H5E_CANTCOUNT_g) /**< Could not count. */
/** Could not create file. */
#define H5E_CANTCREATE (H5OPEN H5E_CANTCREATE_g)
#define H5E_CANTDEC (H5OPEN H5E_CANTDEC_g)     /**< Could not lower reference count. */
/** Could not decode. */
#define H5E_CANTDECODE (H5OPEN H5E_CANTDECODE_g)
/** Could not delete. */
#define H5E_CANTDELETE (H5OPEN H5E_CANTDELETE_g)
/** Could not add flush dependency. */
#define H5E_CANTDEPEND (H5OPEN H5E_CANTDEPEND_g)
#define H5E_CANTDIRTY (H5OPEN H5E_CANTDIRTY_g) /**< Could not mark metadata dirty. */
/** Could not encode. */
#define H5E_CANTENCODE (H5OPEN H5E_CANTENCODE_g)
/** Could not drop entry from metadata cache. */
#define H5E_CANTEXPUNGE (H5OPEN H5E_CANTEXPUNGE_g)
/** Could not extend. */
#define H5E_CANTEXTEND (H5OPEN H5E_CANTEXTEND_g)
/** Filter failed. */
#define H5E_CANTFILTER (H5OPEN H5E_CANTFILTER_g)
#define H5E_CANTFLUSH (H5OPEN H5E_CANTFLUSH_g) /**< Could not flush. */
#define H5E_CANTFREE (H5OPEN H5E_CANTFREE_g)   /**< Could not free. */
/** Could not gather from all ranks. */
#define H5E_CANTGATHER (H5OPEN H5E_CANTGATHER_g)
#define H5E_CANTGC (H5OPEN H5E_CANTGC_g)       /**< Could not collect garbage. */
#define H5E_CANTGET (H5OPEN H5E_CANTGET_g)     /**< Could not get value. */
/** Could not find out size. */
#define H5E_CANTGETSIZE (H5OPEN H5E_CANTGETSIZE_g)
#define H5E_CANTINC (H5OPEN H5E_CANTINC_g)     /**< Could not raise reference count. */
#define H5E_CANTINIT (H5OPEN H5E_CANTINIT_g)   /**< Could not initialize. */
#define H5E_CANTINS (H5OPEN H5E_CANTINS_g)     /**< Could not put entry into metadata cache. */
/** Could not insert. */
#define H5E_CANTINSERT (H5OPEN H5E_CANTINSERT_g)
#define H5E_CANTLIST (H5OPEN H5E_CANTLIST_g)   /**< Could not list. */
#define H5E_CANTLOAD (H5OPEN H5E_CANTLOAD_g)   /**< Could not load metadata. */
#define H5E_CANTLOCK (H5OPEN H5E_CANTLOCK_g)   /**< Could not lock. */
/** Could not lock file. */
#define H5E_CANTLOCKFILE (H5OPEN H5E_CANTLOCKFILE_g)
/** Could not mark pinned entry clean. */
#define H5E_CANTMARKCLEAN (H5OPEN H5E_CANTMARKCLEAN_g)
/** Could not mark pinned entry dirty. */
#define H5E_CANTMARKDIRTY (H5OPEN H5E_CANTMARKDIRTY_g)
/** Could not mark entry as serialized. */
#define H5E_CANTMARKSERIALIZED (H5OPEN H5E_CANTMARKSERIALIZED_g)
/** Could not mark entry as not serialized. */
#define H5E_CANTMARKUNSERIALIZED (H5OPEN H5E_CANTMARKUNSERIALIZED_g)
#define H5E_CANTMERGE (H5OPEN H5E_CANTMERGE_g)       /**< Could not merge. */
#define H5E_CANTMODIFY (H5OPEN H5E_CANTMODIFY_g)     /**< Could not modify. */
#define H5E_CANTMOVE (H5OPEN H5E_CANTMOVE_g)         /**< Could not move. */
#define H5E_CANTNEXT (H5OPEN H5E_CANTNEXT_g)         /**< Could not step to next place. */
#define H5E_CANTNOTIFY (H5OPEN H5E_CANTNOTIFY_g)     /**< Could not notify object. */
#define H5E_CANTOPENFILE (H5OPEN H5E_CANTOPENFILE_g) /**< Could not open file. */
#define H5E_CANTOPENOBJ (H5OPEN H5E_CANTOPENOBJ_g)   /**< Could not open object. */
#define H5E_CANTOPERATE (H5OPEN H5E_CANTOPERATE_g)   /**< Operation on object failed. */
#define H5E_CANTPACK (H5OPEN H5E_CANTPACK_g)         /**< Could not pack. */
#define H5E_CANTPIN (H5OPEN H5E_CANTPIN_g)           /**< Could not pin cache entry. */
#define H5E_CANTPROTECT (H5OPEN H5E_CANTPROTECT_g)   /**< Could not protect metadata. */
#define H5E_CANTRECV (H5OPEN H5E_CANTRECV_g)         /**< Could not receive from other ranks. */
/** Could not redistribute. */
#define H5E_CANTREDISTRIBUTE (H5OPEN H5E_CANTREDISTRIBUTE_g)
#define H5E_CANTREGISTER (H5OPEN H5E_CANTREGISTER_g) /**< Could not register identifier. */
#define H5E_CANTRELEASE (H5OPEN H5E_CANTRELEASE_g)   /**< Could not release. */
#define H5E_CANTREMOVE (H5OPEN H5E_CANTREMOVE_g)     /**< Could not remove. */
#define H5E_CANTRENAME (H5OPEN H5E_CANTRENAME_g)     /**< Could not rename. */
#define H5E_CANTRESET (H5OPEN H5E_CANTRESET_g)       /**< Could not reset. */
#define H5E_CANTRESIZE (H5OPEN H5E_CANTRESIZE_g)     /**< Could not resize cache entry. */
#define H5E_CANTRESTORE (H5OPEN H5E_CANTRESTORE_g)   /**< Could not restore. */
#define H5E_CANTREVIVE (H5OPEN H5E_CANTREVIVE_g)     /**< Could not revive. */
#define H5E_CANTSELECT (H5OPEN H5E_CANTSELECT_g)     /**< Could not make selection. */
/** Could not serialize metadata. */
#define H5E_CANTSERIALIZE (H5OPEN H5E_CANTSERIALIZE_g)
#define H5E_CANTSET (H5OPEN H5E_CANTSET_g)           /**< Could not set value. */
#define H5E_CANTSHRINK (H5OPEN H5E_CANTSHRINK_g)     /**< Could not shrink. */
#define H5E_CANTSORT (H5OPEN H5E_CANTSORT_g)         /**< Could not sort. */
#define H5E_CANTSPLIT (H5OPEN H5E_CANTSPLIT_g)       /**< Could not split. */
#define H5E_CANTSWAP (H5OPEN H5E_CANTSWAP_g)         /**< Could not swap. */
#define H5E_CANTTAG (H5OPEN H5E_CANTTAG_g)           /**< Could not tag metadata. */
#define H5E_CANTUNCORK (H5OPEN H5E_CANTUNCORK_g)     /**< Could not let flushes of object go on. */
#define H5E_CANTUNDEPEND (H5OPEN H5E_CANTUNDEPEND_g) /**< Could not remove flush dependency. */
#define H5E_CANTUNLOCK (H5OPEN H5E_CANTUNLOCK_g)     /**< Could not unlock. */
/** Could not unlock file. */
#define H5E_CANTUNLOCKFILE (H5OPEN H5E_CANTUNLOCKFILE_g)
#define H5E_CANTUNPIN (H5OPEN H5E_CANTUNPIN_g)       /**< Could not unpin cache entry. */
/** Could not unprotect metadata. */
#define H5E_CANTUNPROTECT (H5OPEN H5E_CANTUNPROTECT_g)
/** Could not mark metadata as not serialized. */
#define H5E_CANTUNSERIALIZE (H5OPEN H5E_CANTUNSERIALIZE_g)
/** Could not update. */
#define H5E_CANTUPDATE (H5OPEN H5E_CANTUPDATE_g)
/** Close failed. */
#define H5E_CLOSEERROR (H5OPEN H5E_CLOSEERROR_g)
#define H5E_COMPLEN (H5OPEN H5E_COMPLEN_g)     /**< Path component too long. */
#define H5E_DUPCLASS (H5OPEN H5E_DUPCLASS_g)   /**< Class name used twice. */
#define H5E_EXISTS (H5OPEN H5E_EXISTS_g)       /**< Already there. */
#define H5E_FCNTL (H5OPEN H5E_FCNTL_g)         /**< File control call failed. */
/** File already exists. */
#define H5E_FILEEXISTS (H5OPEN H5E_FILEEXISTS_g)
#define H5E_FILEOPEN (H5OPEN H5E_FILEOPEN_g)   /**< File is open already. */
/** Contradictory internal state. */
#define H5E_INCONSISTENTSTATE (H5OPEN H5E_INCONSISTENTSTATE_g)
#define H5E_LINKCOUNT (H5OPEN H5E_LINKCOUNT_g) /**< Link count does not add up. */
#define H5E_LOGFAIL (H5OPEN H5E_LOGFAIL_g)     /**< Metadata log failed (older name of LOGGING). */
#define H5E_LOGGING (H5OPEN H5E_LOGGING_g)     /**< Metadata log failed. */
#define H5E_MOUNT (H5OPEN H5E_MOUNT_g)         /**< Mounting a file failed. */
#define H5E_MPI (H5OPEN H5E_MPI_g)             /**< MPI call failed. */
#define H5E_MPIERRSTR (H5OPEN H5E_MPIERRSTR_g) /**< Message from the MPI library. */
#define H5E_NLINKS (H5OPEN H5E_NLINKS_g)       /**< Too many soft links on the path. */
#define H5E_NOENCODER (H5OPEN H5E_NOENCODER_g) /**< Filter can decode only. */
#define H5E_NOFILTER (H5OPEN H5E_NOFILTER_g)   /**< Filter not available. */
#define H5E_NOIDS (H5OPEN H5E_NOIDS_g)         /**< No identifiers left. */
/** No error. */
#define H5E_NONE_MINOR (H5OPEN H5E_NONE_MINOR_g)
#define H5E_NOSPACE (H5OPEN H5E_NOSPACE_g)     /**< No space left for allocation. */
#define H5E_NOTCACHED (H5OPEN H5E_NOTCACHED_g) /**< Metadata not in the cache. */
#define H5E_NOTFOUND (H5OPEN H5E_NOTFOUND_g)   /**< Not found. */
#define H5E_NOTHDF5 (H5OPEN H5E_NOTHDF5_g)     /**< Not an HDF5 file. */
/** Link class not registered. */
#define H5E_NOTREGISTERED (H5OPEN H5E_NOTREGISTERED_g)
/** Independent access not possible. */
#define H5E_NO_INDEPENDENT (H5OPEN H5E_NO_INDEPENDENT_g)
#define H5E_OBJOPEN (H5OPEN H5E_OBJOPEN_g)     /**< Object is open. */
#define H5E_OPENERROR (H5OPEN H5E_OPENERROR_g) /**< Open failed. */
#define H5E_OVERFLOW (H5OPEN H5E_OVERFLOW_g)   /**< Address or size overflow. */
#define H5E_PATH (H5OPEN H5E_PATH_g)           /**< Bad path. */
#define H5E_PROTECT (H5OPEN H5E_PROTECT_g)     /**< Metadata is protected. */
#define H5E_READERROR (H5OPEN H5E_READERROR_g) /**< Read failed. */
#define H5E_SEEKERROR (H5OPEN H5E_SEEKERROR_g) /**< Seek failed. */
/** Setting not allowed here. */
#define H5E_SETDISALLOWED (H5OPEN H5E_SETDISALLOWED_g)
#define H5E_SETLOCAL (H5OPEN H5E_SETLOCAL_g)   /**< Filter could not adapt to the dataset. */
#define H5E_SYSERRSTR (H5OPEN H5E_SYSERRSTR_g) /**< Message from the operating system. */
#define H5E_SYSTEM (H5OPEN H5E_SYSTEM_g)       /**< Internal error noticed. */
#define H5E_TRAVERSE (H5OPEN H5E_TRAVERSE_g)   /**< Could not follow link. */
#define H5E_TRUNCATED (H5OPEN H5E_TRUNCATED_g) /**< File is shorter than it says. */
/** Not initialized. */
#define H5E_UNINITIALIZED (H5OPEN H5E_UNINITIALIZED_g)
/** Not supported. */
#define H5E_UNSUPPORTED (H5OPEN H5E_UNSUPPORTED_g)
#define H5E_VERSION (H5OPEN H5E_VERSION_g)     /**< Wrong version. */
/** Write failed. */
#define H5E_WRITEERROR (H5OPEN H5E_WRITEERROR_g)

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5E_ALIGNMENT_g;
H5_DLLVAR hid_t H5E_ALREADYEXISTS_g;
H5_DLLVAR hid_t H5E_ALREADYINIT_g;
H5_DLLVAR hid_t H5E_BADATOM_g;
H5_DLLVAR hid_t H5E_BADFILE_g;
H5_DLLVAR hid_t H5E_BADGROUP_g;
H5_DLLVAR hid_t H5E_BADITER_g;
H5_DLLVAR hid_t H5E_BADMESG_g;
H5_DLLVAR hid_t H5E_BADRANGE_g;
H5_DLLVAR hid_t H5E_BADSELECT_g;
H5_DLLVAR hid_t H5E_BADSIZE_g;
H5_DLLVAR hid_t H5E_BADTYPE_g;
H5_DLLVAR hid_t H5E_BADVALUE_g;
H5_DLLVAR hid_t H5E_CALLBACK_g;
H5_DLLVAR hid_t H5E_CANAPPLY_g;
H5_DLLVAR hid_t H5E_CANTALLOC_g;
H5_DLLVAR hid_t H5E_CANTAPPEND_g;
H5_DLLVAR hid_t H5E_CANTATTACH_g;
H5_DLLVAR hid_t H5E_CANTCLEAN_g;
H5_DLLVAR hid_t H5E_CANTCLIP_g;
H5_DLLVAR hid_t H5E_CANTCLOSEFILE_g;
H5_DLLVAR hid_t H5E_CANTCLOSEOBJ_g;
H5_DLLVAR hid_t H5E_CANTCOMPARE_g;
H5_DLLVAR hid_t H5E_CANTCOMPUTE_g;
H5_DLLVAR hid_t H5E_CANTCONVERT_g;
H5_DLLVAR hid_t H5E_CANTCOPY_g;
H5_DLLVAR hid_t H5E_CANTCORK_g;
H5_DLLVAR hid_t H5E_CANTCOUNT_g;
H5_DLLVAR hid_t H5E_CANTCREATE_g;
H5_DLLVAR hid_t H5E_CANTDEC_g;
H5_DLLVAR hid_t H5E_CANTDECODE_g;
H5_DLLVAR hid_t H5E_CANTDELETE_g;
H5_DLLVAR hid_t H5E_CANTDEPEND_g;
H5_DLLVAR hid_t H5E_CANTDIRTY_g;
H5_DLLVAR hid_t H5E_CANTENCODE_g;
H5_DLLVAR hid_t H5E_CANTEXPUNGE_g;
H5_DLLVAR hid_t H5E_CANTEXTEND_g;
H5_DLLVAR hid_t H5E_CANTFILTER_g;
H5_DLLVAR hid_t H5E_CANTFLUSH_g;
H5_DLLVAR hid_t H5E_CANTFREE_g;
H5_DLLVAR hid_t H5E_CANTGATHER_g;
H5_DLLVAR hid_t H5E_CANTGC_g;
H5_DLLVAR hid_t H5E_CANTGET_g;
H5_DLLVAR hid_t H5E_CANTGETSIZE_g;
H5_DLLVAR hid_t H5E_CANTINC_g;
H5_DLLVAR hid_t H5E_CANTINIT_g;
H5_DLLVAR hid_t H5E_CANTINS_g;
H5_DLLVAR hid_t H5E_CANTINSERT_g;
H5_DLLVAR hid_t H5E_CANTLIST_g;
H5_DLLVAR hid_t H5E_CANTLOAD_g;
H5_DLLVAR hid_t H5E_CANTLOCK_g;
H5_DLLVAR hid_t H5E_CANTLOCKFILE_g;
H5_DLLVAR hid_t H5E_CANTMARKCLEAN_g;
H5_DLLVAR hid_t H5E_CANTMARKDIRTY_g;
H5_DLLVAR hid_t H5E_CANTMARKSERIALIZED_g;
H5_DLLVAR hid_t H5E_CANTMARKUNSERIALIZED_g;
H5_DLLVAR hid_t H5E_CANTMERGE_g;
H5_DLLVAR hid_t H5E_CANTMODIFY_g;
H5_DLLVAR hid_t H5E_CANTMOVE_g;
H5_DLLVAR hid_t H5E_CANTNEXT_g;
H5_DLLVAR hid_t H5E_CANTNOTIFY_g;
H5_DLLVAR hid_t H5E_CANTOPENFILE_g;
H5_DLLVAR hid_t H5E_CANTOPENOBJ_g;
H5_DLLVAR hid_t H5E_CANTOPERATE_g;
H5_DLLVAR hid_t H5E_CANTPACK_g;
H5_DLLVAR hid_t H5E_CANTPIN_g;
H5_DLLVAR hid_t H5E_CANTPROTECT_g;
H5_DLLVAR hid_t H5E_CANTRECV_g;
H5_DLLVAR hid_t H5E_CANTREDISTRIBUTE_g;
H5_DLLVAR hid_t H5E_CANTREGISTER_g;
H5_DLLVAR hid_t H5E_CANTRELEASE_g;
H5_DLLVAR hid_t H5E_CANTREMOVE_g;
H5_DLLVAR hid_t H5E_CANTRENAME_g;
H5_DLLVAR hid_t H5E_CANTRESET_g;
H5_DLLVAR hid_t H5E_CANTRESIZE_g;
H5_DLLVAR hid_t H5E_CANTRESTORE_g;
H5_DLLVAR hid_t H5E_CANTREVIVE_g;
H5_DLLVAR hid_t H5E_CANTSELECT_g;
H5_DLLVAR hid_t H5E_CANTSERIALIZE_g;
H5_DLLVAR hid_t H5E_CANTSET_g;
H5_DLLVAR hid_t H5E_CANTSHRINK_g;
H5_DLLVAR hid_t H5E_CANTSORT_g;
H5_DLLVAR hid_t H5E_CANTSPLIT_g;
H5_DLLVAR hid_t H5E_CANTSWAP_g;
H5_DLLVAR hid_t H5E_CANTTAG_g;
H5_DLLVAR hid_t H5E_CANTUNCORK_g;
H5_DLLVAR hid_t H5E_CANTUNDEPEND_g;
H5_DLLVAR hid_t H5E_CANTUNLOCK_g;
H5_DLLVAR hid_t H5E_CANTUNLOCKFILE_g;
H5_DLLVAR hid_t H5E_CANTUNPIN_g;
H5_DLLVAR hid_t H5E_CANTUNPROTECT_g;
H5_DLLVAR hid_t H5E_CANTUNSERIALIZE_g;
H5_DLLVAR hid_t H5E_CANTUPDATE_g;
H5_DLLVAR hid_t H5E_CLOSEERROR_g;
H5_DLLVAR hid_t H5E_COMPLEN_g;
H5_DLLVAR hid_t H5E_DUPCLASS_g;
H5_DLLVAR hid_t H5E_EXISTS_g;
H5_DLLVAR hid_t H5E_FCNTL_g;
H5_DLLVAR hid_t H5E_FILEEXISTS_g;
H5_DLLVAR hid_t H5E_FILEOPEN_g;
H5_DLLVAR hid_t H5E_INCONSISTENTSTATE_g;
H5_DLLVAR hid_t H5E_LINKCOUNT_g;
H5_DLLVAR hid_t H5E_LOGFAIL_g;
H5_DLLVAR hid_t H5E_LOGGING_g;
H5_DLLVAR hid_t H5E_MOUNT_g;
H5_DLLVAR hid_t H5E_MPI_g;
H5_DLLVAR hid_t H5E_MPIERRSTR_g;
H5_DLLVAR hid_t H5E_NLINKS_g;
H5_DLLVAR hid_t H5E_NOENCODER_g;
H5_DLLVAR hid_t H5E_NOFILTER_g;
H5_DLLVAR hid_t H5E_NOIDS_g;
H5_DLLVAR hid_t H5E_NONE_MINOR_g;
H5_DLLVAR hid_t H5E_NOSPACE_g;
H5_DLLVAR hid_t H5E_NOTCACHED_g;
H5_DLLVAR hid_t H5E_NOTFOUND_g;
H5_DLLVAR hid_t H5E_NOTHDF5_g;
H5_DLLVAR hid_t H5E_NOTREGISTERED_g;
H5_DLLVAR hid_t H5E_NO_INDEPENDENT_g;
H5_DLLVAR hid_t H5E_OBJOPEN_g;
H5_DLLVAR hid_t H5E_OPENERROR_g;
H5_DLLVAR hid_t H5E_OVERFLOW_g;
H5_DLLVAR hid_t H5E_PATH_g;
H5_DLLVAR hid_t H5E_PROTECT_g;
H5_DLLVAR hid_t H5E_READERROR_g;
H5_DLLVAR hid_t H5E_SEEKERROR_g;
H5_DLLVAR hid_t H5E_SETDISALLOWED_g;
H5_DLLVAR hid_t H5E_SETLOCAL_g;
H5_DLLVAR hid_t H5E_SYSERRSTR_g;
H5_DLLVAR hid_t H5E_SYSTEM_g;
H5_DLLVAR hid_t H5E_TRAVERSE_g;
H5_DLLVAR hid_t H5E_TRUNCATED_g;
H5_DLLVAR hid_t H5E_UNINITIALIZED_g;
H5_DLLVAR hid_t H5E_UNSUPPORTED_g;
H5_DLLVAR hid_t H5E_VERSION_g;
H5_DLLVAR hid_t H5E_WRITEERROR_g;
/** \endcond */
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
