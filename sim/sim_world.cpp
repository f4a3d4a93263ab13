// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room sim: ranks as fibers that take turns.

#include <mpi.h>

#if defined(OPEN_MPI)

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <time.h>

#include "sim/sim_state.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace pcio::sim {

namespace {

constexpr std::size_t kStackBytes = std::size_t{1} << 20;
/// Turns of each rank without anything happening after which all wait for ever. A rank that waits for shared
/// memory looks at it without a call, so it takes some.
constexpr std::uint64_t kIdleTurns = 3000;

SimWorld::State* running = nullptr;

/// Changes the stack; the sanitizer is told about it.
void switch_to(ucontext_t* from, ucontext_t* to, const void* bottom, std::size_t bytes, bool ends) {
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(ends ? nullptr : &fake, bottom, bytes);
  swapcontext(from, to);
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#else
  static_cast<void>(bottom);
  static_cast<void>(bytes);
  static_cast<void>(ends);
  swapcontext(from, to);
#endif
}

#if defined(__SANITIZE_ADDRESS__)
const void* main_bottom = nullptr;
std::size_t main_bytes = 0;
#else
constexpr const void* main_bottom = nullptr;
constexpr std::size_t main_bytes = 0;
#endif

void run_rank() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &main_bottom, &main_bytes);
#endif
  SimFiber& fiber = *running->fibers[static_cast<std::size_t>(running->current)];
  running->body(running->current);
  fiber.done = true;
  sim_progress();
  switch_to(&fiber.context, &running->scheduler, main_bottom, main_bytes, true);
}

std::string who_waits(const SimWorld::State& state) {
  std::string text;
  for (std::size_t r = 0; r < state.fibers.size(); ++r)
    text += (r == 0 ? "rank " : ", rank ") + std::to_string(r) +
            (state.fibers[r]->done ? " ended" : " in " + state.fibers[r]->waits_in);
  return text;
}

int next_rank(const SimWorld::State& state, int last, std::uint64_t* random) {
  const int n = state.options.ranks;
  int rank = (last + 1) % n;
  if (state.options.seed != 0) {
    *random = *random * 6364136223846793005U + 1442695040888963407U;
    rank = static_cast<int>((*random >> 33) % static_cast<std::uint64_t>(n));
  }
  while (state.fibers[static_cast<std::size_t>(rank)]->done) rank = (rank + 1) % n;
  return rank;
}

}  // namespace

void SimMemory::write(std::uint64_t at, std::span<const std::byte> from) {
  if (bytes.size() < at + from.size()) bytes.resize(static_cast<std::size_t>(at) + from.size());
  std::memcpy(bytes.data() + at, from.data(), from.size());
}

std::size_t SimMemory::read(std::uint64_t at, std::span<std::byte> into) const {
  if (at >= bytes.size()) return 0;
  const std::size_t there = std::min(into.size(), bytes.size() - static_cast<std::size_t>(at));
  std::memcpy(into.data(), bytes.data() + at, there);
  return there;
}

SimStack::SimStack()
    : bottom_(::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0)) {
  if (bottom_ == MAP_FAILED) throw std::bad_alloc();
}

SimStack::~SimStack() { ::munmap(bottom_, kStackBytes); }

std::size_t SimStack::bytes() { return kStackBytes; }

SimDisk& sim_disk(const std::string& name) {
  std::unique_ptr<SimDisk>& disk = running->files[name];
  if (!disk) disk = std::make_unique<SimMemory>();
  return *disk;
}

SimWorld::State* sim_world() { return running; }

void sim_progress() { running->idle = 0; }

void sim_yield() {
  SimWorld::State& state = *running;
  ++state.idle;
  SimFiber& fiber = *state.fibers[static_cast<std::size_t>(state.current)];
  switch_to(&fiber.context, &state.scheduler, main_bottom, main_bytes, false);
}

void sim_fail(const std::string& why) {
  if (running->failure.empty()) running->failure = why;
  running->failing = true;
  running->idle = 0;
}

std::uint64_t sim_count(const char* name) {
  return ++running->fibers[static_cast<std::size_t>(running->current)]->calls[name];
}

SimFault sim_enter(const char* name, std::uint64_t bytes) {
  SimWorld::State& state = *running;
  state.fibers[static_cast<std::size_t>(state.current)]->waits_in = name;
  const std::uint64_t number = sim_count(name);
  return state.fault ? state.fault({name, state.current, number, bytes}) : SimFault::kNone;
}

SimWorld::SimWorld(const SimOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
}

SimWorld::~SimWorld() = default;

void SimWorld::set_fault(std::function<SimFault(const SimCall&)> fault) {
  state_->fault = std::move(fault);
}

std::string SimWorld::run(const std::function<void(int)>& body) {
  State& state = *state_;
  const auto n = static_cast<std::size_t>(state.options.ranks);
  state.body = body;
  state.failing = false;
  state.failure.clear();
  state.idle = 0;
  state.looks = 0;
  state.alive.clear();
  state.all = SimComm();
  state.selves.clear();
  state.all.sequence.resize(n);
  state.fibers.clear();
  running = &state;
  for (std::size_t r = 0; r < n; ++r) {
    state.all.members.push_back(static_cast<int>(r));
    auto fiber = std::make_unique<SimFiber>();
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack.bottom();
    fiber->context.uc_stack.ss_size = SimStack::bytes();
    fiber->context.uc_link = &state.scheduler;
    makecontext(&fiber->context, run_rank, 0);
    state.fibers.push_back(std::move(fiber));
  }
  std::uint64_t random = state.options.seed;
  int last = -1;
  while (std::any_of(state.fibers.begin(), state.fibers.end(),
                     [](const auto& fiber) { return !fiber->done; })) {
    if (state.idle > kIdleTurns * n) {
      if (state.failing) {
        std::fprintf(stderr, "ranks do not end: %s\n", who_waits(state).c_str());
        std::abort();
      }
      sim_fail("hang: " + who_waits(state));
    }
    last = state.current = next_rank(state, last, &random);
    SimFiber& fiber = *state.fibers[static_cast<std::size_t>(last)];
    switch_to(&state.scheduler, &fiber.context, fiber.stack.bottom(), SimStack::bytes(), false);
  }
  state.current = -1;
  state.body = nullptr;
  running = nullptr;
  return state.failure;
}

std::uint64_t SimWorld::count(int rank, const std::string& name) const {
  const auto& calls = state_->fibers[static_cast<std::size_t>(rank)]->calls;
  const auto found = calls.find(name);
  return found == calls.end() ? 0 : found->second;
}

int SimWorld::letters(int rank) const {
  return state_->fibers[static_cast<std::size_t>(rank)]->letters;
}

std::vector<std::byte>& SimWorld::file(const std::string& name) {
  std::unique_ptr<SimDisk>& disk = state_->files[name];
  if (!disk) disk = std::make_unique<SimMemory>();
  return dynamic_cast<SimMemory&>(*disk).bytes;
}

void SimWorld::put_file(const std::string& name, std::unique_ptr<SimDisk> disk) {
  state_->files[name] = std::move(disk);
}

std::string SimWorld::leaks() const {
  std::string text;
  for (const auto& [what, count] : state_->alive)
    if (count != 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  return text;
}

}  // namespace pcio::sim

// Who waits gives the processor to other ranks, not to other programs.
extern "C" int sched_yield(void) noexcept {
  if (pcio::sim::sim_world() == nullptr) return 0;
  pcio::sim::sim_count("sched_yield");
  pcio::sim::sim_yield();
  return 0;
}
extern "C" int nanosleep(const timespec* pause, timespec* left) {
  if (pcio::sim::sim_world() == nullptr) {
    const int error = clock_nanosleep(CLOCK_REALTIME, 0, pause, left);
    if (error != 0) errno = error;
    return error == 0 ? 0 : -1;
  }
  pcio::sim::sim_count("nanosleep");
  pcio::sim::sim_yield();
  return 0;
}

#endif
