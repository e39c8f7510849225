#include "steps/step_cuts.h"

#include <algorithm>
#include <map>

#include "steps/step_heads.h"
#include "steps/symbol_set.h"
#include "steps/thresholds.h"

namespace tauprof {
namespace {

class Cutter {
 public:
  Cutter(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors, bool ends_with_update)
      : launches_(sequence.launches),
        anchors_(anchors),
        ends_with_update_(ends_with_update),
        counter_(sequence.symbols) {
    sections_ = sections_between(sequence, anchors);
    heads_ = ends_with_update ? heads_after_updates(sequence, sections_) : heads_after_passes(sequence, sections_);
  }

  std::vector<StepCut> cut() {
    if (anchors_.size() < 2) return {};
    learn_median_step();
    natural_heads_ = heads_;
    for (size_t step = 1; step < anchors_.size(); ++step)
      if (static_cast<double>(length(step)) > kLongStep * static_cast<double>(median_length_))
        heads_[step] = usual_begin(step);
    skip_set_up();
    return cuts();
  }

 private:
  size_t length(size_t step) const { return anchors_[step].end - heads_[step]; }

  void learn_median_step() {
    std::vector<size_t> order;
    for (size_t step = 1; step < anchors_.size(); ++step) order.push_back(step);
    std::nth_element(order.begin(), order.begin() + order.size() / 2, order.end(),
                     [&](size_t a, size_t b) { return length(a) < length(b); });
    const size_t median = order[order.size() / 2];
    median_length_ = length(median);
    for (size_t at = heads_[median]; at < std::max(anchors_[median].end, heads_[median + 1]); ++at) {
      if (head_.size() < kHeadLaunches) head_.push_back(launches_[at].symbol);
      if (launches_[at].kind == LaunchKind::kKernel) kernels_.add(launches_[at].symbol);
    }
    kernels_.finish();
  }

  bool begins_as_a_step(size_t at) const {
    for (size_t i = 0; i < head_.size(); ++i)
      if (at + i >= launches_.size() || launches_[at + i].symbol != head_[i]) return false;
    return true;
  }

  // Of the places in front of the anchor where a step might begin, the last one right behind something that read back
  // or waited; else the one from which it is nearly as long as the median step. The section's head if there is none.
  size_t usual_begin(size_t step) {
    size_t best = heads_[step], difference = SIZE_MAX, known = 0;
    bool is_behind_readback = false;
    counter_.clear();
    for (size_t at = heads_[step]; at < sections_[step].end; ++at) {
      if (begins_as_a_step(at)) {
        const bool reads = at > heads_[step] && reads_or_waits(launches_[at - 1]);
        const size_t rest = anchors_[step].end - at;
        const size_t off = rest > median_length_ ? rest - median_length_ : median_length_ - rest;
        if (reads || (!is_behind_readback && off < difference)) {
          is_behind_readback |= reads;
          difference = off;
          best = at;
        }
      }
      const Launch& launch = launches_[at];
      if (launch.kind == LaunchKind::kKernel && counter_.add(launch.symbol)) known += kernels_.has(launch.symbol);
      // What lies in front is as good as a step.
      if (static_cast<double>(known) >= kExtraVocabulary * static_cast<double>(kernels_.size())) break;
    }
    return best;
  }

  void skip_set_up() {
    heads_[0] = 0;
    const size_t begin = usual_begin(0);
    if (begins_as_a_step(begin)) heads_[0] = begin;
  }

  std::vector<StepCut> cuts() const {
    std::vector<StepCut> cuts;
    for (size_t step = 0; step + 1 < anchors_.size(); ++step) {
      if (step > 0 || is_first_whole()) cuts.push_back({heads_[step], heads_[step + 1], natural_heads_[step + 1]});
    }
    add_last(cuts);
    return cuts;
  }

  // Whether what lies before this launch is no part of a step.
  bool is_behind_set_up(size_t head) const {
    SymbolSet kernels;
    for (size_t at = 0; at < head; ++at) {
      if (launches_[at].kind != LaunchKind::kKernel) continue;
      if (launches_[at].is_backward) return false;
      kernels.add(launches_[at].symbol);
    }
    kernels.finish();
    return head > 0 &&
           static_cast<double>(kernels.shared_with(kernels_)) < kPassVocabulary * static_cast<double>(kernels_.size());
  }

  // Its begin was recorded, behind the set-up; or it is as long as a usual step; or it begins as one and is no shorter
  // than the others. (A first step is often shorter: there are no gradients yet to add to.)
  bool is_first_whole() const {
    const bool begins = begins_as_a_step(heads_[0]);
    const bool is_place = anchors_[0].first == anchors_[0].end;  // no pass: what lies before it may be anything
    if (!begins && is_place) return false;
    if (begins && is_behind_set_up(heads_[0])) return true;
    size_t shortest = SIZE_MAX;
    for (size_t step = 1; step < anchors_.size(); ++step) shortest = std::min(shortest, length(step));
    return is_most_of(length(0), begins ? shortest : median_length_);
  }

  void add_last(std::vector<StepCut>& cuts) const {
    if (ends_with_update_) {
      cuts.push_back({heads_[anchors_.size() - 1], heads_.back(), heads_.back()});
      return;
    }
    // Where a step is known by a place inside it, what follows the last place is as long as usual, and where that is a
    // step's begin, another step may follow.
    const size_t rest = usual_rest(), from = anchors_.back().end;
    const bool has_rest = is_most_of(heads_.back() - from, rest) && heads_.back() < launches_.size();
    const size_t end = has_rest ? heads_.back() : std::min(launches_.size(), from + rest);
    const size_t begin = heads_[anchors_.size() - 1], unit = usual_unit();
    if (has_rest || is_most_of(end - begin, unit)) cuts.push_back({begin, end, end});
    if (has_rest && is_most_of(launches_.size() - end, unit))
      cuts.push_back({end, std::min(launches_.size(), end + unit), std::min(launches_.size(), end + unit)});
  }

  static bool is_most_of(size_t part, size_t whole) {
    return static_cast<double>(part) >= kWholeStep * static_cast<double>(whole);
  }

  static size_t median_of(std::vector<size_t> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
  }
  size_t usual_rest() const {
    std::vector<size_t> rests;
    for (size_t step = 1; step < anchors_.size(); ++step) rests.push_back(heads_[step] - anchors_[step - 1].end);
    return median_of(std::move(rests));
  }
  size_t usual_unit() const {
    std::vector<size_t> units;
    for (size_t step = 1; step < anchors_.size(); ++step) units.push_back(heads_[step] - heads_[step - 1]);
    return median_of(std::move(units));
  }

  const std::vector<Launch>& launches_;
  const std::vector<StepAnchor>& anchors_;
  const bool ends_with_update_;
  std::vector<Section> sections_;      // before each anchor, and after the last
  std::vector<size_t> heads_;          // where the step of each anchor begins; and where the last one ends
  std::vector<size_t> natural_heads_;  // before extra work was skipped
  size_t median_length_ = 0;
  std::vector<uint32_t> head_;  // how the median step begins
  SymbolSet kernels_;           // of the median step
  SymbolCounter counter_;
};

}  // namespace

std::vector<StepCut> cut_steps(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors,
                               bool ends_with_update) {
  if (anchors.size() < 2) return {};
  return Cutter(sequence, anchors, ends_with_update).cut();
}

}  // namespace tauprof
