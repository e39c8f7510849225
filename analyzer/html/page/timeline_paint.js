
// Draws what the view shows: ruler, rows of spans, waits and arrows.

const RULER = 24, ROW = 17, RANK_GAP = 7;

// Round times between marks of the ruler that are at least `pixels` apart.
function rulerStep(view, pixels) {
  const wanted = pixels * view.span / view.plotWidth();
  const power = Math.pow(10, Math.floor(Math.log10(wanted)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= wanted);
}

class TimelinePainter {
  constructor(view) { this.view = view; }

  paint() {
    const { view } = this, scale = devicePixelRatio || 1, canvas = view.canvas;
    const width = canvas.clientWidth, height = view.height;
    if (width === 0 || !view.step) return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = height + "px";
    const pen = this.pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.font = "11px " + view.font;
    pen.textBaseline = "middle";
    this.paintRuler(width, height);
    pen.save();
    pen.beginPath();
    pen.rect(0, RULER, width, height - RULER);
    pen.clip();
    for (const place of view.visibleRows()) this.paintRow(place, width);
    this.paintLabels();
    pen.beginPath();
    pen.rect(this.view.gutter, RULER, width - this.view.gutter, height - RULER);
    pen.clip();
    if (view.showsArrows) this.paintArrows(width);
    pen.restore();
    if (view.drag && view.drag.selects) this.paintSelection(height);
    this.paintScrollBar(width, height);
  }

  // Where in all of the rows those in view are.
  paintScrollBar(width, height) {
    const { pen, view } = this, room = height - RULER;
    if (view.content <= room) return;
    pen.fillStyle = colorOf("quiet");
    pen.globalAlpha = 0.55;
    pen.fillRect(width - 5, RULER + view.scroll / view.content * room, 4, room / view.content * room);
    pen.globalAlpha = 1;
  }

  paintRuler(width, height) {
    const { pen, view } = this, step = rulerStep(view, 110);
    pen.strokeStyle = colorOf("line");
    pen.fillStyle = colorOf("quiet");
    pen.textAlign = "left";
    pen.lineWidth = 1;
    pen.beginPath();
    for (let time = Math.ceil(view.from / step) * step; time <= view.from + view.span; time += step) {
      const x = Math.round(view.x(time)) + 0.5;
      pen.moveTo(x, RULER - 6);
      pen.lineTo(x, height);
      const text = time === 0 ? "0" : round(duration(Number(time.toPrecision(12))));
      if (x + pen.measureText(text).width + 6 < width) pen.fillText(text, x + 4, RULER / 2);
    }
    pen.moveTo(0, RULER + 0.5);
    pen.lineTo(width, RULER + 0.5);
    pen.stroke();
  }

  paintRow({ row, y }, width) {
    const { pen, view } = this, spans = view.step.rows[row];
    const end = view.from + view.span, found = view.matches;
    const pixels = KINDS.map(() => -1);
    for (let at = firstFrom(spans, view.from); at < spans.start.length && spans.start[at] < end; ++at) {
      const right = Math.min(width, view.x(spans.start[at] + spans.ns[at]));
      if (right < this.view.gutter) continue;
      const left = Math.max(this.view.gutter, view.x(spans.start[at])), kind = spans.kind[at];
      const isFound = found && spans.name[at] >= 0 && found.has(spans.name[at]);
      if (right - left < 1 && Math.floor(left) === pixels[kind] && !isFound) continue;
      pixels[kind] = Math.floor(left);
      this.paintSpan(spans, at, left, Math.max(1, right - left - (right - left > 3 ? 0.5 : 0)), y, found && !isFound, row);
    }
  }

  paintSpan(spans, at, left, wide, y, isFaint, row) {
    const { pen, view } = this, kind = spans.kind[at];
    pen.globalAlpha = isFaint ? 0.22 : 1;
    pen.fillStyle = view.colors[kind];
    pen.fillRect(left, y + 1, wide, ROW - 3);
    const wait = view.step.waitsOfRow[row].get(spans.start[at]);
    if (wait) this.paintWait(wait, y);
    if (view.chosen && view.chosen.row === row && view.chosen.at === at) {
      pen.strokeStyle = colorOf("text");
      pen.lineWidth = 2;
      pen.strokeRect(left, y + 1, wide, ROW - 3);
    }
    if (wide > 34) this.paintName(view.nameOf(spans, at), left, wide, y);
    pen.globalAlpha = 1;
  }

  paintName(name, left, wide, y) {
    const { pen } = this, room = Math.floor((wide - 8) / 5.6);
    pen.fillStyle = colorOf("on-span");
    pen.textAlign = "left";
    pen.fillText(name.length > room ? name.slice(0, Math.max(1, room - 1)) + "…" : name, left + 4, y + ROW / 2);
  }

  paintWait(wait, y) {
    const { pen, view } = this;
    const left = Math.max(this.view.gutter, view.x(wait.start)), right = view.x(wait.start + wait.ns);
    if (right - left < 1) return;
    pen.fillStyle = view.waitPattern || colorOf("wait");
    pen.fillRect(left, y + 1, right - left, ROW - 3);
  }

  paintLabels() {
    const { pen, view } = this;
    pen.fillStyle = colorOf("panel");
    pen.fillRect(0, RULER + 1, this.view.gutter, view.height);
    let rank = -1;
    for (const { row, y } of view.visibleRows()) {
      const place = view.data.rows[row];
      const isMarked = view.markedRank === view.data.ranks[place.rank];
      if (isMarked) {
        pen.fillStyle = colorOf("accent");
        pen.fillRect(0, y, 4, ROW);
      }
      pen.textAlign = "left";
      if (place.rank !== rank) {
        pen.fillStyle = colorOf(isMarked ? "accent" : "text");
        pen.font = "600 11px " + view.font;
        pen.fillText("rank " + view.data.ranks[place.rank], 9, y + ROW / 2);
        pen.font = "11px " + view.font;
        rank = place.rank;
      }
      pen.fillStyle = colorOf("quiet");
      pen.textAlign = "right";
      pen.fillText(place.label, this.view.gutter - 6, y + ROW / 2);
    }
  }

  // From where a wait ends to the rank that it was for. Only those that are wide enough to be told apart.
  paintArrows(width) {
    const { view } = this, end = view.from + view.span;
    const smallest = 8 * view.span / view.plotWidth();
    let left = 400;
    for (const wait of view.step.waits) {
      if (wait.ns < smallest || left === 0) break;
      if (wait.start > end || wait.start + wait.ns < view.from) continue;
      const from = view.yOf(wait.row), to = view.yOf(wait.forRow);
      if (from === null || to === null || Math.max(from, to) < 0 || Math.min(from, to) > view.height) continue;
      --left;
      const isChosen = view.chosen && view.chosen.wait === wait;
      this.paintArrow(view.x(wait.start + wait.ns), from + ROW / 2, Math.max(this.view.gutter, Math.min(width, view.x(wait.arrival))), to + ROW / 2, isChosen);
    }
  }

  paintArrow(x, y, toX, toY, isChosen) {
    const { pen } = this, down = toY > y ? 1 : -1, bend = Math.min(26, Math.abs(toY - y) / 2);
    pen.strokeStyle = pen.fillStyle = colorOf(isChosen ? "accent" : "mark");
    pen.globalAlpha = isChosen ? 1 : 0.75;
    pen.lineWidth = isChosen ? 2.2 : 1.1;
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

  paintSelection(height) {
    const { pen, view } = this;
    pen.fillStyle = colorOf("accent");
    pen.globalAlpha = 0.16;
    pen.fillRect(Math.min(view.drag.x, view.drag.lastX), RULER, Math.abs(view.drag.lastX - view.drag.x), height);
    pen.globalAlpha = 1;
  }
}
