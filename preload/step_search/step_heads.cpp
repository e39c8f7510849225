#include "step_search/step_heads.h"

#include <algorithm>

#include "step_search/pauses.h"
#include "step_search/symbol_set.h"
#include "step_search/thresholds.h"

namespace tauprof {
namespace {

// A loader that waits until its buffer has been copied, to fill it anew.
bool opens_input(const std::vector<Launch>& launches, size_t at) {
  return launches[at].is_event_sync && at + 1 < launches.size() && launches[at + 1].kind == LaunchKind::kInputCopy;
}

// Behind the last launch that reads back or waits, of those close to the update and before any input.
size_t past_readback(const std::vector<Launch>& launches, const Section& section) {
  size_t head = section.begin, since = 0;
  for (size_t at = section.begin; at < section.end && since < kReadbackDistance; ++at, ++since) {
    // A stage of a pipeline begins with what it receives.
    if (launches[at].kind == LaunchKind::kInputCopy || launches[at].is_message || opens_input(launches, at)) break;
    // Averages of the weights, and what comes of loss scaling right behind the update.
    const bool scales = launches[at].role == UpdateRole::kClipping && at == head;
    if (!reads_or_waits(launches[at]) && launches[at].role != UpdateRole::kList && !scales) continue;
    head = at + 1;
    since = 0;
  }
  return head;
}

size_t past_fills(const std::vector<Launch>& launches, size_t head, size_t end) {
  while (head < end && launches[head].kind == LaunchKind::kFill) ++head;
  return head;
}

// Whether memsets behind the update clear gradients for it, or open the next step (a loss that is summed up). If they
// are found behind what reads back, they open it; else they belong to the side on which the host pauses less.
bool fills_open_steps(const std::vector<Launch>& launches, const std::vector<Section>& sections) {
  size_t opens = 0, closes = 0;
  for (size_t i = 1; i + 1 < sections.size(); ++i) {
    const size_t head = past_readback(launches, sections[i]), end = past_fills(launches, head, sections[i].end);
    if (end == head || head == 0) continue;
    if (head > sections[i].begin) return true;
    size_t next = end;  // whose pause goes on behind what waits
    while (next < launches.size() && launches[next].kind == LaunchKind::kSync) ++next;
    if (next == launches.size()) continue;
    const int64_t before = launches[head].start - launches[head - 1].end;
    const int64_t after = launches[next].start - launches[end - 1].end;
    ++(before > after ? opens : closes);
  }
  return opens > closes;
}

// The first input copy of a section, or the wait that opens it; the section's end: there is none.
size_t input_of(const std::vector<Launch>& launches, const Section& section, size_t from) {
  for (size_t at = from; at < section.end; ++at)
    if (launches[at].kind == LaunchKind::kInputCopy || opens_input(launches, at)) return at;
  return section.end;
}

// Work between an update and the next input that is no part of a forward pass, because it shows few kernels, is the end
// of the step (averages of the weights, logging) or the begin of the next (random numbers), by where the host pauses.
// It may be both: averages, a pause, gradients that are cleared, the input.
class WorkBeforeInput {
 public:
  WorkBeforeInput(const LaunchSequence& sequence, const std::vector<Section>& sections,
                  const std::vector<size_t>& heads)
      : sequence_(sequence), launches_(sequence.launches), counter_(sequence.symbols) {
    for (size_t i = 1; i < sections.size(); ++i)
      most_ = std::max(most_, kernels_between(sections[i - 1].begin, sections[i].begin));
    for (size_t i = 0; i < sections.size(); ++i) work_.push_back({heads[i], end_of(sections[i], heads[i])});
    size_t closes = 0, opens = 0;
    for (size_t i = 1; i + 1 < work_.size(); ++i) {
      const Section& work = work_[i];
      if (work.begin != work.end)
        ++(pause_before(launches_, work.end) > pause_before(launches_, work.begin) ? closes : opens);
    }
    closes_ = closes > opens;
    find_cue();
  }

  // Where the step begins in this section.
  size_t begin_of(size_t section) const {
    const Section& work = work_[section];
    if (work.begin == work.end) return work.begin;
    const size_t at_cue = place_of(sequence_, work, cue_);
    if (at_cue != work.end) return at_cue;
    return closes_ ? work.end : work.begin;
  }

 private:
  size_t end_of(const Section& section, size_t head) {
    const size_t input = input_of(launches_, section, head);
    const bool goes_on = section.end == launches_.size();  // the input, or what it is for, may still come
    if (input == section.end && !goes_on) return head;
    const size_t before = kernels_between(head, input);
    // The pass itself: this input was copied ahead.
    if (!goes_on && before > kernels_between(input, section.end)) return head;
    return static_cast<double>(before) < kPassVocabulary * static_cast<double>(most_) ? input : head;
  }

  // A launch between, if the host pauses clearly longer before it than at either end.
  void find_cue() {
    const Cue cue = cue_after_pause(sequence_, work_, kCommonShare);
    size_t between = 0, longer = 0;
    for (size_t i = 1; i + 1 < work_.size(); ++i) {
      const size_t at = place_of(sequence_, work_[i], cue);
      if (at == work_[i].begin || at == work_[i].end) continue;
      const int64_t elsewhere =
          std::max(pause_before(launches_, work_[i].begin), pause_before(launches_, work_[i].end));
      ++between;
      longer += static_cast<double>(pause_before(launches_, at)) > kClearPause * static_cast<double>(elsewhere);
    }
    if (longer > 0 && static_cast<double>(longer) >= kCueShare * static_cast<double>(between)) cue_ = cue;
  }

  size_t kernels_between(size_t begin, size_t end) {
    size_t kernels = 0;
    counter_.clear();
    for (size_t at = begin; at < end; ++at)
      if (launches_[at].kind == LaunchKind::kKernel) kernels += counter_.add(launches_[at].symbol);
    return kernels;
  }

  const LaunchSequence& sequence_;
  const std::vector<Launch>& launches_;
  SymbolCounter counter_;
  std::vector<Section> work_;  // from what the update leaves to the input
  size_t most_ = 0;            // different kernels in a step
  bool closes_ = false;
  Cue cue_;
};

// Whether the host pauses before this launch rather than before the input copy that follows it: then the input is the
// next step's, copied ahead, or the step begins with something else.
bool opens_before_input(const LaunchSequence& sequence, const std::vector<Section>& sections, const Cue& cue) {
  std::vector<int64_t> at_cue, at_input;
  for (size_t i = 1; i + 1 < sections.size(); ++i) {
    const size_t input = input_of(sequence.launches, sections[i], sections[i].begin);
    const size_t at = place_of(sequence, sections[i], cue);
    if (at >= input || input == sections[i].end) continue;
    at_cue.push_back(pause_before(sequence.launches, at));
    at_input.push_back(pause_before(sequence.launches, input));
  }
  return static_cast<double>(at_cue.size()) >= kCueShare * static_cast<double>(sections.size() - 2) &&
         usual_total(at_cue) > kClearPause * usual_total(at_input);
}

// Clipping belongs to the update. PyTorch copies a list of addresses to the device for it, which is no input.
size_t past_clipping(const std::vector<Launch>& launches, const Section& section) {
  for (size_t at = section.end; at-- > section.begin;)
    if (launches[at].role == UpdateRole::kClipping) return at + 1;
  return section.begin;
}

bool have_input(const std::vector<Launch>& launches, const std::vector<Section>& sections) {
  size_t with_input = 0;
  for (size_t i = 1; i + 1 < sections.size(); ++i)
    with_input += std::any_of(launches.begin() + sections[i].begin, launches.begin() + sections[i].end,
                              [](const Launch& launch) { return launch.kind == LaunchKind::kInputCopy; });
  return static_cast<double>(with_input) >= kCueShare * static_cast<double>(sections.size() - 2);
}

}  // namespace

std::vector<Section> sections_between(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors) {
  std::vector<Section> sections;
  for (size_t i = 0; i <= anchors.size(); ++i) {
    Section section{i == 0 ? 0 : anchors[i - 1].end, i == anchors.size() ? sequence.launches.size() : anchors[i].first};
    for (size_t at = section.begin; at < section.end; ++at)
      if (sequence.launches[at].is_backward && sequence.launches[at].kind == LaunchKind::kKernel) {
        section.end = at;
        break;
      }
    sections.push_back(section);
  }
  return sections;
}

std::vector<size_t> heads_after_updates(const LaunchSequence& sequence, const std::vector<Section>& sections) {
  const bool fills_open = fills_open_steps(sequence.launches, sections);
  std::vector<size_t> heads;
  for (const Section& section : sections) {
    const size_t head = past_readback(sequence.launches, section);
    heads.push_back(fills_open ? head : past_fills(sequence.launches, head, section.end));
  }
  const WorkBeforeInput work(sequence, sections, heads);
  for (size_t i = 0; i < sections.size(); ++i) heads[i] = work.begin_of(i);
  return heads;
}

std::vector<size_t> heads_after_passes(const LaunchSequence& sequence, const std::vector<Section>& between) {
  std::vector<Section> sections = between;
  if (sequence.has_backward_thread)  // else a section may begin anywhere in a step
    for (Section& section : sections) section.begin = past_clipping(sequence.launches, section);
  const Cue cue = cue_after_pause(sequence, sections, kCueShare);
  const bool has_input = have_input(sequence.launches, sections) && !opens_before_input(sequence, sections, cue);
  std::vector<size_t> heads;
  for (const Section& section : sections) {
    size_t head = place_of(sequence, section, cue);
    if (has_input) {
      const auto is_input = [](const Launch& launch) { return launch.kind == LaunchKind::kInputCopy; };
      head =
          std::find_if(sequence.launches.begin() + section.begin, sequence.launches.begin() + section.end, is_input) -
          sequence.launches.begin();
    }
    heads.push_back(head == section.end ? section.begin : head);
  }
  return heads;
}

}  // namespace tauprof
