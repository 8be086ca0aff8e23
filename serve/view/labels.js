// A list of the labels of a scheme, with their keys and guidelines.
import { el } from "./dom.js";

// chooser returns the list with some labels chosen: {box, labels(), press(key), guide(), spoken()}.
// changed is called after each change. The keys of sublabels apply to the main label that was
// chosen last, the current one.
export function chooser(scheme, chosen, changed) {
  const on = new Set(chosen), all = scheme.labels, one = scheme.mode !== "multi", by = new Map(all.map(l => [l.label, l]));
  const subs = parent => all.filter(l => l.parent === parent);
  let current = all.find(l => on.has(l.label) && !l.parent)?.label || "";

  const items = new Map(), groups = new Map();
  const item = l => {
    const button = el("button", { type: "button", "aria-pressed": "false", "data-label": l.label, onclick: () => choose(l) }, el("kbd", null, l.key), " ", l.name);
    items.set(l.label, button);
    const sub = subs(l.label);
    if (sub.length) groups.set(l.label, el("ul", { "aria-label": l.name }, sub.map(item)));
    return el("li", null, button, l.help && el("details", null, el("summary", { "aria-label": `Guideline: ${l.name}` }, "Guideline"), el("p", null, l.help), (l.examples || []).length > 0 && el("ul", null, l.examples.map(x => el("li", { dir: "auto" }, x)))), groups.get(l.label));
  };
  const box = el("ul", { class: "labellist" }, all.filter(l => !l.parent).map(item));

  function remove(l) {
    on.delete(l.label);
    subs(l.label).forEach(s => on.delete(s.label));
    if (current === l.label) current = all.find(x => on.has(x.label) && !x.parent)?.label || "";
  }
  function choose(l) {
    const main = l.parent || l.label;
    if (on.has(l.label) && (l.parent || current === l.label)) remove(l);
    else {
      if (one && !on.has(l.label)) on.clear();
      if (l.parent) on.add(l.parent);
      on.add(l.label);
      current = main;
    }
    paint();
    changed();
  }
  function paint() {
    for (const [name, b] of items) {
      b.setAttribute("aria-pressed", String(on.has(name)));
      const parent = by.get(name).parent;
      if (parent) b.classList.toggle("off", parent !== current);
    }
    for (const [name, g] of groups) g.hidden = !on.has(name);
  }
  paint();
  return {
    box,
    labels: () => all.filter(l => on.has(l.label)).map(l => l.label),
    spoken: () => all.filter(l => on.has(l.label)).map(l => l.name).join(", ") || "no label",
    press(key) {
      const l = all.find(x => x.key === key && x.parent && x.parent === current) || all.find(x => x.key === key && !x.parent);
      if (l) choose(l);
      return !!l;
    },
    guide() {
      const shut = [...box.querySelectorAll("details")].some(d => !d.open);
      for (const d of box.querySelectorAll("details")) d.open = shut;
    },
  };
}
