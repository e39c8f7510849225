
// The step and the part of it that are in view, and the selection in it.

const MOST_HEIGHT = 620, LEAST_SPAN = 200;

class TimelineView {
  constructor(data) {
    this.data = data;
    this.steps = new TimelineSteps(data);
    this.rows = new TimelineRows(data);
    this.described = undefined;  // the span described below; null: none is chosen
    this.canvas = element("canvas", { tabindex: "0", role: "application",
      "aria-label": "Timeline of ranks and streams. Arrow keys move, plus and minus zoom, 0 shows the whole step, brackets change the step; question mark: all keys." });
    this.scroll = 0;
    this.listeners = [];
    this.hits = [];
    this.measured = null;  // {from, to}
    this.painter = new TimelinePainter(this);
    this.font = getComputedStyle(document.body).fontFamily;
    this.gutter = this.labelWidth();
    rankOrder.listeners.push(() => { this.rows.place(); this.changed(); });
  }

  // Room for the longest rank and the longest row beside each other.
  labelWidth() {
    const pen = element("canvas").getContext("2d");
    const widest = (font, texts) => {
      pen.font = font + this.font;
      return texts.reduce((most, text) => Math.max(most, pen.measureText(text).width), 0);
    };
    return 40 + Math.ceil(widest("600 11px ", this.data.ranks.map((rank) => "rank " + rank)) + widest("11px ", this.data.rows.map((row) => row.label)));
  }

  // Later calls overtake earlier ones that still unpack. A step in short is shown at once, and again when the rest of it is loaded.
  async showStep(index) {
    const turn = this.turn = (this.turn || 0) + 1;
    const step = await this.steps.step(index);
    if (turn !== this.turn) return;
    this.missing = this.missingRank = null;
    this.setStep(index, step);
    this.showAll();
    if (!this.steps.isInShort(index) || !["unasked", "missing"].includes(this.steps.beside)) return;
    this.whole = this.steps.load().then(async () => {
      const whole = this.steps.isInShort(this.stepIndex) ? null : await this.steps.step(this.stepIndex);
      if (whole) this.setStep(this.stepIndex, whole);
      this.changed();
    });
    this.changed();
  }

  setStep(index, step) {
    this.stepIndex = index;
    this.step = step;
    this.chosen = null;
    if (this.wanted) this.search(this.wanted);
  }

  // By its number; says so if the page does not have it.
  async showStepNumber(number) {
    const index = this.steps.indexOf(number);
    if (index >= 0) { await this.showStep(index); return true; }
    this.missing = number;
    this.missingRank = null;
    this.changed();
    return false;
  }

  sayRankIsMissing(rank) {
    this.missingRank = rank;
    this.changed();
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
    this.scroll += pixels;
    this.changed();
  }

  changed() {
    if (!this.step) return;
    this.fit();
    this.canvas.dataset.place = [this.step.step, Math.round(this.from), Math.round(this.span), this.markedRank ?? ""].join(" ");
    for (const listener of this.listeners) listener();
    if (!this.isAsked) {
      this.isAsked = true;
      requestAnimationFrame(() => { this.isAsked = false; this.painter.paint(); });
    }
  }

  // Pinned rows stay where they are; they take half of the height at most.
  fit() {
    this.top = RULER + Math.min(this.rows.pinnedHeight, MOST_HEIGHT / 2);
    this.height = Math.min(MOST_HEIGHT, this.rows.content + this.top);
    this.scroll = Math.max(0, Math.min(this.scroll, this.rows.content + this.top - this.height));
  }

  recolor() {
    this.colors = KINDS.map(([color]) => colorOf(color));
    this.inks = this.colors.map(inkOn);
    this.waitInk = inkOn(colorOf("wait"));
    this.waitPattern = this.hatched();
    this.changed();
  }

  // Waiting inside of communication: its colour under stripes.
  hatched() {
    const tile = element("canvas");
    tile.width = tile.height = 6;
    const pen = tile.getContext("2d");
    pen.fillStyle = colorOf("wait");
    pen.fillRect(0, 0, 6, 6);
    pen.strokeStyle = inkOn(colorOf("wait")) === "#fff" ? "rgb(0 0 0 / 0.3)" : "rgb(255 255 255 / 0.3)";  // away from the text on it
    pen.lineWidth = 1.2;
    pen.beginPath();
    for (const shift of [-6, 0, 6]) { pen.moveTo(shift, 6); pen.lineTo(shift + 6, 0); }
    pen.stroke();
    return this.canvas.getContext("2d").createPattern(tile, "repeat");
  }

  plotWidth() { return Math.max(50, this.canvas.clientWidth - this.gutter); }
  x(time) { return this.gutter + (time - this.from) / this.span * this.plotWidth(); }
  time(x) { return this.from + (x - this.gutter) / this.plotWidth() * this.span; }

  yOf(place) { return place.isPinned ? place.y + RULER : place.y - this.scroll + this.top; }
  isVisible(place) {
    const y = this.yOf(place);
    return place.isPinned ? y < this.top : y + place.height > this.top && y < this.height;
  }
  visiblePlaces() { return this.rows.places.filter((place) => this.isVisible(place)); }
  placeAt(y) { return this.visiblePlaces().find((place) => y >= this.yOf(place) && y < this.yOf(place) + place.height && (place.isPinned ? y < this.top : y >= this.top)); }

  nameOf(spans, at) {
    const several = spans.several.get(at);
    if (several !== undefined) return several + (spans.kind[at] === 5 || spans.kind[at] === 6 ? " calls" : " spans");
    return spans.name[at] < 0 ? "(name left out)" : this.data.names[spans.name[at]];
  }

  // The span or wait at a point of the canvas.
  spanAt(x, y) {
    const place = this.placeAt(y);
    if (!place || x < this.gutter || y < RULER) return null;
    const near = 1.5 * this.span / this.plotWidth(), time = this.time(x);
    let best = null;
    for (const row of place.rows) {
      const spans = this.step.rows[row];
      for (let at = firstFrom(spans, time - near); at < spans.start.length && spans.start[at] <= time + near; ++at)
        if (spans.start[at] + spans.ns[at] >= time - near && (best === null || best.row === row || spans.kind[at] < this.step.rows[best.row].kind[best.at])) best = { row, at };
    }
    return best === null ? null : this.spanNumber(best.row, best.at);
  }

  spanNumber(row, at) {
    const spans = this.step.rows[row], start = spans.start[at], ns = spans.ns[at];
    return { row, at, start, ns, kind: spans.kind[at], name: this.nameOf(spans, at), several: spans.several.get(at), wait: this.waitOf(row, at) };
  }

  // The wait inside of a span.
  waitOf(row, at) {
    const { start, ns } = this.step.rows[row];
    return this.step.waitsOfRow[row].find((one) => one.start >= start[at] - this.step.unit && one.start < start[at] + Math.max(1, ns[at]));
  }

  // Waits of other ranks that a span ended by coming last.
  waitsFor(span) {
    return this.step.waits.filter((wait) => wait.forRow === span.row && wait.arrival >= span.start - this.step.unit && wait.arrival < span.start + Math.max(1, span.ns));
  }

  rankOfRow(row) { return this.data.ranks[this.data.rows[row].rank]; }
  placeText(row) { return "rank " + this.rankOfRow(row) + ", " + this.data.rows[row].label; }

  choose(span) {
    this.chosen = span;
    if (span) this.markedRank = this.rankOfRow(span.row);
    this.changed();
  }

  // Unfolds a rank and puts it into the middle.
  scrollToRank(rank) {
    if (!this.data.ranks.includes(rank)) return;
    this.markedRank = rank;
    this.rows.revealRank(rank);
    this.scrollTo(this.rows.placeOfRank(rank));
  }
  scrollToRow(row) {
    this.rows.reveal(row);
    const place = this.rows.placeOfRow.get(row), y = this.yOf(place);
    if (y < this.top || y + place.height > this.height) this.scrollTo(place);
    else this.changed();
  }
  scrollTo(place) {
    if (place && !place.isPinned) this.scroll = place.y - this.height / 3;
    this.changed();
  }

  // Zooms to a time, with room around it.
  showPlace(start, ns) { this.showRange(start - 1.2 * ns, 3.4 * ns); }

  zoomToMeasured() {
    if (this.measured) this.showRange(this.measured.from, this.measured.to - this.measured.from);
  }
  measureChosen() {
    if (this.chosen) this.measured = { from: this.chosen.start, to: this.chosen.start + this.chosen.ns };
    this.changed();
  }
}
