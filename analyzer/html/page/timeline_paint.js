
// Draws what the view shows: ruler, rows of spans, waits, what is measured, and the arrows of what is chosen.

const MOST_ARROWS = 400;

// Round times between marks of the ruler that are at least `pixels` apart.
function rulerStep(view, pixels) {
  const wanted = pixels * view.span / view.plotWidth();
  const power = Math.pow(10, Math.floor(Math.log10(wanted)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= wanted);
}

class TimelinePainter {
  constructor(view) {
    this.view = view;
    this.names = [];
    this.widths = new Map();  // of whole names
  }

  paint() {
    const { view } = this, scale = devicePixelRatio || 1, canvas = view.canvas;
    const width = this.width = canvas.clientWidth, height = view.height;
    if (width === 0 || !view.step) return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = height + "px";
    const pen = this.pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.font = "11px " + view.font;
    pen.textBaseline = "middle";
    this.paintRuler(height);
    this.paintArea(view.top, height, false);
    if (view.top > RULER) this.paintArea(RULER, view.top, true);
    this.clipped(view.gutter, RULER, width, height, () => this.paintArrows());
    this.paintMeasured(height);
    this.paintScrollBar(height);
  }

  clipped(left, top, right, bottom, paint) {
    const { pen } = this;
    pen.save();
    pen.beginPath();
    pen.rect(left, top, right - left, bottom - top);
    pen.clip();
    paint();
    pen.restore();
  }

  // The pinned rows, or the others.
  paintArea(top, bottom, isPinned) {
    const { pen, view } = this, places = view.visiblePlaces().filter((place) => place.isPinned === isPinned);
    this.clipped(0, top, this.width, bottom, () => {
      for (const place of places) if (place.isSummary) this.paintSummary(place); else this.paintRow(place.rows[0], view.yOf(place), ROW);
      pen.fillStyle = colorOf("panel");
      pen.fillRect(0, top, view.gutter, bottom - top);
      for (const place of places) this.paintLabel(place);
    });
    if (!isPinned) return;
    pen.fillStyle = colorOf("quiet");
    pen.fillRect(0, bottom - 2, this.width, 1);
  }

  // Where in all of the rows those in view are.
  paintScrollBar(height) {
    const { pen, view } = this, room = height - view.top;
    if (view.rows.content <= room) return;
    pen.fillStyle = colorOf("quiet");
    pen.globalAlpha = 0.55;
    pen.fillRect(this.width - 5, view.top + view.scroll / view.rows.content * room, 4, room / view.rows.content * room);
    pen.globalAlpha = 1;
  }

  paintRuler(height) {
    const { pen, view } = this, step = rulerStep(view, 110), largest = Math.max(Math.abs(view.from), Math.abs(view.from + view.span));
    pen.strokeStyle = colorOf("line");
    pen.fillStyle = colorOf("quiet");
    pen.textAlign = "left";
    pen.lineWidth = 1;
    pen.beginPath();
    const texts = [];
    for (let mark = Math.ceil(view.from / step); mark * step <= view.from + view.span; ++mark) {
      const x = Math.round(view.x(mark * step)) + 0.5, text = tickText(mark * step, step, largest);
      pen.moveTo(x, RULER - 6);
      pen.lineTo(x, height);
      if (x + pen.measureText(text).width + 6 < this.width) { pen.fillText(text, x + 4, RULER / 2); texts.push(text); }
    }
    view.canvas.dataset.ticks = texts.join("|");
    pen.moveTo(0, RULER + 0.5);
    pen.lineTo(this.width, RULER + 0.5);
    pen.stroke();
  }

  // Streams above each other: what computes hides what communicates and copies.
  paintSummary(place) {
    const { view } = this, y = view.yOf(place), height = place.height;
    for (const isOnTop of [false, true]) for (const row of place.rows) this.paintRow(row, y, height, (kind) => (kind === 0) === isOnTop);
  }

  paintRow(row, y, height, isWanted) {
    const { view } = this, spans = view.step.rows[row], end = view.from + view.span, found = view.matches;
    const pixels = new Int32Array(KINDS.length).fill(-1);
    for (let at = firstFrom(spans, view.from); at < spans.start.length && spans.start[at] < end; ++at) {
      const kind = spans.kind[at];
      if (isWanted && !isWanted(kind)) continue;
      const right = Math.min(this.width, view.x(spans.start[at] + spans.ns[at]));
      if (right < view.gutter) continue;
      const left = Math.max(view.gutter, view.x(spans.start[at]));
      const isFound = found && spans.name[at] >= 0 && found.has(spans.name[at]);
      if (right - left < 1 && Math.floor(left) === pixels[kind] && !isFound) continue;
      pixels[kind] = Math.floor(left);
      this.paintSpan(spans, at, left, Math.max(1, right - left - (right - left > 3 ? 0.5 : 0)), y, height, found && !isFound, row);
    }
    if (!isWanted || !isWanted(0)) for (const wait of view.step.waitsOfRow[row]) this.paintWait(wait, y, height, found);
    for (const paintName of this.names.splice(0)) paintName();
  }

  paintSpan(spans, at, left, wide, y, height, isFaint, row) {
    const { pen, view } = this, kind = spans.kind[at], isBetween = isBetweenCalls(kind), tall = height - (height > 12 ? 3 : 2);
    pen.globalAlpha = isFaint ? 0.22 : isBetween ? 0.55 : 1;
    pen.fillStyle = view.colors[kind];
    if (isBetween) pen.fillRect(left, y + 1 + tall / 4, wide, tall / 2);
    else pen.fillRect(left, y + 1, wide, tall);
    pen.globalAlpha = isFaint ? 0.22 : 1;
    if (view.chosen && view.chosen.row === row && view.chosen.at === at) {
      pen.strokeStyle = colorOf("text");
      pen.lineWidth = 2;
      pen.strokeRect(left, y + 1, wide, tall);
    }
    pen.globalAlpha = 1;
    if (wide > 34 && height > 12) this.names.push(() => this.paintName(row, at, left, wide, y, isFaint));
  }

  // After the waits, which would cover it.
  paintName(row, at, left, wide, y, isFaint) {
    const { pen, view } = this, spans = view.step.rows[row], kind = spans.kind[at], wait = view.waitOf(row, at);
    const name = this.shortened(view.nameOf(spans, at), wide - 8), right = left + wide;
    if (name === "") return;
    pen.globalAlpha = isFaint ? 0.22 : 1;
    pen.textAlign = "left";
    const paint = (from, to, ink) => {
      if (to <= from) return;
      pen.fillStyle = ink;
      this.clipped(from, y, to, y + ROW, () => pen.fillText(name, left + 4, y + ROW / 2));
    };
    const edges = wait ? [view.x(wait.start), view.x(wait.start + wait.ns)].map((x) => Math.max(left, Math.min(right, x))) : [right, right];
    const ink = isBetweenCalls(kind) ? colorOf("text") : view.inks[kind];
    paint(left, edges[0], ink);
    paint(edges[0], edges[1], view.waitInk);
    paint(edges[1], right, ink);
    pen.globalAlpha = 1;
  }

  // As much of a name as has room, in pixels.
  shortened(name, room) {
    const { pen, widths } = this;
    if (!widths.has(name)) widths.set(name, pen.measureText(name).width);
    const width = widths.get(name);
    if (width <= room) return name;
    let kept = Math.floor(name.length * room / width);
    while (kept > 0 && pen.measureText(name.slice(0, kept) + "…").width > room) --kept;
    return kept > 0 ? name.slice(0, kept) + "…" : "";
  }

  paintWait(wait, y, height, isFaint) {
    const { pen, view } = this;
    const left = Math.max(view.gutter, view.x(wait.start)), right = Math.min(this.width, view.x(wait.start + wait.ns));
    if (right - left < 1) return;
    pen.globalAlpha = isFaint ? 0.22 : 1;
    pen.fillStyle = view.waitPattern || colorOf("wait");
    pen.fillRect(left, y + 1, right - left, height - (height > 12 ? 3 : 2));
    pen.globalAlpha = 1;
  }

  paintLabel(place) {
    const { pen, view } = this, y = view.yOf(place), middle = y + place.height / 2, isMarked = view.markedRank === place.rank;
    if (isMarked) {
      pen.fillStyle = colorOf("accent");
      pen.fillRect(0, y, 4, place.height);
    }
    pen.textAlign = "left";
    if (place.isFirst) {
      pen.fillStyle = colorOf(isMarked ? "accent" : "text");
      pen.font = "600 " + (place.isSummary ? "10px " : "11px ") + view.font;
      pen.fillText((place.line.stands > 1 ? "▸ " + place.line.host : (place.isSummary ? "▸ " : "▾ ") + "rank " + place.rank) + (place.isPinned ? " •" : ""), 8, middle);
    }
    pen.fillStyle = colorOf("quiet");
    pen.textAlign = "right";
    if (place.isSummary) {
      pen.font = "10px " + view.font;
      pen.fillText(place.line.stands > 1 ? "rank " + place.rank : rankOrder.hosts().length > 1 ? place.line.host : "", view.gutter - 6, middle);
    } else if (view.data.rows[place.rows[0]].lane === 0) {
      pen.font = "11px " + view.font;
      pen.fillText(view.data.rows[place.rows[0]].label, view.gutter - 6, middle);
    }
    pen.font = "11px " + view.font;
  }

  // Of the chosen span alone: from its wait to the rank that it was for, or from others' waits to it.
  paintArrows() {
    const { view } = this, { chosen } = view;
    view.canvas.dataset.arrows = 0;
    if (!chosen) return;
    const waits = chosen.wait ? [chosen.wait] : view.waitsFor(chosen).slice(0, MOST_ARROWS);
    for (const wait of waits) {
      const from = view.rows.placeOfRow.get(wait.row), to = view.rows.placeOfRow.get(wait.forRow);
      if (!from || !to || from === to) continue;
      const middle = (place) => Math.max(RULER, Math.min(view.height, view.yOf(place) + place.height / 2));
      this.paintArrow(view.x(wait.start + wait.ns), middle(from), Math.max(view.gutter, Math.min(this.width, view.x(wait.arrival))), middle(to), waits.length > 1);
      ++view.canvas.dataset.arrows;
    }
  }

  paintArrow(x, y, toX, toY, isOneOfMany) {
    const { pen } = this, down = toY > y ? 1 : -1, bend = Math.min(26, Math.abs(toY - y) / 2);
    pen.strokeStyle = pen.fillStyle = colorOf("accent");
    pen.globalAlpha = isOneOfMany ? 0.6 : 1;
    pen.lineWidth = isOneOfMany ? 0.8 : 2;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.bezierCurveTo(x + 2, y + down * bend, toX, toY - down * bend, toX, toY - down * 5);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(toX, toY);
    pen.lineTo(toX - 3.5, toY - down * 7);
    pen.lineTo(toX + 3.5, toY - down * 7);
    pen.fill();
    pen.globalAlpha = 1;
  }

  paintMeasured(height) {
    const { pen, view } = this;
    if (!view.measured) return;
    const left = Math.max(view.gutter, view.x(view.measured.from)), right = Math.min(this.width, view.x(view.measured.to));
    if (right <= view.gutter || left >= this.width) return;
    pen.fillStyle = colorOf("accent");
    pen.globalAlpha = 0.16;
    pen.fillRect(left, RULER, right - left, height);
    pen.globalAlpha = 1;
    pen.fillRect(left - 0.5, 0, 1, height);
    pen.fillRect(right - 0.5, 0, 1, height);
    const text = duration(view.measured.to - view.measured.from);
    pen.font = "600 11px " + view.font;
    const wide = pen.measureText(text).width + 10, at = Math.max(view.gutter, Math.min(this.width - wide, (left + right - wide) / 2));
    pen.fillRect(at, 2, wide, RULER - 6);
    pen.fillStyle = colorOf("page");
    pen.textAlign = "left";
    pen.fillText(text, at + 5, RULER / 2 - 1);
  }
}
