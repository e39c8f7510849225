
// The what-if analysis of an operation trace, which has no spans.

function hasJob() { return Boolean(report.whatif && (report.whatif.by_op || report.whatif.t_measured_ns)); }

function jobSection() {
  const job = report.whatif;
  return [
    element("p", { class: "lead" }, "The job replayed without its stragglers. A slowdown of 1.25 means: a quarter longer than the ideal step."),
    element("div", { class: "tiles" }, tile("whatif.slowdown", "times", "slowdown"), tile("whatif.t_measured_ns", "ns", "measured step"),
      tile("whatif.t_nodelay_ns", "ns", "without launch delays"), tile("whatif.t_ideal_ns", "ns", "ideal"),
      tile("whatif.m_w", "share", "M_W: goes with the worst 3 % of the ranks"), tile("whatif.m_s", "share", "M_S: goes with the last stage"),
      tile("whatif.replay_error", "share", "replay error")),
    element("div", { class: "split" }, [["by_op", "operation"], ["by_stage", "stage"], ["by_dp_rank", "data-parallel rank"], ["by_rank", "rank"]]
      .map(([key, title]) => slowdownTable(job[key], key, title)))];
}

function slowdownTable(slowdowns, key, title) {
  if (!slowdowns) return null;
  const names = Object.keys(slowdowns).sort((a, b) => slowdowns[b] - slowdowns[a]);
  const most = Math.max(1e-9, ...names.map((name) => slowdowns[name] - 1));
  return element("div", {}, element("h3", {}, "Slowdown by " + title), table(names, [
    { title, of: readable }, { title: "slowdown", path: (index) => "whatif." + key + "." + names[index], format: "times" },
    { title: "", bar: (name) => (slowdowns[name] - 1) / most, color: "wait" }], 12));
}
