// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room sim: MPI's datatypes, infos and files of simulated ranks. Files are in memory, or where the program says; an
// empty file on the disk stands for each, so that it can be looked at by name. Each rank names it by a path
// of its own (one folder a rank), because a process knows a file that it has open already.
//
// Source: MPI 3.1, chapters 4 (Datatypes), 9 (Info), 13 (I/O).

#include <mpi.h>

#if defined(OPEN_MPI)

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/sim_state.hpp"

namespace pcio::sim {

namespace {

struct SimBlock {
  std::size_t offset;
  std::size_t bytes;
};
struct SimType {
  std::vector<SimBlock> blocks;  // in order of the typemap
  std::size_t extent = 0;
  [[nodiscard]] std::size_t size() const {
    std::size_t sum = 0;
    for (const SimBlock& block : blocks) sum += block.bytes;
    return sum;
  }
  void add(const SimType& other, std::size_t at) {
    for (const SimBlock& block : other.blocks) {
      const std::size_t offset = at + block.offset;
      if (!blocks.empty() && blocks.back().offset + blocks.back().bytes == offset)
        blocks.back().bytes += block.bytes;
      else
        blocks.push_back({offset, block.bytes});
    }
    extent = std::max(extent, at + other.extent);
  }
};

SimType type_of(MPI_Datatype type) {
  if (type == MPI_BYTE) return {{{0, 1}}, 1};
  if (type == MPI_UINT64_T || type == MPI_INT64_T) return {{{0, 8}}, 8};
  return *reinterpret_cast<SimType*>(type);
}

int give(SimType made, MPI_Datatype* type) {
  ++sim_world()->alive["datatypes"];
  *type = reinterpret_cast<MPI_Datatype>(new SimType(std::move(made)));
  return MPI_SUCCESS;
}

struct SimInfo {
  std::map<std::string, std::string> values;
};
SimInfo* info_of(MPI_Info info) { return reinterpret_cast<SimInfo*>(info); }
int give_info(SimInfo made, MPI_Info* info) {
  ++sim_world()->alive["infos"];
  *info = reinterpret_cast<MPI_Info>(new SimInfo(std::move(made)));
  return MPI_SUCCESS;
}

/// One rank's handle.
struct SimFile {
  SimComm* comm;
  SimDisk* disk;
  std::size_t displacement = 0;
  SimType view{{{0, 1}}, 1};
  int atomic = 0;
};
SimFile* file_of(MPI_File file) { return reinterpret_cast<SimFile*>(file); }

void set_moved(MPI_Status* status, std::size_t bytes) {
  if (status != MPI_STATUS_IGNORE)
    MPI_Status_set_elements(status, MPI_BYTE, static_cast<int>(bytes));
}

/// Calls visit(offset in the file, offset in `bytes`, length) for the stream of `bytes` bytes that the view
/// shows from its byte `start` on.
template <class F>
void for_each_in_view(const SimFile& file, std::size_t start, std::size_t bytes, F&& visit) {
  const std::size_t per_tile = std::max<std::size_t>(file.view.size(), 1);
  std::size_t tile = start / per_tile, skip = start % per_tile, done = 0;
  for (; done < bytes; ++tile, skip = 0)
    for (const SimBlock& block : file.view.blocks) {
      const std::size_t over = std::min(skip, block.bytes);
      skip -= over;
      const std::size_t length = std::min(block.bytes - over, bytes - done);
      if (length == 0) continue;
      visit(file.displacement + tile * file.view.extent + block.offset + over, done, length);
      done += length;
    }
}

/// The memory's bytes as one piece, and back.
template <class F>
void for_each_in_memory(int count, const SimType& type, F&& visit) {
  std::size_t at = 0;
  for (int i = 0; i < count; ++i)
    for (const SimBlock& block : type.blocks) {
      visit(static_cast<std::size_t>(i) * type.extent + block.offset, at, block.bytes);
      at += block.bytes;
    }
}

int write_bytes(SimFile& file, std::size_t offset, const void* data, int count, MPI_Datatype type,
                SimFault fault, MPI_Status* status) {
  const SimType memory = type_of(type);
  std::size_t bytes = static_cast<std::size_t>(count) * memory.size();
  SimBytes stream(bytes);
  for_each_in_memory(count, memory, [&](std::size_t from, std::size_t at, std::size_t length) {
    std::memcpy(stream.data() + at, static_cast<const std::byte*>(data) + from, length);
  });
  if (fault == SimFault::kError) return MPI_ERR_IO;
  if (fault == SimFault::kShort) bytes /= 2;
  for_each_in_view(file, offset, bytes, [&](std::size_t to, std::size_t at, std::size_t length) {
    file.disk->write(to, std::span(stream.data() + at, length));
  });
  set_moved(status, bytes);
  sim_progress();
  return MPI_SUCCESS;
}

int read_bytes(SimFile& file, std::size_t offset, void* data, int count, MPI_Datatype type,
               SimFault fault, MPI_Status* status) {
  const SimType memory = type_of(type);
  std::size_t bytes = static_cast<std::size_t>(count) * memory.size();
  SimBytes stream(bytes);
  if (fault == SimFault::kError) return MPI_ERR_IO;
  if (fault == SimFault::kShort) bytes /= 2;
  std::size_t moved = 0;
  for_each_in_view(file, offset, bytes, [&](std::size_t from, std::size_t at, std::size_t length) {
    const std::size_t there = file.disk->read(from, std::span(stream.data() + at, length));
    if (there > 0) moved = at + there;
  });
  for_each_in_memory(count, memory, [&](std::size_t into, std::size_t at, std::size_t length) {
    if (at >= moved) return;
    std::memcpy(static_cast<std::byte*>(data) + into, stream.data() + at,
                std::min(length, moved - at));
  });
  set_moved(status, moved);
  sim_progress();
  return MPI_SUCCESS;
}

/// A collective of a file: the rank does its part, meets the others, and gets its own result.
template <class F>
int file_collective(MPI_File file, const char* name, std::uint64_t bytes, F&& part) {
  const SimFault fault = sim_enter(name, bytes);
  if (sim_world()->failing) return MPI_ERR_OTHER;
  const int mine = part(*file_of(file), fault);
  const int joined = sim_join(file_of(file)->comm, name, {}, nullptr);
  return mine != MPI_SUCCESS ? mine : joined;
}

int done_unless(SimFault fault) { return fault == SimFault::kNone ? MPI_SUCCESS : MPI_ERR_IO; }

}  // namespace

std::size_t sim_type_size(MPI_Datatype type) { return type_of(type).size(); }

SimParts sim_parts(const void* data, int count, MPI_Datatype type) {
  const SimType one = type_of(type);
  // As addresses: a type may have parts of all memory.
  const auto start = reinterpret_cast<std::uintptr_t>(data);
  SimParts parts;
  if (one.blocks.size() == 1 && one.blocks[0].offset == 0 && one.size() == one.extent)
    return {{reinterpret_cast<std::byte*>(start), static_cast<std::size_t>(count) * one.extent}};
  for (int i = 0; i < count; ++i)
    for (const SimBlock& block : one.blocks)
      parts.push_back({reinterpret_cast<std::byte*>(
                           start + static_cast<std::size_t>(i) * one.extent + block.offset),
                       block.bytes});
  return parts;
}

}  // namespace pcio::sim

using namespace pcio::sim;

extern "C" {

int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype* type) {
  const SimType inner = type_of(old);
  SimType made;
  if (inner.blocks.size() == 1 && inner.size() == inner.extent)
    made = {{{0, static_cast<std::size_t>(count) * inner.extent}},
            static_cast<std::size_t>(count) * inner.extent};
  else
    for (int i = 0; i < count; ++i) made.add(inner, static_cast<std::size_t>(i) * inner.extent);
  return give(std::move(made), type);
}
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old,
                            MPI_Datatype* type) {
  const SimType inner = type_of(old);
  SimType made;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < length; ++j)
      made.add(inner,
               static_cast<std::size_t>(i * stride) + static_cast<std::size_t>(j) * inner.extent);
  return give(std::move(made), type);
}
int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* places,
                             MPI_Datatype old, MPI_Datatype* type) {
  if (sim_enter("MPI_Type_create_hindexed") != SimFault::kNone) return MPI_ERR_OTHER;
  SimType made;
  for (int i = 0; i < count; ++i) {
    MPI_Datatype block = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(lengths[i], old, &block);
    made.add(type_of(block), static_cast<std::size_t>(places[i]));
    MPI_Type_free(&block);
  }
  return give(std::move(made), type);
}
int MPI_Get_address(const void* location, MPI_Aint* address) {
  *address = reinterpret_cast<MPI_Aint>(location);
  return MPI_SUCCESS;
}
int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* places,
                           const MPI_Datatype* types, MPI_Datatype* type) {
  SimType made;
  for (int i = 0; i < count; ++i) {
    const SimType inner = type_of(types[i]);
    for (int j = 0; j < lengths[i]; ++j)
      made.add(inner,
               static_cast<std::size_t>(places[i]) + static_cast<std::size_t>(j) * inner.extent);
  }
  return give(std::move(made), type);
}
int MPI_Type_commit(MPI_Datatype*) { return MPI_SUCCESS; }
int MPI_Type_free(MPI_Datatype* type) {
  delete reinterpret_cast<SimType*>(*type);
  *type = MPI_DATATYPE_NULL;
  --sim_world()->alive["datatypes"];
  return MPI_SUCCESS;
}
int MPI_Type_size(MPI_Datatype type, int* size) {
  *size = static_cast<int>(sim_type_size(type));
  return MPI_SUCCESS;
}
int MPI_Type_size_x(MPI_Datatype type, MPI_Count* size) {
  *size = static_cast<MPI_Count>(sim_type_size(type));
  return MPI_SUCCESS;
}
int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype, int count) {
  status->_ucount = static_cast<std::size_t>(count);
  return MPI_SUCCESS;
}
int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype, MPI_Count* count) {
  *count = static_cast<MPI_Count>(status->_ucount);
  return MPI_SUCCESS;
}

int MPI_Info_create(MPI_Info* info) { return give_info({}, info); }
int MPI_Info_dup(MPI_Info from, MPI_Info* info) { return give_info(*info_of(from), info); }
int MPI_Info_free(MPI_Info* info) {
  delete info_of(*info);
  *info = MPI_INFO_NULL;
  --sim_world()->alive["infos"];
  return MPI_SUCCESS;
}
int MPI_Info_set(MPI_Info info, const char* key, const char* value) {
  info_of(info)->values[key] = value;
  return MPI_SUCCESS;
}
int MPI_Info_delete(MPI_Info info, const char* key) {
  info_of(info)->values.erase(key);
  return MPI_SUCCESS;
}
int MPI_Info_get_valuelen(MPI_Info info, const char* key, int* length, int* found) {
  const auto it = info_of(info)->values.find(key);
  *found = it != info_of(info)->values.end() ? 1 : 0;
  if (*found != 0) *length = static_cast<int>(it->second.size());
  return MPI_SUCCESS;
}
int MPI_Info_get(MPI_Info info, const char* key, int length, char* value, int* found) {
  const auto it = info_of(info)->values.find(key);
  *found = it != info_of(info)->values.end() ? 1 : 0;
  if (*found != 0) {
    std::strncpy(value, it->second.c_str(), static_cast<std::size_t>(length));
    value[length] = '\0';
  }
  return MPI_SUCCESS;
}
int MPI_Info_get_nkeys(MPI_Info info, int* keys) {
  *keys = static_cast<int>(info_of(info)->values.size());
  return MPI_SUCCESS;
}
int MPI_Info_get_nthkey(MPI_Info info, int n, char* key) {
  std::strcpy(key, std::next(info_of(info)->values.begin(), n)->first.c_str());
  return MPI_SUCCESS;
}

/// The file on the disk stands for one in memory, which one rank may cut, grow or sync through a descriptor: the name
/// of that one, nullptr where it stands for none. Asks for no memory: a system call has no exceptions.
static const std::string* name_of_simulated(int fd) noexcept {
  struct stat file {};
  if (sim_world() == nullptr || sim_world()->stand_ins.empty() || ::fstat(fd, &file) != 0)
    return nullptr;
  const auto found = sim_world()->stand_ins.find({file.st_dev, file.st_ino});
  return found == sim_world()->stand_ins.end() ? nullptr : &found->second;
}
static int sim_errno(int code) {
  errno = code;
  return -1;
}

int ftruncate(int fd, off_t size) noexcept {
  const std::string* const name = name_of_simulated(fd);
  if (name == nullptr) return static_cast<int>(syscall(SYS_ftruncate, fd, size));
  if (size < 0) return sim_errno(EINVAL);
  try {
    if (sim_enter("ftruncate", static_cast<std::uint64_t>(size)) != SimFault::kNone)
      return sim_errno(EIO);
    sim_disk(*name).resize(static_cast<std::uint64_t>(size));
    return 0;
  } catch (...) {
    return sim_errno(ENOMEM);
  }
}
int fsync(int fd) {
  if (name_of_simulated(fd) == nullptr) return static_cast<int>(syscall(SYS_fsync, fd));
  return sim_enter("fsync") == SimFault::kNone ? 0 : sim_errno(EIO);
}

int MPI_File_open(MPI_Comm comm, const char* path, int mode, MPI_Info, MPI_File* file) {
  const SimFault fault = sim_enter("MPI_File_open");
  const std::string_view all(path);
  const std::string name(all.substr(all.rfind('/') + 1));
  const int joined = sim_join(sim_comm(comm), "MPI_File_open", {}, nullptr);
  if (joined != MPI_SUCCESS || fault != SimFault::kNone) return MPI_ERR_OTHER;
  const int flags = O_RDWR | O_CLOEXEC | ((mode & MPI_MODE_CREATE) != 0 ? O_CREAT : 0);
  // One file by the name of each rank.
  std::string& first = sim_world()->on_disk[name];
  if (first.empty() || ::access(first.c_str(), F_OK) != 0)
    first = path;
  else if ((mode & MPI_MODE_CREATE) != 0 && ::access(path, F_OK) != 0 &&
           ::link(first.c_str(), path) != 0)
    return MPI_ERR_OTHER;
  const int fd = ::open(path, flags, 0600);
  if (fd < 0) return MPI_ERR_NO_SUCH_FILE;
  struct stat stand_in {};
  if (::fstat(fd, &stand_in) == 0)
    sim_world()->stand_ins[{stand_in.st_dev, stand_in.st_ino}] = name;
  ::close(fd);
  *file = reinterpret_cast<MPI_File>(new SimFile{sim_comm(comm), &sim_disk(name)});
  ++sim_world()->alive["files"];
  return MPI_SUCCESS;
}
int MPI_File_close(MPI_File* file) {
  const int done = file_collective(*file, "MPI_File_close", 0,
                                   [](SimFile&, SimFault fault) { return done_unless(fault); });
  delete file_of(*file);
  *file = MPI_FILE_NULL;
  --sim_world()->alive["files"];
  return done;
}
int MPI_File_set_errhandler(MPI_File, MPI_Errhandler) { return MPI_SUCCESS; }
int MPI_File_get_info(MPI_File, MPI_Info* info) { return give_info({}, info); }
int MPI_File_get_size(MPI_File file, MPI_Offset* size) {
  const SimFault fault = sim_enter("MPI_File_get_size");
  *size = static_cast<MPI_Offset>(file_of(file)->disk->size());
  return done_unless(fault);
}
int MPI_File_set_size(MPI_File file, MPI_Offset size) {
  return file_collective(file, "MPI_File_set_size", 0, [size](SimFile& it, SimFault fault) {
    if (fault == SimFault::kNone) it.disk->resize(static_cast<std::uint64_t>(size));
    return done_unless(fault);
  });
}
int MPI_File_sync(MPI_File file) {
  return file_collective(file, "MPI_File_sync", 0,
                         [](SimFile&, SimFault fault) { return done_unless(fault); });
}
int MPI_File_set_atomicity(MPI_File file, int atomic) {
  return file_collective(file, "MPI_File_set_atomicity", 0, [atomic](SimFile& it, SimFault fault) {
    it.atomic = atomic;
    return done_unless(fault);
  });
}
int MPI_File_get_atomicity(MPI_File file, int* atomic) {
  *atomic = file_of(file)->atomic;
  return MPI_SUCCESS;
}
int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype, MPI_Datatype type,
                      const char*, MPI_Info) {
  return file_collective(file, "MPI_File_set_view", 0, [&](SimFile& it, SimFault fault) {
    it.displacement = static_cast<std::size_t>(displacement);
    it.view = type_of(type);
    return done_unless(fault);
  });
}
int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* data, int count,
                      MPI_Datatype type, MPI_Status* status) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sim_type_size(type);
  const SimFault fault = sim_enter("MPI_File_write_at", bytes);
  return write_bytes(*file_of(file), static_cast<std::size_t>(offset), data, count, type, fault,
                     status);
}
int MPI_File_read_at(MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type,
                     MPI_Status* status) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sim_type_size(type);
  const SimFault fault = sim_enter("MPI_File_read_at", bytes);
  return read_bytes(*file_of(file), static_cast<std::size_t>(offset), data, count, type, fault,
                    status);
}
int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* data, int count,
                          MPI_Datatype type, MPI_Status* status) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sim_type_size(type);
  return file_collective(file, "MPI_File_write_at_all", bytes, [&](SimFile& it, SimFault fault) {
    return write_bytes(it, static_cast<std::size_t>(offset), data, count, type, fault, status);
  });
}
int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type,
                         MPI_Status* status) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sim_type_size(type);
  return file_collective(file, "MPI_File_read_at_all", bytes, [&](SimFile& it, SimFault fault) {
    return read_bytes(it, static_cast<std::size_t>(offset), data, count, type, fault, status);
  });
}

}  // extern "C"

#endif
