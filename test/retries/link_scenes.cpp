// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Scenes of links, groups and other objects. Room: test, public headers only.

#include <cstdio>

#include "retries/scenes.hpp"

namespace retries {

namespace {

struct Name {
  char text[64];
  explicit Name(int n) { std::snprintf(text, sizeof text, "l%03d, a name that is long", n); }
};

struct Start {
  Format format;
  bool ordered;
  const char* name;
};
constexpr Start kStarts[] = {
    {Format::kOld, false, "old"}, {Format::kNew, false, "new"}, {Format::kNew, true, "numbered"}};

void close_group(hid_t group) { H5Gclose(must(group, "H5Gcreate2")); }

/// A group with groups in it, of which there were more; each of them has a child.
void make_group(World& w, const Start& start, int links, int before) {
  make_file(w, start.format);
  const hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  if (start.ordered)
    H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  w.place = must(H5Gcreate2(w.file, "g", H5P_DEFAULT, list, H5P_DEFAULT), "H5Gcreate2");
  w.object = must(H5Gopen2(w.file, "/", H5P_DEFAULT), "H5Gopen2");
  for (int n = 0; n < before; ++n) {
    const hid_t group = H5Gcreate2(w.place, Name(n).text, H5P_DEFAULT, list, H5P_DEFAULT);
    if (n == 1) close_group(H5Gcreate2(group, "child", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    close_group(group);
  }
  H5Pclose(list);
  for (int n = before; n > links; --n) H5Ldelete(w.place, Name(n - 1).text, H5P_DEFAULT);
  must(H5Fflush(w.file, H5F_SCOPE_GLOBAL), "H5Fflush");
}

using Prepare = std::function<void(World&)>;
using Act = std::function<herr_t(World&)>;
Prepare with(const Start& start, int links, int before = 0) {
  return [=](World& w) { make_group(w, start, links, before > 0 ? before : links); };
}
/// The group of number 1 and what is below it are open.
Prepare with_open_child(const Start& start, int links) {
  return [=](World& w) {
    make_group(w, start, links, links);
    w.made = must(H5Gopen2(w.place, Name(1).text, H5P_DEFAULT), "H5Gopen2");
    w.opened = must(H5Gopen2(w.made, "child", H5P_DEFAULT), "H5Gopen2");
  };
}
/// An object that has no name yet.
Prepare with_nameless(const Start& start) {
  return [=](World& w) {
    make_group(w, start, 3, 3);
    w.opened = must(H5Gcreate_anon(w.file, H5P_DEFAULT, H5P_DEFAULT), "H5Gcreate_anon");
  };
}
Prepare with_type(const Start& start) {
  return [=](World& w) {
    make_group(w, start, 3, 3);
    w.type = H5Tcopy(H5T_NATIVE_INT);
  };
}

hid_t lists(bool utf8, bool missing) {
  static const hid_t all[] = {H5Pcreate(H5P_LINK_CREATE), H5Pcreate(H5P_LINK_CREATE)};
  if (utf8) H5Pset_char_encoding(all[0], H5T_CSET_UTF8);
  if (missing) H5Pset_create_intermediate_group(all[1], 1);
  return all[missing ? 1 : 0];
}

herr_t make_one(World& w) {
  w.made = H5Gcreate2(w.place, Name(50).text, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return w.made < 0 ? -1 : 0;
}
herr_t make_missing(World& w) {
  w.made = H5Gcreate2(w.place, "a missing group/another missing group/made", lists(false, true),
                      H5P_DEFAULT, H5P_DEFAULT);
  return w.made < 0 ? -1 : 0;
}
herr_t make_nameless(World& w) {
  w.made = H5Gcreate_anon(w.file, H5P_DEFAULT, H5P_DEFAULT);
  return w.made < 0 ? -1 : 0;
}
Act drop(int n) {
  return [=](World& w) { return H5Ldelete(w.place, Name(n).text, H5P_DEFAULT); };
}
herr_t move_out(World& w) {
  return H5Lmove(w.place, Name(1).text, w.object, "moved here", H5P_DEFAULT, H5P_DEFAULT);
}
herr_t move_inside(World& w) {
  return H5Lmove(w.place, Name(1).text, H5L_SAME_LOC, "called otherwise", H5P_DEFAULT, H5P_DEFAULT);
}
herr_t copy_link(World& w) {
  return H5Lcopy(w.place, Name(1).text, w.object, "also here", H5P_DEFAULT, H5P_DEFAULT);
}
herr_t link_softly(World& w) {
  return H5Lcreate_soft("/somewhere/else, as a long path", w.place, Name(51).text, H5P_DEFAULT,
                        H5P_DEFAULT);
}
herr_t link_in_utf8(World& w) {
  return H5Lcreate_soft("/somewhere/else, as a long path", w.place, Name(52).text,
                        lists(true, false), H5P_DEFAULT);
}
herr_t link_outside(World& w) {
  return H5Lcreate_external("another file with a long name.h5", "/an object in it", w.place,
                            Name(53).text, H5P_DEFAULT, H5P_DEFAULT);
}
herr_t link_again(World& w) {
  return H5Lcreate_hard(w.place, Name(1).text, w.object, "a second name", H5P_DEFAULT, H5P_DEFAULT);
}
herr_t name_nameless(World& w) {
  return H5Olink(w.opened, w.place, "a name after all", H5P_DEFAULT, H5P_DEFAULT);
}
herr_t commit_type(World& w) {
  return H5Tcommit2(w.place, "a type", w.type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}
herr_t copy_all(World& w) {
  return H5Ocopy(w.file, "g", w.object, "a copy of g", H5P_DEFAULT, H5P_DEFAULT);
}
herr_t comment(World& w) { return H5Oset_comment(w.place, "a comment that is long"); }
herr_t count_up(World& w) { return H5Oincr_refcount(w.place); }

}  // namespace

std::vector<Scene> link_scenes() {
  std::vector<Scene> all;
  lists(true, false), lists(false, true);
  for (const Start& start : kStarts) {
    const auto add = [&](const char* name, Prepare prepare, Act act) {
      all.push_back(
          {std::string(start.name) + ": " + name, false, std::move(prepare), std::move(act)});
    };
    add("the first group", with(start, 0), make_one);
    add("the 9th group", with(start, 8), make_one);
    add("the 30th group", with(start, 29), make_one);
    add("delete a link of few", with(start, 3), drop(1));
    add("delete the last link", with(start, 1), drop(0));
    add("delete a link of many", with(start, 30), drop(4));
    add("delete the 6th link", with(start, 6, 9), drop(2));
    add("delete the link of an open group", with_open_child(start, 9), drop(1));
    add("move a link out of few", with(start, 3), move_out);
    add("move a link out of many", with_open_child(start, 9), move_out);
    add("give a link another name", with_open_child(start, 3), move_inside);
    add("copy a link", with(start, 3), copy_link);
    add("a soft link", with(start, 8), link_softly);
    add("a link in UTF-8", with(start, 9), link_in_utf8);
    add("a link outside", with(start, 9), link_outside);
    add("a second name", with(start, 3), link_again);
    add("a group in missing groups", with(start, 8), make_missing);
    all.back().in_parts = true;
    add("a group without a name", with(start, 3), make_nameless);
    add("a name for a group without one", with_nameless(start), name_nameless);
    add("a committed type", with_type(start), commit_type);
    add("a copy of a group", with(start, 9), copy_all);
    add("a comment", with(start, 3), comment);
    add("one reference more", with(start, 3), count_up);
  }
  return all;
}

}  // namespace retries
