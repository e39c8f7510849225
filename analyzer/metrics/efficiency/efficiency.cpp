#include "metrics/efficiency/efficiency.h"

#include <algorithm>
#include <cmath>

#include "limits/analysis_limits.h"
#include "metrics/efficiency/dense_transformer.h"
#include "metrics/efficiency/device_peaks.h"

namespace tauprof {
namespace {

// The ranks' multiplications in the analysed steps.
struct Executed {
  PerPrecision<double> flops{};
  double total = 0;
  double ideal_ns = 0;
  double unclassified_ideal_ns = 0;  // the part of it in unclassified graphs
  double repeated = 0;
  double repeated_ideal_ns = 0;
  double ideal_ns_at_clock = 0;  // with peaks in proportion to the clocks that were recorded
  double mhz_ideal_ns = 0;       // clocks, weighted by ideal time
  bool has_clocks = true;
  std::string no_repeats_because;  // set if it is not known what is repeated
  Nanoseconds gemm = 0;
  std::string no_peak_because;  // set if the ideal time is not known
};

// A step's products at the clock of its device, where that is known.
void add_at_clock(const RankStep& step, const std::optional<double>& peak_clock_mhz, double ideal_ns, Executed& sums) {
  if (ideal_ns <= 0) return;
  sums.has_clocks &= peak_clock_mhz && step.health.sm_clock_mhz.value_or(0) > 0;
  if (!sums.has_clocks) return;
  sums.ideal_ns_at_clock += ideal_ns * *peak_clock_mhz / *step.health.sm_clock_mhz;
  sums.mhz_ideal_ns += ideal_ns * *step.health.sm_clock_mhz;
}

std::string why_no_peak(Precision precision, const std::string& device) {
  if (precision == Precision::kUnknown) return "the types of some products are not recorded";
  return "the peak of " + (device.empty() ? "the device" : device) + " in " + std::string(precision_name(precision)) +
         " is not known";
}

void add_step(const RankStep& step, const RankTimeline& rank, const PerPrecision<double>& peaks,
              const std::optional<double>& peak_clock_mhz, Executed& sums) {
  double ideal_ns = 0;
  sums.gemm += step.gemm;
  for (size_t p = 0; p < kPrecisionCount; ++p) {
    if (step.flops[p] <= 0) continue;
    sums.flops[p] += step.flops[p];
    sums.total += step.flops[p];
    sums.repeated += step.repeated_flops[p];
    if (peaks[p] > 0) {
      ideal_ns += 1e9 * step.flops[p] / peaks[p];
      sums.unclassified_ideal_ns += 1e9 * step.unclassified_flops[p] / peaks[p];
      sums.repeated_ideal_ns += 1e9 * step.repeated_flops[p] / peaks[p];
    } else if (sums.no_peak_because.empty()) {
      sums.no_peak_because = why_no_peak(static_cast<Precision>(p), rank.device_name);
    }
  }
  sums.ideal_ns += ideal_ns;
  add_at_clock(step, peak_clock_mhz, ideal_ns, sums);
}

Executed executed_by(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                     const PeaksOfRanks& peaks, bool are_given) {
  Executed sums;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (sums.no_repeats_because.empty()) sums.no_repeats_because = ranks[i]->repeats_unknown_because;
    const auto clock = are_given ? std::nullopt : device_peak_clock_mhz(ranks[i]->device_name);
    for (const RankStep& step : ranks[i]->steps)
      if (steps.has(step.number) && step.device) add_step(step, *ranks[i], peaks[i], clock, sums);
  }
  return sums;
}

bool is_possible(double share_of_peak) { return share_of_peak <= kMostOfPeak; }

std::string percent_of(double share) { return std::to_string(std::llround(100 * std::min(share, 1e9))) + " %"; }

// As if the peak were not known, where products would exceed it.
void doubt_peak(Nanoseconds step_ns, Executed& executed) {
  if (!executed.no_peak_because.empty() || step_ns <= 0) return;
  const double share = executed.ideal_ns / static_cast<double>(step_ns);
  if (!is_possible(share)) executed.no_peak_because = "products would use " + percent_of(share) + " of the peak";
}

PeaksOfRanks peaks_of_ranks(const std::vector<const RankTimeline*>& ranks, const std::optional<double>& given) {
  PeaksOfRanks peaks;
  for (const RankTimeline* const rank : ranks) peaks.push_back(peaks_of(rank->device_name, given));
  return peaks;
}

// The rows of the ledger before compute, in the order of the definition: idle, communication, copies, unclassified.
std::vector<LedgerRow> rows_before_compute() {
  std::vector<LedgerRow> idle, busy;
  for (size_t i = 0; i < kLedgerRowCount; ++i) {
    const auto row = static_cast<LedgerRow>(i);
    if (row != LedgerRow::kCompute) (is_idle(row) ? idle : busy).push_back(row);
  }
  idle.insert(idle.end(), busy.begin(), busy.end());
  return idle;
}

std::vector<WaterfallRow> waterfall_of(const Ledger& ledger, Nanoseconds step_ns, const Executed& executed) {
  if (step_ns <= 0) return {};
  const auto whole = static_cast<double>(step_ns);
  const LedgerRows rows = ledger.rows();
  std::vector<WaterfallRow> waterfall;
  for (const LedgerRow row : rows_before_compute())
    waterfall.push_back({std::string(row_name(row)), static_cast<double>(rows[static_cast<size_t>(row)]) / whole});
  const Nanoseconds compute = rows[static_cast<size_t>(LedgerRow::kCompute)];
  if (executed.total <= 0) {
    waterfall.push_back({"compute", static_cast<double>(compute) / whole});
    return waterfall;
  }
  waterfall.push_back({"non_gemm_compute", static_cast<double>(compute - executed.gemm) / whole});
  const auto gemm = static_cast<double>(executed.gemm);
  if (!executed.no_peak_because.empty()) {
    waterfall.push_back({"gemm_compute", gemm / whole});
    return waterfall;
  }
  const double unclassified = executed.unclassified_ideal_ns;
  for (WaterfallRow& row : waterfall)
    if (row.name == row_name(LedgerRow::kUnclassified)) row.share -= unclassified / whole;
  waterfall.push_back({"gemm_inefficiency", (gemm - (executed.ideal_ns - unclassified)) / whole});
  if (!executed.no_repeats_because.empty()) {
    waterfall.push_back({"executed", executed.ideal_ns / whole});
    return waterfall;
  }
  waterfall.push_back({"recomputation", executed.repeated_ideal_ns / whole});
  waterfall.push_back({"model", (executed.ideal_ns - executed.repeated_ideal_ns) / whole});
  return waterfall;
}

std::string why_nothing_executed(const std::vector<UncountedKernels>& uncounted) {
  return uncounted.empty() ? "no matrix multiplication ran in the analysed steps"
                           : "the log has no sizes of matrix multiplications";
}

// The mean over the windows that the ranks have.
double mean_step_ns(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps, Nanoseconds step_ns) {
  size_t windows = 0;
  for (const RankTimeline* const rank : ranks)
    for (const RankStep& step : rank->steps) windows += steps.has(step.number) && step.device;
  return windows > 0 ? static_cast<double>(step_ns) / static_cast<double>(windows) : 0;
}

void measure_at_clock(const Executed& executed, Nanoseconds step_ns, Efficiency& result) {
  if (!executed.has_clocks) return;
  result.clock_mhz = executed.mhz_ideal_ns / executed.ideal_ns;
  result.peak_flops_at_clock = 1e9 * executed.total / executed.ideal_ns_at_clock;
  result.hfu_at_clock = executed.ideal_ns_at_clock / static_cast<double>(step_ns);
}

// The model's operations and MFU: what was executed, without the repeated products.
void count_model(const Executed& executed, double count, Nanoseconds step_ns, Efficiency& result) {
  if (!result.recomputed_flops) return;
  result.is_model_counted = true;
  result.model_flops = (executed.total - executed.repeated) / count;
  if (result.hfu) result.mfu = *result.hfu - executed.repeated_ideal_ns / static_cast<double>(step_ns);
}

// Of what the user says that the model needs.
void measure_given_model(double step_ns, int32_t devices, Efficiency& result) {
  if (step_ns <= 0) {
    result.no_mfu_because = "there are no device times";
    return;
  }
  if (!result.peak_flops) {
    result.no_mfu_because = result.no_hfu_because + " (--peak-tflops)";
    return;
  }
  const double mfu = 1e9 * *result.model_flops / (step_ns * devices * *result.peak_flops);
  if (is_possible(mfu))
    result.mfu = mfu;
  else
    result.no_mfu_because = "a step would use " + percent_of(mfu) + " of the peak of all devices";
}

// Holds what was counted against the formula, where there are logs of all ranks.
void check_formula(const std::vector<const RankTimeline*>& ranks, int32_t devices, const EfficiencyInput& input,
                   Efficiency& result) {
  result.formula_flops = dense_transformer_flops(ranks, devices, input.tokens, input.batch);
  int32_t reported = 0;
  for (const RankTimeline* const rank : ranks) reported += rank->device_count();
  if (!result.formula_flops || !result.executed_flops || !result.recomputed_flops || reported != devices) return;
  const double counted = *result.executed_flops - *result.recomputed_flops;
  const double more = *result.formula_flops / counted - 1;
  if (std::abs(more) <= kFormulaAgrees) return;
  if (more < 0)
    result.formula_differs_because = "products ran that a dense transformer of these sizes does not have";
  else if (result.is_lower_bound)
    result.formula_differs_because =
        "kernels of unknown size took " + percent_of(result.uncounted_share) + " of the time";
  else
    result.formula_differs_because =
        "not every parameter is multiplied with every token, or not all data is trained on";
}

// Why the model's operations are not counted; empty: they are.
std::string why_not_counted(const Executed& executed, const Efficiency& result) {
  if (!result.executed_flops) return result.no_hfu_because;
  return executed.no_repeats_because.empty() ? "" : executed.no_repeats_because + " (--model-flops)";
}

}  // namespace

Efficiency efficiency_of(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                         const Ledger& ledger, Nanoseconds step_ns, int32_t devices, const EfficiencyInput& input) {
  Efficiency result;
  result.model_flops = input.model_flops;
  result.uncounted = uncounted_table(ranks, steps);
  const PeaksOfRanks peaks = peaks_of_ranks(ranks, input.peak_flops);
  result.gemms = gemm_table(ranks, steps, peaks);
  Executed executed = executed_by(ranks, steps, peaks, input.peak_flops.has_value());
  doubt_peak(step_ns, executed);
  result.waterfall = waterfall_of(ledger, step_ns, executed);
  const auto count = static_cast<double>(std::max<size_t>(1, steps.analysed.size()));
  if (step_ns <= 0) {
    result.no_hfu_because = "there are no device times";
  } else if (executed.total <= 0) {
    result.no_hfu_because = why_nothing_executed(result.uncounted);
  } else {
    result.is_lower_bound = !result.uncounted.empty();
    result.executed_flops = executed.total / count;
    for (size_t p = 0; p < kPrecisionCount; ++p) result.executed_by_precision[p] = executed.flops[p] / count;
    result.no_hfu_because = executed.no_peak_because;
    if (executed.no_peak_because.empty()) {
      result.hfu = executed.ideal_ns / static_cast<double>(step_ns);
      result.peak_flops = 1e9 * executed.total / executed.ideal_ns;
      measure_at_clock(executed, step_ns, result);
    }
  }
  for (const UncountedKernels& kernels : result.uncounted)
    if (step_ns > 0) result.uncounted_share += static_cast<double>(kernels.total) / static_cast<double>(step_ns);
  if (!result.peak_flops) result.peak_flops = input.peak_flops;
  const bool has_steps =
      std::none_of(ranks.begin(), ranks.end(), [](const RankTimeline* rank) { return rank->steps_source == kByTime; });
  if (has_steps && result.executed_flops && executed.no_repeats_because.empty())
    result.recomputed_flops = executed.repeated / count;
  if (!has_steps) {
    result.no_mfu_because = "no steps are known";
  } else if (input.model_flops) {
    measure_given_model(mean_step_ns(ranks, steps, step_ns), devices, result);
  } else {
    count_model(executed, count, step_ns, result);
    result.no_mfu_because = why_not_counted(executed, result);
    if (result.no_mfu_because.empty() && !result.mfu)
      result.no_mfu_because = result.no_hfu_because + " (--peak-tflops)";
  }
  if (has_steps) check_formula(ranks, devices, input, result);
  return result;
}

}  // namespace tauprof
