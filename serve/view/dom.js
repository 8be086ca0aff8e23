// Creates elements. Data of the server and of pages is inserted as text only.

export const $ = id => document.getElementById(id);

// el creates an element. Properties that are functions are listeners (onclick),
// true is an attribute without a value; null, undefined and false are omitted.
export function el(tag, props, ...inside) {
  const e = document.createElement(tag);
  set(e, props);
  append(e, inside);
  return e;
}

// svg creates an SVG element.
export function svg(tag, props, ...inside) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(e, props);
  append(e, inside);
  return e;
}

function set(e, props) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") e.addEventListener(name.slice(2), value);
    else e.setAttribute(name, value === true ? "" : value);
  }
}

function append(e, inside) {
  for (const x of inside.flat(Infinity)) if (x !== null && x !== undefined && x !== false) e.append(x);
}

// fill replaces the contents of a box.
export function fill(box, ...inside) {
  box.replaceChildren();
  append(box, inside);
}

const grouped = new Intl.NumberFormat("en");
const rounded = [2, 1].map(n => new Intl.NumberFormat("en", { maximumFractionDigits: n, minimumFractionDigits: n }));
export const count = n => grouped.format(n);
export const many = (n, what, whats) => `${count(n)} ${n === 1 ? what : whats || what + "s"}`;
// rate formats a fractional number: two decimals, or fewer if it is large.
export const rate = x => !Number.isFinite(x) ? "" : Math.abs(x) >= 1000 ? count(Math.round(x)) : rounded[Math.abs(x) >= 100 ? 1 : 0].format(x);
export const percent = x => Number.isFinite(x) ? rounded[1].format(100 * x) + " %" : "";

// say announces a message to screen readers.
export function say(text) {
  $("said").textContent = "";
  $("said").textContent = text;
}

// rove moves the focus with the arrow keys among the elements of a box that match a
// selector; only one of them is a tab stop. across: left and right instead of up and
// down, or "both".
export function rove(box, selector, across) {
  const back = across === "both" ? "ArrowLeft ArrowUp" : across ? "ArrowLeft" : "ArrowUp", on = across === "both" ? "ArrowRight ArrowDown" : across ? "ArrowRight" : "ArrowDown";
  const all = () => [...box.querySelectorAll(selector)].filter(x => !x.hidden);
  const stop = at => all().forEach(x => { x.tabIndex = x === at ? 0 : -1; });
  const first = all();
  stop(first.find(x => x.getAttribute("aria-current")) || first[0]);
  if (box.roves) return;
  box.roves = true;
  box.addEventListener("focusin", e => { const at = e.target.closest(selector); if (at) stop(at); });
  box.addEventListener("keydown", e => {
    const at = e.target.closest(selector);
    if (!at || e.target !== at || e.altKey || e.ctrlKey || e.metaKey) return;
    const list = all(), i = list.indexOf(at);
    const to = back.includes(e.key) ? i - 1 : on.includes(e.key) ? i + 1 : e.key === "Home" ? 0 : e.key === "End" ? list.length - 1 : -1;
    if (!list[to]) return;
    e.preventDefault();
    list[to].focus();
  });
}

// save downloads a file.
export function save(name, blob) {
  const a = el("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(a.href), 60000);
}

// copyButton returns a button that copies the result of a function.
export function copyButton(text, name = "Copy") {
  const b = el("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text());
      b.textContent = "Copied";
    } catch {
      b.textContent = "Blocked by the browser";
    }
    setTimeout(() => { b.textContent = name; }, 2000);
  } }, name);
  return b;
}

// typing reports whether a key press goes into a field.
export const typing = e => e.target instanceof Element && !!e.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");

// stored returns an object in the storage of the browser: all holds the values, write
// saves changes.
export function stored(key) {
  key = "chaffinch." + key;
  let all = {};
  try {
    all = JSON.parse(localStorage.getItem(key)) || {};
  } catch {
    // nothing is stored
  }
  return {
    all, write() {
      try {
        if (Object.keys(all).length) localStorage.setItem(key, JSON.stringify(all));
        else localStorage.removeItem(key);
      } catch {
        // lasts until the page is closed
      }
    },
  };
}
