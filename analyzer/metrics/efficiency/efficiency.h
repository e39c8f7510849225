// How much of what the devices could multiply a run did (docs/metrics.md, "Efficiency").
//
// The unit is *ideal time*: the operations of a precision over the device's peak in it. HFU is the ideal time of all
// counted products over the time of all steps; the peak that the report names is operations over ideal time, so that a
// mix of precisions is weighted by operations. Example: in a step of 10 ms, 624 GFLOP in BF16 at 312 TFLOP/s (2 ms) and
// 19.5 GFLOP in FP32 at 19.5 TFLOP/s (1 ms): HFU 30 %, peak 643.5 GFLOP / 3 ms = 214.5 TFLOP/s.
//
// The *waterfall* starts from all the time, and takes away the rows of the ledger but its compute; of that what no
// counted product ran in; of the rest what is not ideal time; and the ideal time of what recomputation repeats. What is
// left is the model's: MFU, where nobody gives other operations. The shares sum to 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limits/analysis_limits.h"
#include "metrics/efficiency/gemm_table.h"
#include "metrics/statistics/step_selection.h"
#include "model/ledger.h"
#include "model/rank_timeline.h"

namespace tauprof {

// The user's facts about the model and the devices.
struct EfficiencyInput {
  std::optional<double> model_flops;    // per step, of the whole job
  std::optional<double> peak_flops;     // per second, of one device, whatever the precision
  std::optional<double> tokens;         // of a rank in a step
  std::optional<double> batch;          // sequences of a rank in a step
  std::optional<double> link_gb_per_s;  // that a device can send to the others
};

struct WaterfallRow {
  std::string name;
  double share = 0;
};

struct Efficiency {
  std::optional<double> mfu;
  std::optional<double> hfu;
  std::string no_mfu_because;            // set if mfu is not
  std::string no_hfu_because;            // set if hfu is not
  std::optional<double> executed_flops;  // per step, of the reported ranks
  std::optional<double> peak_flops;      // per second, of one device
  // The same at the clock that its multiprocessors had; not known where a step's clock is not.
  std::optional<double> clock_mhz;
  std::optional<double> peak_flops_at_clock;
  std::optional<double> hfu_at_clock;
  // Per step: as the user says, of the whole job; else what was executed less what recomputation repeats.
  std::optional<double> model_flops;
  bool is_model_counted = false;
  std::optional<double> recomputed_flops;        // per step, of the reported ranks
  std::optional<double> formula_flops;           // per step, of the whole job: what a dense transformer would need
  std::string formula_differs_because;           // set if the counted operations are other ones
  bool is_lower_bound = false;                   // products of unknown size ran
  double uncounted_share = 0;                    // of the steps' time, that these took
  PerPrecision<double> executed_by_precision{};  // per step
  std::vector<WaterfallRow> waterfall;           // empty: no device times
  std::vector<GemmMetrics> gemms;                // the greatest loss first
  std::vector<UncountedKernels> uncounted;       // the longest first

  // Of MFU, too, where the model's operations are counted.
  bool is_mfu_lower_bound() const { return is_model_counted && is_lower_bound; }
  // Whether HFU says something: a lower bound that would be rounded to 0.0 % does not.
  bool is_hfu_telling() const { return hfu && (!is_lower_bound || *hfu >= kPrintsAsNothing); }
  bool is_mfu_telling() const { return mfu && (!is_mfu_lower_bound() || *mfu >= kPrintsAsNothing); }
};

// `ledger` and `step_ns`: of these ranks in these steps. `devices`: of the whole job.
Efficiency efficiency_of(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                         const Ledger& ledger, Nanoseconds step_ns, int32_t devices, const EfficiencyInput& input);

}  // namespace tauprof
