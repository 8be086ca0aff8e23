// Arithmetic of charts.

// round returns a round number of at least max, and a step of about a fifth of it.
export function round(max) {
  if (!(max > 0)) return [1, 1];
  const p = 10 ** Math.floor(Math.log10(max / 4)), step = [1, 2, 2.5, 5, 10].map(s => s * p).find(s => s * 5 >= max) || 10 * p;
  return [Math.ceil(max / step - 1e-9) * step, step];
}

// clip shortens a text to a width in pixels, at about 6.8 pixels for a character.
export function clip(text, width) {
  const n = Math.max(1, Math.floor(width / 6.8)), all = [...text];
  return all.length <= n ? text : all.slice(0, n - 1).join("") + "…";
}

// apart moves boxes {x, y, w, h}, given by their middle, until they do not overlap and are
// inside of the bounds. A fixed box stays where it is. The result depends on nothing else.
export function apart(boxes, { left, right, top, bottom }) {
  const keep = b => {
    b.x = Math.min(right - b.w / 2, Math.max(left + b.w / 2, b.x));
    b.y = Math.min(bottom - b.h / 2, Math.max(top + b.h / 2, b.y));
  };
  boxes.forEach(b => b.fixed || keep(b));
  for (let round = 0, moved = true; moved && round < 200; round++) {
    moved = false;
    for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
      const a = boxes[i], b = boxes[j], dx = (a.w + b.w) / 2 - Math.abs(a.x - b.x), dy = (a.h + b.h) / 2 - Math.abs(a.y - b.y);
      if (dx <= 0 || dy <= 0) continue;
      moved = true;
      const side = dy < 2 * dx, way = side ? (a.y <= b.y ? 1 : -1) : (a.x <= b.x ? 1 : -1), by = way * ((side ? dy : dx) / (a.fixed || b.fixed ? 1 : 2) + .5);
      for (const [x, sign] of [[a, -1], [b, 1]]) if (!x.fixed) {
        if (side) x.y += sign * by;
        else x.x += sign * by;
        keep(x);
      }
    }
  }
}

// squares divides a rectangle into areas in proportion to values, which are in descending
// order, as near to squares as possible (squarified treemap).
export function squares(values, w, h) {
  const out = [], scale = w * h / values.reduce((a, b) => a + b, 0);
  let x = 0, y = 0, i = 0;
  while (i < values.length) {
    const side = Math.min(w, h), worst = (sum, low, high) => Math.max(side * side * high / (sum * sum), sum * sum / (side * side * low));
    let sum = values[i] * scale, n = 1;
    while (i + n < values.length) {
      const next = values[i + n] * scale;
      if (worst(sum + next, next, values[i] * scale) > worst(sum, values[i + n - 1] * scale, values[i] * scale)) break;
      sum += next;
      n++;
    }
    const thick = sum / side;
    let at = 0;
    for (let k = 0; k < n; k++) {
      const long = values[i + k] * scale / thick;
      out.push(w >= h ? { x, y: y + at, w: thick, h: long } : { x: x + at, y, w: long, h: thick });
      at += long;
    }
    if (w >= h) { x += thick; w -= thick; } else { y += thick; h -= thick; }
    i += n;
  }
  return out;
}

// decades returns the powers of ten from 10^from to 10^to as [exponent, name].
export function decades(from, to) {
  return Array.from({ length: to - from + 1 }, (_, k) => [from + k, from + k < 0 ? (10 ** (from + k)).toFixed(-from - k) : (10 ** (from + k)).toLocaleString("en")]);
}

// labelled returns the start of the baseline of a label for each point {x, y, w}, w being the width
// of the label, or null: labels overlap neither each other nor points, and are inside of the bounds.
// Points are in descending order of importance.
export function labelled(points, { left, right, top, bottom }) {
  const taken = points.map(p => ({ x: p.x - 4, y: p.y - 4, w: 8, h: 8 }));
  return points.map((p, k) => {
    const places = [[p.x + 6, p.y - 8], [p.x - 6 - p.w, p.y - 8], [p.x - p.w / 2, p.y - 21], [p.x - p.w / 2, p.y + 5]];
    const place = places.map(([x, y]) => ({ x, y, w: p.w, h: 16 })).find(b => b.x >= left && b.x + b.w <= right && b.y >= top && b.y + b.h <= bottom &&
      !taken.some((t, i) => i !== k && b.x < t.x + t.w && t.x < b.x + b.w && b.y < t.y + t.h && t.y < b.y + b.h));
    if (place) taken.push(place);
    return place ? { x: place.x, y: place.y + 12 } : null;
  });
}
