#include "findings/asked_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tauprof {
namespace {

// As many workers as load the batches of a step in its time without the waiting. Example: one worker, steps of 100 ms
// of which 75 are waiting: a batch takes the worker 100 ms, so four of them give one every 25 ms. `fetch`: what the
// training thread waits for batches in a step, which without workers is what they take.
double workers_needed(double now, double fetch, double wait, double step) {
  const double work = step - wait;
  if (work <= 0) return 0;
  return std::ceil(now < 1 ? fetch / work : now * step / work);
}

// Of each rank, of what its loader does between long waits, the least.
const RankInput* most_pressed(const std::vector<RankInput>& ranks) {
  const auto is_less = [](const RankInput& a, const RankInput& b) { return a.batches_between < b.batches_between; };
  const auto found = std::min_element(ranks.begin(), ranks.end(), is_less);
  return found == ranks.end() ? nullptr : &*found;
}

struct DeeperPrefetch {
  double batches = 0;     // that each worker has to be ahead
  double between_ns = 0;  // that a worker may take for a batch other than the slow ones
};

// More batches come in time between two long waits than are loaded ahead: so the workers catch up, and may only not be
// far enough ahead for their slowest batches. Whether they are fast enough on the whole depends on the other batches,
// of which only the latest moment is known at which each was there. None: they are too slow whatever those take, or
// nobody knows.
std::optional<DeeperPrefetch> deeper_prefetch(const RunMetrics& metrics, double workers, double ahead, double work) {
  const RankInput* const rank = most_pressed(metrics.input.ranks);
  if (rank == nullptr || work <= 0 || static_cast<double>(rank->batches_between) <= workers * ahead)
    return std::nullopt;
  const double steps = std::max(1.0, static_cast<double>(metrics.steps.selection.analysed.size()));
  const double own_of_batch = work / std::max(1.0, static_cast<double>(rank->batches) / steps);
  const double slow = workers * ahead * own_of_batch + rank->long_wait_ns;  // from its request to its end
  const auto between = static_cast<double>(rank->batches_between);
  const double rest = (workers * own_of_batch * (between + 1) - slow) / between;
  if (rest <= 0) return std::nullopt;
  const double more = std::ceil(rank->long_wait_ns / own_of_batch) + 1;
  return DeeperPrefetch{std::max(ahead + 1, std::ceil((workers * ahead + more) / workers)), rest};
}

OptionAdvice of_loader(const RunFacts& facts, const RunMetrics& metrics, const Statement& general) {
  const std::optional<double> workers = asked_number(facts, "loader.workers");
  if (!workers) return {general, {}};
  const RowPlace& place = metrics.time.row_places[static_cast<size_t>(LedgerRow::kIdleDataWait)];
  const double wait = static_cast<double>(place.time) / std::max<double>(1, static_cast<double>(place.windows));
  const double step = metrics.steps.step_duration.mean;
  const double needed = workers_needed(*workers, metrics.input.fetch_wait.mean, wait, step);
  const Statement enough = needed > *workers ? said("num_workers=", Count{needed}, " or more") : "more num_workers";
  if (*workers < 1)
    return {said("num_workers=0 now, so the training thread makes each batch: DataLoader(", enough, "). ", general),
            {}};
  const std::optional<double> ahead = asked_number(facts, "loader.prefetch_factor");
  const std::optional<DeeperPrefetch> deeper =
      ahead ? deeper_prefetch(metrics, *workers, *ahead, step - wait) : std::nullopt;
  if (!deeper) return {said("num_workers=", Count{*workers}, " now: ", enough, ". ", general), {}};
  return {said("prefetch_factor=", Count{deeper->batches}, " or more, ", Count{*ahead},
               " now, if a worker loads the batches between the long waits in ", Duration{deeper->between_ns},
               " or less (tauprof run --null-gpu tries the loader alone); else more num_workers, ", Count{*workers},
               " now. Look at the batches of the long waits (--show input)."),
          said("between long waits ", most_pressed(metrics.input.ranks)->batches_between,
               " batches come in time, with ", Count{*workers * *ahead}, " loaded ahead at most")};
}

Statement of_communication(const RunFacts& facts) {
  const std::optional<std::string> kind = asked(facts, "parallel.kind");
  if (kind == "ddp") {
    const std::optional<double> bytes = asked_number(facts, "parallel.bucket_bytes");
    return bytes ? said("DistributedDataParallel(bucket_cap_mb=", Amount{*bytes / (1 << 20), ""},
                        ") now; tauprof whatif --bucket-mb 1..100 tries others")
                 : Statement();
  }
  if (kind == "fsdp")
    return said("backward_prefetch=", asked(facts, "parallel.backward_prefetch").value_or("?"),
                ", forward_prefetch=", asked(facts, "parallel.forward_prefetch").value_or("?"),
                ", limit_all_gathers=", asked(facts, "parallel.limit_all_gathers").value_or("?"), " now");
  return {};
}

Statement of_launching(const RunFacts& facts) {
  if (!is_pytorch(facts)) return {};
  return asked_number(facts, "compiler.graphs").value_or(0) > 0
             ? "torch.compile(mode=\"reduce-overhead\") puts what it compiled into CUDA graphs"
             : "torch.compile(model, mode=\"reduce-overhead\"); nothing was compiled";
}

Statement of_allocation(const RunFacts& facts) {
  if (!is_pytorch(facts)) return {};
  const auto retries = asked(facts, "allocator.retries");  // asked at the end, which a killed process has not
  Statement text =
      said("PYTORCH_CUDA_ALLOC_CONF is ", asked(facts, "allocator.configuration").value_or("not set"), " now");
  return retries ? text.add(", and the allocator gave everything back and tried again ", *retries, " times") : text;
}

}  // namespace

std::optional<std::string> asked(const RunFacts& facts, const std::string& name) {
  const auto found = facts.settings.find(name);
  if (found == facts.settings.end() || found->second.size() != 1) return std::nullopt;
  return found->second.begin()->first;
}

std::optional<double> asked_number(const RunFacts& facts, const std::string& name) {
  const std::optional<std::string> text = asked(facts, name);
  double number = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc() && end == text->data() + text->size() ? std::optional(number) : std::nullopt;
}

bool is_pytorch(const RunFacts& facts) { return facts.settings.contains("versions.pytorch"); }

OptionAdvice option_advice(FindingId id, const RunFacts& facts, const RunMetrics& metrics, const Statement& general) {
  Statement options;
  switch (id) {
    case FindingId::kDataWait:
      return of_loader(facts, metrics, general);
    case FindingId::kExposedComm:
      options = of_communication(facts);
      break;
    case FindingId::kLaunchBound:
      options = of_launching(facts);
      break;
    case FindingId::kAllocation:
      options = of_allocation(facts);
      break;
    default:
      break;
  }
  return {options.empty() ? general : options.add(". ", general), {}};
}

}  // namespace tauprof
