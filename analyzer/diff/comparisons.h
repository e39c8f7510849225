// The comparisons of two sides' runs, each in the source of its name: kernel_diff.cpp has compare_kernels. Sides lack
// device times if one of their runs does.
#pragma once

#include <vector>

#include "diff/diff.h"

namespace tauprof {

// The step and its parts: fills `diff.step`, and with device times `diff.rows` and `diff.phase_parts`.
void compare_steps(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b, Diff& diff);
std::vector<PhaseDiff> compare_phases(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

// Which ranks make the step longer or shorter: fills `diff.ranks`. `diff.step` must be known.
//
// Each rank's contribution to the step is compared between the sides. A difference is a rank's own if it goes beyond
// the typical other rank's: a loss common to all ranks is no rank's. Example: of +18 ms, rank 2 of four makes +17.1 and
// each other +0.3, so rank 2 explains 95 %. If each made +4.5, none would be named.
void compare_ranks(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b, Diff& diff);

// By operation, type, size and number of ranks, and by communicator where it has a name: identities of communicators
// without one change from run to run, so those count together. The largest difference of exposed time first. What a
// side lacks took no time there. Empty without device times.
std::vector<CollectiveDiff> compare_collectives(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

// Kernels, copies and memsets, by name and class, the largest difference first. What a side lacks took no time there.
// Empty without device times.
std::vector<KernelDiff> compare_kernels(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

// Memory of the devices (peaks, growth, allocations), where it is known for every run of both sides.
std::vector<MemoryDiff> compare_memory(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

// Settings, versions and facts that the sides do not share.
std::vector<SettingDiff> compare_settings(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b);

}  // namespace tauprof
