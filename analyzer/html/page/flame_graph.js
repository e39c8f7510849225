
// The flame graph of the report's call tree: what lies inside of what, as wide as the time that was spent there.

const FRAME = 18, LEAST_FRAME = 0.7, FRAME_WITH_NAME = 26;

// What a frame may be as wide as: the key of the tree's nodes, and its name in a sentence.
const FLAME_MEASURES = [["device_ns", "device time"], ["exposed_ns", "exposed device time"], ["idle_ns", "idle time of the device"], ["host_ns", "host time"]];

const FRAME_COLORS = { line: "python", module: "module", range: "range", operator: "operator", backward: "host", outside: "unknown" };

function frameColor(node) { return node.kind === "kernel" ? CLASS_COLORS[classOfKernel(node.name)] || "unknown" : FRAME_COLORS[node.kind] || "unknown"; }

let kernelClasses = null;

function classOfKernel(name) {
  kernelClasses = kernelClasses || new Map((report.kernels || []).map((kernel) => [kernel.name, kernel.class]));
  return kernelClasses.get(name) || "compute";
}

// The tree with what each node has itself and with what lies inside, by one measure; those with the most first.
function flameTree(measure) {
  const nodes = (report.call_tree || []).map((node, index) => ({ index, kind: node.kind, name: node.name ?? "all", up: node.parent, self: node[measure] || 0, total: node[measure] || 0, inside: [], depth: 0 }));
  for (const node of [...nodes].reverse()) if (node.up !== null) nodes[node.up].total += node.total;
  for (const node of nodes) {
    if (node.up === null) continue;
    node.depth = nodes[node.up].depth + 1;
    nodes[node.up].inside.push(node);
  }
  for (const node of nodes) node.inside.sort((a, b) => b.total - a.total || a.index - b.index);
  return nodes;
}

function usedMeasures() { return FLAME_MEASURES.filter(([key]) => (report.call_tree || []).some((node) => node[key] > 0)); }

class FlameGraph {
  constructor() {
    this.wanted = "";
    this.top = 0;
    this.focused = 0;
    this.path = element("div", { class: "flame-path", role: "navigation", "aria-label": "Where in the tree" });
    this.box = element("div", { class: "flame", role: "group", "aria-label": "Flame graph. Arrow keys move between frames, Enter zooms into one, Escape zooms out.",
      onkeydown: (event) => this.key(event), onpointerleave: hideTip, onfocusout: hideTip });
    this.show(usedMeasures()[0][0]);
    themed(() => this.draw());
    new ResizeObserver(() => { if (this.box.clientWidth !== this.drawnWidth) this.draw(); }).observe(this.box);
  }

  show(measure) {
    [this.measure, this.words] = FLAME_MEASURES.find(([key]) => key === measure);
    this.nodes = flameTree(measure);
    this.draw();
  }

  zoomTo(index) {
    this.top = this.focused = index;
    hideTip();
    this.draw();
  }

  // Makes all frames faint but those whose names have this text.
  mark(text) {
    this.wanted = text.toLowerCase();
    this.draw();
  }
  isFound(node) { return node.name.toLowerCase().includes(this.wanted); }

  placed() {
    const placed = [], { nodes } = this, most = this.box.clientWidth, whole = nodes[this.top].total;
    const place = (node, left) => {
      const wide = node.total / whole * most;
      if (!(wide >= LEAST_FRAME)) return;
      placed.push({ node, left, wide });
      let at = left;
      for (const inner of node.inside) { place(inner, at); at += inner.total / whole * most; }
    };
    place(nodes[this.top], 0);
    return placed;
  }

  draw() {
    this.drawnWidth = this.box.clientWidth;
    if (this.drawnWidth === 0) return;
    const hadFocus = this.box.contains(document.activeElement), base = this.nodes[this.top].depth, placed = this.placed();
    if (!placed.some(({ node }) => node.index === this.focused)) this.focused = this.top;
    this.frames = new Map(placed.map(({ node, left, wide }) => [node.index, this.frame(node, left, wide, node.depth - base)]));
    this.box.style.height = FRAME * (1 + placed.reduce((most, { node }) => Math.max(most, node.depth - base), 0)) + 2 + "px";
    this.box.replaceChildren(...this.frames.values());
    this.drawPath();
    if (hadFocus) this.frames.get(this.focused)?.focus();
  }

  frame(node, left, wide, level) {
    const color = colorOf(frameColor(node));
    const frame = element("button", { type: "button", class: this.wanted && !this.isFound(node) ? "faint" : null, tabindex: node.index === this.focused ? 0 : -1,
      "aria-label": this.describe(node).join(", "), onclick: () => this.zoomTo(node.index), onpointerenter: (event) => showTip(event, this.describe(node).join("\n")),
      onfocus: (event) => this.focus(node, event.currentTarget) }, wide >= FRAME_WITH_NAME ? node.name : null);
    Object.assign(frame.style, { left: left + "px", width: Math.max(1, wide - (wide > 3 ? 1 : 0)) + "px", top: FRAME * level + "px", background: color, color: inkOn(color) });
    return frame;
  }

  focus(node, frame) {
    for (const other of this.frames.values()) other.tabIndex = -1;
    frame.tabIndex = 0;
    this.focused = node.index;
    const { left, bottom } = frame.getBoundingClientRect();
    showTip({ clientX: left, clientY: bottom - 12 }, this.describe(node).join("\n"));
  }

  // Its name; how long, and how much of all that is; without what lies inside.
  describe(node) {
    const whole = this.nodes[0].total, sum = report.ledger && report.ledger.sum_ns, { unit } = report.steps;
    return [node.name, node.index === 0 ? "all that was recorded in the " + unit + "s" : node.kind,
      duration(node.total) + " of " + this.words + ", " + FORMATS.share(node.total / whole) + " of all" +
        (sum ? "; " + duration(node.total / sum * report.steps.duration_ns.mean) + " a " + unit + " and rank, " + FORMATS.share(node.total / sum) + " of the " + unit : ""),
      "itself " + duration(node.self)];
  }

  drawPath() {
    const path = [];
    for (let at = this.top; at !== null; at = this.nodes[at].up) path.unshift(this.nodes[at]);
    this.path.replaceChildren(...path.flatMap((node, at) => [at === 0 ? "" : " › ", at === path.length - 1 ? element("b", {}, node.name) :
      element("button", { type: "button", onclick: () => this.zoomTo(node.index) }, node.name)]));
  }

  key(event) {
    if (event.key === "Escape") return this.nodes[this.top].up === null ? hideTip() : this.zoomTo(this.nodes[this.top].up);
    const node = this.nodes[this.focused], beside = node.up === null ? [] : this.nodes[node.up].inside, at = beside.indexOf(node);
    const to = { ArrowUp: this.nodes[node.up], ArrowDown: node.inside[0], ArrowLeft: beside[at - 1], ArrowRight: beside[at + 1] }[event.key];
    if (!event.key.startsWith("Arrow")) return null;
    event.preventDefault();
    return to && this.frames.get(to.index)?.focus();
  }
}
