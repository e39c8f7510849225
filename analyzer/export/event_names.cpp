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

std::string_view name_of(CallClass call_class) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "other",     "kernel", "copy",        "blocking_copy", "gemm",      "collective",
      "group_end", "sync",   "stream_wait", "host_function", "allocation"};
  return named(call_class, kNames);
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
