
// Progress of a job that did not end, what feeds the devices, source lines, and how far the recording can be trusted.

function hasProgress() { return Boolean(report.progress && report.progress.state !== "finished"); }

function progressSection() {
  const progress = report.progress;
  const path = (name) => (index) => "progress.ranks." + index + "." + name;
  const waiting = progress.communicators.filter((one) => one.waiting);
  return [
    element("p", { class: "lead" }, progress.state === "stuck" ? "Nothing moves any more." : "Some logs have no end: the job still runs, was killed, or hangs."),
    progress.suspects.length === 0 ? null : element("p", {}, element("b", {}, "Look first at "),
      progress.suspects.map((suspect) => "rank " + suspect.rank + " (" + readable(suspect.reason) + ")").join(", ")),
    waiting.length === 0 ? null : element("div", {}, element("h3", {}, "Collectives that wait"), table(waiting, [
      { title: "communicator", of: (one) => one.comm }, { title: "operation", of: (one) => readable(one.waiting.op) + " number " + one.waiting.sequence },
      { title: "waited", of: (one) => duration(one.waiting.waited_ns) }, { title: "entered", of: (one) => rankList(one.waiting.entered) },
      { title: "not entered", of: (one) => one.waiting.not_entered.length === 0 ? NONE : rankList(one.waiting.not_entered) },
      { title: "where", name: true, of: (one) => one.waiting.where || NONE }])),
    element("h3", {}, "What each rank was doing"), table(progress.ranks, [
      { title: "rank", path: path("rank"), format: "count", isKey: true }, { title: "call", of: (rank) => rank.call ? (rank.in_call ? "in " : "after ") + rank.call : NONE },
      { title: "for", path: path("doing_for_ns"), format: "ns" }, { title: "step", path: path("step"), format: "count" },
      { title: "phase", of: (rank) => readable(rank.phase || NONE) }, { title: "where", name: true, of: (rank) => rank.where || NONE }], 16)];
}

function inputRanks() { return report.input && report.input.ranks ? report.input.ranks : []; }

function hasInput() { return inputRanks().some((rank) => rank.fetch_wait_ns && rank.fetch_wait_ns.max > 0); }

function inputSection() {
  const ranks = inputRanks();
  const path = (name) => (index) => "input.ranks." + index + "." + name;
  return [
    element("p", { class: "lead" }, "How long each rank's host waits for batches. A wait that the device does not notice costs nothing; the ledger's idle data wait is the cost."),
    table(ranks, [
      { title: "rank", path: path("rank"), format: "count", isKey: true }, { title: "wait, mean", path: path("fetch_wait_ns.mean"), format: "ns" },
      { title: "median", path: path("fetch_wait_ns.median"), format: "ns" }, { title: "p95", path: path("fetch_wait_ns.p95"), format: "ns" },
      { title: "copy, mean", path: path("copy_ns.mean"), format: "ns" }, { title: "batches", path: path("batches"), format: "count" },
      { title: "long waits", of: (rank) => rank.pattern === "none" ? NONE : readable(rank.pattern) + (rank.every ? ", every " + rank.every : "") }], 12)];
}

function sourceLines() {
  const lines = report.slow_calls || [];
  if (lines.length === 0) return null;
  const path = (name) => (index) => "slow_calls." + index + "." + name;
  return element("div", {}, element("h3", {}, "Slow calls, by place"), table(lines, [
    { title: "total", path: path("total_ns"), format: "ns" }, { title: "count", path: path("count"), format: "count" },
    { title: "mean", path: path("mean_ns"), format: "ns" }, { title: "call", of: (line) => line.call || "between calls" },
    { title: "where", name: true, of: (line) => element("span", { class: "mono" }, line.where) }], 12));
}

function settingsTable() {
  const settings = report.settings || {}, versions = report.run.versions || {};
  const rows = Object.entries(settings).flatMap(([group, values]) => Object.entries(values).map(([name, value]) => [readable(group) + ": " + readable(name), value]))
    .concat(Object.entries(versions));
  const written = (value) => value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);
  return rows.length === 0 ? null : element("div", {}, element("h3", {}, "Settings and versions"),
    table(rows, [{ title: "of", of: ([name]) => name }, { title: "value", name: true, of: ([, value]) => written(value) }], 12));
}

function recordingGist() {
  const { events, dropped } = report.quality;
  return counted(events, "event") + ", " + (dropped > 0 ? FORMATS.count(dropped) + " dropped" : "none dropped");
}

function recordingSection() {
  const quality = report.quality;
  const path = (name) => (index) => "clock." + index + "." + name;
  const clocks = report.clock || [];
  return [
    element("div", { class: "tiles" }, tile("quality.events", "count", "events"), tile("quality.dropped", "count", "dropped"),
      tile("quality.files.read", "count", "logs read"), tile("quality.files.damaged", "count", "damaged"), tile("quality.files.skipped", "count", "skipped"),
      tile("quality.unmatched_spans", "count", "spans without their call"), tile("quality.clamped_latencies", "count", "negative latencies"),
      tile("quality.profiler_ns_on_app_threads", "ns", "cost on the program's threads"), tile("whatif.replay_error", "fine", "replay error")),
    (quality.gaps || []).length === 0 ? null : element("p", {}, quality.gaps.length + " gaps: " +
      [...new Set(quality.gaps.map((gap) => gap.reason))].slice(0, 5).join("; ")),
    clocks.length < 2 ? null : element("div", {}, element("h3", {}, "Clocks"), table(clocks, [
      { title: "rank", path: path("rank"), format: "count", isKey: true }, { title: "known by", of: (clock) => readable(clock.basis) },
      { title: "offset", path: path("offset_ns"), format: "ns" }, { title: "drift (ppm)", path: path("drift_ppm"), format: "fixed" },
      { title: "bound", path: path("bound_ns"), format: "ns" }], 8)), settingsTable()];
}
