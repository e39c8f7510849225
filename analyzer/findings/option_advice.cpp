#include "findings/option_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "findings/asked_settings.h"

namespace tauprof {
namespace {

// As many workers as load a batch in the time of a step without the waiting. Example: one worker, steps of 100 ms of
// which 75 are waiting: a batch takes the worker 100 ms, so four of them give one every 25 ms.
double workers_needed(double now, double wait, double step) {
  const double own = step - wait;
  if (own <= 0) return 0;
  return std::ceil(now < 1 ? wait / own : now * step / own);
}

std::string of_loader(const RunFacts& facts, const RunMetrics& metrics) {
  const std::optional<double> workers = asked_number(facts, "loader.workers");
  if (!workers) return {};
  const RowPlace& place = metrics.row_places[static_cast<size_t>(LedgerRow::kIdleDataWait)];
  const double wait = static_cast<double>(place.time) / std::max<double>(1, static_cast<double>(place.windows));
  const double needed = workers_needed(*workers, wait, metrics.step_duration.mean);
  const std::string enough = needed > *workers ? fmt::format("num_workers={:.0f} or more", needed) : "more num_workers";
  if (*workers < 1)
    return fmt::format(
        "num_workers=0 now, so the training thread makes each batch: DataLoader({}, "
        "persistent_workers=True, pin_memory=True)",
        enough);
  return fmt::format("num_workers={:.0f} and prefetch_factor={} now: {}; persistent_workers={}, pin_memory={} now",
                     *workers, asked(facts, "loader.prefetch_factor").value_or("?"), enough,
                     asked(facts, "loader.persistent_workers").value_or("?"),
                     asked(facts, "loader.pin_memory").value_or("?"));
}

std::string of_communication(const RunFacts& facts) {
  const std::optional<std::string> kind = asked(facts, "parallel.kind");
  if (kind == "ddp") {
    const std::optional<double> bytes = asked_number(facts, "parallel.bucket_bytes");
    return bytes ? fmt::format(
                       "DistributedDataParallel(bucket_cap_mb={:.3g}) now; tauprof whatif --bucket-mb 1..100 tries "
                       "others",
                       *bytes / (1 << 20))
                 : "";
  }
  if (kind == "fsdp")
    return fmt::format("backward_prefetch={}, forward_prefetch={}, limit_all_gathers={} now",
                       asked(facts, "parallel.backward_prefetch").value_or("?"),
                       asked(facts, "parallel.forward_prefetch").value_or("?"),
                       asked(facts, "parallel.limit_all_gathers").value_or("?"));
  return {};
}

std::string of_launching(const RunFacts& facts) {
  if (!is_pytorch(facts)) return {};
  return asked_number(facts, "compiler.graphs").value_or(0) > 0
             ? "torch.compile(mode=\"reduce-overhead\") puts what it compiled into CUDA graphs"
             : "torch.compile(model, mode=\"reduce-overhead\"); nothing was compiled";
}

std::string of_allocation(const RunFacts& facts) {
  if (!is_pytorch(facts)) return {};
  return fmt::format(
      "PYTORCH_CUDA_ALLOC_CONF is {} now, and the allocator gave everything back and tried again {} times",
      asked(facts, "allocator.configuration").value_or("not set"), asked(facts, "allocator.retries").value_or("?"));
}

}  // namespace

void advise_by_options(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  for (Finding& finding : found) {
    std::string options;
    if (finding.id == "data-wait")
      options = of_loader(facts, metrics);
    else if (finding.id == "exposed-comm")
      options = of_communication(facts);
    else if (finding.id == "launch-bound")
      options = of_launching(facts);
    else if (finding.id == "allocation")
      options = of_allocation(facts);
    if (!options.empty()) finding.advice = options + ". " + finding.advice;
  }
}

}  // namespace tauprof
