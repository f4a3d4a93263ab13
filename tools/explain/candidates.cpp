// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: chunk shapes and settings that are worth a plan.

#include "candidates.hpp"

#include <algorithm>

#include "dry_run.hpp"

namespace pcio_explain {

namespace {

constexpr std::uint64_t kGoodChunk = 1 << 20, kLeastChunk = 64 << 10;
constexpr std::uint64_t kMostChunk = std::uint64_t{1} << 30;
constexpr std::size_t kMostShapes = 12;

std::uint64_t product_of(const Numbers& numbers) {
  std::uint64_t product = 1;
  for (const std::uint64_t number : numbers) product *= number;
  return product;
}

/// The smallest divisor of `number` that is no less than `least`.
std::uint64_t divisor_from(std::uint64_t number, std::uint64_t least) {
  for (std::uint64_t d = std::max<std::uint64_t>(1, least); d < number && d < least + 4096; ++d)
    if (number % d == 0) return d;
  return number;
}

void add_shape(Numbers shape, const Subject& subject, std::vector<Numbers>* shapes) {
  if (shape.empty()) return;
  for (std::size_t d = 0; d < shape.size(); ++d)
    shape[d] = std::clamp<std::uint64_t>(shape[d], 1, subject.dims[d]);
  const std::uint64_t bytes = product_of(shape) * subject.element_bytes;
  Subject made = subject;
  made.chunk = shape;
  if (bytes > kMostChunk || made.chunks() > kMostChunks || shapes->size() == kMostShapes) return;
  if (std::find(shapes->begin(), shapes->end(), shape) == shapes->end())
    shapes->push_back(std::move(shape));
}

}  // namespace

Numbers block_of(const Deal& deal, const Numbers& dims) {
  Numbers block(dims.size(), 1);
  std::uint64_t elements = 0;
  for (const Slab& slab : deal) {
    if (slab.empty()) continue;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (slab.count[d] > 1 && slab.stride[d] != slab.block[d]) return {};
      block[d] = std::max(block[d], slab.count[d] * slab.block[d]);
    }
    elements += slab.elements();
  }
  return elements == 0 ? Numbers() : block;
}

Numbers aligned_chunk(const Numbers& block, std::uint64_t element_bytes) {
  Numbers chunk = block;
  // The slowest dimensions first: rows stay long.
  for (std::size_t d = 0; d < chunk.size(); ++d) {
    const std::uint64_t bytes = product_of(chunk) * element_bytes;
    if (bytes <= 2 * kGoodChunk) break;
    const std::uint64_t parts = divisor_from(chunk[d], bytes / kGoodChunk);
    chunk[d] /= parts;
  }
  return chunk;
}

std::vector<Numbers> candidate_chunks(const Subject& subject, const Deal& deal) {
  std::vector<Numbers> shapes;
  add_shape(subject.chunk, subject, &shapes);
  const Numbers block = block_of(deal, subject.dims);
  if (!block.empty()) {
    add_shape(aligned_chunk(block, subject.element_bytes), subject, &shapes);
    add_shape(block, subject, &shapes);
    for (std::size_t d = 0; d < block.size(); ++d) {
      Numbers half = block;
      half[d] = (half[d] + 1) / 2;
      add_shape(std::move(half), subject, &shapes);
    }
  }
  const Numbers& from = subject.chunk.empty() ? block : subject.chunk;
  if (from.empty()) return shapes;
  Numbers halves = from, doubles = from;
  for (std::uint64_t& each : halves) each = (each + 1) / 2;
  for (std::uint64_t& each : doubles) each *= 2;
  if (product_of(halves) * subject.element_bytes >= kLeastChunk)
    add_shape(halves, subject, &shapes);
  add_shape(doubles, subject, &shapes);
  for (std::size_t d = 0; d < from.size(); ++d) {
    Numbers longer = from;
    longer[d] *= 2;
    add_shape(std::move(longer), subject, &shapes);
  }
  return shapes;
}

std::vector<Trial> compare(const Subject& subject, const Settings& settings, const Deal& deal,
                           const std::vector<Numbers>& chunks,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<Trial> trials;
  auto add = [&](const Numbers& chunk, const Settings& with, std::string what) {
    Trial trial{subject, with, std::move(what), {}, {}};
    trial.subject.chunk = chunk;
    if (chunk.empty()) trial.subject.filters.clear();
    trials.push_back(std::move(trial));
  };
  for (const Numbers& chunk : chunks)
    add(chunk, settings, chunk == subject.chunk ? "as given" : "");
  if (subject.chunk.empty()) add({}, settings, "as given");
  if (subject.filters.empty() && !settings.independent) {
    for (const auto& [transport, name] : {std::pair(pcio::Transport::kDirect, "transport direct"),
                                          {pcio::Transport::kExchange, "transport exchange"},
                                          {pcio::Transport::kView, "transport view"}}) {
      Settings with = settings;
      with.transport = transport;
      if (settings.transport == pcio::Transport::kNone) add(subject.chunk, with, name);
    }
  }
  Settings alone = settings;
  alone.independent = true;
  if (!settings.independent &&
      (subject.filters.empty() || settings.direction == pcio::Direction::kRead))
    add(subject.chunk, alone, "independent");
  for (std::size_t i = 0; i < trials.size(); ++i) {
    progress(i, trials.size());
    Trial& trial = trials[i];
    trial.plan = dry_run(trial.subject, trial.settings, deal);
    trial.figures = figures_of(trial.plan, chunk_uses(trial.plan));
  }
  progress(trials.size(), trials.size());
  std::stable_sort(trials.begin(), trials.end(),
                   [](const Trial& a, const Trial& b) { return a.figures.cost < b.figures.cost; });
  return trials;
}

}  // namespace pcio_explain
