
// Which rows the timeline has, in which order, and where. A rank is one row, in which computing hides the communication beneath
// it, until it is unfolded to its streams and threads.

const ROW = 17, RANK_ROW = 11, RANK_GAP = 7, RULER = 24;
const FEW_UNFOLDED = 16;
const ROW_GROUPS = [["ranges", "Annotations"], ["operators", "Operators"], ["python", "Python"], ["host", "Host"], ["streams", "Streams"]];

class TimelineRows {
  constructor(data) {
    this.data = data;
    this.rowsOf = new Map(data.ranks.map((rank) => [rank, []]));
    data.rows.forEach((row, index) => this.rowsOf.get(data.ranks[row.rank]).push(index));
    this.unfolded = new Set(data.ranks.length <= FEW_UNFOLDED ? data.ranks : []);
    this.pinned = new Set();
    this.hidden = new Set();
    this.place();
  }

  groups() { return ROW_GROUPS.filter(([group]) => this.data.rows.some((row) => row.group === group)); }
  showsGroup(group) { return !this.hidden.has(group); }
  setGroup(group, isShown) {
    if (isShown) this.hidden.delete(group);
    else this.hidden.add(group);
    this.place();
  }

  unfold(rank, isUnfolded) {
    if (isUnfolded) this.unfolded.add(rank);
    else this.unfolded.delete(rank);
    this.place();
  }
  pin(rank, isPinned) {
    if (isPinned) this.pinned.add(rank);
    else this.pinned.delete(rank);
    this.place();
  }

  // Makes a row visible whatever hides it.
  reveal(row) {
    const { rank, group } = this.data.rows[row];
    this.hidden.delete(group);
    this.revealRank(this.data.ranks[rank]);
  }
  revealRank(rank) {
    if (!rankOrder.matches(rank)) rankOrder.filterBy("");
    if (rankOrder.foldedHosts.has(rankOrder.host(rank))) rankOrder.foldHost(rankOrder.host(rank), false);
    this.unfolded.add(rank);
    this.place();
  }

  // places: {y, height, rows, rank, line, isFirst, isPinned, isSummary}, y from the top of all rows, of pinned ones from the ruler.
  place() {
    this.places = [];
    const lines = rankOrder.lines([...this.data.ranks]);
    const pinned = lines.filter((line) => this.pinned.has(line.rank)), others = lines.filter((line) => !this.pinned.has(line.rank));
    this.pinnedHeight = pinned.length === 0 ? 0 : this.placeLines(pinned, true) + 4;
    this.content = this.placeLines(others, false);
    this.placeOfRow = new Map();
    for (const place of this.places) for (const row of place.rows) this.placeOfRow.set(row, place);
  }

  placeLines(lines, isPinned) {
    let y = 6, wasUnfolded = false;
    for (const line of lines) {
      const shown = this.rowsOf.get(line.rank).filter((row) => this.showsGroup(this.data.rows[row].group));
      const isUnfolded = this.unfolded.has(line.rank) && line.stands === 1;
      if ((isUnfolded || wasUnfolded) && y > 6) y += RANK_GAP;
      wasUnfolded = isUnfolded;
      const ofRank = { rank: line.rank, line, isPinned };
      if (isUnfolded) for (const [at, row] of shown.entries()) { this.places.push({ ...ofRank, y, height: ROW, rows: [row], isFirst: at === 0, isSummary: false }); y += ROW; }
      else {
        const streams = this.rowsOf.get(line.rank).filter((row) => this.data.rows[row].group === "streams");
        this.places.push({ ...ofRank, y, height: RANK_ROW, rows: streams, isFirst: true, isSummary: true });
        y += RANK_ROW;
      }
    }
    return y + 6;
  }

  placeOfRank(rank) { return this.places.find((place) => place.rank === rank); }
}
