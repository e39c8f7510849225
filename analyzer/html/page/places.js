
// Where in the timeline a repair is about.

// The step of a finding that is shown: a typical one if it is about that, else the first with all its spans, else the first that is there.
function stepOfFinding(view, numbers) {
  const there = numbers.map((number) => view.steps.indexOf(number)).filter((index) => index >= 0), typical = view.steps.typical();
  if (there.length === 0 || there.includes(typical)) return typical;
  return there.find((index) => !view.data.steps[index].is_short) ?? there[0];
}

// The longest wait that a rank caused; the longest of all without a rank.
function longestWait(view, rank) {
  return view.step.waits.find((wait) => rank === null || view.rankOfRow(wait.forRow) === rank) || null;
}

// The longest time in which none of a rank's streams is busy.
function longestIdle(view, rank) {
  const spans = [];
  view.step.rows.forEach((row, index) => {
    const place = view.data.rows[index];
    if (place.group === "streams" && view.data.ranks[place.rank] === rank) row.start.forEach((start, at) => spans.push([start, start + row.ns[at]]));
  });
  spans.sort((a, b) => a[0] - b[0]);
  let end = spans.length > 0 ? spans[0][1] : 0, best = null;
  for (const [start, until] of spans) {
    if (start - end > (best ? best.ns : 0)) best = { start: end, ns: start - end };
    end = Math.max(end, until);
  }
  return best;
}

// The longest span of a kind on one of a rank's streams.
function longestSpan(view, rank, kind) {
  let best = null;
  view.step.rows.forEach((row, index) => {
    if (view.rankOfRow(index) !== rank) return;
    row.kind.forEach((of, at) => { if (of === kind && row.ns[at] > (best ? best.ns : 0)) best = { start: row.start[at], ns: row.ns[at] }; });
  });
  return best;
}

const SPAN_KINDS = { communication: 1, copies: 2 };

// Where in the step in view a finding shows most; null: everywhere.
function placeOf(view, finding, named, rank) {
  const place = TABLES.places_of_findings[finding.id];
  if (place === "steps") return null;
  if (place === "waits") return longestWait(view, named === undefined ? null : named);
  if (place in SPAN_KINDS) return longestSpan(view, rank, SPAN_KINDS[place]);
  return longestIdle(view, rank);
}

// Shows a place, and chooses the span that waits there, so that its arrow is drawn.
function showPlaceIn(view, place) {
  view.showPlace(place.start, place.ns);
  if (place.forRow === undefined) return;
  const at = view.step.rows[place.row].start.findIndex((start, index) => start <= place.start && start + view.step.rows[place.row].ns[index] > place.start);
  if (at >= 0) view.choose(view.spanNumber(place.row, at));
}

async function goToRepair(index) {
  const finding = report.findings[index];
  if (!finding || !timeline || !hasPlace(finding)) return;
  document.querySelectorAll(".repair").forEach((item) => item.classList.toggle("chosen", item.id === "repair-" + index));
  openSection("timeline");
  await timeline.showStep(stepOfFinding(timeline, finding.steps));
  const shown = finding.ranks.find((rank) => timeline.data.ranks.includes(rank));
  const rank = shown === undefined ? timeline.data.ranks[0] : shown;
  const place = placeOf(timeline, finding, shown, rank);
  if (place) showPlaceIn(timeline, place);
  timeline.scrollToRank(rank);
  location.hash === "#repair=" + index || history.replaceState(null, "", "#repair=" + index);
  show();
}

// A rank's place in a step, by its number. `rank`: null: none in particular. A step that the page does not have is said to be missing.
async function goToPlace(rank, number, staysHere) {
  if (!timeline) return;
  openSection("timeline");
  const isThere = await timeline.showStepNumber(number);
  if (rank !== null) {
    const wait = isThere ? longestWait(timeline, rank) : null;
    if (wait) showPlaceIn(timeline, wait);
    if (timeline.data.ranks.includes(rank)) timeline.scrollToRank(rank);
    else timeline.sayRankIsMissing(rank);
  }
  if (!staysHere) show();
}

function show() {
  document.getElementById("timeline").scrollIntoView({ block: "start" });
  timeline.canvas.focus({ preventScroll: true });
}

async function followAddress() {
  const wanted = /^#repair=(\d+)$/.exec(location.hash);
  if (wanted) return goToRepair(Number(wanted[1]));
  const id = location.hash.slice(1), section = id === "" ? null : document.getElementById(id);
  openSection(id);
  if (section) section.scrollIntoView();
}
