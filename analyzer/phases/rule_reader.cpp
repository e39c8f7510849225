#include "phases/rule_reader.h"

#include <algorithm>
#include <array>

#include "classify/kernel_lists.h"

namespace tauprof {
namespace {

using std::string_view;

struct Word {
  string_view text;
  uint32_t bits;
};

template <class Value>
constexpr uint32_t bit(Value value) {
  return 1u << static_cast<uint32_t>(value);
}

constexpr std::array kClasses = {Word{"kernel", bit(RuleClass::kKernel)},
                                 Word{"gemm", bit(RuleClass::kGemm)},
                                 Word{"copy", bit(RuleClass::kCopy)},
                                 Word{"fill", bit(RuleClass::kFill)},
                                 Word{"collective", bit(RuleClass::kCollective)},
                                 Word{"message", bit(RuleClass::kMessage)},
                                 Word{"sync", bit(RuleClass::kSync)},
                                 Word{"wait", bit(RuleClass::kWait)},
                                 Word{"other", bit(RuleClass::kOther)}};
constexpr std::array kCopies = {Word{"h2d", bit(RuleCopy::kToDevice)}, Word{"d2h", bit(RuleCopy::kToHost)},
                                Word{"d2d", bit(RuleCopy::kWithin)}};
// What `after` takes.
constexpr auto kLaunched = [] {
  std::array<Word, kPhaseCount + 1> words;
  for (uint32_t i = 0; i < kPhaseCount; ++i) words[i] = {kPhaseNames[i], 1u << i};
  words[kPhaseCount] = {"none", kAfterNothing};
  return words;
}();
constexpr std::array kParts = {Word{"step", bit(StepPart::kElsewhere)}, Word{"behind", bit(StepPart::kBehind)},
                               Word{"extra", bit(StepPart::kExtra)}};
constexpr std::array kRoles = {Word{"main", bit(RuleRole::kMain)}, Word{"other", bit(RuleRole::kOther)}};
constexpr std::array kThreads = {Word{"one", bit(RuleThreads::kOne)}, Word{"several", bit(RuleThreads::kSeveral)}};

std::vector<string_view> words_of(string_view line) {
  std::vector<string_view> words;
  line = line.substr(0, line.find('#'));
  while (true) {
    const size_t start = line.find_first_not_of(" \t\r");
    if (start == line.npos) return words;
    line.remove_prefix(start);
    words.push_back(line.substr(0, line.find_first_of(" \t\r")));
    line.remove_prefix(words.back().size());
  }
}

bool read_phase(string_view text, Phase& phase) {
  const auto found = std::find(kPhaseNames.begin(), kPhaseNames.end(), text);
  phase = static_cast<Phase>(found - kPhaseNames.begin());
  return found != kPhaseNames.end();
}

// A file that holds no rules may have a word of any length.
std::string quoted(string_view text) {
  constexpr size_t kMostShown = 60;
  return "'" + std::string(text.substr(0, kMostShown)) + (text.size() > kMostShown ? "..." : "") + "'";
}

template <class Words>
std::string one_of(const Words& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + std::string(word.text);
  return text;
}

std::string bad_phase(string_view text) {
  std::string message = quoted(text) + " is no phase; there are";
  for (const string_view name : kPhaseNames) message += " " + std::string(name);
  return message;
}

// Reads "a,b" into bits.
template <class Words>
std::string read_bits(string_view field, string_view list, const Words& words, uint32_t& bits) {
  while (!list.empty()) {
    const string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    const auto word = std::find_if(words.begin(), words.end(), [&](const Word& known) { return known.text == item; });
    if (word == words.end())
      return quoted(item) + " is no value of " + std::string(field) + "; there are " + one_of(words);
    bits |= word->bits;
  }
  return {};
}

// A pattern, or the patterns of a list (kernel_lists.h).
std::string read_kernels(string_view value, std::vector<std::string>& patterns) {
  patterns = {std::string(value)};
  if (value.front() != '@') return {};
  std::string names = "@optimizer (kernel only)";
  for (const KernelList& list : kernel_lists()) {
    if (list.name == value) {
      patterns = list.patterns;
      return {};
    }
    names += ", " + std::string(list.name);
  }
  return quoted(value) + " is no list of kernels; there are " + names;
}

std::string read_field(string_view field, string_view value, CallRule& rule) {
  if (value.empty()) return "the field " + quoted(field) + " has no value";
  uint32_t bits = 0;
  if (field == "thread")
    rule.thread = value;
  else if (field == "function")
    rule.function = value;
  else if (field == "before")
    return read_kernels(value, rule.before);
  else if (field == "seen")
    return read_kernels(value, rule.seen);
  else if (field == "frame")
    rule.frame = value;
  else if (field == "kernel" && value == "@optimizer")
    rule.is_optimizer = true;
  else if (field == "kernel")
    return read_kernels(value, rule.kernel);
  else if (field == "class")
    return read_bits(field, value, kClasses, rule.classes);
  else if (field == "copy")
    return read_bits(field, value, kCopies, rule.copies);
  else if (field == "place")
    return read_bits(field, value, kParts, rule.parts);
  else if (field == "after")
    return read_bits(field, value, kLaunched, rule.after);
  else if (field == "role") {
    const std::string wrong = read_bits(field, value, kRoles, bits);
    rule.role = bits == bit(RuleRole::kMain) ? RuleRole::kMain : RuleRole::kOther;
    return wrong;
  } else if (field == "threads") {
    const std::string wrong = read_bits(field, value, kThreads, bits);
    rule.threads = bits == bit(RuleThreads::kOne) ? RuleThreads::kOne : RuleThreads::kSeveral;
    return wrong;
  } else {
    return quoted(field) +
           " is no field; there are thread, role, threads, function, kernel, class, copy, before, after, seen, place, "
           "frame";
  }
  return {};
}

std::string read_target(string_view text, CallRule& rule) {
  if (text == "@range")
    rule.target = RuleTarget::kRange;
  else if (text == "@previous")
    rule.target = RuleTarget::kPrevious;
  else if (text == "@next")
    rule.target = RuleTarget::kNext;
  else if (!read_phase(text, rule.phase))
    return bad_phase(text) + " @range @previous @next";
  return {};
}

}  // namespace

Status RuleReader::read(string_view text) {
  for (size_t number = 1; !text.empty(); ++number) {
    const string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::vector<string_view> words = words_of(line);
    if (words.empty()) continue;
    if (const std::string wrong = read_line(words); !wrong.empty())
      return Status::error(source_ + ":" + std::to_string(number) + ": " + wrong);
  }
  return Status::ok();
}

std::string RuleReader::read_line(const std::vector<string_view>& words) {
  if (words[0] == "range" || words[0] == "file") return read_range(words);
  if (words[0] == "call") return read_call(words);
  return quoted(words[0]) + " begins no rule; a line begins with range, file or call";
}

std::string RuleReader::read_range(const std::vector<string_view>& words) {
  if (words.size() != 3) return "give " + std::string(words[0]) + " PATTERN PHASE";
  RangeRule rule{std::string(words[1]), std::nullopt, words[0] == "file"};
  Phase phase = Phase::kOther;
  if (words[2] != "@none") {
    if (!read_phase(words[2], phase)) return bad_phase(words[2]);
    rule.phase = phase;
  }
  rules_.ranges.push_back(std::move(rule));
  return {};
}

std::string RuleReader::read_call(std::vector<string_view> words) {
  CallRule rule;
  if (words.size() >= 4 && words[words.size() - 2] == "then") {
    Phase then;
    if (!read_phase(words.back(), then)) return bad_phase(words.back());
    rule.then = then;
    words.resize(words.size() - 2);
  }
  if (words.size() < 2 || words.back().find('=') != string_view::npos) return "the line ends without a phase";
  if (std::string wrong = read_target(words.back(), rule); !wrong.empty()) return wrong;
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    if (equals == string_view::npos) return quoted(words[i]) + " is not of the form FIELD=VALUE";
    if (std::string wrong = read_field(words[i].substr(0, equals), words[i].substr(equals + 1), rule); !wrong.empty())
      return wrong;
  }
  rules_.calls.push_back(std::move(rule));
  return {};
}

}  // namespace tauprof
