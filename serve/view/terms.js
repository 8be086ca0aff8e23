// Terms: nouns and noun phrases that are typical of a corpus.
import { el, fill, count, rate, many, say } from "./dom.js";
import { table, bar } from "./parts.js";
import { literal } from "./cql.js";

const NONE = "-";

export const terms = {
  id: "terms", name: "Terms", needs: false, there: info => info.attributes.some(a => a.name === "pos" || a.name === "upos"),
  whole: "Terms need no query: they are computed for the whole corpus, or for the subcorpus selected by the filter.",
  specs({ info, about, name }) {
    const others = about.corpora.filter(x => x !== name);
    return [
      { key: "against", label: "Reference", kind: "select", options: [["rest", "rest of this corpus"], ...others, [name, "another part of this corpus"], [NONE, "none"]], value: "rest" },
      { key: "refilter", label: "Reference filter", kind: "text", code: true, size: 22, placeholder: 'doc.genre!="law"' },
      { key: "attr", label: "Attribute", kind: "select", options: info.attributes.map(a => a.name), value: info.attributes.some(a => a.name === "lemma") ? "lemma" : info.default_attribute },
      { key: "min_tokens", label: "Minimum length", kind: "select", options: ["1", "2", "3"], value: 1, title: "2 for multiword terms only" },
      { key: "max_tokens", label: "Maximum length", kind: "select", options: ["1", "2", "3", "4", "5", "6"], value: 4 },
      { key: "min_freq", label: "Minimum frequency", kind: "number", min: 1, placeholder: "3" },
      { key: "smoothing", label: "Smoothing", kind: "number", min: 0, step: "any", placeholder: "1", title: "higher values favour frequent terms" },
      { key: "number", label: "Rows", kind: "select", options: ["20", "50", "100", "500"], value: 50 },
      { key: "fold", label: "Ignore case", kind: "check", title: "count upper and lower case together" },
    ];
  },
  async show(c) {
    const { attr, min_tokens, max_tokens, min_freq, smoothing } = c.v;
    const rest = c.v.against === "rest" && !!c.params.filter, none = c.v.against === NONE || c.v.against === "rest" && !rest;
    const q = { patt: "", attr, min_tokens, max_tokens, min_freq, smoothing, fold: c.v.fold, against: none ? "" : rest ? c.name : c.v.against, refilter: none ? "" : rest ? `!(${c.params.filter})` : c.v.refilter };
    const r = await c.ask("terms", { ...q, number: c.v.number }), best = Math.max(...r.rows.map(x => x.score));
    const cql = key => key.split(" ").map(w => `[${literal(attr, w)}${c.v.fold === "true" ? "%c" : ""}]`).join(" ");
    const said = `${many(r.types, "term")} in ${many(r.tokens, "token")}${none ? "" : ` against ${count(r.ref_tokens)} of ${rest ? "the rest of this corpus" : c.v.against}`}`;
    fill(c.out, el("p", { class: "total" }, said),
      none && el("p", { class: "notice" }, "No reference: every term has the frequency 0 there, so the order follows the frequency. Choose a reference corpus, or enter a filter above to compare its documents with all others."),
      r.rows.length ? table("Terms", [
        { name: "term", head: true, cell: x => el("a", { href: c.href("hits", { patt: cql(x.key), first: "" }), title: "concordance" }, el("bdi", null, x.term)) },
        { name: "frequency", number: true, cell: x => count(x.freq) },
        ...none ? [] : [{ name: "frequency in reference", number: true, cell: x => count(x.ref_freq) }],
        { name: "per million", number: true, opt: true, cell: x => rate(x.per_million) },
        ...none ? [] : [{ name: "per million in reference", number: true, opt: true, cell: x => rate(x.ref_per_million) }],
        { name: "", class: "barcell", opt: true, cell: x => bar(x.score / best) },
        { name: "score", number: true, cell: x => rate(x.score), title: "simple maths: ratio of the frequencies per million, each with the smoothing added" },
      ], r.rows) : el("p", { class: "none" }, "No results."));
    say(said);
    c.files("terms", q);
  },
};
