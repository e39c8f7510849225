// The memory of the recorder beside rings and device times, which have shares of their own: texts, stacks, and what the
// log has not written yet or will repeat.
#pragma once

#include "log/memory_budget.h"

namespace tauprof::capture {

extern log::MemoryBudget memory_budget;

}  // namespace tauprof::capture
