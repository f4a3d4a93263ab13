// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: a plan as JSON.

#include <nlohmann/json.hpp>

#include "text.hpp"

namespace pcio_explain {

namespace {

using Json = nlohmann::ordered_json;

Json spread_json(const Spread& spread) {
  return {{"sum", spread.sum},
          {"mean", spread.mean},
          {"min", spread.least},
          {"max", spread.most},
          {"max_rank", spread.most_rank}};
}

/// Lists of one number a rank: who does what.
Json by_rank_json(const Figures& figures) {
  return {{"bytes_selected", figures.selected.each},
          {"bytes_written", figures.written.each},
          {"bytes_read", figures.read.each},
          {"bytes_sent", figures.sent.each},
          {"bytes_between_nodes", figures.between_nodes.each},
          {"messages_sent", figures.messages.each},
          {"calls", figures.calls.each},
          {"collective_calls", figures.collective_calls.each},
          {"view_changes", figures.views.each},
          {"chunks_touched", figures.touched.each},
          {"chunks_collective", figures.collective_chunks.each},
          {"chunks_independent", figures.independent_chunks.each}};
}

Json subject_json(const Subject& subject) {
  Json filters = Json::array();
  for (const pcio::FilterSpec& filter : subject.filters)
    filters.push_back({{"id", filter.id}, {"values", filter.values}});
  Json out;
  if (!subject.file.empty()) out = {{"file", subject.file}, {"dataset", subject.dataset}};
  out["extent"] = subject.dims;
  out["type"] = subject.type;
  out["element_bytes"] = subject.element_bytes;
  if (!subject.chunk.empty()) {
    out["chunk"] = subject.chunk;
    out["chunk_bytes"] = subject.chunk_bytes();
  }
  out["filters"] = filters;
  return out;
}

Json figures_json(const Figures& figures) {
  Json out = {{"bytes_selected", spread_json(figures.selected)},
              {"bytes_written", spread_json(figures.written)},
              {"bytes_read", spread_json(figures.read)},
              {"bytes_sent", spread_json(figures.sent)},
              {"bytes_between_nodes", spread_json(figures.between_nodes)},
              {"messages_sent", spread_json(figures.messages)},
              {"exchange_rounds", figures.rounds},
              {"calls", spread_json(figures.calls)},
              {"collective_calls", spread_json(figures.collective_calls)},
              {"view_changes", spread_json(figures.views)},
              {"chunks_touched", spread_json(figures.touched)},
              {"chunks_collective", spread_json(figures.collective_chunks)},
              {"chunks_independent", spread_json(figures.independent_chunks)},
              {"ranks_idle", figures.idle},
              {"chunks", figures.chunks}};
  if (figures.counted) {
    out["chunks_distinct"] = figures.distinct;
    out["chunks_shared"] = figures.shared;
  }
  if (figures.owned.sum > 0) out["chunks_owned"] = spread_json(figures.owned);
  return out;
}

Json mode_json(const Plan& plan) {
  const pcio::TransferReport& first = plan.ranks.front().report;
  Json modes, transports;
  for (const RankPlan& rank : plan.ranks) {
    Json& mode = modes[io_mode_name(rank.report.io_mode)];
    mode = mode.is_null() ? 1 : mode.get<int>() + 1;
    Json& way = transports[transport_name(rank.report.transport)];
    way = way.is_null() ? 1 : way.get<int>() + 1;
  }
  return {
      {"direction", plan.settings.direction == pcio::Direction::kWrite ? "write" : "read"},
      {"ranks", plan.ranks.size()},
      {"nodes", plan.settings.nodes},
      {"stripe", plan.settings.stripe},
      {"io_mode", modes},
      {"chunk_opt", chunk_opt_name(first.chunk_opt)},
      {"causes", {{"bits", first.global_causes}, {"text", pcio::cause_names(first.global_causes)}}},
      {"transport", transports},
      {"transport_why", first.transport_why}};
}

}  // namespace

std::string plan_json(const Plan& plan, const Figures& figures, const std::string& deal,
                      const std::vector<Advice>& advice, const std::vector<Trial>& trials) {
  Json out = {
      {"schema", 1}, {"kind", "plan"}, {"subject", subject_json(plan.subject)}, {"deal", deal}};
  out.update(mode_json(plan));
  out["figures"] = figures_json(figures);
  out["by_rank"] = by_rank_json(figures);
  out["advice"] = Json::array();
  for (const Advice& each : advice)
    out["advice"].push_back({{"name", each.name}, {"cause", each.cause}, {"remedy", each.remedy}});
  for (const Trial& trial : trials) {
    Json one = {{"subject", subject_json(trial.subject)}, {"what", trial.what}};
    one.update(mode_json(trial.plan));
    one["figures"] = figures_json(trial.figures);
    one["cost"] = trial.figures.cost;
    out["trials"].push_back(one);
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace pcio_explain
