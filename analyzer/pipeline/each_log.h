// Works on the logs of a run, several at a time. Their number is bounded by the processors, and by the memory that the
// traces are expected to take: one waits until its trace fits beside those in work. One alone always goes ahead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/progress.h"

namespace tauprof {

// Bytes that an analysis may take: half of the machine's memory.
uint64_t memory_budget();

inline constexpr size_t kAsManyAsFit = ~size_t{0};

// Calls `work` with the index of each file, from up to `at_once` threads, in order; it must not throw. `progress` may
// be null: each byte of the logs counts twice, once when `work` has read it and counts it, once when `work` is done.
void for_each_log(const std::vector<std::string>& files, size_t at_once, const std::function<void(size_t)>& work,
                  Progress* progress);

}  // namespace tauprof
