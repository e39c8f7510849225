#include "report/efficiency_json.h"

#include "report/value_names.h"

namespace tauprof {
namespace {

Json size_or_null(int64_t size) { return size > 0 ? Json(size) : Json(nullptr); }

Json type_or_null(log::DataType type) { return type == log::DataType::kUnknown ? Json(nullptr) : Json(name_of(type)); }

Json gemm_json(const GemmMetrics& of) {
  return {{"function", valid_utf8(of.function)},
          {"m", size_or_null(of.shape.m)},
          {"n", size_or_null(of.shape.n)},
          {"k", size_or_null(of.shape.k)},
          {"batch", of.shape.batch},
          {"type_a", type_or_null(of.shape.type_a)},
          {"type_b", type_or_null(of.shape.type_b)},
          {"transpose_a", (of.shape.transpose & 1) != 0},
          {"transpose_b", (of.shape.transpose & 2) != 0},
          {"precision", precision_name(of.precision)},
          {"flops", of.shape.flops},
          {"count", of.count},
          {"total_ns", of.total},
          {"flops_per_s", of.total > 0 ? Json(of.flops_per_s()) : Json(nullptr)},
          {"share_of_peak", or_null(of.share_of_peak())},
          {"lost_ns", of.ideal_ns ? nanoseconds_json(of.lost_ns()) : Json(nullptr)}};
}

}  // namespace

Json efficiency_json(const RunMetrics& metrics) {
  const Efficiency& of = metrics.efficiency;
  Json waterfall = Json::array(), gemms = Json::array(), uncounted = Json::array(), executed = Json::object();
  for (const WaterfallRow& row : of.waterfall) waterfall.push_back({{"name", row.name}, {"share", row.share}});
  for (const GemmMetrics& gemm : of.gemms) gemms.push_back(gemm_json(gemm));
  for (const UncountedKernels& kernels : of.uncounted)
    uncounted.push_back({{"name", valid_utf8(kernels.name)},
                         {"kind", kMatrixKernelNames[static_cast<size_t>(kernels.kind)]},
                         {"count", kernels.count},
                         {"total_ns", kernels.total},
                         {"share", static_cast<double>(kernels.total) / static_cast<double>(metrics.step_ns())}});
  for (size_t p = 0; p < kPrecisionCount; ++p)
    if (of.executed_by_precision[p] > 0) executed[std::string(kPrecisionNames[p])] = of.executed_by_precision[p];
  return {{"mfu", or_null(of.mfu)},
          {"hfu", or_null(of.hfu)},
          {"no_mfu_because", text_or_null(of.no_mfu_because)},
          {"no_hfu_because", text_or_null(of.no_hfu_because)},
          {"is_lower_bound", of.is_lower_bound},
          {"model_flops", or_null(of.model_flops)},
          {"model_flops_from", of.model_flops ? Json(of.is_model_asked ? "settings" : "user") : Json(nullptr)},
          {"executed_flops", or_null(of.executed_flops)},
          {"executed_by_precision", of.executed_flops ? executed : Json(nullptr)},
          {"peak_flops", or_null(of.peak_flops)},
          {"waterfall", of.waterfall.empty() ? Json(nullptr) : waterfall},
          {"gemms", gemms},
          {"uncounted", uncounted}};
}

}  // namespace tauprof
