/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Oracle: which codes the outermost entry of the error stack has where a call fails. Compiled against libhdf5
 * and libpcio; the outputs must be equal. Programs decide by these codes what went wrong.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

static hid_t file, d, c, g, s;
static hsize_t dims[2] = {4, 6}, longer[2] = {8, 6};

static const char *name_of(hid_t code) {
  const struct {
    hid_t code;
    const char *name;
  } names[] = {
      {H5E_ATOM, "ATOM"},
      {H5E_ATTR, "ATTR"},
      {H5E_BADATOM, "BADATOM"},
      {H5E_BADITER, "BADITER"},
      {H5E_CANTCOPY, "CANTCOPY"},
      {H5E_CANTCREATE, "CANTCREATE"},
      {H5E_CANTDECODE, "CANTDECODE"},
      {H5E_CANTDELETE, "CANTDELETE"},
      {H5E_CANTFLUSH, "CANTFLUSH"},
      {H5E_CANTGET, "CANTGET"},
      {H5E_CANTINIT, "CANTINIT"},
      {H5E_CANTINSERT, "CANTINSERT"},
      {H5E_CANTMOVE, "CANTMOVE"},
      {H5E_CANTOPENFILE, "CANTOPENFILE"},
      {H5E_CANTOPENOBJ, "CANTOPENOBJ"},
      {H5E_CANTREGISTER, "CANTREGISTER"},
      {H5E_CANTRENAME, "CANTRENAME"},
      {H5E_CANTSET, "CANTSET"},
      {H5E_DATASET, "DATASET"},
      {H5E_DATATYPE, "DATATYPE"},
      {H5E_FILE, "FILE"},
      {H5E_LINK, "LINK"},
      {H5E_LINKCOUNT, "LINKCOUNT"},
      {H5E_MOUNT, "MOUNT"},
      {H5E_NOTFOUND, "NOTFOUND"},
      {H5E_NOTHDF5, "NOTHDF5"},
      {H5E_NOTREGISTERED, "NOTREGISTERED"},
      {H5E_OHDR, "OHDR"},
      {H5E_PLINE, "PLINE"},
      {H5E_PLIST, "PLIST"},
      {H5E_READERROR, "READERROR"},
      {H5E_REFERENCE, "REFERENCE"},
      {H5E_SYM, "SYM"},
      {H5E_SYSTEM, "SYSTEM"},
      {H5E_UNSUPPORTED, "UNSUPPORTED"},
      {H5E_WRITEERROR, "WRITEERROR"},
  };
  size_t i;
  for (i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (names[i].code == code) return names[i].name;
  return "another";
}

static herr_t note(unsigned n, const H5E_error2_t *e, void *data) {
  (void)data;
  if (n == 0) printf("%s: %s %s\n", e->func_name, name_of(e->maj_num), name_of(e->min_num));
  return 0;
}

static void told(const char *call, long long result) {
  printf("%s %s\n", call, result < 0 ? "fails" : "SUCCEEDS");
  if (result < 0) H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note, NULL);
}
#define FAILS(call) told(#call, (long long)(call))

static void make(const char *name, unsigned flags) {
  const hsize_t most[2] = {H5S_UNLIMITED, 6}, chunk[2] = {2, 3};
  hid_t p = H5Pcreate(H5P_DATASET_CREATE), a, rows = H5Screate_simple(2, dims, most);
  s = H5Screate_simple(2, dims, NULL);
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Pset_chunk(p, 2, chunk);
  d = H5Dcreate2(file, "d", H5T_NATIVE_INT, rows, H5P_DEFAULT, p, H5P_DEFAULT);
  a = H5Acreate2(d, "a", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT);
  H5Aclose(a);
  H5Dclose(d);
  H5Dclose(H5Dcreate2(file, "c", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Lcreate_soft("/nowhere", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("no-such-file.h5", "/x", file, "ext", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  file = H5Fopen(name, flags, H5P_DEFAULT);
  g = H5Gopen2(file, "g", H5P_DEFAULT);
  d = H5Dopen2(file, "d", H5P_DEFAULT);
  c = H5Dopen2(file, "c", H5P_DEFAULT);
  H5Pclose(p), H5Sclose(rows);
}

static void end(const char *name) {
  H5Dclose(d), H5Dclose(c), H5Gclose(g), H5Sclose(s), H5Fclose(file);
  remove(name);
}

static void read_only_data(void) {
  int v[24] = {0};
  FAILS(H5Gcreate2(file, "n", 0, 0, 0));
  FAILS(H5Gcreate1(file, "n", 0));
  FAILS(H5Gcreate_anon(file, 0, 0));
  FAILS(H5Dcreate2(file, "n", H5T_NATIVE_INT, s, 0, 0, 0));
  FAILS(H5Dcreate1(file, "n", H5T_NATIVE_INT, s, 0));
  FAILS(H5Dcreate_anon(file, H5T_NATIVE_INT, s, 0, 0));
  FAILS(H5Dwrite(d, H5T_NATIVE_INT, 0, 0, 0, v));
  FAILS(H5Dwrite(c, H5T_NATIVE_INT, 0, 0, 0, v));
  FAILS(H5Dset_extent(d, dims));
  FAILS(H5Dset_extent(d, longer));
  FAILS(H5Dextend(d, longer));
  FAILS(H5Adelete(d, "a"));
  FAILS(H5Adelete_by_name(file, "d", "a", 0));
  FAILS(H5Adelete_by_idx(file, "d", H5_INDEX_NAME, H5_ITER_INC, 0, 0));
  FAILS(H5Arename(d, "a", "b"));
  FAILS(H5Arename_by_name(file, "d", "a", "b", 0));
  FAILS(H5Fstart_swmr_write(file));
}

static void read_only_links(void) {
  FAILS(H5Lcreate_soft("x", file, "n", 0, 0));
  FAILS(H5Lcreate_hard(file, "g", file, "n", 0, 0));
  FAILS(H5Lcreate_external("x", "y", file, "n", 0, 0));
  FAILS(H5Lcreate_ud(file, "n", 70, "x", 1, 0, 0));
  FAILS(H5Ldelete(file, "g", 0));
  FAILS(H5Ldelete_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, 0));
  FAILS(H5Lmove(file, "g", file, "n", 0, 0));
  FAILS(H5Lcopy(file, "g", file, "n", 0, 0));
  FAILS(H5Glink(file, H5G_LINK_SOFT, "a", "n"));
  FAILS(H5Glink2(file, "g", H5G_LINK_HARD, file, "n"));
  FAILS(H5Gunlink(file, "g"));
  FAILS(H5Gmove(file, "g", "n"));
  FAILS(H5Gmove2(file, "g", file, "n"));
  FAILS(H5Gset_comment(file, "g", "x"));
  FAILS(H5Olink(g, file, "n", 0, 0));
  FAILS(H5Ocopy(file, "g", file, "n", 0, 0));
  FAILS(H5Ocopy(file, "none", file, "n", 0, 0));
  FAILS(H5Oset_comment(g, "x"));
  FAILS(H5Oset_comment_by_name(file, "g", "x", 0));
  FAILS(H5Oincr_refcount(g));
  FAILS(H5Odecr_refcount(g));
}

static herr_t it1(hid_t a, const char *b, void *x) { return (void)a, (void)b, (void)x, -1; }
static herr_t it2(hid_t a, const char *b, const H5L_info_t *i, void *x) {
  return (void)a, (void)b, (void)i, (void)x, -1;
}
static herr_t it3(hid_t a, const char *b, const H5A_info_t *i, void *x) {
  return (void)a, (void)b, (void)i, (void)x, -1;
}
static herr_t it4(hid_t a, const char *b, const H5O_info_t *i, void *x) {
  return (void)a, (void)b, (void)i, (void)x, -1;
}

static void opening(void) {
  H5O_info_t oi;
  char b[64];
  FAILS(H5Gopen2(file, "none", 0));
  FAILS(H5Gopen2(file, "d", 0));
  FAILS(H5Gopen2(file, "soft", 0));
  FAILS(H5Gopen2(file, "ext", 0));
  FAILS(H5Gopen2(file, "none/x", 0));
  FAILS(H5Gopen2(file, "d/x", 0));
  FAILS(H5Gopen1(file, "none"));
  FAILS(H5Dopen2(file, "none", 0));
  FAILS(H5Dopen2(file, "g", 0));
  FAILS(H5Dopen2(file, "soft", 0));
  FAILS(H5Dopen2(file, "ext", 0));
  FAILS(H5Dopen1(file, "none"));
  FAILS(H5Topen2(file, "none", 0));
  FAILS(H5Topen2(file, "g", 0));
  FAILS(H5Topen1(file, "none"));
  FAILS(H5Oopen(file, "none", 0));
  FAILS(H5Oopen(file, "soft", 0));
  FAILS(H5Oopen(file, "ext", 0));
  FAILS(H5Oopen(file, "g/none/x", 0));
  FAILS(H5Oopen_by_idx(file, "none", H5_INDEX_NAME, H5_ITER_INC, 0, 0));
  FAILS(H5Oopen_by_addr(file, 0));
  FAILS(H5Oopen_by_addr(file, 99999999));
  FAILS(H5Oexists_by_name(file, "none/none", 0));
  FAILS(H5Lexists(file, "none/none", 0));
  FAILS(H5Lexists(file, "ext/x", 0));
  FAILS(H5Lexists(file, "d/x", 0));
  FAILS(H5Oget_info_by_name1(file, "none", &oi, 0));
  FAILS(H5Oget_info_by_name2(file, "none", &oi, 1, 0));
  FAILS(H5Oget_info_by_idx2(file, "none", H5_INDEX_NAME, H5_ITER_INC, 0, &oi, 1, 0));
  FAILS(H5Oget_comment_by_name(file, "none", b, 9, 0));
  FAILS(H5Oset_comment_by_name(file, "none", "x", 0));
}

static void links(void) {
  H5L_info_t li;
  char b[64];
  FAILS(H5Lget_info(file, "none", &li, 0));
  FAILS(H5Lget_val(file, "none", b, 9, 0));
  FAILS(H5Lget_val(file, "g", b, 9, 0));
  FAILS(H5Lget_name_by_idx(file, "none", H5_INDEX_NAME, H5_ITER_INC, 0, b, 9, 0));
  FAILS(H5Lget_name_by_idx(file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, 0, b, 9, 0));
  FAILS(H5Ldelete(file, "none", 0));
  FAILS(H5Ldelete(file, "none/x", 0));
  FAILS(H5Ldelete(file, "/", 0));
  FAILS(H5Ldelete(file, ".", 0));
  FAILS(H5Lmove(file, "none", file, "n", 0, 0));
  FAILS(H5Lmove(file, "g", file, "d", 0, 0));
  FAILS(H5Lcopy(file, "none", file, "n", 0, 0));
  FAILS(H5Lcopy(file, "g", file, "d", 0, 0));
  FAILS(H5Lmove(file, "g", file, "none/n", 0, 0));
  FAILS(H5Lcreate_soft("x", file, "d", 0, 0));
  FAILS(H5Lcreate_soft("x", file, "none/n", 0, 0));
  FAILS(H5Lcreate_hard(file, "none", file, "n", 0, 0));
  FAILS(H5Lcreate_hard(file, "g", file, "d", 0, 0));
  FAILS(H5Lcreate_external("x", "y", file, "d", 0, 0));
  FAILS(H5Lcreate_ud(file, "n", 70, "x", 1, 0, 0));
  FAILS(H5Olink(g, file, "d", 0, 0));
  FAILS(H5Literate_by_name(file, "none", H5_INDEX_NAME, H5_ITER_INC, NULL, it2, 0, 0));
  FAILS(H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, it2, 0));
  FAILS(H5Lvisit_by_name(file, "none", H5_INDEX_NAME, H5_ITER_INC, it2, 0, 0));
}

static void groups(void) {
  H5G_info_t gi;
  H5G_stat_t st;
  char b[64];
  FAILS(H5Gcreate2(file, "d", 0, 0, 0));
  FAILS(H5Gcreate2(file, "none/n", 0, 0, 0));
  FAILS(H5Gcreate1(file, "d", 0));
  FAILS(H5Dcreate2(file, "d", H5T_NATIVE_INT, s, 0, 0, 0));
  FAILS(H5Dcreate2(file, "none/n", H5T_NATIVE_INT, s, 0, 0, 0));
  FAILS(H5Gget_info_by_name(file, "none", &gi, 0));
  FAILS(H5Gget_objinfo(file, "none", 1, &st));
  FAILS(H5Gget_linkval(file, "none", 9, b));
  FAILS(H5Gget_linkval(file, "g", 9, b));
  FAILS(H5Gget_comment(file, "none", 9, b));
  FAILS(H5Gset_comment(file, "none", "x"));
  FAILS(H5Gunlink(file, "none"));
  FAILS(H5Gmove(file, "none", "n"));
  FAILS(H5Glink(file, H5G_LINK_HARD, "none", "n"));
  FAILS(H5Giterate(file, "none", NULL, it1, 0));
  FAILS(H5Funmount(file, "g"));
  FAILS(H5Funmount(file, "none"));
}

static void attributes(void) {
  H5A_info_t ai;
  FAILS(H5Aopen(d, "none", 0));
  FAILS(H5Aopen_name(d, "none"));
  FAILS(H5Aopen_by_name(file, "none", "a", 0, 0));
  FAILS(H5Aopen_by_name(file, "d", "none", 0, 0));
  FAILS(H5Aopen_by_idx(file, "none", H5_INDEX_NAME, H5_ITER_INC, 0, 0, 0));
  FAILS(H5Aexists_by_name(file, "none", "a", 0));
  FAILS(H5Adelete(d, "none"));
  FAILS(H5Adelete_by_name(file, "d", "none", 0));
  FAILS(H5Adelete_by_name(file, "none", "a", 0));
  FAILS(H5Arename(d, "none", "x"));
  FAILS(H5Arename_by_name(file, "d", "none", "x", 0));
  FAILS(H5Aget_info_by_name(file, "d", "none", &ai, 0));
  FAILS(H5Aiterate_by_name(file, "none", H5_INDEX_NAME, H5_ITER_INC, NULL, it3, 0, 0));
  FAILS(H5Acreate2(d, "a", H5T_NATIVE_INT, s, 0, 0));
  FAILS(H5Acreate_by_name(file, "none", "n", H5T_NATIVE_INT, s, 0, 0, 0));
  FAILS(H5Acreate1(d, "a", H5T_NATIVE_INT, s, 0));
}

static void copies(void) {
  FAILS(H5Ovisit_by_name1(file, "none", H5_INDEX_NAME, H5_ITER_INC, it4, 0, 0));
  FAILS(H5Ocopy(file, "none", file, "n", 0, 0));
  FAILS(H5Ocopy(file, "g", file, "d", 0, 0));
  FAILS(H5Ocopy(file, "g", file, "none/n", 0, 0));
  FAILS(H5Oflush(-1));
}

static void files(void) {
  hid_t other;
  FILE *junk = fopen("failures-junk.h5", "w");
  fputs("this is no file of that kind, but a text that is long enough to be looked at\n", junk);
  fclose(junk);
  FAILS(H5Fopen("no-such.h5", H5F_ACC_RDONLY, 0));
  FAILS(H5Fopen("failures-junk.h5", H5F_ACC_RDONLY, 0));
  FAILS(H5Fopen(".", H5F_ACC_RDONLY, 0));
  FAILS(H5Fcreate("no-such-dir/x.h5", H5F_ACC_TRUNC, 0, 0));
  FAILS(H5Fcreate("failures-junk.h5", H5F_ACC_EXCL, 0, 0));
  FAILS(H5Fcreate(".", H5F_ACC_TRUNC, 0, 0));
  remove("failures-junk.h5");
  other = H5Fcreate("failures-open.h5", H5F_ACC_TRUNC, 0, 0);
  FAILS(H5Fcreate("failures-open.h5", H5F_ACC_TRUNC, 0, 0));
  H5Fclose(other);
  remove("failures-open.h5");
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  make("failures-ro.h5", H5F_ACC_RDONLY);
  read_only_data(), read_only_links();
  end("failures-ro.h5");
  make("failures-rw.h5", H5F_ACC_RDWR);
  opening(), links(), groups(), attributes(), copies();
  end("failures-rw.h5");
  files();
  /* After some of these failures libhdf5 1.10.8 crashes at exit. */
  fflush(stdout);
  _Exit(0);
}
