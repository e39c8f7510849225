// Callbacks of the resource and synchronize domains, and records of devices, contexts and streams, derived from the
// runtime calls that create and use them.
//
// A context appears with the first call at the end of which it exists. Streams are those of cudaStreamCreate…; their
// handles come from the call's parameters. There are no callbacks for modules and graphs.
#pragma once

#include <cupti.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "simgpu/engine/observer.h"

namespace simgpu::cupti {

struct Session;

class ResourceWatch {
 public:
  explicit ResourceWatch(Session& session) : session_(session) {}

  // Notes the contexts that exist already, so that they are not announced.
  void note_existing();
  void call_entered(const ApiRecord& call);
  void call_left(const ApiRecord& call);
  // Stages records of what exists now, for cuptiActivityEnableAndDump.
  void dump(CUpti_ActivityKind kind);

 private:
  void announce_context(const ApiRecord& call);
  void announce_stream(const ApiRecord& call, cudaStream_t handle);
  void synchronized(const ApiRecord& call);
  // For each client that wants records of this kind.
  template <typename Record>
  void stage(const Record& record, std::uint32_t context);
  void stage_devices();
  void stage_context(int device, std::uint32_t context);
  void stage_stream(std::uint32_t context, cudaStream_t handle, std::uint32_t correlation);
  void call_back(CUpti_CallbackIdResource cbid, std::uint32_t context, cudaStream_t stream);

  Session& session_;
  std::array<std::atomic<bool>, 64> known_contexts_{};  // by device
};

}  // namespace simgpu::cupti
