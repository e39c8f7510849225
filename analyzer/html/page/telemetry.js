
// Clocks of the devices and waits for a CPU, by step.

const FEW_RANKS = 8;

// One line for all ranks whose values are the same: else the last one drawn hides the others.
function linesOfRanks(ranks, valuesOf) {
  const lines = new Map();
  for (const rank of ranks) {
    const values = valuesOf(rank), key = JSON.stringify(values);
    if (!lines.has(key)) lines.set(key, { ranks: [], values });
    lines.get(key).ranks.push(rank.rank);
  }
  return [...lines.values()].map((line) => ({ label: line.ranks.length === 1 ? "rank " + line.ranks[0] :
    line.ranks.length === ranks.length ? "all ranks" : "ranks " + line.ranks.join(", "), data: line.values }));
}

const SENSOR_CHARTS = [
  ["sm_clock_mhz", "SM clock", () => (value) => Math.round(value) + " MHz", (least, most) => ({ suggestedMin: 0.95 * least, suggestedMax: 1.02 * most })],
  ["cpu_wait_ns", "Waiting for a CPU, of launching threads", () => timeTicks(1), () => ({ beginAtZero: true })]];

function readRanks(telemetry, key) { return telemetry.ranks.filter((rank) => rank[key].some((value) => value !== null)); }

function isTelling(telemetry, key) {
  const ranks = readRanks(telemetry, key);
  return ranks.length > 0 && (key !== "cpu_wait_ns" || ranks.some((rank) => rank[key].some((value) => value > 0)));
}

function hasTelemetry(telemetry) { return telemetry.throttling.length > 0 || SENSOR_CHARTS.some(([key]) => isTelling(telemetry, key)); }

function telemetrySection(telemetry) {
  const { throttling } = telemetry;
  const throttled = throttling.length === 0 ? null : element("div", {}, element("h3", {}, "Reasons for lower clocks, as NVML gives them"),
    table(throttling, [{ title: "rank", of: (row) => row.rank }, { title: "reason", of: (row) => readable(row.reason) },
      { title: report.steps.unit + "s", of: (row) => row.steps + " of " + telemetry.steps.length }], 12));
  return [SENSOR_CHARTS.filter(([key]) => isTelling(telemetry, key)).map((of) => telemetryChart(telemetry, ...of)), throttled];
}

function telemetryChart(telemetry, key, title, text, range) {
  const ranks = readRanks(telemetry, key);
  const values = ranks.flatMap((rank) => rank[key]).filter((value) => value !== null);
  const limits = range(values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b)));
  const lines = linesOfRanks(ranks, (rank) => rank[key]), isFew = ranks.length <= FEW_RANKS;
  const lineColor = (at) => colorOf(isFew ? SERIES_COLORS[at % 8] : "compute");
  return element("div", {}, element("h3", {}, title), chart(200, title + " by " + report.steps.unit, () => ({
    type: "line",
    data: { labels: telemetry.steps, datasets: lines.map((line, at) => ({ ...line, spanGaps: true,
      borderColor: lineColor(at), backgroundColor: lineColor(at), borderWidth: isFew ? 1.6 : 0.8, pointRadius: telemetry.steps.length === 1 ? 4 : 0,
      pointHitRadius: 6 })) },
    options: {
      plugins: { legend: { display: isFew, position: "bottom", align: "start", labels: { boxWidth: 14, boxHeight: 2 } }, tooltip: { callbacks: {
        title: (items) => items.length > 0 ? report.steps.unit + " " + items[0].label : "",
        label: (item) => item.dataset.label + ": " + (key === "cpu_wait_ns" ? duration(item.raw) : text()(item.raw)) } } },
      scales: { x: axis(report.steps.unit, { grid: { display: false }, ticks: { maxTicksLimit: 24, maxRotation: 0 } }),
        y: axis("", { ...limits, ticks: { callback: text(), precision: 0, maxTicksLimit: 7 } }) } },
  })));
}
