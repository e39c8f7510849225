// The same work for many items, on all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace tauprof {

// Calls work(0) to work(count - 1), each once, in any order and at the same time.
template <class Work>
void in_parallel(size_t count, Work&& work) {
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t item = next++; item < count; item = next++) work(item);
  };
  std::vector<std::future<void>> others;  // where no thread can be had, they find nothing left to do
  for (size_t i = 1; i < std::min<size_t>(count, std::max(1u, std::thread::hardware_concurrency())); ++i)
    others.push_back(std::async(run));
  run();
  for (std::future<void>& other : others) other.get();
}

}  // namespace tauprof
