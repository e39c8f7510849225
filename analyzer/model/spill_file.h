// Memory in a file without a name, for arrays that would take too much of the machine's.
//
// The kernel writes such memory to the disk, and takes it back when others need it. What of it is resident is limited,
// too: a thread looks every few milliseconds, and lets go of all of it where it is more. Nothing is lost by that, for
// the pages are the file's, and are mapped again when they are used.
//
// The file is one stretch of addresses: parts that were given back are holes, without room on the disk, until others
// take them.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "model/malloc_allocator.h"

namespace tauprof {

class SpillFile {
 public:
  // Once. False: the file system of `directory` cannot hold such a file, or holds it in memory.
  bool open(const std::string& directory, size_t most_resident);
  bool is_open() const { return file_ >= 0; }
  // `size`: whole pages. Null: there is no room on the disk.
  void* take(size_t size);
  bool has(const void* memory) const { return memory >= base_ && memory < base_ + end_; }
  void give(void* memory, size_t size);

 private:
  bool start_thread();
  bool grow(size_t size);
  void limit_residence() const;

  int file_ = -1;
  char* base_ = nullptr;
  std::atomic<size_t> end_ = 0;  // of the file
  size_t most_resident_ = 0;
  size_t least_free_ = 0;  // bytes that stay free on the disk, for whatever else is written there
  std::mutex mutex_;
  // By where they start: their ends.
  std::map<size_t, size_t, std::less<>, MallocAllocator<std::pair<const size_t, size_t>>> holes_;
};

}  // namespace tauprof
