// The interface between NCCL and a profiler plugin: what versions 5 to 7 have in common of what is used here. NVIDIA's
// packages have no header of it; the layout is that of its repository (src/include/plugin/profiler) and of the machine
// code of NCCL 2.30.7 (which asks for version 6 and hands 5 the same) and 2.32.3 (version 7). Newer versions add
// members to the end of events, so the size is not that of NCCL's structure.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::hooks::nccl_profiler {

enum Event : uint64_t {
  kColl = 1u << 1,           // a collective is launched
  kP2p = 1u << 2,            // a message is launched: with its peer
  kKernelChannel = 1u << 6,  // a kernel has run; part of a collective or message
  kGroupApi = 1u << 8,  // from the first call of a group to the end of the group; a call outside of a group has its own
  kCollApi = 1u << 9,
  kP2pApi = 1u << 10,
  kKernelPhase = 1u << 15,  // since version 7: part of a channel of a symmetric kernel
};
inline constexpr uint64_t kLastEventOf5 = 1u << 11;
inline constexpr int kFirstWithPhases = 7;

enum State : int { kKernelChannelStopped = 22, kGroupEndStarted = 24, kKernelPhaseStopped = 31 };

struct Descriptor {
  uint64_t type;
  void* parent;
  int rank;
  union {
    struct {
      bool is_captured;
      int depth;  // of groups, with the one that each call has for itself
    } group_api;
    struct {
      const char* function;
      size_t count;
      const char* type;
      int root;
      void* stream;
      bool is_captured;
    } coll_api;
    struct {
      const char* function;
      size_t count;
      const char* type;
      void* stream;
      bool is_captured;
    } p2p_api;
    struct {
      const char* function;
      void* buffer;
      const char* type;
      size_t count;
      int peer;
    } p2p;
    struct {
      uint8_t channel;
      uint8_t phase;  // 0: the first synchronisation, 1: the work, 2: the last synchronisation
      const char* name;
      uint64_t timer;  // the device's, in ns
    } kernel_phase;
  };
};

// Argument of the states that end a channel or a phase.
struct TimerOfState {
  uint64_t timer;
};

static_assert(offsetof(Descriptor, coll_api.function) == 0x18 && offsetof(Descriptor, coll_api.is_captured) == 0x40);
static_assert(offsetof(Descriptor, kernel_phase.phase) == 0x19 && offsetof(Descriptor, kernel_phase.timer) == 0x28);
static_assert(offsetof(Descriptor, p2p_api.is_captured) == 0x38 && offsetof(Descriptor, p2p.peer) == 0x38);

struct Plugin {
  const char* name;
  int (*init)(void** context, uint64_t communicator, int* mask, const char* communicator_name, int nodes, int ranks,
              int rank, void* log);
  int (*start)(void* context, void** handle, Descriptor* what);
  int (*stop)(void* handle);
  int (*record)(void* handle, int state, void* arguments);
  int (*finalize)(void* context);
};

}  // namespace tauprof::hooks::nccl_profiler
