// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Closing a file of several ranks within a function that a call of the library runs, where other ranks close it
// outside any call, or in another one. A close that only some ranks put off meets no other.
// Room: testpar.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "faults/inject.hpp"
#include "support.hpp"

using par::Id;

namespace {

constexpr auto kClass = static_cast<H5L_type_t>(98);

/// What the functions of the program do, once for each call of the library.
std::function<void()> in_function;
int function_calls = 0;

void run_once() {
  if (function_calls++ == 0) in_function();
}

herr_t on_link(hid_t, const char*, const H5L_info_t*, void*) {
  run_once();
  return 0;
}
herr_t on_object(hid_t, const char*, const H5O_info_t*, void*) {
  run_once();
  return 0;
}
herr_t on_attribute(hid_t, const char*, const H5A_info_t*, void*) {
  run_once();
  return 0;
}
herr_t on_old_attribute(hid_t, const char*, void*) {
  run_once();
  return 0;
}
herr_t on_old_link(hid_t, const char*, void*) {
  run_once();
  return 0;
}

/// The object that a link of the class leads to, in another file.
hid_t elsewhere = H5I_INVALID_HID;
hid_t follow(const char*, hid_t, const void*, size_t, hid_t, hid_t) {
  const hid_t found = H5Oopen(elsewhere, "g", H5P_DEFAULT);
  run_once();
  return found;
}

const H5L_class_t kLinks = {
    H5L_LINK_CLASS_T_VERS, kClass, "runs", nullptr, nullptr, nullptr, follow, nullptr, nullptr};

Id access_with(H5F_close_degree_t degree) {
  Id access(par::mpio_access());
  CHECK(H5Pset_fclose_degree(access, degree) >= 0);
  return access;
}

/// A file with a group "g", an attribute, a group and a link of the class in it.
Id make_file(const std::string& name, hid_t access) {
  CHECK(H5Lregister(&kLinks) >= 0);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id space(H5Screate(H5S_SCALAR));
  CHECK(Id(H5Acreate2(group, "a", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT)).valid());
  CHECK(Id(H5Gcreate2(group, "in", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  CHECK(H5Lcreate_ud(group, "u", kClass, "x", 1, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  return file;
}

using Call = herr_t (*)(hid_t file, hid_t group);

const Call kIterations[] = {
    [](hid_t, hid_t at) {
      return H5Literate(at, H5_INDEX_NAME, H5_ITER_INC, nullptr, on_link, nullptr);
    },
    [](hid_t file, hid_t) {
      return H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, on_link, nullptr);
    },
    [](hid_t file, hid_t) {
      return H5Literate_by_name(file, "g", H5_INDEX_NAME, H5_ITER_INC, nullptr, on_link, nullptr,
                                H5P_DEFAULT);
    },
    [](hid_t, hid_t at) { return H5Lvisit(at, H5_INDEX_NAME, H5_ITER_INC, on_link, nullptr); },
    [](hid_t file, hid_t) {
      return H5Lvisit_by_name(file, "g", H5_INDEX_NAME, H5_ITER_INC, on_link, nullptr, H5P_DEFAULT);
    },
    [](hid_t, hid_t at) { return H5Ovisit(at, H5_INDEX_NAME, H5_ITER_INC, on_object, nullptr); },
    [](hid_t file, hid_t) {
      return H5Ovisit_by_name(file, "g", H5_INDEX_NAME, H5_ITER_INC, on_object, nullptr,
                              H5P_DEFAULT);
    },
    [](hid_t, hid_t at) {
      return H5Aiterate2(at, H5_INDEX_NAME, H5_ITER_INC, nullptr, on_attribute, nullptr);
    },
    [](hid_t file, hid_t) {
      return H5Aiterate_by_name(file, "g", H5_INDEX_NAME, H5_ITER_INC, nullptr, on_attribute,
                                nullptr, H5P_DEFAULT);
    },
    [](hid_t, hid_t at) { return H5Aiterate1(at, nullptr, on_old_attribute, nullptr); },
    [](hid_t file, hid_t) { return H5Giterate(file, "g", nullptr, on_old_link, nullptr); },
};

herr_t through_the_link(hid_t group) {
  H5O_info_t info;
  return H5Oget_info_by_name(group, "u", &info, H5P_DEFAULT);
}

herr_t run(const std::function<void()>& body, const std::function<herr_t()>& call) {
  in_function = body;
  function_calls = 0;
  const par::Silence silence;
  const herr_t answer = call();
  CHECK(function_calls > 0);
  return answer;
}

int open_ids() { return static_cast<int>(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL)); }

}  // namespace

/// The close comes where the program has it, on each rank; what it does next meets what the others do next.
CASE(closed_in_iterations_of_some_ranks) {
  const std::string name = par::file_name("closings_a"), next = par::file_name("closings_b");
  const Id access = access_with(H5F_CLOSE_WEAK);
  for (const Call call : kIterations) {
    for (int some = 0; some < 2; ++some) {
      CHECK(make_file(name, access).close() >= 0);
      Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
      Id group(H5Gopen2(file, "g", H5P_DEFAULT)), made;
      const auto go_on = [&] {
        CHECK(group.close() >= 0 && file.close() >= 0);
        made = Id(H5Fcreate(next.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
        CHECK(made.valid());
      };
      const hid_t of_file = file, of_group = group;
      if (par::rank() % 2 == some)
        CHECK(run(go_on, [&] { return call(of_file, of_group); }) < 0);
      else
        go_on();
      CHECK(open_ids() == 1);
      CHECK(made.close() >= 0);
    }
  }
}

/// A call that goes on with the file after its function can't have it closed: nobody closes it then.
CASE(closed_in_the_midst_of_calls_of_some_ranks) {
  const std::string name = par::file_name("closings_c"), next = par::file_name("closings_d");
  const Id access = access_with(H5F_CLOSE_WEAK);
  const Id other = make_file(par::file_name("closings_e"), access);
  elsewhere = other;
  CHECK(make_file(name, access).close() >= 0);
  Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access)), group(H5Gopen2(file, "g", H5P_DEFAULT));
  Id made;
  const bool differs = par::size() > 1;
  const auto go_on = [&] {
    const par::Silence silence;
    const hid_t id = file;
    CHECK(group.close() >= 0);
    CHECK((H5Fclose(id) < 0) == differs);
    if (differs) CHECK(par::error_text().find("in the midst of a call") != std::string::npos);
    CHECK((H5Iis_valid(id) > 0) == differs);
    if (differs) CHECK(H5Fflush(id, H5F_SCOPE_GLOBAL) >= 0);
    made = Id(H5Fcreate(next.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(made.valid());
  };
  const hid_t of_group = group;
  if (par::rank() == 0)
    CHECK(run(go_on, [&] { return through_the_link(of_group); }) >= 0);
  else
    go_on();
  CHECK(made.close() >= 0);
  if (differs) CHECK(file.close() >= 0);
  CHECK(open_ids() == 1);
  CHECK(Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access)).valid());
}

/// What keeps one rank from closing is told in the close, wherever it is: none puts its close off meanwhile.
CASE(closed_in_the_midst_where_one_rank_cannot) {
  const std::string name = par::file_name("closings_f"), next = par::file_name("closings_g");
  const Id access = access_with(H5F_CLOSE_SEMI);
  const Id other = make_file(par::file_name("closings_h"), access);
  elsewhere = other;
  Id file = make_file(name, access), group(H5Gopen2(file, "g", H5P_DEFAULT)), kept, made;
  const bool mine = par::rank() == par::size() - 1;
  if (mine) kept = Id(H5Gopen2(file, "g/in", H5P_DEFAULT));
  const hid_t of_group = group, of_file = file;
  CHECK(run(
            [&] {
              CHECK(group.close() >= 0);
              CHECK(H5Fclose(of_file) < 0);
              CHECK(par::error_text().find("open objects: group") != std::string::npos);
              made = Id(H5Fcreate(next.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
              CHECK(made.valid());
            },
            [&] { return through_the_link(of_group); }) >= 0);
  CHECK(H5Iis_valid(of_file) > 0);
  kept.close();
  CHECK(made.close() >= 0 && file.close() >= 0);
  CHECK(open_ids() == 1);
}

namespace {

/// Converts integers of the file to those of memory, and runs a function of the program.
herr_t convert(hid_t, hid_t, H5T_cdata_t* data, size_t count, size_t stride, size_t, void* values,
               void*, hid_t) {
  if (data->command != H5T_CONV_CONV) return 0;
  auto* at = static_cast<unsigned char*>(values);
  for (size_t i = 0; i < count; ++i, at += stride == 0 ? sizeof(int) : stride)
    for (size_t byte = 0; byte < sizeof(int) / 2; ++byte)
      std::swap(at[byte], at[sizeof(int) - 1 - byte]);
  run_once();
  return 0;
}

/// A new file with "d", of which all ranks read `values` by way of `convert`, which runs a function of the
/// program on rank 0 alone; the others come to `others` after that.
struct Reading {
  static constexpr int kValues[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  explicit Reading(const std::string& name, H5F_close_degree_t degree)
      : access(access_with(degree)), file(make_file(name, access)) {
    const hsize_t eight = 8;
    const Id space(H5Screate_simple(1, &eight, nullptr));
    data = Id(H5Dcreate2(file, "d", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, kValues) >= 0);
    CHECK(H5Tregister(H5T_PERS_HARD, "runs", H5T_STD_I32BE, H5T_NATIVE_INT, convert) >= 0);
  }
  /// What H5Dread answers where it has read them; the function runs on rank 0, or on all ranks.
  herr_t read(const std::function<void()>& in_call, bool on_all = false) {
    int got[8] = {};
    const hid_t of_data = data;
    const herr_t answer = run(
        [&] {
          if (on_all || par::rank() == 0) in_call();
        },
        [&] { return H5Dread(of_data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, got); });
    if (answer < 0) why = par::error_text();
    CHECK(got[0] == 1 && got[7] == 8);
    CHECK(H5Tunregister(H5T_PERS_HARD, "runs", H5T_STD_I32BE, H5T_NATIVE_INT, convert) >= 0);
    return answer;
  }
  std::string why;
  Id access, file, list{par::transfer_list(H5FD_MPIO_COLLECTIVE)}, data;
};

bool has_values(const std::string& name, hid_t access) {
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access)),
      data(H5Dopen2(file, "d", H5P_DEFAULT));
  int got[8] = {};
  return H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0 &&
         std::equal(std::begin(got), std::end(got), Reading::kValues);
}

/// All ranks read a dataset together; the function of one closes it and its file.
void read_and_close(H5F_close_degree_t degree, bool keeps_the_dataset) {
  const std::string name = par::file_name(degree == H5F_CLOSE_WEAK ? "closings_i" : "closings_j");
  const Id access = access_with(degree), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  Id file = make_file(name, access);
  const hsize_t eight = 8;
  const Id space(H5Screate_simple(1, &eight, nullptr));
  Id data(H5Dcreate2(file, "d", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values) >= 0);
  CHECK(H5Tregister(H5T_PERS_HARD, "runs", H5T_STD_I32BE, H5T_NATIVE_INT, convert) >= 0);
  const bool mine = par::rank() == 0;
  const hid_t of_file = file, of_data = data;
  int read[8] = {};
  const auto close_both = [&] {
    if (!keeps_the_dataset) CHECK(data.close() >= 0);
    CHECK((H5Fclose(of_file) < 0) == keeps_the_dataset);
  };
  CHECK(run(
            [&] {
              if (mine) close_both();
            },
            [&] { return H5Dread(of_data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, read); }) >= 0);
  CHECK(read[0] == 1 && read[7] == 8);
  CHECK(H5Tunregister(H5T_PERS_HARD, "runs", H5T_STD_I32BE, H5T_NATIVE_INT, convert) >= 0);
  if (!mine) {
    const par::Silence silence;
    if (!keeps_the_dataset) CHECK(data.close() >= 0);
    CHECK((H5Fclose(of_file) < 0) == keeps_the_dataset);
    if (keeps_the_dataset)
      CHECK(par::error_text().find("open objects: dataset") != std::string::npos);
  }
  if (keeps_the_dataset) CHECK(data.close() >= 0 && file.close() >= 0);
  CHECK(open_ids() == 0);
}

}  // namespace

/// A call of all ranks over the file: what the others do with it comes after that, and so does the close.
CASE(closed_in_a_transfer_of_all_ranks) { read_and_close(H5F_CLOSE_WEAK, false); }

/// That the close can't be is told where the others come to it.
CASE(not_closed_in_a_transfer_of_all_ranks) { read_and_close(H5F_CLOSE_SEMI, true); }

/// What was refused first, and then not, is told to the others in that order, and nothing is lost.
CASE(refused_and_then_closed_in_a_transfer) {
  const std::string name = par::file_name("closings_k");
  Reading reading(name, H5F_CLOSE_SEMI);
  const hid_t of_file = reading.file;
  const auto close_at_last = [&] {
    const par::Silence silence;
    CHECK(H5Fclose(of_file) < 0 && H5Fclose(of_file) < 0);
    CHECK(par::error_text().find("open objects: dataset") != std::string::npos);
    CHECK(reading.data.close() >= 0 && H5Fclose(of_file) >= 0);
  };
  CHECK(reading.read(close_at_last) >= 0);
  if (par::rank() != 0) close_at_last();
  CHECK(open_ids() == 0);
  CHECK(has_values(name, reading.access));
}

/// H5Fclose has succeeded on a rank, in a function, and then the disk is full: that rank can't come once more, so
/// that the others don't wait for it; all are told, and the file is as it was committed last.
CASE(closed_in_a_transfer_and_not_committed) {
  const std::string name = par::file_name("closings_l"), next = par::file_name("closings_m");
  Reading reading(name, H5F_CLOSE_WEAK);
  CHECK(H5Fflush(reading.file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(Id(H5Gcreate2(reading.file, "lost", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  const hid_t of_file = reading.file;
  inject::arm(inject::Fault::kDiskFull, 0, name);
  const herr_t answer =
      reading.read([&] { CHECK(reading.data.close() >= 0 && H5Fclose(of_file) >= 0); });
  CHECK((answer < 0) == (par::rank() == 0));
  const bool several = par::size() > 1;
  if (par::rank() == 0) {
    CHECK((reading.why.find("can't try again") != std::string::npos) == several);
  } else {
    const par::Silence silence;
    CHECK(reading.data.close() >= 0);
    CHECK(H5Fclose(of_file) < 0);
    CHECK(par::error_text().find("can't try again") != std::string::npos);
  }
  CHECK(par::any(inject::disarm()));
  CHECK(H5Iis_valid(of_file) == 0);
  CHECK(Id(H5Fcreate(next.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, reading.access)).valid());
  if (!several) return;
  CHECK(has_values(name, reading.access));
  const Id again(H5Fopen(name.c_str(), H5F_ACC_RDONLY, reading.access));
  CHECK(H5Lexists(again, "lost", H5P_DEFAULT) == 0);
}

/// All ranks close it in their functions; one is refused first, and closes it then. The others' closes wait for that.
CASE(refused_on_one_rank_and_then_closed_on_all) {
  for (int times = 1; times <= 3; ++times) {
    const std::string name = par::file_name("closings_n");
    Reading reading(name, H5F_CLOSE_SEMI);
    Id more(H5Gopen2(reading.file, "g", H5P_DEFAULT));
    const hid_t of_file = reading.file;
    const bool mine = par::rank() == par::size() - 1;
    const herr_t answer = reading.read(
        [&] {
          if (!mine) CHECK(more.close() >= 0);
          CHECK(reading.data.close() >= 0);
          for (int i = 0; mine && i < times; ++i) CHECK(H5Fclose(of_file) < 0);
          if (mine) CHECK(more.close() >= 0);
          CHECK(H5Fclose(of_file) >= 0);
        },
        true);
    CHECK(answer >= 0);
    CHECK(open_ids() == 0);
    CHECK(has_values(name, reading.access));
  }
}

namespace {

/// The file is closed for good on some ranks and can't be on another one: all are told, nobody waits, and what
/// was written is there.
void check_given_up(const std::string& name, hid_t access, bool committed) {
  const Id next(
      H5Fcreate(par::file_name("closings_o").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(next.valid());
  CHECK(open_ids() == 1);
  if (committed) CHECK(has_values(name, access));
  const Id again(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  CHECK(H5Lexists(again, "new", H5P_DEFAULT) == (committed ? 1 : 0));
}

constexpr const char* kGivenUp = "can't try again";

}  // namespace

/// H5Fclose has succeeded on rank 0, in a function; afterwards another rank has an object open.
CASE(closed_in_a_transfer_and_refused_outside) {
  if (par::size() == 1) return;
  const std::string name = par::file_name("closings_p");
  Reading reading(name, H5F_CLOSE_SEMI);
  CHECK(Id(H5Gcreate2(reading.file, "new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  Id more;
  const bool mine = par::rank() == par::size() - 1;
  if (mine) more = Id(H5Gopen2(reading.file, "g", H5P_DEFAULT));
  const hid_t of_file = reading.file;
  const auto close = [&] {
    CHECK(reading.data.close() >= 0);
    CHECK((H5Fclose(of_file) >= 0) == (par::rank() == 0));
  };
  CHECK((reading.read(close) < 0) == (par::rank() == 0));
  if (par::rank() == 0) {
    CHECK(reading.why.find(kGivenUp) != std::string::npos);
  } else {
    const par::Silence silence;
    close();
    CHECK(par::error_text().find(kGivenUp) != std::string::npos);
    more.close();
    if (H5Iis_valid(of_file) > 0) H5Fclose(of_file);
  }
  check_given_up(name, reading.access, true);
}

/// All ranks close it in a function, and on one of them it can't be, there and afterwards.
CASE(closed_in_a_transfer_but_on_one_rank) {
  if (par::size() == 1) return;
  const std::string name = par::file_name("closings_q");
  Reading reading(name, H5F_CLOSE_SEMI);
  CHECK(Id(H5Gcreate2(reading.file, "new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  Id more;
  const bool mine = par::rank() == par::size() - 1;
  if (mine) more = Id(H5Gopen2(reading.file, "g", H5P_DEFAULT));
  const hid_t of_file = reading.file;
  const herr_t answer = reading.read(
      [&] {
        CHECK(reading.data.close() >= 0);
        CHECK((H5Fclose(of_file) < 0) == mine);
      },
      true);
  CHECK(answer < 0);
  CHECK(reading.why.find(kGivenUp) != std::string::npos);
  {
    const par::Silence silence;
    more.close();
    if (mine && H5Iis_valid(of_file) > 0) H5Fclose(of_file);
  }
  check_given_up(name, reading.access, true);
}

namespace {

/// A file "NAME.child" is mounted in `file`, and nothing else keeps it open.
void mount_child(const std::string& name, hid_t file, hid_t access) {
  Id child = make_file(name + ".child", access);
  CHECK(H5Fmount(file, "g", child, H5P_DEFAULT) >= 0);
  CHECK(child.close() >= 0);
}

}  // namespace

/// H5Fclose has succeeded on rank 0, in a function; another rank has an object open in a file that is mounted there,
/// which is left to the end of the program.
CASE(closed_in_a_transfer_and_refused_for_a_mounted_file) {
  if (par::size() == 1) return;
  const std::string name = par::file_name("closings_t");
  {
    Reading reading(name, H5F_CLOSE_WEAK);
    CHECK(Id(H5Gcreate2(reading.file, "new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
    mount_child(name, reading.file, reading.access);
    Id more;
    const bool mine = par::rank() == par::size() - 1;
    if (mine) more = Id(H5Gopen2(reading.file, "g/g", H5P_DEFAULT));
    const hid_t of_file = reading.file;
    const auto close = [&] {
      CHECK(reading.data.close() >= 0);
      CHECK((H5Fclose(of_file) >= 0) == (par::rank() == 0));
    };
    CHECK((reading.read(close) < 0) == (par::rank() == 0));
    if (par::rank() == 0) {
      CHECK(reading.why.find(kGivenUp) != std::string::npos);
    } else {
      const par::Silence silence;
      close();
      CHECK(par::error_text().find(kGivenUp) != std::string::npos);
      if (H5Iis_valid(of_file) > 0) H5Fclose(of_file);
    }
    // Only one rank does.
    CHECK(!mine || more.close() >= 0);
    check_given_up(name, reading.access, true);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0) std::remove((name + ".child").c_str());
}

namespace {

/// A virtual dataset "v" of `file`, of which the source took the elements and could not be committed: the file owes
/// it its close.
void owe_source(const std::string& source, hid_t file) {
  const hsize_t eight = 8, chunk = 2;
  const Id space(H5Screate_simple(1, &eight, nullptr));
  if (par::rank() == 0) {
    const Id made(H5Fcreate(source.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
        chunked(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(chunked, 1, &chunk);
    CHECK(Id(H5Dcreate2(made, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, chunked, H5P_DEFAULT))
              .valid());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Id list(H5Pcreate(H5P_DATASET_CREATE)), transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(H5Pset_virtual(list, space, source.c_str(), "d", space) >= 0);
  const Id data(H5Dcreate2(file, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const par::Silence silence;
  inject::arm(inject::Fault::kDiskFull, sizeof Reading::kValues, source);
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, Reading::kValues) < 0);
  CHECK(par::any(inject::disarm()));
}

/// Rank 0 closes the file in a transfer, and others in the midst of a call of their own, which goes on with it.
/// `owed`: of a source; may be empty.
void close_in_the_midst(const std::string& word, const std::string& owed) {
  if (par::size() == 1) return;
  const std::string name = par::file_name(word);
  const Id access = access_with(H5F_CLOSE_WEAK);
  Id other = make_file(par::file_name("closings_s"), access);
  elsewhere = other;
  Reading reading(name, H5F_CLOSE_WEAK);
  if (!owed.empty()) owe_source(par::file_name(owed), reading.file);
  CHECK(H5Fflush(reading.file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(Id(H5Gcreate2(reading.file, "new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  Id group(H5Gopen2(reading.file, "g", H5P_DEFAULT));
  const hid_t of_file = reading.file, of_group = group;
  const auto close = [&] {
    CHECK(reading.data.close() >= 0);
    CHECK(group.close() >= 0);
    CHECK((H5Fclose(of_file) >= 0) == (par::rank() == 0));
  };
  CHECK((reading.read(close) < 0) == (par::rank() == 0));
  if (par::rank() != 0) {
    run(close, [&] { return through_the_link(of_group); });
    const par::Silence silence;
    if (H5Iis_valid(of_file) > 0) H5Fclose(of_file);
  }
  CHECK(other.close() >= 0);
  check_given_up(name, reading.access, false);
}

}  // namespace

CASE(closed_in_a_transfer_and_in_the_midst_of_others) { close_in_the_midst("closings_r", ""); }

/// The source is to be closed over ranks that do not come there together.
CASE(closed_in_the_midst_of_others_with_an_owed_source) {
  close_in_the_midst("closings_u", "closings_v");
}

/// What a rank has to say of a commit is asked with who closes: chunks that wait on one rank alone.
CASE(closed_while_chunks_wait_on_one_rank) {
  constexpr hsize_t kChunk = 64;
  for (int who = 0; who < par::size(); ++who) {
    const std::string path = par::file_name("closings_w");
    const hsize_t size = 2 * kChunk;
    {
      const Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
      const Id space(H5Screate_simple(1, &size, nullptr));
      H5Pset_chunk(list, 1, &kChunk);
      H5Pset_deflate(list, 1);
      Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
      Id set(H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      if (par::rank() == who) {
        const std::vector<int> sevens(kChunk, 7);
        const Id memory(H5Screate_simple(1, &kChunk, nullptr));
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &kChunk, nullptr, &kChunk, nullptr);
        CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, sevens.data()) >= 0);
      }
      CHECK(set.close() >= 0);
      CHECK(file.close() >= 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (par::rank() == 0) {
      std::vector<int> values(size, -1), wanted(size, 0);
      std::fill(wanted.begin() + kChunk, wanted.end(), 7);
      const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
      const Id set(H5Dopen2(file, "x", H5P_DEFAULT));
      CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
      CHECK(values == wanted);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}
