// Counts the keys of a practised person who gives the gold answers and accepts correct
// proposals: node keys.mjs serve/view/press.js pages.json
import { readFileSync } from "node:fs";

const [script, file] = process.argv.slice(2);
const { begin, press, shown, KEYS, TWO_KEYS } = await import("data:text/javascript;base64," + readFileSync(script).toString("base64"));
const keyOf = Object.fromEntries([...Object.entries(KEYS), ...Object.entries(TWO_KEYS)].map(([k, role]) => [role, k]));
const MOVES = ["j", "k", "J", "K", ".", ",", ";", "{", "}", "PageDown", "PageUp", "Home", "End"];

// ways returns the keys that lead from the cursor to each block, by number: the fewest.
function ways(s) {
  const to = new Map([[s.at, []]]);
  let edge = [s];
  while (edge.length > 0 && to.size < s.blocks.length) {
    const next = [];
    for (const t of edge) for (const k of MOVES) {
      const [u] = press(t, k);
      if (!to.has(u.at)) {
        to.set(u.at, [...to.get(t.at), k]);
        next.push({ ...u, anchor: s.anchor });
      }
    }
    edge = next;
  }
  for (let i = 0; i < s.blocks.length; i++) {
    const typed = [...String(i), "g"];
    if (!to.has(i) || to.get(i).length > typed.length) to.set(i, typed);
  }
  return to;
}

const wrong = (s, gold) => gold.reduce((n, g, i) => n + (g !== "" && shown(s, i) !== g), 0);
const pressed = (s, keys) => keys.reduce((t, k) => press(t, k)[0], s);

// annotate returns the keys that a page takes.
function annotate(page) {
  const gold = page.blocks.map(b => b.gold);
  let s = begin({ ...page, two: gold.some(g => g === "boilerplate" || g === "text") }, false), keys = [];
  s = { ...s, at: 0 };
  for (let left = wrong(s, gold); left > 0;) {
    const to = ways(s);
    let best = null;
    const offer = (list) => {
      const t = pressed(s, list), gain = left - wrong(t, gold);
      if (gain > 0 && (!best || gain / list.length > best.rate)) best = { rate: gain / list.length, list, t };
    };
    for (let i = 0; i < gold.length; i++) {
      if (gold[i] === "" || shown(s, i) === gold[i]) continue;
      const walk = to.get(i), k = keyOf[gold[i]];
      offer([...walk, k]);
      offer([...walk, k.toUpperCase()]);
      offer([...walk, "Alt+" + k]);
      for (const key of [k, k.toUpperCase(), "Alt+" + k]) offer([...String(i), key]);
      for (let n = 1; n <= 6; n++) offer([...walk, ..."w".repeat(n), k]);
      // a range up to the last block of this gold role, across blocks without a role
      let end = i;
      while (end + 1 < gold.length && (gold[end + 1] === gold[i] || gold[end + 1] === "")) end++;
      while (shown(s, end) === gold[i] || gold[end] === "") end--;
      if (end > i) {
        const at = { ...pressed(s, walk), anchor: i }, on = ways(at).get(end);
        offer([...walk, "v", ...on, k]);
      }
    }
    if (!best) { // the blocks after this label are wrong: they are corrected later
      const i = gold.findIndex((g, i) => g !== "" && shown(s, i) !== g), list = [...to.get(i), keyOf[gold[i]]];
      best = { list, t: pressed(s, list) };
    }
    keys.push(...best.list);
    s = best.t;
    left = wrong(s, gold);
  }
  keys.push("Enter");
  return keys.length;
}

const pages = JSON.parse(readFileSync(file, "utf8"));
const rows = pages.map(p => ({ id: p.id, blocks: p.blocks.length, wrong: p.blocks.filter(b => b.gold && b.gold !== b.proposed).length, keys: annotate(p) }));
const sorted = rows.map(r => r.keys).sort((a, b) => a - b), at = q => sorted[Math.round(q * (sorted.length - 1))];
for (const r of rows) console.log(`${r.id}\t${r.blocks} blocks\t${r.wrong} proposed otherwise\t${r.keys} keys`);
const sum = k => rows.reduce((n, r) => n + r[k], 0);
console.log(`${rows.length} pages, ${sum("blocks")} blocks, ${sum("wrong")} proposed otherwise: keys a page: median ${at(0.5)}, quartiles ${at(0.25)} and ${at(0.75)}, most ${at(1)}`);
