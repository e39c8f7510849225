#include "replay/repair_words.h"

#include <charconv>
#include <optional>
#include <vector>

namespace tauprof {
namespace {

constexpr int64_t kMostSteps = 1'000'000;  // that one term names

bool read_number(std::string_view text, int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0;
}

bool read_rank(std::string_view text, int32_t& rank) {
  int64_t number = 0;
  if (!read_number(text, number) || number > INT32_MAX) return false;
  rank = static_cast<int32_t>(number);
  return true;
}

// "4" or "4:9"
bool read_steps(std::string_view text, bool is_range, std::vector<int64_t>& steps) {
  const size_t colon = text.find(':');
  int64_t first = 0, last = 0;
  if (is_range != (colon != text.npos) || !read_number(text.substr(0, colon), first)) return false;
  last = first;
  if (is_range && !read_number(text.substr(colon + 1), last)) return false;
  if (last < first || last - first >= kMostSteps) return false;
  for (int64_t step = first; step <= last; ++step) steps.push_back(step);
  return true;
}

std::optional<LedgerRow> row_called(std::string_view word) {
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    if (!word.empty() && kLedgerRowKinds[row].word == word) return static_cast<LedgerRow>(row);
  return std::nullopt;
}

bool read_place(std::string_view term, AskedRepair& asked) {
  Repair& repair = asked.repair;
  const size_t colon = term.find(':');
  const std::string_view word = term.substr(0, colon), rest = colon == term.npos ? "" : term.substr(colon + 1);
  if (word == "rank") return read_rank(rest, repair.ranks.emplace_back());
  if (word == "stage") return asked.stage < 0 && read_rank(rest, asked.stage);
  if (word == "step" || word == "steps") return read_steps(rest, word == "steps", repair.steps);
  if (word == "window" || word == "windows") {
    repair.are_windows = true;
    return read_steps(rest, word == "windows", repair.steps);
  }
  if (repair.kind != RepairKind::kAsPeers) return false;
  if (word == "else") return !repair.row && (repair.row = row_called(rest)).has_value();
  if (colon != term.npos || repair.fault != Fault::kAny) return false;
  repair.fault = term == "host" ? Fault::kHost : term == "device" ? Fault::kDevice : Fault::kAny;
  return repair.fault != Fault::kAny;
}

// The first term of --fix: what it is about, and often a place. Returns the part that still has to be read as a place.
std::string_view read_what_to_fix(std::string_view term, AskedRepair& asked) {
  Repair& repair = asked.repair;
  const std::string_view word = term.substr(0, term.find(':'));
  if (word == "rank" || word == "stage") repair.kind = RepairKind::kAsPeers;
  if (word == "step" || word == "steps") {
    repair.kind = RepairKind::kAsOtherSteps;
    repair.are_windows = true;
  }
  if (word == "links") {
    repair.kind = RepairKind::kLinks;
    if (!read_rank(term.substr(word.size() + (word.size() < term.size())), repair.ranks.emplace_back()))
      repair.kind = RepairKind::kNone;
    return {};
  }
  if (term == "launches") {
    repair.kind = RepairKind::kAsGraph;
    return {};
  }
  return term;
}

void read_what_goes(std::string_view word, Repair& repair) {
  if (word == "input-copies") repair.kind = RepairKind::kInputCopies;
  if (const std::optional<LedgerRow> row = row_called(word)) {
    repair.kind = RepairKind::kRow;
    repair.row = row;
  }
}

std::string steps_text(const Repair& repair, std::string_view word) {
  std::string text;
  const std::vector<int64_t>& steps = repair.steps;
  for (size_t i = 0; i < steps.size();) {
    size_t last = i;
    while (last + 1 < steps.size() && steps[last + 1] == steps[last] + 1) ++last;
    text += "," + std::string(word) + (last > i ? "s:" : ":") + std::to_string(steps[i]);
    if (last > i) text += ":" + std::to_string(steps[last]);
    i = last + 1;
  }
  return text;
}

std::string ranks_text(const std::vector<int32_t>& ranks) {
  std::string text;
  for (const int32_t rank : ranks) text += ",rank:" + std::to_string(rank);
  return text;
}

std::string places_text(const Repair& repair) {
  return ranks_text(repair.ranks) + steps_text(repair, repair.are_windows ? "window" : "step");
}

// Of a rank that is fixed.
std::string details_text(const Repair& repair) {
  std::string text = places_text(repair);
  if (repair.fault != Fault::kAny) text += repair.fault == Fault::kHost ? ",host" : ",device";
  if (repair.row && !kind_of(*repair.row).word.empty()) text += ",else:" + std::string(kind_of(*repair.row).word);
  return text;
}

}  // namespace

bool read_repair(std::string_view option, std::string_view value, AskedRepair& asked, std::string& wrong) {
  Repair& repair = asked.repair;
  if (option == "fuse-update") {
    repair.kind = RepairKind::kFusedUpdate;
    int64_t bytes = 0;
    if (!read_number(value, bytes) || bytes == 0) wrong = "'" + std::string(value) + "' is no number of bytes";
    repair.update_bytes = static_cast<double>(bytes);
    return true;
  }
  size_t end = value.find(',');
  const std::string_view first = value.substr(0, end);
  std::string_view place;
  if (option == "fix")
    place = read_what_to_fix(first, asked);
  else
    read_what_goes(first, repair);
  if (repair.kind == RepairKind::kNone) return false;
  if (!place.empty() && !read_place(place, asked)) return false;
  while (end != value.npos && wrong.empty()) {
    const size_t start = end + 1;
    end = value.find(',', start);
    const std::string_view term = value.substr(start, end == value.npos ? value.npos : end - start);
    if (!read_place(term, asked))
      wrong = "'" + std::string(value) + "': '" + std::string(term) + "' is none of " + listed(named_places()) +
              (repair.kind == RepairKind::kAsPeers ? ", " + listed(named_faults()) : "");
  }
  return true;
}

std::string option_of(const Repair& repair) {
  const std::string places = places_text(repair);
  switch (repair.kind) {
    case RepairKind::kAsPeers:
      return repair.ranks.empty() ? "" : "--fix " + details_text(repair).substr(1);
    case RepairKind::kAsOtherSteps:
      return repair.steps.empty() ? "" : "--fix " + steps_text(repair, "step").substr(1);
    case RepairKind::kLinks:
      return repair.ranks.empty() ? "" : "--fix links" + places.substr(places.find(':'));
    case RepairKind::kRow:
      return kind_of(*repair.row).word.empty() ? "" : "--without " + std::string(kind_of(*repair.row).word) + places;
    case RepairKind::kAsGraph:
      return places.empty() ? "--as-graph" : "--fix launches" + places;
    case RepairKind::kInputCopies:
      return "--without input-copies" + places;
    case RepairKind::kTf32:
      return places.empty() ? "--tf32" : "";
    case RepairKind::kAligned:
      return places.empty() ? "--aligned" : "";
    case RepairKind::kFusedUpdate:
      return places.empty() ? "--fuse-update " + std::to_string(static_cast<int64_t>(repair.update_bytes)) : "";
    case RepairKind::kNone:
      break;
  }
  return {};
}

std::vector<std::string_view> named_rows() {
  std::vector<std::string_view> words;
  for (const LedgerRowKind& kind : kLedgerRowKinds)
    if (!kind.word.empty() && (words.empty() || words.back() != kind.word)) words.push_back(kind.word);
  return words;
}

std::vector<std::string_view> named_fixes() {
  return {"rank:N", "stage:N", "links:N", "step:N", "steps:A:B", "launches"};
}

std::vector<std::string_view> named_places() {
  return {"rank:N", "stage:N", "step:N", "steps:A:B", "window:N", "windows:A:B"};
}

std::vector<std::string_view> named_faults() { return {"host", "device", "else:ROW"}; }

std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

}  // namespace tauprof
