// NCCL's interface to profiler plugins, versions 5 to 7. The simulated parts are the same in all three, except that
// only 7 has phases. The layout is that of NCCL 2.30.7 and 2.32.3, read from their machine code.
#pragma once

#include <nccl.h>

#include <cstddef>
#include <cstdint>

namespace simgpu::nccl {

enum ProfilerEvent : std::uint64_t {
  kColl = 1u << 1,
  kP2p = 1u << 2,
  kKernelChannel = 1u << 6,
  kGroupApi = 1u << 8,
  kCollApi = 1u << 9,
  kP2pApi = 1u << 10,
  kKernelLaunch = 1u << 11,
  kKernelPhase = 1u << 15,  // since version 7
};

enum ProfilerState : int {
  kKernelChannelStopped = 22,
  kGroupStartStopped = 23,
  kGroupEndStarted = 24,
  kKernelPhaseStopped = 31,
};

struct ProfilerDescriptor {
  std::uint64_t type;
  void* parent;
  int rank;
  union {
    struct {
      bool is_captured;
      int depth;
    } group_api;
    struct {
      const char* function;
      std::size_t count;
      const char* type;
      int root;
      void* stream;
      bool is_captured;
    } coll_api;
    struct {
      const char* function;
      std::size_t count;
      const char* type;
      void* stream;
      bool is_captured;
    } p2p_api;
    struct {
      void* stream;
    } kernel_launch;
    struct {
      std::uint64_t sequence;
      const char* function;
      const void* send_buffer;
      void* receive_buffer;
      std::size_t count;
      int root;
      const char* type;
      std::uint8_t channels, warps;
      const char* algorithm;
      const char* protocol;
      void* group;
    } coll;
    struct {
      const char* function;
      void* buffer;
      const char* type;
      std::size_t count;
      int peer;
      std::uint8_t channels;
      void* group;
    } p2p;
    struct {
      std::uint8_t channel;
      std::uint64_t timer;  // the device's, in ns
    } kernel_channel;
    struct {
      std::uint8_t channel;
      std::uint8_t phase;  // 0: the first synchronisation, 1: the work, 2: the last synchronisation
      const char* name;
      std::uint64_t timer;
    } kernel_phase;
    std::uint64_t rest[16];
  };
};
static_assert(offsetof(ProfilerDescriptor, coll_api.is_captured) == 0x40);
static_assert(offsetof(ProfilerDescriptor, kernel_phase.phase) == 0x19 &&
              offsetof(ProfilerDescriptor, kernel_phase.timer) == 0x28);
static_assert(offsetof(ProfilerDescriptor, p2p_api.is_captured) == 0x38);
static_assert(offsetof(ProfilerDescriptor, coll.group) == 0x68 && offsetof(ProfilerDescriptor, p2p.peer) == 0x38);

// Argument of the states that end a channel and a phase.
struct ProfilerStateArguments {
  std::uint64_t timer;
};

struct ProfilerPlugin {
  const char* name;
  ncclResult_t (*init)(void** context, std::uint64_t communicator, int* mask, const char* communicator_name, int nodes,
                       int ranks, int rank, void (*log)());
  ncclResult_t (*start)(void* context, void** handle, ProfilerDescriptor* what);
  ncclResult_t (*stop)(void* handle);
  ncclResult_t (*record)(void* handle, int state, void* arguments);
  ncclResult_t (*finalize)(void* context);
};

}  // namespace simgpu::nccl
