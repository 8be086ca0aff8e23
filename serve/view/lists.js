// Tables of counts in a corpus: frequencies, collocations, keywords, words,
// documents.
import { el, fill, count, rate, percent, many, say } from "./dom.js";
import { table, bar } from "./parts.js";
import { bars, lines, network, treemap, scatter } from "./chart.js";
import { get } from "./api.js";
import { link } from "./route.js";
import { also, literal, escape, quote } from "./cql.js";
import { beside } from "./narrow.js";
import { structured } from "./hits.js";
import { isSimple, unbraced } from "./simple.js";

const attributes = info => info.attributes.map(a => a.name);
const number = { key: "number", label: "Rows", kind: "select", options: ["20", "50", "100", "500"], value: 50 };
const fold = { key: "fold", label: "Ignore case", kind: "check", title: "count upper and lower case together" };
const onlyWords = { key: "words", label: "Words only", kind: "check", title: "exclude tokens without a letter" };

// finish shows a table of rows with a line above it and pages below.
function finish(c, what, q, said, r, total, columns, order, before) {
  const first = Math.max(0, +c.params.first || 0), n = +c.v.number;
  const page = (name, at, on) => on && el("a", { href: c.href(c.id, { first: at || "" }) }, name);
  fill(c.out, el("p", { class: "total" }, said), before,
    r.length ? table(said.textContent || what, columns, r, order && { now: order, href: sort => c.href(c.id, { sort, first: "" }) }) : el("p", { class: "none" }, "No results."),
    total > n ? el("nav", { class: "pager", "aria-label": "Pages" }, page("Previous", Math.max(0, first - n), first > 0), el("span", null, `${count(first + 1)} to ${count(first + r.length)} of ${count(total)}`), page("Next", first + n, first + n < total)) : null);
  say(said.textContent);
  c.files(what, q);
}
const page = c => ({ first: Math.max(0, +c.params.first || 0) || "", number: c.v.number });
const sentence = (...parts) => el("span", null, parts);

// tokens returns a query for consecutive words.
const tokens = (attr, text, folded) => text.split(" ").filter(Boolean).map(t => `[${literal(attr, t)}${folded ? "%c" : ""}]`).join(" ");
// gram returns a query for a row of a word list: sequences are within a sentence.
function gram(c, text, folded = c.v.fold) {
  const border = ["s", "p"].find(n => c.info.structures.some(s => s.name === n));
  return tokens(c.v.attr, text, folded) + (text.includes(" ") && border ? ` within <${border}/>` : "");
}

// narrowed returns the address of the hits of a row of frequencies.
function narrowed(c, by, values, folded) {
  let { filter } = c.params, patt = c.cql;
  by.forEach((b, i) => {
    const [attr, at] = b.split("@"), v = values[i];
    if (v === "" || /^\d+\./.test(attr)) return;
    if (attr.includes(".")) filter = also(filter, literal(attr, v));
    else if (at === undefined) patt = tokens(attr, v, folded);
    else if (+at > 0) patt = `(${patt}) []{${at - 1}} [${literal(attr, v)}${folded ? "%c" : ""}]`.replace(" []{0}", "");
    else patt = `(meet (${patt}) [${literal(attr, v)}${folded ? "%c" : ""}] ${at} ${at})`;
  });
  return c.href("hits", { patt, filter, part: filter === c.params.filter ? c.params.part : "", first: "" });
}

export const freq = {
  id: "freq", name: "Frequencies", needs: true,
  specs({ info }) {
    const places = [3, 2, 1].map(n => [`-${n}`, `${n} left of the hit`]).concat([["0", "first token of the hit"]], [1, 2, 3].map(n => [`${n}`, `${n} right of the hit`]));
    const by = [{ group: "Hit", options: attributes(info) }, { group: "By structure", options: structured(info) }, ...attributes(info).map(a => ({ group: `${a}, next to the hit`, options: places.map(([p, say]) => [`${a}@${p}`, `${a}, ${say}`]) }))];
    return [
      { key: "group", label: "By", kind: "select", options: by, value: info.default_attribute },
      { key: "group2", label: "and by", kind: "select", options: [["", "—"], ...by] },
      { key: "group3", label: "and by", kind: "select", options: [["", "—"], ...by] },
      { key: "sort", label: "Sort", kind: "select", options: [["", "frequency"], ["word", "value"], ["relative", "relative frequency"]] },
      { key: "min_hits", label: "Minimum hits", kind: "number", min: 1, placeholder: "1" },
      number, fold,
      { key: "unit", label: "Chart", kind: "select", options: [["", "automatic"], ["4", "by year"], ["7", "by month"], ["10", "by day"], ["-", "none"]], title: "over time: for attributes with dates" },
    ];
  },
  async show(c) {
    const by = [c.v.group, c.v.group2, c.v.group3].filter(Boolean), q = { group: by.join(","), sort: c.v.sort, min_hits: c.v.min_hits, fold: c.v.fold };
    const time = by.length === 1 && c.v.unit !== "-" && /\.(?:.*_)?(?:date|year|month|day|decade|time|fetched|modified|published)$/.test(by[0]);
    const [r, all, parts] = await Promise.all([c.ask("freq", { ...q, ...page(c) }), time ? c.ask("freq", { group: q.group, sort: "word", number: 100000 }) : null, time ? c.ask("freq", { patt: `<${by[0].split(".")[0]}/>`, group: q.group, sort: "word", number: 100000 }) : null]);
    const most = Math.max(...r.rows.map(x => x.hits)), fair = r.rows.some(x => x.part_tokens);
    const columns = [
      ...by.map((b, i) => ({ name: b, head: i === 0, raw: true, cell: x => i === 0 ? el("a", { href: narrowed(c, by, x.values, c.v.fold) }, el("bdi", null, x.values[0] === "" ? "(none)" : x.values[0])) : el("bdi", null, x.values[i]), sort: i === 0 ? "word" : null, up: true })),
      { name: "hits", number: true, cell: x => count(x.hits), sort: "freq" },
      { name: "", class: "barcell", cell: x => bar(x.hits / most) },
      { name: "share", number: true, opt: true, cell: x => percent(x.share) },
      { name: "per million", number: true, opt: fair, cell: x => rate(x.per_million), title: "hits per million tokens of the corpus" },
      ...fair ? [{ name: "per million in the part", number: true, cell: x => rate(x.part_per_million), title: "hits per million tokens with this value" }, { name: "relative", number: true, opt: true, cell: x => rate(x.relative), sort: "relative", title: "ratio to the whole corpus" }] : [],
    ];
    const chart = c.v.unit === "-" || by.length > 1 ? null : all ? timeline(all.rows, parts.rows, c.v.unit, by[0], c) : distribution(r.rows.filter(x => x.values[0] !== ""), by[0], c, r.hits - r.rows.reduce((n, x) => n + x.hits, 0));
    finish(c, "freq", q, sentence(`${many(r.types, "value")} of ${by.join(", ")} in ${many(r.hits, "hit")}`), r.rows, r.types, columns, c.v.sort || "freq", chart);
  },
};

// distribution draws the rows of an attribute of a structure: sites as areas, other values as bars.
// rest is the number of hits of rows that are not listed.
function distribution(rows, attr, c, rest) {
  if (!attr.includes(".") || rows.length < 2) return null;
  const item = (x, value) => ({ label: x.values[0], value, href: narrowed(c, [attr], x.values), says: `${x.values[0]}: ${many(x.hits, "hit")}, ${rate(x.part_per_million)} per million tokens` });
  if (/\.(site|host|domain)$/.test(attr)) return treemap(`Hits by ${attr}`, [...rows.map(x => item(x, x.hits)), ...rest > 0 ? [{ label: "other values", value: rest }] : []], { table: false });
  return bars(`Hits per million tokens by ${attr}`, rows.slice(0, 20).map(x => item(x, x.part_per_million ?? x.per_million)), { table: false });
}

// timeline draws the rows whose values are dates, summed by year, month or day. parts
// are all values with their tokens, including values without hits.
function timeline(rows, parts, unit, attr, c) {
  const dated = list => list.filter(r => /^\d{4}(?:-|$)/.test(r.values[0])), days = dated(parts).map(r => r.values[0]);
  const different = n => new Set(days.map(d => d.slice(0, n))).size;
  const length = +unit || (different(4) > 3 || days.every(d => d.length === 4) ? 4 : different(7) > 3 ? 7 : 10);
  const sums = new Map();
  const sum = d => {
    const label = d.slice(0, length);
    if (!sums.has(label)) sums.set(label, { label, at: Date.parse(label.length === 4 ? label + "-01-01" : label.length === 7 ? label + "-01" : label), hits: 0, part: 0 });
    return sums.get(label);
  };
  for (const r of dated(parts)) sum(r.values[0]).part += r.part_tokens || 0;
  for (const r of dated(rows)) sum(r.values[0]).hits += r.hits;
  const points = [...sums.values()].filter(p => p.part > 0 && Number.isFinite(p.at)).sort((a, b) => a.at - b.at).map(p => ({ ...p, value: 1e6 * p.hits / p.part })).map(p => ({ ...p, says: `${p.label}: ${rate(p.value)}, ${many(p.hits, "hit")} in ${count(p.part)} tokens`, href: p.hits > 0 && c.href("hits", { filter: also(c.params.filter, `${attr}=${quote(escape(p.label) + (length < 10 ? ".*" : ""))}`), part: "", first: "" }) }));
  if (points.length < 2 || !points.some(p => p.hits)) return null;
  const what = `Hits per million tokens by ${{ 4: "year", 7: "month", 10: "day" }[length]} (${attr})`;
  return lines(what, [{ name: attr, items: points }], { unit: "per million" });
}

export const collocations = {
  id: "collocations", name: "Collocations", needs: true,
  specs({ info, about }) {
    return [
      { key: "attr", label: "Attribute", kind: "select", options: attributes(info), value: info.default_attribute },
      { key: "from", label: "From", kind: "number", value: -5, min: -100, max: 100, title: "first token of the window; negative: left of the hit" },
      { key: "to", label: "To", kind: "number", value: 5, min: -100, max: 100, title: "last token of the window" },
      { key: "within", label: "Within", kind: "select", options: [["", "document"], ...info.structures.map(s => s.name).filter(s => s !== "doc")] },
      { key: "sort", label: "Sort", kind: "select", options: (about.measures || []).map(m => [m.key, m.name]), value: about.measures?.[0]?.key, title: (about.measures || []).map(m => `${m.name}: ${m.formula}`).join("\n") },
      { key: "min_hits", label: "Minimum hits", kind: "number", min: 1, placeholder: "3" },
      { key: "min_freq", label: "Minimum frequency", kind: "number", min: 1, placeholder: "5" },
      number, fold, onlyWords, { key: "chart", label: "Chart", kind: "select", options: [["", "network"], ["-", "none"]] },
    ];
  },
  async show(c) {
    const { attr, from, to, within, sort, min_hits, min_freq } = c.v, q = { attr, from, to, within, sort, min_hits, min_freq, fold: c.v.fold, words: c.v.words };
    const r = await c.ask("collocations", { ...q, ...page(c) }), all = c.about.measures || [];
    const chosen = [...new Set([sort, "logdice", "tscore", "mi", "loglikelihood"])].map(k => all.find(m => m.key === k)).filter(m => m && m.key !== "hits" && m.key !== "freq");
    const best = Math.max(...r.rows.map(x => x.scores[sort] || 0)), measure = all.find(m => m.key === sort)?.name || sort;
    const hitsOf = x => c.href("hits", { patt: beside(c.cql, `[${literal(attr, x.word)}${c.v.fold ? "%c" : ""}]`, +from, +to, within), first: "" });
    const near = c.v.chart === "-" || r.rows.length < 3 ? null : network(`Collocates: the nearer to the middle, the higher ${measure}; the larger, the more hits`, (isSimple(c.params.patt) ? unbraced(c.params.patt) ?? c.params.patt : "hit").slice(0, 24),
      r.rows.slice(0, 30).map(x => ({ label: x.word, value: x.scores[sort] || 0, weight: x.hits, href: hitsOf(x), says: `${x.word}: ${measure} ${rate(x.scores[sort])}, ${many(x.hits, "hit")}` })), { table: false });
    finish(c, "collocations", q, sentence(`${many(r.types, "collocate")} of ${many(r.hits, "hit")}`), r.rows, r.types, [
      { name: attr, head: true, raw: true, cell: x => el("a", { href: hitsOf(x) }, el("bdi", null, x.word)) },
      { name: "hits", number: true, cell: x => count(x.hits), sort: "hits" },
      { name: "frequency", number: true, cell: x => count(x.freq), sort: "freq" },
      { name: "", class: "barcell", opt: true, cell: x => bar((x.scores[sort] || 0) / best) },
      ...chosen.map(m => ({ name: m.name, number: true, raw: /[A-Z]/.test(m.name), opt: m.key !== sort, title: m.formula, sort: m.key, cell: x => rate(x.scores[m.key]) })),
    ], sort, near);
  },
};

// builtin returns the options for the built-in frequency lists.
function builtin(about) {
  const names = new Intl.DisplayNames("en", { type: "language" });
  return (about.frequency_lists || []).map(l => ["list:" + l, `general ${names.of(l)}`]);
}

const grams = { key: "n", label: "N-gram length", kind: "select", options: ["1", "2", "3", "4", "5"], value: 1 };
const listOf = v => v.reference.match(/^list:(.*)/)?.[1];
// free adds to an option that it has no effect with a built-in list.
const free = option => ({ ...option, there: v => !listOf(v) });

export const keywords = {
  id: "keywords", name: "Keywords", needs: false, whole: "Keywords need no query: they are computed for the whole corpus, or for the subcorpus selected by the filter.",
  specs({ info, about, name }) {
    const others = about.corpora.filter(x => x !== name);
    return [
      { key: "reference", label: "Reference", kind: "select", options: [...others, ["rest", "rest of this corpus"], [name, "another part of this corpus"], { group: "Built in", options: builtin(about) }], value: others[0] || builtin(about).map(o => o[0]).find(l => l === `list:${info.lang?.slice(0, 2)}`) || "rest" },
      { key: "refilter", label: "Reference filter", kind: "text", code: true, size: 22, placeholder: "doc.year<2020", there: v => v.reference !== "rest" && !listOf(v) },
      { key: "attr", label: "Attribute", kind: "select", options: attributes(info), value: info.default_attribute },
      free(grams),
      { key: "sort", label: "Sort", kind: "select", options: (about.keyness || []).map(m => [m.key, m.name]), value: about.keyness?.[0]?.key, title: (about.keyness || []).map(m => `${m.name}: ${m.formula}`).join("\n") },
      { key: "smoothing", label: "Smoothing", kind: "number", min: 0, step: "any", placeholder: "1", title: "higher values favour frequent words" },
      { key: "min_freq", label: "Minimum frequency", kind: "number", min: 1, placeholder: "1" },
      number, free(fold), free(onlyWords), { key: "chart", label: "Chart", kind: "select", options: [["", "none"], ["scatter", "scatter plot"]], title: "frequencies in the corpus and in the reference, with the keywords of both" },
    ];
  },
  async show(c) {
    const { attr, sort, smoothing, min_freq } = c.v, list = listOf(c.v), rest = c.v.reference === "rest", folded = !!list || c.v.fold;
    if (rest && !c.params.filter && !c.params.subcorpus) {
      fill(c.out, el("p", { class: "none" }, "Keywords compare two corpora, or two parts of one corpus. Choose a reference corpus, or enter a filter above to compare its documents with all others."));
      return;
    }
    const settings = { patt: "", attr, n: list ? 1 : c.v.n, sort, smoothing, min_freq, fold: list ? "" : c.v.fold, words: list ? "" : c.v.words };
    const reference = rest ? c.name : c.v.reference, refilter = !rest ? c.v.refilter : c.params.filter ? `!(${c.params.filter})` : "";
    const q = { ...settings, ...list ? { frequency_list: list } : { reference, refilter } };
    const [r, other] = await Promise.all([c.ask("keywords", { ...q, ...page(c) }), c.v.chart && !list ? get(`v1/corpora/${encodeURIComponent(reference)}/keywords`, { ...settings, ...page(c), filter: refilter, reference: c.name, refilter: c.params.filter, resubcorpus: c.params.subcorpus }, c.signal) : null]);
    const best = Math.max(...r.rows.map(x => x.scores[sort] || 0)), there = list ? `general language (${list})` : rest ? "the rest of this corpus" : reference;
    const hitsOf = x => c.href("hits", { patt: gram(c, x.word, folded), first: "" });
    const point = (x, here, beyond, href, group) => ({ label: x.word, y: here, x: beyond, href, group, says: `${x.word}: ${rate(here)} per million, ${rate(beyond)} in ${there}` });
    const seen = new Set(r.rows.map(x => x.word)), points = [...r.rows.map(x => point(x, x.per_million, x.ref_per_million, hitsOf(x), 1)),
      ...(other?.rows || []).filter(x => !seen.has(x.word)).map(x => point(x, x.ref_per_million, x.per_million, link(["corpus", reference, "hits"], { patt: gram(c, x.word), filter: refilter }), 2))];
    const chart = c.v.chart && points.length > 1 && scatter("Frequency per million tokens: the farther from the diagonal, the more typical of one side", points, { y: c.params.filter || c.params.subcorpus || c.name, x: refilter && !rest ? refilter : there, table: false });
    finish(c, "keywords", q, sentence(`${many(r.types, "word")}; ${many(r.tokens, "token")} against ${list ? `the 10,000 most frequent words of general language (${list}), in any case` : `${count(r.ref_tokens)} of ${there}`}`), r.rows, r.types, [
      { name: settings.n > 1 ? `${settings.n} words` : attr, head: true, raw: true, cell: x => el("a", { href: hitsOf(x) }, el("bdi", null, x.word)) },
      { name: "frequency", number: true, cell: x => count(x.freq) },
      { name: "frequency in reference", number: true, cell: x => count(x.ref_freq) },
      { name: "per million", number: true, opt: true, cell: x => rate(x.per_million) },
      { name: "per million in reference", number: true, opt: true, cell: x => rate(x.ref_per_million) },
      { name: "", class: "barcell", opt: true, cell: x => bar((x.scores[sort] || 0) / best) },
      ...(c.about.keyness || []).filter((m, i) => m.key === sort || i < 3).map(m => ({ name: m.name, number: true, raw: /[A-Z]/.test(m.name), opt: m.key !== sort, title: m.formula, sort: m.key, cell: x => rate(x.scores[m.key]) })),
    ], sort, chart);
  },
};

export const words = {
  id: "words", name: "Word list", needs: false, whole: "The word list needs no query: it counts all words of the corpus, or of the subcorpus selected by the filter.",
  specs({ info }) {
    return [
      { key: "attr", label: "Attribute", kind: "select", options: attributes(info), value: info.default_attribute },
      grams,
      { key: "pattern", label: "Pattern", kind: "text", code: true, placeholder: ".*ness", title: "regular expression that matches the whole word" },
      { key: "min_freq", label: "Minimum frequency", kind: "number", min: 1, placeholder: "1" },
      { key: "max_freq", label: "Maximum frequency", kind: "number", min: 1, placeholder: "none" },
      { key: "sort", label: "Sort", kind: "select", options: [["", "frequency"], ["word", "word"]] },
      number, fold, onlyWords,
    ];
  },
  async show(c) {
    const { attr, n, pattern, min_freq, max_freq, sort } = c.v, q = { patt: "", attr, n, pattern, min_freq, max_freq, sort, fold: c.v.fold, words: c.v.words };
    const r = await c.ask("words", { ...q, ...page(c) }), most = Math.max(...r.rows.map(x => x.freq));
    const docs = r.rows.some(x => x.docf ?? x.docs);
    finish(c, "words", q, sentence(`${many(r.types, n > 1 ? "sequence" : "word")} in ${many(r.tokens, "token")}`), r.rows, r.types, [
      { name: "", number: true, class: "dim", cell: (_, i) => count((+c.params.first || 0) + i + 1) },
      { name: n > 1 ? `${n} words` : attr, head: true, raw: true, sort: "word", up: true, cell: x => el("a", { href: c.href("hits", { patt: gram(c, x.word), first: "" }) }, el("bdi", null, x.word)) },
      { name: "frequency", number: true, sort: "freq", cell: x => count(x.freq) },
      { name: "", class: "barcell", cell: x => bar(x.freq / most) },
      { name: "per million", number: true, opt: true, cell: x => rate(x.per_million) },
      ...docs ? [{ name: "documents", number: true, cell: x => count(x.docf ?? x.docs) }] : [],
    ], sort || "freq");
  },
};

export const docs = {
  id: "docs", name: "Documents", needs: false,
  specs: () => [number],
  async show(c) {
    const r = await c.ask("docs", page(c)), has = structured(c.info).filter(a => a.startsWith("doc."));
    const key = ["doc.id", "doc.url", "doc.file"].find(a => has.includes(a));
    const order = ["doc.title", "doc.url", "doc.id", "doc.author", "doc.date", "doc.lang"], there = [...new Set(r.docs.flatMap(d => Object.keys(d.refs || {})))];
    const shown = order.filter(a => there.includes(a) && !(a === "doc.id" && there.includes("doc.title"))).slice(0, 5), list = shown.length ? shown : there.slice(0, 4);
    const value = (d, a) => (a && d.refs?.[a] || "").replace(/^(\d{4}-\d\d-\d\d)T.*/, a === key ? "$&" : "$1");
    const select = key && c.space?.selection(c, key);
    finish(c, "docs", {}, sentence(`${many(r.total, "document")}${c.params.patt ? " with hits" : ""}`), r.docs, r.total, [
      ...select ? [{ name: "", cell: d => d.refs?.[key] ? select.box(d.refs[key]) : "" }] : [],
      ...list.map((a, i) => ({ name: a.replace("doc.", ""), head: i === 0, class: "ref", opt: i > 0, cell: d => {
        const text = el("bdi", null, value(d, a) || "(none)"), own = value(d, key);
        return i === 0 && own ? el("a", { href: c.href(c.params.patt ? "hits" : "words", { filter: also(c.params.filter, literal(key, own)), part: "", first: "" }) }, text) : text;
      } })),
      { name: "tokens", number: true, cell: d => count(d.tokens) },
      ...c.params.patt ? [{ name: "hits", number: true, cell: d => count(d.hits) }] : [],
    ], null, select?.bar);
  },
};
