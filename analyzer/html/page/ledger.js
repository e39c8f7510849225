
// Where every nanosecond went: the ledger, per rank, and the way from peak to what was executed.

// Of the waterfall's bars that are no rows of the ledger.
const WATERFALL_COLORS = { non_gemm_compute: "host", gemm_inefficiency: "unsplit", executed: "compute" };

const LEDGER_ROWS = new Map(TABLES.ledger_rows.map((row) => [row.name, row]));

function rowColor(name) { return LEDGER_ROWS.has(name) ? LEDGER_ROWS.get(name).colour : WATERFALL_COLORS[name] || "unknown"; }

function hasLedger() { return Boolean(report.ledger && report.ledger.sum_ns); }

function ledgerGist() {
  const { rows, sum_ns: sum } = report.ledger;
  return Object.keys(rows).sort((a, b) => rows[b] - rows[a]).slice(0, 3).filter((name) => rows[name] > 0)
    .map((name) => readable(name) + " " + FORMATS.share(rows[name] / sum)).join(", ");
}

function ledgerSection() {
  const ledger = report.ledger;
  const names = Object.keys(ledger.rows).filter((name) => ledger.rows[name] > 0);
  const lines = names.map((name) => element("tr", {},
    element("td", {}, readable(name)), numberCell("ledger.rows." + name, "ns"),
    element("td", { class: "number" }, FORMATS.share(ledger.rows[name] / ledger.sum_ns)),
    element("td", { class: "bar" }, bar(ledger.rows[name] / ledger.sum_ns, rowColor(name)))));
  lines.push(element("tr", { class: "sum" }, element("td", {}, "sum"), numberCell("ledger.sum_ns", "ns"),
    element("td", { class: "number" }, FORMATS.share(1)), element("td", {})));
  return [
    element("p", { class: "lead" }, "Device time of all ranks over the analysed " + report.steps.unit +
      "s. The rows exclude each other and add up to the " + report.steps.unit + "s exactly."),
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, element("th", {}, "part"),
      element("th", { class: "number" }, "time, all ranks"), element("th", { class: "number" }, "share"), element("th", {}))), element("tbody", {}, lines))),
    perRankLedger(), overlapTiles()];
}

function numberCell(path, format) {
  const cell = number(path, format, "td");
  cell.classList.add("number");
  return cell;
}

const MOST_LEDGER_RANKS = 64;

// All ranks; of too many, those that others waited for most.
function ledgerRanks(all) {
  if (all.length <= MOST_LEDGER_RANKS) return all;
  const blamed = new Map(report.stragglers.ranks.map((rank) => [rank.rank, rank.blamed_ns || 0]));
  const waitedFor = [...all].sort((a, b) => (blamed.get(b.rank) || 0) - (blamed.get(a.rank) || 0));
  return waitedFor.slice(0, MOST_LEDGER_RANKS).sort((a, b) => a.rank - b.rank);
}

function perRankLedger() {
  const all = report.per_rank.filter((rank) => rank.step_ns);
  if (all.length < 2) return null;
  const ranks = ledgerRanks(all);
  const names = Object.keys(ranks[0].ledger).filter((name) => ranks.some((rank) => rank.ledger[name] > 0));
  const size = ranks.length > 48 ? 8 : ranks.length > 16 ? 14 : 24;
  return element("div", {}, element("h3", {}, "By rank"),
    ranks.length === all.length ? null : element("p", { class: "quiet" }, ranks.length + " of " + all.length + " ranks: those that the others waited for most"),
    chart(60 + size * ranks.length, "Ledger of each rank", () => ({
      type: "bar",
      data: { labels: ranks.map((rank) => "rank " + rank.rank),
        datasets: names.map((name) => ({ label: readable(name), data: ranks.map((rank) => 100 * rank.ledger[name] / rank.step_ns),
          backgroundColor: colorOf(rowColor(name)), categoryPercentage: 0.9, barPercentage: 0.9 })) },
      options: { indexAxis: "y",
        plugins: { legend: { display: false }, tooltip: { callbacks: { label: (item) => item.dataset.label + ": " +
          duration(ranks[item.dataIndex].ledger[names[item.datasetIndex]]) + " (" + item.raw.toFixed(1) + " %)" } } },
        scales: { x: axis("% of the rank's time", { stacked: true, max: 100 }), y: axis("", { stacked: true, grid: { display: false } }) } },
    })), legend(names.map((name) => [rowColor(name), readable(name)])));
}

function overlapTiles() {
  const overlap = report.overlap;
  if (!overlap || !overlap.comm_ns) return null;
  return element("div", {}, element("h3", {}, "Overlap of communication with computation"), element("div", { class: "tiles" },
    tile("overlap.comm_ns", "ns", "communication"), tile("overlap.hidden_comm_ns", "ns", "of it hidden under computation"),
    tile("overlap.exposed_comm_ns", "ns", "of it exposed"), tile("overlap.overlap_fraction", "share", "hidden"),
    tile("overlap.overlap_efficiency", "share", "overlap efficiency")));
}

function hasEfficiency() { return Boolean(report.efficiency && report.efficiency.waterfall && report.efficiency.waterfall.length > 0); }

function efficiencyGist() {
  return [["mfu", "MFU"], ["hfu", "HFU"]].map(([key, name]) => name + " " + formatted(report.efficiency[key], "share")).join(", ");
}

function efficiencySection() {
  const efficiency = report.efficiency;
  const rows = efficiency.waterfall.map((row, index) => ({ ...row, index })).filter((row) => row.share !== 0);
  let left = 1;
  const bars = rows.map((row) => {
    const from = left;
    const isLast = row === rows[rows.length - 1];
    left -= row.share;
    return isLast ? [0, 100 * row.share] : [100 * left, 100 * from];
  });
  const unknown = [["mfu", "MFU"], ["hfu", "HFU"]].filter(([name]) => efficiency["no_" + name + "_because"]);
  return [
    element("p", { class: "lead" }, "From all of the devices' time to what does the work; each bar is what one cause takes away."),
    element("div", { class: "tiles" }, efficiency.mfu !== null ? tile("efficiency.mfu", "share", "MFU (model FLOPs utilization)") : null,
      efficiency.hfu !== null ? tile("efficiency.hfu", "share", "HFU (hardware FLOPs utilization)" + (efficiency.is_lower_bound ? ", at least" : "")) : null),
    unknown.map(([name, title]) => element("p", { class: "quiet" }, title + " is not known: " + efficiency["no_" + name + "_because"] + ".")),
    element("div", { class: "wide-left" }, chart(44 + 29 * rows.length, "Efficiency waterfall", () => ({
      type: "bar",
      data: { labels: rows.map((row) => readable(row.name)), datasets: [{ data: bars, minBarLength: 2, maxBarThickness: 17,
        backgroundColor: rows.map((row) => colorOf(LEDGER_ROWS.has(row.name) || row.name in WATERFALL_COLORS ? rowColor(row.name) : "compute")) }] },
      options: { indexAxis: "y",
        plugins: { legend: { display: false }, tooltip: { callbacks: { label: (item) => FORMATS.share(rows[item.dataIndex].share) } } },
        scales: { x: axis("% of all device time", { min: 0, max: 100 }),
          y: axis("", { grid: { display: false }, ticks: { autoSkip: false, color: colorOf("text") } }) } },
    })),
    table(rows, [{ title: "part", of: (row) => readable(row.name) },
      { title: "share", path: (index) => "efficiency.waterfall." + rows[index].index + ".share", format: "share" }])),
    gemmTable(efficiency.gemms)];
}

function gemmTable(gemms) {
  if (!gemms || gemms.length === 0) return null;
  return element("div", {}, element("h3", {}, "Matrix products"), table(gemms, [
    { title: "product", of: (gemm) => [gemm.m, gemm.n, gemm.k].map((size) => size ?? "?").join(" × ") + (gemm.batch > 1 ? " × " + gemm.batch : "") +
      "  " + gemm.precision },
    { title: "count", path: (index) => "efficiency.gemms." + index + ".count", format: "count" },
    { title: "time", path: (index) => "efficiency.gemms." + index + ".total_ns", format: "ns" },
    { title: "of peak", path: (index) => "efficiency.gemms." + index + ".share_of_peak", format: "share" }], 12));
}
