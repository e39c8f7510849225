// What the TAUPROF_… variables ask for. Read once, at the first CUDA call; a bad value is said on
// stderr with what is accepted, and the default holds.
#pragma once

#include <stdint.h>

#include "capture/say.h"

namespace tauprof::capture {

// TAUPROF_CAPTURE: a set of these.
enum Category : uint32_t {
  kCategoryApi = 1u << 0,
  kCategoryDevice = 1u << 1,
  kCategoryGemm = 1u << 2,
  kCategoryNccl = 1u << 3,
  kCategoryNvtx = 1u << 4,
  kCategoryMemory = 1u << 5,
  kCategoryTelemetry = 1u << 6,
  kCategoryGraphNodes = 1u << 7,
};
inline constexpr uint32_t kDefaultCategories = kCategoryGraphNodes - 1;

enum class DeviceTiming : uint8_t { kAuto, kCupti, kEvents, kOff };
enum class OnFull : uint8_t { kWrap, kStop };
enum class StackMode : uint8_t { kOff, kSlow, kAll };
enum class CaptureRange : uint8_t { kNone, kCudaProfilerApi, kNvtx };

struct Configuration {
  char directory[4096] = "./tauprof-logs";
  char ranks[256] = "";        // TAUPROF_RANKS; empty: all
  char range_name[256] = "";   // of CaptureRange::kNvtx
  char step_marker[256] = "";  // as given; empty: automatic
  uint32_t categories = kDefaultCategories;
  DeviceTiming device_timing = DeviceTiming::kAuto;
  CaptureRange capture_range = CaptureRange::kNone;
  OnFull on_full = OnFull::kWrap;
  LogLevel log_level = LogLevel::kWarn;
  uint64_t buffer_bytes = 64u << 20;  // bound of the profiler's memory; half is the rings', half device activity's
  uint64_t max_bytes = 512u << 20;    // of the log
  uint64_t start_step = 0;
  uint64_t steps = 0;       // 0: to the end
  char trigger[4096] = "";  // a file: recording while it exists; empty: none
  uint64_t start_after_ns = 0;
  uint64_t duration_ns = 0;  // 0: to the end
  StackMode stacks = StackMode::kOff;
  uint64_t stack_min_ns = 100'000;  // of StackMode::kSlow
};

// TAUPROF_ENABLE alone, for the constructor: cheap and silent.
bool is_enabled_by_environment();

void read_configuration(Configuration& configuration);

// Whether `rank` is in a list such as "0,4-7"; every rank is in the empty list.
bool rank_is_listed(const char* list, int64_t rank);

}  // namespace tauprof::capture
