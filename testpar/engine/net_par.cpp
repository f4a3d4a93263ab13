// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Ranks that hold different maps of a file, whatever the cause: the next communicating call says so
// on all of them, nothing is written at an address that others don't mean, and the file is as the
// last commit left it.

#include <functional>
#include <vector>

#include "driver/mpi_settings.hpp"
#include "par_test.hpp"
#include "support/file_session.hpp"

namespace pcio {
namespace {

using test::ParallelTest;

/// What goes wrong on one rank.
struct Fault {
  const char* name;
  std::function<void(FileStore&, const Location& data)> strike;
};

const std::vector<Fault> kFaults = {
    {"an allocation",
     [](FileStore& store, const Location&) {
       test::must(detail::to_status(store.space().allocate(8, SpaceUse::kMetadata)));
     }},
    {"a release",
     [](FileStore& store, const Location& data) {
       store.space().release({data.object->dataset->layout.address, 4});
     }},
    {"an object that changed", [](FileStore& store, const Location& data) {
       // Its header grows, so that it gets a second piece.
       HeaderMessage message;
       message.type = kMessageComment;
       message.body = std::vector<std::byte>(4000, std::byte{1});
       data.object->header.messages.push_back(std::move(message));
       store.objects().touch(data.object);
     }}};

/// The call that comes next on all ranks.
struct Next {
  const char* name;
  std::function<Status(const FilePtr&, const Location& data)> call;
};

Status write_together(const FilePtr&, const Location& data) {
  std::vector<std::int32_t> values(32, 9);
  TransferProps props;
  props.mode = TransferMode::kCollective;
  return test::move_elements(data, Direction::kWrite, nullptr, values.data(), props);
}

const std::vector<Next> kNext = {
    {"H5Fflush", [](const FilePtr& file, const Location&) { return test::flush_session(file); }},
    {"H5Dwrite", write_together},
    {"H5Fclose", [](const FilePtr& file, const Location&) { return test::close_session(file); }}};

std::string all_text(const Status& status) {
  std::string all;
  for (const ErrorFrame& frame : status.frames()) all += frame.text + " | ";
  return all;
}

void play(ParallelTest& t, const Fault& fault, const Next& next, int culprit) {
  const std::string what =
      std::string(fault.name) + " on rank " + std::to_string(culprit) + ", found by " + next.name;
  MpioSettings driver = test::must(MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL));
  test::OpenWith with;
  with.path = t.shared_path("net.h5");
  FilePtr file = test::must(test::open_session(driver, OpenMode::kTruncate, with));
  test::DatasetSpec spec;
  spec.dims = {32};
  Location data = test::must(test::add_dataset(file, "/d", spec));
  t.check(write_together(file, data), what + ": write before");
  t.check(test::flush_session(file), what + ": flush before");
  t.check(detail::to_status(test::add_group(file, "/good")), what + ": group before");
  const bool needs_plan = fault.name == kFaults[2].name;
  if (t.rank() == culprit) fault.strike(file->store(), data);
  t.check(detail::to_status(test::add_group(file, "/later")), what + ": group behind");
  Status found = next.call(file, data);
  // What only planning shows is not there before a commit.
  if (needs_plan && std::string(next.name) == "H5Dwrite") {
    t.check(found, what + ": a write before the plan");
    found = test::flush_session(file);
  }
  const std::string text = all_text(found);
  t.check(!found.ok() && text.find("given out the file's space differently") != std::string::npos,
          what + ": " + text);
  if (needs_plan)
    t.check(text.find("the object at address " + std::to_string(data.object->address)) !=
                std::string::npos,
            what + ", by name: " + text);
  if (file->is_open()) t.check(!write_together(file, data).ok(), what + ": no write behind it");
  data = Location();
  if (file->is_open()) t.check(!test::close_session(file).ok(), what + ": close");
  file.reset();
  MPI_Barrier(MPI_COMM_WORLD);
  FilePtr copy = test::must(test::open_session(PosixSettings(), OpenMode::kReadOnly, with));
  t.check(test::must(test::read_all(test::must(test::find(copy, "/d")))) ==
              std::vector<std::int32_t>(32, 9),
          what + ": what was flushed");
  t.check(!test::find(copy, "/later").has_value(), what + ": nothing behind the last commit");
  t.check(test::close_session(copy), what + ": close the copy");
  t.remove_shared(with.path);
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  using namespace pcio;
  ParallelTest t(argc, argv);
  if (t.size() > 1)
    for (const Fault& fault : kFaults)
      for (const Next& next : kNext)
        for (int culprit : {0, t.size() - 1}) play(t, fault, next, culprit);
  return t.finish();
}
