/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Oracle: prints error stacks of a made-up application in every way there is. Compiled against
 * libhdf5 and libpcio; the outputs must be equal. Errors of the library itself are only counted.
 */
#include <hdf5.h>
#include <stdio.h>

#define SHOW(call) printf("%s -> %lld\n", #call, (long long)(call))

static hid_t cls, other, major_code, minor_code;

static void fill(hid_t stack) {
  H5Epush2(stack, "heat.c", "inner", 12, cls, major_code, minor_code, "step %d of %s", 7, "run");
  H5Epush2(stack, "heat.c", "middle", 34, other, major_code, minor_code, "no arguments");
  H5Epush2(stack, "main.c", "outer", 56, H5E_ERR_CLS, major_code, minor_code, "%g", 2.5);
}

static herr_t note2(unsigned n, const H5E_error2_t *e, void *data) {
  printf("  %u: %s %s %u %s class %d major %d minor %d\n", n, e->file_name, e->func_name, e->line,
         e->desc, e->cls_id == cls, e->maj_num == major_code, e->min_num == minor_code);
  return *(int *)data;
}

static herr_t note1(int n, H5E_error1_t *e, void *data) {
  printf("  %d: %s %s %u %s major %d\n", n, e->file_name, e->func_name, e->line, e->desc,
         e->maj_num == major_code);
  return *(int *)data;
}

static herr_t report2(hid_t stack, void *data) {
  printf("reported: default %d number > 0 %d\n", stack == H5E_DEFAULT, H5Eget_num(stack) > 0);
  ++*(int *)data;
  return 0;
}

static herr_t report1(void *data) {
  ++*(int *)data;
  return 0;
}

static void printing(void) {
  SHOW(H5Eprint2(H5E_DEFAULT, stdout));
  fill(H5E_DEFAULT);
  SHOW(H5Eprint2(H5E_DEFAULT, stdout));
  SHOW(H5Eprint1(stdout));
}

static void walking(void) {
  int answers[2] = {0, 5}, i;
  for (i = 0; i < 2; ++i) {
    SHOW(H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note2, &answers[i]));
    SHOW(H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note2, &answers[i]));
    SHOW(H5Ewalk1(H5E_WALK_UPWARD, note1, &answers[i]));
  }
}

static void stacks(void) {
  hid_t stack = H5Eget_current_stack(), mine = H5Ecreate_stack();
  SHOW(H5Eget_num(H5E_DEFAULT));
  SHOW(H5Eget_num(stack));
  SHOW(H5Epop(stack, 1));
  SHOW(H5Eprint2(stack, stdout));
  fill(mine);
  SHOW(H5Eget_num(mine));
  SHOW(H5Eset_current_stack(stack));
  SHOW(H5Eget_num(H5E_DEFAULT));
  SHOW(H5Eclose_stack(stack));
  SHOW(H5Eclear2(mine));
  SHOW(H5Eget_num(mine));
  SHOW(H5Eclose_stack(mine));
  SHOW(H5Epop(H5E_DEFAULT, 100));
  SHOW(H5Eclear1());
  SHOW(H5Eget_num(H5E_DEFAULT));
}

static void reports(void) {
  H5E_auto2_t f2 = NULL;
  H5E_auto1_t f1 = NULL;
  void *data = NULL;
  unsigned v2 = 9;
  int count = 0;
  SHOW(H5Eauto_is_v2(H5E_DEFAULT, &v2)), printf("%u\n", v2);
  SHOW(H5Eset_auto2(H5E_DEFAULT, report2, &count));
  SHOW(H5Pclose(12345)), printf("%d\n", count);
  SHOW(H5Eget_auto2(H5E_DEFAULT, &f2, &data)), printf("%d %d\n", f2 == report2, data == &count);
  SHOW(H5Eget_auto1(&f1, &data));
  SHOW(H5Eset_auto1(report1, &count));
  SHOW(H5Eauto_is_v2(H5E_DEFAULT, &v2)), printf("%u\n", v2);
  SHOW(H5Pclose(12345)), printf("%d\n", count);
  SHOW(H5Eget_auto1(&f1, &data)), printf("%d %d\n", f1 == report1, data == &count);
  SHOW(H5Eget_auto2(H5E_DEFAULT, &f2, &data));
  H5E_BEGIN_TRY { H5Pclose(12345); }
  H5E_END_TRY
  printf("%d\n", count);
  SHOW(H5Pclose(12345)), printf("%d\n", count);
  SHOW(H5Eset_auto1(NULL, NULL));
}

static void messages(void) {
  char text[20] = "zzz";
  H5E_type_t type = H5E_MAJOR;
  SHOW(H5Eget_msg(minor_code, &type, text, sizeof text)), printf("%s %d\n", text, (int)type);
  SHOW(H5Eget_msg(minor_code, NULL, text, 4)), printf("%s\n", text);
  SHOW(H5Eget_msg(minor_code, NULL, NULL, 0));
  SHOW(H5Eget_class_name(cls, text, sizeof text)), printf("%s\n", text);
  SHOW(H5Eget_class_name(cls, text, 3)), printf("%s\n", text);
  SHOW(H5Eget_class_name(H5E_ERR_CLS, text, sizeof text)), printf("%s\n", text);
  SHOW(H5Eclose_msg(major_code)), SHOW(H5Eclose_msg(major_code));
  SHOW(H5Eunregister_class(cls)), SHOW(H5Eunregister_class(cls));
  SHOW(H5Eget_msg(minor_code, NULL, NULL, 0));
}

static herr_t report_of_stack(hid_t stack, void *data) {
  printf("report of a stack of its own: %s\n", (char *)data);
  (void)stack;
  return 0;
}

/* What a class's end leaves of entries, more entries than a stack takes, and arguments that are none. */
static void edges(void) {
  hid_t c = H5Eregister_class("Short", "libshort", "1"), major, minor, stack;
  unsigned i, v2 = 9;
  char text[8] = "";
  H5E_type_t type = H5E_MINOR;
  H5E_auto2_t f2 = NULL;
  void *data = NULL;
  static char note[] = "note";
  major = H5Ecreate_msg(c, H5E_MAJOR, "short major"),
  minor = H5Ecreate_msg(c, H5E_MINOR, "short minor");
  SHOW(H5Eget_msg(major, &type, text, 0)), printf("%d\n", (int)type);
  SHOW(H5Eregister_class(NULL, "a", "b")), SHOW(H5Eregister_class("a", NULL, "b"));
  SHOW(H5Eregister_class("a", "b", NULL)), SHOW(H5Ecreate_msg(c, H5E_MAJOR, NULL));
  SHOW(H5Ecreate_msg(-1, H5E_MAJOR, "x")), SHOW(H5Ecreate_msg(c, (H5E_type_t)5, "x"));
  SHOW(H5Ecreate_msg(major, H5E_MAJOR, "x")), SHOW(H5Eclose_msg(c)),
      SHOW(H5Eunregister_class(major));
  SHOW(H5Eget_class_name(major, text, 8)), SHOW(H5Eget_msg(c, NULL, text, 8));
  SHOW(H5Eclose_stack(c)), SHOW(H5Eclose_stack(-1)), SHOW(H5Eget_num(c)), SHOW(H5Eget_num(-1));
  SHOW(H5Epop(-1, 1)), SHOW(H5Eclear2(c)), SHOW(H5Eset_current_stack(c));
  SHOW(H5Eprint2(c, stdout)), SHOW(H5Ewalk2(-1, H5E_WALK_UPWARD, note2, NULL));
  SHOW(H5Eset_auto2(c, NULL, NULL)), SHOW(H5Eget_auto2(-1, NULL, NULL)),
      SHOW(H5Eauto_is_v2(c, &v2));
  SHOW(H5Eclear2(H5E_DEFAULT));
  SHOW(H5Epush2(H5E_DEFAULT, "f", "g", 1, c, minor, minor, "major is a minor"));
  SHOW(H5Epush2(H5E_DEFAULT, "f", "g", 1, c, major, major, "minor is a major"));
  SHOW(H5Epush2(H5E_DEFAULT, NULL, NULL, 1, c, major, minor, "no names"));
  SHOW(H5Epush1("old.c", "old", 3, major, minor, "the older form"));
  SHOW(H5Eget_num(H5E_DEFAULT)), SHOW(H5Eprint2(H5E_DEFAULT, stdout)), SHOW(H5Eprint1(stdout));
  stack = H5Eget_current_stack();
  SHOW(H5Eget_num(H5E_DEFAULT)), SHOW(H5Eget_num(stack));
  SHOW(H5Eset_auto2(stack, report_of_stack, note));
  SHOW(H5Eget_auto2(stack, &f2, &data)), printf("%d %d\n", f2 == report_of_stack, data == note);
  SHOW(H5Eauto_is_v2(stack, &v2)), printf("%u\n", v2);
  H5Pclose(12345);
  SHOW(H5Epop(stack, 0)), SHOW(H5Eget_num(stack)), SHOW(H5Epop(stack, 1)), SHOW(H5Epop(stack, 1));
  SHOW(H5Eget_num(stack)), SHOW(H5Iinc_ref(stack)), SHOW(H5Eclose_stack(stack));
  SHOW(H5Eget_num(stack)), SHOW(H5Eclose_stack(stack)), SHOW(H5Eget_num(stack));
  H5Eclear2(H5E_DEFAULT);
  for (i = 0; i < 40; ++i)
    H5Epush2(H5E_DEFAULT, "many.c", "many", i, c, major, minor, "entry %u", i);
  SHOW(H5Eget_num(H5E_DEFAULT)), SHOW(H5Eprint2(H5E_DEFAULT, stdout));
  SHOW(H5Epop(H5E_DEFAULT, 30)), SHOW(H5Eprint2(H5E_DEFAULT, stdout));
  H5Eclear2(H5E_DEFAULT);
  SHOW(H5Eclose_msg(major)), SHOW(H5Eclose_msg(minor)), SHOW(H5Eunregister_class(c));
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  cls = H5Eregister_class("Heat", "libheat", "2.5");
  other = H5Eregister_class("Cold", "libcold", "0.1");
  major_code = H5Ecreate_msg(cls, H5E_MAJOR, "solver");
  minor_code = H5Ecreate_msg(cls, H5E_MINOR, "did not converge");
  printing();
  walking();
  stacks();
  reports();
  edges();
  messages();
  return 0;
}
