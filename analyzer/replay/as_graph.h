// Steps that are captured once as CUDA graphs, and launched as one piece of work each.
//
// The host of such a step launches once: the code between its calls and the calls are gone. What blocks the host, such
// as a value that is read back, cannot be part of a graph: there the step falls into two pieces, each of which is
// launched. What loads the input stays, too, and what is no launching: a host that is stalled. Device work follows
// what is before it in its stream, and the events that it waits for, with the lag of its own device, however late it
// was launched.
#pragma once

#include <string>

#include "replay/changes.h"
#include "replay/repair_plan.h"
#include "replay/run_graph.h"

namespace tauprof {

// Adds that to `changes`, for the repair's ranks and steps. Returns why it cannot be replayed; empty: it was added.
std::string launch_as_graphs(const RunGraph& run, const Repair& repair, Changes& changes);

}  // namespace tauprof
