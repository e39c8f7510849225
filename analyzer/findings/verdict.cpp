#include "findings/verdict.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "findings/finding_words.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

double critical_wait(const Pipeline& pipeline) {
  const PipelineStage& critical = pipeline.stages[pipeline.critical];
  return static_cast<double>(critical.wait_previous + critical.wait_next);
}

// The pipeline whose critical stage waits longest for its neighbours; null: none waits. Without a bubble the steps
// would be as long as that stage's own work, so its waiting is what a schedule without one gives.
const Pipeline* longest_bubble(const RunMetrics& metrics) {
  const Pipeline* longest = nullptr;
  for (const Pipeline& pipeline : metrics.communication.messages.pipelines)
    if (critical_wait(pipeline) > (longest == nullptr ? 0 : critical_wait(*longest))) longest = &pipeline;
  return longest;
}

class Judgement {
 public:
  Judgement(const RunFacts& facts, const RunMetrics& metrics, const std::vector<Finding>& findings,
            const Savings& savings)
      : metrics_(metrics),
        findings_(findings),
        savings_(savings),
        unit_(facts.is_by_time() ? "slice" : "step"),
        step_(metrics.steps.step_duration.mean),
        bubble_(longest_bubble(metrics)) {}

  Verdict verdict() const {
    if (const std::optional<size_t> straggler = decisive_straggler()) return about(*straggler);
    const std::optional<size_t> best =
        first_by([](const Finding& a, const Finding& b, double step) { return is_better(a, b, step); }, gain_of);
    const double gain = best ? *gain_of(findings_[*best]) : 0;
    if (!is_by_time() && gain >= worthwhile()) return beside_bubble(about(*best), gain);
    const auto costlier = [this](const Finding& a, const Finding& b, double) {
      return rank_by_cost(a) > rank_by_cost(b);
    };
    const double all = savings_.combined_ns_per_step.value_or(0);
    if (!is_by_time() && all >= worthwhile())
      if (const std::optional<size_t> costliest = first_by(costlier, gain_of))
        return beside_bubble(about_all(*costliest), all);
    const std::optional<size_t> unpriced = first_by(costlier, unpriced_cost_of);
    const double cost = unpriced ? findings_[*unpriced].cost_ns_per_step : 0;
    if (bubble_ns() >= worthwhile() && (!is_by_time() || bubble_ns() > cost)) return of_bubble();
    if (share_of_computing() >= kComputesMostly)
      return {VerdictClass::kGpu, said("The kernels are what takes time: ", computing()), {}};
    if (cost >= worthwhile()) return about(*unpriced);
    return {VerdictClass::kBalanced, none_is_worth_it(), {computing()}};
  }

 private:
  bool is_by_time() const { return !savings_.reason.empty(); }
  double worthwhile() const { return kWorthwhile * step_; }

  static std::optional<double> gain_of(const Finding& finding) { return finding.saves_ns_per_step; }
  // The time in calls that wait, say, is no time of the device: only the replay tells whether it costs anything.
  static std::optional<double> unpriced_cost_of(const Finding& finding) {
    if (finding.saves_ns_per_step || finding.cost_ns_per_step <= 0 || finding.least_saving > 0) return std::nullopt;
    return finding.cost_ns_per_step;
  }

  // Findings that the records leave open rank behind those that they support.
  std::pair<bool, double> rank_by_cost(const Finding& finding) const {
    const double cost = finding.cost_ns_per_step;
    return {!finding.is_open && cost >= worthwhile(), weight_of(finding, cost)};
  }

  // The finding with a class and a value that comes before all others.
  template <class Better, class Value>
  std::optional<size_t> first_by(Better&& better, Value&& value) const {
    std::optional<size_t> first;
    for (size_t i = 0; i < findings_.size(); ++i) {
      if (!value(findings_[i]) || findings_[i].kind().verdict == VerdictClass::kNone) continue;
      if (!first || better(findings_[i], findings_[*first], step_)) first = i;
    }
    return first;
  }

  // The straggler's finding that is the verdict. One of unknown cause gives way to what gives more: whom to repair is
  // known, but not what.
  std::optional<size_t> decisive_straggler() const {
    const auto amount = [&](const Finding& finding) {
      return is_by_time() ? finding.cost_ns_per_step : gain_of(finding).value_or(0);
    };
    double most = 0;
    for (const Finding& finding : findings_)
      if (finding.kind().verdict != VerdictClass::kNone) most = std::max(most, amount(finding));
    for (size_t i = 0; i < findings_.size(); ++i) {
      const Finding& finding = findings_[i];
      if (finding.kind().verdict != VerdictClass::kStraggler || amount(finding) < kStragglerVerdict * step_) continue;
      if (is_by_time() && finding.at_most == Severity::kInfo) continue;  // its clock may be wrong by as much
      if (finding.is_why_known() || amount(finding) >= most) return i;
    }
    return std::nullopt;
  }

  // "Rank 2 delays the others: its host is stalled. Without that the step takes 236 ms instead of 1.221 s", or "The
  // device starts late what has been launched, 6.0 ms of a step of 10.00 ms; gain not known".
  Verdict about(size_t index) const {
    const Finding& finding = findings_[index];
    Verdict verdict{finding.kind().verdict, finding.title, {evidence_of(finding)}, index};
    if (finding.saves_ns_per_step) {
      const double step = savings_.step_before(step_);
      verdict.title.add(". Without that the ", unit_, " takes ", becomes(finding, step), instead_of(step));
      return verdict;
    }
    verdict.title.add(", ", Duration{finding.cost_ns_per_step}, " of a ", unit_, " of ", Duration{step_});
    if (is_by_time()) return verdict;
    verdict.title.also("gain not known");
    verdict.because.push_back(said("no price: ", finding.saves_reason));
    return verdict;
  }

  // Of causes that delay the steps at the same time: each hides what the others would give.
  Verdict about_all(size_t costliest) const {
    const Finding& finding = findings_[costliest];
    const double step = savings_.step_before(step_), without = step - *savings_.combined_ns_per_step;
    return {finding.kind().verdict,
            said("Several causes at once: no repair alone gives ", Share{kWorthwhile, 0}, " of the ", unit_,
                 ", all together make it ", Forecast{without, savings_.error_ns(step), step, without, without},
                 instead_of(step)),
            {said(finding.title, ", among them"), evidence_of(finding)},
            costliest};
  }

  // Where some steps cannot be replayed, the others' mean may be another than the one that the report begins with.
  Statement instead_of(double step) const {
    constexpr double kNotEqual = 0.01;
    const bool is_other = !savings_.limited_to.empty() && std::abs(step - step_) > kNotEqual * step_;
    return said(" instead of ", Duration{step},
                is_other ? said(", the mean of the ", unit_, "s that can be replayed") : Statement());
  }

  Forecast becomes(const Finding& finding, double step) const {
    const double gain = *gain_of(finding);
    const Finding::Range saves = finding.saves_between.value_or(Finding::Range{gain, gain});
    return {step - gain, savings_.error_ns(step), step, step - saves.high, step - saves.low};
  }

  double bubble_ns() const {
    return bubble_ == nullptr ? 0
                              : critical_wait(*bubble_) / static_cast<double>(metrics_.steps.selection.analysed.size());
  }

  Statement bubble(std::string_view the) const {
    const Statement ideal =
        bubble_->ideal_bubble ? said(", ", Share{*bubble_->ideal_bubble, 0}, " with equal stages") : Statement();
    return said(the, " pipeline's bubble is ", Share{bubble_->bubble, 0}, " of its stages' time", ideal);
  }

  // A bubble has no price, since schedules are not replayed: it comes after a repair, and beside one that gives less
  // than it takes.
  Verdict beside_bubble(Verdict verdict, double gain) const {
    if (bubble_ns() > gain) verdict.because.push_back(bubble("the"));
    return verdict;
  }

  Verdict of_bubble() const {
    return {VerdictClass::kPipeline,
            bubble("The"),
            {said("rank ", bubble_->stages[bubble_->critical].rank,
                  ", whose stage computes longest, waits for its neighbours for ", Share{bubble_ns() / step_, 0},
                  " of the step"),
             said("of all stages, neighbours wait longest for that of rank ",
                  bubble_->stages[bubble_->most_waited_for].rank),
             "more micro-batches in a step, or interleaved stages, make the bubble smaller"}};
  }

  double share_of_computing() const {
    return static_cast<double>(metrics_.time.ledger.rows()[static_cast<size_t>(LedgerRow::kCompute)]) /
           static_cast<double>(std::max<Nanoseconds>(1, metrics_.time.ledger.sum()));
  }
  Statement computing() const { return said("the devices compute ", Share{share_of_computing(), 0}, " of the time"); }

  Statement none_is_worth_it() const {
    return said(is_by_time() ? "Nothing that could be repaired takes " : "No repair gives ", Share{kWorthwhile, 0},
                " of the ", unit_);
  }

  const RunMetrics& metrics_;
  const std::vector<Finding>& findings_;
  const Savings& savings_;
  std::string_view unit_;
  double step_;  // the mean one, in ns
  const Pipeline* bubble_;
};

}  // namespace

std::optional<Verdict> verdict_of(const RunFacts& facts, const RunMetrics& metrics,
                                  const std::vector<Finding>& findings, const Savings& savings) {
  for (const Finding& finding : findings)
    if (finding.id == FindingId::kHang)
      return Verdict{metrics.progress.hangs() ? finding.kind().verdict : VerdictClass::kStraggler,
                     finding.title,
                     {evidence_of(finding)}};
  if (metrics.steps.step_duration.mean <= 0) return std::nullopt;
  Verdict verdict = Judgement(facts, metrics, findings, savings).verdict();
  verdict.is_by_time = !savings.reason.empty();
  if (verdict.is_by_time) verdict.because.push_back(said("by time alone: ", savings.reason));
  return verdict;
}

}  // namespace tauprof
