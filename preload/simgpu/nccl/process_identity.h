// Identifies this process, and tells whether another one is still alive.
#pragma once

#include <cstdint>

namespace simgpu::nccl {

// Pids are reused; a pid and a start time identify one process.
struct ProcessIdentity {
  std::int32_t pid = 0;
  std::uint64_t start_ticks = 0;
};

ProcessIdentity this_process();

// A zombie counts as gone: it does nothing any more, although its parent has not waited for it yet.
bool is_alive(const ProcessIdentity& process);

// A number from NCCL_HOSTID if it is set, else from the machine's name and boot.
std::uint64_t host_identity();

}  // namespace simgpu::nccl
