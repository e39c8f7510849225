
// Search over all names that the timeline has: kernels, calls, operators, ranges, Python functions, and what findings say of where.

const MOST_RESULTS = 12;

TimelineView.prototype.search = function search(text) {
  const wanted = text.trim().toLowerCase();
  if (wanted !== this.wanted) this.finding = undefined;
  this.wanted = wanted;
  const { names } = this.data;
  this.matches = this.wanted === "" ? null : new Set(names.flatMap((name, index) => name.toLowerCase().includes(this.wanted) ? [index] : []));
  this.hits = this.matches ? this.hitsOf(this.step, this.matches) : [];
  this.hit = -1;
  this.changed();
};

TimelineView.prototype.hitsOf = function hitsOf(step, wanted) {
  const hits = [];
  step.rows.forEach((spans, row) => {
    for (let at = 0; at < spans.start.length; ++at) if (spans.name[at] >= 0 && wanted.has(spans.name[at])) hits.push({ row, at, start: spans.start[at], name: spans.name[at] });
  });
  return hits.sort((a, b) => a.start - b.start || a.row - b.row);
};

TimelineView.prototype.goToHit = function goToHit({ row, at }) {
  const span = this.spanNumber(row, at);
  this.hit = this.hits.findIndex((hit) => hit.row === row && hit.at === at);
  this.choose(span);
  if (span.ns < this.span / 60 || span.start < this.from || span.start > this.from + this.span) this.showRange(span.start - 8 * span.ns, 20 * Math.max(span.ns, 1000));
  this.scrollToRow(row);
};

// The next hit, after the last of a step the first of the next step that has one; without any, the next place of a finding.
TimelineView.prototype.nextHit = async function nextHit(direction) {
  if (!this.matches || this.isSeeking) return;
  if (this.matches.size === 0) { await this.nextFinding(direction); return; }
  const next = this.hit < 0 && direction < 0 ? -1 : this.hit + direction;
  if (this.hits[next]) { this.goToHit(this.hits[next]); return; }
  this.isSeeking = true;
  const hits = await goToStepWith(this, this.matches, direction).finally(() => { this.isSeeking = false; });
  if (hits && this.hits.length > 0) this.goToHit(this.hits.at(direction > 0 ? 0 : -1));
};

TimelineView.prototype.nextFinding = async function nextFinding(direction) {
  const found = foundFindings(this.wanted);
  if (found.length === 0) return;
  this.finding = ((this.finding ?? (direction > 0 ? -1 : 0)) + direction + found.length) % found.length;
  await goToRepair(found[this.finding].index);
};

// The longest span of a name in the step in view.
function longestHit(view, name) {
  const ns = (hit) => view.step.rows[hit.row].ns[hit.at];
  return view.hits.filter((hit) => hit.name === name).reduce((best, hit) => best === null || ns(hit) > ns(best) ? hit : best, null);
}

// The next step, from the one in view on and around to itself, that has spans of these names: shows it with all that there is
// of it. Those spans; null: no step has any.
async function goToStepWith(view, names, direction) {
  const { length } = view.data.steps, from = view.stepIndex;
  for (let by = 1; by <= length; ++by) {
    const index = (from + direction * by + by * length) % length;
    if (view.hitsOf(await view.steps.step(index), names).length === 0) continue;
    if (index === view.stepIndex) return view.hitsOf(view.step, names);
    await view.showStep(index);
    await view.whole;
    return view.hitsOf(view.step, names);
  }
  return null;
}

async function goToName(view, name) {
  const hits = await goToStepWith(view, new Set([name]), 1);
  if (hits && hits.length > 0) view.goToHit(hits[0]);
}

// Names that are found, the most frequent first; those that this step lacks last.
function foundNames(view) {
  const counts = new Map([...view.matches].map((name) => [name, 0]));
  for (const hit of view.hits) counts.set(hit.name, counts.get(hit.name) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function foundFindings(wanted) {
  return (report.findings || []).map((finding, index) => ({ finding, index }))
    .filter(({ finding }) => hasPlace(finding) && [finding.where, finding.title].some((text) => text && text.toLowerCase().includes(wanted)));
}

function searchResults(view) {
  if (!view.wanted) return [];
  const { unit } = report.steps;
  const result = (act, name, ...rest) => element("li", {}, element("button", { type: "button", onclick: act }, element("span", { class: "mono" }, name), " ", element("small", {}, ...rest)));
  const findings = foundFindings(view.wanted).slice(0, MOST_RESULTS)
    .map(({ finding, index }) => result(() => goToRepair(index), finding.where || finding.title, "where a finding says: " + finding.title));
  const names = foundNames(view).slice(0, MOST_RESULTS).map(([name, count]) => count > 0 ?
    result(() => view.goToHit(longestHit(view, name)), view.data.names[name], counted(count, "time") + " in this " + unit + "; to the longest") :
    result(() => goToName(view, name), view.data.names[name], "not in this " + unit + " by itself; to the next " + unit + " that has it"));
  const frames = framesNamed(view.wanted);
  const inTree = frames === 0 ? [] : [result(() => markInFlameGraph(view.wanted), operatorsTitle(), counted(frames, "frame") + " of the flame graph")];
  return [...findings, ...inTree, ...names];
}

// How many hits there are, and what Enter does if they are elsewhere.
function hitsText(view) {
  const { unit } = report.steps, findings = view.wanted ? foundFindings(view.wanted).length : 0;
  if (!view.matches) return "";
  if (view.hits.length > 0) return (view.hit < 0 ? "" : view.hit + 1 + " of ") + view.hits.length + " found in this " + unit;
  if (view.matches.size > 0) return "not in this " + unit + "; Enter: the next " + unit + " that has it";
  return findings > 0 ? counted(findings, "place") + " of findings" : framesNamed(view.wanted) > 0 ? "in the flame graph alone" : "nothing found";
}

function searchBox(view) {
  const count = element("span", { class: "quiet" }), list = element("ul", { class: "results" });
  const search = element("input", { type: "search", class: "name-search", placeholder: "Search all names", "aria-label": "Search all names", oninput: () => view.search(search.value),
    onkeydown: (event) => {
      if (event.key === "Enter") view.nextHit(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") { search.value = ""; view.search(""); view.canvas.focus(); }
    } });
  let shown = "";
  view.listeners.push(() => {
    const key = (view.wanted || "") + view.stepIndex + view.hits.length;
    if (key !== shown) list.replaceChildren(...searchResults(view));
    shown = key;
    count.textContent = hitsText(view);
  });
  view.searchField = search;
  const button = (title, label, act) => element("button", { type: "button", title: label, "aria-label": label, onclick: act }, title);
  return { field: element("span", { class: "group" }, search, button("‹", "Previous", () => view.nextHit(-1)), button("›", "Next", () => view.nextHit(1)), count), list };
}
