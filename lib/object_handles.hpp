// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: what stands behind ids of files and of objects in files, and how a call gets from an id
// to a place in a file.
//
// Ids of objects outlive their file where the file is closed under them (MPI_Finalize, H5close):
// every way in below checks that and gives an error.

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/on_heap.hpp"
#include "lib/value_handles.hpp"
#include "object/attribute.hpp"
#include "object/file.hpp"
#include "object/named_type.hpp"
#include "object/traverse.hpp"

namespace pcio {

/// A file id. Threads: see File.
struct FileObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kFile;
  explicit FileObject(FilePtr f) : file(std::move(f)) {}
  FilePtr file;
  bool is_lone = false;  ///< made by File::add_lone_id

  /// Collective: see File::release_file_id.
  Status close() override;
  [[nodiscard]] bool is_gone() const override { return !file->is_open(); }
  [[nodiscard]] Result<std::string> path() const override { return std::string("/"); }
  Result<HandleId> file_id() override;
  [[nodiscard]] FilePtr opened_file() const override { return file; }
  [[nodiscard]] Status take_its_file() const override {
    return file ? take_file(*file) : Status();  // none while another thread opens it (NewFileId)
  }
};

/// What ids of groups, datasets and attributes have in common.
struct FileMember : ApiObject {
  explicit FileMember(OpenObjectPtr o) : open(std::move(o)) {}
  /// The object; of an attribute, the object that it belongs to. Ids may share it: the last one closes it.
  OpenObjectPtr open;

  Status close() override;
  [[nodiscard]] bool is_gone() const override { return open && !open->file().is_open(); }
  [[nodiscard]] Result<std::string> path() const override;
  Result<HandleId> file_id() override;
  [[nodiscard]] FilePtr opened_file() const override { return open ? open->file_ptr() : nullptr; }
  [[nodiscard]] Status take_its_file() const override {
    return open ? take_file(open->file()) : Status();
  }
  [[nodiscard]] const OpenObjectPtr* opened() const override { return &open; }
};

struct GroupObject final : FileMember {
  static constexpr IdType kIdType = IdType::kGroup;
  using FileMember::FileMember;
};

struct DatasetObject final : FileMember {
  static constexpr IdType kIdType = IdType::kDataset;
  DatasetObject(OpenObjectPtr o, const DatasetAccessProps& a) : FileMember(std::move(o)) {
    if (!(a == DatasetAccessProps())) own_access.emplace(a);
  }
  [[nodiscard]] DatasetAccessProps access() const {
    return own_access ? *own_access : DatasetAccessProps();
  }
  OptionalOnHeap<DatasetAccessProps> own_access;  ///< where it differs from the default list
};

/// An attribute id: names the attribute; the value is read and written through its owner.
struct AttributeObject final : FileMember {
  static constexpr IdType kIdType = IdType::kAttribute;
  AttributeObject(OpenObjectPtr owner, Attribute facts);
  std::string name;
  CharacterSet cset;
  Datatype type;  // file form
  FileAddress committed_type;
  Extent space;
  bool deleted = false;  ///< another one may have its name
  /// An id means the attribute that it was given for. Errors: ATTR/NOTFOUND where that was deleted.
  [[nodiscard]] Status check_there() const;
};

/// The file of an object behind an id is open still, and this call has it: the way in of every call that comes
/// to a file by an id. Errors: FILE/BADFILE; closed by another thread while this one waited; see take_file.
Status enter_file(const File& file, const ApiObject& object, HandleId id, const char* argument);
/// This call has the files of all of these ids that have one, before it begins with the ranks of one of them.
/// Errors: see take_file.
Status take_files_of(std::initializer_list<HandleId> ids);
/// Success where the file is open still. Errors: FILE/BADFILE.
Status check_open(const File& file);

/// The object of type T (GroupObject, DatasetObject, AttributeObject) behind `id`, its file open.
template <class T>
Result<std::shared_ptr<T>> get_member(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get<T>(id, argument));
  PCIO_TRY(enter_file(object->open->file(), *object, id, argument));
  return object;
}
/// The file behind a file id. Errors: not a file id, closed meanwhile.
Result<FilePtr> get_file(HandleId id, const char* argument);
/// The file of any id that has one: file, object, committed type, attribute.
Result<FilePtr> file_of(HandleId id, const char* argument);

/// The file of the place that location_of() gives. Asks for no memory: whoever has the id comes to where the
/// ranks meet.
Result<FilePtr> located_file(HandleId id, const char* argument);

/// An id that a call has made for a function of the program which it runs: see OpenObject::lend.
void lend_to_function(HandleId id);

/// The place that a location id means: of a file its root group, of an attribute its owner.
Result<Location> location_of(HandleId id, const char* argument);
/// As location_of, but an attribute is no place: attributes have no attributes.
Result<Location> owner_of(HandleId id, const char* argument);
/// The same as the id has it open; null where that can't be shared. Asks for no memory. Errors: as owner_of.
Result<OpenObjectPtr> shared_owner_of(HandleId id, const char* argument);
/// The object `name` under a location id. `lapl_id` may be H5P_DEFAULT.
Result<Location> object_at(HandleId loc_id, const char* name, HandleId lapl_id);
/// The link `name` under a location id, which may not exist.
Result<LinkPlace> place_at(HandleId loc_id, const char* name, HandleId lapl_id);
/// As find_object, where a NULL name is an error that names the argument.
Result<Location> object_in(const Location& from, const char* name, const LinkAccessProps& access);

/// The object behind a link that was found. `lapl_id` may be H5P_DEFAULT.
Result<Location> linked_object(const LinkPlace& place, HandleId lapl_id);

/// Path of `name` seen from `at`, for messages and call names; a name that can't be read is "?".
std::string full_name(const Location& at, const char* name);

/// An id for a file that is not open yet: once all ranks have the file, none may lack memory for its id.
class NewFileId {
 public:
  NewFileId() = default;
  NewFileId(const NewFileId&) = delete;
  NewFileId& operator=(const NewFileId&) = delete;
  /// An id that was given no file goes.
  ~NewFileId();
  /// Collective: local. Errors: no memory.
  Status prepare();
  /// The file counts the id already. After prepare() succeeded.
  HandleId give(FilePtr file) noexcept;

 private:
  std::shared_ptr<FileObject> object_;
  HandleId id_ = kInvalidHandle;
};

/// The path by which an object was opened; where it was opened by address, one that leads to it, which is
/// looked for in the file (visit.cpp). Collective: independent.
Result<std::string> known_path(OpenObject& open);

OpenObjectPtr open_location(const Location& at);
// New ids. Errors: an object of another kind.
/// `path`: the name of an opening that has had no id yet.
Result<HandleId> file_id_for(const FilePtr& file, std::string_view path = {});
/// The same for a call that other ranks needn't make: File::add_lone_id.
Result<HandleId> lone_file_id_for(const FilePtr& file);
Result<HandleId> group_id_for(const Location& at);
Result<HandleId> dataset_id_for(const Location& at, const DatasetAccessProps& access);
Result<HandleId> named_type_id_for(const Location& at);
/// An id of whatever kind the object is; `lapl_id` may be the kind's own access list.
Result<HandleId> object_id_for(const Location& at, HandleId lapl_id = 0);
/// The type of a dataset or attribute as the application gets it: its committed type where it has
/// one, else a transient copy in memory form.
Result<HandleId> type_id_for(const FilePtr& file, const StoredType& stored);

/// Ids that belong to `file` (nullptr: to any file, or transient types), of kinds as H5F_OBJ_* bits.
std::vector<HandleId> ids_of_file(const File* file, unsigned kinds);
/// The same of one opening of a file.
std::vector<HandleId> ids_of_opening(const FilePtr& opening, unsigned kinds);

/// A copy of typed values as a new property list id.
template <class P>
Result<HandleId> property_list_id_for(const P& values) {
  PropertyList list(kClassOf<P>);
  *list.template as<P>() = values;
  return make_id<PropertyListObject>(list);
}

}  // namespace pcio
