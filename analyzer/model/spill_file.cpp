#include "model/spill_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <thread>

namespace tauprof {
namespace {

constexpr size_t kMostBytes = size_t{1} << 42;
constexpr size_t kGrowth = 64u << 20;  // the file has a multiple of it

int open_without_name(const std::string& directory) {
  const int file = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = directory + "/.tauprof-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

size_t free_bytes(int file) {
  struct statfs system = {};
  return fstatfs(file, &system) == 0 ? static_cast<size_t>(system.f_bavail) * static_cast<size_t>(system.f_bsize) : 0;
}

// A file that grows beyond its limit (ulimit -f) ends the process, too.
size_t most_bytes() {
  rlimit limit = {};
  const bool is_limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? std::min<size_t>(kMostBytes, limit.rlim_cur) : kMostBytes;
}

bool is_on_disk(int file) {
  struct statfs system = {};
  return fstatfs(file, &system) == 0 && system.f_type != TMPFS_MAGIC && system.f_type != RAMFS_MAGIC;
}

// Of all files that are mapped: this one and libraries.
size_t resident_bytes_of_files() {
  size_t pages = 0;
  if (FILE* const facts = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(facts, "%*u %*u %zu", &pages) != 1) pages = 0;
    std::fclose(facts);
  }
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

bool SpillFile::open(const std::string& directory, size_t most_resident) {
  const int file = open_without_name(directory);
  if (file < 0) return false;
  least_free_ = free_bytes(file) / 4 * 3;
  void* const base = is_on_disk(file) && most_bytes() >= kGrowth && fallocate(file, 0, 0, 1) == 0
                         ? mmap(nullptr, kMostBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                         : MAP_FAILED;
  if (base == MAP_FAILED) {
    close(file);
    return false;
  }
  file_ = file;
  base_ = static_cast<char*>(base);
  most_resident_ = most_resident;
  return true;
}

// Without operator new, which may be calling. Signals are for the threads that expect them.
bool SpillFile::start_thread() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const auto run = [](void* file) -> void* {
    static_cast<SpillFile*>(file)->limit_residence();
    return nullptr;
  };
  pthread_t thread;
  const bool is_started = pthread_create(&thread, nullptr, run, this) == 0;
  if (is_started) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return is_started;
}

bool SpillFile::grow(size_t size) {
  if (size > most_bytes() || end_ > most_bytes() - size) return false;
  if (ftruncate(file_, static_cast<off_t>(end_ + size)) != 0) return false;
  if (mmap(base_ + end_, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_,
           static_cast<off_t>(end_.load())) == MAP_FAILED)
    return false;
  if (end_ == 0 && !start_thread()) return false;
  madvise(base_ + end_, size, MADV_NOHUGEPAGE);  // one byte would make 2 MB resident
  const auto last = holes_.empty() ? holes_.end() : std::prev(holes_.end());
  if (last != holes_.end() && last->second == end_)
    last->second += size;
  else
    holes_[end_] = end_ + size;
  end_ += size;
  return true;
}

void* SpillFile::take(size_t size) {
  const std::lock_guard lock(mutex_);
  const auto find = [&] {
    return std::find_if(holes_.begin(), holes_.end(),
                        [size](const auto& hole) { return hole.second - hole.first >= size; });
  };
  auto hole = find();
  if (hole == holes_.end()) {
    if (!grow((size + kGrowth - 1) / kGrowth * kGrowth)) return nullptr;
    hole = find();
  }
  const auto [start, end] = *hole;
  const size_t free = free_bytes(file_);
  if (free < size || free - size < least_free_) return nullptr;
  // Room is taken before memory is used: the process would end at the first page for which the disk has none.
  if (fallocate(file_, 0, static_cast<off_t>(start), static_cast<off_t>(size)) != 0) return nullptr;
  holes_.erase(hole);
  if (start + size < end) holes_[start + size] = end;
  return base_ + start;
}

void SpillFile::give(void* memory, size_t size) {
  const std::lock_guard lock(mutex_);
  size_t start = static_cast<size_t>(static_cast<char*>(memory) - base_), end = start + size;
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(start), static_cast<off_t>(size));
  const auto after = holes_.lower_bound(start);
  if (after != holes_.begin() && std::prev(after)->second == start) start = std::prev(after)->first;
  if (after != holes_.end() && after->first == end) {
    end = after->second;
    holes_.erase(after);
  }
  holes_[start] = end;
}

void SpillFile::limit_residence() const {
  constexpr std::chrono::milliseconds kPause(2);
  for (;; std::this_thread::sleep_for(kPause))
    if (resident_bytes_of_files() > most_resident_) madvise(base_, end_, MADV_DONTNEED);
}

}  // namespace tauprof
