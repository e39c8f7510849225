// Activity of the host's threads, as rows of the page's timeline. For each thread, from the outside in: ranges,
// operators and Python functions, each depth in a row of its own, then the calls, with the time between two of them
// named as in the ledger:
//
//   annotations   |          forward           |
//   operators     |  linear  |    | all_reduce |
//   host          |launch|...host stalled....|launch|
#pragma once

#include <cstdint>

#include "metrics/ledger/idle_cause.h"
#include "model/process_trace.h"
#include "pipeline/span_rows.h"

namespace tauprof {

// Opens and fills them; returns how many ranges are nested deeper than there are rows. `idle` is of the trace.
uint64_t add_host_rows(const ProcessTrace& trace, IdleCause& idle, SpanRows& rows);

}  // namespace tauprof
