// How exports spell what a log holds as small numbers.
#pragma once

#include <string_view>

#include "model/process_trace.h"

namespace tauprof {

std::string_view name_of(CallClass call_class);
std::string_view name_of(log::ActivityKind activity);
std::string_view name_of(log::CopyKind kind);
std::string_view name_of(log::RangeSource source);

}  // namespace tauprof
