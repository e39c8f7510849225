// Faults injected into CUPTI, to test profilers against a CUPTI that fails.
//
// SIMGPU_CUPTI_FAULTS holds entries separated by commas:
//   register=N subscribe=N enable=N flush=N   the call returns the CUptiResult N and does nothing
//   no_buffers                                every buffer request counts as declined: all records are dropped
//   registered_elsewhere                      another client holds CUPTI: cuptiSubscribe says so, and this client's
//                                             callbacks get no records
//   version=N                                 what cuptiGetVersion returns. Below 27 a declined buffer request crashes,
//                                             below 23 a copy or set in a graph that is traced as a whole; from 130200
//                                             cuptiSubscribe_v2 fails while CUPTI is used without a subscriber and the
//                                             other way round; from 130300 subscribers may allow others, and from
//                                             130400 each may have a clock then
//   one_subscriber                            no subscriber can allow others, as with drivers before r610
//   slow                                      cuptiUnsubscribe, cuptiActivityRegisterTimestampCallback and
//                                             cuptiActivityEnable_v2 take 50 ms
//   disable_hangs                             cuptiActivityDisable(CONCURRENT_KERNEL) never returns while work is
//                                             unfinished, as it could before CUDA 13.0 Update 1
//   flush_crashes                             a forced flush crashes while work is unfinished, likewise
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
  bool disable_hangs = false;
  bool flush_crashes = false;
  bool one_subscriber = false;
  bool slow = false;
  int version = 0;  // 0: the library's own
};

// The number that cuptiGetVersion returns.
int api_version();

// Takes the time that a slow function takes.
void delay_if_slow();

// Ends the process as an invalid access of the library would.
[[noreturn]] void crash(const char* where);

const Faults& faults();
Faults parse_faults(const char* text);

}  // namespace simgpu::cupti
