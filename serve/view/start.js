// The start page of a corpus: its size, queries to click, and its documents by
// language, year and site.
import { el, count, many } from "./dom.js";
import { get } from "./api.js";
import { bar, facts, table } from "./parts.js";
import { also, escape, literal, quote } from "./cql.js";
import { structured } from "./hits.js";
import { tour } from "./tour.js";

const ROWS = 12;
// DIVISIONS divide the documents by the first attribute that the corpus has with at least two
// values. Ordered values are sorted, and the last ones are shown.
const DIVISIONS = [
  { title: "Languages", attrs: ["lang", "language"] },
  { title: "Years", attrs: ["year"], ordered: true },
  { title: "Sites", attrs: ["site", "host", "domain"] },
];

// start returns the page. c has info, name, params and href as a view of the corpus.
export function start(c, signal) {
  const { info, params, href } = c, path = `v1/corpora/${encodeURIComponent(c.name)}/`;
  const ask = (what, q) => get(path + what, { filter: params.filter, subcorpus: params.subcorpus, ...q }, signal);
  const doc = info.structures.find(s => s.name === "doc");
  const examples = el("div", { class: "examples" }, el("p", { class: "dim small" }, "Loading …")), words = el("div");
  const first = ask("words", { number: 200, words: "true", min_freq: 2 }).then(w => w.rows, () => []), list = q => ask("words", q).then(w => w.rows, () => []);
  const has = a => info.attributes.some(x => x.name === a), lemmas = suffix => has("lemma") && has("lempos") ? list({ attr: "lempos", pattern: `\\p{L}{4,}-${suffix}`, number: 20 }) : [];
  Promise.all([first, lemmas("n"), lemmas("v")]).then(async ([rows, nouns, verbs]) => {
    const word = chosen(rows, nouns), pairs = word ? await ask("freq", { patt: `${nouns.length ? '[pos="ADJ"]' : '"\\p{L}{3,}"'} ${quote(escape(word))}`, group: "word", number: 2 }).then(r => r.rows, () => []) : [];
    examples.replaceChildren(...queries(info, word, rows, pairs, verbs).map(([q, what]) => el("a", { href: href("hits", { patt: q }) }, el("code", null, q), el("span", { class: "dim small" }, what))));
    if (rows.length) words.append(el("h2", null, "Frequent words"), el("p", { class: "chips" }, rows.slice(0, 24).map(r => el("a", { href: href("hits", { patt: quote(escape(r.word)) }) }, el("bdi", null, r.word), el("small", null, count(r.freq))))));
  });
  const valuesOf = attr => doc.attributes.find(a => "doc." + a.name === attr).values;
  const divisions = doc ? DIVISIONS.map(d => ({ ...d, attr: d.attrs.map(a => "doc." + a).find(a => structured(info).includes(a)) })).filter(d => d.attr && valuesOf(d.attr) > 1) : [];
  return el("div", { class: "overview" },
    facts([["documents", doc && count(doc.count)], ["tokens", count(info.tokens)], ["distinct words", count(info.attributes.find(a => a.name === info.default_attribute)?.values || 0)], ["on disk", info.bytes && `${(info.bytes / 1e6).toFixed(1)} MB`]]),
    el("div", { class: "head" }, el("h2", null, "Examples"), el("button", { type: "button", onclick: tour }, "Take the tour (2 minutes)")), examples,
    divisions.length > 0 && el("div", { class: "divisions" }, divisions.map(d => division(d, ask, c))),
    words,
    el("details", { class: "how" }, el("summary", null, "Attributes and structures"), table("Attributes and structures", [
      { name: "name", head: true, cell: r => el("code", null, r.name) },
      { name: "type", cell: r => r.what },
      { name: "count", number: true, cell: r => count(r.n) },
    ], [...info.attributes.map(a => ({ name: a.name, what: "token attribute (distinct values)", n: a.values })), ...info.structures.flatMap(s => [{ name: `<${s.name}>`, what: "structure", n: s.count }, ...(s.attributes || []).map(a => ({ name: `${s.name}.${a.name}`, what: "structure attribute (distinct values)", n: a.values }))])])));
}

// chosen returns the word of the examples: a frequent noun, or one of the less frequent rows.
function chosen(rows, nouns) {
  const long = rows.filter(r => /^\p{Ll}{6,}$/u.test(r.word));
  return nouns[Math.min(9, nouns.length - 1)]?.word.slice(0, -2) || (long.length > 1 ? long : rows).at(-1)?.word;
}

// queries returns five queries with words of the corpus, each with a description.
function queries(info, a, rows, pairs, verbs) {
  if (!a) return [];
  const b = rows.findLast(r => r.word !== a && /^\p{Ll}{4,}$/u.test(r.word))?.word;
  const has = s => info.structures.some(x => x.name === s), tagged = info.attributes.some(x => x.name === "pos");
  const verb = verbs[Math.min(15, verbs.length - 1)]?.word.slice(0, -2), pair = pairs.at(-1)?.values[0], stem = [...a].slice(0, 4).join("");
  return [
    [a, `Finds the word “${a}” in upper or lower case.`],
    pair ? [pair, `Finds the phrase “${pair}”.`] : [`${a} *`, `Finds “${a}” with the next token.`],
    [`${stem}*`, `Finds all words that begin with “${stem}”, such as “${a}”.`],
    verb ? [`{${verb}}`, `Finds all forms of the word “${verb}”.`] : [`${a} .. ${b || a}`, `Finds “${a}” before “${b || a}”, with up to five tokens between them.`],
    tagged ? [`[pos="ADJ"] [word="${escape(a)}"%c]`, `Finds adjectives before “${a}”: a query in CQL.`] : has("s") ? [`[]{2} </s>`, "Finds the last two tokens of each sentence: a query in CQL."] : [`[word="${escape(a)}"%c] []{2}`, `Finds “${a}” with the next two tokens: a query in CQL.`],
  ];
}

// division lists the documents by an attribute, with bars.
function division({ title, attr, ordered }, ask, { params, href }) {
  const box = el("section", { class: "division", "aria-busy": "true" }, el("h2", null, title), el("p", { class: "dim small" }, "Counting …"));
  ask("freq", { patt: "<doc/>", group: attr, sort: ordered ? "word" : "", number: ordered ? 10000 : ROWS }).then(r => {
    const rows = ordered ? r.rows.filter(x => x.values[0] !== "").slice(-ROWS) : r.rows, most = Math.max(...rows.map(x => x.hits), 1);
    box.lastChild.replaceWith(rows.length ? el("ul", { class: "counts" }, rows.map(({ values: [v], hits, part_tokens: n }) => el("li", { title: `${v}: ${many(hits, "document")}${n ? `, ${many(n, "token")}` : ""}` },
      v === "" ? el("span", { class: "dim" }, "(none)") : el("a", { href: href("docs", { patt: "", filter: also(params.filter, literal(attr, v)), part: "", first: "" }) }, el("bdi", null, v)), bar(hits / most), el("span", { class: "n" }, count(hits))))) : el("p", { class: "dim small" }, "No values."),
    r.types > rows.length ? el("p", { class: "small more" }, el("a", { href: href("freq", { patt: "<doc/>", group: attr, sort: ordered ? "word" : "", first: "" }) }, `All ${count(r.types)} values`)) : "");
  }, e => {
    if (e.name !== "AbortError") box.remove();
  }).finally(() => box.removeAttribute("aria-busy"));
  return box;
}
