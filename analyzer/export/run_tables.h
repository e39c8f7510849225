// The tables of a run (docs/export.md, "Tables").
#pragma once

#include <span>

#include "export/table.h"

namespace tauprof {

namespace tables {
extern const Table kRun, kRanks, kSteps, kPhases, kLedger, kCollectiveSizes, kStragglers, kFindings, kCollectives,
    kMembers, kBlame, kNames, kStreams, kThreads, kSpans, kCalls, kRanges, kTelemetry;
}

// All of them, in the order of the documentation.
std::span<const Table* const> run_tables();

}  // namespace tauprof
