#include "report/json_values.h"

#include <cmath>

#include "report/value_names.h"

namespace tauprof {

Json nanoseconds_json(double value) { return static_cast<int64_t>(std::llround(value)); }

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(valid_utf8(text)); }

}  // namespace tauprof
