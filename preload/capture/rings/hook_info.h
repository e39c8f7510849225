// Facts for the writer about each hook, by its number. The table is in hooks/hook_table.cpp.
#pragma once

#include <stdint.h>

#include "capture/rings/recorded_unit.h"

namespace tauprof::capture {

enum class HookRecord : uint8_t { kCall, kGemm, kCollective };

struct HookInfo {
  const char* name;
  HookRecord record;
  PayloadKind payload;
  bool may_launch;  // it can put work on the device
  int8_t memory;    // log::MemoryAction: it allocates or frees device memory
};

extern const HookInfo kHookInfos[];
extern const uint16_t kHookCount;

inline const char* function_name(uint16_t function) { return kHookInfos[function].name; }

}  // namespace tauprof::capture
