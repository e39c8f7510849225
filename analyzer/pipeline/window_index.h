// Which of the windows of some steps a time touches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/time.h"

namespace tauprof {

class WindowIndex {
 public:
  // Empty windows touch nothing.
  explicit WindowIndex(const std::vector<Interval>& windows) {
    for (size_t i = 0; i < windows.size(); ++i)
      if (!windows[i].is_empty()) order_.push_back({windows[i], i, 0});
    std::sort(order_.begin(), order_.end(),
              [](const Entry& a, const Entry& b) { return a.window.start < b.window.start; });
    Nanoseconds latest = INT64_MIN;
    for (Entry& entry : order_) entry.latest_end = latest = std::max(latest, entry.window.end);
  }

  // Calls visit(index, window) for each window that is touched, by start; true: there is one.
  template <class Visit>
  bool visit(Nanoseconds start, Nanoseconds end, Visit&& visit) const {
    bool is_touched = false;
    for (auto entry = first_after(start); entry != order_.end() && entry->window.start < end; ++entry) {
      if (entry->window.end <= start) continue;
      visit(entry->index, entry->window);
      is_touched = true;
    }
    return is_touched;
  }

  bool touches(Nanoseconds start, Nanoseconds end) const {
    auto entry = first_after(start);
    while (entry != order_.end() && entry->window.start < end && entry->window.end <= start) ++entry;
    return entry != order_.end() && entry->window.start < end;
  }

 private:
  struct Entry {
    Interval window;
    size_t index;
    Nanoseconds latest_end;  // of this window and those before
  };
  // From here on, windows may end after a time.
  std::vector<Entry>::const_iterator first_after(Nanoseconds start) const {
    return std::lower_bound(order_.begin(), order_.end(), start,
                            [](const Entry& entry, Nanoseconds time) { return entry.latest_end <= time; });
  }

  std::vector<Entry> order_;
};

}  // namespace tauprof
