// PyTorch's own marker of a step: "ProfilerStep#12", in traces of any version and of any category.
#pragma once

#include <string_view>

namespace tauprof {

inline bool is_profiler_step(std::string_view name) { return name.starts_with("ProfilerStep#"); }

}  // namespace tauprof
