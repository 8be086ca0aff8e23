// The document of a hit: its metadata and its citation.
import { el } from "./dom.js";
import { literal } from "./cql.js";
import { facts } from "./parts.js";

const FIRST = ["title", "author", "date", "url", "host", "site", "lang", "id"];
const place = k => (FIRST.indexOf(k.replace("doc.", "")) + FIRST.length + 1) % (FIRST.length + 1);

// metadata creates the panel of a document. refs are its attributes with their values.
export function metadata(c, refs) {
  const values = Object.entries(refs).filter(([, v]) => v !== "").sort(([a], [b]) => place(a) - place(b)), key = ["doc.id", "doc.url", "doc.file"].find(k => refs[k]);
  const show = v => /^https?:\/\//.test(v) ? el("a", { href: v, rel: "noreferrer noopener", target: "_blank" }, v) : v;
  const only = key && literal(key, refs[key]);
  return el("aside", { class: "source", "aria-label": "Document" }, el("h2", null, "Document"), facts(values.map(([k, v]) => [k.replace("doc.", ""), show(v)])),
    only && el("p", { class: "small" }, el("a", { href: c.href("hits", { filter: only, part: "", first: "" }) }, "Hits in this document"), " · ", el("a", { href: c.href("words", { filter: only, part: "", first: "" }) }, "Word list")));
}

// citation returns a text with its source: title, address, date, corpus.
export function citation(c, s, refs) {
  const of = (...names) => names.map(n => refs["doc." + n]).find(Boolean) || "", stop = x => x && x.replace(/\.$/, "") + ".";
  const text = `${s.left}${s.match}${s.right}`.replace(/\s+/g, " ").trim();
  return [`“${text}”`, [of("author"), of("title") || of("id", "file")].filter(Boolean).map(stop).join(" "), stop(of("url")), stop(of("date", "year").replace(/T.*/, "")), `Corpus: ${c.name}, tokens ${s.start} to ${s.end - 1}.`].filter(Boolean).join(" ");
}
