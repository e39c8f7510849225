// The most frequent value of a list, and how often it occurs; of several the smallest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tauprof {

struct Frequency {
  size_t value = 0;
  size_t times = 0;
};

inline Frequency most_frequent(std::vector<size_t> values) {
  std::sort(values.begin(), values.end());
  Frequency most;
  for (size_t start = 0, end = 0; start < values.size(); start = end) {
    while (end < values.size() && values[end] == values[start]) ++end;
    if (end - start > most.times) most = {values[start], end - start};
  }
  return most;
}

}  // namespace tauprof
