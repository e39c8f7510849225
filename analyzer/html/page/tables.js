
// Tables that sort by a click on a heading, and show their first rows until all are asked for.

const FIRST_ROWS = 25;

// columns: {title, path: row index => path of a number, format, isKey: it names the row} or {title, value: row => number, format} or
// {title, of: row => text or element, name: it may be long} or {bar: row => share, color}.
// `first`: rows shown at once. `by`: the column that sorts them at first, the largest first.
function table(rows, columns, first, by) {
  const order = rows.map((row, index) => index);
  const body = element("tbody");
  let shown = Math.min(order.length, first || FIRST_ROWS);
  const more = element("button", { type: "button", onclick: () => { shown = order.length; fill(); } });
  const fill = () => {
    body.replaceChildren(...order.slice(0, shown).map((index) => row(rows[index], index, columns)));
    more.hidden = shown >= order.length;
    more.textContent = "Show all " + order.length + " rows";
  };
  const headings = columns.map((column) => heading(column, (direction) => {
    order.sort((a, b) => direction * compare(sortValue(column, rows[a], a), sortValue(column, rows[b], b)));
    fill();
  }));
  if (by === undefined) fill();
  else headings[by].querySelector("button").click();
  return element("div", {}, element("div", { class: "scroll" },
    element("table", {}, element("thead", {}, element("tr", {}, headings)), body)), element("div", { class: "more" }, more));
}

function heading(column, sort) {
  const cell = element("th", { scope: "col", class: (column.path || column.value) && !column.isKey ? "number" : null });
  if (column.bar) return cell;
  cell.append(element("button", { type: "button", onclick: () => {
    const direction = cell.getAttribute("aria-sort") === "descending" ? 1 : -1;
    for (const other of cell.parentElement ? cell.parentElement.children : []) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", direction < 0 ? "descending" : "ascending");
    sort(direction);
  } }, column.title));
  return cell;
}

function sortValue(column, row, index) {
  if (column.path) return valueAt(column.path(index, row));
  if (column.value) return column.value(row);
  const value = column.of(row, index);
  return value instanceof Element ? value.textContent : value;
}

function compare(a, b) {
  const isNone = (value) => value === null || value === undefined || value === NONE;
  if (isNone(a) || isNone(b)) return isNone(a) - isNone(b) === 0 ? 0 : isNone(a) ? -1 : 1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

function row(data, index, columns) {
  return element("tr", {}, columns.map((column) => {
    if (column.bar) return element("td", { class: "bar" }, bar(column.bar(data, index), column.color));
    if (column.path) {
      const cell = number(column.path(index, data), column.format, "td");
      if (!column.isKey) cell.classList.add("number");
      return cell;
    }
    if (column.value) return element("td", { class: "number" }, formatted(column.value(data), column.format));
    return element("td", { class: column.name ? "name" : null }, column.of(data, index));
  }));
}

// A share from 0 to 1 as a bar.
function bar(share, color) {
  const filled = element("span");
  if (!(share > 0)) filled.style.minWidth = "0";
  filled.style.width = (100 * Math.max(0, Math.min(1, share || 0))).toFixed(2) + "%";
  themed(() => { filled.style.background = colorOf(color || "compute"); });
  return filled;
}
