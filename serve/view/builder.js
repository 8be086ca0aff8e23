// The query builder: boxes for the tokens of a query. It writes and parses queries.
import { el } from "./dom.js";
import { pieces, escape, quote } from "./cql.js";

// HOWS are the comparisons: name, function that writes the value into the query, and
// function that parses it.
const LETTERS = "(?:[^\\\\.*+?()[\\]{}|^$]|\\\\.)*";
const HOWS = [
  ["is", v => ["=", escape(v)], new RegExp(`^${LETTERS}$`, "s"), "="],
  ["is not", v => ["!=", escape(v)], new RegExp(`^${LETTERS}$`, "s"), "!="],
  ["begins with", v => ["=", escape(v) + ".*"], new RegExp(`^(${LETTERS})\\.\\*$`, "s"), "="],
  ["ends with", v => ["=", ".*" + escape(v)], new RegExp(`^\\.\\*(${LETTERS})$`, "s"), "="],
  ["contains", v => ["=", ".*" + escape(v) + ".*"], new RegExp(`^\\.\\*(${LETTERS})\\.\\*$`, "s"), "="],
  ["matches", v => ["=", v], /^[^]*$/, "="],
  ["does not match", v => ["!=", v], /^[^]*$/, "!="],
];
const TIMES = [["", "once"], ["?", "optional"], ["+", "1 or more times"], ["*", "any number of times"], ["{2}", "twice"], ["{1,2}", "1 or 2 times"], ["{0,3}", "up to 3 times"], ["{1,5}", "1 to 5 times"]];
const unescape = s => s.replace(/\\(.)/gs, "$1");

// parse parses a query that is a sequence of tokens: {tokens: [{parts: [{attr, how,
// value, fold}], or, times}], within}. It returns null for other queries.
export function parse(q, first) {
  const ps = pieces(q).filter(p => p.kind !== "space"), out = { tokens: [], within: "" };
  let i = 0;
  const eat = text => ps[i] && ps[i].text === text && ++i;
  const value = () => {
    const p = ps[i];
    if (!p || p.kind !== "value" || p.text.length < 2) return null;
    i++;
    const fold = ps[i] && ps[i].kind === "flags";
    if (fold && ps[i].text !== "%c") return null;
    if (fold) i++;
    return { text: p.text.slice(1, -1).replaceAll("\\" + p.text[0], p.text[0]), fold: !!fold };
  };
  const part = (attr, op) => {
    const v = value();
    if (!v || op !== "=" && op !== "!=") return null;
    for (let h = 0; h < HOWS.length; h++) {
      const m = HOWS[h][3] === op && HOWS[h][2].exec(v.text);
      if (m) return { attr, how: h, value: h >= 5 ? v.text : unescape(m[1] ?? m[0]), fold: v.fold };
    }
    return null;
  };
  while (ps[i] && !["within"].includes(ps[i].text)) {
    const t = { parts: [], or: false, times: "" };
    if (ps[i].kind === "value") {
      const p = part(first, "=");
      if (!p) return null;
      t.parts.push(p);
    } else if (eat("[")) {
      let sign = "";
      while (!eat("]")) {
        if (t.parts.length) {
          if (!ps[i] || ps[i].text !== "&" && ps[i].text !== "|" || sign && sign !== ps[i].text) return null;
          sign = ps[i++].text;
        }
        if (!ps[i] || ps[i].kind !== "name" || !ps[i + 1]) return null;
        const attr = ps[i].text, op = ps[i + 1].text;
        i += 2;
        const p = part(attr, op);
        if (!p) return null;
        t.parts.push(p);
      }
      t.or = sign === "|";
    } else return null;
    if (ps[i] && ["?", "*", "+"].includes(ps[i].text)) t.times = ps[i++].text;
    else if (eat("{")) {
      const from = i;
      while (ps[i] && ps[i].text !== "}") i++;
      if (!ps[i]) return null;
      t.times = `{${ps.slice(from, i++).map(p => p.text).join("")}}`;
    }
    out.tokens.push(t);
  }
  if (ps[i]) {
    const rest = ps.slice(i + 1).map(p => p.text).join("");
    const m = /^<([\p{L}_][\p{L}\p{N}_-]*)\/>$/u.exec(rest);
    if (!m) return null;
    out.within = m[1];
  }
  return out.tokens.length ? out : null;
}

// write returns the query of the boxes.
export function write(b) {
  const token = t => {
    const parts = t.parts.filter(p => p.value !== "").map(p => {
      const [op, v] = HOWS[p.how][1](p.value);
      return `${p.attr}${op}${quote(v)}${p.fold ? "%c" : ""}`;
    });
    return `[${parts.join(t.or ? " | " : " & ")}]${t.times}`;
  };
  return b.tokens.map(token).join(" ") + (b.within ? ` within <${b.within}/>` : "");
}

// builder creates the boxes and calls changed with the query. show(q) displays a query.
export function builder(info, changed) {
  const row = el("div", { class: "tokens" });
  const said = el("p", { class: "dim" });
  const box = el("section", { class: "builder", "aria-label": "Query builder" }, said, row);
  let now = null;
  const blank = () => ({ parts: [{ attr: info.default_attribute, how: 0, value: "", fold: false }], or: false, times: "" });
  const tell = () => changed(write(now));

  function select(label, options, value, set) {
    const s = el("select", { "aria-label": label, onchange: () => { set(s.value); tell(); } }, options.map(o => Array.isArray(o) ? new Option(o[1], o[0]) : new Option(o, o)));
    if (![...s.options].some(o => o.value === String(value))) s.append(new Option(value, value));
    s.value = value;
    return s;
  }
  const button = (text, label, act) => el("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
  function redraw(focus) {
    row.replaceChildren(...now.tokens.map((t, i) => el("fieldset", { class: "token" }, el("legend", null, `Token ${i + 1}`),
      t.parts.map((p, k) => el("div", { class: "part" },
        k > 0 && select("operator", [["and", "and"], ["or", "or"]], t.or ? "or" : "and", v => { t.or = v === "or"; redraw(); }),
        select("attribute", info.attributes.map(a => a.name), p.attr, v => { p.attr = v; }),
        select("comparison", HOWS.map((h, n) => [n, h[0]]), p.how, v => { p.how = +v; }),
        valueField(p),
        el("label", { class: "check", title: "upper and lower case are equal" }, fold(p), "ignore case"),
        t.parts.length > 1 && button("×", `remove condition ${k + 1}`, () => { t.parts.splice(k, 1); redraw(); tell(); }))),
      el("div", { class: "part" }, select("repetition", TIMES, t.times, v => { t.times = v; }), button("+ condition", `add a condition to token ${i + 1}`, () => { t.parts.push(blank().parts[0]); redraw(); }),
        now.tokens.length > 1 && button("Remove", `remove token ${i + 1}`, () => { now.tokens.splice(i, 1); redraw(); tell(); })))),
    el("div", { class: "token last" }, button("+ token", "add a token", () => { now.tokens.push(blank()); redraw(now.tokens.length - 1); tell(); }),
      el("label", { class: "field" }, el("span", null, "within"), select("within", [["", "document"], ...info.structures.filter(s => s.name !== "doc").map(s => s.name)], now.within, v => { now.within = v; }))));
    if (focus !== undefined) row.children[focus].querySelector("input[type=text]").focus();
  }
  function valueField(p) {
    const i = el("input", { type: "text", "aria-label": "value", class: "code", size: "10", autocomplete: "off", autocapitalize: "none", spellcheck: "false", oninput: () => { p.value = i.value; tell(); } });
    i.value = p.value;
    return i;
  }
  function fold(p) {
    const c = el("input", { type: "checkbox", onchange: () => { p.fold = c.checked; tell(); } });
    c.checked = p.fold;
    return c;
  }
  box.show = q => {
    if (now && write(now) === q) return;
    const read = q.trim() === "" ? { tokens: [blank()], within: "" } : parse(q, info.default_attribute);
    said.textContent = read ? "An empty value matches any token." : "The query builder cannot show this query. A change here replaces it.";
    now = read || { tokens: [blank()], within: "" };
    redraw();
  };
  return box;
}
