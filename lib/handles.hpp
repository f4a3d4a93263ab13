// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: what stands behind the ids of the C API, and the only way in and out of the id table.
//
// Numbers of the id types are those of H5I_type_t in HDF5 1.10, so that a program compiled against
// those headers reads the same values.

#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "base/handle_table.hpp"
#include "base/status.hpp"

namespace pcio {

class File;
class OpenObject;

/// Kind of object behind an id; numbers as H5I_type_t. User-made types follow after kCount.
enum class IdType : unsigned {
  kFile = 1,
  kGroup = 2,
  kDatatype = 3,
  kDataspace = 4,
  kDataset = 5,
  kAttribute = 6,
  kReference = 7,
  kDriver = 8,
  kPropertyClass = 9,
  kPropertyList = 10,
  kErrorClass = 11,
  kErrorMessage = 12,
  kErrorStack = 13,
  kCount = 14
};

/// Base of everything that has an id.
///
/// A derived class says `static constexpr IdType kIdType` and overrides what applies to it.
/// Threads: as the derived class; the table itself may be used from any thread.
class ApiObject : public HandleObject {
 public:
  /// Called before close(), while `id` is still good.
  virtual void before_close(HandleId id) { static_cast<void>(id); }
  /// Called when the last reference of the last id goes. On failure the id stays open.
  virtual Status close() { return Status(); }
  /// What a close that failed has left: true where there is nothing to be tried again, as of a file that
  /// its ranks gave up, and of what was in it.
  [[nodiscard]] virtual bool is_gone() const { return false; }
  /// Path of the object in its file for H5Iget_name; "" where it has none.
  [[nodiscard]] virtual Result<std::string> path() const;
  /// A new reference to the id of the file that holds the object, for H5Iget_file_id.
  virtual Result<HandleId> file_id();
  /// The file that the object is or lies in, as it was opened; nullptr where there is none.
  [[nodiscard]] virtual std::shared_ptr<File> opened_file() const { return nullptr; }
  /// This call has the file that the object is or lies in, closed or not; nothing where there is none.
  /// Errors: see take_file.
  [[nodiscard]] virtual Status take_its_file() const { return Status(); }
  /// The open object of a file that is meant, of an attribute its owner; nullptr where there is none.
  [[nodiscard]] virtual const std::shared_ptr<OpenObject>* opened() const { return nullptr; }
  [[nodiscard]] const OpenObject* opened_object() const {
    const std::shared_ptr<OpenObject>* const open = opened();
    return open != nullptr ? open->get() : nullptr;
  }

  /// Ids that the library itself owns (H5T_NATIVE_INT, H5P_DATASET_CREATE ...) are not for the
  /// application to close.
  bool predefined = false;
};

/// The table of all ids of this process.
HandleTable& handles();

/// "dataspace", "property list" ... for messages.
const char* noun_of(unsigned id_type);

namespace detail {
/// The sentence for an id that is not what an argument needs; shared by every `get<T>`.
ErrorFrame wrong_id(HandleId id, IdType expected, const char* argument);
}  // namespace detail

/// The object of type T behind `id`.
///
/// `argument` is the name of the C function's parameter and appears in the message.
/// Errors: ARGS/BADTYPE where the id is closed, stale, foreign or of another type.
template <class T>
Result<std::shared_ptr<T>> get(HandleId id, const char* argument) {
  static_assert(std::is_base_of_v<ApiObject, T>);
  // A kind of id has one class: what is under such an id is a T.
  if (auto found = handles().find(id, static_cast<unsigned>(T::kIdType)))
    return std::static_pointer_cast<T>(std::move(found));
  return detail::StatusReturn(Status(detail::wrong_id(id, T::kIdType, argument)));
}

/// The object behind any id of the library. Errors: ATOM/BADATOM.
Result<std::shared_ptr<ApiObject>> get_any(HandleId id, const char* argument);

/// A new id with reference count 1 for `object`.
template <class T>
Result<HandleId> register_object(std::shared_ptr<T> object) {
  return handles().add(static_cast<unsigned>(T::kIdType), std::move(object));
}

/// Makes a T from `args` and registers it.
template <class T, class... Args>
Result<HandleId> make_id(Args&&... args) {
  return register_object(std::make_shared<T>(std::forward<Args>(args)...));
}

/// References of the application to `id`: the library's own to a predefined object doesn't count.
Result<int> own_references(HandleId id, const char* argument);

/// Takes one reference off `id`; at the last one closes the object and removes the id.
///
/// Collective: as the object's close (a file: collective over its communicator).
/// On failure of the close the id stays valid with one reference. Result: references of the
/// application left. Errors: a predefined object that the application has no reference to.
Result<int> release_id(HandleId id, const char* argument);

/// After functions of the program that an iteration lent `id` to, with what it came to: takes one reference off, where
/// they have not closed it themselves. The failure of the iteration goes before that of the close.
Result<int> release_lent(HandleId id, const char* argument, Result<int> answer);

/// An id that is made before what it stands for is done; it goes where that fails.
class MadeId {
 public:
  MadeId() = default;
  explicit MadeId(HandleId id) : id_(id) {}
  MadeId(MadeId&& other) noexcept : id_(std::exchange(other.id_, kNone)) {}
  MadeId& operator=(MadeId&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~MadeId();
  [[nodiscard]] HandleId keep() { return std::exchange(id_, kNone); }

 private:
  static constexpr HandleId kNone = -1;
  HandleId id_ = kNone;
};

/// What every H5?close does: checks the type, refuses predefined objects, releases.
Status close_id(HandleId id, IdType expected, const char* argument);

}  // namespace pcio
