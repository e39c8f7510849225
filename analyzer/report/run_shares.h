// How much of the run is reported, and how much of the devices' peak it used, as the line on the run says it.
#pragma once

#include <string>

#include "metrics/efficiency/efficiency.h"
#include "report/report.h"

namespace tauprof {

// Empty: so little lies outside of steps that nobody misses it.
std::string outside_words(const Report& report);

// Empty: it is not known, and nobody asked for it.
std::string utilization_words(const Efficiency& efficiency);

}  // namespace tauprof
