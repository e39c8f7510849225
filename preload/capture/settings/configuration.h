// What the TAUPROF_… variables ask for. They are read once, at the first CUDA call. A bad value is reported on stderr
// together with what is accepted, and the default holds.
#pragma once

#include <stdint.h>

#include "capture/base/messages.h"

namespace tauprof::capture {

// TAUPROF_CAPTURE is a set of these.
enum Category : uint32_t {
  kCategoryApi = 1u << 0,
  kCategoryDevice = 1u << 1,
  kCategoryGemm = 1u << 2,
  kCategoryNccl = 1u << 3,
  kCategoryNvtx = 1u << 4,
  kCategoryMemory = 1u << 5,
  kCategoryTelemetry = 1u << 6,
  kCategoryGraphNodes = 1u << 7,
  kCategoryNcclPhases = 1u << 8,
};
inline constexpr uint32_t kDefaultCategories = kCategoryGraphNodes - 1;

enum class DeviceTiming : uint8_t { kAuto, kCupti, kEvents, kOff };
enum class OnFull : uint8_t { kWrap, kStop };
enum class StackMode : uint8_t { kOff, kSlow, kAll };
enum class CaptureRange : uint8_t { kNone, kCudaProfilerApi, kNvtx };

struct Configuration {
  char directory[4096] = "./tauprof-logs";
  char ranks[256] = "";        // TAUPROF_RANKS; empty: all
  char range_name[256] = "";   // for CaptureRange::kNvtx
  char step_marker[256] = "";  // as the user wrote it; empty: automatic
  uint32_t categories = kDefaultCategories;
  DeviceTiming device_timing = DeviceTiming::kAuto;
  CaptureRange capture_range = CaptureRange::kNone;
  OnFull on_full = OnFull::kWrap;
  LogLevel log_level = LogLevel::kWarn;
  uint64_t buffer_bytes =
      64u
      << 20;  // bound of the recorder's memory: a quarter for rings, half for device activity, the rest for all else
  uint64_t max_bytes = 512u << 20;  // of the log
  uint64_t start_step = 0;
  uint64_t steps = 0;       // 0: to the end
  char trigger[4096] = "";  // recording is on while this file exists; empty: no such file
  uint64_t start_after_ns = 0;
  uint64_t duration_ns = 0;  // 0: to the end
  bool asks_python = true;   // for PyTorch's marks
  StackMode stacks = StackMode::kOff;
  uint64_t stack_min_ns = 100'000;  // for StackMode::kSlow
};

// Reads TAUPROF_ENABLE alone, cheaply and silently, for the library's constructor. A library that was not preloaded
// must be asked for.
bool is_enabled_by_environment(bool is_preloaded);

void read_configuration(Configuration& configuration);

// Whether a list such as "0,4-7" contains `rank`. The empty list contains every rank.
bool rank_is_listed(const char* list, int64_t rank);

}  // namespace tauprof::capture
