// Administration of a server with workspaces: users, quotas and corpora.
import { el, fill, many } from "./dom.js";
import { get, post, remove } from "./api.js";
import { problem, table } from "./parts.js";

const gib = n => `${(n / (1 << 30)).toFixed(1)} GiB`;

// administration shows the section in a box.
export async function administration(box) {
  const said = el("div", { role: "status" }), body = el("div");
  const attempt = async what => {
    fill(said);
    try {
      await what();
      await draw();
    } catch (e) {
      fill(said, problem(e));
    }
  };
  const send = async (path, value) => (await post("v1/admin/" + path, {}, value, "application/json")).json();
  const input = (label, props) => el("label", { class: "field" }, el("span", null, label), el("input", { autocomplete: "off", ...props }));
  const form = (label, fields, go, done) => {
    const f = el("form", { class: "buttons", "aria-label": label, onsubmit: e => { e.preventDefault(); attempt(async () => { await done(Object.fromEntries(new FormData(f))); f.reset(); }); } }, fields, el("button", null, go));
    return f;
  };
  const users = form("Add or change a user", [input("User", { name: "name", required: true, pattern: "[a-z0-9_\\-]{1,40}" }), input("Quota in GiB", { name: "bytes", type: "number", min: 0, step: "any" }), input("Corpora", { name: "corpora", type: "number", min: 0 }),
    el("label", { class: "check" }, el("input", { type: "checkbox", name: "admin" }), "Administrator")], "Add or change", async v => {
    const r = await send("users", { name: v.name, admin: v.admin === "on", bytes: Math.round((+v.bytes || 0) * (1 << 30)), corpora: +v.corpora || 0 });
    if (r.token) fill(said, el("p", { class: "notice" }, `Token of ${r.name}, shown only now: `, el("code", null, r.token)));
  });
  const corpora = form("Serve a corpus", [input("Corpus", { name: "name", required: true }), input("Folder on the server", { name: "path", required: true, size: "30" })], "Serve", v => send("corpora", v));
  const draw = async () => {
    const a = await get("v1/admin");
    fill(body, table("Users", [
      { name: "user", head: true, cell: u => u.name }, { name: "role", cell: u => u.admin ? "administrator" : "user" },
      { name: "used", number: true, cell: u => `${gib(u.used.bytes || 0)} of ${gib(u.quota.bytes)}` }, { name: "corpora", number: true, cell: u => `${u.used.corpora || 0} of ${u.quota.corpora}` },
      { name: "", cell: u => u.name === "owner" ? "" : el("button", { type: "button", onclick: () => { if (confirm(`Remove the user ${u.name}?`)) attempt(() => remove("v1/admin/users", { name: u.name })); } }, "Remove") },
    ], a.users), users,
    a.corpora.length > 0 && table("Added corpora", [{ name: "corpus", head: true, cell: c => c.name }, { name: "folder", cell: c => el("code", null, c.path) }, { name: "", cell: c => el("button", { type: "button", onclick: () => attempt(() => remove("v1/admin/corpora", { name: c.name })) }, "Stop serving") }], a.corpora),
    a.roots.length > 0 ? corpora : el("p", { class: "dim small" }, "To add corpora of the server here, start it with --allow DIR."),
    a.uploads.length > 0 && table("Uploaded corpora of all users", [{ name: "corpus", head: true, cell: c => c.corpus }, { name: "user", cell: c => c.owner }, { name: "size", number: true, cell: c => gib(c.bytes + (c.built_bytes || 0)) }, { name: "state", cell: c => c.state },
      { name: "", cell: c => el("button", { type: "button", onclick: () => { if (confirm(`Delete the corpus ${c.corpus}?`)) attempt(() => remove("v1/admin/uploads", { owner: c.owner, name: c.name })); } }, "Delete") }], a.uploads));
    section.firstChild.textContent = `Administration: ${many(a.users.length, "user")}`;
  };
  const section = el("details", { class: "how" }, el("summary", null, "Administration"), said, body);
  fill(box, section);
  await draw();
}
