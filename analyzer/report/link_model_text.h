// The section of the text report on the latency and bandwidth of each kind of collective.
#pragma once

#include <cstddef>
#include <string>

#include "metrics/link_model/link_model.h"

namespace tauprof {

// Empty where no size and time of a collective is known.
std::string links_text(const LinkModel& links, size_t width);

}  // namespace tauprof
