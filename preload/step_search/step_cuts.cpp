#include "step_search/step_cuts.h"

#include <algorithm>

#include "step_search/step_heads.h"
#include "step_search/symbol_set.h"
#include "step_search/thresholds.h"

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
    learn_usual_step();
    natural_heads_ = heads_;
    for (size_t step = 1; step < anchors_.size(); ++step) {
      const bool is_long = static_cast<double>(length(step)) > kLongStep * static_cast<double>(usual_length_);
      const size_t begin = usual_begin(step);
      if (is_long || is_behind_readback(begin)) heads_[step] = begin;
    }
    skip_set_up();
    return cuts();
  }

 private:
  size_t length(size_t step) const { return anchors_[step].end - heads_[step]; }

  // A step from the shorter half: of the longer, every one may have an evaluation in front.
  void learn_usual_step() {
    std::vector<size_t> order;
    for (size_t step = 1; step < anchors_.size(); ++step) order.push_back(step);
    const size_t middle = order.size() / 4;
    std::nth_element(order.begin(), order.begin() + middle, order.end(),
                     [&](size_t a, size_t b) { return length(a) < length(b); });
    usual_ = order[middle];
    usual_length_ = length(usual_);
    for (size_t at = heads_[usual_]; at < std::max(anchors_[usual_].end, heads_[usual_ + 1]); ++at) {
      const Launch& launch = launches_[at];
      if (head_.size() < kHeadLaunches) head_.push_back(launch.symbol);
      if (launch.kind == LaunchKind::kKernel && launch.role == UpdateRole::kNone) kernels_.add(launch.symbol);
    }
    kernels_.finish();
  }

  bool begins_as_a_step(size_t at) const { return has_head(at, head_.size()); }

  bool has_head(size_t at, size_t length) const {
    for (size_t i = 0; i < length; ++i)
      if (at + i >= launches_.size() || launches_[at + i].symbol != head_[i]) return false;
    return true;
  }

  // To wait for a message is no result: stages of a pipeline do so in the middle of steps.
  bool is_behind_readback(size_t at) const {
    if (at == 0 || !reads_or_waits(launches_[at - 1])) return false;
    return at < 2 || !launches_[at - 2].is_message;
  }

  // A step behind an evaluation may go on in its own way (FSDP has the weights already): it begins with its input,
  // behind the evaluation's result.
  bool is_input_behind_result(size_t at) const {
    const bool is_input = at < launches_.size() && launches_[at].kind == LaunchKind::kInputCopy;
    if (!is_input || head_.empty() || launches_[at].symbol != head_.front()) return false;
    const auto is_result = [&](size_t before) {
      return at >= before && launches_[at - before].kind == LaunchKind::kReadback;
    };
    return is_result(1) || (at > 0 && launches_[at - 1].kind == LaunchKind::kSync && is_result(2));
  }

  // Of the places in front of the anchor where a step might begin, the last one right behind something that read back
  // or waited; else the one from which it is nearly as long as the usual step. The section's head if there is none.
  size_t usual_begin(size_t step) {
    size_t best = heads_[step], difference = SIZE_MAX, known = 0;
    bool has_readback = false;
    counter_.clear();
    // A step may begin with its anchor: a graph that holds all of it.
    const size_t end = std::min(launches_.size(), sections_[step].end + (is_place(step) ? 0 : 1));
    for (size_t at = heads_[step]; at < end; ++at) {
      const bool is_behind_pass =
          static_cast<double>(known) >= kPassVocabulary * static_cast<double>(kernels_.size()) && known > 0;
      const bool is_next_input = is_behind_pass && is_input_behind_result(at);
      if (begins_as_a_step(at) || is_next_input) {
        const bool reads = is_next_input || (at > heads_[step] && is_behind_readback(at));
        const size_t rest = anchors_[step].end - at;
        const size_t off = rest > usual_length_ ? rest - usual_length_ : usual_length_ - rest;
        if (reads || (!has_readback && off < difference)) {
          has_readback |= reads;
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

  // No pass, only somewhere in a step: what lies before it may be anything.
  bool is_place(size_t step) const { return anchors_[step].first == anchors_[step].end; }

  void skip_set_up() {
    heads_[0] = 0;
    const size_t begin = usual_begin(0);
    first_begins_ = begins_as_a_step(begin);
    if (first_begins_) heads_[0] = begin;
    if (!is_place(0)) skip_to_last_input();
  }

  // A first step may go on in its own way (kernels are tried, lengths differ): then its input alone shows its begin. So
  // it does behind what looks like a step's begin, but was an evaluation, because it was read back.
  void skip_to_last_input() {
    const auto is_input = [&](size_t at) { return launches_[at].kind == LaunchKind::kInputCopy; };
    size_t inputs = 0;
    while (inputs < head_.size() && is_input(heads_[usual_] + inputs)) ++inputs;
    const size_t from = first_begins_ ? heads_[0] + 1 : 0;
    for (size_t at = from; inputs > 0 && at < sections_[0].end; ++at) {
      if (!has_head(at, inputs) || (at > 0 && is_input(at - 1))) continue;
      if (first_begins_ && !is_behind_readback(at)) continue;
      heads_[0] = at;
    }
    first_begins_ |= heads_[0] > 0;
  }

  std::vector<StepCut> cuts() const {
    std::vector<StepCut> cuts;
    for (size_t step = 0; step + 1 < anchors_.size(); ++step) {
      if (step > 0 || is_first_whole())
        cuts.push_back({heads_[step], heads_[step + 1], natural_heads_[step + 1], update_length(step)});
    }
    add_last(cuts);
    return cuts;
  }

  size_t update_length(size_t step) const { return ends_with_update_ ? anchors_[step].end - anchors_[step].first : 0; }

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
    if (!first_begins_ && is_place(0)) return false;
    if (first_begins_ && is_behind_set_up(heads_[0])) return true;
    size_t shortest = SIZE_MAX;
    for (size_t step = 1; step < anchors_.size(); ++step) shortest = std::min(shortest, length(step));
    return is_most_of(length(0), first_begins_ ? shortest : usual_length_);
  }

  void add_last(std::vector<StepCut>& cuts) const {
    if (ends_with_update_) {
      const size_t last = anchors_.size() - 1;
      cuts.push_back({heads_[last], heads_.back(), heads_.back(), update_length(last)});
      return;
    }
    // Where a step is known by a place inside it, what follows the last place is as long as usual, and where that is a
    // step's begin, another step may follow.
    const size_t rest = usual_rest(), from = anchors_.back().end;
    const bool has_rest = is_most_of(heads_.back() - from, rest) && heads_.back() < launches_.size();
    const size_t end = has_rest ? heads_.back() : std::min(launches_.size(), from + rest);
    const size_t begin = heads_[anchors_.size() - 1], unit = usual_unit();
    if (has_rest || is_most_of(end - begin, unit)) cuts.push_back({begin, end, end, 0});
    if (has_rest && is_place(0) && is_most_of(launches_.size() - end, unit))
      cuts.push_back({end, std::min(launches_.size(), end + unit), std::min(launches_.size(), end + unit), 0});
  }

  static bool is_most_of(size_t part, size_t whole) {
    return static_cast<double>(part) >= kWholeStep * static_cast<double>(whole);
  }

  static size_t usual_of(std::vector<size_t> values) {
    const size_t middle = values.size() / 4;
    std::nth_element(values.begin(), values.begin() + middle, values.end());
    return values[middle];
  }
  size_t usual_rest() const {
    std::vector<size_t> rests;
    for (size_t step = 1; step < anchors_.size(); ++step) rests.push_back(heads_[step] - anchors_[step - 1].end);
    return usual_of(std::move(rests));
  }
  size_t usual_unit() const {
    std::vector<size_t> units;
    for (size_t step = 1; step < anchors_.size(); ++step) units.push_back(heads_[step] - heads_[step - 1]);
    return usual_of(std::move(units));
  }

  const std::vector<Launch>& launches_;
  const std::vector<StepAnchor>& anchors_;
  const bool ends_with_update_;
  std::vector<Section> sections_;      // before each anchor, and after the last
  std::vector<size_t> heads_;          // where the step of each anchor begins; and where the last one ends
  std::vector<size_t> natural_heads_;  // before extra work was skipped
  size_t usual_ = 0;                   // a step as most are
  size_t usual_length_ = 0;
  std::vector<uint32_t> head_;  // how the usual step begins
  SymbolSet kernels_;           // of the usual step, without the update's
  bool first_begins_ = false;   // the first step's begin was recognised
  SymbolCounter counter_;
};

}  // namespace

StepCut cut_single_step(const LaunchSequence& sequence, const StepAnchor& update) {
  const std::vector<Section> sections = sections_between(sequence, {update});
  size_t begin = 0;
  for (size_t at = 0; at < sections[0].end; ++at) {
    const auto is_input = [&](size_t i) { return sequence.launches[i].kind == LaunchKind::kInputCopy; };
    if (is_input(at) && (at == 0 || !is_input(at - 1))) begin = at;
  }
  const size_t end = heads_after_updates(sequence, sections).back();
  return {begin, end, end, update.end - update.first};
}

std::vector<StepCut> cut_steps(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors,
                               bool ends_with_update) {
  if (anchors.size() < 2) return {};
  return Cutter(sequence, anchors, ends_with_update).cut();
}

}  // namespace tauprof
