// Parses SIMGPU_CUPTI_FAULTS.
#include "simgpu/cupti/faults.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace simgpu::cupti {
namespace {

bool set_number(std::string_view value, int& out) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  return error == std::errc() && end == value.data() + value.size();
}

bool set_code(std::string_view value, CUptiResult& out) {
  int code = 0;
  if (!set_number(value, code)) return false;
  out = static_cast<CUptiResult>(code);
  return true;
}

bool apply(std::string_view entry, Faults& faults) {
  const std::size_t equals = entry.find('=');
  const std::string_view key = entry.substr(0, equals);
  if (equals == std::string_view::npos) {
    if (key == "no_buffers") return faults.no_buffers = true;
    if (key == "registered_elsewhere") return faults.registered_elsewhere = true;
    if (key == "disable_hangs") return faults.disable_hangs = true;
    if (key == "flush_crashes") return faults.flush_crashes = true;
    if (key == "one_subscriber") return faults.one_subscriber = true;
    if (key == "slow") return faults.slow = true;
    return false;
  }
  const std::string_view value = entry.substr(equals + 1);
  if (key == "register") return set_code(value, faults.register_callbacks);
  if (key == "subscribe") return set_code(value, faults.subscribe);
  if (key == "enable") return set_code(value, faults.enable);
  if (key == "flush") return set_code(value, faults.flush);
  if (key == "version") return set_number(value, faults.version);
  return false;
}

}  // namespace

Faults parse_faults(const char* text) {
  Faults result;
  std::string_view rest = text ? text : "";
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view entry = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
    if (!entry.empty() && !apply(entry, result)) {
      std::fprintf(stderr,
                   "simulated: SIMGPU_CUPTI_FAULTS: '%.*s' is none of register=N, subscribe=N, enable=N, flush=N, "
                   "version=N, no_buffers, registered_elsewhere, disable_hangs, flush_crashes, one_subscriber, slow\n",
                   static_cast<int>(entry.size()), entry.data());
    }
  }
  return result;
}

const Faults& faults() {
  static const Faults read_once = parse_faults(std::getenv("SIMGPU_CUPTI_FAULTS"));
  return read_once;
}

void delay_if_slow() {
  if (faults().slow) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

void crash(const char* where) {
  std::fprintf(stderr, "simulated: libcupti crashes in %s\n", where);
  std::fflush(stderr);
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  std::abort();
}

}  // namespace simgpu::cupti
