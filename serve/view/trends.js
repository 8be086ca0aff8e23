// Trends: words whose frequency rises or falls over time.
import { el, fill, count, rate, many, say } from "./dom.js";
import { table } from "./parts.js";
import { lines } from "./chart.js";
import { also, literal, escape, quote } from "./cql.js";
import { structured } from "./hits.js";

const CURVES = 4; // words of a chart
const times = info => structured(info).filter(a => /\.(?:.*_)?(?:year|date|month|day|decade|time)$/.test(a));
const probability = x => x < .001 ? x.toExponential(1) : x.toFixed(3);

export const trends = {
  id: "trends", name: "Trends", needs: false, there: info => times(info).length > 0,
  whole: "Trends need no query: they are computed for all words of the corpus, or of the subcorpus selected by the filter.",
  specs({ info }) {
    const by = times(info);
    return [
      { key: "by", label: "Time", kind: "select", options: by, value: by.includes("doc.year") ? "doc.year" : by[0] },
      { key: "attr", label: "Attribute", kind: "select", options: info.attributes.map(a => a.name), value: info.attributes.some(a => a.name === "lemma") ? "lemma" : info.default_attribute },
      { key: "pattern", label: "Pattern", kind: "text", code: true, placeholder: ".*ness", title: "regular expression that matches the whole word" },
      { key: "min_freq", label: "Minimum frequency", kind: "number", min: 1, placeholder: "20" },
      { key: "max_q", label: "Maximum q", kind: "number", min: 0, max: 1, step: "any", placeholder: "1", title: "share of chance findings among the listed words" },
      { key: "sort", label: "Sort", kind: "select", options: [["", "p-value"], ["change", "relative change"], ["slope", "slope"], ["word", "word"]] },
      { key: "number", label: "Rows", kind: "select", options: ["20", "50", "100", "500"], value: 50 },
      { key: "fold", label: "Ignore case", kind: "check", title: "count upper and lower case together" },
      { key: "words", label: "Words only", kind: "check", value: true, title: "exclude tokens without a letter" },
    ];
  },
  async show(c) {
    const { by, attr, pattern, min_freq, max_q, sort } = c.v, q = { patt: "", by, attr, pattern, min_freq, max_q, sort, fold: c.v.fold, words: c.v.words };
    const r = await c.ask("trends", { ...q, number: c.v.number });
    const cql = w => `[${literal(attr, w)}${c.v.fold === "true" ? "%c" : ""}]`;
    const within = t => also(c.params.filter, `${by}=${quote(`${escape(String(t))}(-.*)?`)}`);
    const chart = (title, rows) => rows.length > 0 && lines(title, rows.slice(0, CURVES).map(w => ({ name: w.word, items: r.epochs.map((e, i) => ({
      at: e.time, label: String(e.time), value: w.per_million[i], says: `${w.word}, ${e.time}: ${rate(w.per_million[i])} per million, ${many(w.hits[i], "hit")}`,
      href: w.hits[i] > 0 && c.href("hits", { patt: cql(w.word), filter: within(e.time), part: "", first: "" }),
    })) })), { unit: "per million" });
    const said = `${many(r.tested, "word")} tested in ${many(r.epochs.length, "epoch")} of ${by}, ${r.epochs[0].time} to ${r.epochs[r.epochs.length - 1].time}`;
    fill(c.out, el("p", { class: "total" }, said, r.undated > 0 && ` · ${many(r.undated, "token")} without a time`),
      chart("Rising words", r.rows.filter(w => w.slope > 0)), chart("Falling words", r.rows.filter(w => w.slope < 0)),
      r.rows.length ? table("Trends", [
        { name: attr, head: true, raw: true, sort: "word", cell: w => el("a", { href: c.href("freq", { patt: cql(w.word), group: by, sort: "word", first: "" }), title: "hits by time" }, el("bdi", null, w.word)) },
        { name: "frequency", number: true, cell: w => count(w.freq) },
        { name: "slope", number: true, sort: "slope", cell: w => rate(w.slope), title: "median change of hits per million tokens per unit of time" },
        { name: "change", number: true, sort: "change", cell: w => `${rate(100 * w.change)} %`, title: "slope relative to the mean frequency" },
        { name: "p", number: true, raw: true, opt: true, cell: w => probability(w.p), title: "p-value of the Mann-Kendall test" },
        { name: "q", number: true, raw: true, cell: w => probability(w.q), title: "p adjusted for the number of words" },
      ], r.rows, { now: sort, href: sort => c.href("trends", { sort }) }) : el("p", { class: "none" }, "No results."));
    say(said);
    c.files("trends", q);
  },
};
