#include "simgpu/engine/settings/config_options.h"

#include <charconv>
#include <cstdio>

namespace simgpu {
namespace {

using Fields = std::vector<std::string_view>;

// A number from `low` to `high`, times `scale`.
template <typename Number>
bool read(std::string_view text, double low, double high, double scale, Number& out) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high)) return false;
  if constexpr (std::is_integral_v<Number>) {
    if (scale == 1 && value != static_cast<double>(static_cast<Number>(value))) return false;
  }
  out = static_cast<Number>(value * scale);
  return true;
}

Fields split(std::string_view text) {
  Fields fields;
  for (std::size_t colon = 0; (colon = text.find(':')) != text.npos; text.remove_prefix(colon + 1))
    fields.push_back(text.substr(0, colon));
  fields.push_back(text);
  return fields;
}

constexpr double kMaxRank = 1e6;
constexpr double kMaxSeconds = 1e6;
constexpr double kNsPerUs = 1e3, kNsPerMs = 1e6, kNsPerS = 1e9;

Injection& injection_of(Config& config, int rank) {
  for (auto& [named, injection] : config.injections)
    if (named == rank) return injection;
  return config.injections.emplace_back(rank, Injection{}).second;
}

bool read_rank(std::string_view text, int& rank) { return read(text, 0, kMaxRank, 1, rank); }

// AT_S:LENGTH_S[:EVERY_S], all in seconds; the length is below the period.
bool read_window(std::string_view at, std::string_view length, const std::string_view* every, Window& window) {
  if (!read(at, 0, kMaxSeconds, kNsPerS, window.at) || !read(length, 0, kMaxSeconds, kNsPerS, window.length))
    return false;
  if (every == nullptr) return true;
  return read(*every, 0.001, kMaxSeconds, kNsPerS, window.every) && window.length < window.every;
}

// RANK:FACTOR for the whole run, or with a window.
bool set_factor(Config& config, std::string_view value, double Injection::*always,
                std::vector<Window> Injection::*windows) {
  const Fields fields = split(value);
  int rank = 0;
  Window window;
  if (fields.size() < 2 || fields.size() == 3 || fields.size() > 5 || !read_rank(fields[0], rank)) return false;
  if (!read(fields[1], 0.001, 1000, 1, window.factor)) return false;
  if (fields.size() == 2) {
    injection_of(config, rank).*always = window.factor;
    return true;
  }
  if (!read_window(fields[2], fields[3], fields.size() == 5 ? &fields[4] : nullptr, window)) return false;
  (injection_of(config, rank).*windows).push_back(window);
  return true;
}

bool set_stall(Config& config, std::string_view value, std::vector<Window> Injection::*member) {
  const Fields fields = split(value);
  int rank = 0;
  Window window;
  if (fields.size() < 3 || fields.size() > 4 || !read_rank(fields[0], rank)) return false;
  if (!read(fields[1], 0, kMaxSeconds, kNsPerS, window.at)) return false;
  if (!read(fields[2], 0, kMaxSeconds * 1e3, kNsPerMs, window.length)) return false;
  if (fields.size() == 4 && !read(fields[3], 0.001, kMaxSeconds, kNsPerS, window.every)) return false;
  if (window.every > 0 && window.length >= window.every) return false;
  (injection_of(config, rank).*member).push_back(window);
  return true;
}

bool set_throttle(Config& config, std::string_view value) {
  const Fields fields = split(value);
  int rank = 0;
  Window window;
  if (fields.size() < 4 || fields.size() > 5 || !read_rank(fields[0], rank)) return false;
  if (!read_window(fields[1], fields[2], fields.size() == 5 ? &fields[4] : nullptr, window)) return false;
  if (!read(fields[3], 1, 1000, 1, window.factor)) return false;
  injection_of(config, rank).throttles.push_back(window);
  return true;
}

bool set_memory(Config& config, std::string_view value) {
  const Fields fields = split(value);
  int rank = 0;
  std::uint64_t bytes = 0;
  if (fields.size() != 2 || !read_rank(fields[0], rank) || !read(fields[1], 0.001, 1e6, 1e9, bytes)) return false;
  injection_of(config, rank).memory_bytes = bytes;
  return true;
}

// The glob may contain colons (at::native::*), so it is what remains between the outer fields.
bool set_fault(Config& config, std::string_view value) {
  const std::size_t first = value.find(':');
  const std::size_t last = value.rfind(':');
  if (first == value.npos || last == first) return false;
  const std::size_t middle = value.rfind(':', last - 1);
  if (middle == first) return false;
  int rank = 0;
  FaultInjection fault;
  fault.kernel_glob = value.substr(first + 1, middle - first - 1);
  if (!read_rank(value.substr(0, first), rank) || fault.kernel_glob.empty()) return false;
  if (!read(value.substr(middle + 1, last - middle - 1), 1, 1e15, 1, fault.nth)) return false;
  if (!read(value.substr(last + 1), 1, 9999, 1, fault.error)) return false;
  injection_of(config, rank).faults.push_back(fault);
  return true;
}

bool read_flag(std::string_view text, bool& flag) {
  flag = text == "1";
  return flag || text == "0";
}

bool read_range(std::string_view text, double low, double high, double scale, Range& out) {
  const Fields fields = split(text);
  Range range{};
  if (fields.size() != 2 || !read(fields[0], low, high, scale, range.low)) return false;
  if (!read(fields[1], low, high, scale, range.high) || range.low > range.high) return false;
  out = range;
  return true;
}

bool set_profile(Config& config, std::string_view value) {
  if (value != "H200" && value != "H100" && value != "A100") return false;
  config.profile = value;
  return true;
}

bool set_costs(Config& config, std::string_view value) {
  config.cost_table = value;
  return !value.empty();
}

template <typename Number>
bool set_optional(std::string_view value, double low, double high, double scale, std::optional<Number>& out) {
  Number number{};
  if (!read(value, low, high, scale, number)) return false;
  out = number;
  return true;
}

struct Option {
  std::string_view key;
  const char* accepted;
  bool (*set)(Config& config, std::string_view value);
};

using Text = std::string_view;
constexpr Option kOptions[] = {
    {"devices", "1 to 64", [](Config& c, Text v) { return read(v, 1, 64, 1, c.devices); }},
    {"profile", "H200, H100 or A100", set_profile},
    {"seed", "0 to 2^53", [](Config& c, Text v) { return read(v, 0, 0x1p53, 1, c.seed); }},
    {"jitter", "0 to 1", [](Config& c, Text v) { return read(v, 0, 1, 1, c.jitter); }},
    {"interference", "0 to 100", [](Config& c, Text v) { return read(v, 0, 100, 1, c.interference); }},
    {"wander_us", "0 to 1000", [](Config& c, Text v) { return read(v, 0, 1000, kNsPerUs, c.wander); }},
    {"time_scale", "0 to 1000", [](Config& c, Text v) { return read(v, 0, 1000, 1, c.time_scale); }},
    {"launch_latency_us", "0 to 1e6", [](Config& c, Text v) { return read(v, 0, 1e6, kNsPerUs, c.launch_latency); }},
    {"event_record_us", "0 to 1e6", [](Config& c, Text v) { return read(v, 0, 1e6, kNsPerUs, c.event_record); }},
    {"dependency_gap_us", "0 to 1e6", [](Config& c, Text v) { return read(v, 0, 1e6, kNsPerUs, c.dependency_gap); }},
    {"spin_waits", "0 or 1", [](Config& c, Text v) { return read_flag(v, c.spins); }},
    {"data_bytes", "0 to 1e15", [](Config& c, Text v) { return read(v, 0, 1e15, 1, c.data_bytes); }},
    {"collective_data_bytes", "0 to 1e15",
     [](Config& c, Text v) { return read(v, 0, 1e15, 1, c.collective_data_bytes); }},
    {"alpha_us", "0 to 1e6", [](Config& c, Text v) { return set_optional(v, 0, 1e6, kNsPerUs, c.alpha); }},
    {"beta_gb_per_s", "0.001 to 1e6", [](Config& c, Text v) { return set_optional(v, 0.001, 1e6, 1e9, c.beta); }},
    {"end_scatter_us", "0 to 1e6", [](Config& c, Text v) { return read(v, 0, 1e6, kNsPerUs, c.end_scatter); }},
    {"cupti_disturbs", "0 or 1", [](Config& c, Text v) { return read_flag(v, c.cupti_disturbs); }},
    {"cupti_launch_ns", "0 to 1e9", [](Config& c, Text v) { return read(v, 0, 1e9, 1, c.cupti_launch); }},
    {"cupti_factor", "LOW:HIGH, both 1 to 100",
     [](Config& c, Text v) { return read_range(v, 1, 100, 1, c.cupti_factor); }},
    {"cupti_state_ms", "LOW:HIGH, both 0.1 to 1e6",
     [](Config& c, Text v) { return read_range(v, 0.1, 1e6, kNsPerMs, c.cupti_state_ns); }},
    {"cupti_outlasts_ms", "0 to 1e9", [](Config& c, Text v) { return read(v, 0, 1e9, kNsPerMs, c.cupti_outlasts); }},
    {"cupti_pause_ns", "0 to 1e9", [](Config& c, Text v) { return read(v, 0, 1e9, 1, c.cupti_pause); }},
    {"driver_threads", "0 to 16", [](Config& c, Text v) { return read(v, 0, 16, 1, c.driver_threads); }},
    {"costs", "the path of a cost table", set_costs},
    {"slow", "RANK:FACTOR[:AT_S:LENGTH_S[:EVERY_S]]",
     [](Config& c, Text v) { return set_factor(c, v, &Injection::kernel_factor, &Injection::slow_times); }},
    {"slow_link", "RANK:FACTOR[:AT_S:LENGTH_S[:EVERY_S]]",
     [](Config& c, Text v) { return set_factor(c, v, &Injection::link_factor, &Injection::slow_links); }},
    {"stall_host", "RANK:AT_S:LENGTH_MS[:EVERY_S], the length below the period",
     [](Config& c, Text v) { return set_stall(c, v, &Injection::host_stalls); }},
    {"stall_device", "RANK:AT_S:LENGTH_MS[:EVERY_S], the length below the period",
     [](Config& c, Text v) { return set_stall(c, v, &Injection::device_stalls); }},
    {"throttle", "RANK:AT_S:LENGTH_S:FACTOR[:EVERY_S], the factor at least 1", set_throttle},
    {"memory_gb", "RANK:GB", set_memory},
    {"fail", "RANK:GLOB:NTH:ERROR, the error a number of cudaError_t", set_fault},
};

void complain(std::string_view pair, const char* what, const std::string& accepted) {
  std::fprintf(stderr, "simgpu: SIMGPU_OPTIONS: '%.*s': %s; accepted: %s\n", static_cast<int>(pair.size()), pair.data(),
               what, accepted.c_str());
}

void apply_pair(std::string_view pair, Config& config) {
  const std::size_t equals = pair.find('=');
  const std::string_view key = pair.substr(0, equals);
  const std::string_view value = equals == pair.npos ? std::string_view() : pair.substr(equals + 1);
  std::string keys;
  for (const Option& option : kOptions) {
    if (option.key != key) {
      keys.append(keys.empty() ? "" : ", ").append(option.key);
      continue;
    }
    if (!option.set(config, value)) complain(pair, "bad value, the default stays", option.accepted);
    return;
  }
  complain(pair, "unknown option", keys);
}

}  // namespace

void apply_options(std::string_view options, Config& config) {
  constexpr std::string_view kSeparators = ",; \t\n\r\v\f";
  while (true) {
    const std::size_t begin = options.find_first_not_of(kSeparators);
    if (begin == options.npos) return;
    options.remove_prefix(begin);
    const std::string_view pair = options.substr(0, options.find_first_of(kSeparators));
    apply_pair(pair, config);
    options.remove_prefix(pair.size());
  }
}

}  // namespace simgpu
