// Corpus: queries and counts of their hits.
import { el, many, stored } from "./dom.js";
import { get, lines, address } from "./api.js";
import { link, go } from "./route.js";
import { options, values } from "./form.js";
import { problem, tabs, wait } from "./parts.js";
import { editor } from "./editor.js";
import { isSimple, single } from "./simple.js";
import { levels } from "./levels.js";
import { narrower } from "./narrow.js";
import { hits } from "./hits.js";
import { start } from "./start.js";
import { tour, stop } from "./tour.js";
import { freq, collocations, keywords, words, docs } from "./lists.js";
import { sketch, thesaurus } from "./sketch.js";
import { profile } from "./profile.js";
import { trends } from "./trends.js";
import { terms } from "./terms.js";
import { translations } from "./aligned.js";
import { side } from "./side.js";
import { workspace } from "./workspace.js";

// VIEWS each have id, name, needs (a query), specs(context) and show(context); word: it is of a word in
// its settings; there(info) reports whether the corpus has what the view needs.
const VIEWS = [hits, profile, freq, collocations, translations, sketch, thesaurus, keywords, terms, trends, words, docs, side];
const FILES = ["csv", "tsv", "xlsx", "xml", "jsonl"];
const SHARED = ["patt", "filter", "part", "subcorpus"];

// kept are the named parts of a corpus.
const kept = name => stored("parts." + name);

// sentence returns the message of an error without its position, which is shown.
const sentence = e => e.at >= 0 && e.errors[0]?.message || e.message;

// open creates the part in its box.
export function open(box, about) {
  const space = workspace(about), infos = new Map(), memory = new Map(); // corpus → its contents; view → its last options
  let name = "", info = null, view = null, params = {}, form = null, running = new AbortController();

  const choose = el("select", { id: "corpus", onchange: () => go(["corpus", choose.value, view ? view.id : "hits"], { patt: params.patt }) }, about.corpora.map(c => new Option(c, c)));
  const size = el("span", { class: "dim" });
  const ask = async (attr, prefix, signal) => (await get(`v1/corpora/${encodeURIComponent(name)}/values`, { attr, prefix, number: 20 }, signal)).values || [];
  const query = editor({ label: "Query", info: () => info, ask, main: true });
  const filter = editor({ label: "Filter", condition: true, placeholder: 'doc.lang="de" & doc.year>=2020', info: () => info, ask });
  const holder = el("div", { id: "boxes", hidden: true }), filters = el("div", { id: "narrow", hidden: true });
  const interpret = async (patt, signal) => (await get(`v1/corpora/${encodeURIComponent(name)}/interpret`, { patt }, signal)).cql;
  const level = levels(query, holder, { info: () => info, interpret });
  const narrow = el("button", { type: "button", "aria-expanded": "false", "aria-controls": filters.id, onclick: () => opened(filters.hidden) }, "Filter hits");
  function opened(on) {
    filters.hidden = !on;
    narrow.setAttribute("aria-expanded", String(on));
    if (on && info) narrowing();
  }
  // disable disables the query and its tools in a view without a query, and shows why.
  function disable(why) {
    query.disable(why);
    level.disable(why);
    narrow.disabled = !!why;
    narrow.title = why;
    if (why) opened(false);
  }
  const part = el("select", { id: "part", onchange: pick });
  const keepName = el("input", { type: "text", size: "12", "aria-label": "Name of the subcorpus", placeholder: "name", autocomplete: "off", hidden: true });
  const keep = el("button", { type: "button", onclick: keepPart }, "Save as …"), forget = el("button", { type: "button", onclick: forgetPart }, "Delete");
  const ask4 = el("form", { class: "query", onsubmit: e => { e.preventDefault(); search(); } },
    level, query, el("div", { class: "buttons" }, el("button", { class: "go" }, "Search"), narrow),
    filter, el("div", { class: "buttons" }, el("label", { class: "field" }, el("span", null, "Subcorpus"), part), keepName, keep, forget), holder, filters);
  const nav = tabs("Views of the corpus"), settings = el("details", { class: "how", open: innerWidth > 900 }, el("summary", null, "Settings")), out = el("div", { class: "out" }), files = el("p", { class: "files" });
  const keeping = space && space.bar(() => ({ name, view: view?.id, params }));
  box.append(el("h1", { class: "quiet" }, "Search a corpus"), el("div", { class: "which" }, el("label", { class: "field" }, el("span", null, "Corpus"), choose), size), ask4, el("div", { class: "viewbar" }, nav, files), settings, ...space ? [keeping] : [], out);

  function narrowing() {
    if (!filters.firstChild) filters.append(narrower(info, ask, () => level.cql || level.patt(), q => { level.show(q); search(); }));
  }
  const shared = () => Object.fromEntries(SHARED.map(k => [k, params[k]]));
  // href is the address of a view of this corpus with other parameters.
  const href = (id, changes = {}) => link(["corpus", name, id], { ...shared(), ...id === view?.id ? params : memory.get(id), ...changes });

  function search() {
    const patt = level.patt(), cond = filter.value, named = Object.entries(kept(name).all).find(([, f]) => f === cond);
    const same = patt === (params.patt || "") && cond === (params.filter || "");
    const to = view && (view.needs || view.whole || patt === (params.patt || "")) || !patt ? view : hits;
    for (const m of memory.values()) delete m.first;
    if (same && to === view) return render(true);
    go(["corpus", name, to.id], { ...to === view ? params : memory.get(to.id), patt, filter: cond, part: named ? named[0] : "", first: "" });
  }

  // Parts of the corpus.
  function showParts() {
    if (space) {
      part.replaceChildren(new Option("Full corpus", ""), ...space.subs(name).map(n => new Option(n, n)));
      part.value = params.subcorpus || "";
      keep.hidden = !params.filter;
      forget.hidden = !params.subcorpus;
      keepName.hidden = true;
      return;
    }
    const all = Object.entries(kept(name).all), now = params.filter || "", mine = all.find(([n, f]) => f === now && (!params.part || n === params.part)) || all.find(([, f]) => f === now);
    const other = now && !mine ? [new Option(params.part || "current filter", "\u0000")] : [];
    part.replaceChildren(new Option("Full corpus", ""), ...all.map(([n]) => new Option(n, n)), ...other);
    part.value = !now ? "" : mine ? mine[0] : "\u0000";
    keep.hidden = !now || !!mine;
    forget.hidden = !mine;
    keepName.hidden = true;
  }
  function pick() {
    if (space) return go(["corpus", name, view.id], { ...params, patt: level.patt(), subcorpus: part.value, first: "" });
    const f = part.value === "" ? "" : kept(name).all[part.value];
    if (f === undefined) return;
    go(["corpus", name, view.id], { ...params, patt: level.patt(), filter: f, part: part.value, first: "" });
  }
  function keepPart() {
    if (keepName.hidden) {
      keepName.hidden = false;
      keepName.value = params.part || "";
      keepName.focus();
      return;
    }
    const n = keepName.value.trim();
    if (!n) return;
    if (space) return space.keep(name, n, params).then(ok => ok && go(["corpus", name, view.id], { ...params, filter: "", subcorpus: n }));
    const parts = kept(name);
    parts.all[n] = params.filter;
    parts.write();
    go(["corpus", name, view.id], { ...params, part: n }, true);
    part.focus();
  }
  keepName.addEventListener("keydown", e => { if (e.key === "Enter") { e.preventDefault(); keepPart(); } else if (e.key === "Escape") keepName.hidden = true; });
  function forgetPart() {
    if (space) return space.drop(name, params.subcorpus).then(ok => ok && go(["corpus", name, view.id], { ...params, subcorpus: "" }));
    const parts = kept(name);
    delete parts.all[part.value];
    parts.write();
    showParts();
    part.focus();
  }

  async function show(path, p) {
    const to = path[0] || about.corpora[0], id = path[1] || "hits";
    if (!to) return out.replaceChildren(el("p", { class: "none" }, "No corpus yet. ", el("a", { href: "#upload" }, "Upload one")));
    await space?.load();
    if (to !== name) {
      running.abort();
      name = to;
      info = infos.get(to) || null;
      view = form = null;
      memory.clear();
      level.reset();
      filters.replaceChildren();
      if (![...choose.options].some(o => o.value === to)) choose.append(new Option(to, to));
      choose.value = to;
      size.textContent = "";
      settings.hidden = true;
      nav.replaceChildren();
    }
    params = p;
    level.show(p.patt || "");
    filter.value = p.filter || "";
    showParts();
    const shown = query.value;
    if (!info) {
      try {
        const found = await get("v1/corpora/" + encodeURIComponent(to));
        infos.set(to, { attributes: [], structures: [], default_attribute: found.attributes?.[0]?.name, ...found });
      } catch (e) {
        if (name === to) out.replaceChildren(problem(e));
        return;
      }
      if (name !== to) return;
      info = infos.get(to);
    }
    size.textContent = many(info.tokens, "token");
    if (query.value === shown) level.show(p.patt || "");
    else query.input.dispatchEvent(new Event("input")); // typed in the meantime
    if (!filters.hidden) narrowing();
    const next = VIEWS.find(v => v.id === id) || hits;
    disable(next.whole || "");
    if (next !== view) {
      view = next;
      out.replaceChildren();
      const specs = view.specs(context());
      form = options(specs, v => go(["corpus", name, view.id], { ...shared(), ...passing(), ...v }), "View settings");
      form.specs = specs;
      settings.replaceChildren(settings.firstChild, form);
      settings.hidden = !specs.length;
    }
    memory.set(view.id, Object.fromEntries(Object.entries(params).filter(([k]) => !SHARED.includes(k))));
    form.show(params);
    // Views of a word show the word of the last one, or else of the query.
    const word = view.word ? params.word : single(params.patt || "");
    nav.show(VIEWS.filter(v => !v.there || v.there(info)).map(v => ({ name: v.name, now: v === view, href: href(v.id, v.word && word ? { word } : {}) })));
    await render();
  }
  // passing holds parameters of the view that no option shows.
  const passing = () => Object.fromEntries((view.more || []).map(k => [k, params[k]]));

  // labels returns the labels of the hits of the query and their names.
  const labels = () => space ? space.labels(name, params.patt) : { labels: stored(`labels.${name}.${params.patt}`), names: stored(`names.${name}.${params.patt}`) };
  const context = () => ({ about, info, name, params, href, query, labels, space });

  let last = "";
  async function render(again) {
    const v = view, key = location.hash;
    if (!again && key === last && out.firstChild) return;
    last = key;
    running.abort();
    running = new AbortController();
    const { signal } = running, path = `v1/corpora/${encodeURIComponent(name)}/`;
    files.replaceChildren();
    query.clear();
    filter.clear();
    if (space) keeping.hidden = v.needs && !params.patt;
    if (v.needs && !params.patt) {
      settings.hidden = true;
      out.replaceChildren(start(context(), signal));
      return;
    }
    settings.hidden = !form.specs.length;
    out.setAttribute("aria-busy", "true");
    const ended = wait(out, () => {
      running.abort();
      last = "";
      out.removeAttribute("aria-busy");
      out.replaceChildren(el("p", { class: "none" }, "Cancelled. ", el("button", { type: "button", onclick: () => render(true) }, "Run again")));
      out.querySelector("button").focus();
    });
    signal.addEventListener("abort", ended);
    const asked = q => ({ patt: params.patt, filter: params.filter, subcorpus: params.subcorpus, ...q });
    const c = {
      ...context(), id: v.id, signal, out, v: values(form.specs, params),
      ask: (what, q) => get(path + what, asked(q), signal),
      lines: (what, q, each) => lines(path + what, asked(q), signal, each),
      files: (what, q) => files.replaceChildren(el("span", { class: "dim" }, "Download all rows: "), ...FILES.map(f => el("a", { href: address(path + what, { ...asked(q), first: "", number: "", format: f }), download: `${name}-${what}.${f}` }, f)).flatMap((a, i) => i ? [" ", a] : [a]), el("button", { type: "button", class: "plain", onclick: () => print() }, "Print")),
      go: (changes, replace) => go(["corpus", name, v.id], { ...params, ...changes }, replace),
    };
    try {
      c.cql = v.needs && v !== hits && isSimple(params.patt) ? await interpret(params.patt, signal) : params.patt;
      await v.show(c);
      space?.visited(name, v.id, params);
    } catch (e) {
      if (e.name === "AbortError") return;
      last = "";
      const about = (e.errors || []).map(x => x.location || "").join(" ");
      if (/\bpatt\b/.test(about) || e.at >= 0 && !/filter/.test(about)) query.fault(sentence(e), e.at, e.try && el("button", { type: "button", onclick: () => { level.show(e.try); search(); } }, "Search for ", el("code", null, e.try), " instead"));
      else if (/\bfilter\b/.test(about)) filter.fault(sentence(e), e.at);
      else out.replaceChildren(problem(e));
      if (!out.querySelector("[role=alert]")) out.replaceChildren();
    }
    ended();
    if (!signal.aborted) out.removeAttribute("aria-busy");
  }

  // leave cancels the requests; they are repeated on return.
  function leave() {
    stop();
    last = "";
    running.abort();
  }

  function begin() {
    go(["corpus", name, "hits"], {});
    tour();
  }

  return { show, leave, tour: begin, title: ([corpus], { patt, word }) => [patt || word, corpus].filter(Boolean).join(" · "), keys: [["↓", "completions, in a query"], ["Enter", "search; on a hit: context and document"], ["m", "on a hit: more context"], ["c", "on a hit: copy with citation"], ["1 – 9", "label a hit; 0 removes the label"], ["PageUp PageDown", "previous, next page of hits"]] };
}
