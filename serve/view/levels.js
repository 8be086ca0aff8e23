// The three levels of the query field: Simple, Builder and CQL. They translate into each other.
import { el, say } from "./dom.js";
import { builder } from "./builder.js";
import { isSimple, braced, unbraced, simplified } from "./simple.js";

const NAMES = ["Simple", "Builder", "CQL"];
const TITLES = ["words, phrases and patterns: * any characters, ? one character, [u,] a choice", "boxes for the tokens of a query", "the corpus query language"];
const HOLDERS = { Simple: "water, take off, take*, colo[u,]r", Builder: "", CQL: '[lemma="take"] []{0,2} "off"' };

// levels creates the switch above a query field. holder is the box of the builder, info()
// describes the corpus, interpret(patt, signal) returns the query in CQL.
export function levels(query, holder, { info, interpret }) {
  let wanted = "Simple", timer = 0, asked = new AbortController();
  const lemma = el("input", { type: "checkbox", onchange: () => paint() }), lemmas = el("label", { class: "check", title: "find all forms of the words" }, lemma, "Lemmas");
  const cql = el("p", { class: "cql small", id: "cql" });
  const buttons = NAMES.map((name, i) => el("button", { type: "button", title: TITLES[i], "aria-pressed": "false", "aria-controls": name === "Builder" ? holder.id : null, onclick: () => to(name) }, name));
  const box = el("div", { class: "levels" }, el("div", { class: "switch", role: "group", "aria-label": "Level of the query" }, buttons), lemmas, cql);

  const level = () => !holder.hidden ? "Builder" : !query.value ? wanted : isSimple(query.value) ? "Simple" : "CQL";
  // patt returns the query to send.
  box.patt = () => lemma.checked && !lemmas.hidden && isSimple(query.value) ? braced(query.value) : query.value;

  function set(patt) {
    const words = isSimple(patt) ? unbraced(patt) : null;
    if (patt) lemma.checked = words !== null;
    query.value = words ?? patt;
  }
  function paint() {
    const now = level();
    buttons.forEach(b => b.setAttribute("aria-pressed", String(b.textContent === now)));
    lemmas.hidden = now !== "Simple" || !info()?.attributes.some(a => a.name === "lemma");
    query.input.placeholder = HOLDERS[now];
    clearTimeout(timer);
    asked.abort();
    asked = new AbortController();
    const patt = box.patt(), { signal } = asked;
    if (now !== "Simple") showCQL(patt, now === "CQL");
    else if (!patt || !info()) showCQL("");
    else timer = setTimeout(() => interpret(patt, signal).then(q => showCQL(q), () => !signal.aborted && showCQL("")), 150);
  }
  // showCQL shows the CQL; box.cql is the CQL of the current query, or "".
  function showCQL(text, hidden) {
    box.cql = text;
    cql.replaceChildren(...text && !hidden ? [el("span", { class: "dim" }, "CQL "), el("code", null, text)] : []);
  }
  async function to(name) {
    wanted = name;
    let patt = box.patt();
    if (name === "Simple") {
      const words = isSimple(patt) ? patt : simplified(patt);
      if (patt && words === null) return fail("This query has no simple form.");
      patt = words || "";
    } else if (isSimple(patt)) {
      try {
        patt = await interpret(patt, new AbortController().signal);
      } catch (e) {
        return query.fault(e.message, e.at);
      }
    }
    holder.hidden = name !== "Builder";
    set(patt);
    query.clear();
    if (!holder.hidden) boxes();
    paint();
    (name === "Builder" ? holder.querySelector("input[type=text]") : query.input)?.focus();
  }
  function fail(text) {
    showCQL("");
    cql.replaceChildren(text);
    say(text);
  }
  function boxes() {
    if (!info()) return;
    if (!holder.firstChild) holder.append(builder(info(), q => { query.value = q; showCQL(q); }));
    holder.firstChild.show(query.value);
  }
  query.input.addEventListener("input", () => { if (!holder.hidden) holder.hidden = true; paint(); });
  query.input.addEventListener("change", paint);

  // show displays a query of the address.
  box.show = patt => {
    if (patt !== box.patt()) set(patt);
    if (!holder.hidden) {
      if (isSimple(patt)) interpret(patt, new AbortController().signal).then(q => { set(q); boxes(); paint(); }, () => {});
      else boxes();
    }
    paint();
  };
  // reset forgets the boxes of another corpus.
  box.reset = () => holder.replaceChildren();
  box.disable = why => {
    for (const b of buttons) {
      b.disabled = !!why;
      b.title = why || TITLES[NAMES.indexOf(b.textContent)];
    }
    if (why) holder.hidden = true;
    cql.hidden = !!why;
    lemma.disabled = !!why;
  };
  paint();
  return box;
}
