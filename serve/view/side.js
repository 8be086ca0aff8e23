// Two corpora side by side: the same query in both.
import { el, fill, count, many, rate } from "./dom.js";
import { get } from "./api.js";
import { link } from "./route.js";
import { problem, table, bar } from "./parts.js";

export const side = {
  id: "side", name: "Two corpora", needs: true,
  specs({ info, about, name }) {
    const others = about.corpora.filter(x => x !== name), by = info.attributes.map(a => a.name).concat(info.structures.flatMap(s => (s.attributes || []).map(a => `${s.name}.${a.name}`)));
    return [
      { key: "other", label: "Other corpus", kind: "select", options: [...others, [name, "another part of this corpus"]], value: others[0] || name },
      { key: "otherfilter", label: "Filter there", kind: "text", code: true, size: 22, placeholder: "doc.year<2020" },
      { key: "what", label: "Show", kind: "select", options: [["", "hits"], ["freq", "frequencies"]] },
      { key: "group", label: "Frequencies by", kind: "select", options: by, value: info.default_attribute },
      { key: "number", label: "Rows", kind: "select", options: ["10", "20", "50", "100"], value: 20 },
    ];
  },
  async show(c) {
    const { other, otherfilter, what: show, group, number } = c.v, { patt } = c.params;
    const there = (what, q) => get(`v1/corpora/${encodeURIComponent(other)}/${what}`, { patt, filter: otherfilter, ...q }, c.signal);
    const q = show === "freq" ? { group, number } : { number, context: 60, waitfortotal: "true" }, what = show === "freq" ? "freq" : "hits";
    const [a, b] = await Promise.allSettled([c.ask(what, q), there(what, q)]);
    if (a.status === "rejected") throw a.reason;
    if (b.reason?.name === "AbortError") throw b.reason;
    const most = Math.max(...[a, b].flatMap(r => (r.value?.rows || []).map(x => x.per_million)), 1);
    const column = (name, r, params, where) => el("div", null, el("h2", null, el("a", { href: link(["corpus", name, what], { ...params, ...show === "freq" ? { group } : {} }) }, name)),
      r.status === "rejected" ? problem(r.reason) : show === "freq" ? freq(r.value, group, most, `${where}: ${name}`) : hits(r.value));
    fill(c.out, el("div", { class: "side" }, column(c.name, a, { patt, filter: c.params.filter, subcorpus: c.params.subcorpus }, "left"), column(other, b, { patt, filter: otherfilter }, "right")),
      el("p", { class: "small" }, el("a", { href: c.href("keywords", { reference: other, refilter: otherfilter, patt: "" }) }, `Keywords against ${other}`)));
  },
};

function hits(r) {
  return [el("p", { class: "total" }, el("b", null, many(r.total, "hit")), ` · ${rate(r.per_million)} per million tokens`),
    r.hits.length ? el("ol", { class: "hitlines" }, r.hits.map(h => el("li", { dir: h.rtl ? "rtl" : "ltr" }, h.left, el("mark", null, h.match), h.right))) : el("p", { class: "none" }, "No hits.")];
}

function freq(r, group, most, of) {
  return [el("p", { class: "total" }, `${many(r.types, "value")} of ${many(r.hits, "hit")}`), table(`Frequencies by ${group}, ${of}`, [
    { name: group, head: true, raw: true, cell: x => el("bdi", null, x.values[0] || "(none)") }, { name: "hits", number: true, cell: x => count(x.hits) },
    { name: "per million", number: true, cell: x => rate(x.per_million) }, { name: "", class: "barcell", cell: x => bar(x.per_million / most) },
  ], r.rows)];
}
