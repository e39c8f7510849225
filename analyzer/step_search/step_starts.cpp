#include "step_search/step_starts.h"

#include <algorithm>

#include "step_search/pauses.h"
#include "step_search/step_search_limits.h"
#include "step_search/symbol_set.h"

namespace tauprof {
namespace {

// After the last launch that reads back or waits, if it is close to the update and before any input.
size_t past_readback(const std::vector<Launch>& launches, const Section& section) {
  size_t start = section.start, since = 0;
  for (size_t at = section.start; at < section.end && since < kReadbackDistance; ++at, ++since) {
    // A stage of a pipeline starts with what it receives.
    if (launches[at].kind == LaunchKind::kInputCopy || launches[at].is_message) break;
    // Averages of the weights also belong to the update.
    if (!reads_or_waits(launches[at]) && launches[at].role != UpdateRole::kList) continue;
    start = at + 1;
    since = 0;
  }
  return start;
}

size_t past_fills(const std::vector<Launch>& launches, size_t start, size_t end) {
  while (start < end && launches[start].kind == LaunchKind::kFill) ++start;
  return start;
}

// Whether memsets after the update open the next step (a loss that is summed up) or close this one by clearing its
// gradients. They open it if they follow a readback. Otherwise they belong to the side with the shorter pause.
bool fills_open_steps(const std::vector<Launch>& launches, const std::vector<Section>& sections) {
  size_t opens = 0, closes = 0;
  for (size_t i = 1; i + 1 < sections.size(); ++i) {
    const size_t start = past_readback(launches, sections[i]), end = past_fills(launches, start, sections[i].end);
    if (end == start || start == 0) continue;
    if (start > sections[i].start) return true;
    size_t next = end;  // the pause continues after a launch that waits
    while (next < launches.size() && launches[next].kind == LaunchKind::kSync) ++next;
    if (next == launches.size()) continue;
    const int64_t before = launches[start].start - launches[start - 1].end;
    const int64_t after = launches[next].start - launches[end - 1].end;
    ++(before > after ? opens : closes);
  }
  return opens > closes;
}

// The first input copy of a section; the section's end if there is none.
size_t input_of(const std::vector<Launch>& launches, const Section& section, size_t from) {
  for (size_t at = from; at < section.end; ++at)
    if (launches[at].kind == LaunchKind::kInputCopy) return at;
  return section.end;
}

// Work between an update and the next input is no part of forward if it shows few kernels. It ends the step (averages
// of the weights, logging) or starts the next one (random numbers), depending on where the host pauses. It may do both:
// averages, a pause, cleared gradients, the input.
class WorkBeforeInput {
 public:
  WorkBeforeInput(const LaunchSequence& sequence, const std::vector<Section>& sections,
                  const std::vector<size_t>& starts)
      : sequence_(sequence), launches_(sequence.launches), counter_(sequence.symbols) {
    for (size_t i = 1; i < sections.size(); ++i)
      most_ = std::max(most_, kernels_between(sections[i - 1].start, sections[i].start));
    for (size_t i = 0; i < sections.size(); ++i) work_.push_back({starts[i], end_of(sections[i], starts[i])});
    size_t closes = 0, opens = 0;
    for (size_t i = 1; i + 1 < work_.size(); ++i) {
      const Section& work = work_[i];
      if (work.start != work.end)
        ++(pause_before(launches_, work.end) > pause_before(launches_, work.start) ? closes : opens);
    }
    closes_ = closes > opens;
    find_opening();
  }

  // Where the step starts in this section.
  size_t start_of(size_t section) const {
    const Section& work = work_[section];
    if (work.start == work.end) return work.start;
    const size_t at_opening = position_of(sequence_, work, opening_);
    if (at_opening != work.end) return at_opening;
    return closes_ ? work.end : work.start;
  }

 private:
  size_t end_of(const Section& section, size_t start) {
    const size_t input = input_of(launches_, section, start);
    const bool goes_on = section.end == launches_.size();  // the input, or the pass that uses it, may still come
    if (input == section.end && !goes_on) return start;
    const size_t before = kernels_between(start, input);
    return static_cast<double>(before) < kPassVocabulary * static_cast<double>(most_) ? input : start;
  }

  // A launch within the work, if the host pauses clearly longer before it than at either end.
  void find_opening() {
    const OpeningLaunch opening = opening_after_pause(sequence_, work_, kCommonShare);
    size_t between = 0, longer = 0;
    for (size_t i = 1; i + 1 < work_.size(); ++i) {
      const size_t at = position_of(sequence_, work_[i], opening);
      if (at == work_[i].start || at == work_[i].end) continue;
      const int64_t elsewhere =
          std::max(pause_before(launches_, work_[i].start), pause_before(launches_, work_[i].end));
      ++between;
      longer += static_cast<double>(pause_before(launches_, at)) > kClearPause * static_cast<double>(elsewhere);
    }
    if (longer > 0 && static_cast<double>(longer) >= kUsualShare * static_cast<double>(between)) opening_ = opening;
  }

  size_t kernels_between(size_t start, size_t end) {
    size_t kernels = 0;
    counter_.clear();
    for (size_t at = start; at < end; ++at)
      if (launches_[at].kind == LaunchKind::kKernel) kernels += counter_.add(launches_[at].symbol);
    return kernels;
  }

  const LaunchSequence& sequence_;
  const std::vector<Launch>& launches_;
  SymbolCounter counter_;
  std::vector<Section> work_;  // from the end of the update's work to the input
  size_t most_ = 0;            // most different kernels in a step
  bool closes_ = false;
  OpeningLaunch opening_;
};

// Whether the host pauses before the opening launch rather than before the input copy that follows. Then the input
// belongs to the next step and was copied ahead, or the step starts with something else.
bool opens_before_input(const LaunchSequence& sequence, const std::vector<Section>& sections,
                        const OpeningLaunch& opening) {
  std::vector<int64_t> at_opening, at_input;
  for (size_t i = 1; i + 1 < sections.size(); ++i) {
    const size_t input = input_of(sequence.launches, sections[i], sections[i].start);
    const size_t at = position_of(sequence, sections[i], opening);
    if (at >= input || input == sections[i].end) continue;
    at_opening.push_back(pause_before(sequence.launches, at));
    at_input.push_back(pause_before(sequence.launches, input));
  }
  return static_cast<double>(at_opening.size()) >= kUsualShare * static_cast<double>(sections.size() - 2) &&
         usual_total(at_opening) > kClearPause * usual_total(at_input);
}

bool have_input(const std::vector<Launch>& launches, const std::vector<Section>& sections) {
  size_t with_input = 0;
  for (size_t i = 1; i + 1 < sections.size(); ++i)
    with_input += std::any_of(launches.begin() + sections[i].start, launches.begin() + sections[i].end,
                              [](const Launch& launch) { return launch.kind == LaunchKind::kInputCopy; });
  return static_cast<double>(with_input) >= kUsualShare * static_cast<double>(sections.size() - 2);
}

}  // namespace

std::vector<size_t> starts_after_updates(const LaunchSequence& sequence, const std::vector<Section>& sections) {
  const bool fills_open = fills_open_steps(sequence.launches, sections);
  std::vector<size_t> starts;
  for (const Section& section : sections) {
    const size_t start = past_readback(sequence.launches, section);
    starts.push_back(fills_open ? start : past_fills(sequence.launches, start, section.end));
  }
  const WorkBeforeInput work(sequence, sections, starts);
  for (size_t i = 0; i < sections.size(); ++i) starts[i] = work.start_of(i);
  return starts;
}

std::vector<size_t> starts_after_passes(const LaunchSequence& sequence, const std::vector<Section>& sections) {
  const OpeningLaunch opening = opening_after_pause(sequence, sections, kUsualShare);
  const bool has_input = have_input(sequence.launches, sections) && !opens_before_input(sequence, sections, opening);
  std::vector<size_t> starts;
  for (const Section& section : sections) {
    size_t start = position_of(sequence, section, opening);
    if (has_input) {
      const auto is_input = [](const Launch& launch) { return launch.kind == LaunchKind::kInputCopy; };
      start =
          std::find_if(sequence.launches.begin() + section.start, sequence.launches.begin() + section.end, is_input) -
          sequence.launches.begin();
    }
    starts.push_back(start == section.end ? section.start : start);
  }
  return starts;
}

}  // namespace tauprof
