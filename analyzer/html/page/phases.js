
// Phases of a step, on the host and on the device.

function usedPhases() {
  const isUsed = (phase) => [phase.host_ns, phase.device_ns].some((of) => of && of.max > 0);
  return (report.phases || []).map((phase, index) => ({ ...phase, index })).filter(isUsed);
}

function hasPhases() { return usedPhases().length > 0; }

function phasesSection() {
  const rows = usedPhases();
  return [
    element("p", { class: "lead" }, "Two times that do not add up: the host issues the work of a phase, the device runs it. Derived rows combine others."),
    element("div", { class: "split" }, phaseTable(rows, "host", "On the host (issuing)", "host"),
      rows.some((phase) => phase.device_ns) ? phaseTable(rows, "device", "On the device (running)", "compute") : null)];
}

function phaseTable(rows, side, title, color) {
  const path = (name) => (index) => "phases." + rows[index].index + "." + side + name;
  return element("div", {}, element("h3", {}, title), table(rows, [
    { title: "phase", of: (phase) => readable(phase.name) + (phase.derived ? " *" : "") },
    { title: "mean", path: path("_ns.mean"), format: "ns" }, { title: "median", path: path("_ns.median"), format: "ns" },
    { title: "p95", path: path("_ns.p95"), format: "ns" }, { title: "share", path: path("_share"), format: "share" },
    { title: "", bar: (phase) => phase[side + "_share"], color }]),
  element("p", { class: "quiet" }, "* derived, outside of the sum"));
}

const CLASS_COLORS = { compute: "compute", fused: "fused", comm: "comm", copy: "copy", unclassified: "unknown" };

function hasKernels() { return [report.kernels, report.calls].some((list) => list && list.length > 0); }

function kernelsGist() {
  const [longest] = report.kernels || [];
  return longest ? FORMATS.share(longest.share) + " " + (longest.name.length > 60 ? longest.name.slice(0, 59) + "…" : longest.name) : null;
}

function kernelsSection() {
  const kernels = report.kernels, calls = report.calls;
  const path = (list, name) => (index) => list + "." + index + "." + name;
  return [
    kernels && kernels.length > 0 ? element("div", {}, element("h3", {}, "Kernels and copies, on all ranks"), table(kernels, [
      { title: "share", path: path("kernels", "share"), format: "share" }, { title: "total", path: path("kernels", "total_ns"), format: "ns" },
      { title: "count", path: path("kernels", "count"), format: "count" }, { title: "mean", path: path("kernels", "mean_ns"), format: "ns" },
      { title: "class", of: (kernel) => {
        const name = element("span", {}, kernel.class);
        themed(() => { name.style.color = colorOf(CLASS_COLORS[kernel.class] || "unknown"); });
        return name;
      } },
      { title: "name", name: true, of: (kernel) => element("span", { class: "mono" }, kernel.name) }], 15)) : null,
    calls && calls.length > 0 ? element("div", {}, element("h3", {}, "Calls on the host"), table(calls, [
      { title: "total", path: path("calls", "total_ns"), format: "ns" }, { title: "count", path: path("calls", "count"), format: "count" },
      { title: "mean", path: path("calls", "mean_ns"), format: "ns" }, { title: "min", path: path("calls", "min_ns"), format: "ns" },
      { title: "max", path: path("calls", "max_ns"), format: "ns" },
      { title: "function", name: true, of: (call) => element("span", { class: "mono" }, call.function) }], 10)) : null,
    sourceLines()];
}
