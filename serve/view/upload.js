// My corpora: upload files, build a corpus, and query it.
import { el, fill, count, many, say } from "./dom.js";
import { get, post, remove } from "./api.js";
import { link } from "./route.js";
import { problem, facts, table } from "./parts.js";
import { options } from "./form.js";
import { administration } from "./admin.js";

const PIECE = 4 << 20; // bytes of an uploaded piece
const size = n => n >= 1e9 ? `${(n / 1e9).toFixed(1)} GB` : n >= 1e6 ? `${(n / 1e6).toFixed(1)} MB` : `${Math.ceil(n / 1e3)} kB`;
const ask = async (path, body, params) => (await post("v1/workspace/corpora" + path, params, body, "application/json")).json();
const at = name => "/" + encodeURIComponent(name);

// dropped returns the files of dropped items with their paths, also those in folders.
async function dropped(items) {
  const found = [];
  const walk = async (entry, path) => {
    if (entry.isFile) found.push([path + entry.name, await new Promise((ok, no) => entry.file(ok, no))]);
    else if (entry.isDirectory) {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((ok, no) => reader.readEntries(ok, no));
        if (!some.length) break;
        for (const e of some) await walk(e, `${path}${entry.name}/`);
      }
    }
  };
  for (const e of [...items].map(i => i.webkitGetAsEntry?.()).filter(Boolean)) await walk(e, "");
  return found;
}

// safe returns a path that the server accepts.
const safe = path => path.replace(/[\\:\p{Cc}\uFFFD]/gu, "_").split("/").filter(p => p && p !== "." && p !== "..").join("/");

// open creates the part in its box.
export function open(box, about) {
  let chosen = [], busy = false, later, piece = PIECE;
  const said = el("div"), list = el("div"), room = el("div"), admin = el("div"), picked = el("p", { class: "dim small", role: "status" });
  const take = files => {
    chosen.push(...files.filter(([, f]) => f.size > 0));
    const bytes = chosen.reduce((n, [, f]) => n + f.size, 0);
    fill(picked, chosen.length ? [`${many(chosen.length, "file")}, ${size(bytes)} `, el("button", { type: "button", class: "plain", onclick: () => { chosen = []; take([]); } }, "Remove")] : "No files chosen. Drop files or folders here.");
    if (chosen.length && !name.value) name.value = chosen[0][0].split("/")[0].replace(/\..*$/, "").toLowerCase().replace(/[^a-z0-9_-]+/g, "-").slice(0, 40);
  };
  const field = (label, c, title) => el("label", { class: "field", title }, el("span", null, label), c);
  const name = el("input", { type: "text", size: "18", required: true, pattern: "[a-z0-9_\\-]{1,40}", title: "a to z, 0 to 9, - and _", autocomplete: "off", autocapitalize: "none", "data-main": true, id: "corpus-name" });
  const pick = folder => {
    const i = el("input", { type: "file", multiple: true, webkitdirectory: folder, class: "quiet", tabindex: "-1", "aria-label": folder ? "Folder" : "Files", id: folder ? "upload-folder" : "upload-files", onchange: () => { take([...i.files].map(f => [f.webkitRelativePath || f.name, f])); i.value = ""; } });
    return [el("button", { type: "button", onclick: () => i.click() }, folder ? "Folder …" : "Files …"), i];
  };
  const urls = el("textarea", { rows: "3", spellcheck: "false", placeholder: "https://example.org/", "aria-label": "Addresses to crawl, one per line" }), pages = el("input", { type: "number", min: 1, max: 10000, placeholder: "200" });
  const crawl = el("div", { class: "buttons", hidden: true }, field("Addresses to crawl, one per line", urls), field("Pages", pages, "maximum number of pages"));
  const settings = options([
    { key: "langs", label: "Languages", kind: "text", placeholder: "all", title: "such as de or de, fr: texts in other languages are dropped" },
    { key: "keep", label: "Of web pages", kind: "select", options: [["", "text (recipe)"], ["article", "article"], ["main", "main content"], ["body", "paragraphs of running text"]] },
    { key: "clean", label: "Format", kind: "select", options: [["", "automatic"], { group: "Clean text, kept as it is", options: [["vertical", "vertical"], ["prevertical", "prevertical"], ["jsonl", "JSON lines"], ["xml", "TEI"], ["markdown", "Markdown"], ["text", "plain text"]] }] },
    { key: "all", label: "Keep duplicates and non-text", kind: "check" },
  ], () => {}, "Settings of the build");
  const start = el("button", { class: "go" }, "Upload and build");
  const form = el("form", { class: "upload", "aria-label": "New corpus", onsubmit: e => { e.preventDefault(); if (!busy) upload(); } },
    el("div", { class: "buttons" }, field("Name of the corpus", name), pick(false), pick(true)), picked, crawl, el("details", { class: "how" }, el("summary", null, "Settings"), settings), el("p", null, start));
  box.append(el("h1", null, "My corpora"), el("p", { class: "lead" }, "Upload web pages, text, verticals, WARC files or archives. They are cleaned, tagged and indexed on the server. Only you see the corpus, until you share it."), room, form, said, list, admin);
  for (const on of ["dragover", "dragleave", "drop"]) form.addEventListener(on, e => {
    e.preventDefault();
    form.classList.toggle("dropping", on === "dragover");
    if (on === "drop") dropped(e.dataTransfer.items).then(take, e => fill(said, problem(e)));
  });
  take([]);

  const attempt = async what => {
    fill(said);
    try {
      await what();
    } catch (e) {
      fill(said, problem(e));
    }
    await draw();
  };
  const read = () => {
    const v = settings.read();
    return { langs: (v.langs || "").split(/[\s,]+/).filter(Boolean), keep: v.keep, clean: v.clean, all: v.all === "true", urls: urls.value.split(/\s+/).filter(Boolean), pages: +pages.value || 0 };
  };

  async function upload() {
    const as = name.value.trim(), bar = el("progress", { max: 1, value: 0, "aria-label": "Upload" }), note = el("span", { role: "status" });
    busy = start.disabled = true;
    try {
      const { corpora } = await get("v1/workspace/corpora");
      if (!corpora.some(c => c.name === as)) await ask("", { name: as });
      fill(said, el("p", null, note, " ", bar));
      const total = chosen.reduce((n, [, f]) => n + f.size, 0) || 1;
      let sent = 0, done = 0;
      for (const [path, file] of chosen) {
        for (let offset = 0; offset < file.size; offset += piece) {
          note.textContent = `Uploading ${++done > chosen.length ? chosen.length : done} of ${many(chosen.length, "file")}: ${path}`;
          if (offset) done--;
          await patient(() => ask(`${at(as)}/files`, file.slice(offset, offset + piece, "application/octet-stream"), { path: safe(path), offset: offset || "" }));
          bar.value = (sent += Math.min(piece, file.size - offset)) / total;
        }
      }
      await ask(`${at(as)}/build`, read());
      chosen = [];
      take([]);
      fill(said);
      say(`${as} is queued`);
    } catch (e) {
      fill(said, problem(e));
    }
    busy = start.disabled = false;
    await draw();
  }
  // patient repeats a request while the server is busy.
  async function patient(what) {
    for (let i = 0; ; i++) {
      try {
        return await what();
      } catch (e) {
        if (i > 5 || ![0, 429, 503].includes(e.status)) throw e;
        await new Promise(ok => setTimeout(ok, 1000 << i));
      }
    }
  }

  const STATES = { new: "not built", queued: "queued", building: "building", ready: "ready", failed: "failed", cancelled: "cancelled", interrupted: "interrupted" };
  function state(c) {
    const p = c.progress, part = p && p.total > 0 ? p.done / p.total : undefined;
    return el("span", null, el("b", { class: "s-" + (c.state === "building" ? "running" : c.state) }, STATES[c.state]),
      c.position > 0 && ` (number ${c.position})`,
      p && [" ", p.steps ? `step ${p.number} of ${p.steps}: ${p.step}` : p.step, " ", el("progress", { max: 1, value: part, "aria-label": "Build" })],
      c.error && el("span", { class: "broken" }, ": " + c.error), c.hint && c.state !== "ready" && el("span", { class: "dim" }, " " + c.hint),
      c.skipped?.length > 0 && el("details", null, el("summary", null, many(c.skipped.length, "notice")), el("ul", null, c.skipped.map(s => el("li", { class: "small" }, s)))));
  }
  const button = (label, what, title) => el("button", { type: "button", title, onclick: () => attempt(what) }, label);
  function actions(c) {
    const running = c.state === "queued" || c.state === "building";
    return el("span", { class: "nobreak" }, [
      running ? button("Cancel", () => ask(`${at(c.name)}/cancel`, {})) : button(c.state === "new" ? "Build" : "Build again", () => ask(`${at(c.name)}/build`, { ...c.build, ...name.value.trim() === c.name ? read() : {} }), "with its settings; enter its name above to use the settings there"),
      c.tokens > 0 && button(c.shared ? "Make private" : "Share", () => ask(`${at(c.name)}/share`, { shared: !c.shared }), "all users of this server may query a shared corpus"),
      button("Delete", async () => { if (confirm(`Delete the corpus ${c.name} and its files?`)) await remove("v1/workspace/corpora" + at(c.name)); }),
    ].flatMap((b, i) => b ? [i ? " " : "", b] : []));
  }
  async function draw() {
    clearTimeout(later);
    const w = await get("v1/workspace/corpora");
    fill(room, facts([["used", `${size(w.used.bytes || 0)} of ${size(w.quota.bytes)}`], ["corpora", `${w.used.corpora || 0} of ${w.quota.corpora}`]]));
    for (const c of w.corpora) if (c.tokens > 0 && !about.corpora.includes(c.corpus)) about.corpora.push(c.corpus);
    fill(list, w.corpora.length > 0 && table("Uploaded corpora", [
      { name: "corpus", head: true, cell: c => c.tokens > 0 ? el("a", { href: link(["corpus", c.corpus, "hits"]), title: "query" }, c.name) : c.name },
      { name: "files", number: true, cell: c => `${many(c.files, "file")}, ${size(c.bytes)}` }, { name: "tokens", number: true, cell: c => c.tokens ? count(c.tokens) : "" },
      { name: "state", cell: state }, { name: "", cell: actions },
    ], w.corpora));
    if (w.corpora.some(c => c.state === "queued" || c.state === "building")) later = setTimeout(() => { if (!box.hidden) draw().catch(e => fill(said, problem(e))); }, 1000);
  }
  async function show() {
    try {
      const w = await get("v1/workspace");
      piece = Math.min(PIECE, w.piece);
      crawl.hidden = !w.crawls;
      await draw();
      if (w.admin) await administration(admin);
    } catch (e) {
      fill(said, problem(e));
    }
  }
  return { show, leave: () => clearTimeout(later), title: () => "", keys: [] };
}
