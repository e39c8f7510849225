#include "findings/finding_words.h"
#include "report/json_documents.h"
#include "report/json_sections.h"
#include "report/repairs.h"

namespace tauprof {

Fields<Verdict> fields_of(const Verdict*) {
  return {"Verdict",
          "What the run's time is mostly about",
          {
              {"class", &Verdict::kind, "what the time is about"},
              {"title", &Verdict::title, "in words"},
              {"because", &Verdict::because, "the evidence"},
              {"by_time", &Verdict::is_by_time,
               "nothing could be replayed, so causes are weighed by the time that they take"},
          }};
}

// A finding and the replay that priced it.
struct PricedFinding {
  const Finding& finding;
  const Report& report;
};

namespace {

template <class T>
auto of_finding(T Finding::*member) {
  return [member](const PricedFinding& finding) { return finding.finding.*member; };
}

// Without a range the saving is its own.
std::optional<double> bound_of(const Finding& finding, double Finding::Range::*bound) {
  if (!finding.saves_ns_per_step || !finding.saves_between) return finding.saves_ns_per_step;
  return *finding.saves_between.*bound;
}

std::optional<double> replay_error(const PricedFinding& finding) {
  if (!finding.finding.saves_ns_per_step || !finding.report.savings.error) return std::nullopt;
  return finding.report.savings.error->mean;
}

}  // namespace

Fields<PricedFinding> fields_of(const PricedFinding*) {
  return {
      "Finding",
      "A claim with its evidence, and what to do",
      {
          {"id", of_finding(&Finding::id), "which claim"},
          {"severity", of_finding(&Finding::severity), "how much it matters"},
          {"title", of_finding(&Finding::title), "the claim in words"},
          {"evidence", [](const PricedFinding& f) { return evidence_of(f.finding); }, "what it rests on"},
          {"ranks", of_finding(&Finding::ranks), "that it is about; empty: all"},
          {"steps", of_finding(&Finding::steps), "that it is about; empty: all"},
          {"saves_ns_per_step", [](const PricedFinding& f) { return rounded(f.finding.saves_ns_per_step); },
           "by how much the mean step becomes shorter without it; `null`: not known"},
          {"saves_low_ns_per_step",
           [](const PricedFinding& f) { return rounded(bound_of(f.finding, &Finding::Range::low)); },
           "at least: whatever the waits in `rests_on` are for, and by chance (95 %); `null`: not known"},
          {"saves_high_ns_per_step",
           [](const PricedFinding& f) { return rounded(bound_of(f.finding, &Finding::Range::high)); }, "at most"},
          {"rests_on", of_finding(&Finding::rests_on),
           "calls and kernels that wait for something that is only assumed, and on which the saving depends"},
          {"explained_share", [](const PricedFinding& f) { return f.report.savings.explained_share; },
           "of the time in which hosts wait in calls and device work for other streams, the share whose cause is "
           "recorded or tested; `null`: nothing waits, or nothing was replayed"},
          {"saves_reason", [](const PricedFinding& f) { return known(f.finding.saves_reason); }, "why not"},
          {"replay_error", [](const PricedFinding& f) { return replay_error(f); },
           "how far the replay is off: by the light steps that it predicts or, where `disturbance.error` is `null`, by "
           "how well "
           "it repeats steps; `null` where nothing was replayed, or there is one step"},
          {"whatif", [](const PricedFinding& f) { return known(whatif_options(f.finding, f.report)); },
           "the repair as options of `tauprof whatif`, with those that chose the run, which give the same saving; "
           "`null`: no option says it"},
          {"advice", [](const PricedFinding& f) { return advice_of(f.finding); }, "what to do"},
          {"where", [](const PricedFinding& f) { return known(where_of(f.finding).place); },
           "of findings about a row of the ledger or about a straggler: where in the program the time lies; `null`: "
           "not "
           "known"},
          {"where_share",
           [](const PricedFinding& f) {
             const double share = where_of(f.finding).share;
             return when(share > 0, share);
           },
           "the part of the row's time that lies there; `null` for stragglers and without `where`"},
      }};
}

namespace {

constexpr char kSchema[] = "tauprof.report/2";

// Sections of recorded runs alone: an operation trace has no spans. `function` is of the report, or of its metrics.
template <class Function>
auto of_spans(Function function) {
  const auto of_report = [function](const Report& report) {
    if constexpr (std::is_invocable_v<Function, const Report&>)
      return std::invoke(function, report);
    else
      return std::invoke(function, report.metrics);
  };
  using Result = std::invoke_result_t<decltype(of_report), const Report&>;
  return [of_report](const Report& report) {
    return report.job ? OrAbsent<Result>(std::nullopt) : OrAbsent<Result>(of_report(report));
  };
}

std::vector<PricedFinding> findings(const Report& report) {
  std::vector<PricedFinding> priced;
  for (const Finding& finding : report.findings) priced.push_back({finding, report});
  return priced;
}

}  // namespace

Fields<Report> fields_of(const Report*) {
  return {
      "Sections",
      "The whole report. That of an imported operation trace has those keys only that every report has",
      {
          {"schema", [](const Report&) { return kSchema; }, "`tauprof.report/2`"},
          {"run", &Report::facts, "what was recorded"},
          {"quality",
           [](const Report& r) {
             return QualityOfRun{r.facts, r.metrics};
           },
           "how well"},
          {"settings", of_spans([](const Report& r) { return settings_by_group(r.facts); }),
           "what PyTorch was asked while the program ran; `null` where it was not"},
          {"steps",
           [](const Report& r) {
             return StepsOfRun{r, r.metrics, r.facts};
           },
           "the steps, and how they were found"},
          {"phases", of_spans([](const RunMetrics& m) { return m.time.phases; }), "what they take"},
          {"input", of_spans([](const Report& r) {
             return InputOfRun{r.metrics.input, sample_rate(r)};
           }),
           "loading of batches"},
          {"ledger", of_spans([](const RunMetrics& m) { return LedgerOfRun{m}; }), "where the time goes"},
          {"overlap", of_spans([](const RunMetrics& m) {
             return TimedOverlap{m.time.overlap, m.is_timed()};
           }),
           "how far computation hides communication"},
          {"collectives", of_spans([](const RunMetrics& m) { return m.communication.collectives; }),
           "the longest exposed first, always over all ranks"},
          {"alpha_beta", of_spans([](const RunMetrics& m) { return m.communication.links.fits; }),
           "latency and bandwidth, by operation, ranks, hosts, algorithm and size, always over all ranks; empty if no "
           "size and time of a collective is known"},
          {"communication", of_spans([](const RunMetrics& m) { return m.communication.wait_table; }),
           "waiting and transferring, always over all ranks"},
          {"messages", of_spans([](const RunMetrics& m) { return m.communication.messages; }), "sends and receives"},
          {"parallelism", of_spans(groups_with_balance), "what communicators are for, the longest exposed first"},
          {"stragglers", of_spans([](const RunMetrics& m) {
             return StragglersOfRun{m.stragglers, m.steps.series};
           }),
           "who delays the others, always over all ranks"},
          {"efficiency", of_spans([](const RunMetrics& m) {
             return EfficiencyOfRun{m.devices.efficiency, m.step_ns()};
           }),
           "what of the devices' peak was used"},
          {"memory",
           of_spans([](const RunMetrics& m) { return when(!m.devices.memory.empty(), MemoryOfRun{m.devices.memory}); }),
           "device memory; `null` where no allocation is known"},
          {"telemetry", of_spans([](const RunMetrics& m) {
             return when(!m.devices.telemetry.empty(), TelemetryOfRun{m.devices.telemetry});
           }),
           "what sensors said; `null` where nothing was recorded"},
          {"calls", of_spans([](const RunMetrics& m) { return m.work.calls; }),
           "recorded functions, the longest in all first"},
          {"kernels", of_spans(kernels_of), "device work by name, the longest first"},
          {"operators", of_spans([](const RunMetrics& m) { return times_of_run(m, &RunWork::operators); }),
           "time by operator, over the analysed steps of the ledger's ranks; empty if no operators or ranges are "
           "recorded"},
          {"modules", of_spans([](const RunMetrics& m) { return times_of_run(m, &RunWork::modules); }),
           "the same by module of the model; empty if none are recorded"},
          {"lines", of_spans([](const RunMetrics& m) { return times_of_run(m, &RunWork::lines); }),
           "the same by source line; empty without Python's functions or stacks in the recording"},
          {"call_tree", of_spans([](const RunMetrics& m) { return shown_nodes(m); }),
           "the paths that these three sum up, parents first: functions, modules, operators, kernels"},
          {"slow_calls", of_spans(slow_lines),
           "where the host's time went in the analysed steps, by source line, the longest first; empty without "
           "recorded "
           "stacks"},
          {"clock", of_spans(placed_clocks), "how each rank's clock relates to that of the first rank"},
          {"progress", of_spans(&RunMetrics::progress), "how far the job had come"},
          {"mismatches", of_spans([](const RunMetrics& m) { return m.communication.mismatches; }),
           "collectives that members called differently"},
          {"per_rank", of_spans(&RunMetrics::ranks), "the time of each rank"},
          {"disturbance", of_spans(&Report::disturbance), "what recording cost"},
          {"verdict", of_spans(&Report::verdict), "in a sentence; `null` without steps"},
          {"whatif",
           [](const Report& r) {
             return ReplayOfRun{r.savings, r.job};
           },
           "the run replayed"},
          {"findings", findings, "claims with their evidence, the costliest first"},
      }};
}

std::string json_report(const Report& report) { return document_of(report); }

std::string report_schema() { return schema_of<Report>("tauprof report"); }

}  // namespace tauprof
