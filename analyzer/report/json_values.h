// Values of JSON documents that are written by hand; those of the report are lists (fields.h).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tauprof {

using Json = nlohmann::ordered_json;

// Rounded to whole nanoseconds.
Json nanoseconds_json(double value);
// null for an empty text.
Json text_or_null(const std::string& text);

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace tauprof
