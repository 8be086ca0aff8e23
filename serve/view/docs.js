// The documentation of the API, generated from its OpenAPI document.
import { $, el, fill } from "./dom.js";
import { get, address } from "./api.js";
import { problem } from "./parts.js";

const METHODS = ["get", "post", "put", "patch", "delete"];
const nameOf = ref => ref.replace(/^.*\//, "");
const sectionOf = ref => "schema-" + nameOf(ref);

// type describes the values of a schema, as text and links.
function type(s) {
  if (!s || !Object.keys(s).length) return ["any"];
  if (s.$ref) return [el("a", { href: "#" + sectionOf(s.$ref) }, nameOf(s.$ref))];
  const types = [s.type || "object"].flat().filter(t => t !== "null");
  if (types[0] === "array") return ["list of ", ...type(s.items)];
  if (types[0] === "object" && s.additionalProperties && s.additionalProperties !== true) return ["map to ", ...type(s.additionalProperties)];
  if (s.enum) return s.enum.flatMap((v, i) => [i ? " | " : "", el("code", null, String(v))]);
  if (s.format === "binary" || s.contentMediaType) return ["bytes"];
  const bounds = s.minimum !== undefined && s.maximum !== undefined ? `, ${s.minimum} to ${s.maximum}` : s.minimum !== undefined ? `, at least ${s.minimum}` : s.maximum !== undefined ? `, at most ${s.maximum}` : "";
  return [types.join(" or ") + bounds];
}

const rows = (caption, names, list) => el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, el("table", null, el("caption", { class: "quiet" }, caption),
  el("thead", null, el("tr", null, names.map(n => el("th", { scope: "col" }, n)))),
  el("tbody", null, list.map(([head, ...cells]) => el("tr", null, el("th", { scope: "row" }, head), cells.map(c => el("td", null, c)))))));

const standard = s => s?.default !== undefined && s.default !== "" && String(s.default) !== "-1" ? [" Default: ", el("code", null, String(s.default)), "."] : [];

function operation(path, method, o) {
  const params = (o.parameters || []).filter(p => p.in !== "header");
  const bodies = Object.entries(o.requestBody?.content || {}), id = "op-" + (o.operationId || method + path.replace(/\W+/g, "-"));
  const answers = Object.entries(o.responses || {}).filter(([status]) => /^2/.test(status));
  const query = params.filter(p => p.in === "query" && p.required).map(p => `${p.name}=…`).join("&");
  const curl = ["curl -H \"Authorization: Bearer $TOKEN\"", method !== "get" && !bodies.length && `-X ${method.toUpperCase()}`,
    bodies.length && `--data-binary @FILE -H "Content-Type: ${(bodies.find(([m]) => m.startsWith("text/")) || bodies[0])[0]}"`, `"${address("").replace(/\/$/, "")}${path}${query && "?" + query}"`].filter(Boolean).join(" ");
  return el("section", { class: "operation", id },
    el("h3", null, el("code", null, el("b", { class: method }, method.toUpperCase()), " ", path)),
    el("p", null, o.summary ? o.summary + "." : ""), o.description && el("p", { class: "dim" }, o.description),
    params.length > 0 && rows(`Parameters of ${path}`, ["parameter", "type", "description"], params.map(p => [[el("code", null, p.name), p.in === "path" ? " (path)" : p.required ? " (required)" : ""], type(p.schema), [p.description || p.schema?.description || "", ...standard(p.schema)]])),
    bodies.length > 0 && el("p", null, "Body: ", bodies.flatMap(([media, b], i) => [i ? ", " : "", el("code", null, media), ...b.schema?.$ref ? [" (", ...type(b.schema), ")"] : []])),
    answers.map(([status, a]) => el("p", null, `Response ${status}: `, Object.entries(a.content || {}).length ? Object.entries(a.content).flatMap(([media, b], i) => [i ? ", " : "", el("code", null, media), ...b.schema && Object.keys(b.schema).length ? [" (", ...type(b.schema), ")"] : []]) : a.description || "")),
    answers.flatMap(([, a]) => Object.entries(a.headers || {})).length > 0 && rows(`Response headers of ${path}`, ["header", "type", "description"], answers.flatMap(([, a]) => Object.entries(a.headers || {})).map(([name, h]) => [el("code", null, name), type(h.schema), h.description || ""])),
    el("pre", { class: "code curl", tabindex: "0", "aria-label": "Example" }, curl));
}

function schema(name, s) {
  const required = new Set(s.required || []);
  return el("section", { class: "operation", id: "schema-" + name }, el("h3", null, el("code", null, name)), s.description && el("p", null, s.description),
    s.properties ? rows(`Fields of ${name}`, ["field", "type", "description"], Object.entries(s.properties).map(([k, v]) => [[el("code", null, k), required.has(k) ? "" : el("span", { class: "dim" }, " (optional)")], type(v), v.description || ""])) : el("p", null, type(s)));
}

function show(d) {
  const all = Object.entries(d.paths).flatMap(([path, ops]) => METHODS.filter(m => ops[m]).map(m => [path, m, ops[m]]));
  const tags = [...(d.tags || []), ...[...new Set(all.flatMap(([, , o]) => o.tags || ["other"]))].filter(t => !(d.tags || []).some(x => x.name === t)).map(name => ({ name }))];
  const of = t => all.filter(([, , o]) => (o.tags || ["other"])[0] === t.name), there = tags.filter(t => of(t).length);
  const schemas = Object.entries(d.components?.schemas || {});
  fill($("main"),
    el("h1", null, `${d.info.title} ${d.info.version} API`), el("p", { class: "lead" }, d.info.description),
    el("p", null, "Requests need the token printed by ", el("code", null, "chaffinch serve"), " in the header ", el("code", null, "Authorization: Bearer TOKEN"), ", except in a browser that has opened the printed address. Errors are ", el("code", null, "application/problem+json"), " (RFC 9457): ", el("code", null, "detail"), " states what was found and what was wanted. ", el("code", null, "GET"), " requests change nothing."),
    el("nav", { class: "contents", "aria-label": "Operations" }, there.map(t => el("div", null, el("h2", null, t.name), el("ul", null, of(t).map(([path, m, o]) => el("li", null, el("a", { href: `#op-${o.operationId || m + path.replace(/\W+/g, "-")}` }, el("code", null, path)))))))),
    there.map(t => el("section", { "aria-label": t.name }, el("h2", null, t.name), t.description && el("p", { class: "dim" }, t.description), of(t).map(x => operation(...x)))),
    schemas.length > 0 && el("section", { "aria-label": "Objects" }, el("h2", null, "Objects"), schemas.map(([name, s]) => schema(name, s))));
  const at = location.hash.slice(1) && $(location.hash.slice(1));
  if (at) at.scrollIntoView();
  document.body.dataset.ready = "yes";
}

try {
  show(await get("openapi.json"));
} catch (e) {
  fill($("main"), problem(e));
}
