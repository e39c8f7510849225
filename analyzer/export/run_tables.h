// The tables of a run (docs/export.md, "Tables").
#pragma once

#include <cstdint>
#include <span>

#include "export/run_writer.h"
#include "export/table.h"

namespace tauprof {

namespace tables {
extern const Table kRun, kRanks, kSteps, kPhases, kLedger, kCollectiveSizes, kStragglers, kFindings, kCollectives,
    kMembers, kBlame, kNames, kStreams, kThreads, kSpans, kCalls, kRanges, kTelemetry;
}

// All of them, in the order of the documentation.
std::span<const Table* const> run_tables();

// Fills the tables of a rank's events: spans, calls, ranges, telemetry, and the names that they have.
void add_event_rows(const RankView& rank, TableSink& sink);

// Fills the tables of what the analysis found. Numbers are the report's; times are on the run's clock.
void add_summary_rows(const RunView& run, TableSink& sink);

// Numbers for things of one rank that no other rank's have: the rank's index, then the thing's.
inline int64_t event_id(uint32_t rank, uint32_t index) { return static_cast<int64_t>((uint64_t{rank} << 32) | index); }

}  // namespace tauprof
