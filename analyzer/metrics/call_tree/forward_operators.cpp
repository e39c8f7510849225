#include "metrics/call_tree/forward_operators.h"

#include <algorithm>
#include <tuple>

namespace tauprof {

ForwardOperators::ForwardOperators(const ProcessTrace& trace) : trace_(trace) {
  const std::vector<AutogradOperator>& all = trace.autograd_operators;
  for (uint32_t i = 0; i < all.size(); ++i)
    if (all[i].forward_thread == 0) forward_.push_back(i);
  const auto key = [&](uint32_t i) { return std::tuple(all[i].sequence, all[i].thread, all[i].start); };
  std::stable_sort(forward_.begin(), forward_.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  std::map<int64_t, std::map<uint16_t, size_t>> found;  // by the framework's number, then thread
  for (const AutogradOperator& one : all) {
    if (one.forward_thread == 0) continue;
    auto next = first_from(one.sequence, 0, INT64_MIN);
    while (next != forward_.end() && all[*next].sequence == one.sequence) {
      const uint16_t thread = all[*next].thread;
      if (last_on(thread, one) != kNoIndex) ++found[one.forward_thread][thread];
      next = first_from(one.sequence, thread, INT64_MAX);
    }
  }
  for (const auto& [number, threads] : found)
    threads_[number] = std::max_element(threads.begin(), threads.end(), [](const auto& a, const auto& b) {
                         return a.second < b.second;
                       })->first;
}

uint32_t ForwardOperators::of(const AutogradOperator& backward) const {
  const auto thread = threads_.find(backward.forward_thread);
  return thread == threads_.end() ? kNoIndex : last_on(thread->second, backward);
}

std::vector<uint32_t>::const_iterator ForwardOperators::first_from(int64_t sequence, uint16_t thread,
                                                                   Nanoseconds start) const {
  return std::lower_bound(forward_.begin(), forward_.end(), std::tuple(sequence, thread, start),
                          [&](uint32_t i, const auto& key) {
                            const AutogradOperator& one = trace_.autograd_operators[i];
                            return std::tuple(one.sequence, one.thread, one.start) < key;
                          });
}

uint32_t ForwardOperators::last_on(uint16_t thread, const AutogradOperator& backward) const {
  const auto after = first_from(backward.sequence, thread, backward.start);
  if (after == forward_.begin()) return kNoIndex;
  const AutogradOperator& last = trace_.autograd_operators[*(after - 1)];
  return last.thread == thread && last.sequence == backward.sequence ? *(after - 1) : kNoIndex;
}

}  // namespace tauprof
