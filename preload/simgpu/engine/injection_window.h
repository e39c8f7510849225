// When an injection's window is open.
#pragma once

#include <optional>

#include "simgpu/engine/config.h"

namespace simgpu {

// If the window is open at `at` (host time), when it closes again; else nullopt.
inline std::optional<Nanoseconds> open_until(const Window& window, Nanoseconds at) {
  Nanoseconds since = at - simulation_start() - window.at;
  if (since < 0) return std::nullopt;
  if (window.every > 0) since %= window.every;
  if (since >= window.length) return std::nullopt;
  return at + (window.length - since);
}

}  // namespace simgpu
