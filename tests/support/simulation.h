// Simulates a training job in virtual time and tells an observer everything that happens.
//
// The same spec gives the same events in the same order, on every machine. Ranks are advanced in
// turn, each until it waits for another; a step is done on all ranks before the next begins, so
// memory does not grow with the number of steps.
#pragma once

#include "communicators.h"
#include "job_events.h"
#include "job_spec.h"

namespace tauprof::generator {

// `spec` must be valid. Returns the number of steps.
int simulate(const JobSpec& spec, const Communicators& communicators, JobObserver& observer);

}  // namespace tauprof::generator
