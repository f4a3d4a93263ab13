// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The calls in which ranks communicate about references, and about what one of them reads for all.
// Room: testpar, public headers only.

#include <cstdio>

#include "scenes.hpp"

namespace memory {

namespace {

constexpr hsize_t kReferences = 3;

bool act_refer(Stage& s) {
  hdset_reg_ref_t reference;
  return H5Rcreate(&reference, s.file, "a_group_with_a_long_name/other", H5R_DATASET_REGION,
                   s.few_of_all) >= 0;
}

/// What the references lead to is copied as well; under another name each time.
bool act_copy_references(Stage& s) {
  static int count = 0;
  char name[24];
  std::snprintf(name, sizeof name, "references%d", ++count);
  return H5Ocopy(s.file, "references", s.file, name, s.create_list, H5P_DEFAULT) >= 0;
}

/// Each rank has an answer of its own; none of them waits.
bool act_open(Stage& s) {
  const hid_t opened = H5Oopen(s.file, "a_group_with_a_long_name/other", s.create_access);
  if (opened >= 0) H5Oclose(opened);
  return true;
}

void with_link(Stage& s) {
  const Id group(
      H5Gcreate2(s.file, "a_group_with_a_long_name", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Lcreate_hard(s.file, "other", group, "other", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  s.few_of_all = Id(H5Dget_space(s.other));
}

void with_references(Stage& s) {
  with_link(s);
  hdset_reg_ref_t references[kReferences];
  for (hdset_reg_ref_t& reference : references)
    CHECK(H5Rcreate(&reference, s.file, "other", H5R_DATASET_REGION, s.few_of_all) >= 0);
  const Id row(H5Screate_simple(1, &kReferences, nullptr));
  const Id set(H5Dcreate2(s.file, "references", H5T_STD_REF_DSETREG, row, H5P_DEFAULT, H5P_DEFAULT,
                          H5P_DEFAULT));
  const Id note(H5Acreate2(set, "references", H5T_STD_REF_DSETREG, row, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Dwrite(set, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, s.alone, references) >= 0);
  CHECK(H5Awrite(note, H5T_STD_REF_DSETREG, references) >= 0);
  CHECK(H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0);
  s.create_list = Id(H5Pcreate(H5P_OBJECT_COPY));
  CHECK(H5Pset_copy_object(s.create_list, H5O_COPY_EXPAND_REFERENCE_FLAG) >= 0);
}

/// One rank reads for all, and has not yet.
void with_shared_reads(Stage& s) {
  with_link(s);
  close_all(s);
  s.file = Id(H5Fopen(s.name.c_str(), H5F_ACC_RDWR, s.access));
  s.create_access = Id(H5Pcreate(H5P_LINK_ACCESS));
  CHECK(H5Pset_all_coll_metadata_ops(s.create_access, true) >= 0);
}

Scene scene(const char* name, void (*before)(Stage&), bool (*act)(Stage&), Again again) {
  return {name,
          Layout::kContiguous,
          PCIO_TRANSPORT_NONE,
          H5FD_MPIO_CHUNK_DEFAULT,
          After::kOld,
          before,
          act,
          again,
          Positions::kSome};
}

}  // namespace

const std::vector<Scene> kRegionScenes = {
    scene("H5Rcreate", with_link, act_refer, Again::kMayFail),
    scene("H5Ocopy of references", with_references, act_copy_references, Again::kMayFail),
    scene("H5Oopen together", with_shared_reads, act_open, Again::kMayFail)};

}  // namespace memory
