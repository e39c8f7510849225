
// The timeline's section: what is above and below the canvas.

let timeline = null;

function stepTitle(step) {
  const words = { finding: "named by a finding" }, because = step.because.map((one) => words[one] || one).join(", ");
  return report.steps.unit + " " + step.step + " (" + (because ? because + "; " : "") + duration(step.length_ns) + (report.per_rank.length > 1 ? " over all ranks" : "") + ")";
}

function timelineSection(data) {
  if (data.steps.length === 0) return [element("p", {}, "There are no device times to draw.")];
  const view = timeline = new TimelineView(data), { unit } = report.steps;
  const details = element("div", { class: "chosen-span", "aria-live": "polite" }), { field, list } = searchBox(view);
  view.listeners.push(() => describeChosen(view, details));
  movePointer(view);
  moveKeys(view);
  new ResizeObserver(() => view.changed()).observe(view.canvas);
  themed(() => view.recolor());
  view.ready = view.showStep(view.steps.typical());
  return [
    element("p", { class: "lead" }, "Clocks of all ranks aligned. Striped: waiting for other ranks; a click on it shows for which. Pale: the host between calls, in the ledger's words."),
    element("div", { class: "controls" }, stepChoice(view), zoomButtons(view), groupToggles(view), data.ranks.length > 1 ? rankControls(data.ranks) : null),
    element("div", { class: "controls" }, field, element("button", { type: "button", class: "help", "aria-label": "All keys", onclick: () => showKeys() }, "?")), list,
    stepNote(view), element("div", { class: "view" }, view.canvas), details, kindLegend(view), leftOutNote(view),
    element("p", { class: "keys quiet" }, "Drag to move, Shift and drag to measure, wheel to zoom after a click; a click on a rank's name folds it; ", element("kbd", {}, "?"), " for all keys."),
    unit === "step" ? null : element("p", { class: "quiet" }, "No steps are known: these are slices of time.")];
}

function stepChoice(view) {
  const { steps } = view.data, number = element("input", { type: "number", class: "step-number", "aria-label": "Number of a " + report.steps.unit, placeholder: "number",
    min: steps[0].step, max: steps.at(-1).step, onchange: () => { if (number.value !== "") goToPlace(null, Number(number.value), true); } });
  const named = steps.map((step, at) => at).filter((at) => steps[at].because.length > 0 || steps.length <= 200);
  const choice = element("select", { "aria-label": report.steps.unit, class: "step-choice", onchange: () => view.showStep(Number(choice.value)) },
    named.map((at) => element("option", { value: at }, stepTitle(steps[at]))));
  const other = element("option", { value: -1, hidden: true });
  choice.append(other);
  view.listeners.push(() => {
    if (!named.includes(view.stepIndex)) { other.value = view.stepIndex; other.textContent = stepTitle(view.step); }
    choice.value = view.stepIndex;
  });
  return element("span", { class: "group" }, choice, number);
}

function zoomButtons(view) {
  const button = (title, label, act) => element("button", { type: "button", title: label, "aria-label": label, onclick: act }, title), { unit } = report.steps;
  return element("span", { class: "group" }, button("−", "Zoom out", () => view.zoom(1.6)), button("+", "Zoom in", () => view.zoom(1 / 1.6)),
    button("Whole " + unit, "Show the whole " + unit, () => view.showAll()));
}

function groupToggles(view) {
  const groups = view.rows.groups();
  if (groups.length < 2) return null;
  const toggle = ([group, title]) => {
    const button = element("button", { type: "button", class: "toggle", onclick: () => { view.rows.setGroup(group, !view.rows.showsGroup(group)); view.changed(); } }, title);
    view.listeners.push(() => button.setAttribute("aria-pressed", String(view.rows.showsGroup(group))));
    return button;
  };
  return element("span", { class: "group" }, groups.map(toggle));
}

// The kinds of spans that the step in view has.
function shownKinds(view) {
  const used = new Set(view.step.rows.flatMap((row) => [...new Set(row.kind)]));
  return KINDS.filter((kind, at) => used.has(at)).concat(view.step.waits.length > 0 ? [["wait", "waiting inside of communication"]] : []);
}

function kindLegend(view) {
  const box = element("div");
  let listed = null;  // the step whose kinds are shown
  view.listeners.push(() => {
    if (listed === view.step) return;
    listed = view.step;
    box.replaceChildren(legend(shownKinds(view)));
  });
  return box;
}

function missingRankNote(view) {
  const rank = view.missingRank, has = view.data.ranks.length;
  return element("div", { class: "note" }, element("p", {}, "rank " + rank + " is not in this timeline: it has " + has + " of " + (has + view.data.ranks_left_out) +
    " ranks, those that findings name first, then those that others waited for most. Its times are in the sections below."),
  element("p", {}, "A page with its timeline: ", commandLine("tauprof analyze " + FIRST_SCREEN.logs + " --ranks " + rank + " --html rank-" + rank + ".html")));
}

// A note of what the step in view lacks, or that a step which was asked for is not there.
function stepNote(view) {
  const box = element("div", { class: "step-note", "aria-live": "polite" });
  let shown = null;
  view.listeners.push(() => {
    const lacks = view.steps.lacks(view.step), isMissing = view.missing !== null && view.missing !== undefined;
    const ofRank = view.missingRank === null || view.missingRank === undefined ? "" : "rank " + view.missingRank;
    const key = (isMissing ? "missing " + view.missing : lacks || "") + ofRank;
    if (key === shown) return;
    shown = key;
    box.replaceChildren(...(ofRank ? [missingRankNote(view)] : []), ...(isMissing ? [missingStepNote(view, view.missing)] : lacks ? [element("p", { class: "note" }, lacks)] : []));
  });
  return box;
}

function leftOutNote(view) {
  const note = element("p", { class: "quiet" });
  view.listeners.push(() => {
    const { merged, merged_below_ns: below, waits_left_out: waits } = view.step, { data } = view, texts = [];
    if (merged > 0) texts.push(FORMATS.count(merged) + " spans shorter than " + duration(below) + " are merged with their neighbours, where the search does not find them.");
    if (waits > 0) texts.push(counted(waits, "shorter wait") + " left out.");
    if (data.ranks_left_out > 0) texts.push(counted(data.ranks_left_out, "rank") + " left out.");
    if (data.spans_left_out > 0) texts.push(counted(data.spans_left_out, "span") + " left out, as there are too many.");
    if (data.ranges_left_out > 0) texts.push(counted(data.ranges_left_out, "range") + " nested too deep for a row.");
    note.textContent = texts.join(" ");
  });
  return note;
}

function describeSpan(view, span) {
  const lines = [span.name, view.placeText(span.row) + ", " + KINDS[span.kind][1],
    (span.several ? "within " : "") + duration(span.ns) + ", from " + exactTime(span.start, view.step.unit)];
  if (span.wait) lines.push("of it " + (span.wait.atMost ? "at most " : "") + duration(span.wait.ns) + " waiting for " + view.placeText(span.wait.forRow));
  return lines;
}

function describeChosen(view, details) {
  const span = view.chosen;
  if (view.described === span) return;
  view.described = span;
  if (!span) return details.replaceChildren(element("span", { class: "hint" }, "Click a span for details."));
  const lines = describeSpan(view, span), waiting = span.wait ? [] : view.waitsFor(span);
  const rank = span.wait ? view.rankOfRow(span.wait.forRow) : null;
  if (waiting.length > 0) lines.push("it came last: " + counted(waiting.length, "rank") + " waited for it, up to " + duration(waiting[0].ns));
  details.replaceChildren(element("div", { class: "mono" }, lines[0]), element("div", {}, lines.slice(1).join(" · "), " ",
    span.wait ? element("button", { type: "button", onclick: () => view.scrollToRank(rank) }, "Go to rank " + rank) : "", " ",
    element("button", { type: "button", onclick: () => view.measureChosen() }, "Measure")));
}
