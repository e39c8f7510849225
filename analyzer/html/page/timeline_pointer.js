
// Pointer and wheel: drag moves, Shift and drag measures, as does a drag along the ruler; a click chooses, or folds a rank,
// with Shift pins it.

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
    view.drag = { x, y, lastX: x, lastY: y, withShift: event.shiftKey, measures: event.shiftKey || y < RULER, moved: false };
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (view.drag) return dragTo(view, x, y);
    view.pointedRank = view.placeAt(y)?.rank;
    showTipAt(view, event, x, y);
  });
  canvas.addEventListener("pointerleave", hideTip);
  canvas.addEventListener("pointerup", () => drop(view));
  canvas.addEventListener("dblclick", (event) => { if (at(event)[0] >= view.gutter) view.zoom(0.4, at(event)[0]); });
}

function showTipAt(view, event, x, y) {
  const place = view.placeAt(y), span = view.spanAt(x, y);
  if (span) showTip(event, describeSpan(view, span).join("\n"));
  else if (place && x < view.gutter) showTip(event, lineTitle(place.line) + (rankOrder.host(place.rank) && place.line.stands === 1 ? ", " + rankOrder.host(place.rank) : "") +
    "\nothers waited " + duration(rankOrder.blamed(place.rank)) + " for it in all " + report.steps.unit + "s\nclick: " + (place.isSummary ? "unfold" : "fold") + "; Shift-click or p: " + (place.isPinned ? "release" : "pin"));
  else hideTip();
}

function dragTo(view, x, y) {
  const { drag } = view;
  hideTip();
  if (Math.abs(x - drag.x) + Math.abs(y - drag.y) > 4) drag.moved = true;
  if (drag.moved && drag.measures) {
    const times = [drag.x, x].map((at) => view.time(Math.max(view.gutter, at))).sort((a, b) => a - b);
    view.measured = { from: times[0], to: times[1] };
    view.changed();
  } else if (drag.moved) {
    view.canvas.classList.add("dragging");
    view.scroll -= y - drag.lastY;
    view.showRange(view.from - (x - drag.lastX) / view.plotWidth() * view.span, view.span);
  }
  drag.lastX = x;
  drag.lastY = y;
}

function drop(view) {
  const { drag } = view;
  view.drag = null;
  view.canvas.classList.remove("dragging");
  if (!drag || drag.moved) return;
  const place = view.placeAt(drag.y);
  if (drag.x >= view.gutter || !place) return view.choose(view.spanAt(drag.x, drag.y));
  if (drag.withShift) pinPlace(view, place);
  else foldPlace(view, place);
}

function pinPlace(view, place) {
  view.rows.pin(place.rank, !place.isPinned);
  view.markedRank = place.rank;
  view.changed();
}

function foldPlace(view, place) {
  if (place.line.stands > 1) rankOrder.foldHost(place.line.host, false);
  else view.rows.unfold(place.rank, place.isSummary);
  view.markedRank = place.rank;
  view.changed();
}
