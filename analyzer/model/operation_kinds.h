// Kinds of operations between ranks, by who needs whom.
#pragma once

#include "log/format.h"

namespace tauprof {

// Of one root, which has the data that the others get …
inline bool comes_from_root(log::Operation operation) {
  return operation == log::Operation::kBroadcast || operation == log::Operation::kScatter;
}
// … or which gets the data of the others.
inline bool goes_to_root(log::Operation operation) {
  return operation == log::Operation::kReduce || operation == log::Operation::kGather;
}
inline bool is_rooted(log::Operation operation) { return comes_from_root(operation) || goes_to_root(operation); }

}  // namespace tauprof
