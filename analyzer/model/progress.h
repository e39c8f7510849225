// How far a command is, for whoever shows it meanwhile. Stages write it, from several threads.
#pragma once

#include <atomic>
#include <cstdint>

namespace tauprof {

struct Progress {
  std::atomic<const char*> stage{""};    // a literal: what is being done
  std::atomic<uint64_t> total_bytes{0};  // of its input; 0: not known
  std::atomic<uint64_t> passes{1};       // how often each byte counts in `done`
  std::atomic<uint64_t> done{0};

  void start(const char* what, uint64_t bytes = 0, uint64_t each_byte_counts = 1) {
    done = 0;
    passes = each_byte_counts;
    total_bytes = bytes;
    stage = what;
  }
};

}  // namespace tauprof
