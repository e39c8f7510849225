#include "report/work_json.h"

#include "report/value_names.h"

namespace tauprof {

Json kernels_json(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const KernelMetrics& kernel : metrics.kernels) {
    const double share =
        metrics.kernel_total > 0 ? static_cast<double>(kernel.total) / static_cast<double>(metrics.kernel_total) : 0;
    result.push_back(
        {{"name", valid_utf8(kernel.name)},
         {"class", name_of(kernel.span_class)},
         {"count", kernel.count},
         {"total_ns", kernel.total},
         {"mean_ns", nanoseconds_json(static_cast<double>(kernel.total) / static_cast<double>(kernel.count))},
         {"share", share}});
  }
  return result;
}

Json calls_json(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const CallMetrics& calls : metrics.calls)
    result.push_back(
        {{"function", valid_utf8(calls.function)},
         {"count", calls.count},
         {"total_ns", calls.total},
         {"mean_ns", nanoseconds_json(static_cast<double>(calls.total) / static_cast<double>(calls.count))},
         {"min_ns", calls.shortest},
         {"max_ns", calls.longest}});
  return result;
}

Json slow_calls_json(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const SourceLineMetrics& line : metrics.source_lines) {
    if (line.count == 0) continue;
    Json charged = Json::object();
    for (size_t row = 0; row < kLedgerRowCount; ++row)
      if (line.charged[row] != 0) charged[std::string(kLedgerRowNames[row])] = line.charged[row];
    result.push_back({{"where", valid_utf8(line.where)},
                      {"call", text_or_null(line.call)},
                      {"count", line.count},
                      {"total_ns", line.total},
                      {"mean_ns", nanoseconds_json(static_cast<double>(line.total) / static_cast<double>(line.count))},
                      {"device_ns", metrics.is_timed() ? charged : Json(nullptr)},
                      {"ranks", line.ranks}});
  }
  return result;
}

}  // namespace tauprof
