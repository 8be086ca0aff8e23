// Charts: bars along the corpus, a line over time. Each fits the width of its box.
import { el, svg, count, many, rate } from "./dom.js";

// fit draws for a default width, and again when the width of the box changes.
function fit(box, draw) {
  let last = 700;
  box.append(draw(last));
  new ResizeObserver(() => {
    const w = Math.round(box.clientWidth);
    if (w && w !== last) requestAnimationFrame(() => box.replaceChildren(draw(last = w)));
  }).observe(box);
  return box;
}

// nice returns a round number of at least max, and a step of about a fifth of it.
function nice(max) {
  if (!(max > 0)) return [1, 1];
  const p = 10 ** Math.floor(Math.log10(max / 4)), step = [1, 2, 2.5, 5, 10].map(s => s * p).find(s => s * 5 >= max) || 10 * p;
  return [Math.ceil(max / step - 1e-9) * step, step];
}

// plot draws the dispersion of hits in the corpus: a bar for each bin. chosen(i)
// shows the hits from bin i.
export function plot(bins, hits, chosen) {
  const most = Math.max(...bins, 1);
  return fit(el("div", { class: "plot" }), w => {
    const h = 46, b = w / bins.length;
    return svg("svg", { viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: "img", "aria-label": `${count(hits)} hits in ${bins.length} parts of the corpus; ${bins.filter(n => n > 0).length} parts have hits, at most ${count(most)}` },
      svg("line", { class: "axisline", x1: 0, x2: w, y1: h - .5, y2: h - .5 }),
      bins.map((n, i) => n > 0 && svg("g", { class: "bin", onclick: () => chosen(i) },
        svg("title", null, `${many(n, "hit")} from ${i} %`),
        svg("rect", { class: "catch", x: i * b, y: 0, width: b, height: h }),
        svg("rect", { class: "mark", x: i * b, width: Math.max(1, b - (b > 4 ? 1 : 0)), y: h - Math.max(2, (h - 2) * n / most), height: Math.max(2, (h - 2) * n / most) }))));
  });
}

// line draws values over time. points are {label, at, value, hits, part}, or with says
// in place of the last two; they are in the order of at, their position.
export function line(points, what) {
  const [top, step] = nice(Math.max(...points.map(p => p.value))), from = points[0], to = points[points.length - 1];
  return fit(el("div", { class: "line" }), w => {
    const h = w < 500 ? 200 : 260, left = 14 + 7 * rate(top).length, right = 20, up = 14, down = 28;
    const x = p => left + (p.at - from.at) / (to.at - from.at || 1) * (w - left - right), y = v => up + (1 - v / top) * (h - up - down);
    const ticks = [], room = 14 + 7 * from.label.length, names = [];
    for (let v = 0; v <= top * 1.0001; v += step) ticks.push(v);
    for (const p of points) if (!names.length || x(p) - x(names[names.length - 1]) >= room) names.push(p);
    const high = points.reduce((a, p) => p.value > a.value ? p : a), low = points.reduce((a, p) => p.value < a.value ? p : a);
    return svg("svg", { viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: "img", "aria-label": `${what}, ${from.label} to ${to.label}: minimum ${rate(low.value)} in ${low.label}, maximum ${rate(high.value)} in ${high.label}` },
      ticks.map(v => [svg("line", { class: "grid", x1: left, x2: w - right, y1: y(v), y2: y(v) }), svg("text", { class: "tick end", x: left - 7, y: y(v) + 4 }, rate(v).replace(/\.0+$/, ""))]).flat(),
      names.map(p => svg("text", { class: "tick mid", x: Math.min(w - 4 * p.label.length, Math.max(4 * p.label.length, x(p))), y: h - 8 }, p.label)),
      svg("polyline", { class: "run", points: points.map(p => `${x(p).toFixed(1)},${y(p.value).toFixed(1)}`).join(" ") }),
      points.map(p => svg("circle", { class: "dot", cx: x(p), cy: y(p.value), r: points.length > 80 ? 2 : 3.5 }, svg("title", null, p.says || `${p.label}: ${rate(p.value)}, ${many(p.hits, "hit")}${p.part ? ` in ${count(p.part)} tokens` : ""}`))));
  });
}
