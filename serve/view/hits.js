// The concordance.
import { el, fill, count, rate, say, save, rove, many, copyButton } from "./dom.js";
import { citation, metadata } from "./source.js";
import { problem } from "./parts.js";
import { dispersion } from "./chart.js";
import { choice, translated } from "./aligned.js";

// structured lists the attributes of structures, document attributes first.
export const structured = info => [...info.structures].sort((a, b) => (b.name === "doc") - (a.name === "doc")).flatMap(s => (s.attributes || []).map(a => `${s.name}.${a.name}`));
// named returns the name of a document for readers.
const named = info => ["doc.title", "doc.url", "doc.id", "doc.file"].find(a => structured(info).includes(a)) || structured(info)[0] || "";

export const hits = {
  id: "hits", name: "Concordance", needs: true, more: [],
  specs({ info }) {
    const by = structured(info);
    return [
      { key: "sort", label: "Sort", kind: "select", options: [["", "corpus order"], ["left", "left context"], ["right", "right context"], ["match", "hit"], ["match,right", "hit, then right"], ["match,left", "hit, then left"], ["good", "best examples"], { group: "By structure", options: by }] },
      { key: "view", label: "View", kind: "select", options: [["", "lines"], ["sentence", "sentences"]] },
      { key: "ref", label: "Source", kind: "select", options: [["-", "none"], ...by], value: named(info) || "-" },
      ...choice(info),
      { key: "context", label: "Context", kind: "number", min: 5, max: 500, placeholder: "auto", title: "characters on each side; default: the width of the window" },
      { key: "number", label: "Per page", kind: "select", options: ["20", "50", "100", "200"], value: 20 },
      { key: "samplenum", label: "Sample", kind: "number", min: 1, placeholder: "all", title: "number of random hits" },
      { key: "sampleseed", label: "Seed", kind: "number", placeholder: "1", title: "seed of the random sample" },
    ];
  },
  async show(c) {
    const { v, out, params } = c, first = Math.max(0, +params.first || 0), number = +v.number || 20;
    const good = v.sort === "good"; // sentences by their quality as examples, one per document
    if (good) v.view = "sentence";
    const q = { sort: good ? "" : v.sort, good, view: v.view, context: v.context || CONTEXT, samplenum: v.samplenum, sampleseed: v.sampleseed, refs: v.ref === "-" ? "" : v.ref, aligned: v.aligned };
    const r = await c.ask("hits", { ...q, context: v.context || Math.max(CONTEXT, Math.min(500, Math.ceil(innerWidth / 10))), first, number });
    const focus = out.querySelector("tr:focus") ? "row" : out.contains(document.activeElement) ? document.activeElement.dataset.to : "";
    const total = el("p", { class: "total" }), pager = el("nav", { class: "pager", "aria-label": "Pages of hits" });
    const dots = el("div"), marks = el("div", { class: "labels" });
    const lines = r.hits.length ? kwic(c, r, marks, await c.labels()) : el("p", { class: "none" }, r.total || first ? "No hits on this page." : "No hits.");
    const hints = (r.hints || []).map(h => el("p", { class: "notice" }, h));
    fill(out, el("div", { class: "head" }, total, pager), ...hints, dots, lines, marks);
    lines.fit?.();
    const tell = (n, exact, perMillion) => {
      total.replaceChildren(el("b", null, many(n, "hit")), ...r.cql !== r.patt ? [" of ", el("code", null, r.cql)] : [], exact ? ` · ${rate(perMillion)} per million tokens` : " so far, still counting …");
      const last = Math.max(0, Math.floor((n - 1) / number) * number);
      const to = (name, at, on) => on ? el("a", { href: c.href("hits", { first: at || "" }), "data-to": name }, name) : el("span", { class: "dim", "aria-hidden": "true" }, name);
      const focused = pager.contains(document.activeElement) && document.activeElement.dataset.to;
      pager.replaceChildren(to("First", 0, first > 0), to("Previous", Math.max(0, first - number), first > 0),
        el("span", null, n ? `${count(Math.min(first + 1, n))} to ${count(Math.min(first + number, exact ? n : Infinity))} of ${count(n)}${exact ? "" : "+"}` : "none"),
        to("Next", first + number, first + number < n || !exact), to("Last", last, exact && first < last));
      pager.next = first + number < n || !exact ? first + number : -1;
      if (focused) pager.querySelector(`[data-to="${focused}"]`)?.focus();
    };
    tell(r.total, r.exact, r.per_million);
    lines.addEventListener("keydown", e => {
      const to = e.key === "PageDown" ? pager.next : e.key === "PageUp" && first > 0 ? Math.max(0, first - number) : -1;
      if (to < 0 || !e.target.closest("tbody tr")) return;
      e.preventDefault();
      c.go({ first: to || "" });
    });
    if (focus === "row") out.querySelector("tbody tr")?.focus();
    else if (focus) (out.querySelector(`[data-to="${focus}"]`) || out.querySelector("tbody tr"))?.focus();
    say(`${many(r.total, "hit")}${r.exact ? "" : " so far"}`);
    c.files("hits", q);
    const spread = !r.hits.length || v.samplenum ? () => {} : async () => {
      const key = JSON.stringify([c.name, params.patt, params.filter]);
      if (spreads.key !== key) spreads = { key, ...await c.ask("dispersion", { bins: 100 }) };
      const before = [0];
      for (const n of spreads.bins) before.push(before[before.length - 1] + n);
      dots.replaceChildren(dispersion("Distribution of hits, from the beginning to the end of the corpus", spreads.bins.map((n, i) => ({ label: `${i} %`, value: n, says: `${many(n, "hit")} from ${i} %`, href: n > 0 && c.href("hits", { sort: "", first: before[i] || "" }) })), { unit: "hits" }));
    };
    const follow = async () => {
      if (!r.exact) await c.lines("count", {}, n => tell(n.total, n.exact, n.per_million));
      if (!r.exact) say(total.textContent);
      await spread();
    };
    // The page of hits is shown; the rest needs a pass over the corpus.
    follow().catch(e => { if (e.name !== "AbortError") total.append(" ", problem(e)); });
  },
};

let spreads = {}; // the dispersion of the last query

const CONTEXT = 60; // characters on each side in downloads, and the minimum requested

// cut returns as many whole words of a context as fit into width, nearest to the hit:
// on the left its last words. Text without spaces is cut between the words that the
// browser finds.
function cut(text, before, width, measure) {
  if (measure(text) <= width) return text;
  const spaces = [...text.trim().matchAll(/\s+/g)].length > 0;
  const at = spaces ? [...text.matchAll(/\s+/g)].map(m => m.index + (before ? m[0].length : 0)) : [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].map(s => s.index);
  const part = i => before ? text.slice(at[i]) : text.slice(0, at[at.length - 1 - i]);
  let lo = 0, hi = at.length; // the first place whose part fits
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (measure(part(mid)) <= width) hi = mid;
    else lo = mid + 1;
  }
  return lo < at.length && part(lo).trim() ? part(lo) : text; // a single long word is clipped
}

// kwic creates the table of hits.
function kwic(c, r, marks, { labels, names }) {
  const ref = c.v.ref === "-" ? "" : c.v.ref, sentence = c.v.view === "sentence";
  const id = h => `${h.start}-${h.end}`;
  const sides = []; // the contexts in full, with their cells
  const side = (text, rtl, cls, before) => {
    const bdi = el("bdi", { dir: rtl ? "rtl" : "ltr" }, text), div = el("div", null, bdi);
    sides.push({ bdi, div, text, before });
    return el("td", { class: cls }, div);
  };
  const rows = r.hits.map((h, i) => {
    const tag = el("td", { class: "tag" }), source = h.refs?.[ref] ?? "";
    const cells = sentence
      ? [el("td", { class: "whole", colspan: 3, dir: h.rtl ? "rtl" : "ltr" }, h.left, el("mark", null, h.match), h.right)]
      : [side(h.rtl ? h.right : h.left, h.rtl, "left", !h.rtl), el("td", { class: "match" }, el("div", null, el("bdi", { dir: h.rtl ? "rtl" : "ltr" }, h.match))), side(h.rtl ? h.left : h.right, h.rtl, "right", !!h.rtl)];
    const tr = el("tr", { tabindex: "-1", "aria-rowindex": r.first + i + 2, "aria-expanded": "false", class: "hit" }, el("td", { class: "num" }, count(r.first + i + 1)), ref && el("td", { class: "ref", title: source }, el("div", null, el("bdi", null, source))), cells, tag);
    tr.hit = h;
    tr.tag = tag;
    return tr;
  });
  const show = tr => {
    const l = labels.all[id(tr.hit)];
    tr.tag.replaceChildren(l ? el("span", { class: "label l" + l.n }, String(l.n)) : "");
  };
  const put = (tr, n) => {
    const h = tr.hit;
    if (n) labels.all[id(h)] = { n, start: h.start, end: h.end, left: h.left, match: h.match, right: h.right, ref: h.refs?.[ref] || "" };
    else delete labels.all[id(h)];
    labels.write();
    show(tr);
    tell();
    say(n ? `label ${n}` : "no label");
  };
  const heads = [["num", "#", ""], ref && ["ref", ref.replace("doc.", ""), ref], ...sentence ? [["whole", "Sentence", "match"]] : [["left", "Left context", "left"], ["match", "Hit", "match"], ["right", "Right context", "right"]], ["tag", "Label"]].filter(Boolean);
  const sorted = c.v.sort, order = to => to === sorted ? (to ? "ascending" : null) : null;
  const head = heads.map(([cls, name, to]) => el("th", { scope: "col", class: cls, colspan: name === "Sentence" ? 3 : null, "aria-sort": order(to) }, to === undefined ? el("span", { class: "quiet" }, name) : el("a", { href: c.href("hits", { sort: to, first: "" }), title: to ? `sort by ${name.toLowerCase()}` : "corpus order", "data-to": "sort-" + to }, name)));
  const t = el("table", { class: sentence ? "kwic sentence" : "kwic", role: "treegrid", "aria-label": "Hits", "aria-rowcount": r.exact ? r.total + 1 : -1 },
    el("colgroup", null, ["num", ref && "ref", "left", "match", "right", "tag"].filter(Boolean).map(n => el("col", { class: n }))),
    el("thead", null, el("tr", { "aria-rowindex": 1 }, head)), el("tbody", null, rows.map(tr => [tr, translated(tr)])));
  const longest = Math.max(...r.hits.map(h => h.match.length));
  t.querySelector("col.match").style.width = `${Math.min(26, Math.max(4, .66 * longest + 1.4)).toFixed(1)}em`;
  async function more(tr) {
    if (tr.more) {
      tr.more.remove();
      tr.more = null;
      tr.setAttribute("aria-expanded", "false");
      return;
    }
    const cell = el("td", { colspan: [...tr.children].filter(x => x.offsetParent).reduce((n, x) => n + x.colSpan, 0) }, "…");
    tr.more = el("tr", { class: "wide" }, cell);
    tr.after(tr.more);
    tr.setAttribute("aria-expanded", "true");
    await context(tr, cell, 100);
  }
  // context shows text around a hit, its document and what can be done with it.
  async function context(tr, cell, size) {
    try {
      const { start, end } = tr.hit, s = await c.ask("snippet", { patt: "", filter: "", subcorpus: "", start, end, context: size });
      const text = el("p", { class: "snippet", dir: tr.hit.rtl ? "rtl" : "auto" }, s.left, el("mark", null, s.match), s.right), refs = s.refs || tr.hit.refs || {};
      tr.wider = () => context(tr, cell, Math.min(10000, 3 * size));
      tr.copy = copyButton(() => citation(c, s, refs), "Copy with citation");
      cell.replaceChildren(el("div", { class: "opened" }, el("div", null, text,
        el("p", { class: "give" }, el("button", { type: "button", disabled: size >= 10000, onclick: tr.wider }, "More context ", el("kbd", null, "m")), tr.copy, el("kbd", { title: "key on the hit" }, "c")),
        el("p", { class: "give" }, el("span", { class: "dim" }, "Label "), [1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => el("button", { type: "button", tabindex: "-1", class: "label l" + n, "aria-label": `label ${n}`, onclick: () => put(tr, n) }, String(n))), el("button", { type: "button", tabindex: "-1", onclick: () => put(tr, 0) }, "none"))),
        metadata(c, refs)));
      say(`${s.left}${s.match}${s.right}`);
    } catch (e) {
      if (e.name !== "AbortError") cell.replaceChildren(problem(e));
    }
  }
  t.addEventListener("click", e => {
    const tr = e.target.closest("tr.hit");
    if (tr && !String(getSelection()).trim()) { tr.focus(); more(tr); }
  });
  t.addEventListener("keydown", e => {
    const tr = e.target.closest("tr.hit");
    if (!tr || e.target !== tr || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Enter" || e.key === " " || e.key === "Escape" && tr.more) more(tr);
    else if (e.key === "m" && tr.more) tr.wider?.();
    else if (e.key === "c" && tr.more) tr.copy?.click();
    else if (/^[0-9]$/.test(e.key)) {
      put(tr, +e.key);
      const next = rows[rows.indexOf(tr) + 1];
      if (next && +e.key) next.focus();
    } else return;
    e.preventDefault();
  });
  // tell shows the number of hits of each label.
  function tell() {
    const all = Object.values(labels.all), by = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => [n, all.filter(l => l.n === n).length]).filter(x => x[1]);
    marks.replaceChildren(...!all.length ? [] : [el("span", { class: "dim" }, `${many(all.length, "hit")} labelled `), ...by.map(([n, k]) => el("span", { class: "share" }, el("span", { class: "label l" + n }, String(n)), el("input", { type: "text", size: "9", maxlength: "60", placeholder: "name", "aria-label": `Name of label ${n}`, autocomplete: "off", value: names.all[n], onchange: e => { names.all[n] = e.target.value.trim(); names.write(); } }), ` ${count(k)} (${Math.round(100 * k / all.length)} %)`)),
      ...c.space ? [] : [el("span", { class: "dim small" }, "Stored in this browser; chaffinch serve --store DIR stores labels on the server. ")], el("button", { type: "button", onclick: tsv }, "Download as TSV"), el("button", { type: "button", class: "plain", onclick: () => {
        for (const k of Object.keys(labels.all)) delete labels.all[k];
        labels.write();
        rows.forEach(show);
        tell();
      } }, "Remove all labels")]);
  }
  function tsv() {
    const cell = s => String(s).replace(/[\t\r\n]+/g, " ").trim();
    const all = Object.values(labels.all).sort((a, b) => a.start - b.start || a.end - b.end);
    save(`${c.name}-labels.tsv`, new Blob([["label", "name", "start", "end", ref || "source", "left", "match", "right"].join("\t") + "\n", ...all.map(l => [l.n, names.all[l.n] || "", l.start, l.end, l.ref, l.left, l.match, l.right].map(cell).join("\t") + "\n")], { type: "text/tab-separated-values;charset=utf-8" }));
  }
  rows.forEach(show);
  tell();
  rove(t.tBodies[0], "tr.hit");
  // fit shows as many whole words as fit into the columns.
  const ink = document.createElement("canvas").getContext("2d");
  const fit = () => {
    if (!sides.length || !t.isConnected || !sides[0].div.clientWidth) return;
    ink.font = getComputedStyle(sides[0].bdi).font;
    const widths = new Map([true, false].map(before => [before, sides.find(s => s.before === before)?.div.clientWidth]));
    for (const s of sides) s.bdi.textContent = cut(s.text, s.before, widths.get(s.before) - 1, x => ink.measureText(x).width);
  };
  const box = el("div", { class: "scroll" }, t);
  box.fit = fit;
  new ResizeObserver(fit).observe(box);
  return box;
}
