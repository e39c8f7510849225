// A page of POSIX shared memory per process: a futex word, and a file lock that tells whether its owner is alive.
//
// Why a lock: for a zombie, kill(pid, 0) succeeds, but its locks are gone at once.
#include "simgpu/engine/timeline/doorbell.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <string>

namespace simgpu {
namespace {

constexpr std::size_t kPage = 4096;
constexpr const char* kPrefix = "simgpu-bell-";
constexpr int kSweepAgeSeconds = 10;  // the owner of a younger one may not have locked it yet

struct Bell {
  std::atomic<unsigned>* count = nullptr;
  std::string name;
  int file = -1;
};

long futex(std::atomic<unsigned>* word, int operation, unsigned value, const timespec* until) {
  return syscall(SYS_futex, word, operation, value, until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

std::atomic<unsigned>* map_page(int file) {
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return page == MAP_FAILED ? nullptr : static_cast<std::atomic<unsigned>*>(page);
}

bool has_owner(int file) {
  if (flock(file, LOCK_SH | LOCK_NB) != 0) return true;
  flock(file, LOCK_UN);
  return false;
}

// Removes what killed processes left behind.
void sweep() {
  DIR* folder = opendir("/dev/shm");
  if (!folder) return;
  while (const dirent* entry = readdir(folder)) {
    if (std::strncmp(entry->d_name, kPrefix, std::strlen(kPrefix)) != 0) continue;
    const std::string name = std::string("/") + entry->d_name;
    const int file = shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0);
    if (file < 0) continue;
    struct stat status {};
    const bool is_old = fstat(file, &status) == 0 && time(nullptr) - status.st_ctime > kSweepAgeSeconds;
    if (is_old && !has_owner(file)) shm_unlink(name.c_str());
    close(file);
  }
  closedir(folder);
}

Bell private_bell() {
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return {static_cast<std::atomic<unsigned>*>(page), "", -1};
}

Bell make_bell() {
  sweep();
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  char name[64];
  std::snprintf(name, sizeof(name), "/%s%d-%lx", kPrefix, getpid(),
                static_cast<unsigned long>(now.tv_sec * 1'000'000'000L + now.tv_nsec));
  const int file = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return private_bell();
  std::atomic<unsigned>* page = nullptr;
  if (flock(file, LOCK_EX) == 0 && ftruncate(file, kPage) == 0) page = map_page(file);
  if (!page) {
    shm_unlink(name);
    close(file);
    return private_bell();
  }
  return {page, name, file};
}

Bell& own_bell() {
  static Bell& bell = *[] {
    auto* made = new Bell(make_bell());
    std::atexit([] {
      if (own_bell().file >= 0) shm_unlink(own_bell().name.c_str());
    });
    // A child that keeps the file open would keep the lock after its owner's death.
    pthread_atfork(nullptr, nullptr, [] {
      Bell& inherited = own_bell();
      if (inherited.file >= 0) close(inherited.file);
      inherited.file = -1;
    });
    return made;
  }();
  return bell;
}

void ring(std::atomic<unsigned>* count, bool shared) {
  count->fetch_add(1, std::memory_order_release);
  futex(count, shared ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr);
}

}  // namespace

const char* doorbell_name() { return own_bell().name.c_str(); }

unsigned doorbell_count() { return own_bell().count->load(std::memory_order_acquire); }

void ring_own_doorbell() { ring(own_bell().count, own_bell().file >= 0); }

void wait_for_doorbell(unsigned seen, Nanoseconds until) {
  const timespec deadline{until / 1'000'000'000, until % 1'000'000'000};
  const int kind = own_bell().file >= 0 ? FUTEX_WAIT_BITSET : FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG;
  futex(own_bell().count, kind, seen, &deadline);  // on CLOCK_MONOTONIC, absolute
}

bool ring_doorbell(const char* name) {
  static std::mutex& mutex = *new std::mutex;
  static auto& known = *new std::map<std::string, Bell>;
  const std::lock_guard<std::mutex> lock(mutex);
  Bell& bell = known[name];
  if (!bell.count) {
    bell.file = shm_open(name, O_RDWR | O_CLOEXEC, 0);
    if (bell.file < 0) return false;
    bell.count = map_page(bell.file);
    if (!bell.count) return false;
  }
  ring(bell.count, true);
  return own_bell().name == name || has_owner(bell.file);
}

}  // namespace simgpu
