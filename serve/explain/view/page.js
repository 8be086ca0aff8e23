const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
// el creates an element; text of the page is inserted as text only.
const el = (tag, cls, ...inside) => { const e = document.createElement(tag); if (cls) e.className = cls; e.append(...inside); return e; };
const count = n => grouped.format(n), many = (n, what) => `${count(n)} ${what}${n === 1 ? "" : "s"}`;
const SHORT = 700, LONG = 1200; // characters shown of a block that has more than LONG

// The choices of the reader. They are stored in the address, so that a view can be
// shared: #method=NAME&NAME.threshold=VALUE&block=N&show=WHAT&find=TEXT&keep=ROLES.
const state = { method: DATA.first, set: DATA.methods.map(defaults), pin: -1, at: -1, show: "all", find: "", keep: null };
// Embedded in another page, which shows title and figures, they are hidden.
document.body.classList.toggle("inside", self !== top);
let decisions = [], initial = [], rows = [], order = [];

function defaults(m) { return Object.fromEntries((m.thresholds || []).map(t => [t.name, t.value])); }

function readAddress() {
  const named = name => DATA.methods.findIndex(m => m.name === name && m.verdicts);
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
    const [name, threshold] = key.split(".");
    if (threshold) {
      const m = named(name);
      if (m >= 0 && threshold in state.set[m] && value !== "" && Number.isFinite(+value)) state.set[m][threshold] = +value;
    } else if (key === "method" && named(value) >= 0) state.method = named(value);
    else if (key === "block" && DATA.blocks[value - 1]) state.pin = value - 1;
    else if (key === "show" && [...$("show").options].some(o => o.value === value)) state.show = value;
    else if (key === "find") state.find = value;
    else if (key === "keep") state.keep = rolesOf(value);
  }
}

function writeAddress() {
  const p = new URLSearchParams();
  p.set("method", DATA.methods[state.method].name);
  DATA.methods.forEach((m, i) => (m.thresholds || []).forEach(t => { if (state.set[i][t.name] !== t.value) p.set(m.name + "." + t.name, state.set[i][t.name]); }));
  if (state.pin >= 0) p.set("block", state.pin + 1);
  if (state.show !== "all") p.set("show", state.show);
  if (state.find) p.set("find", state.find);
  if (state.keep) p.set("keep", nameOf(state.keep));
  history.replaceState(null, "", "#" + p);
}

function decideAll(set) {
  const all = [];
  DATA.methods.forEach((m, i) => { if (m.rule !== "vote") all[i] = m.verdicts ? decide(m, set[i], all) : null; });
  DATA.methods.forEach((m, i) => { if (m.rule === "vote") all[i] = decide(m, set[i], all); });
  return byRole(all);
}

// check removes the sliders of a method whose labels this script cannot reproduce.
function check() {
  const exact = [];
  DATA.methods.forEach((m, i) => {
    if (!m.rule) return;
    const same = m.verdicts.every((v, b) => KEEPS[v.l] === initial[i][b].keep && (!v.n || !initial[i][b].parts || v.n.every((s, k) => s[4] === initial[i][b].parts[k])));
    if (same) { exact.push(m.name); return; }
    m.rule = ""; m.thresholds = []; state.set[i] = {};
    console.error("labels of " + m.name + " are not reproduced");
  });
  document.body.dataset.exact = exact.join(" ");
  if (DATA.methods.some(m => m.verdicts && m.rule === "")) initial = decideAll(DATA.methods.map(defaults));
}

// classOf returns the class of block i: its colour and its bar.
function classOf(i, d, m) {
  const v = m.verdicts[i];
  const kind = v.h ? "hidden" : d.keep > 0 ? "kept" : d.keep < 0 ? "unknown" : "dropped";
  return v.role && !v.h ? `r-${v.role} ${kind}` : kind;
}
const wordFor = { kept: "kept", dropped: "dropped", hidden: "hidden", unknown: "no label" };
const roleIn = cls => cls.startsWith("r-") ? cls.slice(2, cls.indexOf(" ")) : "";
const called = cls => wordFor[cls.split(" ").pop()] + (roleIn(cls) ? ", " + roleIn(cls) : "");
const kindOf = b => ({ paragraph: "p", heading: "h" + (b.l || ""), item: "li", cell: "td", line: "line", code: "pre" })[b.k] || b.k;

function makeRows() {
  rows = DATA.blocks.map((b, i) => {
    const li = el("li", "b"), t = el("div", "t");
    t.dir = "auto";
    li.append(el("span", "k", kindOf(b)), t, el("span", "s"));
    li.dataset.i = i;
    li.tabIndex = -1;
    return { li, t, cls: null, parts: null, open: false };
  });
  $("blocks").replaceChildren(...rows.map(r => r.li));
  if (rows.length) rows[Math.max(state.pin, 0)].li.tabIndex = 0;
  $("none").hidden = rows.length > 0;
}

// fill writes the text of a block and strikes out dropped sentences.
function fill(i, d) {
  const b = DATA.blocks[i], r = rows[i], text = b.t;
  const end = r.open || text.length <= LONG ? text.length : SHORT, out = [];
  let at = 0;
  if (d.parts && d.keep > 0) d.parts.forEach((p, k) => {
    const [start, stop] = d.from.n[k];
    if (start >= end) return;
    if (start > at) out.push(text.slice(at, start));
    const s = text.slice(start, Math.min(stop, end));
    out.push(p ? s : el("s", "", s));
    at = Math.min(stop, end);
  });
  if (at < end) out.push(text.slice(at, end));
  if (end < text.length || (r.open && text.length > LONG)) {
    const button = el("button", "more", r.open ? "show less" : `… show ${b.cut ? "first " : "all "}${many([...text].length, "character")}`);
    button.type = "button";
    button.tabIndex = -1;
    button.onclick = e => { e.stopPropagation(); toggle(i); };
    out.push(button);
  }
  if (b.cut && end === text.length) out.push(el("span", "gone", ` … ${count(b.n - [...text].length)} more characters are not in this file`));
  if (!out.length) out.push(el("span", "gone", "(no text)"));
  r.t.replaceChildren(...out);
}

function toggle(i) { rows[i].open = !rows[i].open; fill(i, decisions[state.method][i]); }

const flag = parts => parts ? parts.join("") : "";

// paint updates all blocks to the decisions of the chosen method.
function paint() {
  const m = DATA.methods[state.method], ds = decisions[state.method];
  rows.forEach((r, i) => {
    const d = ds[i], b = DATA.blocks[i], cls = classOf(i, d, m), parts = d.keep > 0 ? flag(d.parts) : "";
    if (r.cls === null || r.parts !== parts) { r.parts = parts; fill(i, d); }
    const whole = `b ${cls} ${b.k}${b.k === "heading" ? " l" + b.l : ""}${b.h ? " veiled" : ""}${i === state.pin ? " pin" : ""}`;
    if (r.cls !== whole) { r.cls = whole; r.li.className = whole; }
    const some = parts.includes("0") ? called(cls).replace("kept", "partly kept") : called(cls), score = d.keep < 0 || m.verdicts[i].h ? null : d.score, tag = score == null ? some : `${some} · ${number(score)}`;
    if (r.tag !== tag) { r.tag = tag; r.li.lastChild.textContent = tag; }
  });
  filter();
  counts();
  showRoles();
  clean();
  drawMap();
  detail(state.at >= 0 ? state.at : state.pin);
}

function filter() {
  const ds = decisions[state.method], q = state.find.toLowerCase();
  const asked = DATA.methods.map((m, i) => i).filter(i => DATA.methods[i].verdicts && DATA.methods[i].name !== "keep" && DATA.methods[i].rule !== "vote");
  const split = i => { const ks = new Set(asked.map(m => decisions[m][i].keep).filter(k => k >= 0)); return ks.size > 1; };
  const which = { all: () => true, kept: i => ds[i].keep > 0, dropped: i => ds[i].keep <= 0, split, moved: i => ds[i].keep !== initial[state.method][i].keep || flag(ds[i].parts) !== flag(initial[state.method][i].parts) }[state.show];
  order = [];
  rows.forEach((r, i) => {
    const on = which(i) && (!q || DATA.blocks[i].t.toLowerCase().includes(q));
    if (r.li.hidden === on) r.li.hidden = !on;
    if (on) order.push(i);
  });
  $("none").hidden = order.length > 0;
}

// whole counts the visible text, and the kept text in hidden blocks.
function whole(ds) {
  const t = { blocks: 0, words: 0, chars: 0 };
  DATA.blocks.forEach((b, i) => { if (!b.h || ds[i].keep > 0) { t.blocks++; t.words += b.w; t.chars += b.n; } });
  return t;
}

// totals counts the kept text.
function totals(ds) {
  const t = { blocks: 0, words: 0, chars: 0 };
  DATA.blocks.forEach((b, i) => { if (ds[i].keep > 0) { const [w, n] = keptOf(b, ds[i]); t.blocks++; t.words += w; t.chars += n; } });
  return t;
}

function counts() {
  const m = DATA.methods[state.method], t = totals(decisions[state.method]), all = whole(decisions[state.method]);
  const parts = [["blocks", "blocks"], ["words", "words"], ["chars", "characters"]].map(([k, name]) => {
    const bar = el("i"), gauge = el("span", "gauge", bar), of = el("small", "", ` of ${count(all[k])} ${name}`);
    bar.style.width = 100 * t[k] / Math.max(1, all[k]) + "%";
    const e = el("span", "count", gauge, el("span", "", el("b", "", count(t[k])), of));
    e.dataset.count = k; e.dataset.value = t[k];
    return e;
  });
  if (m.silent) parts.splice(0, parts.length, el("span", "why", m.silent));
  else if (DATA.blocks.length && t.blocks === 0) parts.push(el("span", "why", m.drop ? "page dropped: " + m.drop : "page dropped: no block kept"));
  if (m.confidence) {
    const e = el("span", "count", el("span", "", el("b", "", m.confidence), el("small", "", ` confidence in these labels (${m.confidence_policy})`)));
    e.title = "Probability that the kept text has a word F above 0.9 against the text of this policy, at the default thresholds.";
    parts.push(e);
  }
  if (m.page_type) {
    const e = el("span", "count", el("span", "", el("b", "", m.page_type), el("small", "", ` page type (${m.page_type_confidence})`)));
    e.title = "Estimated type of the page, with its probability.";
    parts.push(e);
  }
  $("counts").replaceChildren(...parts);
  document.body.classList.toggle("changed", state.method !== DATA.first || !!state.keep || JSON.stringify(state.set) !== JSON.stringify(DATA.methods.map(defaults)));
  DATA.methods.forEach((m, i) => { if (decisions[i]) $("share" + i).textContent = m.silent || Math.round(100 * totals(decisions[i]).words / Math.max(1, whole(decisions[i]).words)) + " %"; });
}

// cleanLines returns the kept text, one block per line.
function cleanLines() {
  const ds = decisions[state.method];
  return DATA.blocks.map((b, i) => [i, textOf(b, ds[i])]).filter(x => x[1] !== "");
}
const SHOWN = 120000; // characters of clean text that are shown

function clean() {
  const lines = cleanLines(), out = [];
  let drawn = 0, at = 0;
  for (; at < lines.length && drawn < SHOWN && at < 3000; at++) {
    const text = lines[at][1].slice(0, SHOWN - drawn), p = el("p", "", text);
    p.dataset.i = lines[at][0];
    drawn += text.length;
    out.push(p);
    if (text.length < lines[at][1].length) { out.push(el("p", "gone", "… block shortened; Copy includes all of it")); }
  }
  if (at < lines.length) out.push(el("p", "gone", `… and ${count(lines.length - at)} more blocks; Copy includes them`));
  if (!lines.length) out.push(el("p", "gone", DATA.methods[state.method].silent ? `No decision: ${DATA.methods[state.method].silent}.` : "No block kept."));
  $("clean").replaceChildren(...out);
  follow();
  $("textsize").textContent = DATA.blocks.some((b, i) => b.cut && decisions[state.method][i].keep > 0) ? "long blocks are shortened: […]" : "";
}

// detail shows all data of block i.
function detail(i) {
  const box = $("detail");
  if (!DATA.blocks[i]) { box.replaceChildren(); return; }
  const b = DATA.blocks[i], m = DATA.methods[state.method], d = decisions[state.method][i], cls = classOf(i, d, m);
  const close = el("button", "close", "Close");
  close.type = "button";
  close.onclick = () => { state.at = -1; pin(-1); };
  const head = el("h2", cls, `${b.k}${b.l ? " " + b.l : ""}, ${called(cls)}`, el("small", "", `block ${count(i + 1)} of ${count(DATA.blocks.length)}`), close);
  const table = el("table"), body = el("tbody");
  DATA.methods.forEach((m, k) => {
    if (!m.verdicts) return;
    const d = decisions[k][i], v = m.verdicts[i], c = classOf(i, d, m), tr = el("tr", k === state.method ? "on" : "");
    const th = el("th", "", m.name);
    th.scope = "row";
    tr.append(th, el("td", "", el("span", "verdict " + c, called(c))), el("td", "n", v.h || d.keep < 0 ? "" : number(d.score)));
    body.append(tr);
    const free = d.free || v.c, td = el("td", "", (d.why ?? DATA.whys[v.w]) + (free && free !== v.l ? ` (context-free: ${free === "neargood" ? "near good" : free})` : "") + (v.f && m.rule && !v.h && d.keep >= 0 ? " · not affected by the sliders" : ""));
    td.colSpan = 3;
    if (td.textContent) body.append(el("tr", "why", td));
  });
  table.append(body);
  const facts = el("dl"), add = (name, ...value) => facts.append(el("dt", "", name), el("dd", "", ...value));
  add("length", `${many(b.n, "character")}, ${many(b.w, "word")}`);
  add("links", `${Math.round(100 * (b.a || 0) / Math.max(1, b.n))} % of the characters`);
  if (b.h) add("visible", "no, hidden by the page");
  if (b.g) add("inline tags", count(b.g));
  const path = DATA.paths[b.p];
  if (path) add("path", el("code", "", path.replaceAll(".", " › ")));
  const chain = elementsOf(b.e);
  if (chain.length) add("elements", ...chain.flatMap((c, k) => k ? [el("br"), c] : [c]));
  add("source", `bytes ${count(b.s[0])}–${count(b.s[1])}`);
  box.replaceChildren(head, table, facts);
  if (d.from.n) box.append(el("ol", "sentences", ...d.from.n.slice(0, 200).map((s, k) => {
    const text = el("span", "", b.t.slice(s[0], Math.min(s[1], s[0] + 160)) + (s[1] - s[0] > 160 ? " …" : ""));
    text.dir = "auto";
    return el("li", (d.parts ? d.parts[k] : s[4]) ? "kept" : "dropped", el("span", "", number(s[5])), text);
  })));
}

// elementsOf names the elements around a block that have a class, id or role,
// the innermost first.
function elementsOf(e) {
  const out = [];
  for (let steps = 0; e >= 0 && DATA.elements[e] && steps < 1000; e = DATA.elements[e].p, steps++) {
    const x = DATA.elements[e];
    if (!x.c && !x.i && !x.r && !x.m) continue;
    let s = x.n + (x.i ? "#" + x.i.trim() : "") + (x.c ? "." + x.c.trim().split(/\s+/).join(".") : "");
    if (x.r) s += ` role=${x.r}`;
    if (x.m) s += ` itemprop=${x.m}`;
    out.push(el("code", "", el("bdi", "", s)));
    if (out.length === 12) break;
  }
  return out;
}

// The overview: a band for each block, in proportion to its length; kept blocks have
// the full width, dropped blocks do not.
let bands = [];
function drawMap() {
  const map = $("map"), w = map.clientWidth, h = map.clientHeight, ratio = devicePixelRatio || 1;
  if (!w || !h || !rows.length) return;
  map.width = w * ratio; map.height = h * ratio;
  const g = map.getContext("2d"), css = getComputedStyle(document.documentElement), colour = name => css.getPropertyValue("--" + name).trim();
  const colours = { kept: colour("kept"), dropped: colour("dropped"), hidden: colour("hidden"), unknown: colour("hidden") };
  const weight = i => 18 + Math.min(DATA.blocks[i].n, 6000), sum = order.reduce((s, i) => s + weight(i), 0);
  g.scale(ratio, ratio);
  bands = [];
  let y = 0;
  const m = DATA.methods[state.method];
  for (const i of order) {
    const height = weight(i) / sum * h, cls = classOf(i, decisions[state.method][i], m), kind = cls.split(" ").pop();
    g.fillStyle = roleIn(cls) ? colour("r-" + roleIn(cls)) : colours[kind];
    const part = kind === "kept" ? 1 : kind === "dropped" ? .45 : .15, gap = height > 3 ? 1 : 0;
    g.globalAlpha = kind === "kept" ? 1 : .7;
    g.fillRect(0, y, Math.max(2, w * part), Math.max(height - gap, .4));
    bands.push([y, y + height, i]);
    y += height;
  }
  g.globalAlpha = 1;
  const seen = inView();
  if (!seen) return;
  const [top, bottom] = [bands.find(b => b[2] >= seen[0]), bands.findLast(b => b[2] <= seen[1])];
  if (!top || !bottom) return;
  g.strokeStyle = colour("ink"); g.lineWidth = 2;
  g.strokeRect(1, Math.max(1, top[0]), w - 2, Math.max(8, bottom[1] - top[0]) - 1);
}

// inView returns the first and the last block on the screen.
function inView() {
  const top = $("bar").getBoundingClientRect().bottom, find = y => {
    let low = 0, high = order.length - 1;
    while (low < high) { const mid = (low + high) >> 1; if (rows[order[mid]].li.getBoundingClientRect().bottom < y) low = mid + 1; else high = mid; }
    return order[low];
  };
  return order.length ? [find(top + 1), find(innerHeight - 1)] : null;
}

function jump(e) {
  const y = e.clientY - $("map").getBoundingClientRect().top, band = bands.find(b => y < b[1]) || bands[bands.length - 1];
  if (band) rows[band[2]].li.scrollIntoView({ block: "center" });
}

// pin keeps block i in the detail and moves the keyboard to it.
function pin(i, focus) {
  const old = state.pin;
  state.pin = i;
  for (const k of [old, i]) if (rows[k]) {
    const li = rows[k].li;
    li.classList.toggle("pin", k === i);
    rows[k].cls = li.className;
    if (k === i) li.setAttribute("aria-current", "true"); else li.removeAttribute("aria-current");
  }
  if (rows[i]) {
    document.querySelectorAll("#blocks > [tabindex='0']").forEach(e => { e.tabIndex = -1; });
    rows[i].li.tabIndex = 0;
    if (focus) { rows[i].li.focus({ preventScroll: true }); rows[i].li.scrollIntoView({ block: "nearest" }); }
  }
  detail(i);
  if (rows[i] && narrow.matches) rows[i].li.scrollIntoView({ block: "nearest" }); // not covered by the detail
  follow();
  writeAddress();
}

// follow brings the pinned block into view in the clean text.
function follow() {
  const box = $("clean");
  for (const p of box.querySelectorAll(".on")) p.classList.remove("on");
  const p = state.pin >= 0 && box.querySelector(`[data-i="${state.pin}"]`);
  if (!p) return;
  p.classList.add("on");
  if (p.offsetTop < box.scrollTop || p.offsetTop + p.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = p.offsetTop - box.clientHeight / 3;
}

function step(by) {
  const at = order.indexOf(state.pin), to = order[Math.max(0, Math.min(order.length - 1, at < 0 ? 0 : at + by))];
  if (to !== undefined) pin(to, true);
}

let asked = false;
function redecide() {
  if (asked) return;
  asked = true;
  setTimeout(() => { asked = false; decisions = decideAll(state.set); paint(); writeAddress(); });
}

function makeMethods() {
  $("methods").replaceChildren(...DATA.methods.map((m, i) => {
    const input = el("input"), share = el("small", ""), label = el("label", "", input, m.name, share);
    input.type = "radio"; input.name = "method"; input.value = m.name; input.disabled = !m.verdicts; input.checked = i === state.method;
    share.id = "share" + i;
    if (!m.verdicts) share.textContent = "unavailable";
    label.title = m.error || m.help;
    input.onchange = () => { state.method = i; makeSliders(); makeRoles(); paint(); writeAddress(); };
    return label;
  }));
}

// Places on a slider, 0 to 1000, and values of its threshold.
const toPlace = (t, v) => Math.round(1000 * (t.log ? Math.log(v / t.low) / Math.log(t.high / t.low) : (v - t.low) / (t.high - t.low)));
function toValue(t, place) {
  if (place === toPlace(t, t.value)) return t.value;
  const v = t.log ? t.low * (t.high / t.low) ** (place / 1000) : t.low + (t.high - t.low) * place / 1000;
  return t.whole ? Math.round(v) : +v.toPrecision(3);
}

// makeSliders creates the sliders of the chosen method; for a vote the first slider
// of each voter.
function makeSliders() {
  const m = DATA.methods[state.method], box = $("sliders"), vote = m.rule === "vote";
  const of = (m, t) => [DATA.methods.indexOf(m), t];
  const which = vote ? m.voters.map(i => DATA.methods[i]).filter(v => (v.thresholds || []).length).map(v => of(v, v.thresholds[0])) : (m.thresholds || []).map(t => of(m, t));
  const sliders = which.map(([at, t]) => slider(at, t, which.length > 1, vote));
  if (sliders.length) {
    const reset = el("button", "", "Reset");
    reset.type = "button";
    reset.onclick = () => { for (const [at, t] of which) state.set[at][t.name] = t.value; sliders.forEach(w => w.show()); redecide(); };
    box.replaceChildren(...sliders, reset);
  } else box.replaceChildren("This method has no adjustable thresholds.");
  sliders.forEach(w => w.show());
}

// slider creates the slider of threshold t of method at.
function slider(at, t, many, vote) {
  const m = DATA.methods[at], set = state.set[at], range = el("input"), exact = el("input"), bars = m.rule === "score" ? el("canvas") : null;
  const label = el("label", "", (vote ? m.name + " " : "") + t.name.replaceAll("_", " "), " ", el("small", "", many ? "" : t.help)), wrap = el("div", "slider", label);
  range.type = "range"; range.min = 0; range.max = 1000; range.id = `slider-${m.name}-${t.name}`; label.htmlFor = range.id; label.title = t.help;
  exact.type = "number"; exact.step = "any"; exact.id = `exact-${m.name}-${t.name}`; exact.ariaLabel = `${m.name} ${t.name}, exact value`;
  if (bars) { bars.ariaHidden = "true"; wrap.append(bars); }
  wrap.append(range, exact);
  wrap.show = moved => {
    const v = set[t.name];
    range.value = toPlace(t, v);
    range.ariaValueText = number(v);
    if (moved !== exact) exact.value = v === t.value ? +v.toPrecision(4) : v;
    wrap.classList.toggle("moved", v !== t.value);
    if (bars) histogram(bars, m, t, v);
  };
  range.oninput = () => { set[t.name] = toValue(t, +range.value); wrap.show(range); redecide(); };
  exact.oninput = () => { if (exact.value !== "" && Number.isFinite(+exact.value)) { set[t.name] = +exact.value; wrap.show(exact); redecide(); } };
  return wrap;
}

// histogram draws the amount of text by score; kept text is filled.
function histogram(canvas, m, t, limit) {
  const w = canvas.clientWidth, h = canvas.clientHeight, ratio = devicePixelRatio || 1, n = 60, bins = new Float64Array(n);
  if (!w) return;
  const put = (s, chars) => { if (s == null || (t.log && s <= 0)) return; bins[Math.max(0, Math.min(n - 1, Math.floor(toPlace(t, s) * n / 1001)))] += chars; };
  m.verdicts.forEach((v, i) => { if (!v.f) { if (v.n) v.n.forEach(s => put(s[5], s[3])); else put(v.s, DATA.blocks[i].n); } });
  canvas.width = w * ratio; canvas.height = h * ratio;
  const g = canvas.getContext("2d"), css = getComputedStyle(document.documentElement), top = Math.sqrt(Math.max(...bins)) || 1, cut = toPlace(t, limit) / 1000 * w;
  g.scale(ratio, ratio);
  bins.forEach((b, k) => {
    const x = 8 + k * (w - 16) / n, height = b ? Math.max(2, Math.sqrt(b) / top * h) : 0, kept = (x + (w - 16) / n / 2 < 8 + cut / w * (w - 16)) === !!t.below;
    g.fillStyle = css.getPropertyValue(kept ? "--kept" : "--dropped").trim();
    g.globalAlpha = kept ? 1 : .45;
    g.fillRect(x, h - height, (w - 16) / n - 1, height);
  });
}

async function copy() {
  const text = cleanLines().map(x => x[1]).join("\n") + "\n";
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch {
    const area = el("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
  }
  $("copy").textContent = done ? "Copied" : "Blocked: select and copy";
  setTimeout(() => { $("copy").textContent = "Copy"; }, 1500);
}

const narrow = matchMedia("(max-width: 60rem)"); // as in page.css

function listen() {
  const list = $("blocks"), indexOf = e => { const li = e.target.closest && e.target.closest("[data-i]"); return li ? +li.dataset.i : -1; };
  list.addEventListener("pointerover", e => { if (e.pointerType === "touch") return; const i = indexOf(e); if (i !== state.at) { state.at = i; detail(i); } });
  list.addEventListener("pointerleave", () => { state.at = -1; detail(state.pin); });
  list.addEventListener("focusin", e => { const i = indexOf(e); if (i >= 0 && i !== state.pin) { state.at = -1; pin(i); } });
  list.addEventListener("click", e => { const i = indexOf(e); if (i < 0) return; state.at = -1; pin(i); });
  list.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const move = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, Home: -Infinity, End: Infinity }[e.key];
    if (move) { e.preventDefault(); if (Math.abs(move) === 1) step(move); else pin(order[move < 0 ? 0 : order.length - 1], true); }
    if (e.key === "Enter" && state.pin >= 0 && DATA.blocks[state.pin].t.length > LONG) toggle(state.pin);
  });
  $("clean").addEventListener("click", e => { const i = indexOf(e); if (i >= 0 && !String(getSelection())) { pin(i); rows[i].li.scrollIntoView({ block: "center" }); } });
  $("show").onchange = () => { state.show = $("show").value; filter(); drawMap(); writeAddress(); };
  $("find").oninput = () => { state.find = $("find").value; filter(); drawMap(); writeAddress(); };
  $("bar").onsubmit = e => e.preventDefault();
  $("copy").onclick = copy;
  const map = $("map");
  map.onpointerdown = e => { map.setPointerCapture(e.pointerId); jump(e); };
  map.onpointermove = e => { if (e.buttons) jump(e); };
  let waits = false;
  const later = () => { if (!waits) { waits = true; requestAnimationFrame(() => { waits = false; drawMap(); }); } };
  addEventListener("scroll", later, { passive: true });
  new ResizeObserver(() => { measureBar(); later(); }).observe($("bar"));
  addEventListener("resize", later);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { makeSliders(); drawMap(); });
  addEventListener("hashchange", () => location.reload());
}

function measureBar() { document.documentElement.style.setProperty("--bar", $("bar").offsetHeight + "px"); }

// openOnText scrolls to the first kept block if menus before it fill the screen.
function openOnText() {
  const first = order.find(i => decisions[state.method][i].keep > 0);
  if (first === undefined || rows[first].li.getBoundingClientRect().bottom <= innerHeight) return;
  measureBar();
  rows[order[Math.max(0, order.indexOf(first) - 1)]].li.scrollIntoView(); // the dropped block before shows that there is more
}

function start() {
  initial = decideAll(DATA.methods.map(defaults));
  check();
  readAddress();
  $("show").value = state.show;
  $("find").value = state.find;
  $("tune").open = !narrow.matches;
  makeMethods();
  makeRows();
  decisions = decideAll(state.set);
  listen();
  makeSliders();
  makeRoles();
  paint();
  $("methods").scrollLeft = $("methods").children[state.method].offsetLeft - 8;
  if (state.pin >= 0) rows[state.pin].li.scrollIntoView({ block: "center" });
  else openOnText();
  document.body.dataset.ready = "yes";
}
start();
