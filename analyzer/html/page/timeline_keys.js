
// The timeline's keys, and the list of them behind "?".

function keysOf(view) {
  const { unit } = report.steps, other = (by) => view.showStep((view.stepIndex + by + view.data.steps.length) % view.data.steps.length);
  const rank = () => view.markedRank ?? view.pointedRank;
  const onRank = (act) => () => { if (rank() !== undefined && rank() !== null) { act(rank()); view.changed(); } };
  return [
    [["ArrowLeft", "a"], "← a", "move back", () => view.move(-0.15)], [["ArrowRight", "d"], "→ d", "move on", () => view.move(0.15)],
    [["ArrowUp"], "↑", "scroll up", () => view.scrollBy(-3 * ROW)], [["ArrowDown"], "↓", "scroll down", () => view.scrollBy(3 * ROW)],
    [["+", "=", "w"], "+ w", "zoom in", () => view.zoom(1 / 1.4)], [["-", "s"], "− s", "zoom out", () => view.zoom(1.4)],
    [["0"], "0", "the whole " + unit, () => view.showAll()], [["["], "[", unit + " before", () => other(-1)], [["]"], "]", unit + " after", () => other(1)],
    [["/"], "/", "search; Enter goes to the next hit", () => view.searchField.focus()], [["n"], "n", "next hit", () => view.nextHit(1)], [["N"], "N", "hit before", () => view.nextHit(-1)],
    [["m"], "m", "measure the chosen span", () => view.measureChosen()], [["z"], "z", "zoom to what is measured", () => view.zoomToMeasured()],
    [["e"], "e", "fold or unfold the marked rank", onRank((of) => view.rows.unfold(of, !view.rows.unfolded.has(of)))],
    [["p"], "p", "pin the marked rank to the top, or release it", onRank((of) => view.rows.pin(of, !view.rows.pinned.has(of)))],
    [["Escape"], "Esc", "clear the selection and the measurement", () => { view.measured = null; view.markedRank = undefined; view.choose(null); }],
    [["?"], "?", "this list", () => showKeys()]];
}

const POINTER_HELP = [["drag", "move"], ["Shift + drag", "measure; so does a drag along the ruler"], ["wheel", "zoom, after a click into the timeline or with Ctrl"], ["double click", "zoom in"],
  ["click on a span", "what it is; of a wait, for whom"], ["click on a rank", "fold or unfold it"]];

function showKeys() {
  let dialog = document.getElementById("keys");
  if (!dialog) {
    const lines = [...keysOf(timeline).map(([, shown, meaning]) => [shown, meaning]), ...POINTER_HELP];
    dialog = element("dialog", { id: "keys", "aria-label": "Keys of the timeline" }, element("h2", {}, "Keys of the timeline"),
      element("table", {}, element("tbody", {}, lines.map(([shown, meaning]) => element("tr", {}, element("th", { scope: "row" }, shown.split(" ").every((one) => one.length < 4) ?
        shown.split(" ").map((one) => [element("kbd", {}, one), " "]) : shown), element("td", {}, meaning))))),
      element("button", { type: "button", onclick: () => dialog.close() }, "Close"));
    document.body.append(dialog);
  }
  if (!dialog.open) dialog.showModal();
}

function moveKeys(view) {
  const acts = new Map(keysOf(view).flatMap(([keys, , , act]) => keys.map((key) => [key, act])));
  view.canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !acts.has(event.key)) return;
    event.preventDefault();
    acts.get(event.key)();
  });
  addEventListener("keydown", (event) => {
    const isTyping = ["INPUT", "SELECT", "TEXTAREA"].includes(document.activeElement?.tagName);
    if (event.key === "?" && !isTyping && document.activeElement !== view.canvas) showKeys();
  });
}
