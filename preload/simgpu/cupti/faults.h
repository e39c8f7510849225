// Faults that are injected into CUPTI, so that profilers can be tested against a CUPTI that refuses.
//
// SIMGPU_CUPTI_FAULTS holds entries separated by commas:
//   register=N subscribe=N enable=N flush=N   that call returns the CUptiResult N and does nothing
//   no_buffers                                every request of a buffer counts as declined: all records are dropped
//   registered_elsewhere                      another client holds CUPTI: cuptiSubscribe says so, and no record comes
//                                             to this client's callbacks
// An unknown entry costs one line on stderr. Read once.
#pragma once

#include <cupti.h>

namespace simgpu::cupti {

struct Faults {
  CUptiResult register_callbacks = CUPTI_SUCCESS;
  CUptiResult subscribe = CUPTI_SUCCESS;
  CUptiResult enable = CUPTI_SUCCESS;
  CUptiResult flush = CUPTI_SUCCESS;
  bool no_buffers = false;
  bool registered_elsewhere = false;
};

const Faults& faults();
Faults parse_faults(const char* text);

}  // namespace simgpu::cupti
