
// How a reader moves the timeline: pointer, wheel, keys, search, steps, and the repairs above.

let timeline = null;

function timelineSection() {
  if (!hasTimeline()) return null;
  return [timelinePlace = element("div", {}, element("p", { class: "quiet" }, "Unpacking …"))];
}

let timelinePlace = null;

function stepTitle(step) {
  const words = { finding: "named by a finding" };
  return report.steps.unit + " " + step.step + " (" + step.because.map((because) => words[because] || because).join(", ") + "; " +
    duration(step.length_ns) + (report.per_rank.length > 1 ? " over all ranks" : "") + ")";
}

function buildTimeline(data) {
  if (!timelinePlace) return;
  if (data.steps.length === 0) {
    timelinePlace.replaceChildren(element("p", {}, "There are no device times to draw."));
    return;
  }
  const view = timeline = new TimelineView(data);
  const details = element("div", { class: "chosen-span", "aria-live": "polite" });
  const steps = element("select", { "aria-label": report.steps.unit, onchange: () => view.showStep(steps.selectedIndex) },
    data.steps.map((step) => element("option", {}, stepTitle(step))));
  timelinePlace.replaceChildren(
    element("p", { class: "lead" }, "Ranks and streams of a few " + report.steps.unit + "s, clocks aligned. Striped: waiting for others; an arrow leads to the rank that came last."),
    timelineControls(view, steps), element("div", { class: "view" }, view.canvas), details,
    legend(shownKinds(view.data)),
    keyHelp(), mergeNote(view));
  view.listeners.push(() => { steps.selectedIndex = view.stepIndex; describeChosen(view, details); });
  movePointer(view);
  moveKeys(view);
  new ResizeObserver(() => view.changed()).observe(view.canvas.parentElement);
  themed(() => view.recolor());
  view.showStep(shownStep(view, []));
}

// The kinds of spans that the steps have.
function shownKinds(data) {
  const used = new Set(data.steps.flatMap((step) => step.rows.flatMap((row) => [...new Set(row.kind)])));
  const waits = data.steps.some((step) => step.waits.length > 0) ? [["wait", "waiting inside of communication"]] : [];
  return KINDS.filter((kind, at) => used.has(at)).concat(waits);
}

function toggle(title, get, set) {
  const button = element("button", { type: "button", "aria-pressed": String(get()), onclick: () => {
    set(!get());
    button.setAttribute("aria-pressed", String(get()));
  } }, title);
  return button;
}

function timelineControls(view, steps) {
  const count = element("span", { class: "quiet" });
  const search = element("input", { type: "search", placeholder: "Search by name", "aria-label": "Search by name", oninput: () => view.search(search.value),
    onkeydown: (event) => { if (event.key === "Enter") view.nextHit(event.shiftKey ? -1 : 1); } });
  view.listeners.push(() => {
    count.textContent = !view.matches ? "" : view.hits.length === 0 ? "nothing found" : (view.hit < 0 ? "" : view.hit + 1 + " of ") + view.hits.length + " found";
  });
  view.searchField = search;
  const button = (title, label, act) => element("button", { type: "button", title: label, "aria-label": label, onclick: act }, title);
  return element("div", { class: "controls" }, steps,
    element("span", { class: "group" }, button("−", "Zoom out", () => view.zoom(1.6)), button("+", "Zoom in", () => view.zoom(1 / 1.6)),
      button("Whole " + report.steps.unit, "Show the whole " + report.steps.unit, () => view.showAll())),
    element("span", { class: "group" }, toggle("Arrows", () => view.showsArrows, (on) => { view.showsArrows = on; view.changed(); }),
      toggle("Host", () => view.showsHost, (on) => { view.showsHost = on; view.changed(); })),
    element("span", { class: "group" }, search, button("‹", "Previous", () => view.nextHit(-1)), button("›", "Next", () => view.nextHit(1)), count));
}

function keyHelp() {
  const keys = [["drag", "move"], ["wheel", "zoom, after a click or with Ctrl"], ["Shift + drag", "zoom to a range"], ["← → ↑ ↓", "move"], ["+ −", "zoom"],
    ["0", "whole " + report.steps.unit], ["[ ]", "other " + report.steps.unit], ["/", "search"], ["n N", "next, previous"]];
  return element("p", { class: "keys" }, keys.map(([key, meaning]) => element("span", {}, element("kbd", {}, key), " " + meaning)));
}

function mergeNote(view) {
  const note = element("p", { class: "quiet" });
  view.listeners.push(() => {
    const { merged, merged_below_ns: below, waits_left_out: waits } = view.step;
    const texts = [];
    if (merged > 0) texts.push(FORMATS.count(merged) + " spans shorter than " + duration(below) + " are merged with their neighbours, where the search does not find them.");
    if (waits > 0) texts.push(FORMATS.count(waits) + " shorter waits have no arrow.");
    if (view.data.ranks_left_out > 0) texts.push(view.data.ranks_left_out + " ranks are left out.");
    note.textContent = texts.join(" ");
  });
  return note;
}

function describeSpan(view, span) {
  const lines = [span.name, view.placeText(span.row) + ", " + KINDS[span.kind][1],
    (span.several ? "within " : "") + duration(span.ns) + ", from " + duration(span.start)];
  if (span.wait) lines.push("of it " + (span.wait.atMost ? "at most " : "") + duration(span.wait.ns) + " waiting for " + view.placeText(span.wait.forRow));
  return lines;
}

function describeChosen(view, details) {
  const span = view.chosen;
  if (view.described === span) return;
  view.described = span;
  if (!span) return details.replaceChildren(element("span", { class: "hint" }, "A click on a span tells about it."));
  const lines = describeSpan(view, span);
  const rank = span.wait ? view.data.ranks[view.data.rows[span.wait.forRow].rank] : null;
  details.replaceChildren(element("div", { class: "mono" }, lines[0]), element("div", {}, lines.slice(1).join(" · "), " ",
    span.wait ? element("button", { type: "button", onclick: () => view.scrollToRank(rank) }, "Go to rank " + rank) : null || ""));
}

function movePointer(view) {
  const { canvas } = view;
  const at = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) view.move((event.deltaX || event.deltaY) / 1000);
    else view.zoom(Math.exp(event.deltaY / 400), at(event)[0]);
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    const [x, y] = at(event);
    canvas.setPointerCapture(event.pointerId);
    view.drag = { x, y, lastX: x, lastY: y, selects: event.shiftKey, moved: false };
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (view.drag) return dragTo(view, x, y);
    const span = view.spanAt(x, y);
    if (span) showTip(event, describeSpan(view, span).join("\n"));
    else hideTip();
  });
  canvas.addEventListener("pointerleave", hideTip);
  canvas.addEventListener("pointerup", () => drop(view));
  canvas.addEventListener("dblclick", (event) => view.zoom(0.4, at(event)[0]));
}

function dragTo(view, x, y) {
  const { drag } = view;
  hideTip();
  if (Math.abs(x - drag.x) + Math.abs(y - drag.y) > 4) drag.moved = true;
  if (drag.moved && !drag.selects) {
    view.canvas.classList.add("dragging");
    view.scroll -= y - drag.lastY;
    view.showRange(view.from - (x - drag.lastX) / view.plotWidth() * view.span, view.span);
  }
  drag.lastX = x;
  drag.lastY = y;
  if (drag.selects) view.changed();
}

function drop(view) {
  const { drag } = view;
  view.drag = null;
  view.canvas.classList.remove("dragging");
  if (!drag) return;
  if (!drag.moved) return view.choose(view.spanAt(drag.x, drag.y));
  if (!drag.selects) return;
  const from = view.time(Math.min(drag.x, drag.lastX)), to = view.time(Math.max(drag.x, drag.lastX));
  view.showRange(from, to - from);
}

function moveKeys(view) {
  const other = (by) => view.showStep((view.stepIndex + by + view.data.steps.length) % view.data.steps.length);
  const keys = { ArrowLeft: () => view.move(-0.15), ArrowRight: () => view.move(0.15), ArrowUp: () => view.scrollBy(-3 * ROW),
    ArrowDown: () => view.scrollBy(3 * ROW), a: () => view.move(-0.15), d: () => view.move(0.15), w: () => view.zoom(1 / 1.4), s: () => view.zoom(1.4),
    "+": () => view.zoom(1 / 1.4), "=": () => view.zoom(1 / 1.4), "-": () => view.zoom(1.4), 0: () => view.showAll(), "[": () => other(-1),
    "]": () => other(1), "/": () => view.searchField.focus(), n: () => view.nextHit(1), N: () => view.nextHit(-1), Escape: () => view.choose(null) };
  view.canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}
