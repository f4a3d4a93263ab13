// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: ids of files and objects, out of line.

#include "lib/object_handles.hpp"

#include <array>

#include "base/without_throwing.hpp"
#include "lib/public_api.hpp"
#include "lib/text_argument.hpp"
#include "object/dataset_queries.hpp"
#include "object/mount.hpp"
#include "object/named_type.hpp"

namespace pcio {

namespace {

/// A reference to an id of the file: an existing one, or a new one where all are closed already.
Result<HandleId> reference_file_id(const FilePtr& file) {
  PCIO_TRY(take_file(*file));
  PCIO_TRY(check_open(*file));
  for (HandleId id : handles().ids(H5I_FILE)) {
    auto found = get<FileObject>(id, "id");
    if (!found || !(*found)->file || !same_opening((*found)->file, file)) continue;
    PCIO_TRY(handles().increment(id));
    return id;
  }
  return lone_file_id_for(file);
}

/// "dataset /a, group /b": what keeps a file from closing.
std::string names_of_open_objects(const FilePtr& opening) {
  std::string text;
  for (HandleId id : ids_of_opening(opening, H5F_OBJ_ALL & ~H5F_OBJ_FILE)) {
    auto object = get_any(id, "id");
    if (!object) continue;
    if (!text.empty()) text += ", ";
    text += noun_of(handles().type_of(id));
    if (auto path = (*object)->path()) text += " " + *path;
  }
  return text;
}

/// Closes every id of an object that came from an opening, however often it was referenced.
Status close_objects_of(const FilePtr& opening) {
  Status first;
  for (HandleId id : ids_of_opening(opening, H5F_OBJ_ALL & ~H5F_OBJ_FILE)) {
    std::shared_ptr<HandleObject> last;
    while (!last && handles().decrement(id, &last)) {
    }
    auto object = std::static_pointer_cast<ApiObject>(last);
    if (!object) continue;
    Status closed = object->close();
    if (first.ok()) first = std::move(closed);
  }
  return first;
}

Status close_member(const OpenObjectPtr& open) {
  // A file that was closed under its ids has nothing left to let go of.
  if (!open || !open->file().is_open()) return Status();
  // An id of an attribute has it, too, or a call that goes on with it.
  if (open.use_count() > 1) return Status();
  return open->close();
}

}  // namespace

Status FileObject::close() {
  if (!file->is_open()) return Status();
  if (is_lone && file->forget_lone_id(file)) return Status();
  std::string open_objects;
  Status ready;
  // What fails here fails the close of all ranks, which are on their way to it.
  if (file->close_degree() == CloseDegree::kStrong)
    ready = without_throwing([&] { return close_objects_of(file); });
  if (file->close_degree() == CloseDegree::kSemi && file->objects_of(file) > 0)
    // Only a text: a rank without memory for it still closes with the others.
    open_objects = PCIO_TEXT_(names_of_open_objects(file));
  return file->release_file_id(file, open_objects, ready);
}

Result<HandleId> FileObject::file_id() { return reference_file_id(file); }

Result<std::string> FileMember::path() const {
  PCIO_TRY(take_its_file());
  return known_path(*open);
}

Status FileMember::close() { return close_member(open); }
Result<HandleId> FileMember::file_id() { return reference_file_id(open->file_ptr()); }

Status TypeObject::close() { return close_member(committed); }

Result<std::string> TypeObject::path() const {
  if (!committed) return PCIO_ERROR(ARGS, BADTYPE, "this datatype is not committed to a file");
  PCIO_TRY(take_its_file());
  return known_path(*committed);
}

Status TypeObject::take_its_file() const {
  return committed ? take_file(committed->file()) : Status();
}

FilePtr TypeObject::opened_file() const { return committed ? committed->file_ptr() : nullptr; }

Result<HandleId> TypeObject::file_id() {
  if (!committed) return PCIO_ERROR(ARGS, BADTYPE, "this datatype is not committed to a file");
  return reference_file_id(committed->file_ptr());
}

Status AttributeObject::check_there() const {
  if (!deleted) return Status();
  return PCIO_ERROR(ATTR, NOTFOUND, "attribute \"" + name + "\" was deleted");
}

AttributeObject::AttributeObject(OpenObjectPtr owner, Attribute facts)
    : FileMember(std::move(owner)),
      name(std::move(facts.name)),
      cset(facts.cset),
      type(std::move(facts.type)),
      committed_type(facts.committed_type),
      space(std::move(facts.space)) {}

void lend_to_function(HandleId id) {
  const auto object = get_any(id, "id");
  if (!object) return;
  if (const auto member = std::dynamic_pointer_cast<FileMember>(*object))
    member->open->lend();
  else if (const auto type = std::dynamic_pointer_cast<TypeObject>(*object);
           type && type->committed)
    type->committed->lend();
}

Status check_open(const File& file) {
  if (file.is_open()) return Status();
  return PCIO_ERROR(FILE, BADFILE, "file " + file.path() + " is closed already");
}

Status enter_file(const File& file, const ApiObject& object, HandleId id, const char* argument) {
  PCIO_TRY(take_file(file));
  if (waited_for_file()) {
    auto found = get_any(id, argument);
    if (!found) return std::move(found.error());
    if (found->get() != &object) return Status(detail::wrong_id(id, IdType::kFile, argument));
  }
  return check_open(file);
}

Status take_files_of(std::initializer_list<HandleId> ids) {
  for (const HandleId id : ids)
    if (const auto object = get_any(id, "id")) PCIO_TRY((*object)->take_its_file());
  return Status();
}

Result<FilePtr> get_file(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get<FileObject>(id, argument));
  PCIO_TRY(enter_file(*object->file, *object, id, argument));
  return object->file;
}

namespace {

Result<FilePtr> open_file_of(const ApiObject& object, HandleId id, const char* argument) {
  FilePtr file = object.opened_file();
  if (!file)
    return PCIO_ERROR(ARGS, BADTYPE,
                      std::string("argument ") + argument + ": a " +
                          noun_of(handles().type_of(id)) + " that is not in a file");
  PCIO_TRY(enter_file(*file, object, id, argument));
  return file;
}

}  // namespace

Result<FilePtr> file_of(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get_any(id, argument));
  return open_file_of(*object, id, argument);
}

Result<FilePtr> located_file(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get_any(id, argument));
  PCIO_ASSIGN(FilePtr file, open_file_of(*object, id, argument));
  return object->opened_object() == nullptr ? top_root(root_of(file)).file : file;
}

Result<Location> location_of(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get_any(id, argument));
  PCIO_ASSIGN(FilePtr file, open_file_of(*object, id, argument));
  const OpenObject* open = object->opened_object();
  if (open == nullptr) return top_root(root_of(file));
  return Location{std::move(file), open->object(), open->path()};
}

namespace {

Status check_no_attribute(HandleId id, const char* argument) {
  if (handles().type_of(id) != H5I_ATTR) return Status();
  return PCIO_ERROR(ARGS, BADTYPE,
                    std::string("argument ") + argument + ": an attribute has no attributes");
}

}  // namespace

Result<Location> owner_of(HandleId id, const char* argument) {
  PCIO_TRY(check_no_attribute(id, argument));
  return location_of(id, argument);
}

Result<OpenObjectPtr> shared_owner_of(HandleId id, const char* argument) {
  PCIO_TRY(check_no_attribute(id, argument));
  PCIO_ASSIGN(auto object, get_any(id, argument));
  const OpenObjectPtr* const open = object->opened();
  if (open == nullptr || !*open) return OpenObjectPtr();
  PCIO_TRY(enter_file((*open)->file(), *object, id, argument));
  return (*open)->may_be_shared() ? *open : nullptr;
}

Result<Location> object_in(const Location& from, const char* name, const LinkAccessProps& access) {
  PCIO_ASSIGN(std::string text, text_argument(name, "name"));
  return find_object(from, text, access);
}

Result<Location> object_at(HandleId loc_id, const char* name, HandleId lapl_id) {
  PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
  PCIO_ASSIGN(auto access, props_or_default<LinkAccessProps>(lapl_id, "lapl_id"));
  return object_in(at, name, *access);
}

Result<LinkPlace> place_at(HandleId loc_id, const char* name, HandleId lapl_id) {
  PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
  PCIO_ASSIGN(std::string text, text_argument(name, "name"));
  PCIO_ASSIGN(auto access, props_or_default<LinkAccessProps>(lapl_id, "lapl_id"));
  return find_place(at, text, *access);
}

Result<Location> linked_object(const LinkPlace& place, HandleId lapl_id) {
  PCIO_ASSIGN(auto access, props_or_default<LinkAccessProps>(lapl_id, "lapl_id"));
  return find_object(place.group, place.name, *access);
}

std::string full_name(const Location& at, const char* name) {
  std::string_view text = name == nullptr || *name == '\0' ? "?" : name;
  if (text.front() == '/') return std::string(text);
  if (text == ".") return at.path;
  if (at.path.empty() || at.path.back() == '/') return at.path + std::string(text);
  return at.path + "/" + std::string(text);
}

OpenObjectPtr open_location(const Location& at) {
  return std::make_shared<OpenObject>(at.file, at.object, at.path);
}

namespace {

/// `count() -> void`: counts the id among those of the file.
template <class Count>
Result<HandleId> counted_file_id(std::shared_ptr<FileObject> object, Count&& count) {
  PCIO_ASSIGN(const HandleId id, register_object(std::move(object)));
  if (Status counted = without_throwing([&] {
        count();
        return Status();
      });
      !counted.ok()) {
    std::shared_ptr<HandleObject> last;
    static_cast<void>(handles().decrement(id, &last));
    return detail::StatusReturn(std::move(counted));
  }
  return id;
}

}  // namespace

Result<HandleId> file_id_for(const FilePtr& file, std::string_view path) {
  return counted_file_id(std::make_shared<FileObject>(file),
                         [&] { file->add_file_id(file, path); });
}

Result<HandleId> lone_file_id_for(const FilePtr& file) {
  auto object = std::make_shared<FileObject>(file);
  object->is_lone = true;
  return counted_file_id(std::move(object), [&] { file->add_lone_id(file); });
}

NewFileId::~NewFileId() {
  std::shared_ptr<HandleObject> last;
  if (object_) static_cast<void>(handles().decrement(id_, &last));
}

Status NewFileId::prepare() {
  return without_throwing([&]() -> Status {
    auto made = std::make_shared<FileObject>(nullptr);
    PCIO_ASSIGN(id_, register_object(made));
    object_ = std::move(made);
    return Status();
  });
}

HandleId NewFileId::give(FilePtr file) noexcept {
  std::exchange(object_, nullptr)->file = std::move(file);
  return id_;
}

namespace {

Status check_kind(const Location& at, ObjectKind wanted) {
  static constexpr std::array<const char*, 3> kNouns = {"a group", "a dataset",
                                                        "a committed datatype"};
  ObjectKind kind = at.kind();
  if (kind == wanted) return Status();
  std::string is = kind == ObjectKind::kUnknown ? "an object of unknown kind"
                                                : kNouns[static_cast<std::size_t>(kind)];
  return PCIO_ERROR(
      OHDR, BADTYPE,
      "\"" + at.path + "\" is " + is + ", not " + kNouns[static_cast<std::size_t>(wanted)]);
}

}  // namespace

Result<HandleId> group_id_for(const Location& at) {
  PCIO_TRY(check_kind(at, ObjectKind::kGroup));
  return make_id<GroupObject>(open_location(at));
}

Result<HandleId> dataset_id_for(const Location& at, const DatasetAccessProps& access) {
  PCIO_TRY(check_kind(at, ObjectKind::kDataset));
  PCIO_TRY(begin_use(at, access));
  return make_id<DatasetObject>(open_location(at), access);
}

Result<HandleId> named_type_id_for(const Location& at) {
  PCIO_TRY(check_kind(at, ObjectKind::kNamedType));
  PCIO_ASSIGN(Datatype type, named_type(at));
  auto object = std::make_shared<TypeObject>(type.memory_form(), TypeObject::State::kNamed);
  object->committed = open_location(at);
  return register_object(std::move(object));
}

namespace {

/// What a list given for an object of any kind says about datasets.
DatasetAccessProps dataset_access_of(HandleId lapl_id) {
  if (lapl_id == H5P_DEFAULT) return {};
  auto access = props_or_default<DatasetAccessProps>(lapl_id, "lapl_id");
  return access ? **access : DatasetAccessProps();
}

}  // namespace

Result<HandleId> object_id_for(const Location& at, HandleId lapl_id) {
  switch (at.kind()) {
    case ObjectKind::kGroup: return group_id_for(at);
    case ObjectKind::kDataset: return dataset_id_for(at, dataset_access_of(lapl_id));
    case ObjectKind::kNamedType: return named_type_id_for(at);
    default:
      return PCIO_ERROR(OHDR, BADTYPE,
                        "\"" + at.path + "\" is neither group, dataset nor datatype");
  }
}

Result<HandleId> type_id_for(const FilePtr& file, const StoredType& stored) {
  if (stored.committed == kUndefinedAddress) return make_id<TypeObject>(stored.type.memory_form());
  PCIO_ASSIGN(Location committed, object_at_address(file, stored.committed));
  return named_type_id_for(committed);
}

namespace {

/// A type of the program's own, in no file. Predefined and locked ones are nobody's, as in libhdf5.
bool is_transient_type(HandleId id) {
  const auto type = get<TypeObject>(id, "id");
  return type && (*type)->state == TypeObject::State::kTransient;
}

/// Ids of objects whose file `belongs(FilePtr) -> bool`, and, where that takes no file as well, of transient types.
template <class Belongs>
std::vector<HandleId> ids_where(unsigned kinds, Belongs&& belongs) {
  static constexpr std::array<std::pair<unsigned, unsigned>, 5> kKinds = {{
      {H5F_OBJ_FILE, H5I_FILE},
      {H5F_OBJ_DATASET, H5I_DATASET},
      {H5F_OBJ_GROUP, H5I_GROUP},
      {H5F_OBJ_DATATYPE, H5I_DATATYPE},
      {H5F_OBJ_ATTR, H5I_ATTR},
  }};
  std::vector<HandleId> found;
  for (auto [bit, id_type] : kKinds) {
    if ((kinds & bit) == 0) continue;
    for (HandleId id : handles().ids(id_type)) {
      auto object = get_any(id, "id");
      FilePtr of = object ? (*object)->opened_file() : nullptr;
      const bool counts = of ? of->is_open() : id_type == H5I_DATATYPE && is_transient_type(id);
      if (counts && belongs(of)) found.push_back(id);
    }
  }
  return found;
}

}  // namespace

std::vector<HandleId> ids_of_file(const File* file, unsigned kinds) {
  return ids_where(kinds, [&](const FilePtr& of) { return file == nullptr || of.get() == file; });
}

std::vector<HandleId> ids_of_opening(const FilePtr& opening, unsigned kinds) {
  return ids_where(kinds, [&](const FilePtr& of) { return of && same_opening(of, opening); });
}

}  // namespace pcio
