// Word sketches: the collocates of a word by grammatical relation, two words compared, and a thesaurus.
import { el, fill, count, rate, percent, many, say } from "./dom.js";
import { table, bar } from "./parts.js";
import { quote } from "./cql.js";

const whole = "Word sketches need no query: enter the word in the settings. The filter selects a part of the corpus.";
const word = { key: "word", label: "Word", kind: "text", placeholder: "take or take-v" };
const missing = c => !c.v.word && (fill(c.out, el("p", { class: "none" }, "Enter a word in the settings, such as take, or take-v for the verb.")), true);

// examples returns a link to the concordance of a collocate.
export const examples = (c, head, relation, coll, ...more) => el("a", { href: c.href("hits", { patt: `[ws(${[head, relation, coll].map(x => quote(x.replaceAll("\\", "\\\\"))).join(", ")})]`, first: "" }), title: "concordance" }, el("bdi", null, ...more));
// others shows links to the same lemma with another part of speech.
const others = (c, list) => list?.length ? [" · also ", ...list.flatMap((w, i) => [i ? ", " : "", el("a", { href: c.href(c.id, { word: w, first: "" }) }, w)])] : [];

export const sketch = {
  id: "sketch", name: "Word sketch", needs: false, word: true, there: info => info.relations, whole,
  specs: () => [
    word,
    { key: "second", label: "Compare with", kind: "text", placeholder: "no word" },
    { key: "with", label: "With", kind: "text", placeholder: "place-n", title: "only instances with this collocate" },
    { key: "sort", label: "Sort", kind: "select", options: [["", "score"], ["hits", "hits"]] },
    { key: "min_hits", label: "Minimum hits", kind: "number", min: 1, placeholder: "3" },
    { key: "limit", label: "Rows", kind: "select", options: ["10", "25", "50", "100"], value: 10 },
  ],
  async show(c) {
    if (missing(c)) return;
    const { min_hits, limit } = c.v;
    if (c.v.second) return compare(c, { patt: "", first: c.v.word, second: c.v.second, min_hits, limit });
    const q = { patt: "", word: c.v.word, with: c.v.with, sort: c.v.sort, min_hits, limit }, r = await c.ask("sketch", q);
    const said = `${r.word}: ${many(r.freq, "token")}${r.with ? `, ${count(r.hits)} with ${r.with.join(" and ")}` : ""}`;
    const box = x => el("section", { class: "division" }, el("h2", null, x.name), el("p", { class: "dim small" }, `${many(x.hits, "instance")} · ${percent(x.percent / 100)}`),
      x.unary ? examples(c, r.word, x.name, "", "Concordance") : table(x.name, [
        { name: "collocate", head: true, cell: w => examples(c, r.word, x.name, w.word, w.word) },
        { name: "hits", number: true, cell: w => count(w.hits) },
        { name: "logDice", number: true, raw: true, cell: w => rate(w.score) },
      ], x.collocates));
    fill(c.out, el("p", { class: "total" }, said, ...others(c, r.also)), r.relations.length ? el("div", { class: "divisions" }, r.relations.map(box)) : el("p", { class: "none" }, "No relation has enough hits."));
    say(said);
    c.files("sketch", q);
  },
};

// compare shows the sketch difference of two words.
async function compare(c, q) {
  const r = await c.ask("sketchdiff", q), said = `${r.first} and ${r.second}: ${r.freqs.map(count).join(" and ")} tokens`;
  const owner = { first: r.first, second: r.second, both: "both" };
  const box = x => el("section", { class: "division" }, el("h2", null, x.name), table(x.name, [
    { name: "collocate", head: true, cell: w => el("bdi", null, w.word) },
    { name: "of", class: "dim", cell: w => owner[w.group] },
    { name: r.first, number: true, raw: true, cell: w => count(w.hits[0]) },
    { name: r.second, number: true, raw: true, cell: w => count(w.hits[1]) },
  ], x.collocates));
  fill(c.out, el("p", { class: "total" }, said), r.relations.length ? el("div", { class: "divisions" }, r.relations.map(box)) : el("p", { class: "none" }, "No relation has enough hits."));
  say(said);
  c.files("sketchdiff", q);
}

export const thesaurus = {
  id: "thesaurus", name: "Thesaurus", needs: false, word: true, there: info => info.relations, whole: "The thesaurus is of the whole corpus: enter the word in the settings.",
  specs: () => [word, { key: "min_freq", label: "Minimum frequency", kind: "number", min: 1, placeholder: "5" }, { key: "number", label: "Rows", kind: "select", options: ["20", "50", "100"], value: 50 }],
  async show(c) {
    if (missing(c)) return;
    const q = { patt: "", filter: "", subcorpus: "", word: c.v.word, min_freq: c.v.min_freq }, r = await c.ask("thesaurus", { ...q, number: c.v.number });
    const said = `${r.word}: ${many(r.freq, "token")}, ${many(r.contexts, "shared context")}`, best = r.similar[0]?.score;
    fill(c.out, el("p", { class: "total" }, said, ...others(c, r.also)), r.similar.length ? table(said, [
      { name: "word", head: true, cell: x => el("a", { href: c.href("sketch", { word: r.word, second: x.word }), title: "sketch difference" }, el("bdi", null, x.word)) },
      { name: "frequency", number: true, cell: x => count(x.freq) },
      { name: "", class: "barcell", opt: true, cell: x => bar(x.score / best) },
      { name: "similarity", number: true, cell: x => rate(x.score) },
      { name: "cluster", number: true, cell: x => count(x.cluster), title: "words of a cluster are similar to its first word" },
    ], r.similar) : el("p", { class: "none" }, "No similar words."));
    say(said);
    c.files("thesaurus", q);
  },
};
