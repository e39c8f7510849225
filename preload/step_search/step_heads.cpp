#include "step_search/step_heads.h"

#include <algorithm>

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
    if (end == head || end >= launches.size() || head == 0) continue;
    if (head > sections[i].begin) return true;
    const int64_t before = launches[head].start - launches[head - 1].end;
    const int64_t after = launches[end].start - launches[end - 1].end;
    ++(before > after ? opens : closes);
  }
  return opens > closes;
}

// How long the host was away before it launched this; a wait for the device counts as being away.
int64_t pause_before(const std::vector<Launch>& launches, size_t at) {
  if (at == 0) return 0;
  const Launch& before = launches[at - 1];
  const int64_t since = before.kind == LaunchKind::kSync ? before.start : before.end;
  return std::max<int64_t>(0, launches[at].start - since);
}

// The first input copy of a section, or the wait that opens it; the section's end: there is none.
size_t input_of(const std::vector<Launch>& launches, const Section& section, size_t from) {
  for (size_t at = from; at < section.end; ++at)
    if (launches[at].kind == LaunchKind::kInputCopy || opens_input(launches, at)) return at;
  return section.end;
}

// Work between an update and the next input that is no part of a forward pass, because it shows few kernels, is the end
// of the step (averages of the weights, logging) or the begin of the next (random numbers), by where the host pauses.
class WorkBeforeInput {
 public:
  WorkBeforeInput(const LaunchSequence& sequence, const std::vector<Section>& sections,
                  const std::vector<size_t>& heads)
      : launches_(sequence.launches), counter_(sequence.symbols) {
    for (size_t i = 1; i < sections.size(); ++i)
      most_ = std::max(most_, kernels_between(sections[i - 1].begin, sections[i].begin));
    size_t closes = 0, opens = 0;
    for (size_t i = 1; i + 1 < sections.size(); ++i) {
      const size_t input = end_of(sections[i], heads[i]);
      if (input == heads[i]) continue;
      ++(pause_before(launches_, input) > pause_before(launches_, heads[i]) ? closes : opens);
    }
    closes_ = closes > opens;
  }

  // Where the step begins that was thought to begin at `head`.
  size_t past(const Section& section, size_t head) { return closes_ ? end_of(section, head) : head; }

 private:
  size_t end_of(const Section& section, size_t head) {
    const size_t input = input_of(launches_, section, head);
    if (input == section.end) return head;
    const size_t before = kernels_between(head, input);
    if (before > kernels_between(input, section.end)) return head;  // the pass itself: this input was copied ahead
    return static_cast<double>(before) < kPassVocabulary * static_cast<double>(most_) ? input : head;
  }
  size_t kernels_between(size_t begin, size_t end) {
    size_t kernels = 0;
    counter_.clear();
    for (size_t at = begin; at < end; ++at)
      if (launches_[at].kind == LaunchKind::kKernel) kernels += counter_.add(launches_[at].symbol);
    return kernels;
  }

  const std::vector<Launch>& launches_;
  SymbolCounter counter_;
  size_t most_ = 0;  // different kernels in a step
  bool closes_ = false;
};

// The launch that occurs once in most sections and is waited for longest, or none.
uint32_t symbol_after_pause(const LaunchSequence& sequence, const std::vector<Section>& sections) {
  struct Pause {
    size_t sections = 0;
    double total = 0;
  };
  std::vector<Pause> pauses(sequence.symbols);
  SymbolCounter counter(sequence.symbols);
  for (size_t i = 1; i + 1 < sections.size(); ++i) {
    counter.clear();
    for (size_t at = sections[i].begin; at < sections[i].end; ++at) {
      const Launch& launch = sequence.launches[at];
      if (at == 0 || launch.kind == LaunchKind::kSync || !counter.add(launch.symbol)) continue;
      ++pauses[launch.symbol].sections;
      pauses[launch.symbol].total += static_cast<double>(pause_before(sequence.launches, at));
    }
  }
  const double enough = kCueShare * static_cast<double>(sections.size() - 2);
  uint32_t best = sequence.symbols;
  for (uint32_t symbol = 0; symbol < sequence.symbols; ++symbol) {
    if (static_cast<double>(pauses[symbol].sections) < enough) continue;
    if (best == sequence.symbols || pauses[symbol].total > pauses[best].total) best = symbol;
  }
  return best;
}

// Whether the host pauses before this launch rather than before the input copy that follows it: then the input is the
// next step's, copied ahead, or the step begins with something else.
bool opens_before_input(const LaunchSequence& sequence, const std::vector<Section>& sections, uint32_t cue) {
  double at_cue = 0, at_input = 0;
  size_t both = 0;
  for (size_t i = 1; i + 1 < sections.size(); ++i) {
    const size_t input = input_of(sequence.launches, sections[i], sections[i].begin);
    size_t at = sections[i].begin;
    while (at < input && sequence.launches[at].symbol != cue) ++at;
    if (at == input || input == sections[i].end) continue;
    ++both;
    at_cue += static_cast<double>(pause_before(sequence.launches, at));
    at_input += static_cast<double>(pause_before(sequence.launches, input));
  }
  return static_cast<double>(both) >= kCueShare * static_cast<double>(sections.size() - 2) &&
         at_cue > kClearPause * at_input;
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
  WorkBeforeInput work(sequence, sections, heads);
  for (size_t i = 0; i < sections.size(); ++i) heads[i] = work.past(sections[i], heads[i]);
  return heads;
}

std::vector<size_t> heads_after_passes(const LaunchSequence& sequence, const std::vector<Section>& between) {
  std::vector<Section> sections = between;
  if (sequence.has_backward_thread)  // else a section may begin anywhere in a step
    for (Section& section : sections) section.begin = past_clipping(sequence.launches, section);
  const uint32_t cue = symbol_after_pause(sequence, sections);
  const bool has_input = have_input(sequence.launches, sections) && !opens_before_input(sequence, sections, cue);
  std::vector<size_t> heads;
  for (const Section& section : sections) {
    size_t head = section.begin;
    for (size_t at = section.begin; at < section.end; ++at) {
      const Launch& launch = sequence.launches[at];
      const bool is_cue = has_input ? launch.kind == LaunchKind::kInputCopy : launch.symbol == cue;
      if (!is_cue) continue;
      head = at;
      break;
    }
    heads.push_back(head);
  }
  return heads;
}

}  // namespace tauprof
