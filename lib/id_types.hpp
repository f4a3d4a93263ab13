// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: types of ids that a program makes, and what it puts behind such ids.

#pragma once

#include "lib/handles.hpp"
#include "lib/public_api.hpp"

namespace pcio {

/// A program's object. Threads: one thread at a time per id.
struct ProgramObject final : ApiObject {
  ProgramObject(unsigned t, void* o) : type(t), object(o) {}
  unsigned type;
  void* object;
  /// Calls the type's function. Errors: it failed; the id stays.
  Status close() override;
};

/// The number of a new type, counted once. Errors: there are no more numbers.
Result<unsigned> add_id_type(H5I_free_t free_function);
[[nodiscard]] bool is_program_type(int type);
/// Success for a type of a program that exists. Errors: ATOM BADGROUP, naming the argument.
Status check_program_type(int type);
/// References of a program's type after `change` (0, 1, -1); at 0 it is destroyed.
Result<int> change_type_references(int type, int change);
/// All objects of the type go, and the type.
Status destroy_id_type(int type);

enum class ClearAll { kOnceCounted, kAll };
/// Objects whose ids are counted once go, or all of them, whatever the type's function says.
void clear_id_type(unsigned type, ClearAll which);

Result<HandleId> add_program_object(int type, void* object);
/// The object behind `id` if that is of `type`.
Result<std::shared_ptr<ProgramObject>> program_object(HandleId id, int type);

/// Forgets all types of the program, without a call of their functions, as libhdf5 does.
void forget_id_types();

}  // namespace pcio
