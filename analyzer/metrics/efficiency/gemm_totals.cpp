#include "metrics/efficiency/gemm_totals.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "classify/matrix_kernels.h"
#include "metrics/efficiency/gemm_precision.h"
#include "metrics/efficiency/repeated_products.h"

namespace tauprof {
namespace {

class GemmTotals {
 public:
  GemmTotals(const ProcessTrace& trace, const DeviceTrace& device, RankTimeline& timeline)
      : trace_(trace), device_(device), timeline_(timeline), repeated_(trace), matrix_kernels_(trace.names) {
    timeline.repeats_unknown_because = repeated_.unknown_because();
  }

  void find_tf32();
  void add(const DeviceSpan& span, RankStep& step, size_t table, bool is_chosen);

 private:
  void add_product(const DeviceSpan& span, const GemmWork& gemm, RankStep& step, size_t table, bool is_chosen);
  void add_graph(const DeviceSpan& span, const GraphContents& graph, RankStep& step);
  void add_uncounted(const DeviceSpan& span, MatrixKernel kind, size_t table);
  MatrixKernel kind_of(const DeviceSpan& span);
  MatrixKernel uncounted_in_graph(const DeviceSpan& span, const GraphContents& graph);
  uint32_t kind_in_timeline(uint32_t kind, Precision precision);
  std::vector<bool>& bits(std::vector<bool>& by_product) const {
    if (by_product.empty() && !trace_.gemms.empty()) {
      uint32_t last = 0;
      for (const GemmWork& gemm : trace_.gemms) last = std::max(last, gemm.product);
      by_product.resize(last + size_t{1});
    }
    return by_product;
  }

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  RankTimeline& timeline_;
  const RepeatedProducts repeated_;
  std::vector<bool> is_tf32_;          // by product
  std::vector<bool> is_counted_;       // by product
  std::set<uint32_t> counted_graphs_;  // the calls that launched them
  MatrixKernels matrix_kernels_;
  std::map<std::pair<uint32_t, Precision>, uint32_t> kinds_;
  std::map<std::pair<NameId, MatrixKernel>, uint32_t> uncounted_names_;
  std::map<std::pair<size_t, uint32_t>, size_t> gemm_rows_, uncounted_rows_;  // by table, and kind or name
};

// The kind of kernel that computes it.
MatrixKernel kernel_of(log::ProductForm form) {
  switch (form) {
    case log::ProductForm::kConvolution:
    case log::ProductForm::kConvolutionData:
    case log::ProductForm::kConvolutionFilter:
      return MatrixKernel::kConvolution;
    case log::ProductForm::kAttention:
    case log::ProductForm::kAttentionBackward:
      return MatrixKernel::kAttention;
    default:
      return MatrixKernel::kProduct;
  }
}

// Of a product with several kernels, any may tell.
void GemmTotals::find_tf32() {
  const bool is_open = std::any_of(trace_.gemm_kinds.begin(), trace_.gemm_kinds.end(),
                                   [](const GemmKind& kind) { return may_be_tf32(kind.shape); });
  if (!is_open) return;
  std::map<NameId, bool> known;
  for (const DeviceSpan& span : device_.spans) {
    const GemmWork* const gemm = counted_gemm(trace_, span);
    if (gemm == nullptr || !may_be_tf32(trace_.gemm_kinds[gemm->kind].shape)) continue;
    const auto [name, is_new] = known.try_emplace(span.name, false);
    if (is_new) name->second = computes_in_tf32(trace_.names[span.name]);
    if (name->second) bits(is_tf32_)[gemm->product] = true;
  }
}

uint32_t GemmTotals::kind_in_timeline(uint32_t kind, Precision precision) {
  auto& kinds = timeline_.gemm_kinds;
  const auto [found, is_new] = kinds_.try_emplace({kind, precision}, static_cast<uint32_t>(kinds.size()));
  if (is_new)
    kinds.push_back(
        {std::string(trace_.names[trace_.gemm_kinds[kind].function]), trace_.gemm_kinds[kind].shape, precision});
  return found->second;
}

void GemmTotals::add_product(const DeviceSpan& span, const GemmWork& gemm, RankStep& step, size_t table,
                             bool is_chosen) {
  const GemmShape& shape = trace_.gemm_kinds[gemm.kind].shape;
  const Precision precision = precision_of(shape, !is_tf32_.empty() && is_tf32_[gemm.product]);
  std::vector<bool>& is_counted = bits(is_counted_);
  const bool is_first = !is_counted[gemm.product];
  is_counted[gemm.product] = true;
  if (is_first) {
    step.flops[static_cast<size_t>(precision)] += shape.flops;
    if (repeated_.is_repeat(gemm.product)) step.repeated_flops[static_cast<size_t>(precision)] += shape.flops;
  }
  if (!is_chosen) return;
  const uint32_t kind = kind_in_timeline(gemm.kind, precision);
  auto& rows = timeline_.gemms[table];
  const auto [row, is_new] = gemm_rows_.try_emplace({table, kind}, rows.size());
  if (is_new) rows.push_back({kind, 0, 0});
  rows[row->second].count += is_first;
  rows[row->second].total += span.end - span.start;
}

MatrixKernel GemmTotals::kind_of(const DeviceSpan& span) {
  if (span.activity == log::ActivityKind::kGraph) return MatrixKernel::kGraph;
  if (span.activity != log::ActivityKind::kKernel || span.span_class == SpanClass::kComm) return MatrixKernel::kNone;
  return matrix_kernels_.of(span.name);
}

// The kind of kernels in `span`'s part of the graph that may multiply matrices of unknown size.
MatrixKernel GemmTotals::uncounted_in_graph(const DeviceSpan& span, const GraphContents& graph) {
  const auto is_uncounted = [&](MatrixKernel kind) {
    return kind != MatrixKernel::kNone &&
           std::none_of(graph.products.begin(), graph.products.end(), [&](const GraphContents::Products& products) {
             return kernel_of(trace_.gemm_kinds[products.kind].shape.form) == kind;
           });
  };
  if (span.activity != log::ActivityKind::kGraph) {
    const MatrixKernel kind = kind_of(span);
    return is_uncounted(kind) ? kind : MatrixKernel::kNone;
  }
  const bool may_multiply = !graph.is_complete || graph.has_unknown_products ||
                            std::any_of(graph.kernels.begin(), graph.kernels.end(),
                                        [&](NameId name) { return is_uncounted(matrix_kernels_.of(name)); });
  return may_multiply ? MatrixKernel::kGraph : MatrixKernel::kNone;
}

void GemmTotals::add_graph(const DeviceSpan& span, const GraphContents& graph, RankStep& step) {
  if (graph.products.empty() || !counted_graphs_.insert(span.call).second) return;
  const bool is_tf32 = std::any_of(graph.kernels.begin(), graph.kernels.end(),
                                   [&](NameId name) { return computes_in_tf32(trace_.names[name]); });
  for (const GraphContents::Products& products : graph.products) {
    const GemmShape& shape = trace_.gemm_kinds[products.kind].shape;
    const auto precision = static_cast<size_t>(precision_of(shape, is_tf32));
    const double flops = shape.flops * static_cast<double>(products.count);
    step.flops[precision] += flops;
    step.repeated_flops[precision] += shape.flops * static_cast<double>(repeated_.in_graph(span.call, products.kind));
    if (span.span_class == SpanClass::kUnclassified) step.unclassified_flops[precision] += flops;
  }
}

void GemmTotals::add_uncounted(const DeviceSpan& span, MatrixKernel kind, size_t table) {
  if (kind == MatrixKernel::kNone) return;
  auto& names = timeline_.uncounted_names;
  const auto [name, is_new_name] = uncounted_names_.try_emplace({span.name, kind}, static_cast<uint32_t>(names.size()));
  if (is_new_name) {
    const std::string_view text = trace_.names[span.name];
    names.emplace_back(!text.empty() ? text : kind == MatrixKernel::kGraph ? "CUDA graph" : "(no name)");
  }
  auto& rows = timeline_.uncounted[table];
  const auto [row, is_new] = uncounted_rows_.try_emplace({table, name->second}, rows.size());
  if (is_new) rows.push_back({name->second, kind, 0, 0});
  ++rows[row->second].count;
  rows[row->second].total += span.end - span.start;
}

void GemmTotals::add(const DeviceSpan& span, RankStep& step, size_t table, bool is_chosen) {
  if (const GemmWork* const gemm = counted_gemm(trace_, span)) return add_product(span, *gemm, step, table, is_chosen);
  const GraphContents* const graph =
      span.call != kNoIndex && !trace_.graph_launches.empty() ? trace_.graph_of(span.call) : nullptr;
  if (graph != nullptr) add_graph(span, *graph, step);
  if (is_chosen) add_uncounted(span, graph != nullptr ? uncounted_in_graph(span, *graph) : kind_of(span), table);
}

}  // namespace

const GemmWork* counted_gemm(const ProcessTrace& trace, const DeviceSpan& span) {
  if (trace.gemms.empty() || span.span_class != SpanClass::kCompute || span.call == kNoIndex) return nullptr;
  const GemmWork* const gemm = trace.gemm_of(span.call);
  return gemm != nullptr && is_counted(trace.gemm_kinds[gemm->kind].shape) ? gemm : nullptr;
}

const GraphContents* multiplying_graph(const ProcessTrace& trace, const DeviceSpan& span) {
  if (trace.graph_launches.empty() || span.span_class != SpanClass::kCompute || span.call == kNoIndex) return nullptr;
  const GraphContents* const graph = trace.graph_of(span.call);
  return graph != nullptr && !graph->products.empty() ? graph : nullptr;
}

void total_gemms(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                 const std::optional<StepRange>& choice, RankTimeline& timeline) {
  const size_t tables = std::min(windows.size(), kLeadingSteps + 1);
  timeline.gemms.resize(tables);
  timeline.uncounted.resize(tables);
  GemmTotals totals(trace, device, timeline);
  totals.find_tf32();
  size_t window = 0;
  for (const DeviceSpan& span : device.spans) {
    if (span.span_class == SpanClass::kNotWork) continue;
    while (window < windows.size() && span.start >= windows[window].device->end) ++window;
    if (window == windows.size()) break;
    if (span.start < windows[window].device->start) continue;
    const bool is_chosen = !choice || choice->has(trace.steps[windows[window].host_step].number);
    totals.add(span, timeline.steps[window], std::min(window, kLeadingSteps), is_chosen);
  }
}

}  // namespace tauprof
