"use strict";
// A click on a column header sorts the table: numbers in descending order, words in
// ascending order; a second click reverses the order. Buttons that are hidden without
// scripts are shown.
for (const button of document.querySelectorAll("th button")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const th = button.closest("th"), body = button.closest("table").tBodies[0];
    const down = th.getAttribute("aria-sort") ? th.getAttribute("aria-sort") !== "descending" : th.classList.contains("n");
    for (const other of th.parentNode.cells) other.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = row => { const cell = row.cells[th.cellIndex]; return cell.dataset.v ?? cell.textContent; };
    const numeric = th.classList.contains("n");
    const rows = [...body.rows].map((row, i) => [row, i]);
    rows.sort(([a, i], [b, j]) => (numeric ? value(a) - value(b) : value(a).localeCompare(value(b))) * (down ? -1 : 1) || i - j);
    body.append(...rows.map(([row]) => row));
  });
}
document.body.dataset.ready = "yes";
