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
  if (std::string reason = why_not_alone(repair.ranks); !reason.empty()) return reason;
  return repairs_.apply(repair, no_examples, changes);
}

std::string WhatIf::change(const Question& question, Changes& changes) {
  if (question.kind == Question::Kind::kRow) {
    Repair row;
    row.kind = RepairKind::kRow;
    row.row = question.row;
    if (question.number >= 0) row.ranks = ranks_of(question);
    if (std::string reason = why_not_alone(row.ranks); !reason.empty()) return reason;
    return repairs_.apply(row, {}, changes);
  }
  if (question.kind == Question::Kind::kAsGraph) return repairs_.apply({.kind = RepairKind::kAsGraph}, {}, changes);
  const std::vector<Subjects::Operation> operations = subjects_.named_by(question.subject);
  if (std::string reason = why_not_split(operations); !reason.empty()) return reason;
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
    if (!reason.empty() && is_analysed(one)) return reason;
    changes.scale(one.id, ratio);
  }
  return {};
}

bool WhatIf::is_split(const Subjects::Operation& operation) const {
  const RankCollective& collective = subjects_.collective(operation);
  const bool has_peers = collective.communicator_size != 1;
  const bool waits_for_nobody =
      collective.is_split &&
      (collective.wait() == 0 || (collective.is_one_way() && collective.peer_calls.front().is_send));
  return !has_peers || run_.is_waiting_known(operation.id) || waits_for_nobody;
}

// A collective whose waiting is not known must not become faster as a whole: its waiting would, too.
std::string WhatIf::why_not_split(const std::vector<Subjects::Operation>& operations) const {
  for (const Subjects::Operation& one : operations)
    if (one.collective != kNoIndex && is_analysed(one) && !is_split(one))
      return "how long " + std::string(name_of(subjects_.collective(one).operation)) + " of rank " +
             std::to_string(run_.rank_number(one.rank)) + " waits and how long it moves data is not known";
  return {};
}

// What a rank gains or loses against others shows in how long they wait in collectives. Known in most steps, it is
// known.
std::string WhatIf::why_not_alone(const std::vector<int32_t>& ranks) const {
  const std::vector<Subjects::Operation> all = subjects_.named_by({Subject::Kind::kCommunication, ""});
  const double least = kMostReplayError * run_.mean_step(run_.measured());
  for (uint32_t rank = 0; rank < run_.rank_count(); ++rank) {
    if (std::find(ranks.begin(), ranks.end(), run_.rank_number(rank)) == ranks.end()) continue;
    std::map<int64_t, double> unsplit;  // by step, in ns
    std::vector<Subjects::Operation> named;
    for (const Subjects::Operation& one : all) {
      if (one.rank != rank || one.collective == kNoIndex || !is_analysed(one) || is_split(one)) continue;
      unsplit[one.step] += static_cast<double>(run_.measured()[one.id].end - run_.measured()[one.id].start);
      named.push_back(one);
    }
    const auto steps =
        std::count_if(unsplit.begin(), unsplit.end(), [least](const auto& of_step) { return of_step.second > least; });
    if (2 * static_cast<size_t>(steps) > run_.steps(rank).size()) return why_not_split(named);
  }
  return {};
}

bool WhatIf::is_analysed(const Subjects::Operation& operation) const {
  const std::vector<GraphStep>& steps = run_.steps(operation.rank);
  return std::any_of(steps.begin(), steps.end(), [&](const GraphStep& step) { return step.number == operation.step; });
}

}  // namespace tauprof
