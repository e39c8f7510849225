
// Memory, telemetry and pipelines: only where the report has them.

function hasMemory() { return Boolean(report.memory && report.memory.ranks && report.memory.ranks.length > 0); }

function memorySection() {
  const memory = report.memory;
  const path = (name) => (index) => "memory.ranks." + index + "." + name;
  return [
    element("p", { class: "lead" }, "Device memory that recorded calls took and did not give back. A framework's allocator keeps more than its tensors use."),
    memoryOfFullest(memory), memoryChart(memory.ranks), element("h3", {}, "Ranks"), table(memory.ranks, [
      { title: "rank", path: path("rank"), format: "count", isKey: true },
      { title: "peak", path: path("peak_bytes"), format: "bytes" }, { title: "of the device", path: path("share_of_device"), format: "share" },
      { title: "growth per step", path: path("growth_bytes_per_step"), format: "bytes" },
      { title: "allocations per step", path: path("allocations_per_step"), format: "fixed" }, { title: "frees per step", path: path("frees_per_step"), format: "fixed" },
      { title: "reserved by PyTorch", path: path("peak_reserved_bytes"), format: "bytes" }, { title: "of it unused", path: path("unused_share"), format: "share" },
      { title: "retries", path: path("allocator_retries"), format: "count" },
      { title: "", of: (rank) => [rank.is_lower_bound ? "peak at least" : "", rank.is_growing ? "grows" : ""].filter(Boolean).join(", ") }], 12)];
}

function memoryOfFullest(memory) {
  const phases = memory.by_phase ? Object.keys(memory.by_phase).filter((phase) => memory.by_phase[phase] > 0) : [];
  return element("div", { class: "split" }, element("div", { class: "tiles" }, tile("memory.peak_bytes", "bytes", "largest peak of a rank")),
    phases.length === 0 ? null : table(phases, [{ title: "allocated in", of: readable },
      { title: "at the peak", path: (index) => "memory.by_phase." + phases[index], format: "bytes" },
      { title: "", bar: (phase) => memory.by_phase[phase] / memory.peak_bytes, color: "copy" }]));
}

function memoryChart(all) {
  const ranks = all.filter((rank) => rank.in_use.length > 1);
  if (ranks.length === 0) return null;
  const lines = linesOfRanks(ranks, (rank) => rank.in_use.map((one) => ({ x: one.step, y: one.bytes })));
  const isFew = ranks.length <= FEW_RANKS, title = "In use at the end of each " + report.steps.unit;
  const lineColor = (at) => colorOf(isFew ? SERIES_COLORS[at % 8] : "copy");
  return element("div", {}, element("h3", {}, title), chart(210, title, () => ({
    type: "line",
    data: { datasets: lines.map((line, at) => ({ ...line,
      borderColor: lineColor(at), backgroundColor: lineColor(at), borderWidth: isFew ? 1.6 : 0.8, pointRadius: 0, pointHitRadius: 6 })) },
    options: { plugins: { legend: { display: isFew, position: "bottom", align: "start", labels: { boxWidth: 14, boxHeight: 2 } }, tooltip: { callbacks: {
      title: (items) => items.length > 0 ? report.steps.unit + " " + items[0].parsed.x : "", label: (item) => item.dataset.label + ": " + bytes(item.parsed.y) } } },
    scales: { x: axis(report.steps.unit, { type: "linear", min: ranks[0].in_use[0].step, max: ranks[0].in_use.at(-1).step, grid: { display: false }, ticks: { precision: 0 } }),
      y: axis("", { beginAtZero: true, afterBuildTicks: byteTicks, ticks: { callback: bytes } }) } },
  })));
}

// 0, 256 MiB, 512 MiB …
function byteTicks(scale) {
  const step = Math.pow(2, Math.ceil(Math.log2(scale.max / 6 || 1)));
  scale.ticks = [];
  for (let size = 0; size <= scale.max; size += step) scale.ticks.push({ value: size });
}

function pipelines() { return (report.messages && report.messages.pipelines) || []; }

function hasPipeline() { return pipelines().length > 0; }

function pipelineSection() {
  return pipelines().map((pipeline, index) => element("div", {},
    pipelines().length > 1 ? element("h3", {}, "Pipeline " + (index + 1)) : null,
    element("div", { class: "tiles" }, tile("messages.pipelines." + index + ".bubble", "share", "bubble"),
      tile("messages.pipelines." + index + ".ideal_bubble", "share", "bubble of a balanced pipeline"),
      tile("messages.pipelines." + index + ".imbalance", "share", "computing of the longest stage, of the mean"),
      tile("messages.pipelines." + index + ".critical_rank", "count", "rank of the longest stage")),
    pipelineChart(pipeline),
    legend([["compute", "compute"], ["wait", "waits for the stage before"], ["comm", "waits for the stage after"]])));
}

function pipelineChart(pipeline) {
  const parts = [["compute_ns", "compute"], ["wait_previous_ns", "wait"], ["wait_next_ns", "comm"]];
  const titles = { compute_ns: "compute", wait_previous_ns: "waits for the stage before", wait_next_ns: "waits for the stage after" };
  return chart(76 + 24 * pipeline.stages.length, "Stages of a pipeline", () => ({
    type: "bar",
    data: { labels: pipeline.stages.map((stage, at) => "stage " + at + " (rank " + stage.rank + ")"),
      datasets: parts.map(([name, color]) => ({ label: titles[name], data: pipeline.stages.map((stage) => stage[name] / 1e6), backgroundColor: colorOf(color),
        maxBarThickness: 20 })) },
    options: { indexAxis: "y", plugins: { legend: { display: false }, tooltip: { callbacks: {
      label: (item) => item.dataset.label + ": " + duration(1e6 * item.raw) } } },
    scales: { x: axis("over all analysed " + report.steps.unit + "s", { stacked: true, ticks: { callback: timeTicks(1e6) } }),
      y: axis("", { stacked: true, grid: { display: false } }) } },
  }));
}
