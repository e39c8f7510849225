
// The timeline's data: unpacked from gzip, columns to typed arrays.

function hasTimeline() { return Boolean(report.steps && report.per_rank !== undefined && report.per_rank.some((rank) => rank.step_ns)); }

async function unpack(packed) { return JSON.parse(await unpackText(packed)); }

function unpackTimeline() { return unpack(document.getElementById("timeline-data").textContent.trim()); }

// [2, 40, 7, 5] -> span 2 stands for 40, span 7 for 5
function pairs(flat) {
  const map = new Map();
  for (let at = 0; at < flat.length; at += 2) map.set(flat[at], flat[at + 1]);
  return map;
}

// A row's spans, by start. `longest` bounds how far before a time a span that covers it may start.
function unpackRow(starts, lengths, content, several, unit) {
  const length = starts.length, start = new Float64Array(length), ns = new Float64Array(length);
  let end = 0, longest = 0;
  for (let at = 0; at < length; ++at) {
    start[at] = unit * (end + starts[at]);
    ns[at] = unit * lengths[at];
    end += starts[at] + lengths[at];
    longest = Math.max(longest, ns[at]);
  }
  return { start, ns, name: content.name, kind: content.kind, several: pairs(several), longest };
}

async function unpackStep(packed) {
  const step = await unpack(packed), { rows, unit_ns: unit } = step;
  const contents = rows.names.map((names, at) => ({ name: Int32Array.from(names), kind: Uint8Array.from(rows.kinds[at]) }));
  const unpacked = rows.start.map((starts, at) => unpackRow(starts, rows.ns[at], contents[rows.content[at]], rows.several[at], unit));
  const waits = step.waits.map(([row, start, ns, forRow, arrival, atMost]) => ({ row, start, ns, forRow, arrival, atMost: atMost === 1 }));
  const waitsOfRow = unpacked.map(() => []);
  for (const wait of waits) waitsOfRow[wait.row].push(wait);
  for (const of of waitsOfRow) of.sort((a, b) => a.start - b.start);
  return { ...step, unit, rows: unpacked, waits, waitsOfRow };
}

// The first span of a row that may reach beyond `time`.
function firstFrom(row, time) {
  let low = 0, high = row.start.length;
  const wanted = time - row.longest;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.start[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Colour and name of each kind of span; from `FIRST_BETWEEN` on, time of the host inside no call, by the ledger's rows.
const FIRST_BETWEEN = 10;
const KINDS = [["compute", "compute"], ["fused", "communication and computation in one"], ["comm", "communication"], ["copy", "copy"],
  ["unknown", "unclassified"], ["host", "call"], ["blocked", "call that blocks or allocates"], ["range", "annotation or NVTX range"],
  ["operator", "operator"], ["python", "Python"], ...TABLES.ledger_rows.map((row) => [row.colour, "between calls: " + row.label])];

function isBetweenCalls(kind) { return kind >= FIRST_BETWEEN; }
