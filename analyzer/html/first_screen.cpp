#include "html/page_parts.h"
#include "report/json_sections.h"
#include "report/rank_words.h"
#include "report/repair_edge.h"
#include "report/repairs.h"
#include "report/run_shares.h"
#include "report/statement_text.h"
#include "report/step_shares.h"
#include "report/text_sections.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

Json parts_of_step(const Report& report) {
  Json parts = Json::array();
  for (const StepShare& part : step_shares(report.metrics))
    parts.push_back(
        {{"share", part.share}, {"label", part.label}, {"row", part.row ? Json(row_name(*part.row)) : Json(nullptr)}});
  return parts;
}

std::vector<HealthCheck> checks(const Report& report) {
  return report.job ? std::vector<HealthCheck>() : health_of(report.facts, report.metrics, report.findings);
}

// The repairs in their order: which finding, and what the step becomes.
Json repairs(const Report& report) {
  Json repairs = Json::array();
  const RepairEdge edge(report);
  for (const Finding* finding : repairs_of(report))
    repairs.push_back(
        {{"finding", finding - report.findings.data()},
         {"edge", edge.of(*finding)},
         {"command", finding->whatif.empty() ? Json(nullptr) : Json(valid_utf8(whatif_command(*finding, report)))}});
  return repairs;
}

// What the line on the run says of how much of it is reported, and of the devices' use.
Json shares(const Report& report) {
  Json shares = Json::array();
  if (report.job) return shares;
  for (const std::string& words : {outside_words(report), utilization_words(report.metrics.devices.efficiency)})
    if (!words.empty()) shares.push_back(valid_utf8(words));
  return shares;
}

Json parallelism(const Report& report) {
  Json groups = Json::array();
  if (report.job) return groups;
  for (const ParallelGroups& group : report.metrics.communication.parallelism)
    groups.push_back({{"kind", kind_words(group)}, {"groups", group_words(group)}});
  return groups;
}

}  // namespace

std::string first_screen_json(const Report& report) {
  const Json json = {
      {"logs", valid_utf8(report.logs)},        {"shares", shares(report)},
      {"parts_of_step", parts_of_step(report)}, {"checks", Value<std::vector<HealthCheck>>::json(checks(report))},
      {"cost", valid_utf8(cost_words(report))}, {"parallelism", parallelism(report)},
      {"edge", RepairEdge(report).head()},      {"repairs", repairs(report)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tauprof
