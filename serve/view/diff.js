// The common lines of two texts.

const MOST = 4000; // edits after which the rest counts as changed

// diff returns [a, b] pairs of line numbers: both for a shared line, -1 on the
// side that lacks it. Myers 1986, "An O(ND) difference algorithm".
export function diff(a, b) {
  let head = 0, tail = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const out = [];
  for (let i = 0; i < head; i++) out.push([i, i]);
  for (const [x, y] of middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail))) out.push([x < 0 ? x : x + head, y < 0 ? y : y + head]);
  for (let i = tail; i > 0; i--) out.push([a.length - i, b.length - i]);
  return out;
}

function middle(a, b) {
  const n = a.length, m = b.length, most = Math.min(n + m, MOST), trace = [], v = new Map([[1, 0]]);
  const all = () => [...a.map((_, i) => [i, -1]), ...b.map((_, i) => [-1, i])];
  if (!n || !m) return all();
  for (let d = 0; d <= most; d++) {
    trace.push(new Map(v));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1) ? v.get(k + 1) : v.get(k - 1) + 1;
      while (x < n && x - k < m && a[x] === b[x - k]) x++;
      v.set(k, x);
      if (x >= n && x - k >= m) return back(trace, d, n, m);
    }
  }
  return all();
}

function back(trace, d, x, y) {
  const out = [];
  for (; d >= 0; d--) {
    const v = trace[d], k = x - y;
    const from = k === -d || k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1) ? k + 1 : k - 1;
    const px = d ? v.get(from) : 0, py = d ? px - from : 0;
    while (x > px && y > py) out.push([--x, --y]);
    if (d) out.push(x > px ? [--x, -1] : [-1, --y]);
  }
  return out.reverse();
}
