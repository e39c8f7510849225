#include "steps/step_heads.h"

#include <algorithm>

#include "steps/symbol_set.h"
#include "steps/thresholds.h"

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
    if (launches[at].kind == LaunchKind::kInputCopy || opens_input(launches, at)) break;
    const bool scales = launches[at].is_scaling && at == head;  // the next loss scale, right behind the update
    if (!reads_or_waits(launches[at]) && !scales) continue;
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
    const Nanoseconds before = launches[head].start - launches[head - 1].end;
    const Nanoseconds after = launches[end].start - launches[end - 1].end;
    ++(before > after ? opens : closes);
  }
  return opens > closes;
}

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
      const Launch& before = sequence.launches[at - 1];
      const Nanoseconds since = before.kind == LaunchKind::kSync ? before.start : before.end;
      ++pauses[launch.symbol].sections;
      pauses[launch.symbol].total += static_cast<double>(std::max<Nanoseconds>(0, launch.start - since));
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
  return heads;
}

std::vector<size_t> heads_after_passes(const LaunchSequence& sequence, const std::vector<Section>& sections) {
  const bool has_input = have_input(sequence.launches, sections);
  const uint32_t cue = has_input ? sequence.symbols : symbol_after_pause(sequence, sections);
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
