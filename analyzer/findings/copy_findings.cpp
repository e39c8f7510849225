#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "findings/asked_settings.h"
#include "findings/duration_text.h"
#include "findings/finders.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

std::string evidence_of(const InputCopies& copies, double windows) {
  const auto share = [&](uint32_t part) { return 100.0 * part / copies.count; };
  const std::string count = fmt::format("{:.3g}", copies.count / windows);
  std::string text = fmt::format("{} {} and {:.3g} MB per rank and step take {}", count,
                                 count == "1" ? "copy" : "copies", static_cast<double>(copies.bytes) / 1e6 / windows,
                                 duration_text(static_cast<double>(copies.total) / windows));
  if (copies.awaited > 0) text += fmt::format("; the host waits for {:.0f} % of them", share(copies.awaited));
  if (copies.pageable > 0)
    text += fmt::format("; {:.0f} % take as long as their calls, as from pageable memory", share(copies.pageable));
  if (copies.in_line > 0)
    text += fmt::format("; {:.0f} % are on the stream that computes, which stands meanwhile", share(copies.in_line));
  return text;
}

// By the names of the options of whoever made the copies; each for what the copies of at least every second step show:
// a host without a CPU makes single calls as long as their copies.
std::string advice_for(const RunFacts& facts, const InputCopies& copies, size_t windows) {
  const size_t usual = std::min<size_t>(windows, std::max({copies.pageable, copies.awaited, copies.in_line}));
  const auto are_usual = [&](uint32_t part) { return is_as_much(part, usual); };
  std::string text;
  const auto add = [&](std::string_view what) { text += fmt::format("{}{}", text.empty() ? "" : "; ", what); };
  const std::string_view own_stream = "copy the next batch on a stream of its own while this one computes";
  if (!is_pytorch(facts)) {
    if (are_usual(copies.pageable)) add("Pinned memory (cudaHostAlloc)");
    if (are_usual(copies.awaited)) add("cudaMemcpyAsync without a wait behind it");
    if (are_usual(copies.in_line)) add(own_stream);
    return text + ".";
  }
  const std::optional<std::string> pins = asked(facts, "loader.pin_memory");
  if (are_usual(copies.pageable))
    add(pins == "false"  ? "DataLoader(pin_memory=True), not False as now"
        : pins == "true" ? "tensor.pin_memory() for what the loader does not pin"
                         : "DataLoader(pin_memory=True) or tensor.pin_memory()");
  if (are_usual(copies.awaited)) add("tensor.to(device, non_blocking=True)");
  if (are_usual(copies.in_line)) add(fmt::format("{} (torch.cuda.stream)", own_stream));
  return text + ".";
}

}  // namespace

void add_copy_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  const InputCopies& copies = metrics.input.copies;
  if (copies.awaited + copies.in_line == 0 || metrics.time.windows == 0) return;
  const auto windows = static_cast<double>(metrics.time.windows);
  Finding finding(FindingId::kInputCopies);
  finding.cost_ns_per_step = static_cast<double>(copies.total) / windows;
  finding.least_saving = kAvoidableShare;
  finding.repair.kind = RepairKind::kInputCopies;
  finding.evidence = evidence_of(copies, windows);
  finding.advice = advice_for(facts, copies, metrics.time.windows);
  found.push_back(std::move(finding));
}

}  // namespace tauprof
