
// The repairs, the one that saves most first: each with its evidence, its place, what to do, and the command that asks for it.

function hasPlace(finding) { return hasTimeline() && TABLES.places_of_findings[finding.id] !== "nowhere"; }

// "saves 1.588 ms a step (1.587 ms to 1.59 ms)"
function savingOf(finding, path) {
  if (finding.saves_ns_per_step === null || finding.saves_ns_per_step === undefined)
    return finding.saves_reason ? ["what it saves is not known: " + finding.saves_reason] : null;
  const isExact = finding.saves_low_ns_per_step === finding.saves_high_ns_per_step;
  return ["saves ", number(path + "saves_ns_per_step", "ns"), " a " + report.steps.unit, isExact ? null :
    [" (", number(path + "saves_low_ns_per_step", "ns"), " to ", number(path + "saves_high_ns_per_step", "ns"), ")"]];
}

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { class: "unseen" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

function commandLine(command) {
  return element("span", { class: "command" }, element("code", {}, command),
    element("button", { type: "button", "aria-label": "Copy the command", onclick: (event) => copyText(command, event.currentTarget) }, "Copy"));
}

function stepsOf(finding) {
  const { unit } = report.steps;
  return finding.steps.length === 0 ? "all " + unit + "s" : finding.steps.length === 1 ? unit + " " + finding.steps[0] :
    finding.steps.length + " " + unit + "s, first " + finding.steps[0];
}

// `repair`: its entry of the first screen; none: it is no repair, but a finding.
function repairItem(finding, index, repair, isOpen) {
  const path = "findings." + index + ".";
  const line = (word, ...content) => [element("dt", {}, word), element("dd", {}, ...content)];
  const saving = savingOf(finding, path);
  return element("li", { class: "repair", id: "repair-" + index }, element("details", { open: isOpen },
    element("summary", {}, element("span", { class: "badge " + finding.severity }, finding.severity), element("span", { class: "what" }, finding.title),
      repair && repair.edge ? element("b", { class: "edge" }, repair.edge) : null),
    element("dl", {}, line("why", finding.evidence),
      line("who", rankList(finding.ranks) + "; " + stepsOf(finding), hasPlace(finding) ? element("button", { type: "button", onclick: () => goToRepair(index) }, "Show in timeline") : null),
      finding.where ? line("where", element("span", { class: "mono" }, finding.where),
        finding.where_share ? [" (", number(path + "where_share", "share"), " of it)"] : null) : null,
      line("do", finding.advice),
      saving ? line("gain", ...saving) : null,
      repair && repair.command ? line("ask", commandLine(repair.command)) : null)));
}

function togetherLine() {
  const whatif = report.whatif;
  if (!whatif || whatif.combined_saving_ns_per_step === null || whatif.combined_saving_ns_per_step === undefined) return null;
  return element("p", { class: "quiet" }, "All together save ", number("whatif.combined_saving_ns_per_step", "ns"),
    " a " + report.steps.unit + " (replayed together, not added). Replay error: ", number("whatif.replay_error", "fine"), ".");
}

function repairsLine() {
  const findings = report.findings || [], { repairs } = FIRST_SCREEN;
  if (findings.length === 0 && !report.verdict) return null;
  const isRepair = new Set(repairs.map((repair) => repair.finding));
  const others = findings.map((finding, index) => index).filter((index) => !isRepair.has(index));
  return said("Repair", repairs.length === 0 ? element("p", {}, "Nothing found that costs time.") : [
    element("p", { class: "edge-head" }, FIRST_SCREEN.edge),
    element("ol", { class: "repairs" }, repairs.map((repair, at) => repairItem(findings[repair.finding], repair.finding, repair, at === 0)))],
    repairs.length > 1 ? togetherLine() : null,
    others.length === 0 ? null : element("details", { class: "others" }, element("summary", {}, counted(others.length, "other finding")),
      element("ul", { class: "repairs" }, others.map((index) => repairItem(findings[index], index, null, false)))));
}
