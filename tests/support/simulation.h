// Simulates a training job in virtual time and reports all events to an observer.
//
// The same spec gives the same events in the same order on every machine. Ranks advance one after
// the other, each until it waits for another; a step ends on all ranks before the next one starts, so
// memory does not grow with the number of steps.
#pragma once

#include "communicators.h"
#include "job_events.h"
#include "job_spec.h"

namespace tauprof::generator {

// `spec` must be valid. Returns the number of steps.
int simulate(const JobSpec& spec, const Communicators& communicators, JobObserver& observer);

}  // namespace tauprof::generator
