#include "replay/scenario.h"

#include <algorithm>
#include <map>

#include "limits/analysis_limits.h"
#include "replay/longer_step.h"

namespace tauprof {
namespace {

bool is_repair(const Question& question) { return question.kind == Question::Kind::kRepair; }

bool names_a_subject(const Question& question) { return question.kind <= Question::Kind::kLink; }

template <class Number>
std::string listed(const std::set<Number>& numbers) {
  std::string text;
  size_t named = 0;
  for (const Number number : numbers) {
    if (++named > 16) return text + " ...";
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return text;
}

// "no rank 4 in this run; there are 0, 1"
template <class Number>
std::string not_among(const std::set<Number>& numbers, const std::string& what, Number number) {
  if (numbers.contains(number)) return {};
  return "no " + what + " " + std::to_string(number) + " in this run; " +
         (numbers.empty() ? "there is none at all" : "there are " + listed(numbers));
}

}  // namespace

std::string WhatIf::not_there(const Question& question) const {
  if (names_a_subject(question) && subjects_.named_by(question.subject).empty())
    return subjects_.nothing_is(question.subject);
  if (!is_repair(question)) return {};
  std::set<int32_t> ranks, stages;
  for (uint32_t rank = 0; rank < run_.rank_count(); ++rank) {
    ranks.insert(run_.rank_number(rank));
    if (stages_.stage(rank).number >= 0) stages.insert(stages_.stage(rank).number);
  }
  const auto& [repair, stage] = question.asked;
  std::string missing = stage >= 0 ? not_among(stages, "pipeline stage", stage) : "";
  for (const int32_t rank : repair.ranks)
    if (missing.empty()) missing = not_among(ranks, "rank", rank);
  std::set<int64_t> steps;
  for (uint32_t rank = 0; rank < run_.rank_count(); ++rank) {
    const std::vector<int64_t>& recorded = run_.process(rank).step_numbers;
    steps.insert(recorded.begin(), recorded.end());
  }
  const bool has_steps = repair.steps.empty() || std::any_of(repair.steps.begin(), repair.steps.end(),
                                                             [&](int64_t step) { return steps.contains(step); });
  if (missing.empty() && !has_steps) missing = not_among(steps, "step", repair.steps.front());
  return missing;
}

Repair WhatIf::repair_of(const Question& question) const {
  Repair repair = question.asked.repair;
  for (uint32_t rank = 0; rank < run_.rank_count() && question.asked.stage >= 0; ++rank)
    if (stages_.stage(rank).number == question.asked.stage) repair.ranks.push_back(run_.rank_number(rank));
  return repair;
}

Answer WhatIf::answer(const Scenario& scenario) {
  if (scenario.size() == 1 && scenario.front().kind == Question::Kind::kBuckets) {
    constexpr double kMib = 1 << 20;
    if (!buckets_) buckets_.emplace(run_, ranks_, matches_, model_);
    return buckets_->with(scenario.front().bucket_mib * kMib);
  }
  Faults no_examples = held_up_;
  for (const Question& question : scenario) {
    if (question.asked.repair.kind != RepairKind::kAsPeers) continue;
    const Repair repair = repair_of(question);
    for (const int32_t rank : repair.ranks) add_fault(rank, repair.fault, no_examples);
  }
  const auto make = [&](Changes& changes, Draw draw) {
    for (const Question& question : scenario) {
      std::string reason = is_repair(question) ? repairs_.apply(repair_of(question), no_examples, changes, draw)
                                               : change(question, changes);
      if (!reason.empty()) return scenario.size() > 1 ? question.text + ": " + reason : reason;
    }
    return std::string();
  };
  if (std::any_of(scenario.begin(), scenario.end(), is_repair))
    return repaired(run_, make, std::all_of(scenario.begin(), scenario.end(), is_repair));
  Changes changes(run_);
  if (std::string reason = make(changes, Draw::kFirst); !reason.empty()) return {.reason = std::move(reason)};
  return answered(run_, changes);
}

std::string WhatIf::change(const Question& question, Changes& changes) {
  const std::vector<Subjects::Operation> operations = subjects_.named_by(question.subject);
  if (std::string reason = waits_.why_not_split(operations); !reason.empty()) return reason;
  if (question.kind == Question::Kind::kLink) return change_links(question, operations, changes);
  for (const Subjects::Operation& one : operations) {
    if (question.kind == Question::Kind::kWithout)
      let_run_beside(one.rank, one.id, *one.label, changes);
    else
      changes.scale(one.id, 1 / question.factor);
  }
  return {};
}

std::string WhatIf::change_links(const Question& question, const std::vector<Subjects::Operation>& operations,
                                 Changes& changes) const {
  for (const Subjects::Operation& one : operations) {
    const auto [ratio, reason] = links_.ratio(one.rank, one.collective, question.alpha_factor, question.beta_factor);
    // Operations outside the analysed steps stay as they were where nothing is known.
    if (!reason.empty() && waits_.is_analysed(one)) return reason;
    changes.scale(one.id, ratio);
  }
  return {};
}

}  // namespace tauprof
