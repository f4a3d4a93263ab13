// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: arguments in messages, as the prototype of the call names them.

#include "lib/argument_names.hpp"

#include <array>

namespace pcio {

namespace {

struct OtherName {
  std::string_view function;
  std::string_view shared;  // what work that several calls share names the argument
  std::string_view name;    // what this call's prototype names it
};

// test/api/arguments/bad_arguments.sh finds what is missing.
constexpr OtherName kOtherNames[] = {
    {"H5Acreate1", "attr_name", "name"},
    {"H5Aexists", "loc_id", "obj_id"},
    {"H5Aexists_by_name", "loc_id", "obj_id"},
    {"H5Aiterate_by_name", "name", "obj_name"},
    {"H5Aopen", "loc_id", "obj_id"},
    {"H5Aopen_name", "attr_name", "name"},
    {"H5Aopen_idx", "n", "idx"},
    {"H5Arename_by_name", "new_name", "new_attr_name"},
    {"H5Arename_by_name", "old_name", "old_attr_name"},
    {"H5Dfill", "type_id", "buf_type_id"},
    {"H5Dgather", "space_id", "src_space_id"},
    {"H5Dget_chunk_index_type", "dset_id", "did"},
    {"H5Dopen2", "lapl_id", "dapl_id"},
    {"H5Dscatter", "space_id", "dst_space_id"},
    {"H5Dvlen_get_buf_size", "dset_id", "dataset_id"},
    {"H5Gget_info_by_idx", "name", "group_name"},
    {"H5Gget_objname_by_idx", "n", "idx"},
    {"H5Gget_objtype_by_idx", "n", "idx"},
    {"H5Glink", "name", "new_name"},
    {"H5Glink", "src_loc", "cur_loc_id"},
    {"H5Glink2", "dst_loc", "new_loc_id"},
    {"H5Glink2", "name", "new_name"},
    {"H5Glink2", "src_loc", "cur_loc_id"},
    {"H5Gmove", "name", "dst_name"},
    {"H5Gmove", "src_loc", "src_loc_id"},
    {"H5Gmove2", "dst_loc", "dst_loc_id"},
    {"H5Gmove2", "name", "dst_name"},
    {"H5Gmove2", "src_loc", "src_loc_id"},
    {"H5Gopen2", "lapl_id", "gapl_id"},
    {"H5Lcopy", "name", "dst_name"},
    {"H5Lcreate_external", "name", "link_name"},
    {"H5Lcreate_hard", "name", "dst_name"},
    {"H5Lcreate_hard", "src_loc", "cur_loc"},
    {"H5Lcreate_soft", "name", "link_name"},
    {"H5Lcreate_ud", "name", "link_name"},
    {"H5Ldelete_by_idx", "name", "group_name"},
    {"H5Lget_info_by_idx", "name", "group_name"},
    {"H5Lget_name_by_idx", "name", "group_name"},
    {"H5Lget_val_by_idx", "name", "group_name"},
    {"H5Literate_by_name", "name", "group_name"},
    {"H5Lmove", "name", "dst_name"},
    {"H5Lvisit_by_name", "name", "group_name"},
    {"H5Ocopy", "name", "dst_name"},
    {"H5Oget_info_by_idx", "name", "group_name"},
    {"H5Oget_info_by_idx1", "name", "group_name"},
    {"H5Oget_info_by_idx2", "name", "group_name"},
    {"H5Olink", "name", "new_name"},
    {"H5Oopen_by_idx", "name", "group_name"},
    {"H5Ovisit", "loc_id", "obj_id"},
    {"H5Ovisit1", "loc_id", "obj_id"},
    {"H5Ovisit2", "loc_id", "obj_id"},
    {"H5Ovisit_by_name", "name", "obj_name"},
    {"H5Ovisit_by_name1", "name", "obj_name"},
    {"H5Ovisit_by_name2", "name", "obj_name"},
    {"H5Pget_filter1", "idx", "filter"},
    {"H5Pget_filter_by_id2", "id", "filter_id"},
    {"H5Pmodify_filter", "c_values", "cd_values"},
    {"H5Rdereference1", "id", "obj_id"},
    {"H5Rdereference2", "id", "obj_id"},
    {"H5Rget_name", "id", "loc_id"},
    {"H5Topen2", "lapl_id", "tapl_id"},
    {"H5Zget_filter_info", "id", "filter"},
};

}  // namespace

void name_arguments(std::string_view function, std::string* text) {
  constexpr std::string_view kWord = "argument ";
  if (text->compare(0, kWord.size(), kWord) != 0) return;
  const std::size_t end = text->find_first_of(": ,", kWord.size());
  const std::string_view shared = std::string_view(*text).substr(kWord.size(), end - kWord.size());
  for (const OtherName& row : kOtherNames) {
    if (row.function != function || row.shared != shared) continue;
    text->replace(kWord.size(), shared.size(), row.name);
    return;
  }
}

}  // namespace pcio
