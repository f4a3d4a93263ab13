// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room sim: MPI's communicators, collectives and messages between simulated ranks.
//
// Source: MPI 3.1, chapters 3 (Point-to-Point Communication), 5 (Collective Communication).

#include <mpi.h>

#if defined(OPEN_MPI)

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim/sim_state.hpp"

namespace pcio::sim {

namespace {

/// A user's operation; predefined ones are known by their handles.
struct SimOp {
  MPI_User_function* function;
};

template <class T>
void reduce_words(MPI_Op op, const SimBytes& from, SimBytes* into) {
  for (std::size_t at = 0; at + sizeof(T) <= into->size(); at += sizeof(T)) {
    T a, b;
    std::memcpy(&a, into->data() + at, sizeof a);
    std::memcpy(&b, from.data() + at, sizeof b);
    a = op == MPI_SUM ? static_cast<T>(a + b) : op == MPI_MIN ? std::min(a, b) : std::max(a, b);
    std::memcpy(into->data() + at, &a, sizeof a);
  }
}

void reduce(MPI_Op op, MPI_Datatype type, const SimBytes& from, SimBytes* into) {
  if (op != MPI_SUM && op != MPI_MIN && op != MPI_MAX) {
    int count = static_cast<int>(into->size() / std::max<std::size_t>(sim_type_size(type), 1));
    SimBytes copy = from;
    reinterpret_cast<SimOp*>(op)->function(copy.data(), into->data(), &count, &type);
    return;
  }
  if (type == MPI_INT64_T)
    reduce_words<std::int64_t>(op, from, into);
  else
    reduce_words<std::uint64_t>(op, from, into);
}

SimBytes bytes_of(const void* data, std::size_t bytes) {
  SimBytes copy(bytes);
  if (bytes > 0) std::memcpy(copy.data(), data, bytes);
  return copy;
}

void put(void* into, const SimBytes& from) {
  if (!from.empty()) std::memcpy(into, from.data(), from.size());
}

}  // namespace

/// Joins a message's two ends; the receiver's buffer has room.
namespace {

/// Byte by byte as they lie, `bytes` of them.
void copy_parts(const SimParts& from, const SimParts& into, std::size_t bytes) {
  std::size_t i = 0, j = 0, in_i = 0, in_j = 0;
  while (bytes > 0) {
    const std::size_t n = std::min({bytes, from[i].bytes - in_i, into[j].bytes - in_j});
    if (n > 0) std::memcpy(into[j].at + in_j, from[i].at + in_i, n);
    bytes -= n;
    in_i += n;
    in_j += n;
    if (in_i == from[i].bytes) ++i, in_i = 0;
    if (in_j == into[j].bytes) ++j, in_j = 0;
  }
}
std::size_t bytes_of(const SimParts& parts) {
  std::size_t bytes = 0;
  for (const SimPart& part : parts) bytes += part.bytes;
  return bytes;
}

}  // namespace

void sim_match(SimComm& comm) {
  for (auto receive = comm.receives.begin(); receive != comm.receives.end();) {
    const auto send = std::find_if(comm.sends.begin(), comm.sends.end(), [&](SimRequest* s) {
      return s->peer == (*receive)->rank &&
             ((*receive)->peer == MPI_ANY_SOURCE || (*receive)->peer == s->rank) &&
             ((*receive)->tag == MPI_ANY_TAG || (*receive)->tag == s->tag);
    });
    if (send == comm.sends.end()) {
      ++receive;
      continue;
    }
    SimRequest& from = **send;
    SimRequest& into = **receive;
    if (from.bytes > into.bytes) sim_fail("a message is longer than its receiver's buffer");
    copy_parts(from.parts, into.parts, std::min(from.bytes, into.bytes));
    into.bytes = from.bytes;
    into.peer = from.rank;
    into.tag = from.tag;
    from.matched = into.matched = true;
    for (const SimRequest* one : {&from, &into})
      --sim_world()->fibers[static_cast<std::size_t>(one->world)]->letters;
    comm.sends.erase(send);
    receive = comm.receives.erase(receive);
    sim_progress();
  }
}

int SimComm::rank_of(int world) const {
  const auto here = static_cast<std::size_t>(world);
  if (here < members.size() && members[here] == world) return world;
  return static_cast<int>(std::lower_bound(members.begin(), members.end(), world) -
                          members.begin());
}

SimComm* sim_comm(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return &sim_world()->all;
  if (comm != MPI_COMM_SELF) return reinterpret_cast<SimComm*>(comm);
  SimComm& self = sim_world()->selves[sim_world()->current];
  if (self.members.empty()) {
    self.members.push_back(sim_world()->current);
    self.sequence.resize(1);
  }
  return &self;
}

SimRequest* sim_begin(SimComm* comm, const std::string& name, SimBytes data,
                      std::function<void(SimCollective&, int)> finish) {
  const int rank = comm->rank_of(sim_world()->current);
  const std::uint64_t number = comm->sequence[static_cast<std::size_t>(rank)]++;
  SimCollectivePtr& open = comm->open[number];
  const auto size = static_cast<std::size_t>(comm->size());
  if (!open) {
    open = std::make_shared<SimCollective>();
    open->name = name;
    open->data.resize(size);
    open->here.resize(size);
  }
  if (open->name != name)
    sim_fail("ranks are in different collectives: " + open->name + " and " + name + " of rank " +
             std::to_string(sim_world()->current));
  open->data[static_cast<std::size_t>(rank)] = std::move(data);
  open->here[static_cast<std::size_t>(rank)] = true;
  auto* const request = new SimRequest;
  request->collective = open;
  request->rank = rank;
  request->finish = [op = open.get(), rank, finish = std::move(finish)] {
    if (finish) finish(*op, rank);
  };
  if (++request->collective->arrived == comm->size()) comm->open.erase(number);
  sim_progress();
  return request;
}

bool sim_is_complete(const SimRequest& request) {
  if (!request.collective) return request.matched;
  return request.collective->arrived == static_cast<int>(request.collective->here.size());
}

int sim_join(SimComm* comm, const std::string& name, SimBytes data,
             const std::function<void(SimCollective&, int)>& finish) {
  if (sim_world()->failing) return MPI_ERR_OTHER;
  const std::unique_ptr<SimRequest> request(sim_begin(comm, name, std::move(data), finish));
  while (!sim_is_complete(*request)) {
    if (sim_world()->failing) return MPI_ERR_OTHER;
    sim_yield();
  }
  request->finish();
  sim_progress();
  return MPI_SUCCESS;
}

}  // namespace pcio::sim

using namespace pcio::sim;

namespace {

int start(MPI_Request* out, MPI_Comm comm, const char* name, SimBytes data,
          std::function<void(SimCollective&, int)> finish) {
  if (sim_world()->failing || sim_enter(name) != SimFault::kNone) return MPI_ERR_OTHER;
  *out = reinterpret_cast<MPI_Request>(
      sim_begin(sim_comm(comm), name, std::move(data), std::move(finish)));
  return MPI_SUCCESS;
}

/// Nodes get as many ranks each as can be, those that follow each other or in turn.
int node_of(int rank, int ranks, const SimOptions& options) {
  if (options.in_turn) return rank % options.nodes;
  return static_cast<int>(static_cast<std::int64_t>(rank) * options.nodes / ranks);
}

/// The sum is made once: of many ranks it takes long.
void reduce_all(SimCollective& done, MPI_Op op, MPI_Datatype type) {
  if (done.has_sum) return;
  done.sum = done.data[0];
  for (std::size_t r = 1; r < done.data.size(); ++r) {
    if (done.data[r].size() != done.sum.size()) return sim_fail("a reduction of different lengths");
    reduce(op, type, done.data[r], &done.sum);
  }
  done.has_sum = true;
}

/// Those that come with the same color make one.
int split(SimComm* from, const char* name, int color, MPI_Comm* part) {
  return sim_join(from, name, bytes_of(&color, sizeof color), [&](SimCollective& op, int) {
    if (!op.made) op.made = std::make_shared<std::map<int, SimComm*>>();
    SimComm*& made = (*std::static_pointer_cast<std::map<int, SimComm*>>(op.made))[color];
    if (made == nullptr) {
      made = new SimComm;
      for (std::size_t r = 0; r < op.data.size(); ++r) {
        int theirs = 0;
        std::memcpy(&theirs, op.data[r].data(), sizeof theirs);
        if (theirs == color) made->members.push_back(from->members[r]);
      }
      made->sequence.resize(made->members.size());
      ++sim_world()->alive["communicators"];
    }
    *part = reinterpret_cast<MPI_Comm>(made);
  });
}

struct SimAddress {
  int to, tag;
};
/// A message is over when its receiver has it, whatever kind of send it was.
int start_send(const char* name, SimParts parts, const SimAddress& where, SimComm* comm,
               MPI_Request* request) {
  if (sim_world()->failing || sim_enter(name) != SimFault::kNone) return MPI_ERR_OTHER;
  auto* const made = new SimRequest;
  made->rank = comm->rank_of(sim_world()->current);
  made->peer = where.to;
  made->tag = where.tag;
  made->bytes = bytes_of(parts);
  made->parts = std::move(parts);
  made->world = sim_world()->current;
  ++sim_world()->fibers[static_cast<std::size_t>(made->world)]->letters;
  comm->sends.push_back(made);
  *request = reinterpret_cast<MPI_Request>(made);
  sim_progress();
  sim_match(*comm);
  return MPI_SUCCESS;
}

}  // namespace

extern "C" {

int MPI_Initialized(int* flag) {
  *flag = sim_world() != nullptr ? 1 : 0;
  return MPI_SUCCESS;
}
int MPI_Finalized(int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
int MPI_Query_thread(int* level) {
  *level = MPI_THREAD_SINGLE;
  return MPI_SUCCESS;
}
int MPI_Is_thread_main(int* flag) {
  *flag = 1;  // as ranks are threads here, each is its own main thread
  return MPI_SUCCESS;
}
double MPI_Wtime(void) {  // without such seconds nobody naps, and nobody waits long
  SimWorld::State* const state = sim_world();
  if (state == nullptr) return 1.0;
  return 1.0 + state->options.seconds_of_look * static_cast<double>(state->looks++);
}
int MPI_Abort(MPI_Comm, int code) {
  std::fprintf(stderr, "MPI_Abort(%d)\n", code);
  std::abort();
}
int MPI_Error_class(int code, int* cls) {
  *cls = code;
  return MPI_SUCCESS;
}
int MPI_Error_string(int code, char* text, int* length) {
  *length = std::snprintf(text, MPI_MAX_ERROR_STRING, "simulated MPI error %d", code);
  return MPI_SUCCESS;
}
int MPI_Get_library_version(char* text, int* length) {
  *length = std::snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "%s",
                          sim_world()->options.library.c_str());
  return MPI_SUCCESS;
}
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*, int* key,
                           void*) {
  *key = 1;
  return MPI_SUCCESS;
}
int MPI_Comm_free_keyval(int*) { return MPI_SUCCESS; }
int MPI_Comm_set_attr(MPI_Comm, int, void*) { return MPI_SUCCESS; }
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler) { return MPI_SUCCESS; }
int MPI_Comm_get_errhandler(MPI_Comm, MPI_Errhandler* handler) {
  *handler = MPI_ERRORS_RETURN;
  return MPI_SUCCESS;
}
int MPI_Errhandler_free(MPI_Errhandler* handler) {
  *handler = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}
int MPI_Comm_test_inter(MPI_Comm, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  *rank = sim_comm(comm)->rank_of(sim_world()->current);
  return MPI_SUCCESS;
}
int MPI_Comm_size(MPI_Comm comm, int* size) {
  *size = sim_comm(comm)->size();
  return MPI_SUCCESS;
}
int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int* result) {
  *result = a == b                                         ? MPI_IDENT
            : sim_comm(a)->members == sim_comm(b)->members ? MPI_CONGRUENT
                                                           : MPI_UNEQUAL;
  return MPI_SUCCESS;
}
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* copy, MPI_Request* request) {
  if (sim_world()->failing) return MPI_ERR_OTHER;
  const SimFault fault = sim_enter("MPI_Comm_idup");
  SimComm* const from = sim_comm(comm);
  const auto finish = [from, copy](SimCollective& op, int) {
    if (!op.made) {
      auto* const made = new SimComm;
      made->members = from->members;
      made->sequence.resize(from->members.size());
      op.made = std::shared_ptr<void>(made, [](void*) {});
      ++sim_world()->alive["communicators"];
    }
    *copy = reinterpret_cast<MPI_Comm>(op.made.get());
  };
  if (fault != SimFault::kNone) {
    // The others get theirs.
    sim_join(from, "MPI_Comm_idup", {}, finish);
    MPI_Comm_free(copy);
    return MPI_ERR_OTHER;
  }
  *request = reinterpret_cast<MPI_Request>(sim_begin(from, "MPI_Comm_idup", {}, finish));
  return MPI_SUCCESS;
}
int MPI_Comm_split_type(MPI_Comm comm, int, int, MPI_Info, MPI_Comm* here) {
  sim_enter("MPI_Comm_split_type");
  SimComm* const from = sim_comm(comm);
  const SimOptions& options = sim_world()->options;
  const int rank = from->rank_of(sim_world()->current);
  const int machine = !options.one_machine ? rank
                      : options.nodes > 1  ? node_of(rank, from->size(), options)
                                           : 0;
  return split(from, "MPI_Comm_split_type", machine, here);
}
int MPI_Comm_split(MPI_Comm comm, int color, int, MPI_Comm* part) {
  const SimFault fault = sim_enter("MPI_Comm_split");
  const int done = split(sim_comm(comm), "MPI_Comm_split", color, part);
  return fault == SimFault::kNone ? done : MPI_ERR_OTHER;
}
int MPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  *group = reinterpret_cast<MPI_Group>(new std::vector<int>(sim_comm(comm)->members));
  ++sim_world()->alive["groups"];
  return MPI_SUCCESS;
}
int MPI_Group_translate_ranks(MPI_Group few, int count, const int* ranks, MPI_Group all,
                              int* found) {
  const auto& from = *reinterpret_cast<std::vector<int>*>(few);
  const auto& to = *reinterpret_cast<std::vector<int>*>(all);
  for (int i = 0; i < count; ++i)
    found[i] = static_cast<int>(
        std::find(to.begin(), to.end(), from[static_cast<std::size_t>(ranks[i])]) - to.begin());
  return MPI_SUCCESS;
}
int MPI_Group_free(MPI_Group* group) {
  delete reinterpret_cast<std::vector<int>*>(*group);
  *group = MPI_GROUP_NULL;
  --sim_world()->alive["groups"];
  return MPI_SUCCESS;
}
int MPI_Comm_free(MPI_Comm* comm) {
  SimComm* const it = sim_comm(*comm);
  *comm = MPI_COMM_NULL;
  if (++it->frees < it->size()) return MPI_SUCCESS;
  --sim_world()->alive["communicators"];
  delete it;
  return MPI_SUCCESS;
}
int MPI_Op_create(MPI_User_function* function, int, MPI_Op* op) {
  *op = reinterpret_cast<MPI_Op>(new SimOp{function});
  ++sim_world()->alive["operations"];
  return MPI_SUCCESS;
}
int MPI_Op_free(MPI_Op* op) {
  delete reinterpret_cast<SimOp*>(*op);
  *op = MPI_OP_NULL;
  --sim_world()->alive["operations"];
  return MPI_SUCCESS;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return start(request, comm, "MPI_Ibarrier", {}, nullptr);
}
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sim_type_size(type);
  return start(request, comm, "MPI_Ibcast", bytes_of(data, bytes),
               [data, root](SimCollective& op, int rank) {
                 const SimBytes& sent = op.data[static_cast<std::size_t>(root)];
                 if (sent.size() != op.data[static_cast<std::size_t>(rank)].size())
                   return sim_fail("a broadcast of different lengths");
                 put(data, sent);
               });
}
int MPI_Iallreduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sim_type_size(type);
  return start(request, comm, "MPI_Iallreduce", bytes_of(mine == MPI_IN_PLACE ? all : mine, bytes),
               [=](SimCollective& done, int) {
                 reduce_all(done, op, type);
                 put(all, done.sum);
               });
}
int MPI_Iexscan(const void* mine, void* lower, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm, MPI_Request* request) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sim_type_size(type);
  return start(request, comm, "MPI_Iexscan", bytes_of(mine, bytes),
               [=](SimCollective& done, int rank) {
                 if (rank == 0) return;
                 SimBytes sum = done.data[0];
                 for (int r = 1; r < rank; ++r)
                   reduce(op, type, done.data[static_cast<std::size_t>(r)], &sum);
                 put(lower, sum);
               });
}
int MPI_Iallgather(const void* mine, int count, MPI_Datatype type, void* all, int, MPI_Datatype,
                   MPI_Comm comm, MPI_Request* request) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sim_type_size(type);
  return start(request, comm, "MPI_Iallgather", bytes_of(mine, bytes),
               [all, bytes](SimCollective& done, int) {
                 for (std::size_t r = 0; r < done.data.size(); ++r)
                   put(static_cast<std::byte*>(all) + r * bytes, done.data[r]);
               });
}
int MPI_Igather(const void* mine, int count, MPI_Datatype type, void* all, int, MPI_Datatype,
                int root, MPI_Comm comm, MPI_Request* request) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sim_type_size(type);
  return start(request, comm, "MPI_Igather", bytes_of(mine, bytes),
               [all, bytes, root](SimCollective& done, int rank) {
                 for (std::size_t r = 0; rank == root && r < done.data.size(); ++r)
                   put(static_cast<std::byte*>(all) + r * bytes, done.data[r]);
               });
}
int MPI_Ialltoall(const void* mine, int count, MPI_Datatype type, void* theirs, int, MPI_Datatype,
                  MPI_Comm comm, MPI_Request* request) {
  const std::size_t row = static_cast<std::size_t>(count) * sim_type_size(type);
  const std::size_t ranks = sim_comm(comm)->members.size();
  return start(request, comm, "MPI_Ialltoall", bytes_of(mine, row * ranks),
               [theirs, row](SimCollective& done, int rank) {
                 for (std::size_t r = 0; r < done.data.size(); ++r)
                   std::memcpy(static_cast<std::byte*>(theirs) + r * row,
                               done.data[r].data() + static_cast<std::size_t>(rank) * row, row);
               });
}
int MPI_Ialltoallv(const void* mine, const int* counts, const int* starts, MPI_Datatype type,
                   void* theirs, const int* their_counts, const int* their_starts, MPI_Datatype,
                   MPI_Comm comm, MPI_Request* request) {
  // What a rank gives: the lengths of its rows, then the rows.
  const std::size_t size = sim_type_size(type);
  const std::size_t ranks = sim_comm(comm)->members.size();
  SimBytes data;
  auto add = [&](const void* from, std::size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(from);
    data.insert(data.end(), begin, begin + bytes);
  };
  for (std::size_t r = 0; r < ranks; ++r) {
    const std::uint64_t bytes = static_cast<std::size_t>(counts[r]) * size;
    add(&bytes, sizeof bytes);
  }
  for (std::size_t r = 0; r < ranks; ++r)
    add(static_cast<const std::byte*>(mine) + static_cast<std::size_t>(starts[r]) * size,
        static_cast<std::size_t>(counts[r]) * size);
  std::vector<std::size_t> places, lengths;
  for (std::size_t r = 0; r < ranks; ++r) {
    places.push_back(static_cast<std::size_t>(their_starts[r]) * size);
    lengths.push_back(static_cast<std::size_t>(their_counts[r]) * size);
  }
  return start(request, comm, "MPI_Ialltoallv", std::move(data),
               [theirs, places, lengths, ranks](SimCollective& done, int rank) {
                 for (std::size_t r = 0; r < ranks; ++r) {
                   const std::byte* at = done.data[r].data() + ranks * sizeof(std::uint64_t);
                   std::uint64_t bytes = 0;
                   for (int to = 0; to <= rank; ++to) {
                     at += bytes;
                     std::memcpy(&bytes,
                                 done.data[r].data() + static_cast<std::size_t>(to) * sizeof bytes,
                                 sizeof bytes);
                   }
                   if (bytes != lengths[r]) return sim_fail("rows of different lengths");
                   std::memcpy(static_cast<std::byte*>(theirs) + places[r], at, bytes);
                 }
               });
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return start_send("MPI_Isend", sim_parts(data, count, type), {to, tag}, sim_comm(comm), request);
}
int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return start_send("MPI_Issend", sim_parts(data, count, type), {to, tag}, sim_comm(comm), request);
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (sim_world()->failing || sim_enter("MPI_Irecv") != SimFault::kNone) return MPI_ERR_OTHER;
  SimComm* const it = sim_comm(comm);
  auto* const made = new SimRequest;
  made->rank = it->rank_of(sim_world()->current);
  made->peer = from;
  made->tag = tag;
  made->parts = sim_parts(data, count, type);
  made->bytes = bytes_of(made->parts);
  made->world = sim_world()->current;
  ++sim_world()->fibers[static_cast<std::size_t>(made->world)]->letters;
  it->receives.push_back(made);
  *request = reinterpret_cast<MPI_Request>(made);
  sim_progress();
  sim_match(*it);
  return MPI_SUCCESS;
}
int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  int done = MPI_Irecv(data, count, type, from, tag, comm, &request);
  for (int over = 0; done == MPI_SUCCESS && over == 0;) done = MPI_Test(&request, &over, status);
  return done;
}
int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  *done = 1;
  if (*request == MPI_REQUEST_NULL) return MPI_SUCCESS;
  if (sim_world()->failing) return MPI_ERR_OTHER;
  auto* const it = reinterpret_cast<SimRequest*>(*request);
  if (!sim_is_complete(*it)) {
    *done = 0;
    sim_yield();
    return sim_world()->failing ? MPI_ERR_OTHER : MPI_SUCCESS;
  }
  if (it->finish) it->finish();
  if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = it->peer;
    status->MPI_TAG = it->tag;
    MPI_Status_set_elements(status, MPI_BYTE, static_cast<int>(it->bytes));
  }
  delete it;
  *request = MPI_REQUEST_NULL;
  sim_progress();
  return MPI_SUCCESS;
}
int MPI_Request_get_status(MPI_Request request, int* done, MPI_Status* /*status*/) {
  if (sim_world()->failing) return MPI_ERR_OTHER;
  *done = sim_is_complete(*reinterpret_cast<SimRequest*>(request)) ? 1 : 0;
  if (*done == 0) sim_yield();
  return sim_world()->failing ? MPI_ERR_OTHER : MPI_SUCCESS;
}
int MPI_Request_free(MPI_Request* request) {
  *request = MPI_REQUEST_NULL;  // whoever waits for it still needs it
  return MPI_SUCCESS;
}
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* there, MPI_Status* status) {
  sim_yield();
  if (sim_world()->failing) return MPI_ERR_OTHER;
  SimComm* const it = sim_comm(comm);
  const int rank = it->rank_of(sim_world()->current);
  *there = 0;
  for (const SimRequest* send : it->sends) {
    if (send->peer != rank || (from != MPI_ANY_SOURCE && send->rank != from) ||
        (tag != MPI_ANY_TAG && send->tag != tag))
      continue;
    *there = 1;
    if (status != MPI_STATUS_IGNORE) status->MPI_SOURCE = send->rank;
    break;
  }
  sim_count(*there != 0 ? "MPI_Iprobe that finds" : "MPI_Iprobe");
  return MPI_SUCCESS;
}

}  // extern "C"

#endif
