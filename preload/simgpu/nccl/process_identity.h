// Which process this is, and whether another one still lives.
#pragma once

#include <cstdint>

namespace simgpu::nccl {

// A pid is given again; together with the start time it names one process.
struct ProcessIdentity {
  std::int32_t pid = 0;
  std::uint64_t start_ticks = 0;
};

ProcessIdentity this_process();

// A zombie counts as gone: its parent has not asked for it yet, but it will do nothing any more.
bool is_alive(const ProcessIdentity& process);

// NCCL_HOSTID where it is set, the machine's name and boot otherwise, as a number.
std::uint64_t host_identity();

}  // namespace simgpu::nccl
