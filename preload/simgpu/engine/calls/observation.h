// How the engine notifies its observer. Without an observer, each of these costs one relaxed load.
#pragma once

#include <atomic>

#include "simgpu/engine/observer.h"

namespace simgpu {

extern std::atomic<Observer*> current_observer;

inline bool is_observed() { return current_observer.load(std::memory_order_relaxed) != nullptr; }

// Whether the observer makes records of what happens.
bool is_collecting();

void notify_entered(const ApiRecord& call);  // without the engine's lock, like notify_left
void notify_left(const ApiRecord& call);
void notify_submitted(std::uint64_t id, const SpanDescription& what);
void notify_finished(const Span& span);
void notify_synchronized(const SyncSpan& sync);

}  // namespace simgpu
