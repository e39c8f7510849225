#include "report/json_sections.h"

namespace tauprof {

Fields<WaterfallRow> fields_of(const WaterfallRow*) {
  return {"WaterfallRow",
          "Where a part of the devices' peak went",
          {
              {"name", &WaterfallRow::name, "a row of the ledger, or a part of `compute`"},
              {"share", &WaterfallRow::share, "of the steps' time"},
          }};
}

namespace {

auto size_of(int64_t GemmShape::*size) {
  return [size](const GemmMetrics& gemm) { return when(gemm.shape.*size > 0, gemm.shape.*size); };
}

// A time that may not be known.
auto time_of(std::optional<double> GemmMetrics::*time) {
  return [time](const GemmMetrics& gemm) {
    return when((gemm.*time).has_value(), tauprof::rounded((gemm.*time).value_or(0)));
  };
}

}  // namespace

Fields<GemmMetrics> fields_of(const GemmMetrics*) {
  return {
      "Gemm",
      "Matrix multiplications by one function, of one shape and type",
      {
          {"function", &GemmMetrics::function, "call or operator"},
          {"form", [](const GemmMetrics& g) { return g.shape.form; },
           "what is multiplied; sizes of all but matrices are in the terms of `operator_work` (log-format.md)"},
          {"m", size_of(&GemmShape::m), "rows of the result; `null`, as `n` and `k`: the shapes of a group differ"},
          {"n", size_of(&GemmShape::n), "its columns"},
          {"k", size_of(&GemmShape::k), "products in each of its sums"},
          {"batch", [](const GemmMetrics& g) { return g.shape.batch; }, "products in one call"},
          {"type_a", [](const GemmMetrics& g) { return known(g.shape.type_a); }, "type of the first input"},
          {"type_b", [](const GemmMetrics& g) { return known(g.shape.type_b); }, "and of the second"},
          {"transpose_a", [](const GemmMetrics& g) { return (g.shape.transpose & 1) != 0; }, "the first is transposed"},
          {"transpose_b", [](const GemmMetrics& g) { return (g.shape.transpose & 2) != 0; }, "the second is"},
          {"precision", &GemmMetrics::precision, "that it is computed in"},
          {"flops", [](const GemmMetrics& g) { return g.shape.flops; }, "operations of one"},
          {"count", &GemmMetrics::count, "calls"},
          {"total_ns", &GemmMetrics::total, "of their kernels"},
          {"flops_per_s", [](const GemmMetrics& g) { return when(g.total > 0, g.flops_per_s()); },
           "operations per second"},
          {"share_of_peak", &GemmMetrics::share_of_peak, "of the device's; `null`: its peak is not known"},
          {"lost_ns", [](const GemmMetrics& g) { return when(g.ideal_ns.has_value(), rounded(g.lost_ns())); },
           "time above that at the peak"},
          {"bytes", [](const GemmMetrics& g) { return when(g.bytes.is_known(), g.bytes.least); },
           "that one reads and writes at least; `null`: not known"},
          {"bound", [](const GemmMetrics& g) { return g.roofline.bound; }, "what bounds it; `null`: not known"},
          {"share_of_bound", [](const GemmMetrics& g) { return g.roofline.share_of_bound; },
           "of its time that this alone would take"},
          {"at_neighbour_ns", time_of(&GemmMetrics::at_neighbour_ns),
           "what its kernels would take at the rate of its neighbour; `null`: it has none"},
          {"in_tf32_ns", time_of(&GemmMetrics::in_tf32_ns),
           "what they would take in TF32; `null`: it is not of float32, or the peak is not known"},
      }};
}

// Kernels that multiply matrices of unknown size.
struct UncountedShare {
  const UncountedKernels& kernels;
  double share;
};

Fields<UncountedShare> fields_of(const UncountedShare*) {
  return {"UncountedKernel",
          "A kernel that multiplies matrices of unknown size",
          {
              {"name", [](const UncountedShare& u) { return u.kernels.name; }, "the kernel"},
              {"kind", [](const UncountedShare& u) { return u.kernels.kind; },
               "what it computes; a CUDA graph may hold any"},
              {"count", [](const UncountedShare& u) { return u.kernels.count; }, "how often it ran"},
              {"total_ns", [](const UncountedShare& u) { return u.kernels.total; }, "for how long, in all"},
              {"share", &UncountedShare::share, "of the steps' time"},
          }};
}

namespace {

Named<double> by_precision(const Efficiency& efficiency) {
  Named<double> executed;
  for (size_t p = 0; p < kPrecisionCount; ++p)
    if (efficiency.executed_by_precision[p] > 0)
      executed.emplace_back(kPrecisionNames[p], efficiency.executed_by_precision[p]);
  return executed;
}

std::vector<UncountedShare> uncounted(const EfficiencyOfRun& efficiency) {
  std::vector<UncountedShare> shares;
  for (const UncountedKernels& kernels : efficiency.efficiency.uncounted)
    shares.push_back({kernels, static_cast<double>(kernels.total) / static_cast<double>(efficiency.step_ns)});
  return shares;
}

template <class T>
auto of_efficiency(T Efficiency::*member) {
  return [member](const EfficiencyOfRun& efficiency) { return efficiency.efficiency.*member; };
}

}  // namespace

Fields<EfficiencyOfRun> fields_of(const EfficiencyOfRun*) {
  return {
      "Efficiency",
      "What of the devices' peak was used. Operations are numbers with a fraction; rates are per second",
      {
          {"mfu", of_efficiency(&Efficiency::mfu), "model FLOPS utilization, a share of the peak"},
          {"hfu", of_efficiency(&Efficiency::hfu), "hardware FLOPS utilization, the same of the operations that ran"},
          {"no_mfu_because", [](const EfficiencyOfRun& e) { return known(e.efficiency.no_mfu_because); },
           "why it is not known; `null` if it is"},
          {"no_hfu_because", [](const EfficiencyOfRun& e) { return known(e.efficiency.no_hfu_because); },
           "the same of `hfu`"},
          {"is_lower_bound", of_efficiency(&Efficiency::is_lower_bound), "products of unknown size ran"},
          {"uncounted_share", of_efficiency(&Efficiency::uncounted_share), "of the steps' time, that these took"},
          {"model_flops", of_efficiency(&Efficiency::model_flops),
           "what the model needs for a step: as the user says, of the whole job; else `executed_flops` less "
           "`recomputed_flops`"},
          {"model_flops_from",
           [](const EfficiencyOfRun& e) {
             return when(e.efficiency.model_flops.has_value(), e.efficiency.is_model_counted ? "counted" : "user");
           },
           "who says so: `user` (`--model-flops`), `counted`"},
          {"formula_flops", of_efficiency(&Efficiency::formula_flops),
           "what a dense transformer of its sizes would need for a step of the whole job: 6·N·D and attention; `null`: "
           "the model is none, or its sizes are not known"},
          {"formula_differs_because",
           [](const EfficiencyOfRun& e) { return known(e.efficiency.formula_differs_because); },
           "why that is not what was counted; `null` where they agree"},
          {"executed_flops", of_efficiency(&Efficiency::executed_flops),
           "counted operations per step, of the reported ranks together; `null` without any"},
          {"recomputed_flops", of_efficiency(&Efficiency::recomputed_flops),
           "the part of them that repeats the forward pass inside of the backward pass; `null`: not known"},
          {"executed_by_precision",
           [](const EfficiencyOfRun& e) {
             return when(e.efficiency.executed_flops.has_value(), by_precision(e.efficiency));
           },
           "the same by precision; `unknown`: the log does not have the types"},
          {"peak_flops", of_efficiency(&Efficiency::peak_flops), "of one device, operations per second"},
          {"clock_mhz", of_efficiency(&Efficiency::clock_mhz),
           "of its multiprocessors while products ran; `null`: not recorded in all steps, or the table does not know "
           "the "
           "clock of its peak"},
          {"peak_flops_at_clock", of_efficiency(&Efficiency::peak_flops_at_clock), "the peak at that clock"},
          {"hfu_at_clock", of_efficiency(&Efficiency::hfu_at_clock), "`hfu` of that peak"},
          {"waterfall",
           [](const EfficiencyOfRun& e) { return when(!e.efficiency.waterfall.empty(), e.efficiency.waterfall); },
           "where the peak went; `null` without device times"},
          {"gemms", of_efficiency(&Efficiency::gemms), "what loses most first"},
          {"uncounted", uncounted, "the longest first"},
      }};
}

}  // namespace tauprof
