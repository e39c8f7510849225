// The memory of large arrays: every block of 256 KiB and more that operator new gives out in this program.
//
// Fresh memory is expensive: the kernel clears every page that it hands out, which takes as long as the analysis
// itself. So blocks of 4 MiB and more use huge pages, and the process keeps them for later arrays instead of returning
// them to the kernel. What it keeps and what it uses are together never more than it once used: for an array that fits
// no kept piece, as much is returned as the array takes.
//
// In a build with sanitizers, operator new is theirs, and nothing of this happens.
//
// The process may limit what large blocks have of the memory; what is beyond lies in a file (model/spill_file.h).
#pragma once

#include <cstddef>
#include <string>

namespace tauprof {

// From now on, large blocks take no more than `most_resident` bytes of the memory: two thirds of that, and as much of a
// file in `directory`, which holds all other blocks, as fills the last third. Where the directory can hold no such
// file, or no more of it, they are in memory, too. For the start of the process, while there is one thread.
void limit_large_blocks(size_t most_resident, const std::string& directory);

}  // namespace tauprof
