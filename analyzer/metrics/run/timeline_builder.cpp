#include "metrics/run/timeline_builder.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/efficiency/gemm_totals.h"
#include "metrics/stragglers/host_spending.h"

namespace tauprof {

template <class Book>
void TimelineBuilder::by_window(Interval time, Book&& book) {
  while (time.start < time.end) {
    while (window_ < windows_.size() && windows_[window_].device->end <= time.start) ++window_;
    Nanoseconds until = time.end;
    int32_t step = kNoStep;
    if (window_ < windows_.size()) {
      const Interval& window = *windows_[window_].device;
      const bool inside = time.start >= window.start;
      until = std::min(until, inside ? window.end : window.start);
      if (inside) step = static_cast<int32_t>(window_);
    }
    book(step, Interval{time.start, until});
    time.start = until;
  }
}

void TimelineBuilder::add(int32_t step, Phase phase, LedgerRow row, Nanoseconds length) {
  spent_.rows[static_cast<size_t>(row)] += length;
  if (step == kNoStep || row == LedgerRow::kExposedCommUnsplit) return;  // exposed communication goes into slices
  if (step != ledger_step_) close_ledger();
  ledger_step_ = step;
  ledger_.add(phase, row, length);
}

void TimelineBuilder::close_ledger() {
  if (ledger_step_ == kNoStep) return;
  auto& cells = timeline_.steps[ledger_step_].cells;
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    for (size_t row = 0; row < kLedgerRowCount; ++row)
      if (const Nanoseconds length = ledger_.cells[phase][row]; length != 0)
        cells.push_back({static_cast<Phase>(phase), static_cast<LedgerRow>(row), length});
  ledger_ = {};
}

void TimelineBuilder::add_slice(int32_t step, Interval time, const ActiveSpans& active) {
  members_.clear();
  const size_t count = std::min(active.comm().size(), kMostAtOnce);
  for (size_t i = 0; i < count; ++i) members_.push_back(units_.unit_of_span[active.comm()[i]]);
  std::sort(members_.begin(), members_.end());
  members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
  for (uint32_t unit : members_) units_.units[unit].exposed += time.length();
  auto& slices = timeline_.slices;
  auto& kept = timeline_.slice_members;
  const bool continues =
      !slices.empty() && slices.back().step == step && slices.back().time.end == time.start &&
      std::equal(members_.begin(), members_.end(), kept.begin() + slices.back().first_member, kept.end());
  if (continues) {
    slices.back().time.end = time.end;
    return;
  }
  slices.push_back({time, step, static_cast<uint32_t>(kept.size()), static_cast<uint32_t>(members_.size())});
  kept.insert(kept.end(), members_.begin(), members_.end());
}

void TimelineBuilder::segment(Interval time, ActiveSpans& active) {
  const bool computes = active.runs(SpanClass::kCompute), communicates = active.runs(SpanClass::kComm);
  LedgerRow row = LedgerRow::kUnclassified;
  SpanClass decides = SpanClass::kUnclassified;
  if (computes)
    row = LedgerRow::kCompute, decides = SpanClass::kCompute;
  else if (active.runs(SpanClass::kFused))
    row = LedgerRow::kFusedCommCompute, decides = SpanClass::kFused;
  else if (communicates)
    row = LedgerRow::kExposedCommUnsplit, decides = SpanClass::kComm;
  else if (active.runs(SpanClass::kCopy))
    row = LedgerRow::kExposedCopy, decides = SpanClass::kCopy;
  const Phase phase = device_.spans[active.latest(decides)].phase;
  by_window(time, [&](int32_t step, Interval part) {
    add(step, phase, row, part.length());
    if (decides == SpanClass::kComm) add_slice(step, part, active);
    if (row == LedgerRow::kExposedCopy)
      source_lines_.charge_call(step, device_.spans[active.latest(decides)].call, part.length(), row);
    if (step == kNoStep) return;
    if (paths_) paths_->exposed(step, active.latest(decides), part.length());
    RankStep& sums = timeline_.steps[step];
    if (computes) sums.compute += part.length();
    if (!running_gemms_.empty()) sums.gemm += part.length();
    if (communicates) sums.comm += part.length();
    if (computes || communicates) sums.busy += part.length();
    sums.device_total += part.length();
    if ((active.phases() & kBackwardStep) != 0) sums.device_backward_step += part.length();
    for (uint32_t bits = active.phases(); bits != 0; bits &= bits - 1)
      sums.device_by_phase[std::countr_zero(bits)] += part.length();
  });
}

void TimelineBuilder::gap(Interval time, uint32_t ending_span) {
  const Phase phase = ending_span == kNoIndex ? Phase::kOther : device_.spans[ending_span].phase;
  const uint32_t launch = ending_span == kNoIndex ? kNoIndex : device_.spans[ending_span].call;
  for (const IdlePiece& piece : idle_.explain(time, ending_span))
    by_window(piece.time, [&](int32_t step, Interval part) {
      add(step, phase, piece.row, part.length());
      if (piece.is_inferred && step != kNoStep)
        timeline_.steps[step].inferred[static_cast<size_t>(piece.row)] += part.length();
      places_.charge(step, part, piece.row, launch);
      if (paths_) paths_->idle(step, part, piece.row, launch);
      if (launch != kNoIndex) source_lines_.charge(step, trace_.calls[launch].thread, part, piece.row);
    });
}

// A product counts with the first of its kernels.
ComputeWork TimelineBuilder::work_of(const DeviceSpan& span) {
  const GemmWork* const gemm = span.call == kNoIndex ? nullptr : trace_.gemm_of(span.call);
  if (gemm == nullptr) return {1, 0, trace_.launch_shapes[span.launch_shape].threads()};
  if (counted_products_.size() <= gemm->product) counted_products_.resize(trace_.gemms.size() + gemm->product);
  const bool is_first = !counted_products_[gemm->product];
  counted_products_[gemm->product] = true;
  return {1, is_first ? trace_.gemm_kinds[gemm->kind].shape.flops : 0, 0};
}

// Of a graph with records of its nodes, those that its products may be; of others, the whole.
bool TimelineBuilder::multiplies(const DeviceSpan& span) {
  if (counted_gemm(trace_, span) != nullptr) return true;
  if (multiplying_graph(trace_, span) == nullptr) return false;
  return span.activity == log::ActivityKind::kGraph || matrix_kernels_.of(span.name) == MatrixKernel::kProduct;
}

int32_t TimelineBuilder::step_at(Nanoseconds time) const {
  size_t window = window_;
  while (window < windows_.size() && windows_[window].device->end <= time) ++window;
  const bool inside = window < windows_.size() && time >= windows_[window].device->start;
  return inside ? static_cast<int32_t>(window) : kNoStep;
}

void TimelineBuilder::started(uint32_t span) {
  const DeviceSpan& started = device_.spans[span];
  const int32_t step = step_at(started.start);
  if (paths_) paths_->launched(step, span);
  if (started.span_class == SpanClass::kCompute) {
    if (multiplies(started)) running_gemms_.push_back(span);
    const ComputeWork work = work_of(started);
    spent_.work += work;
    if (step != kNoStep) timeline_.steps[step].work += work;
  }
  uint64_t copied = 0;
  if (started.span_class == SpanClass::kCopy) copied = static_cast<uint64_t>(std::max<int64_t>(0, started.bytes));
  if (started.activity == log::ActivityKind::kGraph && started.call != kNoIndex)
    if (const GraphContents* const graph = trace_.graph_of(started.call)) {
      copied = graph->copied_bytes;
      if (step != kNoStep) {
        timeline_.steps[step].graph_nodes += graph->nodes;
        timeline_.steps[step].conditional_nodes += graph->conditional;
      }
    }
  spent_.copied_bytes += copied;
  if (step != kNoStep) timeline_.steps[step].copied_bytes += copied;
  const uint32_t index = units_.unit_of_span[span];
  if (index == kNoIndex) return;
  RankCollective& unit = units_.units[index];
  if (unit.start != started.start) return;
  spent_before_[index].device = spent_;
  unit.step = step;
}

void TimelineBuilder::ended(uint32_t span) { std::erase(running_gemms_, span); }

void TimelineBuilder::finish() {
  close_ledger();
  std::vector<uint32_t> launches, unit_of_launch;
  for (uint32_t unit = 0; unit < units_.units.size(); ++unit)
    if (units_.launch_call[unit] != kNoIndex) {
      launches.push_back(units_.launch_call[unit]);
      unit_of_launch.push_back(unit);
      units_.units[unit].source_line = source_lines_.source_line_of_call(units_.launch_call[unit]);
    }
  const std::vector<HostSpending> spent =
      host_spending(trace_, idle_, launches,
                    [this](uint16_t thread, Interval time, LedgerRow row) { places_.spend(thread, time, row); });
  places_.finish();
  if (paths_) paths_->finish();
  for (size_t i = 0; i < spent.size(); ++i) spent_before_[unit_of_launch[i]].host = spent[i];
  timeline_.spent = SpentColumns(spent_before_);
  timeline_.collectives = std::move(units_.units);
}

}  // namespace tauprof
