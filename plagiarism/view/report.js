"use strict";
// A click on a passage scrolls its partner to the same height in the other pane and
// marks both. Without scripts the link leads to the partner.
let marked = [];
for (const pane of document.querySelectorAll(".pane")) pane.addEventListener("click", event => {
  const from = event.target.closest("a.m");
  if (!from || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const to = document.getElementById(from.hash.slice(1));
  if (!to) return;
  event.preventDefault();
  const other = to.closest(".pane"), beside = Math.abs(other.getBoundingClientRect().top - pane.getBoundingClientRect().top) < 5;
  if (beside) other.scrollTop += to.getBoundingClientRect().top - from.getBoundingClientRect().top;
  else to.scrollIntoView({ block: "center" });
  for (const m of marked) m.classList.remove("on");
  marked = [...document.querySelectorAll(`a.m[href="${from.hash}"], a.m[href="#${from.hash.slice(1, -1)}${from.hash.endsWith("a") ? "b" : "a"}"]`), to];
  for (const m of marked) m.classList.add("on");
  history.replaceState(null, "", from.hash);
});
// A click on a column header sorts the table: numbers in descending order, words in
// ascending order; a second click reverses the order.
for (const button of document.querySelectorAll("th button")) button.addEventListener("click", () => {
  const th = button.closest("th"), body = th.closest("table").tBodies[0], numeric = th.classList.contains("n");
  const down = th.getAttribute("aria-sort") ? th.getAttribute("aria-sort") !== "descending" : numeric;
  for (const other of th.parentNode.cells) other.removeAttribute("aria-sort");
  th.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = row => { const cell = row.cells[th.cellIndex]; return cell.dataset.v ?? cell.textContent; };
  const rows = [...body.rows].map((row, i) => [row, i]);
  rows.sort(([a, i], [b, j]) => (numeric ? value(a) - value(b) || 0 : value(a).localeCompare(value(b), undefined, { numeric: true })) * (down ? -1 : 1) || i - j);
  body.append(...rows.map(([row]) => row));
});
document.body.dataset.ready = "yes";
