// Tables of pages: the button in a column's heading sorts by it. Numbers and ages fall first, texts rise; dashes and rows of class pooled stay last.
const tables = (() => {
  const SECONDS = { d: 86400, h: 3600, min: 60, s: 1 };
  const AGE = /^\d+ (d|h|min|s)( \d+ (h|min|s))?$/;
  const heads = table => [...table.tHead.rows[0].cells];

  /** What a cell is sorted by. */
  function value(row, i) {
    const text = row.cells[i].textContent.replace(/,/g, "");
    if (AGE.test(text)) {
      return [...text.matchAll(/(\d+) (\w+)/g)].reduce((sum, [, count, unit]) => sum + count * SECONDS[unit], 0);
    }
    return text !== "" && !isNaN(text) ? Number(text) : row.cells[i].textContent;
  }

  /** The order of two values that are of one kind; numbers stand before texts. */
  function rising(x, y) {
    return typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "number" ? -1 : 1;
  }

  function sort(table, i, falling) {
    heads(table).forEach(head => head.removeAttribute("aria-sort"));
    heads(table)[i].setAttribute("aria-sort", falling ? "descending" : "ascending");
    const last = row => row.classList.contains("pooled") || row.cells[i].textContent === "-";
    const order = (a, b) => last(a) - last(b) || rising(value(a, i), value(b, i)) * (falling ? -1 : 1);
    table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
  }

  function pressed(table, i) {
    const before = heads(table)[i].getAttribute("aria-sort");
    const numbers = [...table.tBodies[0].rows].some(row => typeof value(row, i) === "number");
    sort(table, i, before ? before === "ascending" : numbers);
  }

  /** Puts a button into each heading. */
  function sortable(table) {
    heads(table).forEach((head, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => pressed(table, i));
      head.append(button);
    });
  }

  /** Sorts a table as another one is sorted, if it is. */
  function sortAs(table, other) {
    const i = heads(other).findIndex(head => head.ariaSort);
    if (i >= 0) {
      sort(table, i, heads(other)[i].ariaSort === "descending");
    }
  }

  return { sortable, sortAs };
})();
