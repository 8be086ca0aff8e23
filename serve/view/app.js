// The frame of the page: its parts, the keys, and which part is shown.
import { $, el, rove, typing } from "./dom.js";
import { get } from "./api.js";
import { read, link, go, start } from "./route.js";
import { problem } from "./parts.js";

// PARTS are the parts of the page. Each module exports open(box, about), which
// fills the box once and returns {show(path, params), keys}: show updates the box to
// the address, keys are [key, effect] for the help. A view may also have title(path, params), the
// title of the shown page, leave(), called when another part is shown, and tour(), which begins a tour.
const PARTS = [
  { id: "clean", name: "Clean", there: () => true, load: () => import("./clean.js") },
  { id: "corpus", name: "Corpus", there: about => about.corpora.length > 0 || about.workspace, load: () => import("./corpus.js") },
  { id: "workspace", name: "Workspace", there: about => about.workspace, load: () => import("./workspace.js") },
  { id: "upload", name: "My corpora", there: about => about.workspace, load: () => import("./upload.js") },
  { id: "annotate", name: "Annotate", there: about => about.desk, load: () => import("./annotate.js") },
  { id: "documents", name: "Annotate", there: about => about.documents, load: () => import("./documents.js") },
  { id: "reports", name: "Reports", there: about => about.reports, load: () => import("./reports.js") },
];
const COMMON = [["?", "show keyboard shortcuts"], ["/", "focus the main field"], ["Tab", "next field or group"], ["← →", "switch tabs"], ["↑ ↓ Home End", "move between rows"], ["Esc", "close the open dialog or list"]];

// first is the part that an address without a part shows: what the server was started for.
const first = about => about.desk ? "annotate" : about.documents ? "documents" : about.corpora.length ? "corpus" : "clean";

const open = new Map(); // part → {box, view}
let parts = [], shown = null;

async function show() {
  const { path } = read(), part = parts.find(p => p.id === path[0]);
  if (!part) return go([first(about)], {}, true);
  for (const a of $("parts").children) a.toggleAttribute("aria-current", false);
  const tab = $("part-" + part.id);
  tab.setAttribute("aria-current", "page");
  rove($("parts"), "a", true);
  for (const [p, o] of open) {
    if (p !== part && !o.box.hidden) o.view?.leave?.();
    o.box.hidden = p !== part;
  }
  shown = part;
  if (!open.has(part)) {
    const box = el("div", { id: "view-" + part.id });
    open.set(part, { box });
    $("main").append(box);
    try {
      open.get(part).view = (await part.load()).open(box, about);
    } catch (e) {
      box.append(problem(e));
      return;
    }
  }
  const { view } = open.get(part);
  if (!view || shown !== part) return;
  const now = read();
  tab.href = link(now.path, now.params);
  const done = view.show(now.path.slice(1), now.params);
  document.title = [view.title?.(now.path.slice(1), now.params), part.name, "chaffinch"].filter(Boolean).join(" · ");
  await done;
  document.body.dataset.ready = "yes";
}

function keys() {
  const row = ([k, what]) => [el("dt", null, k.split(" ").map(x => el("kbd", null, x))), el("dd", null, what)];
  const { keys: of = [], tour } = open.get(shown)?.view || {};
  $("keylist").replaceChildren(el("h3", null, "Everywhere"), el("dl", null, COMMON.map(row)), ...of.length ? [el("h3", null, shown.name), el("dl", null, of.map(row))] : [], tour ? el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => { $("keys").close(); tour(); } }, "Take the tour (2 minutes)")) : "");
  if (!$("keys").open) $("keys").showModal();
}

$("help").addEventListener("click", keys);
$("skip").addEventListener("click", e => { e.preventDefault(); $("main").focus(); });
document.addEventListener("keydown", e => {
  if (typing(e) || e.ctrlKey || e.metaKey || e.altKey || $("keys").open) return;
  const field = open.get(shown)?.box.querySelector("[data-main]");
  if (e.key === "?") keys();
  else if (e.key === "/" && field) field.focus();
  else return;
  e.preventDefault();
});

let about;
try {
  about = { corpora: [], formats: [], methods: [], policies: [], roles: [], languages: [], ...await get("v1/about") };
  about.corpora ||= [];
  parts = PARTS.filter(p => p.there(about));
  $("parts").append(...parts.map(p => el("a", { id: "part-" + p.id, href: "#" + p.id }, p.name)));
  start(show);
} catch (e) {
  $("main").append(problem(e));
}
