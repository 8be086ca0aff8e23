// The view of a set of documents under annotation: the progress, and one document with its labels.
// labels.js has the list of labels, verdicts.js agreement and models.
import { el, fill, count, many, percent, say, stored, typing } from "./dom.js";
import { get, post, address } from "./api.js";
import { link, go } from "./route.js";
import { facts, problem, table, tabs } from "./parts.js";
import { chooser } from "./labels.js";

const ACTIONS = [["Enter", "Save and next"], ["-", "Skip"], ["!", "Unsure"], ["u", "Undo"], ["[", "Previous"], ["]", "Next"], ["g", "Guidelines"]];
const HOW = { second: "for a second annotator", spread: "at random, spread over languages and sites", random: "at random, for evaluation", unsure: "since the model is unsure" };
const MANY = 400; // paragraphs that are shown at once; the rest follows later

export function open(box) {
  const nav = tabs("Set views"), body = el("div", { class: "out" }), me = stored("person");
  const ask = el("form", { class: "buttons", onsubmit: e => { e.preventDefault(); go(["documents"], { as: ask.elements.as.value.trim().toLowerCase() }); } },
    el("label", { class: "field" }, el("span", null, "Your name"), el("input", { name: "as", autocomplete: "username", pattern: "[\\p{Ll}\\p{Lo}\\p{M}\\p{Nd}_\\-]+", maxlength: 40, required: true, title: "lower-case letters, digits, - and _", "data-main": true })), el("button", { class: "go" }, "Start"));
  box.append(nav, body);
  let as = "", set = null, doc = null, labels = null, past = [], unsure = false, busy = false, twice = false, began = 0, status = null, more = null;

  const desk = (path, rest) => get("v1/documents" + path, { person: as, ...rest });
  const to = id => link(["documents", "text"], { as, id });

  async function show(path, now) {
    as = now.as || me.all.name || "";
    nav.hidden = !as;
    doc = null;
    if (!as) {
      fill(body, el("h1", null, "Label documents"), el("p", { class: "lead" }, "Enter your name. Labels are stored by annotator, so that agreement can be measured."), ask);
      return;
    }
    me.all.name = as;
    me.write();
    document.body.removeAttribute("data-ready");
    const view = path[0] || "";
    try {
      set = await desk("");
      const views = [["", "Progress"], ["agreement", "Agreement"], ["model", "Model"]];
      nav.show(views.map(([id, name]) => ({ name, href: link(["documents", ...id ? [id] : []], { as }), now: id === view })));
      if (view === "next") await next();
      else if (view === "text") openDocument(await desk("/document", { id: now.id }));
      else if (view && views.some(v => v[0] === view)) await (more ||= await import("./verdicts.js"))[view](body, { as, set, desk });
      else progress();
    } catch (e) {
      fill(body, problem(e));
    }
  }

  function progress() {
    const mine = set.people.find(p => p.name === as), s = set.scheme;
    const file = (format, name) => el("a", { href: address("v1/documents/export", { format }), download: `${set.set}.${format}` }, name);
    fill(body, el("h1", null, set.set), set.notices.map(n => el("p", { class: "notice", role: "status" }, n)),
      facts([["you", as], ["scheme", s.name], ["labelled", `${count(set.labelled)} of ${many(set.documents, "document")}`], ["by two annotators", percent(set.double)], ["next document", set.model ? `by model ${set.model}, ${percent(set.random)} at random` : "at random"]]),
      el("p", { class: "lead" }, s.question),
      el("p", { class: "buttons" }, el("a", { class: "button", href: link(["documents", "next"], { as }) }, mine ? "Continue" : "Start"), set.labelled > 0 && [file("jsonl", "Export JSON lines"), file("tsv", "Export TSV")], el("a", { href: link(["documents"]), onclick: () => { delete me.all.name; me.write(); } }, "Change name")),
      set.people.length > 0 && table("Annotators", [
        { name: "annotator", head: true, cell: p => p.name }, { name: "labelled", number: true, cell: p => count(p.labelled) }, { name: "skipped", number: true, cell: p => count(p.skipped) }, { name: "unsure", number: true, cell: p => count(p.unsure) },
        { name: "seconds", number: true, title: "median time per document", cell: p => count(Math.round(p.seconds)) },
      ], set.people),
      set.labelled > 0 && table("Labels of labelled documents", [
        { name: "label", head: true, cell: l => [l.parent && "– ", l.name] }, { name: "in files", opt: true, cell: l => el("code", null, l.label) }, { name: "documents", number: true, cell: (l, i) => count(set.labels[i]) }, { name: "share", number: true, cell: (l, i) => percent(set.labels[i] / set.labelled) },
      ], s.labels),
      set.recent.length > 0 && table("Your last documents", [
        { name: "document", head: true, cell: d => el("a", { href: to(d.id) }, el("bdi", null, d.title || d.start)) },
        { name: "labels", cell: d => d.skip ? "skipped" : (d.labels.join(" ") || "none") + (d.unsure ? " ?" : "") },
      ], set.recent));
  }

  async function next() {
    const d = await desk("/next");
    if (d.id) return go(["documents", "text"], { as, id: d.id }, true);
    set = await desk("");
    progress();
    body.prepend(el("p", { class: "notice", role: "status" }, `No document is left for you: ${many(d.count, "document")} labelled.`));
  }

  function openDocument(d) {
    doc = d;
    unsure = !!d.unsure;
    twice = busy = false;
    began = performance.now();
    past = set.recent.map(r => r.id).reverse();
    status = el("span", { role: "status" }, d.skip ? "skipped" : d.done ? "labelled" : "");
    labels = chooser(set.scheme, d.labels, () => { twice = false; say(labels.spoken()); });
    const lines = d.text.split(/\n+/).map(t => el("p", { dir: "auto" }, t)), text = el("div", { class: "prose", tabindex: "0", role: "region", "aria-label": "Text", lang: d.lang || null }, lines.slice(0, MANY));
    setTimeout(() => text.append(...lines.slice(MANY)), 50);
    const web = /^https?:/.test(d.url || "");
    fill(body, el("div", { class: "head" }, el("h1", { dir: "auto" }, d.title || d.id), status),
      facts([["document", d.title ? d.id : ""], ["address", d.url && (web ? el("a", { href: d.url, rel: "noreferrer noopener", target: "_blank" }, d.url) : d.url)], ["language", d.lang], ["selected", HOW[d.how]], ["you", `${as}, ${many(d.count, "document")}`], ["all", `${count(set.labelled)} of ${count(set.documents)}`]]),
      el("div", { class: "reading" }, text, el("section", { class: "choices", "aria-label": "Labels" }, el("h2", null, set.scheme.question), labels.box,
        el("div", { class: "keys", role: "group", "aria-label": "Actions" }, ACTIONS.map(([k, name]) => el("button", { type: "button", "data-key": k, "aria-pressed": k === "!" ? String(unsure) : null, onclick: () => pressed(k) }, el("kbd", null, k), " ", name))))));
    text.focus({ preventScroll: true });
    say(`${d.title || d.id}. ${set.scheme.question}`);
    document.title = [d.title || d.id, "Annotate", "chaffinch"].join(" · ");
  }

  // send saves a decision, and opens the next document.
  async function send(what) {
    const of = doc, chosen = labels.labels();
    if (what === "label" && set.scheme.mode !== "multi" && !chosen.length) return tell("Choose a label first");
    if (what === "label" && !chosen.length && !twice) {
      twice = true;
      return tell("No label chosen: press Enter again to save the document without labels");
    }
    busy = true;
    tell("saving …");
    try {
      const r = await (await post("v1/documents/labels", { person: as, id: of.id }, { what, seq: of.seq, labels: what === "label" ? chosen : [], unsure: unsure && what === "label", ms: Math.round(performance.now() - began) }, "application/json")).json();
      if (doc !== of) return;
      tell("saved");
      if (what !== "undo") return go(["documents", "next"], { as });
      if (r.id !== of.id) return go(["documents", "text"], { as, id: r.id });
      openDocument(r);
      tell("undone");
    } catch (e) {
      if (doc !== of) return;
      tell(e.status === 422 && what === "undo" ? e.message : "not saved");
      if (e.status !== 422 || what !== "undo") labels.box.before(problem(e), e.status === 409 ? el("p", null, el("button", { type: "button", onclick: () => show(["text"], { as, id: of.id }) }, "Reload the document")) : "");
    } finally {
      busy = false;
    }
  }
  function tell(text) {
    status.textContent = text;
    say(text);
  }

  // move opens the previous or the next document of the person; after the last one a new document.
  function move(step) {
    const i = past.indexOf(doc.id), at = (i < 0 ? past.length : i) + step;
    if (at < 0) tell("This is your first document");
    else if (at < past.length) go(["documents", "text"], { as, id: past[at] });
    else if (i >= 0) go(["documents", "next"], { as });
    else tell("Label or skip this document first");
  }

  function pressed(key) {
    if (!doc || busy) return false;
    if (key === "Enter") send("label");
    else if (key === "-") send("skip");
    else if (key === "u") send("undo");
    else if (key === "[" || key === "]") move(key === "]" ? 1 : -1);
    else if (key === "g") labels.guide();
    else if (key === "!") {
      unsure = !unsure;
      body.querySelector("[data-key='!']").setAttribute("aria-pressed", String(unsure));
      say(unsure ? "unsure" : "sure");
    } else return labels.press(key);
    return true;
  }
  document.addEventListener("keydown", e => {
    if (box.hidden || !doc || e.ctrlKey || e.metaKey || e.altKey || typing(e) || document.querySelector("dialog[open]")) return;
    if (e.target.closest("button, a, summary") && (e.key === "Enter" || e.key === " ")) return;
    if (pressed(e.key)) e.preventDefault();
  });

  return {
    show, leave: () => { doc = null; },
    title: () => doc?.title || "",
    keys: [["n i … 0 5", "set or remove the label with this key"], ["1 2 …", "sublabel of the label chosen last"], ["↑ ↓ Space", "scroll the text"], ...ACTIONS.map(([k, name]) => [k, name.toLowerCase()])],
  };
}
