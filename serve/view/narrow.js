// Filters on hits, written into the query: so they hold in every view, and can be seen
// and changed.
import { el } from "./dom.js";
import { editor } from "./editor.js";

const NEAR = [1, 3, 5, 10], NAMES = { s: "sentence", p: "paragraph", doc: "document" };

// narrow is the query a of which only hits with (or without) b near them are left.
// where is a structure, or a number of tokens.
const narrow = (a, without, b, where) => {
  const on = `(${a}) ${without ? "!" : ""}within `;
  return /^\d+$/.test(where) ? `${on}((${a}) []{0,${where}} (${b}) | (${b}) []{0,${where}} (${a}))` : `${on}(<${where}/> containing (${b}))`;
};

// beside is the query a of which only hits with b from one to another place beside them
// are left, as collocations count them: -1 is the token left of the hit, 1 the one right of it.
export function beside(a, b, from, to, within) {
  const left = from < 0 && `(${b}) []{${Math.max(0, -to - 1)},${-from - 1}} (${a})`, right = to > 0 && `(${a}) []{${Math.max(0, from - 1)},${to - 1}} (${b})`;
  const window = [left, right].filter(Boolean).join(" | ");
  return `(${a}) within (${within ? `(${window}) within <${within}/>` : window})`;
}

// first is the query a of which only the first hit of each document is left.
const first = a => `(${a}) !within (meet (${a}) (${a}) -10000 -1)`;

// narrower makes the fields; given is the query as it is, found gets the new one. info
// and ask are those of editor.
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
