// Which stream of a device a call's handle means.
//
// Default streams have no handle of their own: a call with 0 is about that of its device. Imported traces have no
// handles at all, and programs that use the default stream alone record none; where one stream has work, it is meant.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "model/process_trace.h"

namespace tauprof {

// Whether the default stream of a call is that of its thread (--default-stream per-thread), which waits for no other.
inline bool is_per_thread_default(std::string_view function) {
  return function.ends_with("_ptsz") || function.ends_with("_ptds");
}

class StreamHandles {
 public:
  explicit StreamHandles(const DeviceTrace& device) {
    for (uint32_t i = 0; i < device.streams.size(); ++i) {
      if (device.streams[i].handle != 0) of_handle_[device.streams[i].handle] = i;
      if (device.streams[i].is_default) default_ = std::exchange(has_default_, true) ? kNoIndex : i;
    }
    if (!are_recorded()) default_ = lone_stream(device);
  }

  bool are_recorded() const { return !of_handle_.empty(); }
  // Its index; kNoIndex: it is not known, has no work, or there are several default streams.
  uint32_t stream_of(int64_t handle) const {
    if (handle == 0 || !are_recorded()) return default_;
    const auto found = of_handle_.find(handle);
    return found != of_handle_.end() ? found->second : kNoIndex;
  }

 private:
  static uint32_t lone_stream(const DeviceTrace& device) {
    uint32_t lone = kNoIndex;
    for (const DeviceSpan& span : device.spans) {
      if (span.span_class == SpanClass::kNotWork || span.stream == lone) continue;
      if (lone != kNoIndex) return kNoIndex;
      lone = span.stream;
    }
    return lone;
  }

  std::unordered_map<int64_t, uint32_t> of_handle_;
  bool has_default_ = false;
  uint32_t default_ = kNoIndex;  // or the only stream that can be meant
};

}  // namespace tauprof
