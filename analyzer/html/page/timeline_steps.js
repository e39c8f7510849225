
// Which step is shown. The page has a few with all their spans and the others in short; what it lacks of those lies in a script
// beside it, which is loaded when one of them is asked for.

class TimelineSteps {
  constructor(data) {
    this.data = data;
    this.packed = JSON.parse(document.getElementById("steps-data").textContent);
    this.unpacked = new Map();
    this.beside = data.beside === null ? "nowhere" : data.beside.file === "" ? "unwritten" : "unasked";
  }

  indexOf(number) { return this.data.steps.findIndex((step) => step.step === number); }
  isInShort(index) { return this.data.steps[index].is_short && this.beside !== "loaded"; }

  // That of a typical step.
  typical() { return Math.max(0, this.data.steps.findIndex((step) => step.because.includes("typical"))); }
  nearest(number) {
    return this.data.steps.reduce((best, step, at) => Math.abs(step.step - number) < Math.abs(this.data.steps[best].step - number) ? at : best, 0);
  }

  async step(index) {
    if (!this.unpacked.has(index)) this.unpacked.set(index, unpackStep(this.packed[index]));
    return { ...this.data.steps[index], ...await this.unpacked.get(index) };
  }

  // Loads the file beside the page, once; then the steps in short are whole.
  async load() {
    if (this.beside !== "unasked" && this.beside !== "missing") return;
    this.beside = "loading";
    this.beside = await this.loadScript();
  }

  loadScript() {
    const { file, identity } = this.data.beside;
    return new Promise((resolve) => {
      let outcome = "missing";
      window.tauprofSteps = (ofPage, steps) => {
        if (ofPage !== identity) { outcome = "other"; return; }
        this.data.steps.map((step, at) => at).filter((at) => this.data.steps[at].is_short).forEach((at, place) => {
          this.packed[at] = steps[place];
          this.unpacked.delete(at);
        });
        outcome = "loaded";
      };
      const script = element("script", { src: encodeURIComponent(file), onload: () => { script.remove(); resolve(outcome); }, onerror: () => { script.remove(); resolve("missing"); } });
      script.nonce = identity;
      document.head.append(script);
    });
  }

  // A note on the step in view for its reader; null: it is all there.
  lacks(step) {
    if (!this.isInShort(this.indexOf(step.step))) return null;
    const { unit } = report.steps, file = this.data.beside === null ? "" : this.data.beside.file;
    const short = unit + " " + step.step + " is shown in short: times to " + duration(step.unit) +
      (step.merged > 0 ? ", " + FORMATS.count(step.merged) + " short spans merged" : "") + ". ";
    return short + { unasked: "", loading: "The rest is being loaded from " + file + " …",
      missing: "The rest is in " + file + ", which is not beside this page: put it there, or write the page again.",
      other: file + " beside this page is of another report: the rest cannot be shown.",
      unwritten: "The rest was not written, as the page went to standard output: analyze --html FILE writes it beside FILE." }[this.beside];
  }
}

// The command that makes a page with one step in full.
function commandForStep(number) { return "tauprof analyze " + FIRST_SCREEN.logs + " --steps " + number + " --html " + report.steps.unit + "-" + number + ".html"; }

// Of a step that the page does not have: says so, and what is possible instead.
function missingStepNote(view, number) {
  const { steps } = view, { unit } = report.steps, nearest = view.data.steps[steps.nearest(number)].step;
  const { steps_left_out: leftOut } = view.data, { list } = report.steps, isAnalysed = list.some((step) => step.step === number);
  return element("div", { class: "note", role: "status" },
    element("p", {}, element("b", {}, unit + " " + number + " is not in this page"),
      (isAnalysed ? ": it has " + counted(view.data.steps.length, unit) + ", and only the times of " + FORMATS.count(leftOut) + " others" :
        ": the report is about the " + unit + "s from " + list[0].step + " to " + list.at(-1).step) + ". The timeline still shows " + unit + " " + view.step.step + "."),
    element("p", {}, element("button", { type: "button", onclick: () => view.showStep(steps.nearest(number)) }, "Show " + unit + " " + nearest + ", the nearest"), " ",
      element("button", { type: "button", onclick: () => view.showStep(steps.typical()) }, "Show a typical " + unit)),
    element("p", {}, "All of " + unit + " " + number + (isAnalysed ? ": " : ", if it was recorded: "), commandLine(commandForStep(number))));
}
