
// What a reader wants first: what was recorded, the verdict, and what to repair.

function describeRun() {
  const run = report.run;
  const facts = [];
  if (run.ranks !== undefined && run.ranks !== null)
    facts.push(run.ranks + (run.world_size && run.world_size !== run.ranks ? " of " + run.world_size : "") +
      ((run.world_size || run.ranks) === 1 ? " rank" : " ranks"));
  if (run.host_names && run.host_names.length > 0) facts.push(run.host_names.slice(0, 4).join(", "));
  if (run.devices && run.devices.length > 0) facts.push(run.devices.slice(0, 3).join(", "));
  if (run.started) facts.push(run.started.replace("T", " ").replace("Z", " UTC"));
  facts.push("source: " + run.source);
  document.getElementById("top").append(
    element("h1", {}, "tauprof report", run.id ? element("span", { class: "quiet" }, "  " + run.id) : null),
    element("p", { class: "facts" }, facts.map((fact) => element("span", {}, fact))),
    run.command ? element("p", { class: "facts mono" }, run.command) : null || "");
  document.title = "tauprof: " + (run.id || "report");
}

const VERDICT_LOOKS = { balanced: "good", gpu: "good", hang: "bad", straggler: "bad" };

function verdictBox(verdict) {
  return element("div", { class: "verdict " + (VERDICT_LOOKS[verdict.class] || "fair") },
    element("div", { class: "kind" }, "Verdict: " + verdict.class),
    element("div", { class: "title" }, verdict.title),
    element("ul", {}, verdict.because.map((reason) => element("li", {}, reason))));
}

function hasPlace(finding) { return hasTimeline() && TABLES.places_of_findings[finding.id] !== "nowhere"; }

function savingBounds(finding, path) {
  if (finding.saves_low_ns_per_step === finding.saves_high_ns_per_step) return null;
  return element("small", {}, "(", number(path + "saves_low_ns_per_step", "ns"), " to ",
    number(path + "saves_high_ns_per_step", "ns"), ")");
}

function repairItem(finding, index) {
  const path = "findings." + index + ".";
  const saves = finding.saves_ns_per_step !== null && finding.saves_ns_per_step !== undefined;
  const steps = finding.steps.length === 0 ? "all steps" :
    finding.steps.length === 1 ? "step " + finding.steps[0] : finding.steps.length + " steps, first " + finding.steps[0];
  return element("li", { class: "repair", id: "repair-" + index },
    element("div", { class: "saves" },
      saves ? [element("small", {}, "saves"), number(path + "saves_ns_per_step", "ns", "b"), element("small", {}, "per step"), savingBounds(finding, path)]
        : element("small", {}, "saving not known")),
    element("div", { class: "what" }, element("span", { class: "badge " + finding.severity }, finding.severity), finding.title),
    hasPlace(finding) ? element("button", { type: "button", onclick: () => goToRepair(index) }, "Show in timeline") : element("span"),
    element("div", { class: "detail" },
      element("p", { class: "quiet" }, rankList(finding.ranks) + "; " + steps),
      element("p", {}, finding.evidence),
      finding.where ? element("p", { class: "mono" }, "at " + finding.where) : null,
      element("p", {}, element("b", {}, "Try: "), finding.advice),
      finding.whatif ? element("p", { class: "mono" }, "tauprof whatif LOGS " + finding.whatif) : null,
      saves || !finding.saves_reason ? null : element("p", { class: "quiet" }, "What it saves is not known: " + finding.saves_reason)));
}

function savingsLine() {
  const whatif = report.whatif;
  if (!whatif || whatif.combined_saving_ns_per_step === null || whatif.combined_saving_ns_per_step === undefined) return null;
  return element("p", { class: "quiet" }, "All of them together save ", number("whatif.combined_saving_ns_per_step", "ns"),
    " per step (replayed together, not added). Replay error: ", number("whatif.replay_error", "share"), ".");
}

function qualityLines() {
  const quality = report.quality;
  const notes = [];
  if (report.run.missing_ranks && report.run.missing_ranks.length > 0)
    notes.push("No log of " + rankList(report.run.missing_ranks) + ": waiting and moving data cannot be told apart there.");
  if (quality.dropped > 0) notes.push(FORMATS.count(quality.dropped) + " events were dropped.");
  if (quality.files && quality.files.damaged > 0) notes.push(quality.files.damaged + " log(s) are damaged.");
  for (const untimed of quality.no_device_times || [])
    notes.push("No device times of " + rankList(untimed.ranks) + ": " + untimed.reason + ".");
  return notes.length === 0 ? null : element("ul", { class: "quiet" }, notes.map((note) => element("li", {}, note)));
}

function overviewSection() {
  const findings = report.findings || [];
  if (findings.length === 0 && !report.verdict) return null;
  return [
    report.verdict ? verdictBox(report.verdict) : null,
    findings.length > 0 ? element("ol", { class: "repairs" }, findings.map(repairItem)) :
      element("p", {}, "No findings: nothing stands out."),
    savingsLine(), qualityLines()];
}
