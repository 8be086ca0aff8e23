// Views of a set of documents under annotation: agreement of its annotators, and trained models.
import { el, fill, count, many, percent, rate, say, typing } from "./dom.js";
import { post } from "./api.js";
import { facts, problem, table } from "./parts.js";
import { chooser } from "./labels.js";

const dash = x => x === undefined ? "–" : rate(x);

// agreement compares annotators, and lets one of them resolve differences.
export async function agreement(body, { as, set, desk }) {
  const a = await desk("/agreement", { person: undefined }), scale = set.scheme.mode === "scale", name = l => set.scheme.labels.find(x => x.label === l)?.name || l;
  let open = a.differences, at = Math.max(0, open.findIndex(d => !d.by)), labels = null, busy = false;
  const card = el("section", { class: "judge", "aria-label": "Disagreements", tabindex: "0" }), left = el("p", { role: "status" });
  const mean = set.scheme.mode === "multi" ? ", mean over labels" : "";
  fill(body, el("h1", null, "Agreement"),
    a.people.length === 0 ? el("p", { class: "none" }, "No agreement yet: two annotators must label the same document, under different names.") : [
      table("Agreement on documents labelled by several annotators", [
        { name: "annotators", head: true, cell: p => p.names.join(", ") }, { name: "documents", number: true, cell: p => count(p.documents) }, { name: "same labels", number: true, cell: p => percent(p.same) },
        ...scale ? [{ name: "differ by at most 1", number: true, cell: p => percent(p.near) }, { name: "weighted kappa", number: true, title: "Cohen's kappa with quadratic weights: 1 is perfect, 0 is chance", cell: p => dash(p.weighted) }] : [],
        { name: "kappa", number: true, title: `Cohen's kappa${mean}: 1 is perfect, 0 is chance`, cell: p => dash(p.kappa) }, { name: "alpha", number: true, title: `Krippendorff's alpha, nominal${mean}`, cell: p => dash(p.alpha) },
      ], a.people),
      table("Agreement on each label", [
        { name: "label", head: true, cell: l => name(l.label) }, { name: "documents", number: true, title: "with the label by at least one annotator", cell: l => count(l.documents) }, { name: "by all", number: true, cell: l => count(l.same) }, { name: "alpha", number: true, cell: l => dash(l.alpha) },
      ], a.labels)],
    open.length > 0 && [el("h2", null, "Disagreements"), left, card]);
  if (!open.length) return;

  const names = () => Object.keys(open[at].labels).sort();
  function show() {
    const d = open[at];
    left.textContent = `${count(at + 1)} of ${many(open.length, "document")}; ${count(open.filter(x => !x.by).length)} undecided.`;
    labels = chooser(set.scheme, d.judged || [], () => {});
    fill(card, el("h3", { dir: "auto" }, d.title || d.id), el("blockquote", { class: "lines", dir: "auto" }, d.text),
      el("div", { class: "keys", role: "group", "aria-label": "Labels of the annotators" }, names().map(n => el("button", { type: "button", onclick: () => decide(d.labels[n]) }, `${n}: ${d.labels[n].map(name).join(", ") || "none"}${(d.unsure || []).includes(n) ? " ?" : ""}`))),
      el("details", null, el("summary", null, "Other labels"), labels.box, el("p", null, el("button", { type: "button", onclick: () => decide(labels.labels()) }, "Decide"))),
      el("div", { class: "keys" }, el("button", { type: "button", onclick: () => move(-1) }, el("kbd", null, "["), " previous"), el("button", { type: "button", onclick: () => move(1) }, el("kbd", null, "]"), " next")),
      d.by && el("p", null, `Decided: ${(d.judged || []).map(name).join(", ") || "none"}, by ${d.by}`));
  }
  function move(step) {
    at = (at + step + open.length) % open.length;
    show();
  }
  async function decide(chosen) {
    if (busy) return;
    busy = true;
    const d = open[at];
    try {
      await post("v1/documents/judged", { person: as, id: d.id }, { labels: chosen }, "application/json");
      d.judged = chosen;
      d.by = as;
      const next = open.findIndex((x, i) => i > at && !x.by);
      at = next < 0 ? Math.max(0, open.findIndex(x => !x.by)) : next;
      say(`Decided: ${chosen.map(name).join(", ") || "none"}`);
      show();
    } catch (e) {
      card.append(problem(e));
    }
    busy = false;
  }
  card.addEventListener("keydown", e => {
    if (e.altKey || e.ctrlKey || e.metaKey || typing(e)) return;
    const other = card.querySelector("details"), n = names()[e.key - 1];
    if (e.key === "[" || e.key === "]") move(e.key === "]" ? 1 : -1);
    else if (!other.open && n) decide(open[at].labels[n]);
    else if (!other.open || !labels.press(e.key)) return;
    e.preventDefault();
  });
  show();
}

// model shows the trained models, and trains another one.
export async function model(body, { as, set, desk }) {
  const now = el("div", { role: "status" }), list = el("div"), said = el("div"), scale = set.scheme.mode === "scale", name = l => set.scheme.labels.find(x => x.label === l)?.name || l;
  const ask = async (path, send) => {
    fill(said);
    try {
      draw(await (await post("v1/documents/trainings" + path, path ? {} : { person: as }, send || {}, "application/json")).json());
    } catch (e) {
      fill(said, problem(e));
    }
  };
  let later;
  function draw(s) {
    const less = Math.max(0, s.least - s.labelled);
    fill(now, facts([["labelled", many(s.labelled, "document")], ["next document", s.model ? `model ${s.model}` : "at random"]]),
      s.running ? el("p", null, `${s.step || "starting"}${s.total ? ` ${s.done} of ${s.total}` : ""} `, el("progress", { max: s.total || 1, value: s.done, "aria-label": "Training" }), " ", el("button", { type: "button", onclick: () => ask("/cancel") }, "Cancel"))
        : el("p", { class: "buttons" }, el("button", { type: "button", class: "go", disabled: less > 0, onclick: () => ask("") }, "Train and evaluate"), less > 0 ? ` after ${many(less, "more document")}` : ""),
      s.error && el("p", { class: "notice" }, `The last training failed: ${s.error}`));
    const rows = [...s.trainings].reverse(), last = rows[0], left = t => Object.entries(t.omitted).map(([l, n]) => `${name(l)} (${count(n)})`).join(", ");
    fill(list, rows.length > 0 && [table("Models: cross-validation by site and group of near-duplicates", [
      { name: "model", head: true, cell: t => `${t.number}, by ${t.by}, ${t.time.slice(0, 10)}` }, { name: "documents", number: true, cell: t => count(t.all.documents) },
      { name: "same labels", number: true, title: "share of documents with exactly the right labels", cell: t => percent(t.all.same) }, { name: "micro F1", number: true, title: "over all labels of all documents", cell: t => percent(t.all.micro) }, { name: "macro F1", number: true, title: "mean of the labels", cell: t => percent(t.all.macro) },
      { name: "micro F1 of random documents", number: true, title: "documents that no model selected", cell: t => t.random.documents ? `${percent(t.random.micro)} of ${count(t.random.documents)}` : "" },
      { name: "with ⅛, ¼, ½", number: true, opt: true, title: "micro F1 of models of fewer documents", cell: t => t.learning.slice(0, -1).map(f => percent(f.micro)).join(", ") },
      ...scale ? [{ name: "weighted kappa", number: true, cell: t => dash(t.weighted) }] : [],
      { name: "", cell: t => t.number === s.model ? "in use" : el("button", { type: "button", onclick: () => ask("/use", { number: t.number }) }, "Use") },
    ], rows), s.model > 0 && el("p", null, el("button", { type: "button", onclick: () => ask("/use", { number: 0 }) }, "Select at random")),
      table(`Labels of model ${last.number}`, [
        { name: "label", head: true, cell: l => name(l.label) }, { name: "documents", number: true, cell: l => count(l.documents) }, { name: "precision", number: true, cell: l => percent(l.precision) }, { name: "recall", number: true, cell: l => percent(l.recall) }, { name: "F1", number: true, cell: l => percent(l.f1) },
      ], last.labels), left(last) && el("p", { class: "small dim" }, `Not learned, since of too few documents: ${left(last)}.`), last.short > 0 && el("p", { class: "small dim" }, `Not used, since too short: ${many(last.short, "document")}.`)]);
    clearTimeout(later);
    if (s.running) later = setTimeout(async () => { if (body.contains(now)) draw(await desk("/trainings", { person: undefined })); }, 700);
  }
  fill(body, el("h1", null, "Model"), el("p", { class: "lead" }, "A model is trained on the labelled documents and then selects the documents of which it is least certain. The figures are from a cross-validation: documents of a site are held out together."), now, said, list);
  draw(await desk("/trainings", { person: undefined }));
}
