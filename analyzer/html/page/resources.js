
// Memory, telemetry and pipelines: only where the report has them.

function memorySection() {
  const memory = report.memory;
  if (!memory || !memory.peak_bytes) return null;
  const phases = Object.keys(memory.by_phase || {}).filter((phase) => memory.by_phase[phase] > 0);
  return [element("div", { class: "tiles" }, tile("memory.peak_bytes", "bytes", "peak")),
    phases.length === 0 ? null : table(phases, [{ title: "phase", of: readable },
      { title: "peak", path: (index) => "memory.by_phase." + phases[index], format: "bytes" },
      { title: "", bar: (phase) => memory.by_phase[phase] / memory.peak_bytes, color: "copy" }])];
}

function pipelineSection() {
  const pipelines = (report.messages && report.messages.pipelines) || [];
  if (pipelines.length === 0) return null;
  return pipelines.map((pipeline, index) => element("div", {},
    pipelines.length > 1 ? element("h3", {}, "Pipeline " + (index + 1)) : null,
    element("div", { class: "tiles" }, tile("messages.pipelines." + index + ".bubble", "share", "bubble"),
      tile("messages.pipelines." + index + ".ideal_bubble", "share", "bubble of a balanced pipeline"),
      tile("messages.pipelines." + index + ".imbalance", "share", "imbalance"),
      tile("messages.pipelines." + index + ".critical_rank", "count", "critical rank")),
    pipelineChart(pipeline),
    legend([["compute", "compute"], ["wait", "waits for the stage before"], ["comm", "waits for the stage after"]])));
}

function pipelineChart(pipeline) {
  const parts = [["compute_ns", "compute"], ["wait_previous_ns", "wait"], ["wait_next_ns", "comm"]];
  const titles = { compute_ns: "compute", wait_previous_ns: "waits for the stage before", wait_next_ns: "waits for the stage after" };
  return chart(60 + 24 * pipeline.stages.length, "Stages of a pipeline", () => ({
    type: "bar",
    data: { labels: pipeline.stages.map((stage, at) => "stage " + at + " (rank " + stage.rank + ")"),
      datasets: parts.map(([name, color]) => ({ label: titles[name], data: pipeline.stages.map((stage) => stage[name] / 1e6), backgroundColor: colorOf(color),
        maxBarThickness: 20 })) },
    options: { indexAxis: "y", plugins: { legend: { display: false }, tooltip: { callbacks: {
      label: (item) => item.dataset.label + ": " + duration(1e6 * item.raw) } } },
    scales: { x: axis("", { stacked: true, ticks: { callback: (value) => round(duration(1e6 * value)) } }), y: axis("", { stacked: true, grid: { display: false } }) } },
  }));
}
