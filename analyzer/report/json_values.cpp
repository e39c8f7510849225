#include "report/json_values.h"

#include <cmath>

#include "report/value_names.h"

namespace tauprof {

Json nanoseconds_json(double value) { return static_cast<int64_t>(std::llround(value)); }

Json statistics_json(const Statistics& of) {
  if (of.count == 0) return nullptr;
  return {{"mean", nanoseconds_json(of.mean)}, {"median", nanoseconds_json(of.median)},
          {"p95", nanoseconds_json(of.p95)},   {"min", nanoseconds_json(of.min)},
          {"max", nanoseconds_json(of.max)},   {"stddev", nanoseconds_json(of.stddev)}};
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(valid_utf8(text)); }

}  // namespace tauprof
