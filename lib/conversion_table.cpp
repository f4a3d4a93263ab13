// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the table of conversion functions, out of line.

#include "lib/conversion_table.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "lib/library.hpp"
#include "lib/type_conversion.hpp"
#include "type/convert.hpp"

namespace pcio {

namespace {

using PathPtr = std::shared_ptr<ConversionPath>;

struct SoftFunction {
  std::string name;
  TypeClass source;
  TypeClass destination;
  H5T_conv_t function;
};

/// Threads: under the library's lock, which functions may give up while they are asked.
struct Table {
  std::vector<SoftFunction> soft;  ///< the last one is asked first
  std::vector<PathPtr> paths;
  std::atomic<bool> any_foreign{false};
};

Table& conversion_table() {
  static auto* made = new Table;
  return *made;
}

/// One call of a path's function without elements.
bool command(ConversionPath& path, H5T_cmd_t what, hid_t source, hid_t destination) {
  path.data.command = what;
  return path.function(source, destination, &path.data, 0, 0, 0, nullptr, nullptr,
                       H5P_LST_DATASET_XFER_ID_g) >= 0;
}

bool init(ConversionPath& path) {
  const TemporaryType source(path.source);
  const TemporaryType destination(path.destination);
  path.data = {};
  return command(path, H5T_CONV_INIT, source.id(), destination.id());
}

void free_path(ConversionPath& path) {
  if (path.foreign()) command(path, H5T_CONV_FREE, H5I_INVALID_HID, H5I_INVALID_HID);
}

PathPtr known_path(const Datatype& source, const Datatype& destination) {
  for (const PathPtr& path : conversion_table().paths)
    if (path->source == source && path->destination == destination) return path;
  return nullptr;
}

/// Takes the place of what was known for the pair.
void put_path(PathPtr path) {
  auto& paths = conversion_table().paths;
  const auto old = std::find_if(paths.begin(), paths.end(), [&](const PathPtr& p) {
    return p->source == path->source && p->destination == path->destination;
  });
  if (old == paths.end()) {
    paths.push_back(std::move(path));
    return;
  }
  free_path(**old);
  *old = std::move(path);
}

bool is_for(const SoftFunction& soft, const ConversionPath& path) {
  return soft.source == path.source.type_class() &&
         soft.destination == path.destination.type_class();
}

/// A path of the soft function, if it wants the pair.
PathPtr asked(const SoftFunction& soft, const Datatype& source, const Datatype& destination) {
  auto path = std::make_shared<ConversionPath>();
  path->source = source;
  path->destination = destination;
  path->function = soft.function;
  path->name = soft.name;
  return init(*path) ? path : nullptr;
}

/// Nobody but the library; also where it has no way, so that functions are not asked again.
PathPtr library_path(const Datatype& source, const Datatype& destination) {
  auto path = std::make_shared<ConversionPath>();
  path->source = source;
  path->destination = destination;
  path->function = library_conversion;
  path->hard = is_compiler_conversion(source, destination);
  return path;
}

PathPtr make_path(const Datatype& source, const Datatype& destination) {
  PathPtr path = library_path(source, destination);
  if (path->hard || source == destination) return path;
  // Functions may register others while they are asked.
  const std::vector<SoftFunction> functions = conversion_table().soft;
  for (auto soft = functions.rbegin(); soft != functions.rend(); ++soft) {
    if (!is_for(*soft, *path)) continue;
    if (PathPtr taken = asked(*soft, source, destination)) return taken;
  }
  return path;
}

PathPtr path_of(const Datatype& source, const Datatype& destination) {
  if (PathPtr path = known_path(source, destination)) return path;
  PathPtr path = make_path(source, destination);
  put_path(path);
  return path;
}

void recalculate_all() {
  for (const PathPtr& path : conversion_table().paths) path->data.recalc = true;
}

/// At the end of the library: functions free what they keep.
void free_all() {
  std::vector<PathPtr> paths;
  paths.swap(conversion_table().paths);
  conversion_table().soft.clear();
  conversion_table().any_foreign.store(false);
  for (const PathPtr& path : paths) free_path(*path);
}

class PathConversion final : public ForeignConversion {
 public:
  /// The function is told the types of the call: equal types, to which a path belongs, may differ in the
  /// character set of variable-length strings.
  PathConversion(PathPtr path, const Datatype& source, const Datatype& destination, hid_t list_id)
      : path_(std::move(path)), source_(source), destination_(destination), list_id_(list_id) {}

  [[nodiscard]] bool needs_background() const override {
    return path_->data.need_bkg == H5T_BKG_YES;
  }

  Status run(std::byte* buffer, std::byte* background, std::size_t n) const override {
    const TemporaryType source(source_);
    const TemporaryType destination(destination_);
    path_->data.command = H5T_CONV_CONV;
    if (path_->function(source.id(), destination.id(), &path_->data, n, 0, 0, buffer, background,
                        list_id_) < 0)
      return PCIO_ERROR(DATATYPE, CANTCONVERT,
                        "the program's conversion function \"" + path_->name + "\" failed");
    return Status();
  }

 private:
  PathPtr path_;
  Datatype source_;
  Datatype destination_;
  hid_t list_id_;
};

class TableConversions final : public ForeignConversions {
 public:
  explicit TableConversions(hid_t list_id) : list_id_(list_id) {}

  std::shared_ptr<const ForeignConversion> find(const Datatype& source,
                                                const Datatype& destination) override {
    PathPtr path = path_of(source, destination);
    if (!path->foreign()) return nullptr;
    return std::make_shared<PathConversion>(std::move(path), source, destination, list_id_);
  }

 private:
  hid_t list_id_;
};

bool matches(const ConversionPattern& pattern, const ConversionPath& path) {
  return path.foreign() && (!pattern.hard || *pattern.hard == path.hard) &&
         (pattern.name.empty() || pattern.name == path.name) &&
         (!pattern.source || *pattern.source == path.source) &&
         (!pattern.destination || *pattern.destination == path.destination) &&
         (pattern.function == nullptr || pattern.function == path.function);
}

bool matches(const ConversionPattern& pattern, const SoftFunction& soft) {
  return (!pattern.hard || !*pattern.hard) && (pattern.name.empty() || pattern.name == soft.name) &&
         (!pattern.source || pattern.source->type_class() == soft.source) &&
         (!pattern.destination || pattern.destination->type_class() == soft.destination) &&
         (pattern.function == nullptr || pattern.function == soft.function);
}

Status register_hard(const ConversionPath& wanted) {
  auto path = std::make_shared<ConversionPath>(wanted);
  // Accepted and of no effect, as in libhdf5.
  if (path->source == path->destination) return Status();
  if (!init(*path))
    return PCIO_ERROR(DATATYPE, CANTINIT, "argument func: the function refuses this pair of types");
  put_path(path);
  for (const PathPtr& other : conversion_table().paths)
    if (other != path) other->data.recalc = true;
  return Status();
}

/// Goes before the soft functions of all paths that are known.
void register_soft(const ConversionPath& wanted) {
  const SoftFunction soft{wanted.name, wanted.source.type_class(), wanted.destination.type_class(),
                          wanted.function};
  conversion_table().soft.push_back(soft);
  const std::vector<PathPtr> known = conversion_table().paths;
  for (const PathPtr& path : known) {
    if (path->hard || path->source == path->destination || !is_for(soft, *path)) continue;
    if (PathPtr taken = asked(soft, path->source, path->destination)) put_path(std::move(taken));
  }
}

}  // namespace

bool ConversionPath::foreign() const { return function != library_conversion; }

Status register_conversion(const ConversionPath& path) {
  at_library_close(free_all);
  conversion_table().any_foreign.store(true);
  if (path.hard) return register_hard(path);
  register_soft(path);
  return Status();
}

void unregister_conversions(const ConversionPattern& pattern) {
  auto& soft = conversion_table().soft;
  std::vector<H5T_conv_t> gone;
  for (const SoftFunction& function : soft)
    if (matches(pattern, function)) gone.push_back(function.function);
  std::erase_if(soft, [&](const SoftFunction& function) { return matches(pattern, function); });
  std::vector<PathPtr> kept;
  std::vector<PathPtr> freed;
  for (const PathPtr& path : conversion_table().paths) {
    const bool orphan = !path->hard && path->foreign() &&
                        std::find(gone.begin(), gone.end(), path->function) != gone.end();
    (matches(pattern, *path) || orphan ? freed : kept).push_back(path);
  }
  conversion_table().paths.swap(kept);
  for (const PathPtr& path : freed) free_path(*path);
  if (!freed.empty()) recalculate_all();
}

Result<PathPtr> find_conversion_path(const Datatype& source, const Datatype& destination) {
  PathPtr path = path_of(source, destination);
  if (path->foreign()) return path;
  SequenceMemory memory;
  ConvertOptions options;
  options.sequences.memory = &memory;
  options.foreign = foreign_conversions(H5P_DEFAULT);
  PCIO_ASSIGN(const Conversion way, Conversion::make(source, destination, options));
  path->data.need_bkg = way.leaves_gaps() ? H5T_BKG_YES : H5T_BKG_NO;
  return path;
}

std::shared_ptr<ForeignConversions> foreign_conversions(hid_t list_id) {
  if (!conversion_table().any_foreign.load()) return nullptr;
  return std::make_shared<TableConversions>(list_id == H5P_DEFAULT ? H5P_LST_DATASET_XFER_ID_g
                                                                   : list_id);
}

}  // namespace pcio
