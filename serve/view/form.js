// Rows of options that are stored in the address.
import { el } from "./dom.js";

let number = 0;

// options creates a form of fields. A spec is {key, label, kind, options, value,
// title, list, min, max, wide, there}: kind is select, text, number or check, value the default, options
// are values, [value, name] or {group, options}; there(values) reports whether the field has an
// effect and is shown. Each change calls changed with the
// values that differ from their defaults. show sets the fields to given values.
export function options(specs, changed, label) {
  const controls = specs.map(s => [s, control(s)]);
  const form = el("form", { class: "options", "aria-label": label, onsubmit: e => { e.preventDefault(); tell(); }, onchange: () => tell() },
    controls.map(([s, c]) => s.kind === "check"
      ? el("label", { class: "check", title: s.title }, c, s.label)
      : el("label", { class: s.wide ? "field wide" : "field", title: s.title }, el("span", null, s.label), c, s.list && datalist(c, s.list))));
  const read = () => Object.fromEntries(controls.map(([s, c]) => [s.key, s.kind === "check" ? (c.checked ? "true" : s.value ? "false" : "") : c.value.trim()]).filter(([, v], i) => v !== String(controls[i][0].value ?? "")));
  let last = "";
  function tell() {
    const v = read(), now = JSON.stringify(v);
    if (now === last) return;
    last = now;
    changed(v);
  }
  form.read = read;
  form.show = params => {
    const now = values(specs, params);
    for (const [s, c] of controls) {
      const v = params[s.key] ?? String(s.value ?? "");
      if (s.kind === "check") c.checked = v === "true";
      else if (c.value.trim() !== v) {
        if (s.kind === "select" && ![...c.options].some(o => o.value === v)) c.append(new Option(v, v));
        c.value = v;
      }
      const away = v !== String(s.value ?? "");
      const label = c.closest("label") || c;
      label.classList.toggle("moved", away);
      label.hidden = !!s.there && !s.there(now);
    }
    last = JSON.stringify(read());
  };
  return form;
}

// values returns the values of specs: from the address, else the defaults.
export const values = (specs, params) => Object.fromEntries(specs.map(s => [s.key, params[s.key] ?? String(s.value ?? "")]));

const option = o => Array.isArray(o) ? new Option(o[1], o[0]) : o.group ? el("optgroup", { label: o.group }, o.options.map(option)) : new Option(o, o);

function control(s) {
  if (s.kind === "select") return el("select", { name: s.key }, s.options.map(option));
  if (s.kind === "check") return el("input", { type: "checkbox", name: s.key });
  return el("input", {
    type: s.kind === "number" ? "number" : "text", name: s.key, min: s.min, max: s.max, step: s.step, size: s.kind === "number" ? null : s.size || 12,
    placeholder: s.placeholder, autocomplete: "off", spellcheck: "false", autocapitalize: "none", class: s.code ? "code" : null,
  });
}

function datalist(c, list) {
  const d = el("datalist", { id: `list${++number}` }, list.map(v => el("option", { value: v })));
  c.setAttribute("list", d.id);
  return d;
}
