// Contexts, streams and synchronisation, as far as they can be seen from the runtime calls that make and use them: the
// callbacks of the resource and synchronize domains, and the records of devices, contexts and streams.
//
// A context appears with the first call at whose end it exists. Streams are those of cudaStreamCreate…; their handles
// come from the call's parameters. Modules and graphs give no callbacks.
#pragma once

#include <cupti.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "simgpu/engine/observer.h"

namespace simgpu::cupti {

class Session;

class ResourceWatch {
 public:
  explicit ResourceWatch(Session& session) : session_(session) {}

  // What exists already is not created once more.
  void note_existing();
  void call_entered(const ApiRecord& call);
  void call_left(const ApiRecord& call);
  // Records of what exists now, for cuptiActivityEnableAndDump.
  void dump(CUpti_ActivityKind kind);

 private:
  void announce_context(const ApiRecord& call);
  void announce_stream(const ApiRecord& call, cudaStream_t handle);
  void synchronized(const ApiRecord& call);
  void stage_devices();
  void stage_context(int device, std::uint32_t context);
  void stage_stream(std::uint32_t context, cudaStream_t handle, std::uint32_t correlation);
  void call_back(CUpti_CallbackIdResource cbid, std::uint32_t context, cudaStream_t stream);

  Session& session_;
  std::array<std::atomic<bool>, 64> known_contexts_{};  // by device
};

}  // namespace simgpu::cupti
