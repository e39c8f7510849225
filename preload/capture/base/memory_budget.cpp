#include "capture/base/memory_budget.h"

namespace tauprof::capture {

constinit log::MemoryBudget memory_budget{};

}  // namespace tauprof::capture
