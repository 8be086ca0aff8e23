// Clean: a page in, its text out, with every decision shown.
import { el, fill, count, many, percent, rate, say, save, rove, copyButton, typing } from "./dom.js";
import { post, address } from "./api.js";
import { link, go } from "./route.js";
import { options } from "./form.js";
import { problem, tabs, facts, table } from "./parts.js";
import { EXAMPLE } from "./example.js";
import { diff } from "./diff.js";

const VIEWS = [["page", "Page and blocks"], ["text", "Text and downloads"], ["diff", "Compare"], ["rules", "Quality"]];
const LONG = 6000; // maximum characters of a packed text in the address
const SETTINGS = ["keep", "method", "favour", "lang", "hidden", "title", "url"];

// pack encodes a text for an address, unpack decodes it.
async function pack(text) {
  const bytes = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
  let s = "";
  for (const b of bytes) s += String.fromCharCode(b);
  return btoa(s).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpack(s) {
  const bytes = Uint8Array.from(atob(s.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
  const r = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(), parts = [];
  for (let n = 0;;) {
    const { value, done } = await r.read();
    if (done) return new Blob(parts).text();
    if ((n += value.length) > 4 << 20) throw new Error("the text in the URL is larger than 4 MB");
    parts.push(value);
  }
}

const figure = x => Number.isInteger(x) ? count(x) : Math.abs(x) < 1 ? x.toPrecision(3) : rate(x);
const limitOf = x => Number.isInteger(x) ? count(x) : String(x);
// bounds writes the limits of a score.
const bounds = l => !l ? "" : l.min === undefined ? `≤ ${limitOf(l.max)}` : l.max === undefined ? `≥ ${limitOf(l.min)}` : `${limitOf(l.min)} to ${limitOf(l.max)}`;
const breaks = (x, l) => !!l && (x < l.min || x > l.max);

const isHTML = text => /<(?:!doctype|html|head|body|div|p|article|section|main|table|h[1-6]|ul|span|a|br)\b/i.test(text);
const typeOf = name => /\.(?:html?|xhtml)$/i.test(name) ? "text/html" : /\.txt$/i.test(name) ? "text/plain" : /\.warc(?:\.gz)?$/i.test(name) ? "application/warc" : "application/octet-stream";
const pasted = (text, name) => ({ name, text, blob: new Blob([text], { type: (isHTML(text) ? "text/html" : "text/plain") + ";charset=utf-8" }) });

const side = (text, mark) => el("td", { dir: "auto" }, text !== undefined && mark && el("span", { class: "quiet" }, mark), text ?? "");

// open creates the part in its box.
export function open(box, about) {
  const views = VIEWS.filter(v => v[0] !== "rules" || about.rules?.length);
  let items = [], at = 0, now = {}, view = "page", last = "", running = new AbortController();

  // Input.
  const paste = el("textarea", { id: "paste", rows: "5", placeholder: "Paste HTML or text here, or drop files on the page", spellcheck: "false", "data-main": true, "aria-label": "HTML or text of a page" });
  const pick = el("input", { type: "file", multiple: true, id: "files", class: "quiet", tabindex: "-1", "aria-label": "Files", onchange: () => take([...pick.files]) });
  const from = about.fetch && el("input", { type: "url", id: "from", placeholder: "https://", autocomplete: "off", size: "28" });
  const walk = el("div", { class: "walk" });
  const form = el("form", { class: "input", onsubmit: e => { e.preventDefault(); start(); } }, paste,
    el("div", { class: "buttons" }, el("button", { class: "go" }, "Clean"), el("button", { type: "button", onclick: () => pick.click() }, "Choose files …"), pick,
      from && el("label", { class: "field" }, el("span", null, "or a URL"), from),
      el("button", { type: "button", class: "plain", onclick: () => { paste.value = ""; example(); } }, "Example"),
      el("button", { type: "button", class: "plain", onclick: clear }, "Clear")));

  // Settings.
  const policies = about.policies.map(p => [p.name, p.name === "text" ? "text: all content, including comments" : p.name === "main" ? "main: main content" : p.name === "article" ? "article: headline, by-line, text, captions" : p.name === "news" ? "news: headline, summary, text" : p.name === "body" ? "body: running text" : p.name]);
  const methods = [["", "automatic"], ...about.methods.map(m => m.name)];
  const keeps = [["", "method default"], { group: "Policies", options: policies }, { group: "Single role", options: about.roles.filter(r => !about.policies.some(p => p.name === r)) }];
  const favours = [["", "balanced"], ["precision", "precision"], ["recall", "recall"]];
  const how = options([
    { key: "keep", label: "Keep", kind: "select", options: keeps, title: "roles of blocks to keep" },
    { key: "method", label: "Method", kind: "select", options: methods, title: about.methods.map(m => `${m.name}: ${m.help}`).join("\n") },
    { key: "favour", label: "Favour", kind: "select", options: favours, title: "precision: fewer boilerplate blocks; recall: less lost text" },
    { key: "lang", label: "Language", kind: "text", size: 7, list: about.languages, placeholder: "detected", title: "language tag or English name, such as de or german" },
    { key: "url", label: "Page URL", kind: "text", size: 24, title: "resolves relative links; helps to find title and site" },
    { key: "hidden", label: "Keep hidden blocks", kind: "check", title: "blocks hidden by the page's styles" },
    { key: "title", label: "Begin with the title", kind: "check" },
  ], values => change(values), "Cleaning settings");
  const roles = el("fieldset", { class: "roles" }, el("legend", null, "Kept roles"), about.roles.map(r => el("label", { class: "r-" + r }, el("input", { type: "checkbox", value: r, onchange: chosen }), r)));
  const methodHelp = el("p", { class: "dim small" });

  // Output.
  const told = el("div", { class: "told" }), nav = tabs("Result views"), out = el("div", { class: "out" });
  const result = el("section", { "aria-label": "Result", hidden: true }, told, nav, out);
  box.append(el("h1", null, "Clean web pages"), el("p", { class: "lead" }, "Paste a page, choose files or open the example to see which blocks are kept or dropped, and why. Nothing leaves this machine."), form, el("details", { class: "how", open: innerWidth > 700 }, el("summary", null, "Settings"), how, roles, methodHelp), walk, result);

  const params = more => ({ ...now, ...more });
  function change(values) {
    const { keep, method, favour, lang, url, hidden, title, ...others } = now;
    go(["clean"], { ...others, ...values }, items.length === 0);
  }
  function chosen() {
    const on = [...roles.querySelectorAll("input")].filter(i => i.checked).map(i => i.value);
    const policy = about.policies.find(p => p.roles.length === on.length && p.roles.every(r => on.includes(r)));
    go(["clean"], params({ keep: policy ? policy.name : on.join(",") }));
  }
  function showRoles() {
    const set = new Set((now.keep || "").split(",").flatMap(n => about.policies.find(p => p.name === n)?.roles || [n]));
    for (const i of roles.querySelectorAll("input")) {
      i.checked = set.has(i.value);
      i.indeterminate = !now.keep;
    }
    const m = about.methods.find(m => m.name === now.method);
    methodHelp.textContent = m ? `${m.name}: ${m.help}` : "";
    methodHelp.hidden = !m;
    roles.disabled = !!m && !m.keeps;
    how.elements.keep.disabled = how.elements.favour.disabled = roles.disabled;
  }

  async function start() {
    const text = paste.value;
    if (from && from.value.trim() && !text.trim()) return visit(from.value.trim());
    if (!text.trim()) return items.length ? run(true) : example();
    return takeText(text, "pasted");
  }
  // visit lets the server fetch a page once; the page is then like any other.
  async function visit(url) {
    result.hidden = false;
    out.replaceChildren();
    fill(told, el("p", { class: "dim", role: "status" }, `Fetching ${url} …`));
    try {
      const { data } = await (await post("v2/scrape", {}, { url, formats: ["rawHtml"] }, "application/json")).json();
      from.value = "";
      await takeText(data.rawHtml || "", data.metadata.url, { url: data.metadata.url });
    } catch (e) {
      fill(told, problem(e));
    }
  }
  // takeText reads a page that is text. The shown page may change while it is packed.
  async function takeText(text, name, more) {
    let packed = "";
    try {
      packed = await pack(text);
    } catch {
      // not supported by the browser: the text is not in the address, the rest works
    }
    if (packed.length > LONG) packed = "";
    items = [{ ...pasted(text, name), key: packed || undefined }];
    shown({ ...more, in: packed, example: "" });
  }
  function example() {
    items = [{ ...pasted(EXAMPLE, "example.html"), key: "true" }];
    shown({ in: "", example: "true" });
  }
  function shown(source) {
    at = 0;
    last = "";
    go(["clean"], params({ ...source, at: "" }));
  }
  function take(files) {
    if (!files.length) return;
    items = files.map(f => ({ name: f.name, blob: f.type ? f : new File([f], f.name, { type: typeOf(f.name) }) }));
    paste.value = "";
    pick.value = "";
    say(many(items.length, "file"));
    shown({ in: "", example: "" });
  }
  function clear() {
    items = [];
    paste.value = "";
    if (from) from.value = "";
    last = "";
    go(["clean"], params({ in: "", example: "", at: "" }));
    paste.focus();
  }
  addEventListener("dragover", e => { if (!box.hidden && [...e.dataTransfer.types].includes("Files")) { e.preventDefault(); document.body.classList.add("dropping"); } });
  addEventListener("dragleave", e => { if (!e.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", e => {
    document.body.classList.remove("dropping");
    if (box.hidden || !e.dataTransfer.files.length) return;
    e.preventDefault();
    take([...e.dataTransfer.files]);
  });
  document.addEventListener("keydown", e => {
    if (box.hidden || typing(e) || e.ctrlKey || e.metaKey || e.altKey || items.length < 2) return;
    const to = { n: at + 1, p: at - 1 }[e.key];
    if (items[to]) go(["clean"], params({ at: to || "" }));
  });

  // settings returns the parameters of a request; other: the parameters of the other side
  // of a comparison. A method without roles has no policies.
  const settings = other => {
    const s = Object.fromEntries(SETTINGS.map(k => [k, now[k]]));
    if (other) for (const k of ["keep", "method", "favour"]) s[k] = now["b." + k];
    const fixed = about.methods.find(m => m.name === s.method)?.keeps === false;
    return { ...s, ...fixed && { keep: "", favour: "" }, hidden: s.hidden && "keep" };
  };
  const ask = (more, accept, signal, other, blob = items[at].blob) => post("v1/clean", { ...settings(other), ...more }, blob, accept, signal);

  async function show(path, p) {
    now = p;
    view = views.some(v => v[0] === p.view) ? p.view : "page";
    how.show(p);
    showRoles();
    if (items[0]?.key !== undefined && items[0].key !== (p.example || p.in)) items = []; // it was in the address, which has changed
    if (p.example && items[0]?.key !== p.example) { items = [{ ...pasted(EXAMPLE, "example.html"), key: p.example }]; last = ""; }
    if (p.in && items[0]?.key !== p.in) {
      try {
        items = [{ ...pasted(await unpack(p.in), "pasted"), key: p.in }];
        paste.value = await items[0].blob.text();
      } catch (e) {
        items = [];
        told.replaceChildren(problem(new Error("The text in this URL cannot be read: " + e.message)));
      }
      last = "";
    }
    at = Math.max(0, Math.min(items.length - 1, +p.at || 0));
    nav.show(views.map(([id, name]) => ({ name, now: id === view, href: link(["clean"], params({ view: id === "page" ? "" : id })) })));
    showList();
    result.hidden = !items.length;
    box.classList.toggle("started", items.length > 0);
    if (items.length) await run();
    if (items.length > 1) await summarize();
  }
  function showList() {
    walk.hidden = items.length < 2;
    if (items.length > 1) showWalk();
  }
  // showWalk lists the pages with their kept text, and offers the text of all.
  function showWalk() {
    if (walk.items !== items) {
      walk.items = items;
      const cell = () => el("td"), rows = items.map(i => el("tr", null, el("th", { scope: "row" }, el("a", null, el("bdi", null, i.name))), cell(), el("td", { class: "n" }), cell()));
      const heads = ["page", "language", "words kept", "result"].map((h, i) => el("th", { scope: "col", class: i === 2 ? "n" : null }, h));
      const t = el("table", null, el("caption", { class: "quiet" }, "Pages"), el("thead", null, el("tr", null, heads)), el("tbody", null, rows));
      const all = ["jsonl", "text"].map(name => about.formats.find(f => f.name === name)).filter(Boolean).map(f => el("button", { type: "button", title: f.help, onclick: e => saveAll(f, e.target) }, extension(f)));
      walk.replaceChildren(el("div", { class: "scroll", role: "region", "aria-label": "Pages", tabindex: "-1" }, t), el("p", { class: "files" }, el("span", { class: "dim" }, "Download all pages in one file"), all));
      walk.rows = rows;
    }
    items.forEach((item, i) => {
      const [head, lang, words, result] = walk.rows[i].children, a = head.firstChild, n = item.note || {};
      a.href = link(["clean"], params({ at: i || "" }));
      walk.rows[i].toggleAttribute("aria-current", false);
      if (i === at) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
      walk.rows[i].classList.toggle("now", i === at);
      lang.textContent = n.lang || "";
      words.textContent = n.words || "";
      result.textContent = n.result || "";
    });
    rove(walk, "tbody a");
    walk.rows[at]?.scrollIntoView({ block: "nearest" });
  }
  // summarize requests the pages that were not opened yet, in order.
  let summing = new AbortController();
  async function summarize() {
    summing.abort();
    summing = new AbortController();
    const { signal } = summing, key = JSON.stringify(settings());
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      if (item.noted === key) continue;
      try {
        const docs = await records(item, { annotate: "true" }, signal);
        if (items[i] !== item) return; // other pages are shown
        if (!item.of && docs.length > 1) {
          items = split(i, docs);
          at = i < at ? at + docs.length - 1 : at;
          showList();
          continue;
        }
        note(item, docs[item.index || 0] || {});
      } catch (e) {
        if (e.name === "AbortError") return;
        item.note = { result: e.message };
      }
      item.noted = key;
      showWalk();
    }
  }
  // saveAll saves the text of all pages as one file.
  async function saveAll(format, button) {
    button.disabled = true;
    try {
      const parts = [], files = new Set(items.map(i => i.of || i));
      for (const file of files) {
        const text = await (await ask({ format: format.name }, format.media_type || "*/*", undefined, false, file.blob)).text();
        if (text.trim()) parts.push(text.endsWith("\n") ? text : text + "\n");
      }
      save(`pages${extension(format)}`, new Blob([parts.join(format.name === "text" ? "\n" : "")], { type: format.media_type }));
    } catch (e) {
      button.closest(".files").after(problem(e));
    }
    button.disabled = false;
  }
  const split = (i, docs) => items.toSpliced(i, 1, ...docs.map((d, index) => note({ name: d.url || d.id || `page ${index + 1}`, of: items[i], index, id: d.id, blob: items[i].blob, noted: JSON.stringify(settings()) }, d)));

  // run requests the shown page; again: even if nothing has changed.
  async function run(again) {
    const key = JSON.stringify([at, view, settings(), view === "diff" && settings(true), view === "text" && [now.format, now.annotate], view === "rules" && now.rules]);
    if (!again && key === last) return;
    last = key;
    running.abort();
    running = new AbortController();
    const { signal } = running;
    out.setAttribute("aria-busy", "true");
    try {
      const doc = await annotated(signal);
      showFacts(doc);
      if (view === "text") await showText(signal);
      else if (view === "diff") await showDiff(signal);
      else if (view === "rules") await showRules(signal);
      else if (items[at].of && doc.drop) showBlocks(doc);
      else showPage();
    } catch (e) {
      if (e.name === "AbortError") return;
      last = "";
      fill(out, problem(e));
    }
    if (!signal.aborted) out.removeAttribute("aria-busy");
  }

  // annotated returns the page with all decisions. A file with several pages is
  // replaced by its pages in the list.
  async function annotated(signal) {
    const item = items[at], docs = await records(item, { annotate: "true" }, signal);
    if (item.of) return docs[item.index] || {};
    if (docs.length > 1) {
      items = split(at, docs);
      showList();
    }
    return docs[0] || {};
  }
  // records returns the pages of a file as objects, requested once for each setting.
  async function records(item, more, signal, other) {
    const file = item.of || item, key = JSON.stringify([settings(other), more]);
    file.known ||= new Map();
    if (!file.known.has(key)) {
      const text = await (await ask({ format: "jsonl", ...more }, "application/x-ndjson", signal, other, file.blob)).text();
      if (file.known.size > 8) file.known.clear();
      file.known.set(key, text.split("\n").filter(l => l.trim()).map(l => JSON.parse(l)));
    }
    return file.known.get(key);
  }
  // textOf returns the clean text of the page.
  async function textOf(signal, other) {
    const item = items[at];
    if (!item.of) return (await ask({ format: "text" }, "text/plain", signal, other)).text();
    return (await records(item, {}, signal, other)).find(d => d.id === item.id)?.text || "";
  }
  // note stores the row of a page in the table of pages.
  function note(item, doc) {
    const c = doc.counts || {};
    item.note = { lang: doc.lang || "", words: c.words > 0 ? `${count(c.words_kept)} of ${count(c.words)}` : "", result: doc.drop ? `dropped: ${dropOf(doc)}` : c.words > 0 ? "kept" : "" };
    return item;
  }
  const dropOf = doc => typeof doc.drop === "string" ? doc.drop : JSON.stringify(doc.drop);
  function showFacts(doc) {
    const c = doc.counts || {}, item = items[at];
    fill(told,
      doc.title ? el("h2", { dir: "auto" }, doc.title) : el("h2", { class: "dim" }, item.name),
      doc.drop && el("p", { class: "notice" }, el("b", null, "Dropped: "), dropOf(doc)),
      facts([["language", doc.lang && doc.lang + (doc.lang_confidence ? ` (${percent(doc.lang_confidence)})` : "")], ["encoding", doc.charset], ["words kept", c.words > 0 && `${count(c.words_kept)} of ${count(c.words)} (${percent(c.words_kept / c.words)})`],
        ["blocks kept", c.blocks > 0 && `${count(c.blocks_kept)} of ${count(c.blocks)}`], ["confidence", doc.confidence !== undefined && doc.confidence + (doc.confidence_policy ? ` (${doc.confidence_policy})` : "")],
        ["page type", doc.page_type && doc.page_type + (doc.page_type_confidence ? ` (${percent(doc.page_type_confidence)})` : "")], ["author", doc.authors?.join(", ")], ["date", doc.date]]));
    note(item, doc);
    if (items.length > 1) showWalk();
    say(doc.drop ? `Page dropped: ${doc.drop}` : `${count(c.words_kept || 0)} of ${many(c.words || 0, "word")} kept`);
  }

  // The page and its blocks are shown in separate frames, which a form fills.
  function showPage() {
    const frame = (name, title, sandbox) => el("iframe", { name, title, sandbox });
    const blocks = frame("explained", "Blocks of the page, coloured by role", "allow-scripts"), page = frame("rendered", "Rendered page, without scripts", "");
    fill(out, el("div", { class: "frames" }, el("div", { class: "frame" }, el("h3", null, "Page"), page), el("div", { class: "frame first" }, el("h3", null, "Blocks"), blocks)));
    send("v1/render", "rendered", ["url"]);
    send("v1/explain", "explained", ["keep", "method", "favour", "lang", "hidden", "title", "url"]);
  }
  function send(path, target, names) {
    const item = items[at], s = settings(), f = el("form", { method: "post", action: address(path), target, enctype: "multipart/form-data", hidden: true });
    for (const k of names) {
      if (s[k]) f.append(el("input", { type: "hidden", name: k, value: s[k] }));
    }
    if (item.of) f.append(el("input", { type: "hidden", name: "nth", value: item.index + 1 }));
    if (item.text !== undefined) {
      const t = el("textarea", { name: isHTML(item.text) ? "html" : "text" });
      t.value = item.text;
      f.append(t);
    } else {
      const file = el("input", { type: "file", name: "file" }), carrier = new DataTransfer();
      carrier.items.add(new File([item.blob], (item.of || item).name, { type: item.blob.type }));
      file.files = carrier.files;
      f.append(file);
    }
    box.append(f);
    f.submit();
    f.remove();
  }

  // showBlocks lists the blocks of an archive record that is not a page.
  function showBlocks(doc) {
    fill(out, el("ol", { class: "blocks", "aria-label": "Blocks in page order" }, (doc.blocks || []).map(b => {
      const kept = b.label === "good", hidden = b.hidden ? "hidden, " : "";
      return el("li", { class: `${b.role ? "r-" + b.role : ""} ${kept ? "kept" : "dropped"} k-${b.kind}` }, el("span", { dir: "auto" }, b.text), el("small", { title: b.why }, `${hidden}${kept ? "kept" : "dropped"}${b.role ? ", " + b.role : ""}${b.score !== undefined ? ` · ${b.score.toFixed(2)}` : ""}`));
    })));
  }

  async function showText(signal) {
    const formats = about.formats, f = items[at].of ? formats.find(f => f.name === "text") : formats.find(f => f.name === now.format) || formats.find(f => f.name === "text") || formats[0];
    const as = x => ({ format: x.name, annotate: now.annotate && x.annotates ? "true" : "false" });
    const plain = !now.annotate || items[at].of;
    const text = f.name === "text" && plain ? await textOf(signal) : await (await ask(as(f), f.media_type || "*/*", signal)).text();
    const choice = el("div", { hidden: !!items[at].of, class: "formats", role: "group", "aria-label": "Format" }, formats.map(x => {
      const a = el("a", { href: link(["clean"], params({ format: x.name === "text" ? "" : x.name })), title: x.help }, x.name);
      if (x === f) a.setAttribute("aria-current", "true");
      return a;
    }));
    rove(choice, "a", true);
    const busy = new Map();
    const files = el("div", { class: "files", role: "group", "aria-label": "Downloads" }, el("span", { class: "dim" }, items[at].of ? "Download the whole file" : "Download"), formats.map(x => el("button", { type: "button", title: x.help, onclick: async e => {
      if (busy.get(x)) return;
      busy.set(x, true);
      try {
        save(baseName((items[at].of || items[at]).name) + extension(x), await (await ask(as(x), x.media_type || "*/*")).blob());
      } catch (err) {
        e.target.closest(".files").after(problem(err));
      }
      busy.delete(x);
    } }, extension(x))));
    const mark = el("input", { type: "checkbox", onchange: () => go(["clean"], params({ annotate: mark.checked ? "true" : "" })) });
    mark.checked = !!now.annotate;
    const labelled = el("label", { class: "check", title: "for formats that can hold labels" }, mark, "Include dropped blocks and labels");
    const shownText = text.trim() ? text : "(no text kept)";
    fill(out, choice, f.help && el("p", { class: "dim small" }, f.help), el("div", { class: "textbar" }, el("span", { class: "dim" }, many([...text].length, "character")), copyButton(() => text), files, labelled),
      f.name === "text" && plain ? prose(shownText) : el("pre", { class: "code result", tabindex: "0", "aria-label": f.name }, shownText));
  }
  const prose = text => el("div", { class: "prose", id: "cleantext", tabindex: "0", role: "region", "aria-label": "Clean text" }, text.replace(/\n+$/, "").split("\n").map(l => el("p", { dir: "auto" }, l)));
  const baseName = name => name.replace(/^.*[/\\]/, "").replace(/\.(?:html?|xhtml|txt|warc|gz)$/i, "").replace(/[^\p{L}\p{N}._-]+/gu, "_") || "page";
  const extension = f => f.extension ? (f.extension.startsWith(".") ? f.extension : "." + f.extension) : "." + f.name;

  // showRules scores the clean text by rules of quality.
  async function showRules(signal) {
    const names = about.rules.map(r => r.name), chosen = (now.rules || names[0]).split(","), item = items[at];
    const had = out.contains(document.activeElement) ? document.activeElement.value : "";
    const boxes = el("fieldset", { class: "roles" }, el("legend", null, "Rules"), about.rules.map(x => {
      const b = el("input", { type: "checkbox", value: x.name, onchange: () => go(["clean"], params({ rules: names.filter(n => boxes.querySelector(`[value="${n}"]`).checked).join(",") })) });
      b.checked = chosen.includes(x.name);
      return el("label", { title: x.help, class: "plainbox" }, b, x.name);
    }));
    const found = el("div");
    fill(out, boxes, found);
    if (had) boxes.querySelector(`[value="${CSS.escape(had)}"]`)?.focus();
    try {
      const body = item.of ? new Blob([await textOf(signal)], { type: "text/plain;charset=utf-8" }) : item.blob;
      const r = await (await post("v1/filter", { ...settings(), rules: chosen.join(",") }, body, "application/json", signal)).json();
      const verdict = r.kept ? "Page kept" : `Page dropped: ${r.rule || r.drop}`, scores = Object.entries(r.scores).sort(([a], [b]) => a < b ? -1 : 1);
      fill(found, el("p", { class: "total" }, el("b", null, verdict)),
        scores.length > 0 && table("Scores", [{ name: "score", head: true, cell: x => el("code", null, x[0]) }, { name: "value", number: true, cell: x => figure(x[1]) }, { name: "limit", number: true, cell: x => bounds(r.limits?.[x[0]]) }, { name: "", cell: x => breaks(x[1], r.limits?.[x[0]]) && el("b", { class: "broken" }, "breaks the limit") }], scores),
        r.lines?.length > 0 && table("Dropped lines", [{ name: "dropped line", head: true, cell: x => el("bdi", null, x.text) }, { name: "reason", cell: x => x.why }], r.lines));
      say(verdict);
    } catch (e) {
      if (e.name === "AbortError") throw e;
      fill(found, problem(e)); // the rules stay, to choose others
    }
  }

  async function showDiff(signal) {
    if (!["b.keep", "b.method", "b.favour"].some(k => now[k])) now = { ...now, "b.keep": now.keep === "body" ? "text" : "body" };
    const other = options([
      { key: "b.keep", label: "B: keep", kind: "select", options: keeps },
      { key: "b.method", label: "Method", kind: "select", options: methods },
      { key: "b.favour", label: "Favour", kind: "select", options: favours },
    ], values => {
      const { "b.keep": k, "b.method": m, "b.favour": f, ...others } = now;
      const same = !values["b.keep"] && !values["b.method"] && !values["b.favour"];
      go(["clean"], { ...others, ...values, ...same ? { "b.favour": "recall" } : {} });
    }, "Settings of B");
    other.show(now);
    const [a, b] = (await Promise.all([textOf(signal), textOf(signal, true)])).map(t => t.replace(/\n+$/, "").split("\n"));
    const pairs = diff(a, b), lost = pairs.filter(p => p[1] < 0).length, more = pairs.filter(p => p[0] < 0).length;
    const name = s => [s.method, s.keep && "keep " + s.keep, s.favour && "favour " + s.favour].filter(Boolean).join(", ") || "default settings";
    const summary = lost + more ? `${many(lost, "line")} only in A, ${count(more)} only in B, ${count(pairs.length - lost - more)} in both` : "No differences";
    const had = out.contains(document.activeElement) ? document.activeElement.name : "";
    fill(out, other, el("p", { class: "small" }, summary), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Differences" }, el("table", { class: "diff" },
      el("caption", { class: "quiet" }, "Lines of A and B"), el("thead", null, el("tr", null, el("th", { scope: "col" }, "A: " + name(settings())), el("th", { scope: "col" }, "B: " + name(settings(true))))),
      el("tbody", null, pairs.map(([x, y]) => el("tr", { class: x < 0 ? "added" : y < 0 ? "gone" : null }, side(a[x], y < 0 && "only in A: "), side(b[y], x < 0 && "only in B: ")))))));
    if (had) other.elements[had]?.focus();
    say(summary);
  }

  return { show, title: () => items[at]?.name, keys: [["n", "next page of the list"], ["p", "previous page"]] };
}
