
// Values as text, and elements. Text from logs reaches the page through textContent alone.

const NONE = "–";

function significant(value, digits) {
  const whole = Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
  return value.toFixed(Math.max(0, digits - whole));
}

// 985453085 -> "985.5 ms"
function duration(ns) {
  const size = Math.abs(ns);
  if (size < 999.5) return Math.round(ns) + " ns";
  if (size < 999950) return significant(ns / 1e3, 4) + " µs";
  if (size < 999950000) return significant(ns / 1e6, 4) + " ms";
  return significant(ns / 1e9, 4) + " s";
}

// "200.0 ms" -> "200 ms"
function round(text) { return text === "0 ns" ? "0" : text.replace(/\.(\d*?)0+ /, (all, kept) => (kept ? "." + kept : "") + " "); }

const TIME_UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

// A time on an axis whose marks are `step` apart and reach to `largest`, all in ns, with as many digits as tell neighbours apart:
// marks of 50 µs at 106 ms are "106.05 ms", "106.10 ms".
function tickText(ns, step, largest) {
  if (ns === 0) return "0";
  const [size, unit] = TIME_UNITS.find(([candidate]) => Math.max(Math.abs(ns), largest) >= candidate) || [1, "ns"];
  return (ns / size).toFixed(Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9))) + " " + unit;
}

// The same for a value axis of a chart, whose values are `size` ns each.
function timeTicks(size) {
  return (value, index, ticks) => ticks.length < 2 ? round(duration(size * value)) :
    tickText(size * value, size * Math.abs(ticks[1].value - ticks[0].value), size * Math.max(...ticks.map((tick) => Math.abs(tick.value))));
}

// A point in time to the nanosecond, or as it is known: "106.052345 ms".
function exactTime(ns, unit) { return tickText(ns, Math.max(1, unit), Math.abs(ns)); }

function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  while (Math.abs(count) >= 1024 && at + 1 < units.length) { count /= 1024; ++at; }
  return (at === 0 ? String(Math.round(count)) : significant(count, 4).replace(/\.0+$/, "")) + " " + units[at];
}

const FORMATS = {
  ns: duration,
  bytes,
  share: (value) => (100 * value).toFixed(1) + " %",
  fine: (value) => (100 * value).toFixed(2) + " %",
  count: (value) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u2009"),
  fixed: (value) => (value === 0 ? "0" : significant(value, 4)),
  times: (value) => value.toFixed(2) + "×",
  text: String,
};

function formatted(value, format) {
  return value === null || value === undefined ? NONE : FORMATS[format](value);
}

// An element with attributes, listeners ("onclick") and children; strings become text, never markup.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

// The JSON report, and its text. Packed by gzip: of many ranks it is most of the page.
let report = null, reportText = "";

async function unpackText(packed) {
  const characters = atob(packed), bytesOfIt = new Uint8Array(characters.length);
  for (let at = 0; at < characters.length; ++at) bytesOfIt[at] = characters.charCodeAt(at);
  return new Response(new Blob([bytesOfIt]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

async function unpackReport() {
  reportText = await unpackText(document.getElementById("report").textContent.trim());
  report = JSON.parse(reportText);
}

// From analyzer/findings/findings.def and analyzer/model/ledger.def.
const TABLES = JSON.parse(document.getElementById("tables").textContent);
const FIRST_SCREEN = JSON.parse(document.getElementById("first-screen").textContent);

// The value at "steps.duration_ns.mean" of the report; undefined: there is none.
function valueAt(path) {
  return path.split(".").reduce((value, key) => (value === null || value === undefined ? undefined : value[key]), report);
}

// A number of the report as text. It remembers where it is from, so that tests can compare.
function number(path, format, tag) {
  return element(tag || "span", { "data-path": path, "data-format": format }, formatted(valueAt(path), format));
}

function legend(entries) {
  return element("div", { class: "legend" }, entries.map(([color, text]) => {
    const mark = element("i");
    themed(() => { mark.style.background = colorOf(color); });
    return element("span", {}, mark, text);
  }));
}

function tile(path, format, label) {
  return element("div", { class: "tile" }, number(path, format, "b"), element("span", {}, label));
}

function rankList(ranks) {
  if (ranks.length === 0) return "all ranks";
  const shown = ranks.slice(0, 8).join(", ") + (ranks.length > 8 ? " and " + (ranks.length - 8) + " more" : "");
  return (ranks.length === 1 ? "rank " : "ranks ") + shown;
}

function readable(name) { return name.replaceAll("_", " "); }

const tip = document.getElementById("tip");

function showTip(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const above = event.clientY + 18 + tip.offsetHeight > innerHeight;
  tip.style.left = Math.max(4, left) + "px";
  tip.style.top = (above ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18) + "px";
}

function hideTip() { tip.hidden = true; }
