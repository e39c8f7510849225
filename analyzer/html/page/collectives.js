
// Collectives: what they cost, and how their time grows with size.

function hasCollectives() { return Boolean(report.collectives && report.collectives.length > 0); }

function collectivesGist() {
  const longest = report.collectives[0];
  return "longest exposed: " + readable(longest.op) + (longest.size_bytes ? " of " + bytes(longest.size_bytes) : "") + " on " + counted(longest.ranks, "rank") + (longest.size_bytes ? "" : ", size not recorded");
}

function collectivesSection() {
  const rows = report.collectives;
  const path = (name) => (index) => "collectives." + index + "." + name;
  const columns = [
    { title: "communicator", of: (row) => row.comm }, { title: "operation", of: (row) => readable(row.op) },
    { title: "type", of: (row) => row.dtype || NONE }, { title: "ranks", path: path("ranks"), format: "count" },
    { title: "size", path: path("size_bytes"), format: "bytes" }, { title: "count", path: path("count"), format: "count" },
    { title: "bus GB/s", path: path("busbw_gb_per_s"), format: "fixed" },
    { title: "… without waits", path: path("busbw_transfer_gb_per_s"), format: "fixed" },
    { title: "wait", path: path("wait_ns"), format: "ns" }, { title: "transfer", path: path("transfer_ns"), format: "ns" },
    { title: "skew", path: path("skew_ns"), format: "ns" }, { title: "exposed", path: path("exposed_ns"), format: "ns" }];
  return [
    element("p", { class: "lead" }, "By communicator, operation, type and size; the longest exposed first. Times are sums over ranks. " +
      NONE + ": logs of members are missing, or sizes were not recorded."),
    table(rows, columns, 15), sizePlot(), linkTable()];
}

// Times that the reported bandwidths stand for, in ns: GB/s are bytes per ns.
function transferTime(row) { return row.size_bytes * (row.busbw_gb_per_s / row.algbw_gb_per_s) / row.busbw_transfer_gb_per_s; }

function busFactor(op, ranks) {
  const known = report.collectives.find((row) => row.op === op && row.ranks === ranks && row.algbw_gb_per_s > 0 && row.busbw_gb_per_s > 0);
  return known ? known.busbw_gb_per_s / known.algbw_gb_per_s : null;
}

const SERIES_COLORS = ["compute", "comm", "copy", "idle-1", "wait", "idle-3", "unsplit", "idle-4"];
const SERIES_POINTS = ["circle", "triangle", "rect", "rectRot", "star", "cross"];

function sizePlot() {
  const points = report.collectives.filter((row) => row.size_bytes > 0 && row.busbw_transfer_gb_per_s > 0 && row.algbw_gb_per_s > 0);
  if (new Set(points.map((row) => row.size_bytes)).size < 2) return null;  // a single point shows nothing that the table has not
  const kinds = [...new Set(points.map((row) => row.op + " on " + row.ranks + " ranks"))];
  const lines = (report.alpha_beta || []).filter((fit) => fit.identifiable && busFactor(fit.op, fit.ranks) !== null);
  const sizes = points.map((row) => row.size_bytes), times = points.map((row) => transferTime(row) / 1e3);
  const room = (values) => ({ min: Math.min(...values) / 2, max: 2 * Math.max(...values) });
  const datasets = () => kinds.map((kind, at) => ({ label: readable(kind), type: "scatter", pointRadius: 5, pointStyle: SERIES_POINTS[at % 6],
    backgroundColor: colorOf(SERIES_COLORS[at % 8]), borderColor: colorOf(SERIES_COLORS[at % 8]),
    data: points.filter((row) => row.op + " on " + row.ranks + " ranks" === kind)
      .map((row) => ({ x: row.size_bytes, y: transferTime(row) / 1e3, row })) }))
    .concat(lines.map((fit) => fitLine(fit, kinds)));
  return element("div", {}, element("h3", {}, "Transfer time against size"),
    chart(330, "Transfer time of collectives against their size", () => ({ type: "scatter", data: { datasets: datasets() }, options: {
      plugins: { legend: { position: "bottom", align: "start", labels: { usePointStyle: true, boxHeight: 7 } }, tooltip: { callbacks: {
        label: (item) => item.dataset.label + (item.raw.row ? ", " + bytes(item.raw.x) + ": " + duration(1e3 * item.raw.y) + ", " +
          item.raw.row.count + " times" : "") } } },
      scales: { x: axis("size", { type: "logarithmic", ...room(sizes), afterBuildTicks: powersOfFour, ticks: { callback: bytes, maxRotation: 0, autoSkip: true } }),
        y: axis("transfer time, without waiting", { type: "logarithmic", ...room(times), ticks: { callback: (value) => isRound(value) ? round(duration(1e3 * value)) : "" } }) },
    } })),
    element("p", { class: "quiet" }, lines.length > 0 ? "Lines: latency and bandwidth fitted to the transfers (table below)." :
      "No line is drawn: latency and bandwidth cannot be told from these sizes."));
}

// 64 KiB, 256 KiB, 1 MiB …
function powersOfFour(scale) {
  scale.ticks = [];
  for (let size = 1; size <= scale.max; size *= 4) if (size >= scale.min) scale.ticks.push({ value: size });
}

// 1, 2 and 5 times a power of ten
function isRound(value) { return [1, 2, 5].includes(Number((value / Math.pow(10, Math.floor(Math.log10(value) + 1e-9))).toPrecision(6))); }

function fitLine(fit, kinds) {
  const factor = busFactor(fit.op, fit.ranks), color = SERIES_COLORS[Math.max(0, kinds.indexOf(fit.op + " on " + fit.ranks + " ranks")) % 8];
  const data = [];
  for (let at = 0; at <= 40; ++at) {
    const size = fit.from_bytes * Math.pow(fit.to_bytes / fit.from_bytes, at / 40);
    data.push({ x: size, y: fit.alpha_us * fit.steps + factor * size / fit.beta_gb_per_s / 1e3 });
  }
  return { label: readable(fit.op) + " on " + fit.ranks + " ranks: α " + significant(fit.alpha_us, 3) + " µs, β " + significant(fit.beta_gb_per_s, 3) +
    " GB/s", type: "line", data, borderColor: colorOf(color), borderWidth: 1.5, pointRadius: 0, pointHitRadius: 0, pointStyle: "line" };
}

function linkTable() {
  const fits = report.alpha_beta;
  if (!fits || fits.length === 0) return null;
  const path = (name) => (index) => "alpha_beta." + index + "." + name;
  return element("div", {}, element("h3", {}, "Latency and bandwidth"), table(fits, [
    { title: "operation", of: (fit) => readable(fit.op) }, { title: "ranks", path: path("ranks"), format: "count" },
    { title: "algorithm", of: (fit) => fit.algorithm || NONE },
    { title: "from", path: path("from_bytes"), format: "bytes" }, { title: "to", path: path("to_bytes"), format: "bytes" },
    { title: "sizes", path: path("sizes"), format: "count" },
    { title: "α (µs)", path: path("alpha_us"), format: "fixed" }, { title: "β (GB/s)", path: path("beta_gb_per_s"), format: "fixed" },
    { title: "R²", path: path("r2"), format: "fixed" }, { title: "mean error", path: path("mean_rel_error"), format: "share" },
    { title: "not known because", of: (fit) => readable(fit.not_identifiable_because || "") }], 15));
}
