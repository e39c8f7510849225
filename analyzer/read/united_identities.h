// One identity for communicators that their members know by several.
//
// Old members of one that ncclCommGrow made know it by its parent, those that joined by a unique id. The member that
// handed out the id knows both, and its log says so. What is made from such a communicator has an identity that follows
// from the parent's, so it has two as well: but which part of its parent it is, is the same everywhere. Example: ranks
// 0 and 1 made A from its parent, rank 2 joined B, and rank 0 says that A is B. All split it: C is the first part of A,
// D the first part of B, so D is C.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// By each identity that is another's: that one.
std::map<uint64_t, uint64_t> united_identities(const std::vector<CommunicatorOrigin>& origins);

// Of the communicators of a process that were grown, or made from another.
std::vector<CommunicatorOrigin> communicator_origins(const ProcessTrace& trace);

}  // namespace tauprof
