/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Lives of files with all of the data model, changed at random by turns of two libraries: what the parts
 * of the program share. Room: test/oracle, public C API only. See lives.c. */

#ifndef PCIO_TEST_ORACLE_LIVES_H
#define PCIO_TEST_ORACLE_LIVES_H

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kNameSize = 300, kMostDims = 3, kKept = 4, kUserLink = 75 };

/* --- chance: all of a step follows from the seed, its number and what the file holds (lives.c) --- */

unsigned below(unsigned n);
int one_in(unsigned n);

/* One word of what was done: it stands in the output, which two libraries must have alike. */
void note(const char* kind, const char* what);
/* Notes whether a call that either library may refuse was refused; returns whether it was not. */
int allowed(long long status, const char* call);
/* A call that must succeed: else the program ends and says which one did not. */
hid_t good(long long status, const char* call);

extern hid_t file_;         /* the file of this life, open */
extern unsigned step_;      /* number of the step, for names that are new */
extern H5F_libver_t bound_; /* low bound of this opening */
extern int narrow_;         /* lengths have 4 bytes: libhdf5 1.10 loses what is unlimited */

/* --- types and values (lives_types.c, lives_values.c) --- */

enum { kAnyType = 0, kFixedType = 1, kNoReferences = 2, kNumbersOnly = 4, kNativeOnly = 8 };

/* A random type as it is to lie in the file; `wishes` of the above. */
hid_t make_type(unsigned wishes);
/* The type of its values in memory. */
hid_t memory_of(hid_t type);
/* The class is somewhere in the type; unlike H5Tdetect_class it tells variable-length strings as H5T_VLEN. */
int has_class(hid_t type, H5T_class_t wanted);
/* `count` values of a memory type, to be freed by free_values. */
void* make_values(hid_t type, size_t count);
void free_values(hid_t type, size_t count, void* values);
void print_values(hid_t type, size_t count, const void* values);
void find_kept(void); /* before values with references are printed */

/* --- what is in the file --- */

/* The path of a random group that is there ("/" at least). */
void choose_group(char* path);
/* group + "/" + letter + number below `many`. */
void choose_name(char* path, char letter, unsigned many);
/* A random object: its path, or 0. */
int choose_object(char* path);
int is_there(const char* path);
/* H5O_type_t of what the path leads to, or -1. */
int type_at(const char* path);

/* --- steps: each makes one random change and notes what it was --- */

void step_dataset(void);      /* lives_datasets.c */
void step_write(void);        /* of a dataset that is there */
void step_extent(void);
void step_attribute(void);    /* lives_attributes.c: made or written anew */
void step_attribute_away(void); /* deleted or renamed */
void step_many_attributes(void);
void step_comment(void);
void step_group(void); /* lives_groups.c */
void step_many_links(void);
void step_link(void);
void register_links(void); /* the class of user-defined ones */
void step_link_away(void); /* deleted, moved, copied */
void step_type(void);
void step_copy(void); /* lives_files.c */
void step_mount(void);
void step_through_link(void);
void make_kept(void);
void create_through(hid_t at, const char* path); /* a small dataset */
void choose_header(hid_t list);                  /* of a creation list of an object */

/* --- all that the file holds, as text (lives_list.c) --- */

void list_open_file(void);
/* Returns whether nothing was refused. */
int list_file(const char* name);

#endif
