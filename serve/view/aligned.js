// Parallel corpora: translations of hits, and candidates for the translation of a query.
import { el, fill, count, rate, many, say } from "./dom.js";
import { table, bar } from "./parts.js";
import { literal } from "./cql.js";

// choice returns the setting that selects the aligned corpus, if there is one.
export const choice = info => !info.aligned ? [] : [{ key: "aligned", label: "Translation", kind: "select", options: [["", "none"], ...info.aligned], title: "show the aligned segments of this corpus" }];

// translated returns the rows with the translations of a hit.
export function translated(tr) {
  return Object.entries(tr.hit.aligned || {}).map(([name, text]) => el("tr", { class: "aligned" }, el("td", { class: "num dim" }, name),
    el("td", { colspan: 5, dir: "auto", lang: name }, text || el("span", { class: "dim" }, "no aligned segment"))));
}

export const translations = {
  id: "translations", name: "Translations", needs: true, there: info => info.aligned,
  specs: ({ info }) => [
    { key: "aligned", label: "Corpus", kind: "select", options: info.aligned, value: info.aligned[0] },
    { key: "attr", label: "Attribute", kind: "text", placeholder: "lemma or word", title: "attribute of the translations in the aligned corpus" },
    { key: "min_hits", label: "Minimum hits", kind: "number", min: 1, placeholder: "2" },
    { key: "number", label: "Rows", kind: "select", options: ["20", "50", "100", "500"], value: 20 },
    { key: "fold", label: "Ignore case", kind: "check" },
    { key: "words", label: "Words only", kind: "check", title: "exclude tokens without a letter" },
  ],
  async show(c) {
    const { aligned, attr, min_hits, fold, words, number } = c.v;
    const q = { aligned, attr, min_hits, fold, words }, r = await c.ask("translations", { ...q, number });
    const said = `${many(r.types, "candidate")} in ${aligned}: ${many(r.hits, "segment")} with the query of ${count(r.segments)}`, best = r.rows[0]?.logdice;
    const hits = w => c.href("hits", { patt: `${r.cql} within ${aligned}: [${literal(r.attr, w)}${fold ? "%c" : ""}]`, aligned, first: "" });
    fill(c.out, el("p", { class: "total" }, said), !r.rows.length ? el("p", { class: "none" }, "No candidates.") : table(said, [
      { name: r.attr, head: true, raw: true, cell: x => el("a", { href: hits(x.word), title: "concordance" }, el("bdi", { lang: aligned }, x.word)) },
      { name: "hits", number: true, cell: x => count(x.hits), title: "segments with the query and the word" },
      { name: "frequency", number: true, cell: x => count(x.freq), title: "segments with the word" },
      { name: "", class: "barcell", opt: true, cell: x => bar(x.logdice / best) },
      { name: "logDice", number: true, raw: true, cell: x => rate(x.logdice) },
      { name: "log-likelihood", number: true, opt: true, cell: x => rate(x.loglikelihood) },
    ], r.rows));
    say(said);
    c.files("translations", q);
  },
};
