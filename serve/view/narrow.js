// Filters on hits. They are written into the query, so that they apply to every view
// and can be read and changed.
import { el } from "./dom.js";
import { editor } from "./editor.js";

const NEAR = [1, 3, 5, 10], NAMES = { s: "sentence", p: "paragraph", doc: "document" };

// narrow returns a query for the hits of query a with (or without) b near them.
// where is a structure, or a number of tokens.
const narrow = (a, without, b, where) => {
  const on = `(${a}) ${without ? "!" : ""}within `;
  return /^\d+$/.test(where) ? `${on}((${a}) []{0,${where}} (${b}) | (${b}) []{0,${where}} (${a}))` : `${on}(<${where}/> containing (${b}))`;
};

// beside returns a query for the hits of query a with b in a range of positions, as
// collocations count them: -1 is the token left of the hit, 1 the token right of it.
export function beside(a, b, from, to, within) {
  const left = from < 0 && `(${b}) []{${Math.max(0, -to - 1)},${-from - 1}} (${a})`, right = to > 0 && `(${a}) []{${Math.max(0, from - 1)},${to - 1}} (${b})`;
  const window = [left, right].filter(Boolean).join(" | ");
  return `(${a}) within (${within ? `(${window}) within <${within}/>` : window})`;
}

// first returns a query for the first hit of query a in each document.
const first = a => `(${a}) !within (meet (${a}) (${a}) -10000 -1)`;

// narrower creates the fields; given is the current query, found is called with the new
// query. info and ask are the arguments of editor.
export function narrower(info, ask, given, found) {
  const how = el("select", { "aria-label": "with or without" }, new Option("with", ""), new Option("without", "!"));
  const near = editor({ label: "this context", placeholder: '"word"', info: () => info, ask });
  const where = el("select", { "aria-label": "where" }, info.structures.filter(s => s.name !== "sp").map(s => new Option(`in the same ${NAMES[s.name] || s.name}`, s.name)), NEAR.map(n => new Option(`with up to ${n} tokens between`, n)));
  if (info.structures.some(s => s.name === "s")) where.value = "s";
  const apply = () => {
    if (near.value && given()) found(narrow(given(), how.value, near.value, where.value));
    else (given() ? near : document.getElementById("query1")).focus();
  };
  near.focus = () => near.input.focus();
  near.input.addEventListener("keydown", e => { if (e.key === "Enter" && !e.defaultPrevented) { e.preventDefault(); apply(); } });
  return el("section", { class: "narrow", "aria-label": "Filter hits" }, el("span", { class: "dim" }, "Hits"), how, near, where,
    el("button", { type: "button", onclick: apply }, "Apply"),
    el("button", { type: "button", title: "keep the first hit of each document (looks back up to 10,000 tokens)", onclick: () => given() && found(first(given())) }, "First hit in each document"));
}
