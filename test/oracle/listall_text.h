/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of listall.c: lines of text, and what a library refused. */

#ifndef PCIO_TEST_ORACLE_LISTALL_TEXT_H
#define PCIO_TEST_ORACLE_LISTALL_TEXT_H

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  kMaxTypeDepth = 24, /* nesting of compound, array, enum and sequence types */
  kMaxPathDepth = 64, /* nesting of groups */
  kMaxNames = 200000, /* links of one group, attributes of one object, objects of a file */
  kMaxText = 1 << 20, /* characters of one line */
  kCorner = 4         /* elements per dimension that are read of a dataset over the limit */
};

static size_t limit_bytes = (size_t)64 << 20;
static unsigned long refusals = 0;

/* ---- text ---------------------------------------------------------------------------------- */

typedef struct {
  char* data;
  size_t size, capacity;
} Text;

static void text_put(Text* text, const char* piece) {
  const size_t length = strlen(piece);
  if (text->size + length > kMaxText) return;
  if (text->size + length + 1 > text->capacity) {
    text->capacity = 2 * (text->size + length) + 64;
    text->data = (char*)realloc(text->data, text->capacity);
    if (text->data == NULL) exit(4);
  }
  memcpy(text->data + text->size, piece, length + 1);
  text->size += length;
}

static void text_number(Text* text, const char* before, long long value) {
  char digits[40];
  snprintf(digits, sizeof digits, "%s%lld", before, value);
  text_put(text, digits);
}

/* Names come from the file: everything but plain printable ASCII is written as \xNN. */
static void text_quoted(Text* text, const char* name, size_t length) {
  text_put(text, "\"");
  for (size_t i = 0; i < length; ++i) {
    const unsigned char c = (unsigned char)name[i];
    char piece[8];
    if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
      snprintf(piece, sizeof piece, "\\x%02x", (unsigned)c);
    else
      snprintf(piece, sizeof piece, "%c", c);
    text_put(text, piece);
  }
  text_put(text, "\"");
}

static void text_print(const char* label, Text* text) {
  printf("%s%s\n", label, text->data != NULL ? text->data : "");
  free(text->data);
  memset(text, 0, sizeof *text);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static herr_t innermost_message(unsigned n, const H5E_error2_t* error, void* out) {
  if (n == 0 && error->desc != NULL) snprintf((char*)out, 400, "%s", error->desc);
  return 0;
}

/* One line for what could not be done; the innermost message of the stack is the reason. */
static void refused(const char* call, const char* name) {
  char reason[400] = "";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost_message, reason);
  Text text = {NULL, 0, 0};
  text_put(&text, call);
  if (name != NULL) {
    text_put(&text, " ");
    text_quoted(&text, name, strlen(name));
  }
  text_put(&text, ": ");
  text_put(&text, reason[0] != '\0' ? reason : "no reason given");
  for (char* c = text.data; *c != '\0'; ++c)
    if (*c == '\n') *c = ' ';
  text_print("  refused: ", &text);
  H5Eclear2(H5E_DEFAULT);
  ++refusals;
}

#endif
