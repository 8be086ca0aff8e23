// The effect of a key on a page under annotation, as a function of state and key alone.

// KEYS are the keys of the roles and of two labels; a capital labels the subtree, a key
// with Alt the run of equal labels.
export const KEYS = { t: "title", b: "body", h: "heading", y: "byline", s: "standfirst", c: "caption", p: "post", m: "comment", a: "aside", r: "related", n: "navigation", x: "notice", o: "other" };
export const TWO_KEYS = { t: "text", b: "boilerplate" };

// SURE is the minimum probability of a sure proposal.
const SURE = 0.75;

// begin creates the state of an opened page: the blocks of the server, labels, proposals
// and their probabilities by block, the cursor, the other end of a range, the extension
// of the selection, and whether one question is asked at a time.
export function begin(page, ask) {
  const s = lent({
    blocks: page.blocks, kinds: kinds(page.blocks), keys: page.two ? TWO_KEYS : KEYS, blank: page.blank, done: page.done, ask: !!ask, say: "", number: "",
    labels: page.blocks.map(b => ({ label: b.label || "", hand: !!b.hand })), at: 0, anchor: -1, wide: 0,
  });
  if (ask) return { ...s, at: Math.max(0, unsure(s, -1, 1)) };
  const open = s.labels.findIndex(l => !l.label);
  return { ...s, at: page.done || open < 0 ? 0 : open };
}

// shown returns the label of a block, else its proposal.
export const shown = (s, i) => s.labels[i].label || s.proposed[i];

// doubtful reports whether a person should check a block.
export const doubtful = (s, i) => !s.labels[i].label && (s.blank || s.score[i] < SURE);

const clamp = (s, i) => Math.max(0, Math.min(s.blocks.length - 1, i));

// run returns the range of blocks around one with the same shown label.
function run(s, i) {
  const what = shown(s, i);
  let from = i, to = i;
  while (from > 0 && shown(s, from - 1) === what) from--;
  while (to + 1 < s.blocks.length && shown(s, to + 1) === what) to++;
  return [from, to];
}

// subtree returns the range of blocks in the n-th enclosing element, from 1, that holds
// more blocks than the element inside it.
function subtree(s, i, n) {
  const holders = s.blocks[i].in, e = holders[Math.min(n, holders.length) - 1];
  if (e === undefined) return [i, i];
  let from = i, to = i;
  while (from > 0 && s.blocks[from - 1].in.includes(e)) from--;
  while (to + 1 < s.blocks.length && s.blocks[to + 1].in.includes(e)) to++;
  return [from, to];
}

// selection returns the first and the last block that a label is applied to: the block,
// the range, or, extended, the run of equal labels and then the subtrees.
export function selection(s) {
  if (s.anchor >= 0) return [Math.min(s.anchor, s.at), Math.max(s.anchor, s.at)];
  if (s.wide === 0) return [s.at, s.at];
  return s.wide === 1 ? run(s, s.at) : subtree(s, s.at, s.wide - 1);
}

// worst returns the most doubtful block except one; -1 if there is none.
function worst(s, but) {
  let best = -1;
  for (let i = 0; i < s.blocks.length; i++) if (i !== but && doubtful(s, i) && (best < 0 || s.score[i] < s.score[best])) best = i;
  return best;
}

// unsure returns the next doubtful block: in page order, or the most doubtful one if one
// question is asked at a time; -1 if there is none.
function unsure(s, from, step) {
  if (s.ask) return worst(s, from);
  const n = s.blocks.length;
  for (let k = 1; k <= n; k++) {
    const i = (from + step * k + 2 * n) % n;
    if (doubtful(s, i)) return i;
  }
  return -1;
}

// go moves the cursor.
const go = (s, at) => ({ ...s, at: clamp(s, at), wide: 0 });

const next = (s, from, step) => ask(s, unsure(s, from, step));

// ask moves the cursor to a doubtful block.
function ask(s, i) {
  return i < 0 ? { ...s, say: "No unsure blocks left: press Enter to accept the rest" } : go(s, i);
}

// put labels blocks: what is a label, or a function from the block's number to a label.
function put(s, [from, to], what, more) {
  const labels = s.labels.slice(), items = [];
  for (let i = from; i <= to; i++) {
    const label = typeof what === "function" ? what(i) : what;
    labels[i] = { label, hand: !!label };
    items.push({ block: i, label });
  }
  return [lent({ ...s, labels, anchor: -1, wide: 0, done: false }), { what: "label", labels: items, ...more }];
}

// Each label also updates the proposals for similar blocks of the page. LIKE and SHAPE
// apply to blocks in elements of the same names and classes, or of the same names; the
// others are factors for differences; LENT is the amount that a label of an equal block
// adds to the log of a probability.
const LIKE = 1, SHAPE = 0.5, PROPOSED = 0.3, KIND = 0.5, LENGTH = 0.5, LENT = 4;
const FLOOR = 0.003; // the probability of a label without evidence
const LENGTHS = [4, 15, 40, 120];

// kinds groups blocks: of holds the kind of each block, an index of list; names are the
// labels, logs the logs of their probabilities.
function kinds(blocks) {
  const ids = new Map(), list = [], names = [...new Set(blocks.flatMap(b => Object.keys(b.odds || {})))].sort();
  const of = blocks.map(b => {
    const k = { like: b.like, shape: b.shape, proposed: b.proposed, kind: `${b.kind} ${!!b.links}`, length: LENGTHS.filter(n => n <= (b.text || "").length).length }, key = Object.values(k).join("|");
    if (!ids.has(key)) ids.set(key, list.push(k) - 1);
    return ids.get(key);
  });
  return { of, list, names, logs: blocks.map(b => names.map(n => Math.log((b.odds?.[n] || 0) + FLOOR))) };
}

const factor = (same, x) => same ? 1 : x;
const alike = (x, y) => (x.like === y.like ? LIKE : x.shape === y.shape ? SHAPE : 0) * factor(x.proposed === y.proposed, PROPOSED) * factor(x.kind === y.kind, KIND) * factor(x.length === y.length, LENGTH);

// lent returns the proposals by the labels of the page, and their probabilities.
export function lent(s) {
  const { of, list, names, logs } = s.kinds, given = new Map(); // kind → label → how often
  s.labels.forEach((l, i) => {
    if (!l.label || !l.hand) return;
    const to = given.get(of[i]) || given.set(of[i], new Map()).get(of[i]), name = l.label.replace("*", "");
    to.set(name, (to.get(name) || 0) + 1);
  });
  const all = [...new Set([...names, ...[...given.values()].flatMap(m => [...m.keys()])])], votes = list.map(() => null);
  for (const [kind, m] of given) {
    const sum = [...m.values()].reduce((a, b) => a + b);
    list.forEach((k, j) => {
      const share = LENT * alike(list[kind], k) / sum;
      if (share > 0) for (const [name, n] of m) (votes[j] ||= all.map(() => 0))[all.indexOf(name)] += share * n;
    });
  }
  const proposed = [], score = [];
  s.blocks.forEach((b, i) => {
    const v = votes[of[i]];
    proposed[i] = b.proposed || "";
    score[i] = b.score || 0;
    if (!v || s.blank) return;
    const x = all.map((_, r) => (logs[i][r] ?? Math.log(FLOOR)) + v[r]), most = Math.max(...x);
    proposed[i] = all[x.indexOf(most)];
    score[i] = 1 / x.reduce((z, y) => z + Math.exp(y - most), 0);
  });
  return { ...s, proposed, score };
}

// press returns the state after a key, and the request to send to the server, if any:
// {what, labels, alike}; {go: 1 or -1} opens another page. The key is null if it has no
// meaning. A key with Alt is named "Alt+" and the key.
export function press(s, key) {
  s = { ...s, say: "" };
  const n = s.blocks.length, typed = s.number;
  s.number = "";
  if (n === 0 && key !== "Enter" && key !== "[" && key !== "]") return [s, null, false];
  if (/^\d$/.test(key)) return [{ ...s, number: typed + key }, null, true];
  const like = /^Alt\+(.)$/.exec(key), role = s.keys[like ? like[1] : key], wide = s.keys[key.toLowerCase()];
  if (role || wide && key !== key.toLowerCase()) {
    if (typed) s = go({ ...s, anchor: -1 }, Number(typed));
    const of = like ? run(s, s.at) : role ? selection(s) : subtree(s, s.at, 1);
    const [t, send] = put(s, of, role || wide);
    return [after(t, of[1]), send, true];
  }
  switch (key) {
    case "j": case "ArrowDown": return [go(s, s.at + 1), null, true];
    case "k": case "ArrowUp": return [go(s, s.at - 1), null, true];
    case "J": return [go(s, run(s, s.at)[1] + 1), null, true];
    case "K": {
      const [from] = run(s, s.at);
      return [go(s, from < s.at ? from : run(s, clamp(s, from - 1))[0]), null, true];
    }
    case "}": return [go(s, subtree(s, s.at, 1)[1] + 1), null, true];
    case "{": {
      const [from] = subtree(s, s.at, 1);
      return [go(s, from < s.at ? from : subtree(s, clamp(s, from - 1), 1)[0]), null, true];
    }
    case "PageDown": return [go(s, s.at + 10), null, true];
    case "PageUp": return [go(s, s.at - 10), null, true];
    case "Home": return [go(s, 0), null, true];
    case "End": return [go(s, n - 1), null, true];
    case "g": return [typed ? go(s, Number(typed)) : s, null, true];
    case ".": return [next(s, s.at, 1), null, true];
    case ",": return [next(s, s.at, -1), null, true];
    case ";": return [ask(s, worst(s, s.at)), null, true];
    case "v": return [{ ...s, anchor: s.anchor < 0 ? s.at : -1, wide: 0 }, null, true];
    case "w": {
      const most = s.blocks[s.at].in.length + 1;
      let t = { ...s, anchor: -1 }, was = selection(t).join();
      while (t.wide < most && selection(t).join() === was) t = { ...t, wide: t.wide + 1 };
      return [t, null, true];
    }
    case "Escape": return [{ ...s, anchor: -1, wide: 0 }, null, true];
    case " ": {
      if (s.blank) return [{ ...s, say: "Proposals are hidden: nothing to confirm" }, null, true];
      const of = selection(s), [t, send] = put(s, of, i => shown(s, i));
      return [after(t, of[1], true), send, true];
    }
    case "*": {
      const of = selection(s);
      if (s.keys === TWO_KEYS) return [s, null, true];
      const [t, send] = put(s, of, i => { const l = shown(s, i); return l.endsWith("*") ? l.slice(0, -1) : l && l + "*"; });
      return [go(t, s.at), send, true];
    }
    case "Backspace": case "Delete": {
      const [t, send] = put(s, selection(s), "");
      return [go(t, s.at), send, true];
    }
    case "=": case "+": {
      const label = shown(s, s.at);
      if (!label) return [{ ...s, say: "Label the block first" }, null, true];
      const [t, send] = put(s, [s.at, s.at], label, { alike: key === "=" ? "text" : "place" });
      return [go(t, s.at), send, true];
    }
    case "i": {
      const t = { ...s, ask: !s.ask, anchor: -1, wide: 0 };
      return [t.ask ? next(t, -1, 1) : t, null, true];
    }
    case "u": return [s, { what: "undo" }, true];
    case "Enter": {
      if (s.done) return [s, { go: 1 }, true];
      const open = s.labels.findIndex((l, i) => !shown(s, i));
      if (open >= 0) return [{ ...go(s, open), say: "This block has no label yet" }, null, true];
      return [{ ...s, labels: s.labels.map((l, i) => ({ label: shown(s, i), hand: l.hand })), done: true }, { what: "accept", go: 1 }, true];
    }
    case "[": return [s, { go: -1 }, true];
    case "]": return [s, { go: 1 }, true];
  }
  return [s, null, false];
}

// NEAR is the maximum distance in blocks over which the cursor moves from a label to the
// next unsure block.
const NEAR = 12;

// after returns the position of the cursor after a block is labelled.
function after(s, last, confirmed) {
  if (s.ask) return next(s, last, 1);
  const i = unsure(s, last, 1);
  return go(s, i >= 0 && (confirmed || i > last && i < last + NEAR) ? i : last + 1);
}
