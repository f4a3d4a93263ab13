/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of lives: groups, links and committed types. */

#include "lives.h"

/* --- what is there --- */

int is_there(const char* path) {
  const int found = strcmp(path, "/") == 0 || H5Lexists(file_, path, H5P_DEFAULT) > 0;
  H5Eclear2(H5E_DEFAULT);
  return found;
}

int type_at(const char* path) {
  H5O_info_t info;
  H5L_info_t link;
  int type = -1;
  memset(&info, 0, sizeof info);
  if (H5Oget_info_by_name(file_, path, &info, H5P_DEFAULT) >= 0)
    type = (int)info.type;
  else if (H5Lget_info(file_, path, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD)
    good(-1, path); /* other links may lead nowhere */
  H5Eclear2(H5E_DEFAULT);
  return type;
}

static void append(char* path, char letter, unsigned number) {
  const size_t length = strlen(path);
  sprintf(path + length, "%s%c%u", strcmp(path, "/") == 0 ? "" : "/", letter, number);
}

void choose_group(char* path) {
  strcpy(path, "/");
  for (int depth = 0; depth < 3 && !one_in(3); ++depth) {
    char next[kNameSize];
    strcpy(next, path);
    append(next, one_in(8) ? 'c' : 'g', below(3));
    if (is_there(next) && type_at(next) == H5O_TYPE_GROUP) strcpy(path, next);
  }
}

void choose_name(char* path, char letter, unsigned many) { append(path, letter, below(many)); }

int choose_object(char* path) {
  for (int tries = 0; tries < 12; ++tries) {
    const unsigned kind = below(8);
    choose_group(path);
    if (kind == 0) return 1;
    if (kind == 1) {
      sprintf(path, "/types/t%u", below(5));
    } else if (kind == 2) {
      sprintf(path, "/kept/k%u", below(kKept));
    } else {
      choose_name(path, kind < 7 ? 'd' : 'h', 6);
    }
    if (is_there(path) && type_at(path) >= 0) return 1;
  }
  return 0;
}

/* --- groups --- */

static hid_t group_list(void) {
  const hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  const unsigned style = below(7);
  static const char* const names[] = {"plain",       "plain", "tracked",        "indexed",
                                      "early-dense", "hints", "through-filters"};
  if (style == 2) H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED);
  if (style == 3) H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  if (style == 4) {
    H5Pset_link_phase_change(list, below(3), 0);
    H5Pset_link_creation_order(list, one_in(2) ? 0 : H5P_CRT_ORDER_TRACKED);
  }
  if (style == 5) {
    H5Pset_local_heap_size_hint(list, 64);
    H5Pset_est_link_info(list, 3 + below(9), 4 + below(8));
  }
  if (style == 6) {
    H5Pset_link_phase_change(list, below(3), 0);
    if (one_in(3)) H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    if (one_in(2)) H5Pset_fletcher32(list);
    H5Pset_deflate(list, 1 + below(9));
  }
  choose_header(list);
  note("group", names[style]);
  return list;
}

void step_group(void) {
  char path[kNameSize];
  const hid_t list = group_list();
  hid_t group;
  choose_group(path);
  choose_name(path, 'g', 3);
  note("at", path);
  if (!is_there(path)) {
    if (one_in(6)) {
      group = good(H5Gcreate_anon(file_, list, H5P_DEFAULT), "H5Gcreate_anon");
      good(H5Olink(group, file_, path, H5P_DEFAULT, H5P_DEFAULT), "H5Olink");
    } else {
      group = good(H5Gcreate2(file_, path, H5P_DEFAULT, list, H5P_DEFAULT), "H5Gcreate2");
    }
    H5Gclose(group);
  }
  H5Pclose(list);
}

void step_many_links(void) {
  char path[kNameSize], name[kNameSize];
  const int away = one_in(3);
  hid_t group;
  choose_group(path);
  note("at", path);
  group = good(H5Gopen2(file_, path, H5P_DEFAULT), "H5Gopen2");
  for (unsigned i = 0; i < 40; ++i) {
    sprintf(name, i % 9 == 4 ? "many links, and this one has a name of some length: %u" : "many%u",
            i);
    if (one_in(3)) continue;
    if (H5Lexists(group, name, H5P_DEFAULT) > 0) {
      if (away) good(H5Ldelete(group, name, H5P_DEFAULT), "H5Ldelete");
    } else if (!away) {
      if (one_in(2))
        good(H5Lcreate_soft("/somewhere/else", group, name, H5P_DEFAULT, H5P_DEFAULT),
             "H5Lcreate_soft");
      else
        good(H5Lcreate_hard(file_, "/kept/k0", group, name, H5P_DEFAULT, H5P_DEFAULT),
             "H5Lcreate_hard");
    }
  }
  H5Gclose(group);
  note("link", away ? "many-deleted" : "many-made");
}

/* --- links --- */

static hid_t follow(const char* name, hid_t group, const void* value, size_t size, hid_t list,
                    hid_t transfer) {
  (void)name, (void)size, (void)transfer;
  return H5Oopen(group, value, list);
}

void register_links(void) {
  static const H5L_class_t link_class = {H5L_LINK_CLASS_T_VERS,
                                         (H5L_type_t)kUserLink,
                                         "link of the lives",
                                         NULL,
                                         NULL,
                                         NULL,
                                         follow,
                                         NULL,
                                         NULL};
  good(H5Lregister(&link_class), "H5Lregister");
}

static void make_user_link(const char* path) {
  good(H5Lcreate_ud(file_, path, (H5L_type_t)kUserLink, "/kept", 6, H5P_DEFAULT, H5P_DEFAULT),
       "H5Lcreate_ud");
  note("link", "user");
}

void step_link(void) {
  char path[kNameSize], target[kNameSize];
  const unsigned kind = below(7);
  hid_t list = H5Pcreate(H5P_LINK_CREATE);
  choose_group(path);
  if (one_in(3)) H5Pset_char_encoding(list, H5T_CSET_UTF8);
  if (one_in(5)) {
    H5Pset_create_intermediate_group(list, 1);
    choose_name(path, 'g', 3);
  }
  choose_name(path, kind < 2 ? 'h' : 's', 6);
  note("at", path);
  if (!is_there(path) && choose_object(target)) {
    note("to", target);
    if (kind < 2) {
      /* a group in itself makes no file that all tools can list */
      if (type_at(target) == H5O_TYPE_GROUP) strcpy(target, "/kept/k3");
      if (allowed(H5Lcreate_hard(file_, target, file_, path, list, H5P_DEFAULT), "H5Lcreate_hard"))
        note("link", "hard");
    } else if (kind < 4) {
      if (allowed(H5Lcreate_soft(one_in(3) ? "d0" : target, file_, path, list, H5P_DEFAULT),
                  "H5Lcreate_soft"))
        note("link", "soft");
    } else if (kind < 6) {
      if (allowed(H5Lcreate_external("linked.h5", one_in(2) ? "/" : "/inside", file_, path, list,
                                     H5P_DEFAULT),
                  "H5Lcreate_external"))
        note("link", "external");
    } else if (type_at(path) < 0) {
      char group[kNameSize];
      choose_group(group);
      choose_name(group, 's', 6);
      if (!is_there(group)) make_user_link(group);
    }
  }
  H5Pclose(list);
}

/* libhdf5 moves a group into itself, where nothing leads to it any more. */
static int is_below(const char* path, const char* group) {
  const size_t length = strlen(group);
  return strncmp(path, group, length) == 0 && path[length] == '/';
}

void step_link_away(void) {
  static const char letters[] = "ddddggshtc";
  char path[kNameSize], to[kNameSize];
  for (int tries = 0; tries < 12; ++tries) {
    const char letter = letters[below(10)];
    choose_group(path);
    if (letter == 't') strcpy(path, "/types");
    choose_name(path, letter, 6);
    if (!is_there(path)) continue;
    choose_group(to);
    if (letter == 't') strcpy(to, "/types");
    choose_name(to, letter, 6);
    note("at", path);
    if (letter != 'g' && one_in(3) && !is_there(to) && !is_below(to, path)) {
      good(H5Lmove(file_, path, file_, to, H5P_DEFAULT, H5P_DEFAULT), "H5Lmove");
      note("link", "moved");
    } else if (letter != 'g' && letter != 'c' && one_in(4) && !is_there(to)) {
      good(H5Lcopy(file_, path, file_, to, H5P_DEFAULT, H5P_DEFAULT), "H5Lcopy");
      note("link", "copied");
    } else if (letter != 'g' || one_in(3)) {
      good(H5Ldelete(file_, path, H5P_DEFAULT), "H5Ldelete");
      note("link", "deleted");
    }
    return;
  }
}

/* --- committed types --- */

void step_type(void) {
  char path[kNameSize];
  hid_t type, list, copy;
  sprintf(path, "/types/t%u", below(5));
  note("at", path);
  if (is_there(path)) return;
  type = make_type(kAnyType);
  copy = H5Tcopy(type); /* a committed one can't be committed once more */
  list = H5Pcreate(H5P_DATATYPE_CREATE);
  choose_header(list);
  if (one_in(4)) {
    if (allowed(H5Tcommit_anon(file_, copy, list, H5P_DEFAULT), "H5Tcommit_anon"))
      good(H5Olink(copy, file_, path, H5P_DEFAULT, H5P_DEFAULT), "H5Olink");
  } else {
    allowed(H5Tcommit2(file_, path, copy, H5P_DEFAULT, list, H5P_DEFAULT), "H5Tcommit2");
  }
  note("type", "committed");
  H5Pclose(list);
  H5Tclose(copy);
  H5Tclose(type);
}

/* What references may lead to: it stays for the whole life. */
void make_kept(void) {
  const hsize_t three = 3;
  const hid_t kept =
      good(H5Gcreate2(file_, "/kept", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "kept");
  const hid_t group = H5Gcreate2(kept, "k0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Tcopy(H5T_STD_I32LE), space = H5Screate_simple(1, &three, NULL);
  const hid_t one =
      H5Dcreate2(kept, "k1", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t two =
      H5Dcreate2(kept, "k3", H5T_IEEE_F64BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  good(H5Tcommit2(kept, "k2", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Tcommit2");
  H5Gclose(good(H5Gcreate2(file_, "/types", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "types"));
  H5Dclose(good(one, "k1"));
  H5Dclose(good(two, "k3"));
  H5Sclose(space);
  H5Tclose(type);
  H5Gclose(good(group, "k0"));
  H5Gclose(kept);
}
