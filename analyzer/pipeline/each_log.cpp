#include "pipeline/each_log.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <mutex>
#include <thread>

namespace tauprof {
namespace {

// Memory for a trace during its analysis, as a multiple of its log's size: some 230 bytes for an event that takes 5 on
// disk.
constexpr uint64_t kMemoryPerLogByte = 48;

class LogQueue {
 public:
  LogQueue(const std::vector<std::string>& files, const std::function<void(size_t)>& work, Progress* progress)
      : files_(files), work_(work), progress_(progress), budget_(memory_budget()) {}

  void run(size_t at_once) {
    if (progress_) progress_->start("reading logs", bytes_of_all(), 2);
    const size_t processors = std::max(1u, std::thread::hardware_concurrency());
    const size_t workers = std::min({files_.size(), processors, at_once});
    std::vector<std::future<void>> others;  // where no thread can be had, they find nothing left to do
    for (size_t i = 1; i < workers; ++i) others.push_back(std::async([this] { work_off(); }));
    work_off();
    for (std::future<void>& other : others) other.get();
  }

 private:
  uint64_t bytes_of(size_t file) const {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(files_[file], error);
    return error ? 0 : static_cast<uint64_t>(bytes);
  }

  uint64_t bytes_of_all() const {
    uint64_t sum = 0;
    for (size_t i = 0; i < files_.size(); ++i) sum += bytes_of(i);
    return sum;
  }

  // Takes the next file once its trace fits beside those being read. A single trace always fits.
  bool take(size_t& file, uint64_t& memory) {
    std::unique_lock lock(mutex_);
    if (next_ == files_.size()) return false;
    file = next_++;
    memory = kMemoryPerLogByte * bytes_of(file);
    fits_.wait(lock, [&] { return in_use_ == 0 || in_use_ + memory <= budget_; });
    in_use_ += memory;
    return true;
  }

  void work_off() {
    size_t file;
    uint64_t memory;
    while (take(file, memory)) {
      work_(file);
      const std::lock_guard lock(mutex_);
      in_use_ -= memory;
      fits_.notify_all();
      if (progress_) progress_->done += memory / kMemoryPerLogByte;
    }
  }

  const std::vector<std::string>& files_;
  const std::function<void(size_t)>& work_;
  Progress* const progress_;
  std::mutex mutex_;
  std::condition_variable fits_;
  uint64_t budget_;
  uint64_t in_use_ = 0;
  size_t next_ = 0;
};

}  // namespace

uint64_t memory_budget() {
  const auto pages = static_cast<uint64_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
  return pages * static_cast<uint64_t>(std::max(1L, sysconf(_SC_PAGESIZE))) / 2;
}

void for_each_log(const std::vector<std::string>& files, size_t at_once, const std::function<void(size_t)>& work,
                  Progress* progress) {
  LogQueue(files, work, progress).run(at_once);
}

}  // namespace tauprof
