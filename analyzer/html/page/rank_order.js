
// In which order ranks are listed, which are left out, and which hosts are folded to one line: the same everywhere on the page.

class RankOrder {
  constructor() {
    this.by = "rank";
    this.filter = "";
    this.foldedHosts = new Set();
    this.listeners = [];
    this.blame = new Map(((report.stragglers || {}).ranks || []).map((rank) => [rank.rank, rank.blamed_ns || 0]));
    this.hostOf = new Map((report.per_rank || []).map((rank) => [rank.rank, rank.host || ""]));
  }

  changed() { for (const listener of this.listeners) listener(); }
  sortBy(by) { this.by = by; this.changed(); }
  filterBy(text) { this.filter = text; this.changed(); }
  hosts() { return [...new Set(this.hostOf.values())]; }
  host(rank) { return this.hostOf.get(rank) ?? ""; }
  blamed(rank) { return this.blame.get(rank) || 0; }

  foldHost(host, isFolded) {
    if (isFolded) this.foldedHosts.add(host);
    else this.foldedHosts.delete(host);
    this.changed();
  }
  foldAll(isFolded) {
    this.foldedHosts = new Set(isFolded ? this.hosts() : []);
    this.changed();
  }

  // "0-3, 12, node2": numbers, from and to, parts of hosts' names.
  matches(rank) {
    const words = this.filter.toLowerCase().split(/[\s,]+/).filter((word) => word !== "");
    return words.length === 0 || words.some((word) => {
      const range = /^(\d+)(?:-(\d+))?$/.exec(word);
      return range ? rank >= Number(range[1]) && rank <= Number(range[2] ?? range[1]) : this.host(rank).toLowerCase().includes(word);
    });
  }

  compare(a, b) {
    if (this.by === "blame") return this.blamed(b) - this.blamed(a) || a - b;
    return (this.by === "host" ? this.host(a).localeCompare(this.host(b), "en", { numeric: true }) : 0) || a - b;
  }

  // The lines for these ranks: {rank, host, stands: how many}. A folded host has one, for that of its ranks which the others waited
  // for most.
  lines(ranks) {
    const lines = [], folded = new Map();
    for (const rank of ranks.filter((one) => this.matches(one)).sort((a, b) => this.compare(a, b))) {
      const host = this.host(rank);
      if (!this.foldedHosts.has(host)) { lines.push({ rank, host, stands: 1 }); continue; }
      const line = folded.get(host);
      if (!line) { folded.set(host, { rank, host, stands: 1 }); lines.push(folded.get(host)); continue; }
      ++line.stands;
      if (this.blamed(rank) > this.blamed(line.rank)) line.rank = rank;
    }
    return lines;
  }
}

let rankOrder = null;

function lineTitle(line) { return line.stands === 1 ? "rank " + line.rank : line.host + ": " + line.stands + " ranks, most waited for: " + line.rank; }

// The controls that sort, fold and filter these ranks; all copies of them show the same.
function rankControls(ranks) {
  const orders = [["rank", "by number"], ["blame", "most waited for first"], ["host", "by host"]];
  const order = element("select", { "aria-label": "Order of ranks", class: "rank-order", onchange: () => rankOrder.sortBy(order.value) },
    orders.map(([value, title]) => element("option", { value }, "Ranks " + title)));
  const filter = element("input", { type: "search", class: "rank-filter", placeholder: "Ranks, e.g. 0-7, node2", "aria-label": "Show these ranks only",
    oninput: () => rankOrder.filterBy(filter.value) });
  const hosts = rankOrder.hosts();
  const fold = element("button", { type: "button", class: "fold-hosts", onclick: () => rankOrder.foldAll(rankOrder.foldedHosts.size < hosts.length) });
  const none = element("span", { class: "no-rank quiet", role: "status" });
  const update = () => {
    none.textContent = ranks.some((rank) => rankOrder.matches(rank)) ? "" : "None of these " + ranks.length + " ranks matches.";
    order.value = rankOrder.by;
    if (filter.value !== rankOrder.filter) filter.value = rankOrder.filter;
    fold.textContent = rankOrder.foldedHosts.size < hosts.length ? "Fold hosts" : "Unfold hosts";
    fold.setAttribute("aria-pressed", String(rankOrder.foldedHosts.size > 0));
  };
  rankOrder.listeners.push(update);
  update();
  return element("span", { class: "group" }, order, filter, hosts.length > 1 ? fold : null, none);
}
