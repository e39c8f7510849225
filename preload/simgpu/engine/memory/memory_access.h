// Reads and writes addresses that the program gave and may have unmapped since: by system calls that return an error
// where a plain access would end the process.
#pragma once

#include <cstddef>

namespace simgpu {

// False: part of it could not be accessed.
bool read_memory(void* destination, const void* source, std::size_t bytes);
bool write_memory(void* destination, const void* source, std::size_t bytes);

}  // namespace simgpu
