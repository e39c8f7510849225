#include "capture/settings/configuration.h"

#include <string.h>

#include <initializer_list>

#include "capture/settings/variables.h"

namespace tauprof::capture {
namespace {

constexpr Choice kCategories[] = {
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

void read_categories(uint32_t& categories) {
  const char* value = value_of("TAUPROF_CAPTURE");
  if (value == nullptr) return;
  uint32_t chosen = 0;
  for (const char* at = value;;) {
    const size_t size = strcspn(at, ",");
    const Choice* choice = find_choice(kCategories, at, size);
    if (choice == nullptr)
      return refuse("TAUPROF_CAPTURE", value,
                    "a list of api,device,gemm,nccl,nvtx,memory,telemetry,graph-nodes,nccl-phases");
    chosen |= choice->value;
    if (at[size] == '\0') break;
    at += size + 1;
  }
  categories = chosen;
}

void read_capture_range(Configuration& configuration) {
  constexpr char kNvtx[] = "nvtx:";
  const char* value = value_of("TAUPROF_CAPTURE_RANGE");
  if (value == nullptr || strcmp(value, "none") == 0) return;
  const size_t prefix = sizeof kNvtx - 1, size = strlen(value);
  if (strcmp(value, "cudaProfilerApi") == 0) {
    configuration.capture_range = CaptureRange::kCudaProfilerApi;
  } else if (strncmp(value, kNvtx, prefix) == 0 && size > prefix && size - prefix < sizeof configuration.range_name) {
    configuration.capture_range = CaptureRange::kNvtx;
    strcpy(configuration.range_name, value + prefix);
  } else {
    refuse("TAUPROF_CAPTURE_RANGE", value, "none, cudaProfilerApi or nvtx:NAME");
  }
}

void read_step_marker(Configuration& configuration) {
  const char* value = value_of("TAUPROF_STEP_MARKER");
  if (value == nullptr || strcmp(value, "auto") == 0) return;
  for (const char* prefix : {"nvtx:", "kernel:", "call:"}) {
    const size_t size = strlen(prefix);
    if (strncmp(value, prefix, size) == 0 && value[size] != '\0' && strlen(value) < sizeof configuration.step_marker) {
      strcpy(configuration.step_marker, value);
      return;
    }
  }
  refuse("TAUPROF_STEP_MARKER", value, "auto, nvtx:GLOB, kernel:GLOB or call:FUNCTION");
}

// Reads one number of a list of ranks. False: there is none.
bool parse_rank(const char*& at, int64_t& rank) {
  const char* const first_digit = at;
  for (rank = 0; *at >= '0' && *at <= '9' && at - first_digit < 10; ++at) rank = rank * 10 + (*at - '0');
  return at != first_digit;
}

// Calls `is_wanted(first, last)` for one range of the list after the other. Returns 1 once that returns true, 0 if it
// never does, -1 if the text is no list of ranks.
template <class IsWanted>
int find_rank_range(const char* list, IsWanted is_wanted) {
  for (const char* at = list;; ++at) {
    int64_t first, last;
    if (!parse_rank(at, first)) return -1;
    last = first;
    if (*at == '-' && (!parse_rank(++at, last) || last < first)) return -1;
    if (is_wanted(first, last)) return 1;
    if (*at == '\0') return 0;
    if (*at != ',') return -1;
  }
}

void read_ranks(Configuration& configuration) {
  constexpr char kAccepted[] = "ranks such as 0,4-7, or all";
  const char* value = value_of("TAUPROF_RANKS");
  if (value == nullptr || strcmp(value, "all") == 0) return;
  if (find_rank_range(value, [](int64_t, int64_t) { return false; }) < 0)
    return refuse("TAUPROF_RANKS", value, kAccepted);
  read_text("TAUPROF_RANKS", kAccepted, configuration.ranks);
}

}  // namespace

bool is_enabled_by_environment(bool is_preloaded) {
  const char* value = value_of("TAUPROF_ENABLE");
  return value == nullptr ? is_preloaded : strcmp(value, "0") != 0;
}

bool rank_is_listed(const char* list, int64_t rank) {
  if (*list == '\0') return true;
  return find_rank_range(list, [rank](int64_t first, int64_t last) { return first <= rank && rank <= last; }) == 1;
}

void read_configuration(Configuration& configuration) {
  static constexpr Choice kLevels[] = {{"off", static_cast<uint32_t>(LogLevel::kOff)},
                                       {"error", static_cast<uint32_t>(LogLevel::kError)},
                                       {"warn", static_cast<uint32_t>(LogLevel::kWarn)},
                                       {"info", static_cast<uint32_t>(LogLevel::kInfo)},
                                       {"debug", static_cast<uint32_t>(LogLevel::kDebug)}};
  static constexpr Choice kTimings[] = {{"auto", static_cast<uint32_t>(DeviceTiming::kAuto)},
                                        {"cupti", static_cast<uint32_t>(DeviceTiming::kCupti)},
                                        {"events", static_cast<uint32_t>(DeviceTiming::kEvents)},
                                        {"off", static_cast<uint32_t>(DeviceTiming::kOff)}};
  static constexpr Choice kOnFull[] = {{"wrap", static_cast<uint32_t>(OnFull::kWrap)},
                                       {"stop", static_cast<uint32_t>(OnFull::kStop)}};
  static constexpr Choice kStacks[] = {{"off", static_cast<uint32_t>(StackMode::kOff)},
                                       {"slow", static_cast<uint32_t>(StackMode::kSlow)},
                                       {"all", static_cast<uint32_t>(StackMode::kAll)}};
  static constexpr Choice kPython[] = {{"off", 0}, {"auto", 1}};
  static constexpr Choice kEnable[] = {{"0", 0}, {"1", 1}};
  read_choice("TAUPROF_LOG_LEVEL", "off, error, warn, info or debug", kLevels, configuration.log_level);
  set_log_level(configuration.log_level);
  uint32_t enabled = 1;
  read_choice("TAUPROF_ENABLE", "0 or 1", kEnable, enabled);
  read_text("TAUPROF_DIR", "a path of less than 4096 bytes", configuration.directory);
  read_ranks(configuration);
  read_categories(configuration.categories);
  read_choice("TAUPROF_DEVICE_TIMING", "auto, cupti, events or off", kTimings, configuration.device_timing);
  read_step_marker(configuration);
  read_megabytes("TAUPROF_BUFFER_MB", configuration.buffer_bytes);
  read_megabytes("TAUPROF_MAX_MB", configuration.max_bytes);
  read_choice("TAUPROF_ON_FULL", "wrap or stop", kOnFull, configuration.on_full);
  read_choice("TAUPROF_PYTHON", "auto or off", kPython, configuration.asks_python);
  read_steps("TAUPROF_START_STEP", configuration.start_step);
  read_steps("TAUPROF_STEPS", configuration.steps);
  read_text("TAUPROF_TRIGGER", "a path of less than 4096 bytes", configuration.trigger);
  read_seconds("TAUPROF_START_AFTER", configuration.start_after_ns);
  read_seconds("TAUPROF_DURATION", configuration.duration_ns);
  read_capture_range(configuration);
  read_choice("TAUPROF_STACKS", "off, slow or all", kStacks, configuration.stacks);
  read_microseconds("TAUPROF_STACK_MIN_US", configuration.stack_min_ns);
}

}  // namespace tauprof::capture
