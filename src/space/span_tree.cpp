// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: irregular hyperslabs, as trees of intervals with shared sub-trees.
//
// Sub-trees are shared by many coordinates, so every recursion remembers what it did for a node:
// work is proportional to distinct nodes, not to paths.

#include "space/span_tree.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/checked.hpp"

namespace pcio {

std::size_t SpanNode::first_ending_after(std::uint64_t x) const {
  const auto it = std::upper_bound(spans.begin(), spans.end(), x,
                                   [](std::uint64_t v, const Span& s) { return v < s.high; });
  return static_cast<std::size_t>(it - spans.begin());
}

namespace span_tree {

namespace {

constexpr std::uint64_t kTooMany = ~std::uint64_t{0};

std::uint64_t saturating_mul(std::uint64_t a, std::uint64_t b) {
  return checked_mul(a, b).value_or(kTooMany);
}
std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return checked_add(a, b).value_or(kTooMany);
}

/// Collects the spans of one node in ascending order, joining equal neighbours.
class NodeBuilder {
 public:
  void add(std::uint64_t low, std::uint64_t high, SpanNodePtr down) {
    if (!spans_.empty() && equal(spans_.back().down, down)) {
      if (spans_.back().high == low) {
        spans_.back().high = high;
        return;
      }
      down = spans_.back().down;  // one object for equal neighbours: cheaper to compare and walk
    }
    spans_.push_back(Span{low, high, std::move(down), 0});
  }
  SpanNodePtr finish() {
    if (spans_.empty()) return nullptr;
    auto node = std::make_shared<SpanNode>();
    node->spans = std::move(spans_);
    for (Span& span : node->spans) {
      span.before = node->elements;
      const std::uint64_t width = span.high - span.low;
      node->elements = saturating_add(node->elements, saturating_mul(width, SpanNode::below(span)));
      node->blocks = saturating_add(node->blocks, span.down ? span.down->blocks : 1);
    }
    return node;
  }

 private:
  std::vector<Span> spans_;
};

/// One merge of two trees; equal pairs of nodes are merged once.
class Combiner {
 public:
  explicit Combiner(SetRule rule, std::uint64_t steps = kTooMany) : rule_(rule), steps_(steps) {}

  SpanNodePtr merge(const SpanNodePtr& a, const SpanNodePtr& b) {
    if (!a) return rule_.only_b ? b : nullptr;
    if (!b) return rule_.only_a ? a : nullptr;
    const auto key = std::make_pair(a.get(), b.get());
    if (const auto found = seen_.find(key); found != seen_.end()) return found->second;
    SpanNodePtr result = sweep(*a, *b);
    seen_.emplace(key, result);
    return result;
  }

  /// What is left of them; 0: they did not suffice, and the result means nothing.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  /// Walks both sorted lists; between two boundaries the membership in a and b is constant.
  SpanNodePtr sweep(const SpanNode& a, const SpanNode& b) {
    NodeBuilder out;
    std::size_t i = 0;
    std::size_t j = 0;
    std::uint64_t at = 0;
    while (steps_ > 0 && (i < a.spans.size() || j < b.spans.size())) {
      --steps_;
      const Span* p = i < a.spans.size() ? &a.spans[i] : nullptr;
      const Span* q = j < b.spans.size() ? &b.spans[j] : nullptr;
      const std::uint64_t p_low = p ? std::max(p->low, at) : kTooMany;
      const std::uint64_t q_low = q ? std::max(q->low, at) : kTooMany;
      at = std::min(p_low, q_low);
      const bool in_p = p && p_low == at;
      const bool in_q = q && q_low == at;
      std::uint64_t end = kTooMany;
      if (p) end = std::min(end, in_p ? p->high : p->low);
      if (q) end = std::min(end, in_q ? q->high : q->low);
      emit(out, at, end, in_p ? p : nullptr, in_q ? q : nullptr);
      at = end;
      if (in_p && p->high == end) ++i;
      if (in_q && q->high == end) ++j;
    }
    return out.finish();
  }

  void emit(NodeBuilder& out, std::uint64_t low, std::uint64_t high, const Span* a, const Span* b) {
    if (a && b && !a->down) {
      if (rule_.both) out.add(low, high, nullptr);
    } else if (a && b) {
      if (SpanNodePtr down = merge(a->down, b->down)) out.add(low, high, std::move(down));
    } else if (a) {
      if (rule_.only_a) out.add(low, high, a->down);
    } else if (rule_.only_b) {
      out.add(low, high, b->down);
    }
  }

  SetRule rule_;
  std::uint64_t steps_;
  std::map<std::pair<const SpanNode*, const SpanNode*>, SpanNodePtr> seen_;
};

class Clipper {
 public:
  explicit Clipper(const Box& box) : box_(box) {}
  SpanNodePtr run(const SpanNodePtr& node, unsigned d) {
    const auto found = seen_.find(node.get());
    if (found != seen_.end()) return found->second;
    const std::uint64_t from = box_.start[d];
    const std::uint64_t count = box_.count[d];
    NodeBuilder out;
    for (std::size_t i = node->first_ending_after(from); i < node->spans.size(); ++i) {
      const Span& span = node->spans[i];
      const std::uint64_t low = span.low > from ? span.low - from : 0;
      if (low >= count) break;
      const std::uint64_t high = std::min(span.high - from, count);
      if (!span.down)
        out.add(low, high, nullptr);
      else if (SpanNodePtr down = run(span.down, d + 1))
        out.add(low, high, std::move(down));
    }
    SpanNodePtr result = out.finish();
    seen_.emplace(node.get(), result);
    return result;
  }

 private:
  const Box& box_;
  std::unordered_map<const SpanNode*, SpanNodePtr> seen_;
};

class Counter {
 public:
  explicit Counter(const Box& box) : box_(box) {}
  std::uint64_t run(const SpanNode& node, unsigned d) {
    const auto found = seen_.find(&node);
    if (found != seen_.end()) return found->second;
    const std::uint64_t from = box_.start[d];
    const std::uint64_t count = box_.count[d];
    std::uint64_t sum = 0;
    for (std::size_t i = node.first_ending_after(from); i < node.spans.size(); ++i) {
      const Span& span = node.spans[i];
      const std::uint64_t low = span.low > from ? span.low - from : 0;
      if (low >= count) break;
      const std::uint64_t width = std::min(span.high - from, count) - low;
      sum += width * (span.down ? run(*span.down, d + 1) : 1);
    }
    seen_.emplace(&node, sum);
    return sum;
  }

 private:
  const Box& box_;
  std::unordered_map<const SpanNode*, std::uint64_t> seen_;
};

class Shifter {
 public:
  explicit Shifter(const std::int64_t* delta) : delta_(delta) {}
  SpanNodePtr run(const SpanNodePtr& node, unsigned d) {
    const auto found = seen_.find(node.get());
    if (found != seen_.end()) return found->second;
    auto moved = std::make_shared<SpanNode>(*node);
    for (Span& span : moved->spans) {
      span.low += static_cast<std::uint64_t>(delta_[d]);
      span.high += static_cast<std::uint64_t>(delta_[d]);
      if (span.down) span.down = run(span.down, d + 1);
    }
    seen_.emplace(node.get(), moved);
    return moved;
  }

 private:
  const std::int64_t* delta_;
  std::unordered_map<const SpanNode*, SpanNodePtr> seen_;
};

class Bounder {
 public:
  explicit Bounder(unsigned ndims) : low(ndims, kTooMany), high(ndims, 0) {}
  void run(const SpanNode& node, unsigned d) {
    if (!seen_.insert(&node).second) return;
    low[d] = std::min(low[d], node.spans.front().low);
    high[d] = std::max(high[d], node.spans.back().high);
    for (const Span& span : node.spans)
      if (span.down) run(*span.down, d + 1);
  }
  Dims low;
  Dims high;

 private:
  std::unordered_set<const SpanNode*> seen_;
};

/// Compares two trees, the second moved; equal pairs in a row are compared once.
class Comparer {
 public:
  Comparer(const std::uint64_t* from_a, const std::uint64_t* from_b)
      : from_a_(from_a), from_b_(from_b) {}
  bool run(const SpanNode* a, const SpanNode* b, unsigned d) {
    if (a == b && !from_a_) return true;
    if (!a || !b) return a == b;
    if (a->spans.size() != b->spans.size() || a->elements != b->elements) return false;
    const std::uint64_t delta = from_a_ ? from_b_[d] - from_a_[d] : 0;
    const SpanNode* last_a = nullptr;
    const SpanNode* last_b = nullptr;
    for (std::size_t i = 0; i < a->spans.size(); ++i) {
      const Span& p = a->spans[i];
      const Span& q = b->spans[i];
      if (p.low + delta != q.low || p.high + delta != q.high) return false;
      if (p.down.get() == last_a && q.down.get() == last_b) continue;
      last_a = p.down.get();
      last_b = q.down.get();
      if (!run(last_a, last_b, d + 1)) return false;
    }
    return true;
  }

 private:
  const std::uint64_t* from_a_;
  const std::uint64_t* from_b_;
};

/// Groups ascending row parts by one coordinate after the other.
class RowGrouper {
 public:
  RowGrouper(const std::vector<RowPart>& parts, const Dims& extent)
      : parts_(parts), pitch_(extent.size(), 1) {
    for (unsigned d = extent.size() - 1; d-- > 0;) pitch_[d] = pitch_[d + 1] * extent[d + 1];
  }
  /// The parts [first, last), which agree in all dimensions before d; `base` is their common offset.
  SpanNodePtr run(std::size_t first, std::size_t last, unsigned d, std::uint64_t base) {
    NodeBuilder out;
    while (first < last) {
      const std::uint64_t at = (parts_[first].offset - base) / pitch_[d];
      if (d + 1 == pitch_.size()) {
        out.add(at, at + parts_[first].length, nullptr);
        ++first;
        continue;
      }
      const std::uint64_t here = base + at * pitch_[d];
      std::size_t end = first + 1;
      while (end < last && parts_[end].offset - here < pitch_[d]) ++end;
      out.add(at, at + 1, run(first, end, d + 1, here));
      first = end;
    }
    return out.finish();
  }

 private:
  const std::vector<RowPart>& parts_;
  Dims pitch_;
};

bool regular_level(const SpanNode& node, SlabDim& dim) {
  const Span& first = node.spans.front();
  const std::uint64_t block = first.high - first.low;
  const std::uint64_t stride = node.spans.size() > 1 ? node.spans[1].low - first.low : block;
  // Most irregular nodes differ at their end: a look there saves the walk.
  if (node.spans.back().low != first.low + stride * (node.spans.size() - 1)) return false;
  std::uint64_t expected = first.low;
  for (const Span& span : node.spans) {
    if (span.low != expected || span.high - span.low != block) return false;
    expected += stride;
  }
  for (const Span& span : node.spans)
    if (!equal(span.down, first.down)) return false;
  dim = SlabDim{first.low, stride, node.spans.size(), block};
  return true;
}

}  // namespace

SpanNodePtr build(const SlabDim* dims, unsigned ndims) {
  SpanNodePtr down;
  for (unsigned d = ndims; d-- > 0;) {
    const SlabDim& dim = dims[d];
    if (dim.count == 0 || dim.block == 0) return nullptr;
    NodeBuilder node;
    if (dim.count == 1 || dim.stride == dim.block) {
      node.add(dim.start, dim.end(), down);
    } else {
      for (std::uint64_t i = 0; i < dim.count; ++i) {
        const std::uint64_t low = dim.start + i * dim.stride;
        node.add(low, low + dim.block, down);
      }
    }
    down = node.finish();
  }
  return down;
}

SpanNodePtr build(const std::vector<RowPart>& parts, const Dims& extent) {
  if (parts.empty() || extent.empty()) return nullptr;
  return RowGrouper(parts, extent).run(0, parts.size(), 0, 0);
}

SpanNodePtr combine(const SpanNodePtr& a, const SpanNodePtr& b, SetRule rule) {
  return Combiner(rule).merge(a, b);
}

bool combine_within(const SpanNodePtr& a, const SpanNodePtr& b, SetRule rule, std::uint64_t* steps,
                    SpanNodePtr* out) {
  Combiner combiner(rule, *steps);
  *out = combiner.merge(a, b);
  *steps = combiner.steps();
  return *steps > 0;
}

bool append(const SpanNodePtr& tree, const SpanNodePtr& more) {
  if (!tree || !more || tree.use_count() != 1) return false;
  if (more->spans.front().low < tree->spans.back().high) return false;
  if (saturating_add(tree->elements, more->elements) == kTooMany) return false;
  // Nobody else holds the node, and it was not made const.
  auto& node = const_cast<SpanNode&>(*tree);
  for (Span span : more->spans) {
    Span& last = node.spans.back();
    const bool same = equal(last.down, span.down);
    if (same) span.down = last.down;
    span.before = node.elements;
    node.elements =
        saturating_add(node.elements, saturating_mul(span.high - span.low, SpanNode::below(span)));
    if (same && last.high == span.low) {
      last.high = span.high;
      continue;
    }
    node.blocks = saturating_add(node.blocks, span.down ? span.down->blocks : 1);
    node.spans.push_back(std::move(span));
  }
  return true;
}

SpanNodePtr clip(const SpanNodePtr& tree, const Box& box) {
  return tree ? Clipper(box).run(tree, 0) : nullptr;
}

SpanNodePtr shift(const SpanNodePtr& tree, const std::int64_t* delta) {
  return tree ? Shifter(delta).run(tree, 0) : nullptr;
}

Box bounds(const SpanNodePtr& tree, unsigned ndims) {
  Bounder bounder(ndims);
  bounder.run(*tree, 0);
  Box box{bounder.low, Dims(ndims)};
  for (unsigned d = 0; d < ndims; ++d) box.count[d] = bounder.high[d] - bounder.low[d];
  return box;
}

std::uint64_t count_in(const SpanNodePtr& tree, const Box& box) {
  return tree ? Counter(box).run(*tree, 0) : 0;
}

bool intersects(const SpanNodePtr& tree, const Box& box) { return clip(tree, box) != nullptr; }

bool equal(const SpanNodePtr& a, const SpanNodePtr& b) {
  return Comparer(nullptr, nullptr).run(a.get(), b.get(), 0);
}

bool equal_moved(const SpanNodePtr& a, const SpanNodePtr& b, const std::uint64_t* from_a,
                 const std::uint64_t* from_b) {
  return Comparer(from_a, from_b).run(a.get(), b.get(), 0);
}

bool find_regular(const SpanNodePtr& tree, SlabDim* dims, unsigned ndims) {
  const SpanNode* node = tree.get();
  for (unsigned d = 0; d < ndims; ++d) {
    if (!regular_level(*node, dims[d])) return false;
    node = node->spans.front().down.get();
  }
  return true;
}

}  // namespace span_tree

}  // namespace pcio
