
// How long each step took, with those marked that took much longer.

// Tukey's rule, beyond the upper quartile by more than 1.5 times the distance between the quartiles; and worth a look, 5 % above
// the median.
function outlierLimit(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const quantile = (q) => {
    const at = q * (sorted.length - 1), low = Math.floor(at);
    return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
  };
  const upper = quantile(0.75);
  return Math.max(upper + 1.5 * (upper - quantile(0.25)), 1.05 * quantile(0.5));
}

function stepTimes() {
  const timed = report.steps.list.some((step) => step.duration_ns !== null);
  const key = timed ? "duration_ns" : "host_duration_ns";
  return { key, rows: report.steps.list.filter((step) => step[key] !== null && step[key] !== undefined) };
}

function hasSteps() { return Boolean(report.steps && report.steps.list && report.steps.list.length > 0 && stepTimes().rows.length > 0); }

function stepsGist() {
  const { key, rows } = stepTimes(), slowest = rows.reduce((a, b) => (b[key] > a[key] ? b : a));
  return "median " + duration(valueAt("steps." + key + ".median")) + (rows.length < 2 ? "" : ", slowest " + report.steps.unit + " " + slowest.step + ": " + duration(slowest[key]));
}

function stepsSection() {
  const steps = report.steps, { key, rows } = stepTimes();
  const limit = rows.length >= 4 ? outlierLimit(rows.map((step) => step[key])) : Infinity;
  const isOutlier = (step) => step[key] > limit;
  const outliers = rows.filter(isOutlier);
  const isOne = rows.length === 1;  // a chart and a distribution of one value show nothing
  return [
    element("p", { class: "lead" }, steps.count + " " + steps.unit + (steps.count === 1 ? "" : "s") + " analysed, " + steps.warmup +
      " warm-up left out; found by " + steps.detected_by + (steps.confidence < 1 ? ", confidence " + steps.confidence.toFixed(2) : "") + "."),
    element("div", { class: "tiles" }, isOne ? tile("steps." + key + ".median", "ns", steps.unit + " " + rows[0].step) :
      ["median", "mean", "p95", "min", "max"].map((name) => tile("steps." + key + "." + name, "ns", name)),
      steps.samples_per_s ? tile("steps.samples_per_s", "fixed", "samples/s") : null,
      steps.tokens_per_s ? tile("steps.tokens_per_s", "fixed", "tokens/s") : null),
    isOne ? null : chart(230, "Duration of each step", () => stepChart(rows, key, isOutlier)),
    isOne ? null : legend([["compute", steps.unit + (key === "duration_ns" ? ", on the device" : ", on the host")], ["quiet", "median (line)"]].concat(outliers.length > 0 ?
      [["mark", "outlier: 5 % above the median, and above the upper quartile by more than 1.5 interquartile ranges (" +
        outliers.slice(0, 8).map((step) => steps.unit + " " + step.step).join(", ") + (outliers.length > 8 ? ", …" : "") + ")"]] : []))];
}

// Beyond this many, bars would be thinner than a pixel: points stand for them.
const MOST_BARS = 500;

function stepMarks(rows, key, isOutlier) {
  const colors = rows.map((step) => colorOf(isOutlier(step) ? "mark" : "compute")), data = rows.map((step) => step[key] / 1e6);
  if (rows.length > MOST_BARS)
    return { type: "line", showLine: false, data, pointRadius: rows.map((step) => isOutlier(step) ? 3 : 1.3), pointBackgroundColor: colors, pointBorderWidth: 0 };
  return { data, backgroundColor: colors, categoryPercentage: 1, barPercentage: rows.length > 150 ? 1 : 0.82, maxBarThickness: 46 };
}

function stepChart(rows, key, isOutlier) {
  const median = valueAt("steps." + key + ".median");
  return {
    type: "bar",
    data: {
      labels: rows.map((step) => step.step),
      datasets: [
        { type: "line", data: rows.map(() => median / 1e6), borderColor: colorOf("quiet"), borderWidth: 1, borderDash: [5, 4], pointRadius: 0,
          pointHitRadius: 0 },
        stepMarks(rows, key, isOutlier)],
    },
    options: {
      plugins: { legend: { display: false }, tooltip: { filter: (item) => item.datasetIndex === 1, callbacks: {
        title: (items) => items.length > 0 ? report.steps.unit + " " + items[0].label : "",
        label: (item) => duration(rows[item.dataIndex][key]) } } },
      scales: { x: axis(report.steps.unit, { grid: { display: false }, ticks: { maxTicksLimit: 24, maxRotation: 0 } }),
        y: axis("", { beginAtZero: true, ticks: { callback: timeTicks(1e6) } }) },
      onClick: (event, items) => { if (items.length > 0) goToPlace(null, rows[items[0].index].step); },
    },
  };
}
