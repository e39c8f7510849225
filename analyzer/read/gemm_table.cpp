#include "read/gemm_table.h"

#include <algorithm>

#include "model/sort_by_key.h"

namespace tauprof {
namespace {

bool is_complex(log::DataType type) { return type == log::DataType::kComplex64 || type == log::DataType::kComplex128; }

// A complex product is four real ones.
template <class Row>
double flops_of(const Row& row) {
  const double each = is_complex(static_cast<log::DataType>(row.type_a)) ? 8 : 2;
  if (row.m <= 0 || row.n <= 0 || row.k <= 0) return row.products > 0 ? each * static_cast<double>(row.products) : 0;
  return each * static_cast<double>(row.m) * static_cast<double>(row.n) * static_cast<double>(row.k) *
         static_cast<double>(std::max<int64_t>(1, row.batch));
}

template <class Row>
GemmShape shape_of(const Row& row, double flops) {
  return {row.m,
          row.n,
          row.k,
          std::max<int64_t>(1, row.batch),
          flops,
          static_cast<log::DataType>(row.type_a),
          static_cast<log::DataType>(row.type_b),
          log::DataType::kUnknown,
          0,
          static_cast<log::ProductForm>(row.form)};
}

// Of a call of a library.
template <class Row>
GemmShape called_shape(const Row& row, double flops) {
  GemmShape shape = shape_of(row, flops);
  shape.type_compute = static_cast<log::DataType>(row.type_compute);
  shape.transpose = static_cast<uint8_t>(row.transpose & 3);
  return shape;
}

bool is_launch(const HostCall& call) {
  return call.call_class == CallClass::kKernel || call.call_class == CallClass::kGemm;
}

}  // namespace

uint32_t GemmTable::kind_of(NameId function, const GemmShape& shape) {
  return kinds_.try_emplace(GemmKind{function, shape}, static_cast<uint32_t>(kinds_.size())).first->second;
}

void GemmTable::add(const log::Gemm& row, NameId function) {
  const double flops = flops_of(row);
  if (row.correlation == 0 || flops <= 0) return;
  calls_.emplace_back(static_cast<uint64_t>(row.correlation), kind_of(function, called_shape(row, flops)));
}

uint32_t GemmTable::kind_in_graph(const log::GraphContent& row, NameId function) {
  const double flops = flops_of(row);
  return flops > 0 ? kind_of(function, called_shape(row, flops)) : kNoIndex;
}

void GemmTable::add(const log::OperatorWork& row, Interval time, uint16_t thread, NameId name) {
  if (row.flops <= 0) return;
  operators_.push_back({time, thread, kind_of(name, shape_of(row, static_cast<double>(row.flops)))});
}

void GemmTable::give_to_calls(ProcessTrace& trace) {
  sort_by_key(calls_.data(), calls_.data() + calls_.size(), [](const auto& call) { return call; });
  for (uint32_t i = 0; i < trace.calls.size() && !calls_.empty(); ++i) {
    const HostCall& call = trace.calls[i];
    if (call.call_class != CallClass::kGemm) continue;
    const auto found = std::lower_bound(calls_.begin(), calls_.end(), std::pair{call.correlation, 0u});
    if (found != calls_.end() && found->first == call.correlation)
      trace.gemms.push_back({i, found->second, products_++});
  }
}

void GemmTable::give_to_launches(ProcessTrace& trace) {
  std::stable_sort(operators_.begin(), operators_.end(), [](const Operator& a, const Operator& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.time.start != b.time.start ? a.time.start < b.time.start : a.time.end > b.time.end;
  });
  for (size_t i = 0; i < operators_.size(); ++i) {
    const Operator& inner = operators_[i];
    const bool is_innermost = i + 1 == operators_.size() || operators_[i + 1].thread != inner.thread ||
                              operators_[i + 1].time.start >= inner.time.end;
    if (!is_innermost || inner.thread + 1u >= trace.first_call.size()) continue;
    const uint32_t product = products_++;
    const uint32_t end = trace.first_call[inner.thread + 1];
    const auto* const calls = trace.calls.data();
    auto call = static_cast<uint32_t>(
        std::lower_bound(calls + trace.first_call[inner.thread], calls + end, inner.time.start,
                         [](const HostCall& other, Nanoseconds start) { return other.start < start; }) -
        calls);
    for (; call < end && trace.calls[call].start < inner.time.end; ++call)
      if (is_launch(trace.calls[call]) && trace.gemm_of(call) == nullptr)
        launches_.push_back({call, inner.kind, product});
  }
}

void GemmTable::finish(ProcessTrace& trace) {
  trace.gemm_kinds.resize(kinds_.size());
  for (const auto& [kind, index] : kinds_) trace.gemm_kinds[index] = kind;
  give_to_calls(trace);
  trace.index_gemms();
  give_to_launches(trace);
  trace.gemms.insert(trace.gemms.end(), launches_.begin(), launches_.end());
  std::sort(trace.gemms.begin(), trace.gemms.end(),
            [](const GemmWork& a, const GemmWork& b) { return a.call < b.call; });
  trace.index_gemms();
  *this = {};
}

}  // namespace tauprof
