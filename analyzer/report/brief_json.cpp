#include <algorithm>
#include <cmath>

#include "findings/finding_words.h"
#include "report/json_documents.h"
#include "report/json_sections.h"
#include "report/repairs.h"

namespace tauprof {
namespace {

constexpr size_t kMostRepairs = 3;
constexpr double kSmallShare = 0.005;  // of the step; smaller rows are left out

// Of what the whole report has exactly, four digits.
double rounded_share(double share) { return std::round(share * 1e4) / 1e4; }

}  // namespace

struct DigestOfRun {
  const RunFacts& facts;
};

struct DigestOfSteps {
  const Report& report;

  const RunSteps& steps() const { return report.metrics.steps; }
  bool is_timed() const { return steps().step_duration.count > 0; }
  std::optional<int64_t> mean() const {
    const Statistics& duration = is_timed() ? steps().step_duration : steps().host_duration;
    return when(duration.count > 0, rounded(duration.mean));
  }
};

struct DigestOfVerdict {
  const Verdict& verdict;
};

struct DigestOfRepair {
  const Finding& finding;
  const Report& report;

  std::optional<int64_t> step_becomes() const {
    const double step = step_before(report);
    const std::optional<double>& saves = finding.saves_ns_per_step;
    return when(saves && step > 0, rounded(std::max(0.0, step - saves.value_or(0))));
  }
  std::optional<std::string> ask() const {
    if (finding.whatif.empty() || !finding.saves_ns_per_step) return std::nullopt;
    return whatif_command(finding, report);
  }
};

struct DigestOfChecks {
  std::vector<HealthCheck> checks;

  Named<Statement> failed() const {
    Named<Statement> failed;
    for (const HealthCheck& check : checks)
      if (check.outcome == HealthOutcome::kFail) failed.emplace_back(check.id, check.found);
    return failed;
  }
  std::vector<std::string> unknown() const {
    std::vector<std::string> unknown;
    for (const HealthCheck& check : checks)
      if (check.outcome == HealthOutcome::kUnknown) unknown.push_back(check.id);
    return unknown;
  }
};

struct Digest {
  const Report& report;

  std::optional<Named<double>> time_shares() const;
  std::vector<DigestOfRepair> repairs() const;
  size_t more_repairs() const { return repairs_of(report).size() - repairs().size(); }
};

std::optional<Named<double>> Digest::time_shares() const {
  const RunMetrics& metrics = report.metrics;
  if (report.job || metrics.step_ns() <= 0) return std::nullopt;
  const LedgerRows rows = metrics.time.ledger.rows();
  Named<double> shares;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    shares.emplace_back(kLedgerRowNames[row], static_cast<double>(rows[row]) / static_cast<double>(metrics.step_ns()));
  std::erase_if(shares, [](const auto& share) { return share.second < kSmallShare; });
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (auto& [row, share] : shares) share = rounded_share(share);
  return shares;
}

std::vector<DigestOfRepair> Digest::repairs() const {
  std::vector<DigestOfRepair> repairs;
  for (const Finding* finding : repairs_of(report))
    if (repairs.size() < kMostRepairs) repairs.push_back({*finding, report});
  return repairs;
}

Fields<DigestOfRun> fields_of(const DigestOfRun*) {
  return {
      "DigestOfRun",
      "What was recorded, in short",
      {
          {"id", [](const DigestOfRun& r) { return r.facts.id; }, "the run's id"},
          {"source", [](const DigestOfRun& r) { return r.facts.source; }, "what recorded it"},
          {"ranks", [](const DigestOfRun& r) { return r.facts.ranks; }, "ranks with a log"},
          {"world_size", [](const DigestOfRun& r) { return r.facts.world_size; }, "ranks of the job; 0: not known"},
          {"missing_ranks", [](const DigestOfRun& r) { return r.facts.missing_ranks.size(); }, "how many have no log"},
          {"hosts", [](const DigestOfRun& r) { return r.facts.hosts.size(); }, "how many"},
          {"device",
           [](const DigestOfRun& r) {
             return r.facts.devices.empty() ? std::nullopt : std::optional(r.facts.devices.front());
           },
           "the model of the first; `null`: not known"},
          {"dropped", [](const DigestOfRun& r) { return r.facts.dropped_total(); }, "records that were lost"},
          {"damaged_files", [](const DigestOfRun& r) { return r.facts.files_damaged + r.facts.files_cut_short; },
           "logs that are damaged or cut short"},
      }};
}

Fields<DigestOfSteps> fields_of(const DigestOfSteps*) {
  return {"DigestOfSteps",
          "The steps, in short",
          {
              {"analysed", [](const DigestOfSteps& s) { return s.steps().selection.analysed.size(); }, "how many"},
              {"unit", [](const DigestOfSteps& s) { return s.report.unit(); },
               "`step`, or `slice` where no steps are known"},
              {"found_by", [](const DigestOfSteps& s) { return s.report.facts.steps_source; }, "how they were found"},
              {"mean_ns", &DigestOfSteps::mean, "how long they take"},
              {"on", [](const DigestOfSteps& s) { return s.is_timed() ? "device" : "host"; },
               "by whose times: `device`, `host`"},
          }};
}

Fields<DigestOfVerdict> fields_of(const DigestOfVerdict*) {
  return {"DigestOfVerdict",
          "What the run's time is mostly about, in short",
          {
              {"class", [](const DigestOfVerdict& v) { return v.verdict.kind; }, "what the time is about"},
              {"title", [](const DigestOfVerdict& v) { return v.verdict.title; }, "in words"},
          }};
}

Fields<DigestOfRepair> fields_of(const DigestOfRepair*) {
  return {"DigestOfRepair",
          "A repair, in short",
          {
              {"title", [](const DigestOfRepair& r) { return r.finding.title; }, "the claim in words"},
              {"ranks", [](const DigestOfRepair& r) { return r.finding.ranks; }, "that it is about; empty: all"},
              {"saves_ns_per_step", [](const DigestOfRepair& r) { return rounded(r.finding.saves_ns_per_step); },
               "by how much the mean step becomes shorter; `null`: not known"},
              {"step_becomes_ns", &DigestOfRepair::step_becomes, "the mean step without it"},
              {"why", [](const DigestOfRepair& r) { return evidence_of(r.finding); }, "the evidence"},
              {"where", [](const DigestOfRepair& r) { return known(where_of(r.finding).place); },
               "where in the program; `null`: not known"},
              {"do", [](const DigestOfRepair& r) { return advice_of(r.finding); }, "what to do"},
              {"ask", &DigestOfRepair::ask, "the command that gives the same saving; `null`: there is none"},
          }};
}

Fields<DigestOfChecks> fields_of(const DigestOfChecks*) {
  return {"DigestOfChecks",
          "What `tauprof health` says, in short",
          {
              {"failed", &DigestOfChecks::failed, "by check: what was found"},
              {"unknown", &DigestOfChecks::unknown, "the checks that cannot be told"},
          }};
}

Fields<Digest> fields_of(const Digest*) {
  return {"Digest",
          "The first screen as values",
          {
              {"schema", [](const Digest&) { return "tauprof.brief/1"; }, "`tauprof.brief/1`"},
              {"run", [](const Digest& d) { return DigestOfRun{d.report.facts}; }, "what was recorded"},
              {"steps", [](const Digest& d) { return DigestOfSteps{d.report}; }, "the steps"},
              {"verdict",
               [](const Digest& d) {
                 const std::optional<Verdict>& verdict = d.report.verdict;
                 return verdict ? std::optional(DigestOfVerdict{*verdict}) : std::nullopt;
               },
               "in a sentence; `null` without steps"},
              {"time_shares", &Digest::time_shares,
               "by row of the ledger: its share of all ranks' time, the largest first, none under 0.5 %; `null`: not "
               "known"},
              {"repairs", &Digest::repairs, "the first three"},
              {"more_repairs", &Digest::more_repairs, "how many there are besides"},
              {"all_together_saves_ns_per_step",
               [](const Digest& d) { return rounded(d.report.savings.combined_ns_per_step); },
               "by how much the mean step becomes shorter with all repairs; `null`: not known"},
              {"checks",
               [](const Digest& d) {
                 return DigestOfChecks{d.report.job ? std::vector<HealthCheck>()
                                                    : health_of(d.report.facts, d.report.metrics, d.report.findings)};
               },
               "how healthy it is"},
              {"slowdown",
               [](const Digest& d) {
                 return OrAbsent<double>(d.report.job ? std::optional(rounded_share(d.report.job->slowdown))
                                                      : std::nullopt);
               },
               "of an operation trace alone: how much longer stragglers make it"},
          }};
}

namespace {

std::string line_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// An object with a key a line. `indent` stands before all keys but the first.
std::string lines_of(const Json& object, const std::string& indent, std::string (*text_of_value)(const Json&)) {
  std::string text;
  for (const auto& [key, value] : object.items())
    text += (text.empty() ? "" : ",\n" + indent) + line_of(key) + ": " + text_of_value(value);
  return text;
}

// Objects of a list have a key a line, too; all else is in one.
std::string text_of_value(const Json& value) {
  if (!value.is_array() || value.empty() || !value.front().is_object()) return line_of(value);
  std::string objects;
  for (const Json& object : value)
    objects += (objects.empty() ? "\n   {" : ",\n   {") + lines_of(object, "    ", line_of) + "}";
  return "[" + objects + "]";
}

}  // namespace

std::string brief_json(const Report& report) {
  return terminal_json("{\n " + lines_of(Value<Digest>::json(Digest{report}), " ", text_of_value) + "\n}\n");
}

std::string brief_schema() { return schema_of<Digest>("tauprof analyze --brief"); }

}  // namespace tauprof
