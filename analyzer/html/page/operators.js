
// Time by operator, module and line of the program: the flame graph of what lies inside of what, and the tables.

const TIMES_BY_NAME = [["operators", "operator", "Operators"], ["modules", "module", "Modules"], ["lines", "line", "Lines"]];

function timesByName() { return TIMES_BY_NAME.filter(([list]) => report[list] && report[list].length > 0); }

function hasOperators() { return timesByName().length > 0; }

function operatorsTitle() { return timesByName().map(([, , title], at) => at === 0 ? title : title.toLowerCase()).join(", "); }

// Device time where there is any.
function timeKey(rows) { return rows.some((row) => row.device_ns > 0) ? "device_ns" : "host_ns"; }

function allTime(rows) { return rows.reduce((sum, row) => sum + (row["self_" + timeKey(rows)] || 0), 0); }

function operatorsGist() {
  const [[list]] = timesByName(), rows = report[list], key = "self_" + timeKey(rows), all = allTime(rows);
  return [...rows].sort((a, b) => b[key] - a[key]).filter((row) => row.name !== null && row[key] > 0).slice(0, 3)
    .map((row) => FORMATS.share(row[key] / all) + " " + row.name).join(", ");
}

let flameGraph = null;

function operatorsSection() {
  const measures = usedMeasures();
  const words = (key) => (key === "device_ns" ? "the lengths of device work, whatever ran beside it" : "host time");
  return [
    element("p", { class: "lead" }, "Over all ranks and analysed " + report.steps.unit + "s, by what launched it: " + words(timeKey(report[timesByName()[0][0]])) +
      ". Itself: without what lies inside. " + (timesByName().length > 1 ? "A backward pass counts for the module and line of its forward pass." : "")),
    measures.length === 0 ? null : flameGraphOf(measures), timesByName().map(([list, kind, title]) => timesTable(list, kind, title))];
}

function flameGraphOf(measures) {
  const graph = flameGraph = new FlameGraph();
  const choice = element("select", { "aria-label": "Width of frames", onchange: () => graph.show(choice.value) },
    measures.map(([key, words]) => element("option", { value: key }, "Width: " + words)));
  const search = element("input", { type: "search", class: "flame-search", placeholder: "Mark names", "aria-label": "Mark names in the flame graph", oninput: () => graph.mark(search.value) });
  graph.searchField = search;
  const kinds = new Map(graph.nodes.filter((node) => node.index > 0).map((node) => [frameColor(node), node.kind === "kernel" ? classOfKernel(node.name) + " kernel" : node.kind]));
  return element("div", {}, element("div", { class: "controls" }, element("span", { class: "group" }, choice, search)), graph.path, element("div", { class: "flame-room" }, graph.box),
    legend([...kinds]), element("p", { class: "keys quiet" }, "A click or Enter zooms into a frame, ", element("kbd", {}, "Esc"), " and the path above lead out; arrows move."));
}

// Opens the section with the names that have this text marked.
function markInFlameGraph(text) {
  openSection("operators");
  flameGraph.searchField.value = text;
  flameGraph.zoomTo(0);
  flameGraph.mark(text);
  document.getElementById("operators").scrollIntoView();
}

// How many frames have this text in their names.
function framesNamed(text) { return usedMeasures().length === 0 ? 0 : report.call_tree.filter((node) => node.name && node.name.toLowerCase().includes(text)).length; }

function timesTable(list, kind, title) {
  const rows = report[list], all = allTime(rows), key = timeKey(rows), path = (name) => (index) => list + "." + index + "." + name;
  const time = (name, words) => ({ title: words, path: path(name), format: "ns" });
  return element("div", {}, element("h3", {}, title), table(rows, [
    { title: "share", value: (row) => row[key] / all, format: "share" }, ...(key === "device_ns" ? [time("device_ns", "device"), time("self_device_ns", "itself"), time("exposed_ns", "exposed"), time("idle_ns", "idle")] : []),
    time("host_ns", "host"), ...(key === "device_ns" ? [time("blocked_ns", "blocked"), { title: "launched", path: path("launched"), format: "count" }] : [time("self_host_ns", "itself")]),
    { title: kind, name: true, of: (row) => row.name === null ? element("span", { class: "quiet" }, "in no " + kind) : element("span", { class: "mono" }, row.name) }], 15));
}
