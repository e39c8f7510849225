
// Where in the timeline a repair is about.

// The shown step that is meant by a step's number; that of a typical step where it is not shown.
function shownStep(view, numbers) {
  const named = view.data.steps.findIndex((step) => numbers.includes(step.step));
  if (named >= 0) return named;
  return Math.max(0, view.data.steps.findIndex((step) => step.because.includes("typical")));
}

// The longest wait that a rank caused; the longest of all without a rank.
function longestWait(view, rank) {
  return view.step.waits.find((wait) => rank === null || view.data.ranks[view.data.rows[wait.forRow].rank] === rank) || null;
}

// The longest time in which none of a rank's streams is busy.
function longestIdle(view, rank) {
  const spans = [];
  view.step.rows.forEach((row, index) => {
    const place = view.data.rows[index];
    if (!place.host && view.data.ranks[place.rank] === rank) row.start.forEach((start, at) => spans.push([start, start + row.ns[at]]));
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
    if (view.data.ranks[view.data.rows[index].rank] !== rank) return;
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

function goToRepair(index) {
  const finding = report.findings[index];
  if (!finding || !timeline || !hasPlace(finding)) return;
  document.querySelectorAll(".repair").forEach((item, at) => item.classList.toggle("chosen", at === index));
  timeline.showStep(shownStep(timeline, finding.steps));
  const shown = finding.ranks.find((rank) => timeline.data.ranks.includes(rank));
  const rank = shown === undefined ? timeline.data.ranks[0] : shown;
  const place = placeOf(timeline, finding, shown, rank);
  if (place) timeline.showPlace(place.start, place.ns);
  timeline.scrollToRank(rank);
  location.hash === "#repair=" + index || history.replaceState(null, "", "#repair=" + index);
  show();
}

// `rank`: null: none in particular.
function goToPlace(rank, step) {
  if (!timeline) return;
  const index = timeline.data.steps.findIndex((candidate) => candidate.step === step);
  timeline.showStep(index >= 0 ? index : shownStep(timeline, []));
  if (rank !== null) {
    const wait = longestWait(timeline, rank);
    if (wait && index >= 0) timeline.showPlace(wait.start, wait.ns);
    timeline.scrollToRank(rank);
  }
  show();
}

function show() {
  document.getElementById("timeline").scrollIntoView({ block: "start" });
  timeline.canvas.focus({ preventScroll: true });
}

function followAddress() {
  const wanted = /^#repair=(\d+)$/.exec(location.hash);
  if (wanted) return goToRepair(Number(wanted[1]));
  const section = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  if (section) section.scrollIntoView();
}
