#include "replay/scenario.h"

#include <algorithm>
#include <map>

#include "limits/analysis_limits.h"
#include "model/operation_names.h"

namespace tauprof {
namespace {

bool is_repair(const Question& question) { return question.kind >= Question::Kind::kFixRank; }

bool names_ranks(const Question& question) { return is_repair(question) || question.number >= 0; }

bool names_a_subject(const Question& question) { return question.kind <= Question::Kind::kLink; }

std::string listed(const std::set<int32_t>& numbers) {
  std::string text;
  size_t named = 0;
  for (const int32_t number : numbers) {
    if (++named > 16) return text + " ...";
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return text;
}

}  // namespace

std::string WhatIf::not_there(const Question& question) const {
  if (names_a_subject(question) && subjects_.named_by(question.subject).empty())
    return subjects_.nothing_is(question.subject);
  if (!names_ranks(question) || !ranks_of(question).empty()) return {};
  std::set<int32_t> numbers;
  const bool is_stage = question.is_about_stage;
  for (uint32_t rank = 0; rank < run_.rank_count(); ++rank) {
    const int32_t number = is_stage ? stages_.stage(rank).number : run_.rank_number(rank);
    if (number >= 0) numbers.insert(number);
  }
  const std::string what = is_stage ? "pipeline stage" : "rank";
  return "no " + what + " " + std::to_string(question.number) + " in this run; " +
         (numbers.empty() ? "there is none at all" : "there are " + listed(numbers));
}

std::vector<int32_t> WhatIf::ranks_of(const Question& question) const {
  std::vector<int32_t> numbers;
  for (uint32_t rank = 0; rank < run_.rank_count(); ++rank) {
    if (question.number == (question.is_about_stage ? stages_.stage(rank).number : run_.rank_number(rank)))
      numbers.push_back(run_.rank_number(rank));
  }
  return numbers;
}

Answer WhatIf::answer(const Scenario& scenario) {
  if (scenario.size() == 1 && scenario.front().kind == Question::Kind::kBuckets) {
    constexpr double kMib = 1 << 20;
    if (!buckets_) buckets_.emplace(run_, ranks_, matches_, model_);
    return buckets_->with(scenario.front().bucket_mib * kMib);
  }
  Changes changes(run_);
  Faults no_examples = held_up_;
  for (const Question& question : scenario)
    if (question.kind == Question::Kind::kFixRank || question.kind == Question::Kind::kFixStage)
      for (const int32_t rank : ranks_of(question)) no_examples[rank] = Fault::kAny;
  for (const Question& question : scenario) {
    std::string reason = is_repair(question) ? repair(question, no_examples, changes) : change(question, changes);
    if (!reason.empty())
      return {std::nullopt, 0, scenario.size() > 1 ? question.text + ": " + reason : std::move(reason)};
  }
  const ContendedReplay replayed = changes.replayed();
  return {replayed.step_ns, replayed.contention_ns, {}};
}

std::string WhatIf::repair(const Question& question, const Faults& no_examples, Changes& changes) {
  Repair repair;
  repair.kind = question.kind == Question::Kind::kFixLinks ? RepairKind::kLinks : RepairKind::kAsPeers;
  repair.ranks = ranks_of(question);
  return repairs_.apply(repair, no_examples, changes);
}

std::string WhatIf::change(const Question& question, Changes& changes) {
  if (question.kind == Question::Kind::kRow) {
    Repair row;
    row.kind = RepairKind::kRow;
    row.row = question.row;
    if (question.number >= 0) row.ranks = ranks_of(question);
    return repairs_.apply(row, {}, changes);
  }
  if (question.kind == Question::Kind::kAsGraph) return repairs_.apply({.kind = RepairKind::kAsGraph}, {}, changes);
  const std::vector<Subjects::Operation> operations = subjects_.named_by(question.subject);
  if (std::string reason = waits_.why_not_split(operations); !reason.empty()) return reason;
  if (question.kind == Question::Kind::kLink) return change_links(question, operations, changes);
  for (const Subjects::Operation& one : operations) {
    if (question.kind == Question::Kind::kWithout)
      remove(one.id, changes);
    else
      changes.scale(one.id, 1 / question.factor);
  }
  return {};
}

// It takes no time. One that started earlier than usual still does: nothing starts later because something is gone.
void WhatIf::remove(OperationId operation, Changes& changes) const {
  if (run_.kind(operation) == OperationKind::kReturn) return changes.remove(operation);
  changes.scale(operation, 0);
  if (!run_.graph().edges(operation).empty() && run_.graph().delay(operation) > 0) changes.set_delay(operation, 0);
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
