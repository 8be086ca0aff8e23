// Word profile: frequencies, sketch, collocations, thesaurus and examples of a word on one screen.
import { el, fill, count, rate, percent, many, say } from "./dom.js";
import { table, problem } from "./parts.js";
import { bars, lines, network } from "./chart.js";
import { also, literal } from "./cql.js";
import { examples } from "./sketch.js";
import { structured } from "./hits.js";

const RELATIONS = 6; // relations of the sketch that are shown

export const profile = {
  id: "profile", name: "Word profile", needs: false, word: true, whole: "The profile is of a word: enter it in the settings.",
  specs({ info }) {
    const by = [["", "automatic"], ...structured(info)];
    return [
      { key: "word", label: "Word", kind: "text", placeholder: "take or take-v" },
      { key: "time", label: "Time", kind: "select", options: by }, { key: "register", label: "Register", kind: "select", options: by }, { key: "site", label: "Source", kind: "select", options: by },
      { key: "limit", label: "Rows", kind: "select", options: ["5", "10", "20", "50"], value: 10 },
    ];
  },
  async show(c) {
    if (!c.v.word) return fill(c.out, el("p", { class: "none" }, "Enter a word in the settings, such as take, or take-v for the verb."));
    const { time, register, site, limit } = c.v;
    const ask = (word, part) => c.ask("profile", { patt: "", word, part, time, register, site, limit });
    const first = await ask(c.v.word, "summary"), { summary: s, word, query } = first;
    const said = `${word}: ${many(s?.freq || 0, "token")}, ${rate(s?.per_million || 0)} per million`;
    const fact = (name, value, title) => value !== undefined && el("span", { title }, ` · ${name} ${rate(value)}`);
    const grid = el("div", { class: "divisions" });
    fill(c.out, el("p", { class: "total" }, said, s?.docf !== undefined && ` · ${many(s.docf, "document")}`,
      fact("ARF", s?.arf, "average reduced frequency: near the frequency for evenly spread words"), fact("DPnorm", s?.dpnorm, "deviation of proportions over documents: 0 for evenly spread words"),
      (first.also || []).flatMap((w, i) => [i ? ", " : " · also ", el("a", { href: c.href("profile", { word: w }) }, w)])), grid);
    say(said);
    for (const [part, show] of Object.entries(PARTS)) grid.append(section(part, show, () => ask(word, part), { ...c, word, query }));
  },
};

// section shows a part when it has loaded, with a link to its full view.
function section(part, { title, view, show }, load, c) {
  const box = el("section", { class: "division", "aria-busy": "true" }, el("h2", null, title), el("p", { class: "dim small" }, "Loading …"));
  load().then(r => {
    const why = r.missing?.[part];
    if (why) return box.lastChild.replaceWith(el("p", { class: "dim small" }, why));
    const to = view(c, r[part]);
    box.lastChild.replaceWith(...[show(c, r[part] || []), el("p", { class: "small more" }, el("a", { href: c.href(to[0], { first: "", ...to[1] }) }, "Full view"))].flat());
  }).catch(e => {
    if (e.name !== "AbortError") box.lastChild.replaceWith(problem(e));
  }).finally(() => box.removeAttribute("aria-busy"));
  return box;
}

const nothing = () => el("p", { class: "dim small" }, "Nothing found.");
const within = (c, by, value) => ({ patt: c.query, filter: also(c.params.filter, literal(by, value)), part: "", first: "" });
const hits = (c, more) => c.href("hits", { patt: c.query, first: "", sort: "", ...more });

// division draws the frequency by the values of an attribute.
const division = title => ({ title, view: (c, d) => ["freq", { patt: c.query, group: d.by, sort: "relative" }], show: (c, d) => d.rows.length ? bars(d.by, d.rows.map(r => ({
  label: r.value, value: r.per_million, says: `${r.value}: ${rate(r.per_million)} per million, ${many(r.hits, "hit")} in ${many(r.tokens, "token")}`, href: c.href("hits", within(c, d.by, r.value)),
})), { unit: "per million" }) : nothing() });

const PARTS = {
  forms: { title: "Word forms", view: c => ["freq", { patt: c.query, group: c.info.default_attribute }], show: (c, list) => table("Word forms", [
    { name: "form", head: true, cell: x => el("a", { href: hits(c, { patt: `[${literal(c.info.default_attribute, x.form)} & ${c.query.slice(1)}` }) }, el("bdi", null, x.form)) },
    { name: "hits", number: true, cell: x => count(x.hits) }, { name: "share", number: true, cell: x => percent(x.share) },
  ], list) },
  time: { title: "By time", view: (c, d) => ["freq", { patt: c.query, group: d.by, sort: "word" }], show: (c, d) => d.rows.length > 1 ? lines(`Hits per million tokens by ${d.by}`, [{ name: c.word, items: d.rows.map(r => ({
    at: Number.parseFloat(r.value), label: r.value, value: r.per_million, says: `${r.value}: ${rate(r.per_million)} per million, ${many(r.hits, "hit")} in ${many(r.tokens, "token")}`, href: r.hits > 0 && c.href("hits", within(c, d.by, r.value)),
  })) }], { unit: "per million" }) : nothing() },
  register: division("By register"),
  site: division("By source"),
  sketch: { title: "Word sketch", view: c => ["sketch", { word: c.word }], show: (c, k) => k.relations.filter(r => !r.unary).slice(0, RELATIONS).map(r => el("p", null, el("span", { class: "dim small" }, `${r.name} `), ...r.collocates.slice(0, 5).flatMap((w, i) => [i ? ", " : "", examples(c, k.word, r.name, w.word, w.word)]))) },
  collocations: { title: "Collocations", view: c => ["collocations", { patt: c.query }], show: (c, list) => list.length ? network("Collocates within five tokens, by logDice", c.word, list.map(x => ({
    label: x.word, value: x.logdice, weight: x.hits, says: `${x.word}: logDice ${rate(x.logdice)}, ${many(x.hits, "hit")}`,
  })), { unit: "logDice" }) : nothing() },
  thesaurus: { title: "Thesaurus", view: c => ["thesaurus", { word: c.word }], show: (c, t) => t.similar.length ? bars("Similar words in the whole corpus", t.similar.map(x => ({
    label: x.word, value: x.score, says: `${x.word}: similarity ${rate(x.score)}, ${many(x.freq, "token")}`, href: c.href("profile", { word: x.word }),
  })), { unit: "similarity" }) : nothing() },
  examples: { title: "Good examples", view: c => ["hits", { patt: c.query, sort: "good" }], show: (c, list) => list.length ? el("ul", { class: "sentences" }, list.map(x => el("li", { dir: "auto", title: x.ref }, x.left, el("mark", null, x.match), x.right))) : nothing() },
};
