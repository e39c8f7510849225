// Bugs of CUPTI by version, and what the recorder does or leaves undone because of them. This is the only place that
// knows versions.
//
// cuptiGetVersion counts from 1 to 28 (CUDA 12.9 Update 1). From CUDA 13.0 the number is XXYYZZ: 130001 is 13.0
// Update 1. 12.4 and 12.4 Update 1 share 22, and ZZ need not be the number of the update, so some bounds lie a little
// high.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

struct CuptiQuirks {
  // A buffer request that is answered with null crashes the process (CUDA 12.8 and earlier; Kineto #1038, #1275, #1534;
  // fixed in the release notes of 12.9).
  bool refused_buffer_crashes;
  // cuptiActivityDisable(CONCURRENT_KERNEL) may deadlock (release notes of 13.0 Update 1).
  bool disable_can_deadlock;
  // cuptiActivityFlushAll may crash (release notes of 13.0 Update 1): flush seldom, and force none while the job runs.
  bool flush_can_crash;
  // Graph-level tracing of a graph with copies or sets crashes (release notes of 12.4 Update 1).
  bool graph_copies_crash;
  // CPU time grows without bound in long recordings (release notes of 13.4 Update 1). Nothing helps; the log says it.
  bool cpu_time_grows;
  // Clients that use the functions with a subscriber (…_v2) are refused while others use those without (NVIDIA's guide
  // to several subscribers). CUDA 13.2 brought them.
  bool subscribers_exclude_us;
  // Several clients with subscribers may get records, each with its clock (release notes of 13.4). Before, a subscriber
  // that allows others cannot have a clock of its own (header of 13.3), and requests at the same time may crash
  // (release notes of 13.3 Update 1). The driver must be r610 or newer; with an older one CUPTI refuses the
  // subscription.
  bool subscribers_have_clocks;
};

// `version`: of cuptiGetVersion; 0 (it failed) is taken for the oldest.
CuptiQuirks cupti_quirks(uint32_t version);

}  // namespace tauprof::capture
