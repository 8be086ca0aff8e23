// Reports: the contents of a folder, live while it grows.
import { el, fill, say } from "./dom.js";
import { get, address } from "./api.js";
import { link } from "./route.js";
import { bar, facts, problem, table } from "./parts.js";
import { lines } from "./chart.js";

const EVERY = 2000; // ms between two requests; an unchanged response costs a header
const when = t => el("time", { datetime: t }, new Date(t).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }));
const href = (path, page) => link(["reports"], { path, page });
const share = s => s && el("span", { class: "ratio" }, bar(+s), el("span", null, `${(100 * s).toFixed(1)} %`));
const name = r => el("bdi", null, r.path === "." ? "(this folder)" : r.path);

// keep fills a box and preserves the focused link.
function keep(box, ...inside) {
  const at = box.contains(document.activeElement) && document.activeElement.getAttribute("href");
  fill(box, ...inside);
  if (at) [...box.querySelectorAll("a")].find(a => a.getAttribute("href") === at)?.focus();
}

export function open(box) {
  const list = el("div", { class: "list" }), out = el("div", { class: "out" }), frame = el("div", { class: "frame" });
  box.append(el("h1", null, "Reports"), el("p", { class: "lead" }, "Builds, crawls, filters, deduplication and evaluations in the folder. Running ones are updated every two seconds. Select one to read it."), list, out, frame);
  let params = {}, shown = {}, timer = 0, state = "";

  // look requests the folder and shows the changes.
  async function look() {
    clearTimeout(timer);
    const { path, page } = params;
    try {
      const answers = await Promise.all([get("v1/reports"), path && get("v1/reports/view", { path })]);
      if (path !== params.path || page !== params.page) return;
      [showList, showReport].forEach((show, i) => {
        const now = JSON.stringify([answers[i], params]);
        if (now === shown[i]) return;
        shown[i] = now;
        show(answers[i]);
      });
    } catch (e) {
      shown = {};
      fill(out, problem(e));
    }
    if (!box.hidden) timer = setTimeout(() => document.hidden ? look.later = true : look(), EVERY);
  }
  document.addEventListener("visibilitychange", () => { if (look.later && !document.hidden && !box.hidden) { look.later = false; look(); } });

  function showList({ reports, more }) {
    keep(list, reports.length ? table("Reports", [
      { name: "report", head: true, cell: r => el("a", { href: href(r.path), "aria-current": r.path === params.path ? "true" : null }, name(r)) },
      { name: "kind", cell: r => r.kind },
      { name: "state", cell: r => el("span", { class: "s-" + r.state }, r.state) },
      { name: "", cell: r => r.says || "" },
      { name: "changed", cell: r => when(r.changed) },
    ], reports) : el("p", { class: "none" }, "No reports yet. Builds and crawls in this folder appear here as soon as they start."),
    more && el("p", { class: "dim small" }, "The folder has more reports than are listed."));
  }

  function showReport(r) {
    if (!r) return fill(out), fill(frame);
    const asked = r.kind === "page" || params.page;
    keep(out, el("h2", null, name(r)), el("p", { class: "dim" }, `${r.kind}, ${r.state}${r.says ? ": " + r.says : ""}`),
      r.share !== undefined && el("div", { class: "progress", role: "progressbar", "aria-label": "done", "aria-valuenow": Math.round(100 * r.share) }, bar(r.share)),
      r.error && problem({ status: 0, message: r.error }), facts(r.facts.map(f => [f.name, f.value])),
      r.page && r.kind !== "page" && el("p", null, el("a", { href: href(r.path, params.page ? "" : "true") }, params.page ? "Hide the HTML report" : "Show the HTML report")),
      (r.curves || []).map(c => lines(c.title, [{ name: c.title, items: c.points }])),
      r.said && el("pre", { class: "code result", tabindex: "0", "aria-label": "Output" }, r.said),
      params.page ? [] : r.tables.map(t => [el("h3", null, t.title), table(t.title, t.head.map((h, i) => ({
        name: h.replace(/^[>=]/, ""), number: h[0] === ">", class: h[0] === "=" ? "barcell" : null, head: i === 0 && t.head.length > 1,
        cell: row => h[0] === "=" ? share(row[i]) : el("bdi", null, row[i]),
      })), t.rows), t.more && el("p", { class: "dim small" }, `${t.more} more rows`)]));
    const src = asked && r.page ? address("v1/reports/page", { path: r.page }) : "";
    if (!src) fill(frame);
    else if (frame.said !== src + r.changed || !frame.firstChild) {
      frame.said = src + r.changed;
      fill(frame, el("iframe", { src, sandbox: "allow-scripts", title: "Report " + r.page }));
    }
    if (state && state !== r.path + r.state && state.startsWith(r.path)) say(`${r.path}: ${r.state}`);
    state = r.path + r.state;
  }

  return {
    show: (_, p) => { params = p; return look(); },
    title: () => params.path,
    leave: () => clearTimeout(timer),
  };
}
