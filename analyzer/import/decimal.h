// Numbers of a trace, read exactly from their decimal text: a double cannot hold a time since 1970
// in nanoseconds. A number may stand in quotes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tauprof::kineto {

// "4458676522690.655" with scale 3 → 4458676522690655: the number times 10^scale, digits below that
// rounded to the nearest. nullopt: no number, or it does not fit.
std::optional<int64_t> scaled_decimal(std::string_view text, int scale);

inline std::optional<int64_t> microseconds_to_ns(std::string_view text) { return scaled_decimal(text, 3); }

// The plain case of both: an integer. Fractions and everything else are nullopt.
std::optional<int64_t> integer(std::string_view text);

}  // namespace tauprof::kineto
