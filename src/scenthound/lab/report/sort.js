// A click on the head of a column sorts its table; a second click turns the order round.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("number") ? "descending" : "ascending";
      const turned = { ascending: "descending", descending: "ascending" }[head.getAttribute("aria-sort")];
      const order = turned || first;
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const rows = [...body.rows].sort((a, b) => compare(a.cells[column], b.cells[column], order));
      body.append(...rows);
    });
  });
}

// Cells without a value stay at the end, whichever way the order goes.
function compare(a, b, order) {
  const [x, y] = [value(a), value(b)];
  if (x === null || y === null) return (x === null) - (y === null);
  const sign = order === "ascending" ? 1 : -1;
  return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)));
}

function value(cell) {
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  const text = cell.textContent.trim();
  if (text === "" || text === "–") return null;
  return Number.isNaN(Number(text)) ? text : Number(text);
}
