// How a comparison writes differences, shares and probabilities.
#pragma once

#include <optional>
#include <string>

#include "diff/diff.h"
#include "report/value_names.h"

namespace tauprof {

// With a sign: "−6.000 ms", "+12.000 µs"; "0" for none.
std::string difference_text(Nanoseconds difference);
// With a sign and the digits that suit it: "−9.7 %", "+0.34 %".
std::string change_text(double share);
// Of a whole, with a sign only if negative: "55.4 %", "−0.9 %".
std::string part_text(double share);
// "2e-9", "0.013"; "-" if there is none.
std::string probability_text(const std::optional<double>& p);

NameList names_of(const Outcome*);
NameList names_of(const IntervalMethod*);
NameList names_of(const Units*);

}  // namespace tauprof
