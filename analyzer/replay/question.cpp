#include "replay/question.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <vector>

#include "model/operation_names.h"
#include "model/phase.h"
#include "names/glob.h"

namespace tauprof {
namespace {

using Kind = Subject::Kind;

constexpr std::string_view kCopyNames[] = {"memset", "h2h", "h2d", "d2h", "d2d", "default", "p2p"};

struct SubjectWord {
  std::string_view word;
  Kind kind;
};
constexpr SubjectWord kSubjectWords[] = {{"kernel", Kind::kKernel},
                                         {"phase", Kind::kPhase},
                                         {"op", Kind::kOperation},
                                         {"comm", Kind::kCommunicator},
                                         {"copy", Kind::kCopy}};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// Names that a subject of this kind can have; empty: that depends on the run.
std::vector<std::string_view> names_for(Kind kind) {
  std::vector<std::string_view> names;
  if (kind == Kind::kPhase) names.assign(kPhaseNames.begin(), kPhaseNames.end());
  if (kind == Kind::kCopy) names.assign(std::begin(kCopyNames), std::end(kCopyNames));
  if (kind == Kind::kOperation)
    for (int i = 1; i <= static_cast<int>(log::Operation::kBarrier); ++i)
      names.push_back(name_of(static_cast<log::Operation>(i)));
  return names;
}

std::string read_subject(std::string_view text, Subject& subject) {
  const size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon), name = colon == text.npos ? "" : text.substr(colon + 1);
  const auto known = std::find_if(std::begin(kSubjectWords), std::end(kSubjectWords),
                                  [&](const SubjectWord& one) { return one.word == word; });
  if (known == std::end(kSubjectWords) || name.empty())
    return quoted(text) + " is none of kernel:GLOB, phase:NAME, op:NAME, comm:GLOB, copy:NAME";
  subject = {known->kind, std::string(name)};
  const std::vector<std::string_view> names = names_for(known->kind);
  if (!names.empty() &&
      std::none_of(names.begin(), names.end(), [&](std::string_view one) { return matches_glob(name, one); }))
    return quoted(text) + ": there is no such " + (known->kind == Kind::kOperation ? "operation" : std::string(word)) +
           "; there are " + listed(names);
  return {};
}

// "2x" → 2.
std::optional<double> factor_of(std::string_view text) {
  constexpr double kLargest = 1e6;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end + 1 == text.data() + text.size() && *end == 'x';
  return is_whole && value >= 1 / kLargest && value <= kLargest ? std::optional(value) : std::nullopt;
}

std::string read_speed(std::string_view value, Question& question) {
  const size_t equals = value.rfind('=');
  const auto factor = equals == value.npos ? std::nullopt : factor_of(value.substr(equals + 1));
  if (!factor) return quoted(value) + " does not end with a factor such as =2x";
  question.kind = Question::Kind::kSpeed;
  question.factor = *factor;
  return read_subject(value.substr(0, equals), question.subject);
}

std::string read_without(std::string_view value, Question& question) {
  question.kind = Question::Kind::kWithout;
  if (value.find(':') != value.npos) return read_subject(value, question.subject);
  return quoted(value) + " is none of " + listed(named_rows()) +
         ", input-copies (each of all ranks, or of some, or in some steps: stalls,rank:3,steps:4:9), kernel:GLOB, "
         "phase:NAME, op:NAME, comm:GLOB, copy:NAME";
}

// "op:all_reduce,alpha=0.5x,beta=2x"
std::string read_link(std::string_view value, Question& question) {
  question.kind = Question::Kind::kLink;
  std::string_view subject = value;
  bool is_changed = false;
  for (size_t comma; (comma = subject.rfind(',')) != subject.npos; subject = subject.substr(0, comma)) {
    const std::string_view term = subject.substr(comma + 1);
    const bool is_alpha = term.starts_with("alpha="), is_beta = term.starts_with("beta=");
    if (!is_alpha && !is_beta) break;
    const auto factor = factor_of(term.substr(term.find('=') + 1));
    if (!factor) return quoted(term) + " is no factor such as beta=2x";
    (is_alpha ? question.alpha_factor : question.beta_factor) = *factor;
    is_changed = true;
  }
  if (!is_changed) return quoted(value) + " says nothing such as ,alpha=0.5x or ,beta=2x";
  if (std::string wrong = read_subject(subject, question.subject); !wrong.empty()) return wrong;
  const bool is_comm = question.subject.kind == Kind::kOperation || question.subject.kind == Kind::kCommunicator;
  return is_comm ? "" : quoted(subject) + " has no links; op:NAME and comm:GLOB have";
}

}  // namespace

std::string read_question(std::string_view option, std::string_view value, Question& question) {
  question.text = std::string(option) + " " + std::string(value);
  question.asked = {};
  std::string wrong;
  if (option != "speed" && option != "link" && read_repair(option, value, question.asked, wrong)) {
    question.kind = Question::Kind::kRepair;
    return wrong;
  }
  if (option == "speed") return read_speed(value, question);
  if (option == "without") return read_without(value, question);
  if (option == "link") return read_link(value, question);
  return quoted(value) + " is none of " + listed(named_fixes()) + "; behind it may stand " + listed(named_places()) +
         ", and behind rank:N " + listed(named_faults());
}

std::vector<std::string> words_of_question(std::string_view option) {
  std::vector<std::string> words;
  // "rank:N" is begun by "rank:".
  const auto add = [&](const std::vector<std::string_view>& forms) {
    for (const std::string_view form : forms) {
      std::string word(form.substr(0, std::min(form.find(':'), form.size() - 1) + 1));
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
    }
  };
  if (option == "without") add(named_rows()), words.emplace_back("input-copies");
  if (option == "fix")
    add(named_fixes());
  else
    for (const SubjectWord& subject : kSubjectWords) words.push_back(std::string(subject.word) + ":");
  if (option == "fix" || option == "without") add(named_places());
  if (option == "fix") add(named_faults());
  return words;
}

Question question_of(std::string_view option) {
  Question question;
  question.kind = Question::Kind::kRepair;
  question.text = option;
  question.asked.repair.kind = option == "tf32"      ? RepairKind::kTf32
                               : option == "aligned" ? RepairKind::kAligned
                                                     : RepairKind::kAsGraph;
  return question;
}

std::vector<Question> bucket_questions(std::string_view value) {
  constexpr double kLeast = 1.0 / 1024, kMost = 1 << 20;
  const size_t dots = value.find("..");
  double first = 0, last = 0;
  const auto read = [](std::string_view text, double& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= kLeast && number <= kMost;
  };
  if (!read(value.substr(0, dots), first)) return {};
  last = first;
  if ((dots != value.npos && !read(value.substr(dots + 2), last)) || last < first) return {};
  std::vector<Question> questions;
  for (double size = first;; size = std::min(2 * size, last)) {
    Question& one = questions.emplace_back();
    one.kind = Question::Kind::kBuckets;
    one.bucket_mib = size;
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, size).ptr;
    one.text = "bucket-mb " + std::string(text, end);
    if (size >= last) return questions;
  }
}

std::string_view copy_name(log::CopyKind kind) {
  const auto index = static_cast<size_t>(kind);
  return kCopyNames[index < std::size(kCopyNames) ? index : 0];
}

}  // namespace tauprof
