// The tour of the corpus page: steps over the real page.
import { el, say } from "./dom.js";

// STEPS are the steps: the element that is explained, the title, the text, and the element to
// click before.
const STEPS = [
  ["#view-corpus .query", "Search", "Type words here. “take off” is a phrase, “take*” a pattern, and the switch Lemmas finds all forms of a word. Upper and lower case are equal."],
  [".levels", "Three levels of one query", "Simple, Builder and CQL translate into each other. The line beside them always shows the CQL, so you can learn it and copy it into a paper."],
  [".out .total", "Hits", "The first hits appear at once; the exact number follows. This is the first example of the start page.", ".examples a"],
  [".kwic thead", "Sort", "Click the name of a column to sort the hits: by left context, hit, right context or source."],
  ["tr.wide .opened", "One hit", "Enter or a click opens a hit: its context, its document and a citation to copy. Keys 1 to 9 label hits.", "tr.hit"],
  ["#view-corpus .tabs", "Other views", "The same query, counted: frequencies by year, site or register with charts, collocations, word sketches, keywords and word lists."],
  ["#view-corpus .query #part", "Parts of the corpus", "A filter such as doc.year>=2020 selects documents. Save it as a subcorpus and choose it here."],
  ["p.files", "Take it with you", "Download all rows or print them. The address in the browser holds the whole view: bookmark it or send it to a colleague."],
];

let box = null, now = null;

// stop ends the tour.
export function stop() {
  now?.classList.remove("toured");
  box?.remove();
  box = now = null;
}

// tour begins the tour on the start page of a corpus.
export function tour() {
  const before = document.activeElement;
  stop();
  const end = () => { stop(); before?.focus?.(); };
  box = el("section", { class: "tour", role: "dialog", "aria-label": "Tour", onkeydown: e => {
    if (e.key === "Escape") { e.stopPropagation(); end(); }
  } });
  document.body.append(box);
  const mine = box;
  async function show(i) {
    const [at, title, text, click] = STEPS[i];
    if (click && !document.querySelector(at)) (await found(click))?.click();
    const to = await found(at);
    if (box !== mine) return;
    now?.classList.remove("toured");
    now = to;
    to?.classList.add("toured");
    to?.scrollIntoView({ block: "center" });
    const next = i + 1 < STEPS.length && el("button", { type: "button", class: "go", onclick: () => show(i + 1) }, "Next");
    box.replaceChildren(el("p", { class: "dim small" }, `Step ${i + 1} of ${STEPS.length}`), el("h2", null, title), el("p", null, text),
      el("p", { class: "buttons" }, next, i > 0 && el("button", { type: "button", onclick: () => show(i - 1) }, "Back"), el("button", { type: "button", onclick: end }, next ? "End tour" : "Done")));
    box.querySelector("button").focus();
    say(`${title}. ${text}`);
  }
  show(0);
}

// found waits for an element, at most 5 seconds.
async function found(selector) {
  for (let i = 0; i < 100; i++) {
    const e = document.querySelector(selector);
    if (e) return e;
    await new Promise(r => setTimeout(r, 50));
  }
  return null;
}
