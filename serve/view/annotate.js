// The annotation view: the pages of the set, one page with its blocks, and the results of
// the labels. press.js applies keys to a page; judge.js has the other views.
import { el, fill, count, many, percent, say, stored, typing } from "./dom.js";
import { get, post, address } from "./api.js";
import { link, go } from "./route.js";
import { facts, problem, table, tabs } from "./parts.js";
import { begin, doubtful, lent, press, selection, shown, KEYS } from "./press.js";

const FIRST = 200; // blocks after the cursor that are shown at once; the rest follows later
const VIEWS = { agreement: "Agreement", model: "Model" };
const CONTROLS = [[".", "Next unsure"], [";", "Most unsure"], [" ", "Confirm"], ["w", "Widen"], ["v", "Range"], ["u", "Undo"], ["=", "Similar blocks of the site"], ["i", "One question at a time"], ["Enter", "Accept the rest"]];

export function open(box) {
  const nav = tabs("Set views"), body = el("div", { class: "out" });
  const ask = el("form", { class: "buttons", onsubmit: e => { e.preventDefault(); go(["annotate"], { as: ask.elements.as.value.trim().toLowerCase() }); } },
    el("label", { class: "field" }, el("span", null, "Your name"), el("input", { name: "as", autocomplete: "username", pattern: "[\\p{Ll}\\p{Lo}\\p{M}\\p{Nd}_\\-]+", maxlength: 40, required: true, title: "lower-case letters, digits, - and _", "data-main": true })), el("button", { class: "go" }, "Start"));
  box.append(nav, body);
  let as = "", params = {}, set = null, page = null, state = null, items = [], queue = Promise.resolve(), waiting = 0, last = 0, seq = 0, broken = false, more = null, frame = null, status = null, hint = null;

  const me = stored("person"); // annotator in this browser
  const desk = (path, rest) => get("v1/desk" + path, { person: as, ...rest });
  const asked = rest => ({ as, ...(params.blank && { blank: params.blank }), ...(params.ask && { ask: "true" }), ...rest });

  async function show(path, now) {
    params = now;
    as = now.as || me.all.name || "";
    nav.hidden = !as;
    if (!as) {
      fill(body, el("h1", null, "Label pages"), el("p", { class: "lead" }, "Enter your name. Labels are stored by annotator, so that agreement can be measured."), ask);
      return;
    }
    me.all.name = as;
    me.write();
    const view = path[0] || "";
    nav.show([["", "Pages"], ...Object.entries(VIEWS)].map(([id, name]) => ({ name, href: link(["annotate", ...id ? [id] : []], asked()), now: id === view })));
    document.body.removeAttribute("data-ready");
    try {
      if (view === "page") return await openPage(path[1] || "");
      page = null;
      if (VIEWS[view]) return await (more ||= await import("./judge.js"))[view](body, { as, asked, desk });
      await list();
    } catch (e) {
      page = null;
      fill(body, problem(e));
    }
  }

  async function list() {
    set = await desk("");
    const mine = set.pages.filter(p => p.done).length, next = set.pages.find(p => !p.done);
    fill(body, el("h1", null, set.set), (set.notices || []).map(n => el("p", { class: "notice", role: "status" }, n)),
      facts([["you", as], ["done", `${count(mine)} of ${many(set.pages.length, "page")}`], ["annotators", set.people.join(", ")], ["proposals", set.blank ? "hidden" : set.model ? `model ${set.model} of this set` : "embedded model"]]),
      el("p", { class: "buttons" }, next && el("a", { class: "button", href: to(next.id) }, mine ? "Continue" : "Start"), !set.blank && el("label", { class: "field" }, el("span", null, "Proposals"), el("select", { onchange: e => go(["annotate"], asked({ blank: e.target.value }), true) }, [["", "shown"], ["fifth", "hidden on every fifth page"], ["all", "hidden"]].map(([v, n]) => { const o = new Option(n, v); o.selected = (params.blank || "") === v; return o; }))), el("a", { href: link(["annotate"], { as: "" }), onclick: () => { delete me.all.name; me.write(); show([], {}); } }, "Change name")),
      table("Pages: unfinished first, by uncertainty of the model", [
        { name: "page", head: true, cell: p => [el("a", { href: to(p.id) }, el("bdi", null, p.title || p.id)), el("div", { class: "small dim" }, p.site || "")] },
        { name: "blocks", number: true, cell: p => count(p.blocks) },
        { name: "unsure", number: true, opt: true, title: "mean of 1 - probability of the proposed label", cell: p => set.blank ? "" : percent(p.unsure) },
        { name: "you", cell: p => p.done ? "done" : p.labelled ? `${count(p.labelled)} labelled` : "" },
        { name: "others", opt: true, cell: p => (p.others || []).join(", ") },
        { name: "use", opt: true, title: "evaluation pages are never used for training", cell: p => p.kept ? "evaluation" : "" },
      ], set.pages));
  }
  const to = id => link(["annotate", "page", id], asked());

  async function openPage(id) {
    set ||= await desk("");
    await queue;
    page = await desk("/pages/" + encodeURIComponent(id), { blank: params.blank });
    state = begin(page, params.ask === "true");
    seq = page.seq;
    broken = false;
    last = performance.now();
    items = page.blocks.map((b, i) => el("li", { id: "block-" + i, role: "option", class: `k-${b.kind}`, onclick: e => { state = { ...state, at: i, anchor: e.shiftKey ? (state.anchor < 0 ? state.at : state.anchor) : -1, wide: 0 }; paint(); } },
      el("small", null, i), el("span", { dir: "auto" }, b.text), el("b"), b.hidden && el("i", null, "hidden")));
    const rows = el("ol", { class: "desk", role: "listbox", tabindex: "0", "aria-multiselectable": "true", "aria-label": "Blocks of the page" });
    const now = state.at + FIRST;
    rows.append(...items.slice(0, now));
    setTimeout(() => rows.append(...items.slice(now)), 50);
    frame = el("iframe", { title: "Rendered page, without scripts", sandbox: "" });
    status = el("span", { role: "status" });
    hint = el("p", { class: "small hint" });
    const key = (k, name, role) => el("button", { type: "button", class: role ? "r-" + role : null, "data-key": k, onclick: () => { rows.focus(); pressed(k); } }, el("kbd", null, k === " " ? "Space" : k), " ", name);
    const here = (page.others || []).filter(o => o.here), done = (page.others || []).filter(o => !o.here);
    fill(body, el("div", { class: "head" }, el("h1", { dir: "auto" }, page.title || page.id), status),
      facts([["page", page.id], ["site", page.site], ["blocks", count(page.blocks.length)], ["labelled by", done.map(o => `${o.name}${o.done ? "" : ` (${count(o.labelled)})`}`).join(", ")]]),
      here.length > 0 && el("p", { class: "notice", role: "status" }, `${here.map(o => o.name).join(" and ")} ${here.length > 1 ? "have" : "has"} this page open too. Labels are stored separately.`),
      el("div", { class: "frames" }, el("div", { class: "frame" }, el("h2", { class: "quiet" }, "Page"), frame),
        el("div", { class: "frame first" }, el("h2", { class: "quiet" }, "Blocks"),
          el("div", { class: "keys", role: "group", "aria-label": "Labels" }, Object.entries(state.keys).map(([k, role]) => key(k, role, role))),
          el("div", { class: "keys", role: "group", "aria-label": "Actions" }, CONTROLS.map(([k, name]) => key(k, name))), hint, rows)));
    page.rows = rows;
    items.forEach((_, i) => row(i));
    paint(true);
    rows.focus({ preventScroll: true });
    say(`${page.title || page.id}: ${many(page.blocks.length, "block")}`);
  }
  // The page is loaded after the list, then scrolled to the block at the cursor.
  const frameOf = i => address(`v1/desk/pages/${encodeURIComponent(page.id)}/frame`) + `#chaffinch-${i}`;

  // row writes the label or proposal of a block.
  function row(i) {
    const li = items[i], l = state.labels[i], name = shown(state, i), unsure = doubtful(state, i);
    const key = `${name}|${l.label && (l.hand ? "h" : "a")}|${unsure}`;
    if (li.key === key) return;
    li.key = key;
    li.className = `k-${page.blocks[i].kind} ${name ? "r-" + name.replace("*", "") : ""} ${l.label ? "said" : ""} ${unsure ? "unsure" : ""}`;
    li.children[2].textContent = name + (l.label ? l.hand ? " ✓" : "" : unsure ? " ?" : "");
  }

  let was = [-1, -1, -1];
  function paint(first) {
    const [from, end] = selection(state);
    if (first) was = [0, items.length - 1, -1];
    for (let i = was[0]; i <= was[1]; i++) if (i < from || i > end) items[i]?.setAttribute("aria-selected", "false");
    for (let i = from; i <= end; i++) items[i]?.setAttribute("aria-selected", "true");
    items[was[2]]?.classList.remove("at");
    items[state.at]?.classList.add("at");
    if (state.ask || page.rows.asking) items.forEach((li, i) => { li.hidden = state.ask && Math.abs(i - state.at) > 3; });
    page.rows.asking = state.ask;
    if (was[2] !== state.at || first) {
      page.rows.setAttribute("aria-activedescendant", "block-" + state.at);
      items[state.at]?.scrollIntoView({ block: "nearest" });
      clearTimeout(frame.later);
      frame.later = setTimeout(() => { if (page && frame.isConnected) frame.contentWindow.location.replace(frameOf(state.at)); }, 120);
    }
    was = [from, end, state.at];
    const left = state.labels.reduce((n, _, i) => n + doubtful(state, i), 0);
    const b = page.blocks[state.at];
    fill(hint, state.say ? el("b", null, state.say + ". ") : null, end > from && `${many(end - from + 1, "block")} selected. `,
      b && !state.labels[state.at].label && state.proposed[state.at] && `Proposed: ${state.proposed[state.at]}, ${percent(state.score[state.at])}${state.proposed[state.at] === b.proposed ? "" : ", from similar blocks"}. `,
      b?.alike > 0 && `On ${many(b.alike, "other page")} of the site. `, state.done ? "Done." : `${many(left, "unsure block")} left.`, state.number && ` Block ${state.number}…`);
    if (state.say) say(state.say);
  }

  function pressed(key) {
    if (!page || broken) return false;
    const [next, send, known] = press(state, key);
    if (!known) return false;
    const changed = next.labels !== state.labels || next.proposed !== state.proposed;
    state = next;
    if (changed) items.forEach((_, i) => row(i));
    paint();
    if (send) act(send);
    return true;
  }

  // act sends the effects of a key in order, then opens another page if the key requests it.
  function act(send) {
    const of = page, ms = Math.round(performance.now() - last);
    last = performance.now();
    if (send.what) {
      const labels = send.what === "accept" ? state.labels.flatMap((l, block) => page.blocks[block].label || l.label !== page.blocks[block].proposed || l.hand ? [{ block, label: l.label }] : []).filter(x => !state.labels[x.block].hand) : send.labels;
      waiting++;
      tell("saving …");
      queue = queue.then(async () => {
        if (broken) return;
        const r = await (await post(`v1/desk/pages/${encodeURIComponent(of.id)}/labels`, { person: as }, { what: send.what, seq, labels, alike: send.alike, blank: of.blank, ms }, "application/json")).json();
        if (of !== page) return;
        if (r.page !== of.id) return go(["annotate", "page", r.page], asked());
        seq = r.seq;
        if (send.what === "undo") {
          const first = r.labels.findIndex((l, i) => l.label !== state.labels[i].label);
          state = lent({ ...state, done: r.done, at: first < 0 ? state.at : first, anchor: -1, wide: 0, labels: r.labels.map(l => ({ ...l })) });
          state.say = r.pages ? `Undone, also on ${many(r.pages, "other page")}` : "Undone";
          items.forEach((_, i) => row(i));
          paint();
        } else if (r.pages) {
          state = { ...state, say: `Also labelled on ${many(r.pages, "other page")} of the site` };
          paint();
        }
      }).catch(e => {
        if (e.status === 422 && send.what === "undo") { state = { ...state, say: e.message }; paint(); return; }
        broken = true;
        page?.rows.before(problem(e), el("p", null, el("button", { type: "button", onclick: () => openPage(of.id) }, "Reload the page")));
        say("Not saved: " + e.message);
      }).finally(() => { waiting--; tell(broken ? "not saved" : waiting ? "saving …" : "saved"); });
    }
    if (send.go) queue = queue.then(() => broken || walk(send.go, of.id));
  }
  const tell = text => { if (status) status.textContent = text; };

  // walk opens the next unfinished page, or the previous page of the list.
  async function walk(step, from) {
    if (page?.id !== from) return;
    set = await desk("");
    const i = set.pages.findIndex(p => p.id === from), rest = step > 0 ? [...set.pages.slice(i + 1), ...set.pages.slice(0, i)].filter(p => !p.done) : set.pages.slice(Math.max(0, i - 1), i), done = set.pages.filter(p => p.done).length;
    if (step > 0 && state.done && done % 5 === 0 && done > 0) return go(["annotate", "model"], asked());
    if (rest[0]) go(["annotate", "page", rest[0].id], asked());
    else go(["annotate"], asked());
  }

  document.addEventListener("keydown", e => {
    if (box.hidden || !page || e.ctrlKey || e.metaKey || typing(e) || document.querySelector("dialog[open]")) return;
    if (e.target.closest("button, a, summary") && (e.key === "Enter" || e.key === " ")) return;
    // with Alt some systems produce another letter: the key code identifies the key
    const letter = /^[a-z]$/.test(e.key) ? e.key : /^Key([A-Z])$/.exec(e.code)?.[1].toLowerCase();
    if (e.altKey ? letter && pressed("Alt+" + letter) : pressed(e.key)) e.preventDefault();
  });

  return {
    show, leave: () => { page = null; },
    title: () => page?.title || "",
    keys: [["j k ↑ ↓", "next, previous block"], ["J K", "next, previous run of blocks with the same label"], [". ,", "next, previous unsure block"], [";", "most unsure block"], ["{ }", "before, after the enclosing element"], ["1 2 g", "go to block 12; 1 2 b labels it"], ...Object.entries(KEYS).map(([k, role]) => [k, `label as ${role}`]), ["A … Y", "capital: label the enclosing element"], ["Alt+a … Alt+y", "label the run of equal labels"],
      ["v", "start or end a range"], ["w", "widen the selection: run of equal labels, element, enclosing element"], ["Space", "confirm the proposal, go to the next unsure block"], ["= +", "label the same block, or all blocks in this position, on all pages of the site"], ["*", "belongs to another article"], ["Delete", "remove the label"], ["u", "undo"], ["i", "one question at a time"], ["Enter", "accept the rest, next page"], ["[ ]", "previous, next page"]],
  };
}
