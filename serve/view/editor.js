// A field for queries with colours, completion and the position of an error.
import { el, count, say } from "./dom.js";
import { meaning } from "./tags.js";
import { paint, wanted, charAt, escape, quote } from "./cql.js";

let number = 0;

// editor creates a field. ask(attr, prefix, signal) returns values, info() describes
// the corpus; condition: the field holds a condition on structures.
export function editor({ label, condition, placeholder, info, ask, main }) {
  const id = `query${++number}`;
  const ink = el("div", { class: "ink", "aria-hidden": "true" });
  const input = el("input", {
    id, class: "code", type: "text", placeholder, role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": id + "-list",
    "aria-describedby": id + "-fault", autocomplete: "off", autocapitalize: "none", spellcheck: "false", "data-main": main,
  });
  const list = el("ul", { id: id + "-list", class: "offers", role: "listbox", "aria-label": `Completions of ${label}`, hidden: true });
  const fault = el("p", { id: id + "-fault", class: "fault", hidden: true });
  const box = el("div", { class: "editor" }, el("label", { for: id }, label), el("div", { class: "over" }, ink, input, list), fault);
  let offers = [], at = -1, want = null, asked = new AbortController(), timer = 0, wrong = -1;

  function draw() {
    paint(ink, input.value, wrong);
    ink.scrollLeft = input.scrollLeft;
  }
  function close() {
    clearTimeout(timer);
    asked.abort();
    list.hidden = true;
    at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }
  function clear() {
    wrong = -1;
    fault.hidden = true;
    input.removeAttribute("aria-invalid");
  }
  async function offer(all) {
    const caret = input.selectionStart;
    want = info() ? wanted(input.value, caret, info(), condition) : null;
    if (!want || caret !== input.selectionEnd) return close();
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    if (want.names) {
      const p = want.prefix.toLowerCase();
      offers = want.names.filter(n => n[1].toLowerCase().startsWith(p) && n[0] !== want.prefix);
    } else {
      if (!all && want.prefix === "" && !want.attr.includes(".")) return close();
      try {
        const found = await ask(want.attr, want.prefix, signal);
        offers = found.map(v => [quote(escape(v.value)).replace(/^"|"$/g, want.end).replace(/^'(.*)'$/s, (_, s) => `'${s.replaceAll('\\"', '"')}'`), v.value, [meaning(want.attr, v.value), count(v.freq)].filter(Boolean).join(" · ")]);
      } catch {
        return close(); // a failed completion is not an error of the query
      }
      if (signal.aborted) return;
    }
    if (!offers.length) return close();
    list.replaceChildren(...offers.map((o, i) => el("li", { id: `${id}-${i}`, role: "option", "aria-selected": "false", onmousedown: e => { e.preventDefault(); take(i); } }, el("bdi", null, o[1]), el("small", null, o[2]))));
    at = -1;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    input.removeAttribute("aria-activedescendant");
  }
  function choose(i) {
    if (list.children[at]) list.children[at].setAttribute("aria-selected", "false");
    at = (i + offers.length) % offers.length;
    const o = list.children[at];
    o.setAttribute("aria-selected", "true");
    o.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", o.id);
  }
  function take(i) {
    const text = offers[i][0], more = want.names && text.endsWith("=");
    const rest = more && want.open && !/^[^[]*\]/.test(input.value.slice(want.to)) ? "]" : "";
    input.setRangeText(more ? text + '""' + rest : text, want.from, want.to, "end");
    const back = input.selectionStart - 1 - rest.length;
    if (more) input.setSelectionRange(back, back);
    clear();
    draw();
    close();
    if (more) offer(true);
  }
  input.addEventListener("input", () => { clear(); draw(); clearTimeout(timer); timer = setTimeout(offer, 90); });
  input.addEventListener("scroll", () => { ink.scrollLeft = input.scrollLeft; });
  for (const name of ["keyup", "click", "focus"]) input.addEventListener(name, () => { ink.scrollLeft = input.scrollLeft; });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", e => {
    if (e.key === " " && e.ctrlKey) offer(true);
    else if (list.hidden && e.key === "ArrowDown") offer(true);
    else if (list.hidden) return;
    else if (e.key === "ArrowDown") choose(at + 1);
    else if (e.key === "ArrowUp") choose(at < 0 ? offers.length - 1 : at - 1);
    else if (e.key === "Escape") close();
    else if ((e.key === "Enter" || e.key === "Tab") && at >= 0) take(at);
    else {
      if (e.key === "Enter") close();
      return;
    }
    e.preventDefault();
    e.stopPropagation();
  });

  Object.defineProperty(box, "value", {
    get: () => input.value.trim(),
    set: v => { if (input.value.trim() !== v) { input.value = v; clear(); } draw(); },
  });
  // fault shows a message at a position in bytes, -1: without a position, and a remedy, an
  // element.
  box.fault = (message, bytes, remedy) => {
    wrong = bytes >= 0 ? charAt(input.value, bytes + (input.value.length - input.value.trimStart().length)) : -1;
    draw();
    const go = wrong >= 0 && el("button", { type: "button", onclick: () => { input.focus(); input.setSelectionRange(wrong, wrong); } }, "Go to error");
    fault.replaceChildren(el("span", null, message), " ", go || "", " ", remedy || "");
    if (wrong >= 0) fault.prepend(caret(input.value, wrong));
    fault.hidden = false;
    input.setAttribute("aria-invalid", "true");
    say(message);
  };
  box.clear = () => { clear(); draw(); };
  // disable keeps the query but accepts no input, and shows why; "" enables the field again.
  box.disable = why => {
    input.disabled = !!why;
    input.title = why;
    box.classList.toggle("off", !!why);
  };
  box.input = input;
  draw();
  return box;
}

// caret shows the text around a position with a caret below it.
function caret(q, at) {
  const from = Math.max(0, at - 60);
  return el("span", { class: "caret code", "aria-hidden": "true" }, q.slice(from, at), el("span", { class: "here" }, q.slice(at, at + 1) || " "), q.slice(at + 1, at + 60));
}
