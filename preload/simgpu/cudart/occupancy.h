// How many blocks of a kernel fit on an SM.
#pragma once

#include <cstddef>

namespace simgpu {

int resident_blocks_per_sm(int threads_per_block, std::size_t shared_bytes_per_block);

}  // namespace simgpu
