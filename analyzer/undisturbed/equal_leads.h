// Steps whose lengths on the host tell how long the job's steps are.
//
// A host runs ahead of its device, by up to a thousand launches, until it waits: in a blocking call, or in launches for
// which there is no room. Steps in which it gains on the device are shorter than the device's, those in which it waits
// for all of it longer. Between the ends of two steps in which it had to wait in the same way, it is as far ahead, and
// its steps are on average as long as the device's.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "undisturbed/host_work.h"

namespace tauprof {

// `numbers`: of some of `steps`, ascending. Of each stretch of consecutive steps, those behind the first in which the
// host waited up to the last such step; all, if it hardly ever waited, which is so if it is what bounds the job.
std::vector<int64_t> between_equal_leads(const std::map<int64_t, WorkOfStep>& steps,
                                         const std::vector<int64_t>& numbers);

}  // namespace tauprof
