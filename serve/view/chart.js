// Charts in SVG. Each function returns a figure that fits the width of its box: a title,
// the value under the pointer or the focus, and a table with the same values.
//
//   bars(title, items, options)               horizontal bars
//   lines(title, series, options)             lines; a series is {name, items}, items have at
//   network(title, centre, items, options)    a word in the middle and its collocates around it
//   treemap(title, items, options)            areas in proportion to value
//   dispersion(title, items, options)         narrow columns along the corpus
//   scatter(title, items, options)            points on two logarithmic axes
//
// An item is {label, value, says, href}: says is its description (default: label and
// value), href the address that a click or Enter opens. Options of all charts:
// unit (name of the value), summary (description of the chart), table: false (no table).
import { el, svg, count, rate, rove } from "./dom.js";
import { table } from "./parts.js";
import { round, clip, apart, squares, decades, labelled } from "./layout.js";

const says = i => i.says || `${i.label}: ${rate(i.value)}`;
const tick = v => rate(v).replace(/\.0+$/, "");
const most = (items, of = i => i.value) => items.reduce((m, i) => Math.max(m, of(i)), 0);

// mark draws an item: a link, or an element that can have the focus.
const mark = (i, ...shapes) => i.href ? svg("a", { class: "item", href: i.href, "aria-label": says(i) }, shapes) : svg("g", { class: "item", role: "img", tabindex: "-1", "aria-label": says(i) }, shapes);

// figure creates the frame of a chart. draw(width) returns {height, shapes}; rows are the
// rows of the table, with cells for the columns of head.
function figure(title, options, draw, head, rows) {
  const readout = el("span", { class: "readout", "aria-hidden": "true" }), box = el("div", { class: "chart" });
  const about = options.summary || title;
  let last = 700;
  const paint = width => {
    const at = [...box.querySelectorAll(".item")].indexOf(document.activeElement), { height, shapes } = draw(width);
    box.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": about }, shapes));
    rove(box, ".item", "both");
    if (at >= 0) box.querySelectorAll(".item")[at]?.focus();
  };
  paint(last);
  new ResizeObserver(() => {
    const width = Math.round(box.clientWidth);
    if (width && width !== last) requestAnimationFrame(() => paint(last = width));
  }).observe(box);
  for (const name of ["pointerover", "focusin"]) box.addEventListener(name, e => { readout.textContent = e.target.closest(".item")?.getAttribute("aria-label") || ""; });
  box.addEventListener("pointerleave", () => { readout.textContent = ""; });
  const more = options.table === false ? null : el("details", { class: "how", ontoggle: () => {
    if (more.open && more.children.length === 1) more.append(table(title, head.map((name, k) => ({ name, head: k === 0, number: k > 0, cell: r => typeof r[k] === "number" ? tick(r[k]) : r[k] })), rows()));
  } }, el("summary", null, "Values as a table"));
  return el("figure", null, el("figcaption", { class: "small" }, el("span", { class: "dim" }, title), readout), box, more);
}

const pair = (items, options) => [["name", options.unit || "value"], () => items.map(i => [i.label, i.value])];

// bars draws a bar for each item.
export function bars(title, items, options = {}) {
  const top = most(items) || 1, longest = most(items, i => i.label.length), wide = most(items, i => tick(i.value).length);
  return figure(title, options, w => {
    const left = Math.min(7 * longest + 14, Math.floor(.42 * w)), room = w - left - 7 * wide - 20, step = 23;
    return { height: items.length * step + 8, shapes: items.map((i, k) => [mark(i,
      svg("rect", { class: "catch", x: 0, y: k * step + 4, width: w, height: step }),
      svg("text", { class: "tick end name", x: left - 8, y: k * step + 20 }, clip(i.label, left - 14)),
      svg("rect", { class: "fill", x: left, y: k * step + 8, width: Math.max(1, room * i.value / top), height: step - 8, rx: 2 })), svg("text", { class: "tick value", "aria-hidden": "true", x: left + room * i.value / top + 6, y: k * step + 20 }, tick(i.value))]) };
  }, ...pair(items, options));
}

// lines draws one or more lines. Items are in the order of at, a number; each label is a name
// on the axis.
export function lines(title, series, options = {}) {
  const all = series.flatMap(s => s.items), [top, step] = round(most(all));
  const from = Math.min(...all.map(i => i.at)), to = Math.max(...all.map(i => i.at));
  return figure(title, options, w => {
    const legend = series.length > 1 ? 20 : 0, h = (w < 500 ? 200 : 260) + legend, left = 14 + 7 * tick(top).length, right = 20, up = 14 + legend, down = 28;
    const x = i => left + (i.at - from) / (to - from || 1) * (w - left - right), y = v => up + (1 - v / top) * (h - up - down);
    const names = [];
    for (const i of series[0].items) if (!names.length || x(i) - x(names[names.length - 1]) >= 14 + 7 * i.label.length) names.push(i);
    let at = left;
    const keys = legend ? series.map((s, k) => {
      const key = [svg("line", { class: `run l${k + 1}`, x1: at, x2: at + 22, y1: 12, y2: 12 }), svg("text", { class: "tick name", x: at + 27, y: 16 }, s.name)];
      at += 45 + 7 * s.name.length;
      return key;
    }) : [];
    return { height: h, shapes: [
      axis(top, step).map(v => [svg("line", { class: "grid", x1: left, x2: w - right, y1: y(v), y2: y(v) }), svg("text", { class: "tick end", x: left - 7, y: y(v) + 4 }, tick(v))]),
      names.map(i => svg("text", { class: "tick mid", x: Math.min(w - 4 * i.label.length, Math.max(4 * i.label.length, x(i))), y: h - 8 }, i.label)), keys,
      series.map((s, k) => [svg("polyline", { class: `run l${k + 1}`, points: s.items.map(i => `${x(i).toFixed(1)},${y(i.value).toFixed(1)}`).join(" ") }),
        s.items.map(i => mark(i, svg("circle", { class: "catch", cx: x(i), cy: y(i.value), r: 9 }), svg("circle", { class: `dot l${k + 1}`, cx: x(i), cy: y(i.value), r: all.length > 80 ? 2 : 3.5 })))]),
    ] };
  }, series.length > 1 ? ["series", "at", options.unit || "value"] : ["at", options.unit || "value"], () => series.flatMap(s => s.items.map(i => series.length > 1 ? [s.name, i.label, i.value] : [i.label, i.value])));
}

const axis = (top, step) => Array.from({ length: Math.round(top / step) + 1 }, (_, k) => k * step);

// network draws a word and its collocates: the higher value, the nearer to the middle; the
// higher weight, the larger. Option groups names the groups 1, 2 ... of items, which have
// different colours and shapes; links are pairs of numbers of items to connect. A narrow window
// shows the first 15.
export function network(title, centre, all, options = {}) {
  const items = all.slice(0, innerWidth < 600 ? 15 : all.length);
  const high = most(items), low = Math.min(...items.map(i => i.value)), heavy = most(items, i => i.weight || 1) || 1;
  return figure(title, options, w => {
    const keys = options.groups ? 22 : 0, h = Math.min(560, Math.max(340, Math.round(.6 * w))), rx = w / 2 - Math.min(110, w / 5), ry = h / 2 - 24 - keys / 2, cx = w / 2, cy = h / 2 + keys / 2;
    const nodes = items.map((i, k) => {
      const far = .38 + .62 * (high - i.value) / (high - low || 1), angle = k * 2.399963 - 1.2, r = 4 + 9 * Math.sqrt((i.weight || 1) / heavy), size = 7 * i.label.length;
      return { i, r, w: Math.max(2 * r, size) + 8, h: 2 * r + 18, x: cx + far * rx * Math.cos(angle), y: cy + far * ry * Math.sin(angle) };
    });
    const middle = { w: 9 * centre.length + 24, h: 34, x: cx, y: cy, fixed: true };
    apart([middle, ...nodes], { left: 4, right: w - 4, top: 6 + keys, bottom: h - 4 });
    const shape = (g, x, y, r) => g === 2 ? svg("rect", { class: "node l2", x: x - .9 * r, y: y - .9 * r, width: 1.8 * r, height: 1.8 * r }) : svg("circle", { class: `node l${g || 1}`, cx: x, cy: y, r });
    let at = 12;
    return { height: h, shapes: [
      (options.groups || []).map((name, g) => {
        const key = [shape(g + 1, at, 14, 6), svg("text", { class: "tick", x: at + 11, y: 18 }, name)];
        at += 34 + 6.5 * name.length;
        return key;
      }),
      (options.links || []).filter(l => nodes[l[0]] && nodes[l[1]]).map(([a, b]) => svg("line", { class: "grid", x1: nodes[a].x, y1: nodes[a].y, x2: nodes[b].x, y2: nodes[b].y })),
      nodes.map(n => svg("line", { class: "edge", x1: cx, y1: cy, x2: n.x, y2: n.y - 8, "stroke-width": (1 + 2.5 * (n.i.value - low) / (high - low || 1)).toFixed(1) })),
      svg("rect", { class: "middle", x: cx - middle.w / 2, y: cy - 17, width: middle.w, height: 34, rx: 17 }), svg("text", { class: "mid centre", x: cx, y: cy + 5 }, centre),
      nodes.map(n => mark(n.i, svg("rect", { class: "catch", x: n.x - n.w / 2, y: n.y - n.h / 2, width: n.w, height: n.h }), shape(n.i.group, n.x, n.y - 8, n.r), svg("text", { class: "tick mid name", x: n.x, y: n.y + n.r + 5 }, n.i.label))),
    ] };
  }, ["word", options.unit || "value", ...all[0]?.weight ? ["frequency"] : []], () => all.map(i => [i.label, i.value, ...i.weight ? [i.weight] : []]));
}

// treemap draws an area for each item. Items are sorted; after the first 60 they are one area.
export function treemap(title, items, options = {}) {
  const sorted = items.filter(i => i.value > 0).sort((a, b) => b.value - a.value), rest = sorted.splice(sorted.length > 60 ? 59 : 60);
  if (rest.length) {
    const value = rest.reduce((n, i) => n + i.value, 0);
    sorted.push({ label: `${count(rest.length)} others`, value });
  }
  return figure(title, options, w => {
    const h = Math.min(380, Math.max(220, Math.round(.42 * w)));
    return { height: h, shapes: squares(sorted.map(i => i.value), w, h).map((r, k) => [mark(sorted[k],
      svg("rect", { class: "tile", x: r.x + 1, y: r.y + 1, width: Math.max(1, r.w - 2), height: Math.max(1, r.h - 2) }),
      r.h > 18 && r.w > 40 && svg("text", { class: "tick name", x: r.x + 7, y: r.y + 16 }, clip(sorted[k].label, r.w - 22))),
      r.h > 36 && r.w > 40 && svg("text", { class: "tick value", "aria-hidden": "true", x: r.x + 7, y: r.y + 32 }, tick(sorted[k].value))]) };
  }, ...pair(sorted, options));
}

// dispersion draws a column for each part of the corpus, from the beginning to the end.
export function dispersion(title, items, options = {}) {
  const top = most(items) || 1, h = 48;
  return figure(title, options, w => {
    const b = w / items.length;
    return { height: h, shapes: [
      svg("line", { class: "grid", x1: 0, x2: w, y1: h - .5, y2: h - .5 }),
      items.map((i, k) => i.value > 0 && mark(i, svg("rect", { class: "catch", x: k * b, y: 0, width: b, height: h }),
        svg("rect", { class: "fill", x: k * b, width: Math.max(1, b - (b > 4 ? 1 : 0)), y: h - Math.max(2, (h - 2) * i.value / top), height: Math.max(2, (h - 2) * i.value / top) }))),
    ] };
  }, ...pair(items, options));
}

// scatter draws a point for each item at its x and y, which are at least 0, on logarithmic axes.
// Points on the diagonal have equal values. The items farthest from it have labels, as far as there
// is space. Options x and y name the axes; an item with group 2 has another colour.
export function scatter(title, items, options) {
  const logs = items.flatMap(i => [i.x, i.y]).filter(v => v > 0).map(Math.log10), from = Math.floor(Math.min(...logs)), to = Math.max(from + 1, Math.ceil(Math.max(...logs)));
  const zero = items.some(i => !i.x || !i.y), at = v => v > 0 ? Math.log10(v) : from - .5, low = zero ? from - .5 : from;
  const sorted = [...items].sort((a, b) => Math.abs(at(b.y) - at(b.x)) - Math.abs(at(a.y) - at(a.x)));
  const ticks = [...zero ? [[low, "0"]] : [], ...decades(from, to)];
  return figure(title, options, w => {
    const h = Math.min(560, Math.max(320, Math.round(.6 * w))), left = 12 + 7 * Math.max(...ticks.map(t => t[1].length)), right = w - 24, up = 30, down = h - 44;
    const x = v => left + 8 + (v - low) / (to - low) * (right - left - 8), y = v => down - 8 - (v - low) / (to - low) * (down - up - 8);
    const points = sorted.map(i => ({ x: x(at(i.x)), y: y(at(i.y)), w: 7 * i.label.length }));
    const texts = labelled(points, { left: left + 2, right, top: up, bottom: down });
    return { height: h, shapes: [
      ticks.map(([v, name]) => [svg("line", { class: "grid", x1: x(v), x2: x(v), y1: up, y2: down }), svg("line", { class: "grid", x1: left, x2: right, y1: y(v), y2: y(v) }),
        svg("text", { class: "tick mid", x: x(v), y: down + 16 }, name), svg("text", { class: "tick end", x: left - 6, y: y(v) + 4 }, name)]),
      svg("line", { class: "edge", x1: x(from), y1: y(from), x2: x(to), y2: y(to) }),
      svg("text", { class: "tick", x: 4, y: 16 }, `↑ ${clip(options.y, w - 40)}`), svg("text", { class: "tick end", x: right, y: h - 8 }, `${clip(options.x, w - 60)} →`),
      sorted.map((i, k) => mark(i, svg("circle", { class: "catch", cx: points[k].x, cy: points[k].y, r: 8 }), svg("circle", { class: `dot l${i.group || 1}`, cx: points[k].x, cy: points[k].y, r: 4 }),
        texts[k] && svg("text", { class: "tick name halo", x: texts[k].x, y: texts[k].y }, i.label))),
    ] };
  }, ["word", options.y, options.x], () => items.map(i => [i.label, i.y, i.x]));
}
