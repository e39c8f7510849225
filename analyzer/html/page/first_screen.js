
// The terminal's first screen, in its words and its order: the run, the verdict, where the step goes, what to repair with
// the step that remains, and the checks.

function counted(count, word) { return FORMATS.count(count) + " " + word + (count === 1 ? "" : "s"); }

function describeRun() {
  const run = report.run, facts = [];
  if (run.ranks !== undefined && run.ranks !== null)
    facts.push(run.world_size > 1 ? run.ranks + " of " + run.world_size + " ranks" : counted(run.ranks, "rank"));
  if (run.host_names && run.host_names.length > 0)
    facts.push(run.host_names.slice(0, 4).join(", ") + (run.host_names.length > 4 ? " and " + (run.host_names.length - 4) + " more" : ""));
  if (run.devices && run.devices.length > 0) facts.push(run.devices.slice(0, 3).join(", "));
  facts.push(...stepFacts());
  if (run.started) facts.push(run.started.replace("T", " ").replace("Z", " UTC"));
  facts.push("source: " + run.source);
  document.getElementById("top").append(
    element("h1", {}, "tauprof report", run.id ? element("span", { class: "quiet" }, "  " + run.id) : null),
    element("p", { class: "facts" }, facts.map((fact) => element("span", {}, fact))),
    run.command ? element("p", { class: "facts mono" }, run.command) : "");
  document.title = "tauprof: " + (run.id || "report");
}

function stepFacts() {
  const steps = report.steps, facts = [];
  if (!steps || !steps.count) return facts;
  facts.push(counted(steps.count, steps.unit));
  const onDevice = valueAt("steps.duration_ns.mean"), onHost = valueAt("steps.host_duration_ns.mean");
  if (onDevice) facts.push(steps.unit + " " + duration(onDevice), ...(steps.unit === "step" ? [significant(1e9 / onDevice, 3) + " steps/s"] : []));
  else if (onHost) facts.push(steps.unit + " " + duration(onHost) + " on the host");
  return [...facts, ...FIRST_SCREEN.shares];
}

const VERDICT_LOOKS = { balanced: "good", gpu: "good", hang: "bad", straggler: "bad" };

// A line of the first screen: its word in capitals, and what it says.
function said(word, ...content) {
  return element("div", { class: "said", id: "says-" + word.toLowerCase().split(",")[0] }, element("h2", { class: "word" }, word), element("div", {}, ...content));
}

function verdictLine() {
  const verdict = report.verdict;
  if (!verdict) return null;
  return element("div", { class: "verdict " + (VERDICT_LOOKS[verdict.class] || "fair") },
    element("h2", { class: "kind" }, "Verdict: " + verdict.class), element("div", { class: "title" }, verdict.title),
    verdict.by_time && report.whatif && report.whatif.reason ? element("p", { class: "quiet" }, "By time alone: " + report.whatif.reason) : null);
}

// The verdict's own reasons, where no finding has them.
function otherReasons() {
  if (!report.verdict) return null;
  const inFindings = new Set((report.findings || []).map((finding) => finding.evidence));
  const reasons = report.verdict.because.filter((reason) => !inFindings.has(reason));
  return reasons.length === 0 ? null : element("ul", { class: "quiet" }, reasons.map((reason) => element("li", {}, reason)));
}

function stepLine() {
  const parts = FIRST_SCREEN.parts_of_step;
  if (parts.length === 0) return null;
  const text = (part) => part.label + " " + Math.round(100 * part.share) + " %";
  const strip = element("div", { class: "strip", role: "img", "aria-label": parts.map(text).join(", ") }, parts.map((part) => {
    const piece = element("i", { title: text(part) });
    piece.style.flexGrow = part.share;
    themed(() => { piece.style.background = colorOf(part.row ? rowColor(part.row) : "unknown"); });
    return piece;
  }));
  return said(report.run.ranks > 1 ? "Step, all ranks" : "Step", strip, legend(parts.map((part) => [part.row ? rowColor(part.row) : "unknown", text(part)])));
}

const CHECK_MARKS = { pass: "ok", fail: "FAIL", unknown: "?" };

function checksLine() {
  const { checks } = FIRST_SCREEN;
  if (checks.length === 0) return null;
  const item = (check) => element("li", { class: "check " + check.outcome, title: check.found + (check.limit ? "; " + check.limit : "") },
    element("b", {}, CHECK_MARKS[check.outcome] || check.outcome), " " + check.id, check.outcome === "pass" ? null : element("span", {}, " " + check.found));
  const order = ["fail", "unknown", "pass"];
  return said("Checks", element("ul", { class: "checks" }, [...checks].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome)).map(item)));
}

function parallelismLine() {
  const groups = FIRST_SCREEN.parallelism;
  if (groups.length === 0) return null;
  return said("Parallelism", element("p", {}, groups.map((group) => group.kind + " " + group.groups).join(" · "), " ",
    element("a", { href: "#parallelism" }, "what it costs")));
}

function costLine() { return FIRST_SCREEN.cost === "" ? null : said("Cost", element("p", {}, FIRST_SCREEN.cost)); }

function qualityLines() {
  const quality = report.quality, notes = [];
  if (report.run.missing_ranks && report.run.missing_ranks.length > 0)
    notes.push("No log of " + rankList(report.run.missing_ranks) + ": waiting and moving data cannot be told apart there.");
  if (quality.dropped > 0) notes.push(FORMATS.count(quality.dropped) + " events were dropped.");
  if (quality.files && quality.files.damaged > 0) notes.push(counted(quality.files.damaged, "log") + " damaged.");
  for (const untimed of quality.no_device_times || [])
    notes.push("No device times of " + rankList(untimed.ranks) + ": " + untimed.reason + ".");
  return notes.length === 0 ? null : said("Lacks", element("ul", { class: "plain" }, notes.map((note) => element("li", {}, note))));
}

function showFirstScreen() {
  const lines = [verdictLine(), otherReasons(), stepLine(), repairsLine(), checksLine(), parallelismLine(), costLine(), qualityLines()].filter(Boolean);
  document.getElementById("first").append(...lines);
  document.getElementById("first").hidden = lines.length === 0;
  if (!report.verdict) document.querySelector("#contents a").textContent = "Run";
}
