#include "steps/step_bounds.h"

#include <algorithm>
#include <set>

#include "limits/analysis_limits.h"
#include "steps/step_openings.h"

namespace tauprof {
namespace {

bool is_most_of(size_t part, size_t whole) {
  return static_cast<double>(part) >= kWholeStep * static_cast<double>(whole);
}

class BoundsFinder {
 public:
  BoundsFinder(const LaunchSequence& sequence, const std::vector<Update>& updates)
      : launches_(sequence.launches),
        updates_(updates),
        sections_(sections_between(sequence, updates)),
        natural_starts_(openings_of(sequence, sections_)) {
    for (size_t i = 0; i < updates.size(); ++i)
      if (natural_starts_[i] == sections_[i].end) natural_starts_[i] = sections_[i].start;
    natural_starts_[0] = 0;
    starts_ = natural_starts_;
    learn_usual_step();
  }

  std::vector<StepBounds> find() {
    for (size_t step = 0; step < updates_.size(); ++step) starts_[step] = last_start(step);
    std::vector<StepBounds> bounds;
    for (size_t step = is_first_whole() ? 0 : 1; step < updates_.size(); ++step)
      bounds.push_back({starts_[step], starts_[step + 1], extra_start(step + 1), update_length(step)});
    return bounds;
  }

 private:
  size_t length(size_t step) const { return updates_[step].end - starts_[step]; }
  size_t update_length(size_t step) const { return updates_[step].end - updates_[step].first; }

  // A step from the shorter half: every one of the longer half may have an evaluation in front.
  void learn_usual_step() {
    std::vector<size_t> order;
    for (size_t step = 1; step < updates_.size(); ++step) order.push_back(step);
    const size_t middle = order.size() / 4;
    std::nth_element(order.begin(), order.begin() + middle, order.end(),
                     [&](size_t a, size_t b) { return length(a) < length(b); });
    const size_t usual = order[middle];
    usual_length_ = length(usual);
    opening_ = starts_[usual];
    const size_t end = std::max(updates_[usual].end, starts_[usual + 1]);
    opening_launches_ = std::min(kOpeningLaunches, end - opening_);
    kernels_ = kernels_between(opening_, end);
    usual_starts_ = std::max<size_t>(likely_starts(usual).size(), 1);
  }

  // The different ones, without those of updates.
  std::set<uint32_t> kernels_between(size_t start, size_t end) const {
    std::set<uint32_t> kernels;
    for (size_t at = start; at < end; ++at)
      if (launches_[at].kind == LaunchKind::kKernel && launches_[at].role == UpdateRole::kNone)
        kernels.insert(launches_[at].symbol);
    return kernels;
  }

  // Where extra work starts in the section behind an update: few different kernels are the update's (averages).
  size_t extra_start(size_t section) const {
    const size_t start = sections_[section].start, natural = natural_starts_[section];
    const auto kernels = static_cast<double>(kernels_between(start, natural).size());
    const bool is_extra = kernels >= kPassVocabulary * static_cast<double>(kernels_.size());
    return is_extra ? start : natural;
  }

  bool starts_like_a_step(size_t at) const {
    for (size_t i = 0; i < opening_launches_; ++i)
      if (at + i >= launches_.size() || launches_[at + i].symbol != launches_[opening_ + i].symbol) return false;
    return true;
  }

  // Where the section starts like a step, before it shows a whole step's kernels.
  std::vector<size_t> likely_starts(size_t step) const {
    std::vector<size_t> found;
    std::set<uint32_t> known;
    // A step may start with its update: a graph that holds all of it.
    const size_t end = std::min(launches_.size(), sections_[step].end + 1);
    for (size_t at = natural_starts_[step]; at < end; ++at) {
      if (starts_like_a_step(at)) found.push_back(at);
      if (kernels_.count(launches_[at].symbol) > 0) known.insert(launches_[at].symbol);
      if (static_cast<double>(known.size()) >= kExtraVocabulary * static_cast<double>(kernels_.size())) break;
    }
    return found;
  }

  // The last of these that is followed by as many of them as in the usual step, whose layers may start like it.
  size_t last_start(size_t step) const {
    const std::vector<size_t> starts = likely_starts(step);
    return starts.size() < usual_starts_ ? natural_starts_[step] : starts[starts.size() - usual_starts_];
  }

  // It is as long as a usual step; or it starts like a step and is no shorter than the others. (A first step is often
  // shorter: there are no gradients to add to.)
  bool is_first_whole() const {
    const bool is_start_known = starts_like_a_step(starts_[0]);
    size_t shortest = SIZE_MAX;
    for (size_t step = 1; step < updates_.size(); ++step) shortest = std::min(shortest, length(step));
    return is_most_of(length(0), is_start_known ? shortest : usual_length_);
  }

  const std::vector<Launch>& launches_;
  const std::vector<Update>& updates_;
  const std::vector<Section> sections_;  // before each update and after the last
  std::vector<size_t> natural_starts_;   // without skipping extra work
  std::vector<size_t> starts_;           // of each update's step; then the end of the last step
  size_t usual_length_ = 0;              // of a typical step, to the end of its update
  size_t opening_ = 0;                   // where it starts
  size_t opening_launches_ = 0;          // by which that is recognised
  size_t usual_starts_ = 0;              // how often it starts like a step
  std::set<uint32_t> kernels_;           // of it, without the update's
};

}  // namespace

StepBounds bounds_of_single_step(const LaunchSequence& sequence, const Update& update) {
  const auto is_input = [&](size_t at) { return sequence.launches[at].kind == LaunchKind::kInputCopy; };
  size_t start = 0, end = update.end;
  for (size_t at = 0; at < update.first && !is_backward_work(sequence.launches[at]); ++at)
    if (is_input(at) && (at == 0 || !is_input(at - 1))) start = at;
  while (end < sequence.launches.size() && !is_input(end)) ++end;
  return {start, end, end, update.end - update.first};
}

std::vector<StepBounds> find_step_bounds(const LaunchSequence& sequence, const std::vector<Update>& updates) {
  if (updates.size() < 2) return {};
  return BoundsFinder(sequence, updates).find();
}

}  // namespace tauprof
