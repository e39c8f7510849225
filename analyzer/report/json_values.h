// Values that all sections of the JSON report write the same way.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "metrics/statistics/statistics.h"

namespace tauprof {

using Json = nlohmann::ordered_json;

// Rounded to whole nanoseconds.
Json nanoseconds_json(double value);
// Mean, median and so on, in nanoseconds; null without samples.
Json statistics_json(const Statistics& of);
// null if nobody knows it.
inline Json time_or_null(Nanoseconds time, bool is_known) { return is_known ? Json(time) : Json(nullptr); }
// null for an empty text.
Json text_or_null(const std::string& text);

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace tauprof
