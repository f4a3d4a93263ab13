// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: everything parallel in property lists: the MPI drivers, collective transfer
// and its results, collective metadata.

#include "base/without_throwing.hpp"
#include "driver/mpi_settings.hpp"
#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

// ---- drivers -----------------------------------------------------------------------------------

// The communicator is duplicated, which all its ranks do together, before the list is looked at: a
// rank with a bad list must not leave the others waiting. What needs memory comes before: then all
// ranks have the driver in their lists, or none.

namespace {

/// Puts `create(ready) -> Result<Settings>` into the list. Collective: as create.
template <class Settings, class Create>
Status choose_driver(hid_t fapl_id, Create&& create) {
  std::unique_ptr<Settings> settings;
  const Status ready = without_throwing([&] {
    settings = std::make_unique<Settings>();
    return Status();
  });
  PCIO_ASSIGN(*settings, create(ready));
  PCIO_ASSIGN(auto list, changeable_list<FileAccessProps>(fapl_id, "fapl_id"));
  list.values->driver = DriverChoice(std::move(settings));
  note_setter(*list.object, "H5Pset_driver");
  return Status();
}

}  // namespace

herr_t H5Pset_fapl_mpio(hid_t fapl_id, MPI_Comm comm, MPI_Info info) {
  return api_status("H5Pset_fapl_mpio", [&]() -> Status {
    return choose_driver<MpioSettings>(
        fapl_id, [&](const Status& ready) { return MpioSettings::create(comm, info, ready); });
  });
}

// The caller frees what it gets: both are duplicates.
herr_t H5Pget_fapl_mpio(hid_t fapl_id, MPI_Comm* comm, MPI_Info* info) {
  return get_props<FileAccessProps>(
      "H5Pget_fapl_mpio", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        const auto* mpio = dynamic_cast<const MpioSettings*>(props.driver.get());
        if (mpio == nullptr)
          return PCIO_ERROR(PLIST, BADVALUE, "the list asks for another driver than MPI-IO");
        if (comm != nullptr) {
          PCIO_ASSIGN(*comm, mpio->duplicate_comm());
        }
        if (info != nullptr) {
          PCIO_ASSIGN(*info, mpio->duplicate_info());
        }
        return Status();
      });
}

// The GPFS flag is a hint without effect here, kept for its getter.
herr_t H5Pset_fapl_mpiposix(hid_t fapl_id, MPI_Comm comm, hbool_t use_gpfs) {
  return api_status("H5Pset_fapl_mpiposix", [&]() -> Status {
    PCIO_TRY(choose_driver<MpiposixSettings>(
        fapl_id, [&](const Status& ready) { return MpiposixSettings::create(comm, ready); }));
    PCIO_ASSIGN(auto props, changeable_props<FileAccessProps>(fapl_id, "fapl_id"));
    props->gpfs_hint = use_gpfs;
    return Status();
  });
}

herr_t H5Pget_fapl_mpiposix(hid_t fapl_id, MPI_Comm* comm, hbool_t* use_gpfs) {
  return get_props<FileAccessProps>(
      "H5Pget_fapl_mpiposix", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        const auto* posix = dynamic_cast<const MpiposixSettings*>(props.driver.get());
        if (posix == nullptr)
          return PCIO_ERROR(PLIST, BADVALUE, "the list asks for another driver than MPI-POSIX");
        store(use_gpfs, props.gpfs_hint);
        if (comm != nullptr) {
          PCIO_ASSIGN(*comm, posix->duplicate_comm());
        }
        return Status();
      });
}

// ---- collective metadata
// -------------------------------------------------------------------------

namespace {

/// Calls `use` with the flag in a file access or link access list (and lists derived from it).
template <class Props, class Use>
bool with_metadata_flag(hid_t id, Use use, Status* status) {
  auto list = changeable_list<Props>(id, "plist_id");
  if (!list) {
    *status = std::move(list.error());
    return false;
  }
  use(list->values->all_collective_metadata_reads);
  note_setter(*list->object, "H5Pset_all_coll_metadata_ops");
  return true;
}

}  // namespace

herr_t H5Pset_all_coll_metadata_ops(hid_t plist_id, hbool_t is_collective) {
  return api_status("H5Pset_all_coll_metadata_ops", [&]() -> Status {
    Status status;
    auto set = [&](bool& flag) { flag = is_collective; };
    if (with_metadata_flag<FileAccessProps>(plist_id, set, &status)) return Status();
    if (with_metadata_flag<LinkAccessProps>(plist_id, set, &status)) return Status();
    return status;
  });
}

herr_t H5Pget_all_coll_metadata_ops(hid_t plist_id, hbool_t* is_collective) {
  return api_status("H5Pget_all_coll_metadata_ops", [&]() -> Status {
    if (auto file = props_of<FileAccessProps>(plist_id, "plist_id")) {
      store(is_collective, (*file)->all_collective_metadata_reads);
      return Status();
    }
    PCIO_ASSIGN(auto link, props_of<LinkAccessProps>(plist_id, "plist_id"));
    store(is_collective, link->all_collective_metadata_reads);
    return Status();
  });
}

herr_t H5Pset_coll_metadata_write(hid_t plist_id, hbool_t is_collective) {
  return set_props<FileAccessProps>("H5Pset_coll_metadata_write", plist_id, [&](auto& props) {
    props.collective_metadata_writes = is_collective;
  });
}

herr_t H5Pget_coll_metadata_write(hid_t plist_id, hbool_t* is_collective) {
  return get_props<FileAccessProps>("H5Pget_coll_metadata_write", plist_id, [&](auto& props) {
    store(is_collective, props.collective_metadata_writes);
  });
}

// ---- what a transfer is asked for
// ------------------------------------------------------------------

using Transfer = TransferProps;

herr_t H5Pset_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t xfer_mode) {
  return set_props<Transfer>(
      "H5Pset_dxpl_mpio", {dxpl_id, "dxpl_id"}, [&](Transfer& props) -> Status {
        if (!is_between(xfer_mode, H5FD_MPIO_INDEPENDENT, H5FD_MPIO_COLLECTIVE))
          return PCIO_ERROR(ARGS, BADVALUE,
                            "argument xfer_mode: neither independent nor collective");
        props.mode = static_cast<TransferMode>(xfer_mode);
        return Status();
      });
}

herr_t H5Pget_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t* xfer_mode) {
  return get_props<Transfer>("H5Pget_dxpl_mpio", {dxpl_id, "dxpl_id"},
                             [&](const Transfer& props) { store(xfer_mode, props.mode); });
}

herr_t H5Pset_dxpl_mpio_collective_opt(hid_t dxpl_id, H5FD_mpio_collective_opt_t opt_mode) {
  return set_props<Transfer>(
      "H5Pset_dxpl_mpio_collective_opt", {dxpl_id, "dxpl_id"}, [&](Transfer& props) -> Status {
        if (!is_between(opt_mode, H5FD_MPIO_COLLECTIVE_IO, H5FD_MPIO_INDIVIDUAL_IO))
          return PCIO_ERROR(ARGS, BADVALUE, "argument opt_mode: no such optimization");
        props.collective_opt = static_cast<CollectiveOpt>(opt_mode);
        return Status();
      });
}

herr_t pcio_get_dxpl_mpio_collective_opt(hid_t dxpl_id, H5FD_mpio_collective_opt_t* opt_mode) {
  return get_props<Transfer>("pcio_get_dxpl_mpio_collective_opt", {dxpl_id, "dxpl_id"},
                             [&](const Transfer& props) { store(opt_mode, props.collective_opt); });
}

namespace {

bool is_chunk_opt(const H5FD_mpio_chunk_opt_t& mode) {
  switch (number_of(mode)) {
    case H5FD_MPIO_CHUNK_DEFAULT:
    case H5FD_MPIO_CHUNK_ONE_IO:
    case H5FD_MPIO_CHUNK_MULTI_IO:
    case H5FD_MPIO_COLL_CHUNK_ATONCE_IO:
    case H5FD_MPIO_ALL_CHUNK_IND_IO:
    case PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO: return true;
  }
  return false;
}

}  // namespace

herr_t H5Pset_dxpl_mpio_chunk_opt(hid_t dxpl_id, H5FD_mpio_chunk_opt_t opt_mode) {
  return set_props<Transfer>(
      "H5Pset_dxpl_mpio_chunk_opt", {dxpl_id, "dxpl_id"}, [&](Transfer& props) -> Status {
        if (!is_chunk_opt(opt_mode))
          return PCIO_ERROR(ARGS, BADVALUE, "argument opt_mode: no such optimization");
        props.chunk_opt = static_cast<ChunkOpt>(opt_mode);
        return Status();
      });
}

herr_t pcio_get_dxpl_mpio_chunk_opt(hid_t dxpl_id, H5FD_mpio_chunk_opt_t* opt_mode) {
  return get_props<Transfer>("pcio_get_dxpl_mpio_chunk_opt", {dxpl_id, "dxpl_id"},
                             [&](const Transfer& props) { store(opt_mode, props.chunk_opt); });
}

herr_t H5Pset_dxpl_mpio_chunk_opt_num(hid_t dxpl_id, unsigned num_chunk_per_proc) {
  return set_props<Transfer>("H5Pset_dxpl_mpio_chunk_opt_num", {dxpl_id, "dxpl_id"},
                             [&](Transfer& props) -> Status {
                               props.chunk_opt_num = num_chunk_per_proc;
                               return Status();
                             });
}

herr_t pcio_get_dxpl_mpio_chunk_opt_num(hid_t dxpl_id, unsigned* num_chunk_per_proc) {
  return get_props<Transfer>(
      "pcio_get_dxpl_mpio_chunk_opt_num", {dxpl_id, "dxpl_id"},
      [&](const Transfer& props) { store(num_chunk_per_proc, props.chunk_opt_num); });
}

herr_t H5Pset_dxpl_mpio_chunk_opt_ratio(hid_t dxpl_id, unsigned percent_num_proc_per_chunk) {
  return set_props<Transfer>(
      "H5Pset_dxpl_mpio_chunk_opt_ratio", {dxpl_id, "dxpl_id"}, [&](Transfer& props) -> Status {
        if (percent_num_proc_per_chunk > 100)
          return PCIO_ERROR(ARGS, BADRANGE, "argument percent_num_proc_per_chunk is over 100");
        props.chunk_opt_ratio = percent_num_proc_per_chunk;
        return Status();
      });
}

herr_t pcio_get_dxpl_mpio_chunk_opt_ratio(hid_t dxpl_id, unsigned* percent_num_proc_per_chunk) {
  return get_props<Transfer>(
      "pcio_get_dxpl_mpio_chunk_opt_ratio", {dxpl_id, "dxpl_id"},
      [&](const Transfer& props) { store(percent_num_proc_per_chunk, props.chunk_opt_ratio); });
}

// ---- what a transfer did
// ---------------------------------------------------------------------------

herr_t H5Pget_mpio_actual_chunk_opt_mode(hid_t plist_id,
                                         H5D_mpio_actual_chunk_opt_mode_t* actual_chunk_opt_mode) {
  return get_props<Transfer>(
      "H5Pget_mpio_actual_chunk_opt_mode", plist_id,
      [&](const Transfer& props) { store(actual_chunk_opt_mode, props.report.chunk_opt); });
}

herr_t H5Pget_mpio_actual_io_mode(hid_t plist_id, H5D_mpio_actual_io_mode_t* actual_io_mode) {
  return get_props<Transfer>("H5Pget_mpio_actual_io_mode", plist_id, [&](const Transfer& props) {
    store(actual_io_mode, props.report.io_mode);
  });
}

herr_t H5Pget_mpio_no_collective_cause(hid_t plist_id, uint32_t* local_no_collective_cause,
                                       uint32_t* global_no_collective_cause) {
  return get_props<Transfer>("H5Pget_mpio_no_collective_cause", plist_id,
                             [&](const Transfer& props) {
                               store(local_no_collective_cause, props.report.local_causes);
                               store(global_no_collective_cause, props.report.global_causes);
                             });
}
