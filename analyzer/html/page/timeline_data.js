
// The timeline's data: unpacked from gzip, columns to typed arrays.

function hasTimeline() { return report.steps && report.per_rank !== undefined && report.per_rank.some((rank) => rank.step_ns); }

async function unpackTimeline() {
  const packed = atob(document.getElementById("timeline-data").textContent.trim());
  const bytesOfIt = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytesOfIt]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// A row's spans, by start. `longest` bounds how far before a time a span that covers it may start.
function unpackRow(row) {
  const length = row.start.length, start = new Float64Array(length), ns = Float64Array.from(row.ns);
  let time = 0, longest = 0;
  for (let at = 0; at < length; ++at) {
    time += row.start[at];
    start[at] = time;
    longest = Math.max(longest, ns[at]);
  }
  return { start, ns, name: Int32Array.from(row.name), kind: Uint8Array.from(row.kind), several: new Map(row.several), longest };
}

function unpackStep(step) {
  const rows = step.rows.map(unpackRow);
  const waits = step.waits.map(([row, start, ns, forRow, arrival, atMost]) => ({ row, start, ns, forRow, arrival, atMost: atMost === 1 }));
  const waitsOfRow = rows.map(() => new Map());
  for (const wait of waits) waitsOfRow[wait.row].set(wait.start, wait);
  return { ...step, rows, waits, waitsOfRow };
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

const KINDS = [["compute", "compute"], ["fused", "communication and computation in one"], ["comm", "communication"], ["copy", "copy"],
  ["unknown", "unclassified"], ["host", "call"], ["blocked", "call that blocks or allocates"]];
