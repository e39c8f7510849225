
// Clocks of the devices and waits for a CPU, by step.

const FEW_RANKS = 8;

function addTelemetry(telemetry) {
  const parts = [telemetryChart(telemetry, "sm_clock_mhz", "SM clock", (value) => Math.round(value) + " MHz", (least, most) => ({ suggestedMin: 0.95 * least, suggestedMax: 1.02 * most })),
    telemetryChart(telemetry, "cpu_wait_ns", "Waiting for a CPU, of launching threads", (value) => round(duration(value)), () => ({ beginAtZero: true }))].filter(Boolean);
  const { throttling } = telemetry;
  if (parts.length === 0 && throttling.length === 0) return;
  const throttled = throttling.length === 0 ? null : element("div", {}, element("h3", {}, "Reasons for lower clocks, as NVML gives them"),
    table(throttling, [{ title: "rank", of: (row) => row.rank }, { title: "reason", of: (row) => readable(row.reason) },
      { title: report.steps.unit + "s", of: (row) => row.steps + " of " + telemetry.steps.length }], 12));
  addSection("telemetry", "Telemetry", () => [parts, throttled], "kernels");
}

function telemetryChart(telemetry, key, title, text, range) {
  const ranks = telemetry.ranks.filter((rank) => rank[key].some((value) => value !== null));
  if (ranks.length === 0 || (key === "cpu_wait_ns" && !ranks.some((rank) => rank[key].some((value) => value > 0)))) return null;
  const values = ranks.flatMap((rank) => rank[key]).filter((value) => value !== null);
  const limits = range(values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b)));
  const isFew = ranks.length <= FEW_RANKS;
  const lineColor = (at) => colorOf(isFew ? SERIES_COLORS[at % 8] : "compute");
  return element("div", {}, element("h3", {}, title), chart(200, title + " by " + report.steps.unit, () => ({
    type: "line",
    data: { labels: telemetry.steps, datasets: ranks.map((rank, at) => ({ label: "rank " + rank.rank, data: rank[key], spanGaps: true,
      borderColor: lineColor(at), backgroundColor: lineColor(at), borderWidth: isFew ? 1.6 : 0.8, pointRadius: telemetry.steps.length === 1 ? 4 : 0,
      pointHitRadius: 6 })) },
    options: {
      plugins: { legend: { display: isFew, position: "bottom", align: "start", labels: { boxWidth: 14, boxHeight: 2 } }, tooltip: { callbacks: {
        title: (items) => items.length > 0 ? report.steps.unit + " " + items[0].label : "",
        label: (item) => item.dataset.label + ": " + text(item.raw) } } },
      scales: { x: axis(report.steps.unit, { grid: { display: false }, ticks: { maxTicksLimit: 24, maxRotation: 0 } }),
        y: axis("", { ...limits, ticks: { callback: text, precision: 0, maxTicksLimit: 7 } }) } },
  })));
}
