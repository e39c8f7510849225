#include <algorithm>
#include <string>
#include <string_view>

#include "findings/asked_settings.h"
#include "findings/finders.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

Statement evidence_of(const InputCopies& copies, double windows) {
  const auto share = [&](uint32_t part) { return Share{static_cast<double>(part) / copies.count, 0}; };
  Statement text = said(Count{copies.count / windows, "copy", "copies"}, " and ",
                        Volume{static_cast<double>(copies.bytes) / windows}, " per rank and step take ",
                        Duration{static_cast<double>(copies.total) / windows});
  if (copies.awaited > 0) text.also(said("the host waits for ", share(copies.awaited), " of them"));
  if (copies.pageable > 0)
    text.also(said(share(copies.pageable), " take as long as their calls, as from pageable memory"));
  if (copies.in_line > 0)
    text.also(said(share(copies.in_line), " are on the stream that computes, which stands meanwhile"));
  return text;
}

// By the names of the options of whoever made the copies; each for what the copies of at least every second step show:
// a host without a CPU makes single calls as long as their copies.
Statement advice_for(const RunFacts& facts, const InputCopies& copies, size_t windows) {
  const size_t usual = std::min<size_t>(windows, std::max({copies.pageable, copies.awaited, copies.in_line}));
  const auto are_usual = [&](uint32_t part) { return is_as_much(part, usual); };
  Statement text;
  const std::string_view own_stream = "copy the next batch on a stream of its own while this one computes";
  if (!is_pytorch(facts)) {
    if (are_usual(copies.pageable)) text.also("Pinned memory (cudaHostAlloc)");
    if (are_usual(copies.awaited)) text.also("cudaMemcpyAsync without a wait behind it");
    if (are_usual(copies.in_line)) text.also(own_stream);
    return text.add(".");
  }
  const std::optional<std::string> pins = asked(facts, "loader.pin_memory");
  if (are_usual(copies.pageable))
    text.also(pins == "false"  ? "DataLoader(pin_memory=True), not False as now"
              : pins == "true" ? "tensor.pin_memory() for what the loader does not pin"
                               : "DataLoader(pin_memory=True) or tensor.pin_memory()");
  if (are_usual(copies.awaited)) text.also("tensor.to(device, non_blocking=True)");
  if (are_usual(copies.in_line)) text.also(said(own_stream, " (torch.cuda.stream)"));
  return text.add(".");
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
