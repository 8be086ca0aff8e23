"use strict";
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = s => document.querySelector(s);
const el = (tag, text, cls) => { const e = document.createElement(tag); if (text != null) e.textContent = text; if (cls) e.className = cls; return e; };
const form = $("form"), run = form.elements.run, lang = form.elements.lang, register = form.elements.register, sort = form.elements.sort, find = form.elements.find, wrong = form.elements.wrong;

const option = (select, text, value) => { const o = el("option", text); o.value = value; select.append(o); };
DATA.runs.forEach((r, i) => option(run, r.name, i));
option(lang, "all", "");
[...new Set(DATA.docs.map(d => d.lang))].forEach(l => option(lang, l || "unknown", l));
option(register, "all", "");
[...new Set(DATA.docs.flatMap(d => d.register.split(" ").filter(Boolean)))].sort().forEach(r => option(register, r, r));

// kind returns gold and prediction of a line: t text, b boilerplate.
const kind = (d, scores, n) => (d.labels[n] === "1" ? "t" : "b") + (scores[n] >= 50 ? "t" : "b");

// tally counts the errors of a document.
function tally(i) {
  const d = DATA.docs[i], s = DATA.runs[+run.value].scores[i];
  if (!s) return null;
  let lost = 0, kept = 0;
  for (let n = 0; n < s.length; n++) { const k = kind(d, s, n); if (k === "tb") lost++; else if (k === "bt") kept++; }
  return { i, d, s, lost, kept, errors: lost + kept, share: (lost + kept) / s.length };
}

let shown = [], current = -1;
function list() {
  const q = find.value.toLowerCase();
  shown = DATA.docs.map((_, i) => tally(i)).filter(t => t && (!lang.value || t.d.lang === lang.value)
    && (!register.value || t.d.register.split(" ").includes(register.value))
    && (!q || t.d.id.toLowerCase().includes(q) || t.d.lines.some(l => l.toLowerCase().includes(q))));
  const by = sort.value;
  shown.sort((a, b) => by === "id" ? a.i - b.i : b[by] - a[by] || a.i - b.i);
  let lines = 0, errors = 0;
  $("tbody").replaceChildren(...shown.map(t => {
    lines += t.s.length; errors += t.errors;
    const tr = el("tr");
    tr.append(el("td", t.d.id), el("td", t.d.lang), el("td", t.d.register), el("td", t.s.length, "n"), el("td", t.lost, "n"), el("td", t.kept, "n"), el("td", (100 - 100 * t.share).toFixed(0), "n"));
    tr.onclick = () => show(t.i);
    return tr;
  }));
  $(".count").textContent = `${shown.length} documents, ${lines} lines, ${errors} errors${lines ? `, accuracy ${(100 - 100 * errors / lines).toFixed(2)} %` : ""}`;
  show(shown.some(t => t.i === current) ? current : shown.length ? shown[0].i : -1);
}

function show(i) {
  current = i;
  [...$("tbody").children].forEach((tr, k) => tr.classList.toggle("on", shown[k].i === i));
  const t = i < 0 ? null : tally(i), box = $(".lines");
  box.replaceChildren();
  $("h3").textContent = t ? t.d.id : "";
  $(".facts").textContent = t ? `${[t.d.lang, t.d.register].filter(Boolean).join(" · ")} · ${t.s.length} lines · ${t.lost} of text lost · ${t.kept} of boilerplate kept` : "";
  if (!t) return;
  const bad = n => n >= 0 && n < t.s.length && "tb bt".includes(kind(t.d, t.s, n));
  let skipped = 0;
  const gap = () => { if (skipped) box.append(el("div", `… ${skipped} lines …`, "gap")); skipped = 0; };
  t.d.lines.forEach((text, n) => {
    if (wrong.checked && !bad(n - 1) && !bad(n) && !bad(n + 1)) { skipped++; return; }
    gap();
    const k = kind(t.d, t.s, n), row = el("div", null, "row"), p = el("span", t.s[n] + " ", "p"), m = el("meter");
    m.max = 100; m.value = t.s[n]; p.append(m);
    row.append(el("span", n + 1, "no"), p, el("span", k === "tb" ? "−" : k === "bt" ? "+" : "", "sign " + k), el("span", text, "line " + k));
    row.title = `${k[0] === "t" ? "text" : "boilerplate"}, taken for ${k[1] === "t" ? "text" : "boilerplate"}`;
    box.append(row);
  });
  gap();
}

form.onsubmit = e => e.preventDefault();
run.onchange = lang.onchange = register.onchange = sort.onchange = find.oninput = list;
wrong.onchange = () => show(current);
document.addEventListener("keydown", e => {
  if (/^(INPUT|SELECT)$/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey) return;
  const k = shown.findIndex(t => t.i === current) + (e.key === "j" ? 1 : e.key === "k" ? -1 : NaN);
  if (k >= 0 && k < shown.length) { show(shown[k].i); $("tbody").children[k].scrollIntoView({ block: "nearest" }); }
});
list();
document.body.dataset.ready = "yes";
