
// What part of which step is in view, and what is chosen in it.

const MOST_HEIGHT = 560, LEAST_SPAN = 200;

class TimelineView {
  constructor(data) {
    this.data = data;
    this.described = undefined;  // the span that is told about below; null: none is chosen
    this.steps = data.steps.map(() => null);
    this.canvas = element("canvas", { tabindex: "0", role: "application",
      "aria-label": "Timeline of ranks and streams. Arrow keys move, plus and minus zoom, 0 shows the whole step, brackets change the step." });
    this.showsArrows = true;
    this.showsHost = data.ranks.length <= 16;
    this.scroll = 0;
    this.listeners = [];
    this.painter = new TimelinePainter(this);
    this.font = getComputedStyle(document.body).fontFamily;
    this.gutter = this.labelWidth();
  }

  // Room for the longest rank and the longest row beside each other.
  labelWidth() {
    const pen = element("canvas").getContext("2d");
    const widest = (font, texts) => {
      pen.font = font + this.font;
      return texts.reduce((most, text) => Math.max(most, pen.measureText(text).width), 0);
    };
    return 24 + Math.ceil(widest("600 11px ", this.data.ranks.map((rank) => "rank " + rank)) + widest("11px ", this.data.rows.map((row) => row.label)));
  }

  showStep(index) {
    this.stepIndex = index;
    this.step = this.steps[index] = this.steps[index] || unpackStep(this.data.steps[index]);
    this.chosen = null;
    this.showAll();
  }

  showAll() { this.showRange(-0.01 * this.step.length_ns, 1.02 * this.step.length_ns); }

  showRange(from, span) {
    const whole = 1.04 * this.step.length_ns;
    this.span = Math.min(Math.max(span, LEAST_SPAN), whole);
    this.from = Math.min(Math.max(from, -0.02 * this.step.length_ns), 1.02 * this.step.length_ns - this.span);
    this.changed();
  }

  zoom(factor, x) {
    const at = x === undefined ? this.gutter + this.plotWidth() / 2 : x;
    const time = this.time(at), span = Math.min(Math.max(this.span * factor, LEAST_SPAN), 1.04 * this.step.length_ns);
    this.showRange(time - (at - this.gutter) / this.plotWidth() * span, span);
  }

  move(share) { this.showRange(this.from + share * this.span, this.span); }
  scrollBy(pixels) {
    this.scroll = Math.max(0, Math.min(this.scroll + pixels, this.contentHeight() - this.height));
    this.changed();
  }

  changed() {
    this.placeRows();
    this.canvas.dataset.place = [this.data.steps[this.stepIndex].step, Math.round(this.from), Math.round(this.span), this.markedRank ?? ""].join(" ");
    for (const listener of this.listeners) listener();
    if (!this.isAsked) {
      this.isAsked = true;
      requestAnimationFrame(() => { this.isAsked = false; this.painter.paint(); });
    }
  }

  recolor() {
    this.colors = KINDS.map(([color]) => colorOf(color));
    this.waitPattern = this.hatched();
    if (this.step) this.changed();
  }

  // Waiting inside of communication: its colour under stripes.
  hatched() {
    const tile = element("canvas");
    tile.width = tile.height = 6;
    const pen = tile.getContext("2d");
    pen.fillStyle = colorOf("wait");
    pen.fillRect(0, 0, 6, 6);
    pen.strokeStyle = "rgb(255 255 255 / 0.3)";
    pen.lineWidth = 1.2;
    pen.beginPath();
    for (const shift of [-6, 0, 6]) { pen.moveTo(shift, 6); pen.lineTo(shift + 6, 0); }
    pen.stroke();
    return this.canvas.getContext("2d").createPattern(tile, "repeat");
  }

  plotWidth() { return Math.max(50, this.canvas.clientWidth - this.gutter); }
  x(time) { return this.gutter + (time - this.from) / this.span * this.plotWidth(); }
  time(x) { return this.from + (x - this.gutter) / this.plotWidth() * this.span; }

  // The rows that are shown, with their places in the whole picture.
  placeRows() {
    let y = 6, rank = -1;
    this.places = new Map();
    this.data.rows.forEach((row, index) => {
      if (row.host && !this.showsHost) return;
      if (rank >= 0 && row.rank !== rank) y += RANK_GAP;
      rank = row.rank;
      this.places.set(index, y);
      y += ROW;
    });
    this.content = y + 6;
    this.height = Math.min(MOST_HEIGHT, this.content + RULER);
    this.scroll = Math.max(0, Math.min(this.scroll, this.contentHeight() - this.height));
  }
  contentHeight() { return this.content + RULER; }
  yOf(row) { return this.places.has(row) ? this.places.get(row) - this.scroll + RULER : null; }

  visibleRows() {
    const rows = [];
    for (const row of this.places.keys()) {
      const y = this.yOf(row);
      if (y + ROW > RULER && y < this.height) rows.push({ row, y });
    }
    return rows;
  }

  nameOf(spans, at) {
    const several = spans.several.get(at);
    if (several !== undefined) return several + (spans.kind[at] >= 4 ? " calls" : " spans");
    return spans.name[at] < 0 ? "(name left out)" : this.data.names[spans.name[at]];
  }

  // What is at a point of the canvas.
  spanAt(x, y) {
    const place = this.visibleRows().find((candidate) => y >= candidate.y && y < candidate.y + ROW);
    if (!place || x < this.gutter || y < RULER) return null;
    const spans = this.step.rows[place.row], near = 1.5 * this.span / this.plotWidth(), time = this.time(x);
    let best = null;
    for (let at = firstFrom(spans, time - near); at < spans.start.length && spans.start[at] <= time + near; ++at)
      if (spans.start[at] + spans.ns[at] >= time - near) best = at;
    return best === null ? null : this.spanNumber(place.row, best);
  }

  spanNumber(row, at) {
    const spans = this.step.rows[row];
    return { row, at, start: spans.start[at], ns: spans.ns[at], kind: spans.kind[at], name: this.nameOf(spans, at),
      several: spans.several.get(at), wait: this.step.waitsOfRow[row].get(spans.start[at]) };
  }

  placeText(row) { return "rank " + this.data.ranks[this.data.rows[row].rank] + ", " + this.data.rows[row].label; }

  choose(span) {
    this.chosen = span;
    this.changed();
  }

  // Puts a rank's rows into the middle.
  scrollToRank(rank) {
    this.markedRank = rank;
    this.placeRows();
    const row = this.data.rows.findIndex((candidate) => this.data.ranks[candidate.rank] === rank);
    if (row < 0) return;
    const shown = [...this.places.keys()].find((index) => this.data.rows[index].rank === this.data.rows[row].rank);
    if (shown !== undefined) this.scroll = this.places.get(shown) - this.height / 3;
    this.changed();
  }

  // Zooms to a time, with room around it.
  showPlace(start, ns) { this.showRange(start - 1.2 * ns, 3.4 * ns); }

  search(text) {
    const wanted = text.trim().toLowerCase();
    this.matches = wanted === "" ? null : new Set(this.data.names.flatMap((name, index) => name.toLowerCase().includes(wanted) ? [index] : []));
    this.hits = [];
    if (this.matches)
      this.step.rows.forEach((spans, row) => {
        if (!this.places.has(row)) return;
        for (let at = 0; at < spans.start.length; ++at) if (spans.name[at] >= 0 && this.matches.has(spans.name[at])) this.hits.push({ row, at, start: spans.start[at] });
      });
    this.hits.sort((a, b) => a.start - b.start || a.row - b.row);
    this.hit = -1;
    this.changed();
  }

  nextHit(direction) {
    if (!this.hits || this.hits.length === 0) return;
    this.hit = (this.hit + direction + this.hits.length) % this.hits.length;
    const { row, at } = this.hits[this.hit], span = this.spanNumber(row, at);
    this.chosen = span;
    if (span.ns < this.span / 60 || span.start < this.from || span.start > this.from + this.span) this.showRange(span.start - 8 * span.ns, 20 * Math.max(span.ns, 1000));
    const y = this.yOf(row);
    if (y < RULER || y + ROW > this.height) this.scroll = this.places.get(row) - this.height / 2;
    this.changed();
  }
}
