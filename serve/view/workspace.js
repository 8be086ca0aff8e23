// The workspace of a user on the server: subcorpora, saved queries, history, labels of hits. The
// part shows them; workspace() stores them for the part Corpus.
import { el, fill, many, count, say } from "./dom.js";
import { get, post, remove, address } from "./api.js";
import { link, go } from "./route.js";
import { problem, facts, table } from "./parts.js";

const FILES = ["csv", "tsv", "xlsx", "jsonl"];
const send = async (path, body, params) => (await post("v1/workspace/" + path, params, body, "application/json")).json();

// viewOf returns the address of a stored view.
const viewOf = v => link(["corpus", v.corpus, v.view || "hits"], v.params);

// workspace returns the store for the part Corpus, or null on a server without workspaces.
export function workspace(about) {
  if (!about.workspace) return null;
  let all = { subcorpora: [], saved: [] }, loading = null, last = "", selected = new Set();
  const said = el("span", { class: "dim small", role: "status" });
  const load = again => {
    if (!loading || again) loading = get("v1/workspace").then(w => { all = w; }, e => { loading = null; fill(said, e.message); });
    return loading;
  };
  const attempt = async (what, done) => {
    try {
      const r = await what();
      fill(said, done(r));
      say(said.textContent);
      await load(true);
      return r;
    } catch (e) {
      fill(said, e.message);
      say(e.message);
      return null;
    }
  };
  const sub = (corpus, name) => all.subcorpora.find(s => s.corpus === corpus && s.name === name);
  const self = {
    load, subs: corpus => all.subcorpora.filter(s => s.corpus === corpus).map(s => s.name),
    // keep saves a subcorpus: the current one and a further condition.
    keep(corpus, name, params, more) {
      const { filter, patt, in: where, attr, values } = sub(corpus, params.subcorpus) || {};
      const body = { corpus, name, filter, patt, in: where, attr, values, ...more };
      if (params.filter) body.filter = filter ? `(${filter}) & (${params.filter})` : params.filter;
      return attempt(() => send("subcorpora", body), r => `Saved: ${name}, ${many(r.tokens, "token")}`);
    },
    drop: (corpus, name) => attempt(() => remove("v1/workspace/subcorpora", { corpus, name }), () => `Deleted: ${name}`),
    visited(corpus, view, params) {
      const key = JSON.stringify([corpus, view, params]);
      if (!params.patt || key === last) return;
      last = key;
      send("history", { corpus, view, params: plain(params) }).catch(() => {}); // the next query is stored again
    },
    // labels returns the labels of the hits of a query and their names.
    async labels(corpus, patt) {
      const r = await get("v1/workspace/labels", { corpus, patt });
      const found = Object.fromEntries(r.labels.map(l => [`${l.start}-${l.end}`, { n: l.label, start: l.start, end: l.end, left: l.left || "", match: l.match || "", right: l.right || "", ref: l.ref || "" }]));
      const store = (values, write) => {
        let before = structuredClone(values);
        return { all: values, write() {
          const now = structuredClone(values), was = before;
          before = now;
          write(now, was).catch(e => { before = was; fill(said, `Not saved: ${e.message}`); say(said.textContent); });
        } };
      };
      const short = s => (s || "").slice(-500);
      return {
        labels: store(found, async (now, was) => {
          const changes = [...new Set([...Object.keys(now), ...Object.keys(was)])].filter(k => now[k]?.n !== was[k]?.n).map(k => {
            const { start, end, left, match, right, ref } = now[k] || was[k];
            return { corpus, patt, start, end, label: now[k]?.n || 0, left: short(left), match: (match || "").slice(0, 500), right: (right || "").slice(0, 500), ref };
          });
          for (let i = 0; i < changes.length; i += 1000) await send("labels", { labels: changes.slice(i, i + 1000) });
        }),
        names: store(r.names[0]?.names || {}, names => send("labels", { names: [{ corpus, patt, names }] })),
      };
    },
    // selection returns boxes to select documents by an attribute, and the bar that saves them.
    selection(c, attr) {
      const chosen = selected.of === c.name + attr ? selected : selected = Object.assign(new Set(), { of: c.name + attr });
      const name = el("input", { type: "text", size: "14", maxlength: "100", "aria-label": "Name of the subcorpus of selected documents", placeholder: "name", autocomplete: "off" }), n = el("span");
      const show = () => fill(n, `${many(chosen.size, "document")} selected `);
      const keep = async () => {
        if (!chosen.size || !name.value.trim()) return name.focus();
        const as = name.value.trim();
        if (!await self.keep(c.name, as, {}, { attr, values: [...chosen] })) return;
        chosen.clear();
        go(["corpus", c.name, "docs"], { subcorpus: as });
      };
      show();
      return {
        bar: el("p", { class: "spacebar" }, n, name, el("button", { type: "button", onclick: keep }, "Save as subcorpus")),
        box: value => el("input", { type: "checkbox", "aria-label": `Select ${value}`, checked: chosen.has(value), onchange: e => { if (e.target.checked) chosen.add(value); else chosen.delete(value); show(); } }),
      };
    },
    // bar returns the buttons that save the current view; now returns its {name, view, params}.
    bar(now) {
      const name = el("input", { type: "text", size: "14", maxlength: "100", "aria-label": "Name to save under", placeholder: "name", autocomplete: "off" });
      const taken = () => name.value.trim() || now().params.patt || "";
      const query = async () => {
        const { name: corpus, view, params } = now();
        if (!params.patt) return fill(said, "Enter a query first.");
        const r = await attempt(() => send("saved", { name: taken().slice(0, 200), corpus, view, params: plain(params) }), s => ["Saved: ", el("a", { href: linkTo(s) }, s.name)]);
        if (r) name.value = "";
      };
      const documents = async () => {
        const { name: corpus, params } = now();
        if (!params.patt) return fill(said, "Enter a query first.");
        const as = taken().slice(0, 100);
        if (await self.keep(corpus, as, params, { patt: params.patt })) {
          name.value = "";
          go(["corpus", corpus, "hits"], { patt: params.patt, subcorpus: as });
        }
      };
      return el("p", { class: "spacebar", "aria-label": "Workspace", role: "group" }, name,
        el("button", { type: "button", onclick: query }, "Save query"),
        el("button", { type: "button", onclick: documents, title: "save the documents with hits as a subcorpus" }, "Subcorpus of hits"),
        el("a", { href: "#workspace" }, "Workspace"), said);
    },
  };
  return self;
}

// plain omits empty parameters.
const plain = params => Object.fromEntries(Object.entries(params).filter(([, v]) => v !== undefined && v !== null && v !== "").map(([k, v]) => [k, String(v)]));

// linkTo returns the permanent link of a saved query.
const linkTo = s => link(["workspace", s.id]);

// open creates the part in its box.
export function open(box) {
  const said = el("div"), body = el("div");
  box.append(el("h1", null, "Workspace"), el("p", { class: "lead" }, "Saved queries, subcorpora, labels and history. They are stored on the server; other users see only what you share."), said, body);
  const attempt = async what => {
    fill(said);
    try {
      await what();
      await draw();
    } catch (e) {
      fill(said, problem(e));
    }
  };
  const button = (name, what, title) => el("button", { type: "button", title, onclick: () => attempt(what) }, name);
  const day = t => (t || "").slice(0, 16).replace("T", " ");
  const query = v => el("a", { href: viewOf(v) }, el("code", null, v.params.patt || v.view));
  const into = el("input", { type: "file", accept: ".json", class: "quiet", tabindex: "-1", "aria-label": "Exported workspace", onchange: () => attempt(async () => {
    const [file] = into.files;
    into.value = "";
    const r = await (await post("v1/workspace/import", {}, new Blob([await file.text()], { type: "application/json" }), "application/json")).json();
    say(`${many(r.added, "item")} added, ${r.skipped} already there`);
  }) });

  async function draw() {
    const w = await get("v1/workspace");
    const condition = s => [s.filter, s.patt && `<${s.in || "doc"}/> with ${s.patt}`, s.values?.length && `${many(s.values.length, "value")} of ${s.attr}`].filter(Boolean).join(" and ");
    fill(body,
      facts([["user", w.user], ["role", w.admin && "administrator"], ["labelled hits", count(w.labels)]]),
      el("p", { class: "files" }, el("a", { href: address("v1/workspace/export"), download: "workspace.json" }, "Export workspace"), " ", el("button", { type: "button", onclick: () => into.click() }, "Import …"), into,
        w.labels > 0 && [el("span", { class: "dim" }, " Labels: "), ...FILES.map(f => [el("a", { href: address("v1/workspace/labels", { format: f }), download: `labels.${f}` }, f), " "])]),
      el("h2", null, "Saved queries"),
      w.saved.length ? table("Saved queries", [
        { name: "name", head: true, cell: s => el("a", { href: linkTo(s), title: "permanent link" }, s.name) },
        { name: "corpus", cell: s => s.corpus }, { name: "query", cell: query }, { name: "saved", opt: true, cell: s => day(s.created) },
        { name: "visible to", cell: s => s.shared ? "users with the link" : "you" },
        { name: "", cell: s => [button(s.shared ? "Make private" : "Share", () => send("saved", { ...s, shared: !s.shared })), " ", button("Delete", () => remove(`v1/workspace/saved/${encodeURIComponent(s.id)}`))] },
      ].map(col), w.saved) : el("p", { class: "none" }, "Search a corpus and choose Save query."),
      el("h2", null, "Subcorpora"),
      w.subcorpora.length ? table("Subcorpora", [
        { name: "name", head: true, cell: s => el("a", { href: link(["corpus", s.corpus, "docs"], { subcorpus: s.name }) }, s.name) },
        { name: "corpus", cell: s => s.corpus }, { name: "documents", cell: s => el("code", null, condition(s)) },
        { name: "", cell: s => button("Delete", () => remove("v1/workspace/subcorpora", { corpus: s.corpus, name: s.name })) },
      ], w.subcorpora) : el("p", { class: "none" }, "Search a corpus and save a filter, or the documents with hits."),
      el("h2", null, "History"),
      w.history.length ? [el("p", null, button("Clear history", () => remove("v1/workspace/history"))), table("History", [
        { name: "query", head: true, cell: query }, { name: "corpus", cell: v => v.corpus }, { name: "view", cell: v => v.view }, { name: "time", cell: v => day(v.time) },
      ], w.history)] : el("p", { class: "none" }, "No queries yet."));
  }

  // show lists the workspace, or opens the saved query of a permanent link.
  async function show([id]) {
    fill(said);
    try {
      if (!id) return await draw();
      const s = await get("v1/workspace/saved/" + encodeURIComponent(id));
      go(["corpus", s.corpus, s.view || "hits"], s.params, true);
    } catch (e) {
      fill(said, problem(e));
      fill(body);
    }
  }
  return { show, title: () => "", keys: [] };
}

// col wraps lists of elements in a cell.
const col = c => ({ ...c, cell: (r, i) => { const x = c.cell(r, i); return Array.isArray(x) ? el("span", { class: "nobreak" }, x) : x; } });
