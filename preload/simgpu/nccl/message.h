// One operation of NCCL on one rank: the request of one call.
#pragma once

#include <nccl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "simgpu/engine/span.h"

namespace simgpu::nccl {

enum class Function : std::uint8_t {
  AllReduce,
  AllGather,
  ReduceScatter,
  AlltoAll,
  Broadcast,
  Scatter,
  Reduce,
  Gather,
  Send,
  Recv,
};

struct ProfilerPlugin;

// The events of a call that a profiler plugin was told of.
struct ProfiledTask {
  void* call = nullptr;                              // the plugin's handle of the call
  const ProfilerPlugin* plugin_of_kernel = nullptr;  // null: it does not want to know when the kernel ran
  std::atomic<bool> has_launched{false};             // then:
  void* task = nullptr;                              // the plugin's handle of the launched operation
  unsigned channels = 0;                             // of its kernel
  bool is_symmetric = false;
  bool tells_phases = false;
  bool is_for_small = false;  // the first synchronisation brings a first piece of data
};

struct Message {
  Function function = Function::AllReduce;
  const void* send_buffer = nullptr;
  void* receive_buffer = nullptr;
  std::size_t count = 0;
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t reduction = ncclSum;      // one of the built-in ones
  double scale = 1;                     // multiplies this rank's data before the reduction
  const void* scale_address = nullptr;  // where the scale is read when the operation runs; null: it is `scale`
  int peer = -1;                        // for Send and Recv; else the root, if there is one
  CallSite call;
  std::shared_ptr<ProfiledTask> task = nullptr;  // null: no plugin wants to know
};

const char* function_name(Function function);
std::size_t type_bytes(ncclDataType_t type);

constexpr bool is_point_to_point(Function function) { return function >= Function::Send; }
// One rank's data goes to all others.
constexpr bool is_from_root(Function function) {
  return function == Function::Broadcast || function == Function::Scatter;
}
// All ranks' data goes to one.
constexpr bool is_to_root(Function function) { return function == Function::Reduce || function == Function::Gather; }
constexpr bool is_rooted(Function function) { return is_from_root(function) || is_to_root(function); }
constexpr bool reduces(Function function) {
  return function == Function::AllReduce || function == Function::ReduceScatter || function == Function::Reduce;
}

// The size as counted by nccl-tests: the larger of a rank's two buffers.
std::uint64_t counted_bytes(const Message& message, int ranks);
// Bytes that one rank sends to another.
std::uint64_t block_bytes(const Message& message);
// Bytes that a rank reads from its own send buffer.
std::uint64_t sent_bytes(const Message& message, int rank, int ranks);
// "In place" as the documentation of each function defines it.
bool is_in_place(const Message& message, int rank);

// Equal on all ranks whose calls match.
std::uint64_t signature(const Message& message);

}  // namespace simgpu::nccl
