// Works on the logs of a run, several at a time. Their number is bounded by the processors, and by the memory that the
// traces are expected to take: one waits until its trace fits beside those in work. One alone always goes ahead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tauprof {

// Bytes that an analysis may take: half of the machine's memory.
uint64_t memory_budget();

// Calls `work` with the index of each file, from several threads; it must not throw. `progress(done, total)` is called
// under a lock. It may be empty.
void for_each_log(const std::vector<std::string>& files, const std::function<void(size_t)>& work,
                  const std::function<void(size_t, size_t)>& progress);

}  // namespace tauprof
