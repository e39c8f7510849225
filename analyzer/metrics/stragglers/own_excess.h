// The time that a rank spent by itself beyond its due, step by step, whether or not anybody was seen to wait for it.
//
// Blame tells whom others waited for. In a pipeline a stall may hide partly in waiting that would have been there
// anyway, and what remains makes everybody late with nobody waiting for that rank. But the rank's ledger shows it: row
// by row without communication, against the lower median of the ranks that do the same in that step: its stage in other
// replicas, or all ranks where there are no stages. What a stage does in all replicas and other stages do not counts,
// too (stage_loads.h). Whether it costs anything is for the replay to say.
//
// An excess on one row is none if others make up for it: who launches later and computes less is not longer at it. So
// no row's excess counts for more than that of all rows together, nor an idle row's for more than that of all idle
// rows: whether a gap is a late launch or a wait for input may depend on microseconds.
//
// Which excess is chance? On each row, what most ranks are off in most steps, up or down, shows how large noise is and
// how long its tail (more_than_chance.h). Example: in 3 of 12 steps one of four ranks allocates for 26 ms while its
// device idles, the others never do: 3 of 48 values, and 45 that are 0.
#pragma once

#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/statistics/step_selection.h"
#include "metrics/stragglers/telemetry_causes.h"
#include "model/flat_map.h"

namespace tauprof {

// Of one rank in one step; no chance.
struct OwnExcess {
  uint32_t rank;  // index into the timelines
  size_t step;    // analysed
  Cause cause;
  double ns;
};

// How long a rank computed in a step, how long ranks that do the same typically do, and what they should.
struct ComputingInStep {
  double own_ns = 0;
  double typical_ns = 0;
  double expected_ns = 0;  // without what their stage has too much of
};

struct OwnTimes {
  std::vector<OwnExcess> excess;
  std::vector<FlatMap<size_t, ComputingInStep>> computing;  // by rank, as the timelines, and analysed step
  std::vector<size_t> group;                                // by rank: index into alike
  std::vector<std::vector<uint32_t>> alike;                 // ranks that do the same
};

OwnTimes own_times(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                   const StepSelection& steps, const TelemetryCauses& telemetry);

}  // namespace tauprof
