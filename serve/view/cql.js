// The corpus query language: tokens, colours, completion.
import { el, count } from "./dom.js";

const PIECE = /\s+|"(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?|%[A-Za-z]*|-?\d+|[\p{L}_][\p{L}\p{N}_-]*|!==|!=|==|<=|>=|<\/|\/>|::|[^]/gu;
const WORDS = new Set(["within", "containing", "meet", "union"]);

// pieces splits a query. Each piece has kind (space, value, flags, number, name,
// word, mark), text, at, and its context: in "[" or "<" or "", the structure,
// and the attribute before it.
export function pieces(q) {
  const out = [];
  let where = "", struct = "", attr = "", last = "";
  for (const m of q.matchAll(PIECE)) {
    const text = m[0], c = text[0];
    const p = { text, at: m.index, where, struct, attr };
    if (/\s/.test(c)) p.kind = "space";
    else if (c === '"' || c === "'") p.kind = "value";
    else if (c === "%") p.kind = "flags";
    else if (/^-?\d/.test(text)) p.kind = "number";
    else if (/[\p{L}_]/u.test(c)) p.kind = !where && WORDS.has(text) ? "word" : "name";
    else p.kind = "mark";
    if (p.kind === "name") {
      if (where === "<" && !struct) p.struct = struct = text;
      else if (where) attr = text;
      p.isStruct = where === "<" && p.struct === text && !attr;
    } else if (p.kind === "mark") {
      const operator = where && last === "name" && attr && (text === "<" || text === ">" || text === "<=" || text === ">=");
      if (text === "[") where = "[";
      else if (text === "]") where = attr = "";
      else if ((text === "<" || text === "</") && !where) where = "<";
      else if (where === "<" && (text === ">" || text === "/>") && !operator) where = struct = attr = "";
      else if (text === "&" || text === "|" || text === "(") attr = "";
    } else if (p.kind === "value" && where && closed(text)) attr = "";
    if (p.kind !== "space") last = p.kind;
    out.push(p);
  }
  return out;
}

const closed = v => v.length > 1 && v.endsWith(v[0]) && !/(?:^|[^\\])(?:\\\\)*\\$/.test(v.slice(0, -1));

// escape writes a literal as a regular expression in a query; quote puts quotes
// around a value.
export const escape = s => s.replace(/[\\.*+?()[\]{}|^$]/g, "\\$&");
export const quote = s => `"${s.replaceAll('"', '\\"')}"`;
// literal returns a condition with a single value.
export const literal = (attr, s) => `${attr}==${quote(s.replaceAll("\\", "\\\\"))}`;

// also returns a filter with a further condition.
export const also = (filter, more) => filter ? `(${filter}) & ${more}` : more;

// paint writes a query with colours into a box; fault is the position of an error in
// characters, -1 for none.
export function paint(box, q, fault = -1) {
  box.replaceChildren(...pieces(q).map(p => {
    const wrong = fault >= 0 && p.at <= fault && fault < p.at + p.text.length;
    return p.kind === "space" && !wrong ? p.text : el("span", { class: `q-${p.isStruct ? "struct" : p.kind}${wrong ? " wrong" : ""}` }, p.text);
  }), fault >= q.length ? el("span", { class: "wrong" }, " ") : "");
}

// charAt converts a position in bytes to characters.
export function charAt(q, bytes) {
  let n = 0, i = 0;
  for (const c of q) {
    if (n >= bytes) break;
    n += new TextEncoder().encode(c).length;
    i += c.length;
  }
  return i;
}

// wanted returns the completions at the caret: null, or {from, to, prefix} with names
// (a list of [text to insert, shown text, note]) or attr, whose values are requested;
// open: a bracket is open.
export function wanted(q, caret, info, condition) {
  const ps = pieces(q);
  let i = ps.findIndex(p => p.at < caret && caret <= p.at + p.text.length);
  const p = ps[i] || { kind: "space", text: "", at: caret, where: "", struct: "", attr: "" };
  const cut = p.text.slice(0, caret - p.at), to = p.at + p.text.length;
  const structs = info.structures || [], attrs = info.attributes;
  const named = (list, make) => list.map(a => [make(a), a.name, `${count(a.values ?? a.count)} ${a.count === undefined ? "values" : "in the corpus"}`]);
  if (p.kind === "value") {
    if (caret === to && closed(p.text)) return null;
    const attr = condition ? dotted(ps, i) : p.where === "<" ? p.struct && p.attr && `${p.struct}.${p.attr}` : p.where === "[" ? p.attr : info.default_attribute;
    return attr ? { attr, from: p.at, to, prefix: cut.slice(1).replace(/\\(.)/g, "$1"), end: p.text[0] } : null;
  }
  if (condition) {
    if (p.kind === "value" || p.kind === "number") return null;
    let from = caret;
    while (i >= 0 && (ps[i].kind === "name" || ps[i].text === ".")) from = ps[i--].at;
    const all = structs.flatMap(s => (s.attributes || []).map(a => [`${s.name}.${a.name}=`, `${s.name}.${a.name}`, `${count(a.values)} values`]));
    return { from, to: Math.max(from, p.kind === "name" || p.text === "." ? to : caret), prefix: q.slice(from, caret), names: all };
  }
  const name = p.kind === "name", from = name ? p.at : caret, prefix = name ? cut : "", end = name ? to : caret;
  const before = ps.slice(0, name ? i : i + 1).reverse().find(x => x.kind !== "space");
  const after = before && before.at < caret ? before.text : "";
  const where = name ? p.where : inside(q, caret);
  if (where === "[") return name || ["[", "&", "|", "!", "("].includes(after) ? { from, to: end, prefix, open: true, names: named(attrs, a => a.name + "=") } : null;
  if (where === "<") {
    const struct = name && !p.isStruct ? p.struct : name ? "" : structOf(q, caret);
    if (!struct) return { from, to: end, prefix, names: named(structs, s => s.name) };
    const s = structs.find(s => s.name === struct);
    return s && (name || /\s/.test(cut)) ? { from, to: end, prefix, names: named(s.attributes || [], a => a.name + "=") } : null;
  }
  if (after === "within" || after === "containing") return { from, to: end, prefix, names: structs.map(s => [`<${s.name}/>`, `<${s.name}/>`, `${count(s.count)} in the corpus`]) };
  if (name && prefix) return { from, to: end, prefix, names: ["within ", "containing "].map(w => [w, w.trim(), ""]) };
  return null;
}

// inside returns the open bracket at a position: "[", "<" or nothing.
function inside(q, caret) {
  const ps = pieces(q.slice(0, caret) + "\u0001");
  return ps[ps.length - 1].where;
}

function structOf(q, caret) {
  const ps = pieces(q.slice(0, caret) + "\u0001");
  return ps[ps.length - 1].struct;
}

// dotted returns the name, such as doc.lang, before the operator before piece i.
function dotted(ps, i) {
  const before = ps.slice(0, i).filter(p => p.kind !== "space");
  let k = before.length - 1;
  while (k >= 0 && before[k].kind === "mark" && before[k].text !== ".") k--;
  const [s, dot, a] = before.slice(k - 2, k + 1);
  return a && s && dot.text === "." && a.kind === "name" ? `${s.text}.${a.text}` : "";
}
