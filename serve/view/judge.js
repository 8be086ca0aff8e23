// Views of a set under annotation: agreement of its annotators, and the model trained on it.
import { el, fill, count, many, percent, rate, say, typing } from "./dom.js";
import { post } from "./api.js";
import { facts, problem, table } from "./parts.js";
import { KEYS, TWO_KEYS } from "./press.js";

const dash = x => x === undefined ? "–" : rate(x);
const points = x => rate(100 * x);
const span = x => x ? `${points(x.value)} (${points(x.low)} to ${points(x.high)})` : "";
const short = s => s.length > 300 ? s.slice(0, 300) + " …" : s;

const agreed = people => table("Agreement on pages finished by several annotators", [
  { name: "annotators", head: true, cell: p => p.names.join(", ") }, { name: "pages", number: true, cell: p => count(p.pages) }, { name: "blocks", number: true, cell: p => count(p.blocks) },
  { name: "same label", number: true, cell: p => percent(p.same) }, { name: "kappa", number: true, title: "Cohen's kappa: 1 is perfect, 0 is chance", cell: p => dash(p.kappa) }, { name: "alpha", number: true, title: "Krippendorff's alpha, nominal", cell: p => dash(p.alpha) },
], people);

// agreement compares annotators, and lets one of them resolve differences.
export async function agreement(body, { as, desk }) {
  const [a, bias] = await Promise.all([desk("/agreement", { person: undefined }), desk("/bias", { person: undefined })]);
  const open = a.differences;
  let at = Math.max(0, open.findIndex(d => !d.judged)), busy = false;
  const card = el("section", { class: "judge", "aria-label": "Disagreements", tabindex: "0" });
  const left = el("p", { role: "status" });
  fill(body, el("h1", null, "Agreement"),
    a.people.length === 0 ? el("p", { class: "none" }, "No agreement yet: two annotators must finish the same page, under different names.")
      : agreed(a.people),
    open.length > 0 && [el("h2", null, "Disagreements"), left, card],
    el("h2", null, "Influence of proposals"),
    bias.length === 0 ? el("p", { class: "dim" }, "No labels yet.") : table("Share of proposals that annotators keep (mean over pages)", [
      { name: "annotator", head: true, cell: b => b.person },
      { name: "shown", number: true, cell: b => b.shown.pages ? `${percent(b.shown.value)} of ${many(b.shown.pages, "page")}` : "" },
      { name: "hidden", number: true, cell: b => b.blank.pages ? `${percent(b.blank.value)} of ${many(b.blank.pages, "page")}` : "" },
      { name: "difference", number: true, title: "percentage points by which showing proposals changes the share, with the 95 % interval", cell: b => span(b.pull) },
      ...(bias[0].by_score || []).map((s, i) => ({ name: `p ≥ ${s.from || 0}`, number: true, title: "share kept of proposals with this probability", cell: b => b.by_score[i].blocks ? percent(b.by_score[i].value) : "" })),
      { name: "seconds per page", number: true, cell: b => count(Math.round(b.seconds)) }, { name: "steps per page", number: true, cell: b => count(Math.round(b.keys)) },
    ], bias), el("p", { class: "small dim" }, "To measure the influence, hide proposals on every fifth page (Pages, Proposals). A difference whose interval includes 0 is not significant."));
  if (!open.length) return;

  function show() {
    const d = open[at], keys = d.two ? TWO_KEYS : KEYS, names = Object.keys(d.labels).sort();
    left.textContent = `${count(at + 1)} of ${many(open.length, "block")}; ${count(open.filter(x => !x.judged).length)} undecided.`;
    fill(card, el("h3", { dir: "auto" }, `${d.title || d.page}, block ${d.block}`),
      d.before && el("p", { class: "dim small", dir: "auto" }, short(d.before)), el("blockquote", { dir: "auto" }, short(d.text)), d.after && el("p", { class: "dim small", dir: "auto" }, short(d.after)),
      el("div", { class: "keys", role: "group", "aria-label": "Labels of the annotators" }, names.map((n, i) => el("button", { type: "button", class: "r-" + d.labels[n].replace("*", ""), onclick: () => decide(d.labels[n]) }, el("kbd", null, i + 1), ` ${n}: ${d.labels[n]}`))),
      el("div", { class: "keys", role: "group", "aria-label": "Other labels" }, Object.entries(keys).map(([k, role]) => el("button", { type: "button", class: "r-" + role, onclick: () => decide(role) }, el("kbd", null, k), " ", role))),
      el("div", { class: "keys" }, el("button", { type: "button", onclick: () => move(-1) }, el("kbd", null, "k"), " previous"), el("button", { type: "button", onclick: () => move(1) }, el("kbd", null, "j"), " next")),
      d.judged && el("p", null, `Decided: ${d.judged}${d.by ? `, by ${d.by}` : ""}`));
  }
  function move(step) {
    at = (at + step + open.length) % open.length;
    show();
  }
  async function decide(label) {
    if (busy) return;
    busy = true;
    const d = open[at];
    try {
      await post(`v1/desk/pages/${encodeURIComponent(d.page)}/judged`, { person: as }, { block: d.block, label }, "application/json");
      d.judged = label;
      d.by = as;
      const next = open.findIndex((x, i) => i > at && !x.judged);
      at = next < 0 ? Math.max(0, open.findIndex(x => !x.judged)) : next;
      say(`Decided: ${label}`);
      show();
    } catch (e) {
      card.append(problem(e));
    }
    busy = false;
  }
  card.addEventListener("keydown", e => {
    if (e.altKey || e.ctrlKey || e.metaKey || typing(e)) return;
    const d = open[at], names = Object.keys(d.labels).sort(), label = names[e.key - 1] ? d.labels[names[e.key - 1]] : (d.two ? TWO_KEYS : KEYS)[e.key];
    if (label) decide(label);
    else if (e.key === "j" || e.key === "k") move(e.key === "j" ? 1 : -1);
    else return;
    e.preventDefault();
  });
  show();
}

// model shows the results of the trainings, and starts another.
export async function model(body, { as, desk }) {
  const now = el("div", { role: "status" }), list = el("div"), said = el("div");
  const ask = async (path, send) => {
    fill(said);
    try {
      await draw(await (await post("v1/desk/trainings" + path, path ? {} : { person: as }, send || {}, "application/json")).json());
    } catch (e) {
      fill(said, problem(e));
    }
  };
  let later;
  function draw(s) {
    const next = Math.max(0, 5 - s.labelled);
    fill(now, facts([["done", many(s.labelled, "page")], ["evaluation pages", count(s.kept)], ["proposals by", s.model ? `model ${s.model}` : "embedded model"]]),
      s.running ? el("p", null, `Training: ${s.step || "starting"}${s.total ? ` ${s.done} of ${s.total}` : ""} `, el("progress", { max: s.total || 1, value: s.done, "aria-label": "Training" }), " ", el("button", { type: "button", onclick: () => ask("/cancel") }, "Cancel"))
        : el("p", { class: "buttons" }, el("button", { type: "button", class: "go", disabled: next > 0, onclick: () => ask("") }, "Train and evaluate"), next > 0 ? ` after ${many(next, "more page")}` : ""),
      s.error && el("p", { class: "notice" }, `The last training failed: ${s.error}`));
    const rows = [...s.trainings].reverse();
    fill(list, rows.length > 0 && table("Models adapted to this set", [
      { name: "model", head: true, cell: t => `${t.number}, by ${t.by}, ${t.time.slice(0, 10)}` },
      { name: "training", number: true, cell: t => many(t.learned, "page") }, { name: "evaluation", cell: t => t.crossed ? "cross-validation" : many(t.kept, "page") },
      { name: "before", number: true, cell: t => percent(t.curve[0].accuracy) }, { name: "with half", number: true, cell: t => percent(t.curve[1].accuracy) }, { name: "after", number: true, title: "share of blocks with the correct label, mean over pages", cell: t => percent(t.curve[2].accuracy) },
      { name: "gain", number: true, title: "percentage points, with the 95 % interval", cell: t => span(t.gain) },
      { name: "F of text", number: true, title: "before and after", cell: t => `${percent(t.curve[0].f)}, ${percent(t.curve[2].f)}` },
      { name: "forecast", number: true, title: "expected gain in percentage points from twice as many pages, extrapolated from the curve", cell: t => points(t.next) },
      { name: "", cell: t => t.number === s.model ? "in use" : el("button", { type: "button", onclick: () => ask("/use", { number: t.number }) }, "Use") },
    ], rows), s.model > 0 && el("p", null, el("button", { type: "button", onclick: () => ask("/use", { number: 0 }) }, "Use the embedded model")));
    clearTimeout(later);
    if (s.running) later = setTimeout(async () => { if (body.contains(now)) draw(await desk("/trainings", { person: undefined })); }, 700);
  }
  fill(body, el("h1", null, "Model"), el("p", { class: "lead" }, "The embedded model is adapted to the finished pages. Pages of a fifth of the sites are held out for evaluation. With fewer than five such pages, the model is evaluated by cross-validation."),
    now, said, list, el("div", { id: "fives" }), el("div", { id: "agreed" }));
  draw(await desk("/trainings", { person: undefined }));
  const [bias, { people }] = await Promise.all([desk("/bias", { person: undefined }), desk("/agreement", { person: undefined })]), mine = bias.find(b => b.person === as);
  if (people.length) fill(body.querySelector("#agreed"), el("h2", null, "Agreement"), agreed(people));
  if (mine) fill(body.querySelector("#fives"), el("h2", null, "Your pages, in groups of five"), table("Share of blocks with the proposed label", [
    { name: "pages", head: true, cell: (f, i) => `${5 * i + 1} to ${5 * i + f.pages}` }, { name: "blocks", number: true, cell: f => count(f.blocks) }, { name: "as proposed", number: true, cell: f => percent(f.value) }], mine.fives));
}
