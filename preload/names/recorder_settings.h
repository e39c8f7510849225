// The variables of the recorder, each said once: the recorder reads them (capture/settings), `tauprof run` has an
// option for each, and the table in docs/user-guide.md is written from this list. A new variable is a line of it and a
// member.
#pragma once

#include <stdint.h>

#include "names/log_level.h"
#include "names/setting_forms.h"

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
inline constexpr Choice kCategories[] = {
    {"api", kCategoryApi},
    {"device", kCategoryDevice},
    {"gemm", kCategoryGemm},
    {"nccl", kCategoryNccl},
    {"nvtx", kCategoryNvtx},
    {"memory", kCategoryMemory},
    {"telemetry", kCategoryTelemetry},
    {"graph-nodes", kCategoryGraphNodes},
    {"nccl-phases", kCategoryNcclPhases},
};
inline constexpr uint32_t kDefaultCategories = kCategoryGraphNodes - 1;
inline constexpr ShortText kUsualCategories = names_of(kCategories, kDefaultCategories);

enum class DeviceTiming : uint8_t { kAuto, kCupti, kEvents, kOff };
inline constexpr Choice kDeviceTimings[] = {{"auto", static_cast<uint32_t>(DeviceTiming::kAuto)},
                                            {"cupti", static_cast<uint32_t>(DeviceTiming::kCupti)},
                                            {"events", static_cast<uint32_t>(DeviceTiming::kEvents)},
                                            {"off", static_cast<uint32_t>(DeviceTiming::kOff)}};

enum class OnFull : uint8_t { kWrap, kStop };
inline constexpr Choice kOnFull[] = {{"wrap", static_cast<uint32_t>(OnFull::kWrap)},
                                     {"stop", static_cast<uint32_t>(OnFull::kStop)}};

enum class StackMode : uint8_t { kOff, kSlow, kAll };
inline constexpr Choice kStackModes[] = {{"off", static_cast<uint32_t>(StackMode::kOff)},
                                         {"slow", static_cast<uint32_t>(StackMode::kSlow)},
                                         {"all", static_cast<uint32_t>(StackMode::kAll)}};

inline constexpr Choice kLogLevels[] = {{"off", static_cast<uint32_t>(LogLevel::kOff)},
                                        {"error", static_cast<uint32_t>(LogLevel::kError)},
                                        {"warn", static_cast<uint32_t>(LogLevel::kWarn)},
                                        {"info", static_cast<uint32_t>(LogLevel::kInfo)},
                                        {"debug", static_cast<uint32_t>(LogLevel::kDebug)}};

inline constexpr Choice kAutoOrOff[] = {{"auto", 1}, {"off", 0}};
inline constexpr Choice kZeroOrOne[] = {{"0", 0}, {"1", 1}};

struct Configuration {
  char directory[4096] = "./tauprof-logs";
  char ranks[256] = "";  // empty: all
  uint32_t categories = kDefaultCategories;
  DeviceTiming device_timing = DeviceTiming::kAuto;
  StackMode stacks = StackMode::kOff;
  uint64_t stack_min_ns = 100'000;  // for StackMode::kSlow
  char step_marker[256] = "";       // as the user wrote it; empty: automatic
  uint64_t start_step = 0;
  uint64_t steps = 0;       // 0: to the end
  StepShare every;          // the steps with device times; automatic: all of them
  char trigger[4096] = "";  // recording is on while this file exists; empty: no such file
  uint64_t start_after_ns = 0;
  uint64_t duration_ns = 0;  // 0: to the end
  CaptureWindow capture_range;
  uint64_t max_bytes = 512u << 20;  // of the log
  OnFull on_full = OnFull::kWrap;
  // Bound of the recorder's memory: a quarter for rings, half for device activity, the rest for all else.
  uint64_t buffer_bytes = 64u << 20;
  bool asks_python = true;  // for PyTorch's marks
  LogLevel log_level = LogLevel::kWarn;
  bool is_enabled = true;
};

struct SettingNames {
  const char* variable;
  const char* option;          // of `tauprof run`; null: none
  const char* usual;           // the value that holds without the variable; empty: none
  const char* meaning;         // one sentence
  const char* page = nullptr;  // where the documents say more
};

// Calls `take(member, form, names)` for each variable.
template <class Take>
void for_each_setting(Take&& take) {
  using C = Configuration;
  take(&C::directory, Path{},
       SettingNames{"TAUPROF_DIR", "-o,--dir", "./tauprof-logs", "Log directory, made if missing",
                    "#the-log-directory"});
  take(&C::ranks, Ranks{}, SettingNames{"TAUPROF_RANKS", "--ranks", "all", "Record these ranks only, e.g. 0,4-7"});
  take(&C::categories, SetOf{kCategories},
       SettingNames{"TAUPROF_CAPTURE", "-t,--capture", kUsualCategories.text(), "What to record", "#what-is-recorded"});
  take(&C::device_timing, OneOf{kDeviceTimings},
       SettingNames{"TAUPROF_DEVICE_TIMING", "--device-timing", "auto", "Where device times come from",
                    "device-times.md"});
  take(&C::stacks, OneOf{kStackModes},
       SettingNames{"TAUPROF_STACKS", "--stacks", "off",
                    "Record where in the code: stacks of slow calls and of pauses between calls, or of all calls",
                    "stacks.md"});
  take(&C::stack_min_ns, Microseconds{},
       SettingNames{"TAUPROF_STACK_MIN_US", "--stack-min-us", "100", "Calls are slow from this many microseconds on"});
  take(&C::step_marker, MarkerName{},
       SettingNames{"TAUPROF_STEP_MARKER", "--step-marker", "auto",
                    "What marks the start of a step: nvtx:GLOB, kernel:GLOB or call:FUNCTION"});
  take(&C::start_step, Steps{},
       SettingNames{"TAUPROF_START_STEP", "--start-step", "0",
                    "Start recording at this step, counted from 0 while the program runs",
                    "phases.md#while-the-program-runs"});
  take(&C::steps, Steps{}, SettingNames{"TAUPROF_STEPS", "--steps", "all", "Record this many steps"});
  take(&C::every, Budget{},
       SettingNames{"TAUPROF_BUDGET", "--budget", "",
                    "What device times may cost the job, e.g. 0.5%: they are taken in as few steps as that asks; "
                    "`--every` says how few and wins",
                    "device-times.md#full-and-light-steps"});
  take(&C::every, Every{},
       SettingNames{"TAUPROF_EVERY", "--every", "auto",
                    "Take device times in n steps of each m, by step number; the others are recorded by hooks alone",
                    "device-times.md#full-and-light-steps"});
  take(&C::trigger, Path{},
       SettingNames{"TAUPROF_TRIGGER", "--trigger", "",
                    "Record while this file exists, from the start of a step to the end of one"});
  take(&C::start_after_ns, Seconds{},
       SettingNames{"TAUPROF_START_AFTER", "-y,--start-after", "0", "Start recording after this many seconds"});
  take(&C::duration_ns, Seconds{},
       SettingNames{"TAUPROF_DURATION", "-d,--duration", "all", "Record for this many seconds"});
  take(
      &C::capture_range, RangeName{},
      SettingNames{"TAUPROF_CAPTURE_RANGE", "-c,--capture-range", "none",
                   "Record between cudaProfilerStart and Stop (cudaProfilerApi), or inside an NVTX range (nvtx:NAME)"});
  take(&C::max_bytes, Megabytes{},
       SettingNames{"TAUPROF_MAX_MB", "--max-mb", "512", "Largest log of a process, in megabytes"});
  take(&C::on_full, OneOf{kOnFull},
       SettingNames{"TAUPROF_ON_FULL", "--on-full", "wrap", "In a full log, keep the newest records, or the oldest"});
  take(&C::buffer_bytes, Megabytes{},
       SettingNames{"TAUPROF_BUFFER_MB", "--buffer-mb", "64",
                    "Most memory that the recorder uses per process, in megabytes"});
  take(&C::asks_python, OneOf{kAutoOrOff},
       SettingNames{"TAUPROF_PYTHON", "--python", "auto", "Ask PyTorch what it does, or leave Python alone",
                    "pytorch.md#marks"});
  take(&C::log_level, OneOf{kLogLevels},
       SettingNames{"TAUPROF_LOG_LEVEL", "--log-level", "warn", "How much the recorder says about itself"});
  take(&C::is_enabled, OneOf{kZeroOrOne},
       SettingNames{"TAUPROF_ENABLE", nullptr, "1", "Whether the library records, where it is loaded"});
}

}  // namespace tauprof::capture
