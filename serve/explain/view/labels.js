// The decisions of each method at adjustable thresholds. This file does not change the
// shown page. A decision is one object for each block:
//   keep   1 kept, 0 dropped, -1 no label
//   parts  1 or 0 for each sentence, if sentences are judged; else null
//   from   the verdict that the parts belong to
//   score  the score of the method, null if it is not a number
//   why    the reason, if thresholds were changed; else null

const KEEPS = { good: 1, neargood: 1, short: 0, bad: 0, unknown: -1 };

const given = v => ({ keep: KEEPS[v.l], parts: v.n ? v.n.map(s => s[4]) : null, from: v, score: v.s, why: null });

// decide returns the decisions of method m; set holds its thresholds by name,
// including the thresholds of all voters.
function decide(m, set, all) {
  const found = label(m, set, all);
  return m.settles ? settle(m, found) : found;
}

function label(m, set, all) {
  switch (m.rule) {
    case "score": return decideByScore(m, set);
    case "vote": return decideByVote(m, all);
    case "justext": return decideByJustext(m, set);
  }
  return m.verdicts.map(given);
}

// settle keeps tables of data and lists of which at least half of the text is
// kept, and drops the others, like clean/wholes.go.
function settle(m, found) {
  const sums = new Map();
  const chars = (d, i) => d.keep <= 0 ? 0 : d.parts && d.parts.includes(0) ? d.parts.reduce((sum, p, k) => sum + (p ? d.from.n[k][3] : 0), 0) :
    d.from.k && !d.parts ? d.from.k[1] : DATA.blocks[i].n;
  found.forEach((d, i) => {
    const at = DATA.wholes[i];
    if (!at) return;
    if (!sums.has(at)) sums.set(at, { kept: 0, all: 0, labelled: false });
    const s = sums.get(at);
    s.all += DATA.blocks[i].n;
    s.kept += chars(d, i);
    s.labelled ||= d.keep >= 0;
  });
  return found.map((d, i) => {
    const s = sums.get(DATA.wholes[i]);
    if (!s || !s.labelled) return d;
    const keep = +(2 * s.kept >= s.all);
    if (keep === d.keep && (!keep || chars(d, i) === DATA.blocks[i].n)) return d;
    return { ...d, keep, parts: null, from: { ...d.from, n: undefined, k: undefined }, why: `its table or list is ${keep ? "kept" : "left out"}` };
  });
}

function decideByScore(m, set) {
  const t = m.thresholds[0], limit = set[t.name], keeps = s => t.below ? s < limit : s >= limit;
  const why = s => limit === t.value ? null : `${number(s)} ${keeps(s) === !!t.below ? "<" : "≥"} ${number(limit)}`;
  return m.verdicts.map(v => {
    if (v.f) return given(v);
    if (!v.n) return { keep: +keeps(v.s), parts: null, from: v, score: v.s, why: why(v.s) };
    const parts = v.n.map(s => +keeps(s[5])), kept = parts.reduce((a, b) => a + b, 0);
    return { keep: +(kept > 0), parts, from: v, score: v.s, why: limit === t.value ? null : `${kept} of ${parts.length} sentences ${t.below ? "<" : "≥"} ${number(limit)}` };
  });
}

function decideByVote(m, all) {
  const voters = m.voters.map(i => all[i]);
  return m.verdicts.map((v, i) => {
    if (v.f) return given(v);
    const cast = voters.filter(d => d[i].keep >= 0), kept = cast.filter(d => d[i].keep > 0);
    const keep = +(2 * kept.length > cast.length), first = keep ? kept.find(d => d[i].parts || d[i].from.k) : null;
    return { keep, parts: first ? first[i].parts : null, from: first ? first[i].from : v, score: kept.length / cast.length,
      why: kept.length === Math.round(v.s * cast.length) ? null : `${kept.length} of ${cast.length} keep it` };
  });
}

// decideByJustext follows clean/justext: the class of each block without context,
// then four passes over the page.
function decideByJustext(m, set) {
  const s = { ...m.settings, ...set }, blocks = [];
  m.figures.forEach((f, i) => {
    if (!f) return;
    const b = DATA.blocks[i];
    blocks.push({ i, length: f[0], words: f[1], density: f[1] ? f[2] / f[1] : 0, stops: f[2], heading: !!(f[3] & 1), sign: !!(f[3] & 2), links: b.a || 0, linked: b.n ? (b.a || 0) / b.n : 0 });
  });
  let length = 0, words = 0, stops = 0, unfit = false;
  if (s.doubt) {
    for (const b of blocks) if (b.length >= s.length_low && b.linked <= s.max_link_density) { length += b.length; words += b.words; stops += b.stops; }
    unfit = length >= 200 && stops < s.min_fit * words;
  }
  const low = unfit ? 0 : s.stopwords_low, high = unfit ? 0 : s.stopwords_high;
  for (const b of blocks) {
    if (b.linked > s.max_link_density) [b.free, b.why] = ["bad", `link density ${number(b.linked)} > ${number(s.max_link_density)}`];
    else if (b.sign) [b.free, b.why] = ["bad", "copyright sign, or inside a select"];
    else if (b.length < s.length_low) [b.free, b.why] = [b.links > 0 ? "bad" : "short", `${b.length} characters < ${s.length_low}${b.links > 0 ? ", with a link" : ""}`];
    else if (b.density >= high) [b.free, b.why] = [b.length > s.length_high ? "good" : "neargood", `${high ? `stop words ${number(b.density)} ≥ ${number(high)}, ` : ""}${b.length} characters ${b.length > s.length_high ? ">" : "≤"} ${s.length_high}`];
    else if (b.density >= low) [b.free, b.why] = ["neargood", `stop words ${number(b.density)} < ${number(high)}`];
    else [b.free, b.why] = ["bad", `stop words ${number(b.density)} < ${number(low)}`];
    b.label = b.free;
  }
  const turn = (b, label, why) => { b.label = label; b.turned = why; };
  const raise = (which, to) => blocks.forEach((b, i) => {
    if (!b.heading || !which(b)) return;
    for (let j = i + 1, distance = 0; j < blocks.length && distance <= s.max_heading_distance; distance += Math.max(1, blocks[j++].length))
      if (blocks[j].label === "good") return turn(b, to, "heading soon before good text");
  });
  // look returns the nearest decided block before (1) or after (-1) each block.
  const look = step => {
    const out = [];
    let side = { decided: "bad", at: step > 0 ? -1 : blocks.length, near: false };
    for (let i = step > 0 ? 0 : blocks.length - 1; blocks[i]; i += step) {
      out[i] = side;
      const l = blocks[i].label;
      if (l === "good" || l === "bad") side = { decided: l, at: i, near: false };
      else if (l === "neargood") side = { ...side, near: true };
    }
    return out;
  };
  if (!s.no_first_pass) raise(b => b.label === "short", "neargood");
  let before = look(1), after = look(-1);
  blocks.forEach((b, i) => {
    if (b.label !== "short") return;
    let [good, bad] = [before[i], after[i]];
    if (good.decided === "bad") [good, bad] = [bad, good];
    if (bad.decided === "good") turn(b, "good", "between good and good");
    else if (good.decided === "bad") turn(b, "bad", "between bad and bad");
    else if (bad.near) turn(b, "good", "between good and near good");
    else if (s.good_distance > 0 && Math.abs(good.at - i) <= s.good_distance) turn(b, "good", "near a good block");
    else turn(b, "bad", "between good and bad");
  });
  after = look(-1);
  let last = "bad";
  blocks.forEach((b, i) => {
    if (b.label === "neargood") {
      const beside = last === "good" || after[i].decided === "good";
      turn(b, beside ? "good" : "bad", beside ? "beside a good block" : "between bad and bad");
    }
    last = b.label;
  });
  raise(b => b.label === "bad" && b.free !== "bad", "good");
  const moved = m.thresholds.some(t => set[t.name] !== t.value), out = m.verdicts.map(given);
  for (const b of blocks) out[b.i] = { keep: KEEPS[b.label], parts: null, from: m.verdicts[b.i], score: m.verdicts[b.i].s, free: b.free, why: moved ? b.why + (b.turned ? "; " + b.turned : "") : null };
  return out;
}

// keptOf returns the numbers of kept words and characters of block b.
function keptOf(b, d) {
  if (d.keep <= 0) return [0, 0];
  if (d.from.k && !d.parts) return d.from.k;
  if (!d.parts || d.parts.every(p => p)) return [b.w, b.n];
  let words = 0, chars = -1; // one space between two sentences
  d.parts.forEach((p, k) => { if (p) { words += d.from.n[k][2]; chars += d.from.n[k][3] + 1; } });
  return [words, Math.max(chars, 0)];
}

// textOf returns the kept text of block b; long text is cut in the file.
function textOf(b, d) {
  if (d.keep <= 0) return "";
  const rest = b.cut ? " […]" : "";
  if (!d.parts || d.parts.every(p => p)) return b.t + rest;
  let out = "", last = 0;
  d.parts.forEach((p, k) => {
    const [start, end] = d.from.n[k];
    if (!p || start >= b.t.length) return;
    if (out) out += b.t.slice(last, start).includes("\n") ? "\n" : " ";
    out += b.t.slice(start, end);
    last = end;
  });
  return out + rest;
}

const grouped = new Intl.NumberFormat("en"); // toLocaleString is slow

// number writes a score with three digits or more.
function number(x) {
  if (x == null) return "–";
  const a = Math.abs(x);
  if (a >= 1e6) return x.toExponential(2);
  if (a >= 100) return grouped.format(Math.round(x));
  return String(+x.toPrecision(3));
}
