#include "report/json_sections.h"

namespace tauprof {
namespace {

int64_t mean(Nanoseconds total, uint64_t count) {
  return rounded(static_cast<double>(total) / static_cast<double>(count));
}

}  // namespace

Fields<KernelOfRun> fields_of(const KernelOfRun*) {
  return {
      "Kernel",
      "Device work of one name and class",
      {
          {"name", [](const KernelOfRun& k) { return k.kernel.name; }, "demangled"},
          {"class", [](const KernelOfRun& k) { return k.kernel.span_class; }, "what it is for"},
          {"count", [](const KernelOfRun& k) { return k.kernel.count; }, "how often it ran"},
          {"total_ns", [](const KernelOfRun& k) { return k.kernel.total; }, "for how long, in all"},
          {"mean_ns", [](const KernelOfRun& k) { return mean(k.kernel.total, k.kernel.count); }, "for how long"},
          {"share", &KernelOfRun::share, "of the time of all"},
          {"flops", [](const KernelOfRun& k) { return when(k.kernel.work.flops > 0, k.kernel.work.flops); },
           "operations, in all; `null`: none that are known"},
          {"bytes",
           [](const KernelOfRun& k) {
             return when(k.kernel.work.with_bytes == k.kernel.count, k.kernel.work.bytes.least);
           },
           "copied, or read and written at least, in all; `null`: not known"},
          {"bound", [](const KernelOfRun& k) { return k.kernel.roofline.bound; }, "what bounds it; `null`: not known"},
          {"share_of_bound", [](const KernelOfRun& k) { return k.kernel.roofline.share_of_bound; },
           "of its time that this alone would take"},
      }};
}

Fields<CallMetrics> fields_of(const CallMetrics*) {
  return {"Call",
          "What a recorded function took on the host",
          {
              {"function", &CallMetrics::function, "its name"},
              {"count", &CallMetrics::count, "calls"},
              {"total_ns", &CallMetrics::total, "in all"},
              {"mean_ns", [](const CallMetrics& c) { return mean(c.total, c.count); }, "the mean"},
              {"min_ns", &CallMetrics::shortest, "the shortest"},
              {"max_ns", &CallMetrics::longest, "the longest"},
          }};
}

namespace {

std::optional<Named<Nanoseconds>> charged(const LineOfRun& line) {
  if (!line.is_timed) return std::nullopt;
  Named<Nanoseconds> rows;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    if (line.line.charged[row] != 0) rows.emplace_back(kLedgerRowNames[row], line.line.charged[row]);
  return rows;
}

}  // namespace

Fields<LineOfRun> fields_of(const LineOfRun*) {
  return {
      "SlowCall",
      "The host's time at a source line",
      {
          {"where", [](const LineOfRun& l) { return l.line.where; },
           "\"file:line function\": the innermost frame outside the frameworks"},
          {"call", [](const LineOfRun& l) { return known(l.line.call); },
           "the function; `null`: a pause between calls"},
          {"count", [](const LineOfRun& l) { return l.line.count; },
           "calls of `TAUPROF_STACK_MIN_US` or more; for pauses, how often a thread was found there"},
          {"total_ns", [](const LineOfRun& l) { return l.line.total; }, "in all"},
          {"mean_ns", [](const LineOfRun& l) { return mean(l.line.total, l.line.count); }, "the mean"},
          {"device_ns", charged,
           "device time that the ledger books because of just this time, by row: the idle time that the thread caused "
           "meanwhile, and exposed copies of these calls (`exposed_copy`, `idle_host_sync`, `idle_host_launch`, "
           "`idle_data_wait`, `idle_host_stall`)"},
          {"ranks", [](const LineOfRun& l) { return l.line.ranks; }, "that were seen there"},
      }};
}

std::vector<KernelOfRun> kernels_of(const RunMetrics& metrics) {
  std::vector<KernelOfRun> kernels;
  for (const KernelMetrics& kernel : metrics.work.kernels) kernels.push_back({kernel, metrics.work.kernel_total});
  return kernels;
}

std::vector<LineOfRun> slow_lines(const RunMetrics& metrics) {
  std::vector<LineOfRun> lines;
  for (const SourceLineMetrics& line : metrics.work.source_lines)
    if (line.count > 0) lines.push_back({line, metrics.is_timed()});
  return lines;
}

}  // namespace tauprof
