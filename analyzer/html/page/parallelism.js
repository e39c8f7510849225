
// The purpose of each communicator, and its cost.

function hasParallelism() { return Boolean(report.parallelism && report.parallelism.length > 0); }

function parallelismGist() { return FIRST_SCREEN.parallelism.map((group) => group.kind + " " + group.groups).join(" · "); }

function parallelismSection() {
  const groups = report.parallelism, path = (name) => (index) => "parallelism." + index + "." + name;
  const words = (group) => FIRST_SCREEN.parallelism[groups.indexOf(group)];
  return [
    element("p", { class: "lead" }, "Per rank and " + report.steps.unit + "; the longest exposed first."),
    table(groups, [
      { title: "kind", of: (group) => words(group).kind }, { title: "groups", of: (group) => words(group).groups },
      { title: "calls", path: path("calls_per_step"), format: "fixed" }, { title: "size", path: path("bytes_per_step"), format: "bytes" },
      { title: "time", path: path("span_ns_per_step"), format: "ns" }, { title: "wait", path: path("wait_ns_per_step"), format: "ns" },
      { title: "exposed", path: path("exposed_ns_per_step"), format: "ns" }, { title: "of the " + report.steps.unit, path: path("share_of_step"), format: "share" },
      { title: "known by", of: (group) => readable(group.evidence) }], 15)];
}
