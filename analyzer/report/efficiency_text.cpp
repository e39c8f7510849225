#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "report/distinct_names.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

constexpr double kTera = 1e12;

// "1.234 PFLOP"
std::string flops_text(double flops) {
  constexpr const char* kUnits[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"};
  size_t unit = 0;
  for (; flops >= 1000 && unit + 1 < std::size(kUnits); ++unit) flops /= 1000;
  return fmt::format("{:.4g} {}", flops, kUnits[unit]);
}

// How to know HFU next time.
std::string what_helps(const Report& report) {
  const Efficiency& efficiency = report.metrics.devices.efficiency;
  if (efficiency.executed_flops) return " (--peak-tflops)";
  return report.facts.source == "kineto" && !efficiency.uncounted.empty() ? " (record_shapes=True)" : "";
}

// Of a clock below that of the peak, it says that the device was slowed down; the rest is the program's.
std::string at_clock_text(const Efficiency& efficiency) {
  if (!efficiency.hfu_at_clock) return {};
  return fmt::format("   ({:.2f} % of the peak at its clock of {:.0f} MHz)", 100 * *efficiency.hfu_at_clock,
                     *efficiency.clock_mhz);
}

// "idle 12.1 %", where the group's rows have any time.
void add_share(std::string& text, std::string_view name, double share) {
  if (share == 0) return;
  text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ", name, 100 * share);
}

// The waterfall in a line: rows of one kind together.
std::string waterfall_text(const std::vector<WaterfallRow>& rows) {
  double idle = 0, communication = 0;
  std::string rest;
  for (const WaterfallRow& row : rows) {
    if (row.name.starts_with("idle_"))
      idle += row.share;
    else if (row.name.starts_with("exposed_comm_"))
      communication += row.share;
    else if (row.name == "fused_comm_compute")
      add_share(rest, "fused communication", row.share);
    else if (row.name == "exposed_copy")
      add_share(rest, "copies", row.share);
    else if (row.name == "non_gemm_compute")
      add_share(rest, "other computation", row.share);
    else if (row.name == "gemm_compute")
      add_share(rest, "GEMMs", row.share);
    else if (row.name == "gemm_inefficiency")
      add_share(rest, "GEMMs below peak", row.share);
    else
      add_share(rest, row.name, row.share);
  }
  std::string text;
  add_share(text, "idle", idle);
  add_share(text, "communication", communication);
  return text.empty() || rest.empty() ? text + rest : text + ", " + rest;
}

std::string uncounted_text(const std::vector<UncountedKernels>& uncounted, Nanoseconds step_ns) {
  std::array<Nanoseconds, kMatrixKernelNames.size()> by_kind{};
  for (const UncountedKernels& kernels : uncounted) by_kind[static_cast<size_t>(kernels.kind)] += kernels.total;
  std::string text;
  for (size_t kind = 0; kind < by_kind.size(); ++kind)
    add_share(text, kMatrixKernelNames[kind], static_cast<double>(by_kind[kind]) / static_cast<double>(step_ns));
  return text;
}

std::string shape_text(const GemmShape& shape) {
  if (shape.m <= 0) return fmt::format("{} of several shapes", shape.batch);
  const std::string size = fmt::format("{} x {} x {}", shape.m, shape.n, shape.k);
  return shape.batch > 1 ? fmt::format("{} ({})", size, shape.batch) : size;
}

// A function of cuDNN computes whatever its plan says.
std::string function_text(const GemmMetrics& gemm) {
  if (!gemm.function.starts_with("cudnn") || gemm.shape.form == log::ProductForm::kMatrices) return gemm.function;
  return gemm.function + " " + std::string(kProductFormNames[static_cast<size_t>(gemm.shape.form)]);
}

// "memory"; what nobody knows is "-".
std::string bound_text(const Roofline& roofline) {
  return roofline.bound ? std::string(name_of(*roofline.bound)) : "-";
}

// The kernels that take most, and what bounds each.
std::string bounds_text(const RunMetrics& metrics, size_t width) {
  const size_t shown = std::min(metrics.work.kernels.size(), kMostGemmLines);
  const auto end = metrics.work.kernels.begin() + static_cast<std::ptrdiff_t>(shown);
  const bool is_any_known = std::any_of(metrics.work.kernels.begin(), end,
                                        [](const KernelMetrics& kernel) { return kernel.roofline.bound.has_value(); });
  if (!is_any_known) return {};
  std::vector<std::string> names;
  for (size_t i = 0; i < shown; ++i) names.push_back(metrics.work.kernels[i].name);
  names = bare_names(names);
  TextTable table({{"total"}, {"bound by", true}, {"of that"}, {"kernel", true, 0, Fit::kName}});
  for (size_t i = 0; i < shown; ++i) {
    const KernelMetrics& kernel = metrics.work.kernels[i];
    table.row({duration_text(static_cast<double>(kernel.total)), bound_text(kernel.roofline),
               percent_text(kernel.roofline.share_of_bound), names[i]});
  }
  return "  kernels that take most:\n" + table.text(width);
}

std::string gemms_text(const Efficiency& efficiency, size_t width) {
  if (efficiency.gemms.empty()) return {};
  TextTable table({{efficiency.hfu ? "above ideal" : "time"},
                   {"TFLOP/s", false, 3},
                   {"of peak"},
                   {"bound by", true},
                   {"to save"},
                   {"precision", true, 2},
                   {"count", false, 1},
                   {"m x n x k (batch)", true},
                   {"function", true, 0, Fit::kName}});
  for (size_t i = 0; i < std::min(efficiency.gemms.size(), kMostGemmLines); ++i) {
    const GemmMetrics& gemm = efficiency.gemms[i];
    table.row({duration_text(gemm.lost_ns()), fmt::format("{:.2f}", gemm.flops_per_s() / kTera),
               percent_text(gemm.share_of_peak()), bound_text(gemm.roofline),
               gemm.gain_ns() > 0 ? duration_text(gemm.gain_ns()) : "-", std::string(precision_name(gemm.precision)),
               std::to_string(gemm.count), shape_text(gemm.shape), function_text(gemm)});
  }
  TextLines lines;
  lines.left_out(efficiency.gemms.size(), kMostGemmLines);
  return table.text(width) + lines.take();
}

}  // namespace

std::string efficiency_text(const Report& report, size_t width) {
  const Efficiency& efficiency = report.metrics.devices.efficiency;
  const Nanoseconds step_ns = report.metrics.step_ns();
  if (step_ns <= 0) return {};
  TextLines lines;
  if (efficiency.peak_flops)
    lines.line("\nEFFICIENCY   (of {}/s per device)", flops_text(*efficiency.peak_flops));
  else
    lines.line("\nEFFICIENCY");
  if (efficiency.hfu)
    lines.line("  HFU  {:.2f} %{}{}", 100 * *efficiency.hfu, efficiency.is_lower_bound ? " or more" : "",
               at_clock_text(efficiency));
  else
    lines.line("  HFU  not known: {}{}", efficiency.no_hfu_because, what_helps(report));
  if (efficiency.mfu)
    lines.line("  MFU  {:.2f} %{}", 100 * *efficiency.mfu, efficiency.is_mfu_lower_bound() ? " or more" : "");
  else
    lines.line("  MFU  not known: {}", efficiency.no_mfu_because);
  if (!efficiency.executed_flops) return lines.take();
  lines.line("  {} executed in a {}{}{}", flops_text(*efficiency.executed_flops), report.unit(),
             efficiency.recomputed_flops.value_or(0) > 0
                 ? ", " + flops_text(*efficiency.recomputed_flops) + " of them once more for the backward pass"
                 : "",
             efficiency.model_flops && !efficiency.is_model_counted
                 ? "; the model needs " + flops_text(*efficiency.model_flops)
                 : "");
  if (!efficiency.formula_differs_because.empty())
    lines.line("  a dense transformer of its sizes would need {}: {}", flops_text(*efficiency.formula_flops),
               efficiency.formula_differs_because);
  lines.line("  all time: {}", waterfall_text(efficiency.waterfall));
  if (!efficiency.uncounted.empty()) lines.line("  of unknown size: {}", uncounted_text(efficiency.uncounted, step_ns));
  return lines.take() + gemms_text(efficiency, width) + bounds_text(report.metrics, width);
}

}  // namespace tauprof
