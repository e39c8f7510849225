
// Who made the others wait, and in which steps.

function mixed(from, to, share) {
  const parse = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  const a = parse(from), b = parse(to);
  return "rgb(" + a.map((value, at) => Math.round(value + (b[at] - value) * share)).join(" ") + ")";
}

// From 0 (none) to 1.
function heatColor(share) {
  return share < 0.5 ? mixed(colorOf("heat-0"), colorOf("heat-1"), 2 * share) : mixed(colorOf("heat-1"), colorOf("heat-2"), 2 * share - 1);
}

// Waiting that ranks caused, by rank and step; a click on a cell opens it in the timeline.
class HeatMap {
  constructor(caused) {
    this.caused = caused;
    this.index = new Map(caused.ranks.map((rank, at) => [rank, at]));
    this.most = caused.ns.reduce((most, row) => row.reduce((a, b) => Math.max(a, b), most), 1);
    this.top = 6;
    this.canvas = element("canvas", { role: "img", tabindex: "0", "aria-label": this.summary(),
      onpointermove: (event) => this.point(this.at(event), event), onpointerleave: hideTip, onclick: (event) => this.open(this.at(event)),
      onkeydown: (event) => this.move(event), onblur: hideTip });
    this.box = element("div", { class: "heat" }, this.canvas);
    this.cursor = { line: 0, step: 0 };
    this.arrange();
    redraws.push(() => this.draw());
    rankOrder.listeners.push(() => { this.arrange(); this.draw(); });
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  // The lines of ranks, each with the most of the ranks that it stands for.
  arrange() {
    this.lines = rankOrder.lines(this.caused.ranks).map((line) => ({ ...line, ns: this.most_of(line) }));
    this.cell = Math.max(3, Math.min(22, Math.floor(620 / Math.max(1, this.lines.length))));
    this.cursor = { line: Math.min(this.cursor.line, Math.max(0, this.lines.length - 1)), step: this.cursor.step };
  }
  most_of(line) {
    if (line.stands === 1) return this.caused.ns[this.index.get(line.rank)];
    const members = this.caused.ranks.filter((rank) => rankOrder.host(rank) === line.host && rankOrder.matches(rank));
    return this.caused.steps.map((step, at) => Math.max(...members.map((rank) => this.caused.ns[this.index.get(rank)][at])));
  }

  summary() {
    const { caused } = this;
    let best = [0, 0];
    caused.ns.forEach((row, rank) => row.forEach((ns, step) => { if (ns > caused.ns[best[0]][best[1]]) best = [rank, step]; }));
    return "Waiting caused, by rank and " + report.steps.unit + ". Most: rank " + caused.ranks[best[0]] + " in " + report.steps.unit + " " +
      caused.steps[best[1]] + ", " + duration(caused.ns[best[0]][best[1]]);
  }

  label(line) { return line.stands === 1 ? "rank " + line.rank : line.host; }

  draw() {
    const { caused, canvas, cell } = this;
    const width = this.box.clientWidth, height = this.top + cell * this.lines.length + 34, scale = devicePixelRatio || 1;
    if (width === 0) return;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = height + "px";
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.font = "12px " + getComputedStyle(document.body).fontFamily;
    this.left = 16 + Math.ceil(this.lines.reduce((most, line) => Math.max(most, pen.measureText(this.label(line)).width), 40));
    this.column = Math.min(90, (width - this.left) / caused.steps.length);
    if (this.column <= 0) return;  // while the page is laid out for paper, there may be room for labels alone
    const gap = cell >= 8 && this.column >= 6 ? 1 : 0;
    this.lines.forEach((line, at) => this.binned(line.ns).forEach((ns, column, bins) => {
      pen.fillStyle = heatColor(ns / this.most);
      const wide = this.column * line.ns.length / bins.length;
      pen.fillRect(this.left + column * wide, this.top + at * cell, wide - gap, cell - gap);
    }));
    this.drawLabels(pen);
  }

  // The most of the steps that share a pixel.
  binned(row) {
    if (this.column >= 1) return row;
    const bins = new Array(Math.floor(row.length * this.column)).fill(0);
    row.forEach((ns, step) => {
      const at = Math.min(bins.length - 1, Math.floor(step * this.column));
      bins[at] = Math.max(bins[at], ns);
    });
    return bins;
  }

  drawLabels(pen) {
    const { caused, cell, left } = this;
    pen.fillStyle = colorOf("quiet");
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const every = Math.ceil(13 / cell);
    this.lines.forEach((line, at) => { if (at % every === 0) pen.fillText(this.label(line), left - 8, this.top + at * cell + cell / 2); });
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const bottom = this.top + cell * this.lines.length, step = Math.ceil(42 / this.column);
    caused.steps.forEach((number, at) => { if (at % step === 0) pen.fillText(number, left + (at + 0.5) * this.column, bottom + 4); });
    pen.textAlign = "left";
    pen.fillText(report.steps.unit, left, bottom + 19);
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const line = Math.floor((event.clientY - box.top - this.top) / this.cell), step = Math.floor((event.clientX - box.left - this.left) / this.column);
    const isInside = line >= 0 && line < this.lines.length && step >= 0 && step < this.caused.steps.length;
    return isInside ? { line, step } : null;
  }

  // Arrow keys move from cell to cell, Enter opens one.
  move(event) {
    const { cursor, caused } = this, by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Enter") return this.open(cursor);
    if (!by) return;
    event.preventDefault();
    cursor.line = Math.max(0, Math.min(this.lines.length - 1, cursor.line + by[0]));
    cursor.step = Math.max(0, Math.min(caused.steps.length - 1, cursor.step + by[1]));
    const box = this.canvas.getBoundingClientRect();
    this.point(cursor, { clientX: box.left + this.left + (cursor.step + 0.5) * this.column, clientY: box.top + this.top + (cursor.line + 0.5) * this.cell });
  }

  // Of the ranks that a line stands for, the one that most was waited for in this step.
  rankAt({ line, step }) {
    const folded = this.lines[line];
    if (folded.stands === 1) return folded.rank;
    return this.caused.ranks.find((rank) => rankOrder.host(rank) === folded.host && this.caused.ns[this.index.get(rank)][step] === folded.ns[step]);
  }

  point(at, event) {
    if (!at || !this.lines[at.line]) return hideTip();
    showTip(event, "rank " + this.rankAt(at) + ", " + report.steps.unit + " " + this.caused.steps[at.step] + "\nothers waited " +
      duration(this.lines[at.line].ns[at.step]) + " for it");
  }

  open(at) {
    if (at && this.lines[at.line]) goToPlace(this.rankAt(at), this.caused.steps[at.step]);
  }
}

function hasStragglers() { return Boolean(report.stragglers && report.stragglers.ranks && report.stragglers.ranks.length > 1); }

function stragglersGist() {
  const { found, ranks } = report.stragglers;
  if (found.length === 0) return "no rank is a straggler of " + ranks.length;
  const causes = [...new Set(found.map((rank) => rank.cause))], shown = causes.slice(0, 3).map((cause) => {
    const of = found.filter((rank) => rank.cause === cause);
    return rankList(of.map((rank) => rank.rank)) + ": " + readable(cause) + ", others waited " + duration(of.reduce((sum, rank) => sum + rank.blamed_ns, 0));
  });
  return shown.concat(causes.length > 3 ? [counted(causes.length - 3, "other cause")] : []).join("; ");
}

function stragglersSection(caused) {
  const stragglers = report.stragglers, { found } = stragglers;
  return [
    element("p", { class: "lead" }, found.length === 0 ? "No rank is a straggler." :
      "Waiting in collectives is charged to the ranks that came late, and traced back to what made them late."),
    heatMap(caused),
    found.length === 0 ? null : element("div", {}, element("h3", {}, "Stragglers"), table(found, [
      { title: "rank", path: (index) => "stragglers.found." + index + ".rank", format: "count", isKey: true },
      { title: "cause", of: (rank) => readable(rank.cause) },
      { title: "costs per step", path: (index) => "stragglers.found." + index + ".cost_ns_per_step", format: "ns" },
      { title: "others waited", path: (index) => "stragglers.found." + index + ".blamed_ns", format: "ns" },
      { title: "of all GPU time", path: (index) => "stragglers.found." + index + ".score", format: "share" },
      { title: "last at collectives", path: (index) => "stragglers.found." + index + ".last_share", format: "share" },
      { title: "steps", of: (rank) => (rank.persistent ? "persistent, " : "") + rank.steps.length + " of " + report.steps.count }])),
    element("h3", {}, "Ranks"), table(stragglers.ranks, [
      { title: "rank", path: (index) => "stragglers.ranks." + index + ".rank", format: "count", isKey: true },
      { title: "host", of: (rank) => rankOrder.host(rank.rank) || NONE },
      { title: "others waited for it", path: (index) => "stragglers.ranks." + index + ".blamed_ns", format: "ns" },
      { title: "last at collectives", path: (index) => "stragglers.ranks." + index + ".last_share", format: "share" },
      { title: "mean lateness", path: (index) => "stragglers.ranks." + index + ".lateness_mean_ns", format: "ns" },
      { title: "p95 lateness", path: (index) => "stragglers.ranks." + index + ".lateness_p95_ns", format: "ns" },
      { title: "own work per step", path: (index) => "stragglers.ranks." + index + ".work_ns", format: "ns" }], 16, stragglers.ranks.length > 16 ? 2 : undefined)];
}

function heatMap(caused) {
  if (caused.ranks.length < 2 || caused.steps.length === 0) return null;
  const map = new HeatMap(caused);
  return [element("h3", {}, "Waiting caused, by rank and " + report.steps.unit), element("div", { class: "controls" }, rankControls(caused.ranks)), map.box,
    element("p", { class: "quiet" }, "0", element("span", { class: "ramp" }), duration(map.most),
      caused.ranks_left_out > 0 ? "; " + caused.ranks_left_out + " ranks are left out, which no finding names and which caused less" : "",
      hasTimeline() ? ". A click shows the place in the timeline." : ".")];
}
