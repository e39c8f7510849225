// The value that a list holds most often, and how often; of several the smallest.
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
  for (size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    while (end < values.size() && values[end] == values[begin]) ++end;
    if (end - begin > most.times) most = {values[begin], end - begin};
  }
  return most;
}

}  // namespace tauprof
