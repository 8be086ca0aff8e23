// Simple queries, such as: take off. The server translates them to CQL.
import { pieces } from "./cql.js";

// isSimple reports whether a query is a simple one, as the server decides it.
export function isSimple(q) {
  q = q.trim();
  if (!q || /["<]/.test(q) || /^[( ]*'/.test(q) && q.split("'").length > 2) return false;
  return q.split("[").slice(1).every(s => /^[^\]=]*,[^\]=]*\]/.test(s));
}

const word = s => !/^(\*|\.\.)$/.test(s);

// braced returns a simple query for lemmas: each word is in braces.
export const braced = q => q.trim().split(/\s+/).map(w => word(w) && w[0] !== "{" ? `{${w}}` : w).join(" ");

// unbraced returns the words of a query whose words are all in braces, or null.
export function unbraced(q) {
  const words = q.trim().split(/\s+/), lemmas = words.filter(word);
  return lemmas.length && lemmas.every(w => /^\{[^{}]+\}$/.test(w)) ? words.map(w => w.replace(/[{}]/g, "")).join(" ") : null;
}

// single returns the word of a query for one word without wildcards, in any level, or "".
export function single(q) {
  const s = isSimple(q) ? q.trim() : simplified(q) || "", w = unbraced(s) ?? s;
  return /^[^\s*?[\]{}\\]+$/.test(w) && word(w) ? w : "";
}

// plain writes a regular expression as a word with wildcards; null: it cannot.
function plain(re) {
  let out = "";
  for (const m of re.matchAll(/\\(.)|\.\*|\.|\(([^()\\.*+?[\]{}^$]*\|[^()\\.*+?[\]{}^$]*)\)|([^])/gsu)) {
    if (m[1]) out += /[*?[\]{}\\]/.test(m[1]) ? "\\" + m[1] : m[1];
    else if (m[0] === ".*") out += "*";
    else if (m[0] === ".") out += "?";
    else if (m[2] !== undefined) out += `[${m[2].replaceAll("|", ",")}]`;
    else if (/[\s*+?()[\]{}|^$]/.test(m[0])) return null;
    else out += m[0];
  }
  return out || null;
}

// simplified returns the simple query that means the same as a query in CQL, apart from case, or
// null.
export function simplified(cql) {
  const ps = pieces(cql).filter(p => p.kind !== "space"), out = [];
  const value = i => ps[i]?.kind === "value" ? plain(ps[i].text.slice(1, -1).replaceAll("\\" + ps[i].text[0], ps[i].text[0])) : null;
  for (let i = 0; i < ps.length;) {
    const text = ps.slice(i).map(p => p.text).join("");
    let w = value(i), n = 1;
    if (w === null && text.startsWith("[]{0,5}")) {
      w = "..";
      n = ps.slice(i).findIndex(p => p.text === "}") + 1;
    } else if (w === null && /^\[\](?![?*+{])/.test(text)) {
      w = "*";
      n = 2;
    } else if (w === null && text.startsWith("[") && ["lemma", "word", "lc"].includes(ps[i + 1]?.text) && ps[i + 2]?.text === "=") {
      w = value(i + 3);
      if (w !== null && ps[i + 1].text === "lemma") w = `{${w}}`;
      n = ps[i + 4]?.text === "%c" ? 6 : 5;
      if (ps[i + n - 1]?.text !== "]") w = null;
    }
    if (w === null) return null;
    i += n;
    if (ps[i]?.text === "%c") i++;
    out.push(w);
  }
  const q = out.join(" ");
  return isSimple(q) ? q : null;
}
