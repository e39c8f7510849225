// Numbers of a trace, read exactly from their decimal text, as a double cannot hold a time since 1970 in nanoseconds. A
// number may be in quotes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tauprof::kineto {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A time in microseconds as nanoseconds, rounded: "4458676522690.655" → 4458676522690655. nullopt: it is no number, or
// does not fit.
std::optional<int64_t> microseconds_to_ns(std::string_view text);

// The same with nothing but rounding: "2.5e3" → 2500, "0.5" → 1.
std::optional<int64_t> nearest_integer(std::string_view text);

// An integer; nullopt for fractions and everything else.
std::optional<int64_t> integer(std::string_view text);

}  // namespace tauprof::kineto
