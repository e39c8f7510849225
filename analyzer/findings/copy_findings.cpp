#include "findings/copy_findings.h"

#include <fmt/format.h>

#include "findings/asked_settings.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

std::string evidence_of(const InputCopies& copies, double windows) {
  const auto share = [&](uint32_t part) { return 100.0 * part / copies.count; };
  std::string text =
      fmt::format("{:.3g} copies and {:.3g} MB per rank and step take {:.3g} ms", copies.count / windows,
                  static_cast<double>(copies.bytes) / 1e6 / windows, static_cast<double>(copies.total) / 1e6 / windows);
  if (copies.awaited > 0) text += fmt::format("; the host waits for {:.0f} % of them", share(copies.awaited));
  if (copies.pageable > 0)
    text += fmt::format("; {:.0f} % take as long as their calls, as from pageable memory", share(copies.pageable));
  if (copies.in_line > 0)
    text += fmt::format("; {:.0f} % are on the stream that computes, which stands meanwhile", share(copies.in_line));
  return text;
}

// By the names of the options of whoever made the copies.
std::string advice_for(const RunFacts& facts, const InputCopies& copies) {
  constexpr const char* kAhead = "copy the next batch on a stream of its own while this one computes";
  if (!is_pytorch(facts))
    return fmt::format("{}cudaMemcpyAsync without a wait behind it; {}.",
                       copies.pageable > 0 ? "Pinned memory (cudaHostAlloc), " : "", kAhead);
  const std::optional<std::string> pins = asked(facts, "loader.pin_memory");
  const char* const pinning = pins == "false"  ? "DataLoader(pin_memory=True), not False as now; "
                              : pins == "true" ? ""
                                               : "DataLoader(pin_memory=True) or tensor.pin_memory(); ";
  return fmt::format("{}tensor.to(device, non_blocking=True); {} (torch.cuda.stream).", pinning, kAhead);
}

}  // namespace

void add_copy_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  const InputCopies& copies = metrics.input.copies;
  if (copies.awaited + copies.in_line == 0 || metrics.windows == 0) return;
  const auto windows = static_cast<double>(metrics.windows);
  Finding finding{"input-copies", Severity::kInfo, "Copies of input hold up the device"};
  finding.cost_ns_per_step = static_cast<double>(copies.total) / windows;
  finding.least_saving = kAvoidableShare;
  finding.repair.kind = RepairKind::kInputCopies;
  finding.evidence = evidence_of(copies, windows);
  finding.advice = advice_for(facts, copies);
  found.push_back(std::move(finding));
}

}  // namespace tauprof
