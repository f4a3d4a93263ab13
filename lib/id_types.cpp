// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: types of ids that a program makes.

#include "lib/id_types.hpp"

#include <array>
#include <mutex>

#include "base/without_throwing.hpp"

namespace pcio {

namespace {

struct ProgramType {
  int references = 0;  // 0: there is no such type
  H5I_free_t free_function = nullptr;
};

constexpr unsigned kFirst = static_cast<unsigned>(IdType::kCount);

/// Threads: never held while a program's function runs.
struct ProgramTypes {
  std::mutex mutex;
  std::array<ProgramType, HandleTable::kMaxTypes> rows;
  unsigned next = kFirst;  // numbers are used again only when all were used
};

ProgramTypes& types() {
  static auto* table = new ProgramTypes;  // never destroyed: ids may be closed at exit
  return *table;
}

H5I_free_t free_function_of(unsigned type) {
  std::lock_guard lock(types().mutex);
  return types().rows[type].free_function;
}

}  // namespace

Status ProgramObject::close() {
  const H5I_free_t free_object = free_function_of(type);
  if (free_object == nullptr || object == nullptr || free_object(object) >= 0) return Status();
  return PCIO_ERROR(ATOM, CANTDEC, "the free function of the program's id type failed");
}

Result<unsigned> add_id_type(H5I_free_t free_function) {
  std::lock_guard lock(types().mutex);
  auto& rows = types().rows;
  unsigned number = types().next;
  if (number < rows.size()) {
    ++types().next;
  } else {
    number = kFirst;
    while (number < rows.size() && rows[number].references > 0) ++number;
    if (number == rows.size()) return PCIO_ERROR(ATOM, NOIDS, "there are no more types of ids");
  }
  rows[number] = {1, free_function};
  return number;
}

bool is_program_type(int type) {
  if (type < static_cast<int>(kFirst) || type >= static_cast<int>(HandleTable::kMaxTypes))
    return false;
  std::lock_guard lock(types().mutex);
  return types().rows[static_cast<unsigned>(type)].references > 0;
}

Status check_program_type(int type) {
  if (is_program_type(type)) return Status();
  if (type > 0 && type < static_cast<int>(kFirst))
    return PCIO_ERROR(ATOM, BADGROUP, "argument type: a type of the library, not of the program");
  return PCIO_ERROR(ATOM, BADGROUP, "argument type: no such id type");
}

void clear_id_type(unsigned type, ClearAll which) {
  for (HandleId id : handles().ids(type)) {
    auto object = get_any(id, "id");
    const auto references = handles().references(id);
    if (!object || !references || (*references > 1 && which == ClearAll::kOnceCounted)) continue;
    const Status closed = without_throwing([&] { return (*object)->close(); });
    if (!closed.ok() && which == ClearAll::kOnceCounted) continue;
    std::shared_ptr<HandleObject> last;
    while (!last && handles().decrement(id, &last)) continue;
  }
}

Status destroy_id_type(int type) {
  PCIO_TRY(check_program_type(type));
  clear_id_type(static_cast<unsigned>(type), ClearAll::kAll);
  std::lock_guard lock(types().mutex);
  types().rows[static_cast<unsigned>(type)] = {};
  return Status();
}

Result<int> change_type_references(int type, int change) {
  PCIO_TRY(check_program_type(type));
  int left = 0;
  {
    std::lock_guard lock(types().mutex);
    int& references = types().rows[static_cast<unsigned>(type)].references;
    left = references + change;
    if (left > 0) references = left;
  }
  if (left == 0) PCIO_TRY(destroy_id_type(type));
  return left;
}

Result<HandleId> add_program_object(int type, void* object) {
  PCIO_TRY(check_program_type(type));
  const auto number = static_cast<unsigned>(type);
  return handles().add(number, std::make_shared<ProgramObject>(number, object));
}

Result<std::shared_ptr<ProgramObject>> program_object(HandleId id, int type) {
  PCIO_TRY(check_program_type(type));
  if (handles().type_of(id) != static_cast<unsigned>(type))
    return PCIO_ERROR(
        ATOM, BADATOM,
        "argument id: " + std::to_string(id) + " is not of type " + std::to_string(type));
  PCIO_ASSIGN(auto found, get_any(id, "id"));
  return std::static_pointer_cast<ProgramObject>(std::move(found));
}

void forget_id_types() {
  std::lock_guard lock(types().mutex);
  types().rows = {};
  types().next = kFirst;
}

}  // namespace pcio
