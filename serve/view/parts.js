// Elements that several parts of the page share.
import { el, rove, say } from "./dom.js";

// problem shows the error message of the server.
export function problem(e) {
  if (!("status" in e)) console.error(e);
  const more = (e.errors || []).filter(x => x.message && !e.message.includes(x.message));
  return el("div", { class: "notice", role: "alert" }, el("span", { class: "said" }, e.message),
    more.length > 0 && el("ul", null, more.map(x => el("li", null, x.location && el("code", null, x.location + ": "), x.message))));
}

// wait shows the elapsed time above a box and a button that calls cancel, after one second. It
// returns a function that removes both.
export function wait(box, cancel) {
  const start = Date.now(), time = el("span");
  const bar = el("p", { class: "wait" }, time, el("button", { type: "button", onclick: cancel }, "Cancel"));
  const timer = setInterval(() => {
    time.textContent = `Running for ${Math.round((Date.now() - start) / 1000)} s `;
    if (!bar.isConnected) {
      box.before(bar);
      say("Running. Cancel is before the results.");
    }
  }, 1000);
  return () => { clearInterval(timer); bar.remove(); };
}

// tabs creates links to the views of a part; the current one is marked.
export function tabs(label) {
  const nav = el("nav", { class: "tabs", "aria-label": label });
  // items are {name, href, now}
  nav.show = items => {
    if (nav.children.length !== items.length) nav.replaceChildren(...items.map(() => el("a")));
    items.forEach((t, i) => {
      const a = nav.children[i];
      a.textContent = t.name;
      a.href = t.href;
      if (t.now) a.setAttribute("aria-current", "page");
      else a.removeAttribute("aria-current");
    });
    rove(nav, "a", true);
    const now = nav.querySelector("[aria-current]");
    if (now && nav.scrollWidth > nav.clientWidth) nav.scrollLeft = now.offsetLeft - nav.offsetLeft - 40;
  };
  return nav;
}

// facts shows names with values in a row.
export const facts = pairs => el("dl", { class: "facts" }, pairs.filter(([, v]) => v !== "" && v !== null && v !== undefined && v !== false).map(([k, v]) => el("div", null, el("dt", null, k), el("dd", null, v instanceof Node ? v : el("bdi", null, v)))));

// table creates a table. A column is {key, name, number, cell(row), sort, title,
// head, opt, raw}: cell returns a text or an element, sort is its sort key in the address,
// head marks the cell that names the row, opt a column that
// narrow windows hide, raw a name that is written unchanged. order is {now, href(sort)}.
export function table(caption, columns, rows, order) {
  const head = columns.map(c => c.name === "" ? el("td", { class: c.opt ? "opt" : null }) : el("th", {
    scope: "col", class: [c.number ? "n" : "", c.opt ? "opt" : "", c.raw ? "raw" : ""].join(" ").trim() || null, title: c.title,
    "aria-sort": order && c.sort && order.now === c.sort ? (c.up ? "ascending" : "descending") : null,
  }, order && c.sort && order.now !== c.sort ? el("a", { href: order.href(c.sort), title: `sort by ${c.name}` }, c.name) : c.name));
  const body = rows.map((r, i) => el("tr", null, columns.map(c => {
    const x = c.cell(r, i), is = [c.number ? "n" : c.class || "", c.opt ? "opt" : ""].join(" ").trim() || null;
    return c.head ? el("th", { scope: "row", class: is }, x) : el("td", { class: is }, x);
  })));
  const t = el("table", null, el("caption", { class: "quiet" }, caption), el("thead", null, el("tr", null, head)), el("tbody", null, body));
  if (t.querySelector("tbody a")) rove(t.tBodies[0], "tr > :is(th, td):first-of-type a, tr > th a, td.go a");
  return el("div", { class: "scroll", tabindex: t.querySelector("tbody a") ? null : "0", role: "region", "aria-label": caption }, t);
}

// bar returns a bar with a share of the cell's width.
export function bar(share) {
  const i = el("i");
  i.style.width = `${Math.max(0, Math.min(100, 100 * share)).toFixed(1)}%`;
  return el("span", { class: "bar", "aria-hidden": "true" }, i);
}
