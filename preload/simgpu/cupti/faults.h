// Faults injected into CUPTI, to test profilers against a CUPTI that fails.
//
// SIMGPU_CUPTI_FAULTS holds entries separated by commas:
//   register=N subscribe=N enable=N flush=N   the call returns the CUptiResult N and does nothing
//   no_buffers                                every buffer request counts as declined: all records are dropped
//   registered_elsewhere                      another client holds CUPTI: cuptiSubscribe says so, and this client's
//                                             callbacks get no records
// An unknown entry prints one line to stderr. Read once.
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
