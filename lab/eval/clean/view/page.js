"use strict";
const SETS = JSON.parse(document.getElementById("data").textContent);
const el = (tag, text, cls) => { const e = document.createElement(tag); if (text != null) e.textContent = text; if (cls) e.className = cls; return e; };
const percent = v => v == null ? "–" : (100 * v).toFixed(1);

// unpack reads the texts of a page: gzip, base64, JSON.
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

// Separators of words for the scorer: Python's white space and controls.
const GAP = /[\0-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

// words splits a text as the scorer does; each word records whether it starts a line.
function words(text) {
  const out = [];
  for (const line of text.split("\n")) {
    let first = true;
    for (const w of line.split(GAP)) if (w) { out.push({ w, first }); first = false; }
  }
  return out;
}

// rows arranges the words of both texts in rows: aligned words share a row,
// other words have a row each.
function rows(gold, output, blocks) {
  const out = [];
  let row = null;
  const open = same => out.push(row = { same, gold: [], output: [] });
  let g = 0, o = 0;
  for (const [ob, gb, n] of [...blocks, [output.length, gold.length, 0]]) {
    if (ob - o + gb - g > 0) {
      if (!row || ob - o + gb - g > 6) open(false);
      for (; g < gb; g++) { if (gold[g].first && row.gold.length > 12) open(false); row.gold.push([gold[g].w, "del"]); }
      for (; o < ob; o++) { if (output[o].first && row.output.length > 12) open(false); row.output.push([output[o].w, "ins"]); }
      row.same = false;
    }
    for (let k = 0; k < n; k++, g++, o++) {
      if (!row || (gold[g].first && row.gold.length) || (k === 0 && !row.same && Math.max(row.gold.length, row.output.length) > 12)) open(true);
      row.gold.push([gold[g].w, null]);
      row.output.push([output[o].w, null]);
    }
  }
  return out;
}

// side writes runs of words of one kind as one element.
function side(list) {
  const div = el("div");
  for (let i = 0; i < list.length;) {
    const kind = list[i][1], run = [];
    while (i < list.length && list[i][1] === kind) run.push(list[i++][0]);
    const text = run.join(" ");
    if (div.childNodes.length) div.append(" ");
    div.append(kind ? el(kind, text) : text);
  }
  return div;
}

function drawRow(r) { const e = el("div", null, "row"); e.append(side(r.gold), side(r.output)); return e; }

function draw(box, list, fold) {
  box.replaceChildren();
  for (let i = 0; i < list.length;) {
    let j = i, n = 0;
    while (j < list.length && list[j].same) n += list[j++].gold.length;
    if (fold && j - i > 4) {
      const hidden = list.slice(i + 1, j - 1), e = el("div", null, "row fold");
      const label = `… ${n - list[i].gold.length - list[j - 1].gold.length} words the same …`;
      e.append(el("div", label), el("div", label));
      e.onclick = () => e.replaceWith(...hidden.map(drawRow));
      box.append(drawRow(list[i]), e, drawRow(list[j - 1]));
      i = j;
    } else if (j > i) { for (; i < j; i++) box.append(drawRow(list[i])); }
    else box.append(drawRow(list[i++]));
  }
}

// drawSnippets lists what must and must not appear beside the whole output.
function drawSnippets(box, snippets, text) {
  const row = el("div", null, "row"), list = el("div"), output = el("div", text);
  output.style.whiteSpace = "pre-wrap";
  for (const s of snippets) {
    const found = text.includes(s.text), p = el("p", (found ? "found: " : "absent: "));
    p.append(found === s.must ? s.text : el(s.must ? "del" : "ins", s.text), el("small", s.must ? " (must appear)" : " (must not appear)"));
    list.append(p);
  }
  row.append(list, output);
  box.replaceChildren(row);
}

function start(section, set) {
  const $ = s => section.querySelector(s), metric = $("[name=metric]"), find = $("[name=find]"), fold = $("[name=fold]");
  for (const [i, m] of set.metrics.entries()) { const o = el("option", m.title); o.value = i; o.title = m.help; metric.append(o); }
  let order = { column: set.systems.length ? 0 : -1, up: true }, shown = [], current = -1, system = 0;

  function list() {
    const m = +metric.value, q = find.value.toLowerCase();
    shown = set.pages.map((p, i) => i).filter(i => !q || (set.pages[i].id + " " + set.pages[i].meta.join(" ")).toLowerCase().includes(q));
    const key = i => order.column < 0 ? null : order.column < set.systems.length ? set.pages[i].scores[m][order.column] : set.pages[i].words;
    shown.sort((a, b) => order.column < 0 ? 0 : ((key(a) ?? -1) - (key(b) ?? -1)) * (order.up ? 1 : -1) || a - b);
    if (order.column < 0 && !order.up) shown.reverse();
    const head = el("tr"), mark = c => order.column === c ? (order.up ? " ↑" : " ↓") : "";
    const column = (name, c, cls) => { const th = el("th", name + mark(c), cls); th.onclick = () => { order = { column: c, up: order.column === c ? !order.up : true }; list(); }; head.append(th); };
    column("page", -1);
    for (const name of set.metaNames) head.append(el("th", name));
    column("gold words", set.systems.length, "num");
    set.systems.forEach((s, c) => column(s.name, c, "num"));
    $(".list thead").replaceChildren(head);
    const body = shown.map(i => {
      const p = set.pages[i], tr = el("tr");
      tr.append(el("td", p.id));
      for (const v of p.meta) tr.append(el("td", v, "meta"));
      tr.append(el("td", p.words));
      set.systems.forEach((s, c) => {
        const v = p.scores[m][c], td = el("td", percent(v), "s");
        td.style.setProperty("--w", 100 * (v ?? 0) + "%"); td.style.setProperty("--c", s.colour);
        td.onclick = () => { system = c; };
        tr.append(td);
      });
      tr.onclick = () => show(i);
      tr.classList.toggle("on", i === current);
      return tr;
    });
    $(".list tbody").replaceChildren(...body);
    $(".count").textContent = `${shown.length} of ${set.pages.length} pages`;
  }

  async function show(i) {
    current = i;
    [...$(".list tbody").children].forEach((tr, k) => tr.classList.toggle("on", shown[k] === i));
    const p = set.pages[i], texts = await unpack(p.packed);
    if (current !== i) return;
    $(".viewer").hidden = false;
    $("h4").textContent = p.id;
    $(".systems").replaceChildren(...set.systems.map((s, c) => { const b = el("button", `${s.name} ${percent(p.scores[+metric.value][c])}`); b.type = "button"; b.onclick = () => { system = c; show(i); }; b.setAttribute("aria-pressed", c === system); return b; }));
    const out = texts.outputs[system], gold = words(texts.gold), output = words(out.text);
    const figures = set.metrics.map((m, k) => `${m.title} ${percent(p.scores[k][system])}`);
    if (texts.snippets) {
      $(".facts").textContent = [p.url, ...figures].filter(Boolean).join(" · ");
      drawSnippets($(".diff"), texts.snippets, out.text);
      return;
    }
    const same = out.blocks.reduce((n, b) => n + b[2], 0);
    $(".facts").textContent = [p.url, `${same} words the same, ${gold.length - same} missing, ${output.length - same} extra`, ...figures].filter(Boolean).join(" · ");
    draw($(".diff"), rows(gold, output, out.blocks), fold.checked);
  }

  function step(d) { const k = shown.indexOf(current) + d; if (k >= 0 && k < shown.length) { show(shown[k]); $(".list tbody").children[k].scrollIntoView({ block: "nearest" }); } }
  metric.onchange = find.oninput = list;
  fold.onchange = () => current >= 0 && show(current);
  $("[name=prev]").onclick = () => step(-1);
  $("[name=next]").onclick = () => step(1);
  section.querySelector("form").onsubmit = e => e.preventDefault();
  section.step = step;
  list();
  return shown.length ? show(shown[0]) : null;
}

const sections = [...document.querySelectorAll("section.set")];
for (const i of document.querySelectorAll("i[data-colour]")) i.style.background = i.dataset.colour;
Promise.all(sections.map((s, i) => start(s, SETS[i]))).then(() => { document.body.dataset.ready = "yes"; });
document.addEventListener("keydown", e => {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey) return;
  const s = sections.find(s => s.getBoundingClientRect().bottom > innerHeight / 3) || sections[0];
  if (e.key === "j") s.step(1); else if (e.key === "k") s.step(-1);
});
