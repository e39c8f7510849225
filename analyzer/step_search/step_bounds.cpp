#include "step_search/step_bounds.h"

#include <algorithm>

#include "step_search/step_search_limits.h"
#include "step_search/step_starts.h"
#include "step_search/symbol_set.h"

namespace tauprof {
namespace {

class BoundsFinder {
 public:
  BoundsFinder(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors, bool ends_with_update)
      : launches_(sequence.launches),
        anchors_(anchors),
        ends_with_update_(ends_with_update),
        counter_(sequence.symbols) {
    sections_ = sections_between(sequence, anchors);
    starts_ = ends_with_update ? starts_after_updates(sequence, sections_) : starts_after_passes(sequence, sections_);
  }

  std::vector<StepBounds> find() {
    if (anchors_.size() < 2) return {};
    learn_usual_step();
    natural_starts_ = starts_;
    for (size_t step = 1; step < anchors_.size(); ++step) {
      const bool is_long = static_cast<double>(length(step)) > kLongStep * static_cast<double>(usual_length_);
      const size_t start = usual_start(step);
      if (is_long || is_after_readback(start)) starts_[step] = start;
    }
    skip_set_up();
    return all_bounds();
  }

 private:
  size_t length(size_t step) const { return anchors_[step].end - starts_[step]; }

  // A step from the shorter half: every one of the longer half may have an evaluation in front.
  void learn_usual_step() {
    std::vector<size_t> order;
    for (size_t step = 1; step < anchors_.size(); ++step) order.push_back(step);
    const size_t middle = order.size() / 4;
    std::nth_element(order.begin(), order.begin() + middle, order.end(),
                     [&](size_t a, size_t b) { return length(a) < length(b); });
    usual_ = order[middle];
    usual_length_ = length(usual_);
    for (size_t at = starts_[usual_]; at < std::max(anchors_[usual_].end, starts_[usual_ + 1]); ++at) {
      const Launch& launch = launches_[at];
      if (opening_.size() < kOpeningLaunches) opening_.push_back(launch.symbol);
      if (launch.kind == LaunchKind::kKernel && launch.role == UpdateRole::kNone) kernels_.add(launch.symbol);
    }
    kernels_.finish();
  }

  bool starts_like_a_step(size_t at) const {
    for (size_t i = 0; i < opening_.size(); ++i)
      if (at + i >= launches_.size() || launches_[at + i].symbol != opening_[i]) return false;
    return true;
  }

  // Waiting for a message yields no result: pipeline stages do it in the middle of steps.
  bool is_after_readback(size_t at) const {
    if (at == 0 || !reads_or_waits(launches_[at - 1])) return false;
    return at < 2 || !launches_[at - 2].is_message;
  }

  // Of the positions before the anchor where a step may start, the last one right after a readback or a wait. Without
  // one, the position from which the step is closest to the usual length; without any, the section's start.
  size_t usual_start(size_t step) {
    size_t best = starts_[step], difference = SIZE_MAX, known = 0;
    bool has_readback = false;
    counter_.clear();
    // A step may start with its anchor: a graph that holds all of it.
    const size_t end = std::min(launches_.size(), sections_[step].end + (is_point(step) ? 0 : 1));
    for (size_t at = starts_[step]; at < end; ++at) {
      if (starts_like_a_step(at)) {
        const bool reads = at > starts_[step] && is_after_readback(at);
        const size_t remainder = anchors_[step].end - at;
        const size_t off = remainder > usual_length_ ? remainder - usual_length_ : usual_length_ - remainder;
        if (reads || (!has_readback && off < difference)) {
          has_readback |= reads;
          difference = off;
          best = at;
        }
      }
      const Launch& launch = launches_[at];
      if (launch.kind == LaunchKind::kKernel && counter_.add(launch.symbol)) known += kernels_.has(launch.symbol);
      // What lies before is nearly a whole step.
      if (static_cast<double>(known) >= kExtraVocabulary * static_cast<double>(kernels_.size())) break;
    }
    return best;
  }

  // The anchor is no pass, only a point within a step: anything may lie before it.
  bool is_point(size_t step) const { return anchors_[step].first == anchors_[step].end; }

  void skip_set_up() {
    starts_[0] = 0;
    const size_t start = usual_start(0);
    first_start_known_ = starts_like_a_step(start);
    if (first_start_known_) starts_[0] = start;
  }

  std::vector<StepBounds> all_bounds() const {
    std::vector<StepBounds> bounds;
    for (size_t step = 0; step + 1 < anchors_.size(); ++step) {
      if (step > 0 || is_first_whole())
        bounds.push_back({starts_[step], starts_[step + 1], natural_starts_[step + 1], update_length(step)});
    }
    add_last(bounds);
    return bounds;
  }

  size_t update_length(size_t step) const { return ends_with_update_ ? anchors_[step].end - anchors_[step].first : 0; }

  // It is as long as a usual step; or it starts like a step and is no shorter than the others. (A first step is often
  // shorter: there are no gradients to add to.)
  bool is_first_whole() const {
    if (!first_start_known_ && is_point(0)) return false;
    size_t shortest = SIZE_MAX;
    for (size_t step = 1; step < anchors_.size(); ++step) shortest = std::min(shortest, length(step));
    return is_most_of(length(0), first_start_known_ ? shortest : usual_length_);
  }

  void add_last(std::vector<StepBounds>& bounds) const {
    if (ends_with_update_) {
      const size_t last = anchors_.size() - 1;
      bounds.push_back({starts_[last], starts_.back(), starts_.back(), update_length(last)});
      return;
    }
    // If the anchors are points within steps, what follows the last one is as long as usual. If that ends at a step
    // start, another step may follow.
    const size_t remainder = usual_remainder(), from = anchors_.back().end;
    const bool has_remainder = is_most_of(starts_.back() - from, remainder) && starts_.back() < launches_.size();
    const size_t end = has_remainder ? starts_.back() : std::min(launches_.size(), from + remainder);
    const size_t start = starts_[anchors_.size() - 1], unit = usual_unit();
    if (has_remainder || is_most_of(end - start, unit)) bounds.push_back({start, end, end, 0});
    if (has_remainder && is_point(0) && is_most_of(launches_.size() - end, unit))
      bounds.push_back({end, std::min(launches_.size(), end + unit), std::min(launches_.size(), end + unit), 0});
  }

  static bool is_most_of(size_t part, size_t whole) {
    return static_cast<double>(part) >= kWholeStep * static_cast<double>(whole);
  }

  static size_t usual_of(std::vector<size_t> values) {
    const size_t middle = values.size() / 4;
    std::nth_element(values.begin(), values.begin() + middle, values.end());
    return values[middle];
  }
  size_t usual_remainder() const {
    std::vector<size_t> remainders;
    for (size_t step = 1; step < anchors_.size(); ++step) remainders.push_back(starts_[step] - anchors_[step - 1].end);
    return usual_of(std::move(remainders));
  }
  size_t usual_unit() const {
    std::vector<size_t> units;
    for (size_t step = 1; step < anchors_.size(); ++step) units.push_back(starts_[step] - starts_[step - 1]);
    return usual_of(std::move(units));
  }

  const std::vector<Launch>& launches_;
  const std::vector<StepAnchor>& anchors_;
  const bool ends_with_update_;
  std::vector<Section> sections_;       // before each anchor and after the last
  std::vector<size_t> starts_;          // of each anchor's step; then the end of the last step
  std::vector<size_t> natural_starts_;  // without skipping extra work
  size_t usual_ = 0;                    // the index of a typical step
  size_t usual_length_ = 0;
  std::vector<uint32_t> opening_;   // the usual step's first symbols
  SymbolSet kernels_;               // of the usual step, without the update's
  bool first_start_known_ = false;  // the first step's start was recognised
  SymbolCounter counter_;
};

}  // namespace

StepBounds bounds_of_single_step(const LaunchSequence& sequence, const StepAnchor& update) {
  const std::vector<Section> sections = sections_between(sequence, {update});
  size_t start = 0;
  for (size_t at = 0; at < sections[0].end; ++at) {
    const auto is_input = [&](size_t i) { return sequence.launches[i].kind == LaunchKind::kInputCopy; };
    if (is_input(at) && (at == 0 || !is_input(at - 1))) start = at;
  }
  const size_t end = starts_after_updates(sequence, sections).back();
  return {start, end, end, update.end - update.first};
}

std::vector<StepBounds> find_step_bounds(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors,
                                         bool ends_with_update) {
  if (anchors.size() < 2) return {};
  return BoundsFinder(sequence, anchors, ends_with_update).find();
}

}  // namespace tauprof
