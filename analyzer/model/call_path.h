// Where in the program work was launched or the host was: a path of functions, modules and operators, with the kernels
// that they launched as its last part.
//
//   train.py:12 step > GPT_0 > Block_3 > aten::linear > aten::addmm > sgemm_128x64
//
// Paths are a tree of nodes, each inside of its parent. What a backward pass launches lies below the module and the
// line whose gradient it computes, and there inside of "backward".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/time.h"

namespace tauprof {

// kRange: NVTX, a user's annotation or a framework's mark. kPass: "backward".
enum class PathKind : uint8_t { kRoot, kLine, kModule, kRange, kOperator, kPass, kKernel };

inline constexpr std::array<std::string_view, 7> kPathKindNames = {"outside",  "line",     "module", "range",
                                                                   "operator", "backward", "kernel"};

struct PathNode {
  uint32_t parent = 0;  // node 0 is outside of all
  uint32_t name = 0;    // index into the tree's names; 0: none
  PathKind kind = PathKind::kRoot;
};

// Charged to a path itself, excluding the paths inside it.
struct PathTimes {
  uint64_t launched = 0;    // spans of device work
  Nanoseconds device = 0;   // their lengths
  Nanoseconds exposed = 0;  // the ledger's rows of busy devices
  Nanoseconds idle = 0;     // the ledger's rows of idle devices
  Nanoseconds host = 0;     // of its threads
  Nanoseconds blocked = 0;  // the part of it behind the device

  bool is_empty() const {
    return launched == 0 && device == 0 && exposed == 0 && idle == 0 && host == 0 && blocked == 0;
  }
  void add(const PathTimes& other) {
    launched += other.launched;
    device += other.device;
    exposed += other.exposed;
    idle += other.idle;
    host += other.host;
    blocked += other.blocked;
  }
};

struct PathTotal {
  uint32_t node = 0;
  PathTimes times;
};

}  // namespace tauprof
