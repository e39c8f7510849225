// Numbers the host threads of a trace: (pid, tid) → 1, 2, … in the order of their first events. Pids and tids may be
// numbers or texts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "import/name_cache.h"
#include "log/writer.h"

namespace tauprof::kineto {

class ThreadTable {
 public:
  static constexpr int64_t kMaxThreads = 65534;

  // -1: there are too many threads.
  int64_t number(std::string_view pid, std::string_view tid);

  // The name in a metadata event, which may come before or after the events of the thread.
  void set_name(std::string_view pid, std::string_view tid, std::string_view raw_name);

  // The process with the most threads; 0: not known.
  uint32_t process_id() const;

  // Appends a record for each numbered thread.
  void write(log::Writer& writer, NameCache& names) const;

 private:
  struct Key {
    std::string pid;
    std::string tid;
    bool operator<(const Key& other) const { return tid != other.tid ? tid < other.tid : pid < other.pid; }
  };

  std::vector<Key> threads_;
  std::map<Key, int64_t> numbers_;  // positions in threads_
  std::map<Key, std::string> names_;
  size_t recent_[4] = {};  // searched first, as a few threads alternate
  size_t next_recent_ = 0;
};

}  // namespace tauprof::kineto
