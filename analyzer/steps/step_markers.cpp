#include "steps/step_markers.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "limits/analysis_limits.h"
#include "model/lower_case.h"

namespace tauprof {
namespace {

constexpr std::string_view kProfilerStep = "profilerstep#";

struct MarkerName {
  std::string shown;   // without its number
  std::string family;  // the same in lower case
  std::optional<int64_t> number;
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Where a name's number starts: the first number after the word that makes it a marker, else the last number.
size_t find_number(const std::string& name) {
  for (std::string_view word : {"step", "iter", "batch"})
    if (const size_t at = name.find(word); at != name.npos)
      if (const size_t digit = name.find_first_of("0123456789", at); digit != name.npos) return digit;
  size_t digit = name.find_last_of("0123456789");
  while (digit != name.npos && digit > 0 && is_digit(name[digit - 1])) --digit;
  return digit;
}

// "train step 12" → "train step", 12; "step 3/100" → "step /100", 3, of the family "step /".
MarkerName split_number(std::string_view name) {
  MarkerName result;
  result.shown = std::string(name);
  const size_t start = find_number(lower_case(result.shown));
  if (start != std::string::npos) {
    size_t end = start;
    while (end < name.size() && is_digit(name[end])) ++end;
    int64_t number = 0;
    if (std::from_chars(name.data() + start, name.data() + end, number).ec == std::errc()) result.number = number;
    result.shown.erase(start, end - start);
  }
  while (!result.shown.empty() && result.shown.back() == ' ') result.shown.pop_back();
  result.family = lower_case(result.shown);
  std::erase_if(result.family, is_digit);
  return result;
}

// "globalStep_fn" → global, step, fn.
std::set<std::string> words_of(std::string_view name) {
  std::set<std::string> words;
  std::string word;
  char last = ' ';
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    const bool starts_word = std::isupper(letter) && std::islower(static_cast<unsigned char>(last));
    if (!std::isalpha(letter) || starts_word) words.insert(std::exchange(word, {}));
    if (std::isalpha(letter)) word += static_cast<char>(std::tolower(letter));
    last = c;
  }
  words.insert(word);
  return words;
}

// 0: no step marker. Higher is better.
int trust_in(const MarkerName& name) {
  if (name.family == kProfilerStep) return 4;
  // Parts of a step whose names contain the word.
  for (std::string_view part : {"micro", "optim", "engine.step", "zero_grad", "sched", "substep", "sub_step",
                                "backward", "forward", "dataloader", "__next__"})
    if (name.family.find(part) != name.family.npos) return 0;
  const std::set<std::string> words = words_of(name.shown);
  if (words.count("step") != 0) return 3;
  if (words.count("iteration") != 0 || words.count("iter") != 0) return 2;
  return words.count("batch") != 0 && words.size() <= 3 ? 1 : 0;
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

  // A member of the same number inside the one before is the same mark again.
  bool has(const HostRange& range, std::optional<int64_t> number) const {
    return !steps.empty() && are_ranges && range.end <= steps.back().end + kRoundedTime && number == numbers.back() &&
           range.start < steps.back().end;
  }
  void add(const HostRange& range, std::optional<int64_t> number) {
    if (has(range, number)) return;
    overlap |= !steps.empty() && are_ranges && range.start + kRoundedTime < steps.back().end;
    steps.push_back({0, range.start, range.end});
    numbers.push_back(number);
    covered += range.end - range.start;
    are_ranges &= !range.is_mark;
  }
  bool usable() const { return !overlap && (trust == 4 || steps.size() >= 2); }
  auto rank() const { return std::make_tuple(trust, is_main, covered, steps.size()); }
};

void number_steps(Family& family) {
  bool has_numbers = true;  // use the numbers in the names if they rise
  for (size_t i = 0; i < family.steps.size(); ++i)
    has_numbers &= family.numbers[i].has_value() && (i == 0 || *family.numbers[i] > *family.numbers[i - 1]);
  for (size_t i = 0; i < family.steps.size(); ++i)
    family.steps[i].number = has_numbers ? *family.numbers[i] : static_cast<int64_t>(i);
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
      const int trust = trust_in(name);
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
