#include "export/event_names.h"

#include <array>
#include <cstddef>

namespace tauprof {
namespace {

// A number that a log may not have is the first name.
template <class Kind, size_t kSize>
std::string_view named(Kind kind, const std::array<std::string_view, kSize>& names) {
  const auto index = static_cast<size_t>(kind);
  return names[index < kSize ? index : 0];
}

}  // namespace

// Without a default: a class without a name does not compile quietly.
std::string_view name_of(CallClass call_class) {
  switch (call_class) {
    case CallClass::kOther:
      return "other";
    case CallClass::kKernel:
      return "kernel";
    case CallClass::kCopy:
      return "copy";
    case CallClass::kBlockingCopy:
      return "blocking_copy";
    case CallClass::kAwaitedCopy:
      return "awaited_copy";
    case CallClass::kGemm:
      return "gemm";
    case CallClass::kCollective:
      return "collective";
    case CallClass::kGroupEnd:
      return "group_end";
    case CallClass::kSync:
      return "sync";
    case CallClass::kStreamWait:
      return "stream_wait";
    case CallClass::kHostFunction:
      return "host_function";
    case CallClass::kAllocation:
      return "allocation";
  }
  return "other";
}

std::string_view name_of(log::ActivityKind activity) {
  static constexpr std::array<std::string_view, 6> kNames = {"unknown", "kernel", "memcpy",
                                                             "memset",  "graph",  "synchronization"};
  return named(activity, kNames);
}

std::string_view name_of(log::CopyKind kind) {
  static constexpr std::array<std::string_view, 7> kNames = {"unknown", "HtoH",    "HtoD", "DtoH",
                                                             "DtoD",    "default", "PtoP"};
  return named(kind, kNames);
}

std::string_view name_of(log::RangeSource source) {
  static constexpr std::array<std::string_view, 8> kNames = {"unknown",  "nvtx",   "nvtx_process", "annotation",
                                                             "operator", "python", "profiler",     "framework"};
  return named(source, kNames);
}

}  // namespace tauprof
