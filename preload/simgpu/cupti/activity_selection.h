// The activities that the client wants: kinds, with overrides per context, and API calls by callback id.
//
// cuptiActivityEnable(RUNTIME) sets all ids of that domain, cuptiActivityEnableRuntimeApi sets one; the last call wins,
// as documented. What is not documented, but so on an H100 with CUDA 13.0 Update 1: without the kind, an id has no
// effect in contexts that existed when the first was set. Every call and launch reads the selection, so it is atomic
// and needs no lock unless a context has settings of its own.
#pragma once

#include <cupti.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "simgpu/engine/observer.h"

namespace simgpu::cupti {

// CUPTI_SUCCESS, or the error with which cuptiActivityEnable refuses the kind.
CUptiResult check_enable(CUpti_ActivityKind kind);

class ActivitySelection {
 public:
  void set(CUpti_ActivityKind kind, bool enabled);
  void set_in_context(std::uint32_t context, CUpti_ActivityKind kind, bool enabled);
  CUptiResult set_call(ApiDomain domain, std::uint32_t cbid, bool enabled);
  void clear();

  bool has_kinds() const { return kinds_ != 0; }
  std::uint64_t kinds() const { return kinds_; }  // a bit for each
  bool wants(CUpti_ActivityKind kind, std::uint32_t context = 0) const;
  bool wants_call(ApiDomain domain, std::uint32_t cbid, std::uint32_t context) const;

 private:
  static constexpr std::size_t kCallIds = 1024;
  using Calls = std::array<std::atomic<bool>, kCallIds>;
  static_assert(CUPTI_RUNTIME_TRACE_CBID_SIZE <= kCallIds && CUPTI_DRIVER_TRACE_CBID_SIZE <= kCallIds,
                "more API functions than ids: raise kCallIds");

  // +1 enabled, -1 disabled, 0 not set for this context.
  int in_context(CUpti_ActivityKind kind, std::uint32_t context) const;

  struct Domain {
    Calls calls{};
    // Without the kind, contexts up to this one make no records of calls.
    std::atomic<std::uint32_t> newest_without{0};
    std::atomic<std::uint32_t> newest_with{0};  // the newest context when the last id was taken out
    bool has_any() const;
  };
  static std::uint32_t newest_context();

  std::atomic<std::uint64_t> kinds_{0};
  Domain runtime_;
  Domain driver_;
  std::atomic<bool> has_contexts_{false};
  mutable std::mutex mutex_;  // guards contexts_
  std::map<std::pair<std::uint32_t, CUpti_ActivityKind>, bool> contexts_;
};

}  // namespace simgpu::cupti
