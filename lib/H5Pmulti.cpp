// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: file access lists of the multi driver, and of the split one, which is a multi driver
// with two files.

#include <cstring>
#include <memory>

#include "lib/driver_ids.hpp"
#include "lib/object_handles.hpp"
#include "lib/property_access.hpp"
#include "props/composed_drivers.hpp"

using namespace pcio;

namespace {

constexpr std::size_t kUses = MultiSettings::kUses;
static_assert(kUses == H5FD_MEM_NTYPES && int{MultiSettings::kOhdr} == H5FD_MEM_OHDR);

std::string use_text(std::size_t use) { return "[" + std::to_string(use) + "]"; }

Status take_map(const H5FD_mem_t* map, MultiSettings* settings) {
  for (std::size_t use = 0; map != nullptr && use < kUses; ++use) {
    if (map[use] < H5FD_MEM_DEFAULT || map[use] >= H5FD_MEM_NTYPES)
      return PCIO_ERROR(ARGS, BADRANGE,
                        "argument memb_map" + use_text(use) + ": " + std::to_string(map[use]) +
                            " is no kind of data");
    settings->map[use] = static_cast<std::uint8_t>(map[use]);
  }
  return Status();
}

/// Of what no kind of data has anything may be given.
bool has_file(const MultiSettings& settings, std::size_t file) {
  for (std::size_t use = 0; use < kUses; ++use)
    if (settings.file_of(use) == file) return true;
  return false;
}

Status take_lists(const hid_t* lists, MultiSettings* settings) {
  for (std::size_t use = 0; lists != nullptr && use < kUses; ++use) {
    auto list = props_or_default<FileAccessProps>(lists[use], "memb_fapl");
    settings->members[use].reset();
    if (list)
      settings->members[use] = (*list)->driver;
    else if (has_file(*settings, use))
      return detail::to_status(std::move(list));
  }
  return Status();
}

Status take_names(const char* const* names, MultiSettings* settings) {
  for (std::size_t use = 0; names != nullptr && use < kUses; ++use) {
    const bool given = names[use] != nullptr && names[use][0] != '\0';
    if (!given && has_file(*settings, use))
      return PCIO_ERROR(ARGS, BADVALUE, "argument memb_name" + use_text(use) + ": no name");
    settings->names[use] = given ? names[use] : "";
  }
  return Status();
}

/// An ending, or a name with %s for that of the whole.
std::string split_name(const char* ext, const char* usual) {
  if (ext == nullptr) return std::string("%s") + usual;
  return std::strstr(ext, "%s") != nullptr ? ext : std::string("%s") + ext;
}

Result<std::unique_ptr<MultiSettings>> split_settings(const char* meta_ext, hid_t meta_list,
                                                      const char* raw_ext, hid_t raw_list) {
  auto settings = std::make_unique<MultiSettings>();
  settings->map.fill(MultiSettings::kSuper);
  settings->map[MultiSettings::kDraw] = settings->map[MultiSettings::kGheap] = MultiSettings::kDraw;
  settings->members.fill(std::nullopt);
  settings->names.fill("");
  settings->addresses.fill(HADDR_UNDEF);
  PCIO_ASSIGN(auto meta, props_or_default<FileAccessProps>(meta_list, "meta_plist_id"));
  PCIO_ASSIGN(auto raw, props_or_default<FileAccessProps>(raw_list, "raw_plist_id"));
  settings->members[MultiSettings::kSuper] = meta->driver;
  settings->members[MultiSettings::kDraw] = raw->driver;
  settings->names[MultiSettings::kSuper] = split_name(meta_ext, ".meta");
  settings->names[MultiSettings::kDraw] = split_name(raw_ext, ".raw");
  settings->addresses[MultiSettings::kSuper] = 0;
  settings->addresses[MultiSettings::kDraw] = HADDR_MAX / 2;
  settings->relax = true;
  return settings;
}

/// Of what was never given: no list, no name.
Status give_members(const MultiSettings& settings, hid_t* lists, char** names) {
  for (std::size_t use = 0; use < kUses; ++use) {
    if (names != nullptr)
      names[use] = settings.names[use].empty() ? nullptr : ::strdup(settings.names[use].c_str());
    if (lists == nullptr) continue;
    lists[use] = H5I_INVALID_HID;
    if (!settings.members[use]) continue;
    FileAccessProps member;
    member.driver = *settings.members[use];
    PCIO_ASSIGN(lists[use], property_list_id_for(member));
  }
  return Status();
}

}  // namespace

herr_t H5Pset_fapl_multi(hid_t fapl_id, const H5FD_mem_t* memb_map, const hid_t* memb_fapl,
                         const char* const* memb_name, const haddr_t* memb_addr, hbool_t relax) {
  return set_props<FileAccessProps>(
      "H5Pset_fapl_multi", {fapl_id, "fapl_id"}, [&](FileAccessProps& props) -> Status {
        auto settings = std::make_unique<MultiSettings>();
        PCIO_TRY(take_map(memb_map, settings.get()));
        PCIO_TRY(take_lists(memb_fapl, settings.get()));
        PCIO_TRY(take_names(memb_name, settings.get()));
        for (std::size_t use = 0; memb_addr != nullptr && use < kUses; ++use)
          settings->addresses[use] = memb_addr[use];
        settings->relax = relax;
        props.driver = DriverChoice(std::move(settings));
        return Status();
      });
}

herr_t H5Pget_fapl_multi(hid_t fapl_id, H5FD_mem_t* memb_map, hid_t* memb_fapl, char** memb_name,
                         haddr_t* memb_addr, hbool_t* relax) {
  return get_props<FileAccessProps>(
      "H5Pget_fapl_multi", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        const auto* multi = dynamic_cast<const MultiSettings*>(&props.driver.value());
        if (multi == nullptr)
          return PCIO_ERROR(PLIST, BADVALUE, "argument fapl_id: the list asks for another driver");
        for (std::size_t use = 0; use < kUses; ++use) {
          if (memb_map != nullptr) memb_map[use] = static_cast<H5FD_mem_t>(multi->map[use]);
          if (memb_addr != nullptr) memb_addr[use] = multi->addresses[use];
        }
        store(relax, multi->relax);
        return give_members(*multi, memb_fapl, memb_name);
      });
}

herr_t H5Pset_fapl_split(hid_t fapl, const char* meta_ext, hid_t meta_plist_id, const char* raw_ext,
                         hid_t raw_plist_id) {
  return set_props<FileAccessProps>(
      "H5Pset_fapl_split", {fapl, "fapl"}, [&](FileAccessProps& props) -> Status {
        PCIO_ASSIGN(auto settings, split_settings(meta_ext, meta_plist_id, raw_ext, raw_plist_id));
        props.driver = DriverChoice(std::move(settings));
        return Status();
      });
}
