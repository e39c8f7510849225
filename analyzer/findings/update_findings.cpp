#include <algorithm>

#include "findings/asked_settings.h"
#include "findings/finders.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// PyTorch's optimizers with fused=True whose state is two numbers for each parameter.
bool is_adam(const std::string& name) { return name == "Adam" || name == "AdamW"; }

// Weights and both moments are read and written, gradients read: seven times four bytes in float32.
constexpr double kAdamBytes = 28;

Nanoseconds update_time(const RunMetrics& metrics) {
  for (const PhaseMetrics& phase : metrics.time.phases)
    if (phase.name == phase_name(Phase::kOptimStep)) return static_cast<Nanoseconds>(phase.device.mean);
  return 0;
}

}  // namespace

void add_update_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  const std::optional<std::string> optimizer = asked(facts, "optimizer.class");
  const std::optional<double> parameters = asked_number(facts, "optimizer.parameters");
  const std::optional<std::string> fused = asked(facts, "optimizer.fused");
  if (!optimizer || !parameters || !is_adam(*optimizer) || fused == "true") return;
  if (asked(facts, "optimizer.dtypes") != "float32") return;
  const auto time = static_cast<double>(update_time(metrics));
  if (time <= 0) return;
  Finding finding(FindingId::kUnfusedOptimizer);
  finding.cost_ns_per_step = time;
  finding.least_saving = kAvoidableShare;
  finding.repair.kind = RepairKind::kFusedUpdate;
  finding.repair.update_bytes = kAdamBytes * *parameters;
  finding.evidence = said(*optimizer, " updates ", Amount{*parameters / 1e6, "million", 4}, " parameters in ",
                          asked(facts, "optimizer.tensors").value_or("?"), " tensors for ", Duration{time},
                          " of the device; one pass moves ", Volume{finding.repair.update_bytes});
  finding.advice = said(*optimizer, "(..., fused=True); now fused is ", fused.value_or("not known"), " and foreach ",
                        asked(facts, "optimizer.foreach").value_or("not known"), ".");
  found.push_back(std::move(finding));
}

}  // namespace tauprof
