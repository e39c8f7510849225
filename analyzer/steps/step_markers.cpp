#include "steps/step_markers.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <tuple>

namespace tauprof {
namespace {

constexpr std::string_view kProfilerStep = "profilerstep#";

struct MarkerName {
  std::string shown;   // without its number
  std::string family;  // the same in lower case
  std::optional<int64_t> number;
};

// "train step 12" → {"train step", 12}; "global_step=7" → {"global_step=", 7}.
MarkerName split_number(std::string_view name) {
  size_t end = name.size();
  while (end > 0 && !std::isdigit(static_cast<unsigned char>(name[end - 1])) &&
         !std::isalpha(static_cast<unsigned char>(name[end - 1])))
    --end;
  size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1]))) --begin;
  MarkerName result;
  int64_t number = 0;
  if (begin < end && std::from_chars(name.data() + begin, name.data() + end, number).ec == std::errc())
    result.number = number;
  result.family = std::string(name.substr(0, begin));
  while (!result.family.empty() && result.family.back() == ' ') result.family.pop_back();
  result.shown = result.family;
  std::transform(result.family.begin(), result.family.end(), result.family.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return result;
}

// 0: no step marker; more is better.
int trust_in(std::string_view family) {
  if (family == kProfilerStep) return 4;
  // Parts of a step that carry the word.
  for (std::string_view part : {"micro", "optim", "zero_grad", "sched", "substep", "sub_step", "backward", "forward"})
    if (family.find(part) != family.npos) return 0;
  if (family.find("step") != family.npos) return 3;
  if (family.find("iter") != family.npos && family.find("__iter") == family.npos) return 2;
  if (family == "batch" || family == "train_batch" || family == "train batch" || family == "batch #") return 1;
  return 0;
}

bool can_mark(const HostRange& range) {
  return range.source == log::RangeSource::kNvtx || range.source == log::RangeSource::kNvtxProcess ||
         range.source == log::RangeSource::kAnnotation;
}

struct Family {
  std::string shown;
  int trust = 0;
  bool is_main = false;
  bool are_ranges = true;
  bool overlap = false;
  Nanoseconds covered = 0;
  std::vector<HostStep> steps;
  std::vector<std::optional<int64_t>> numbers;

  void add(const HostRange& range, std::optional<int64_t> number) {
    overlap |= !steps.empty() && are_ranges && range.start < steps.back().end;
    steps.push_back({0, range.start, range.end});
    numbers.push_back(number);
    covered += range.end - range.start;
    are_ranges &= !range.is_mark;
  }
  bool usable() const { return !overlap && (trust == 4 || steps.size() >= 2); }
  auto rank() const { return std::make_tuple(trust, is_main, covered, steps.size()); }
};

void number_steps(Family& family) {
  bool own = true;  // the names' own numbers count if they rise
  for (size_t i = 0; i < family.steps.size(); ++i)
    own &= family.numbers[i].has_value() && (i == 0 || *family.numbers[i] > *family.numbers[i - 1]);
  for (size_t i = 0; i < family.steps.size(); ++i)
    family.steps[i].number = own ? *family.numbers[i] : static_cast<int64_t>(i);
}

Nanoseconds end_of_calls(const ProcessTrace& trace) {
  Nanoseconds end = 0;
  for (const HostCall& call : trace.calls) end = std::max(end, call.end);
  return end;
}

}  // namespace

StepMarkers find_step_markers(const ProcessTrace& trace) {
  std::vector<std::optional<std::pair<MarkerName, int>>> parsed(trace.names.size());
  std::map<std::tuple<uint16_t, NameId, std::string>, Family> families;
  for (const HostRange& range : trace.ranges) {
    if (!can_mark(range)) continue;
    auto& entry = parsed[range.name];
    if (!entry) {
      MarkerName name = split_number(trace.names[range.name]);
      const int trust = trust_in(name.family);
      entry.emplace(std::move(name), trust);
    }
    if (entry->second == 0) continue;
    Family& family = families[{range.thread, range.domain, entry->first.family}];
    if (family.steps.empty()) family.shown = entry->first.shown;
    family.trust = entry->second;
    family.is_main = trace.threads[range.thread].is_main;
    family.add(range, entry->first.number);
  }
  Family* best = nullptr;
  for (auto& [key, family] : families)
    if (family.usable() && (best == nullptr || family.rank() > best->rank())) best = &family;
  StepMarkers markers;
  if (best == nullptr) return markers;
  number_steps(*best);
  markers.family = best->shown;
  markers.are_ranges = best->are_ranges;
  markers.steps = std::move(best->steps);
  for (size_t i = 0; i + 1 < markers.steps.size(); ++i) markers.steps[i].end = markers.steps[i + 1].start;
  if (!markers.are_ranges) markers.steps.back().end = std::max(markers.steps.back().start, end_of_calls(trace) + 1);
  return markers;
}

}  // namespace tauprof
