// Requests to the server of the page, and to no other.

const ROOT = new URL("..", import.meta.url);

// Problem is an error response of the server (RFC 9457).
export class Problem extends Error {
  constructor(body, status) {
    super(body.detail || body.error || body.title || `server error, status ${status}`);
    this.status = status;
    this.errors = body.errors || [];
    this.try = body.try || "";
    this.at = Number.isInteger(body.at) ? body.at : -1;
  }
}

// address returns a path with parameters; empty parameters are omitted.
export function address(path, params = {}) {
  const u = new URL(path, ROOT);
  for (const [k, v] of Object.entries(params)) if (v !== undefined && v !== null && v !== "" && v !== false) u.searchParams.set(k, v);
  return u.href;
}

async function ask(url, init) {
  let r;
  try {
    r = await fetch(url, { credentials: "same-origin", ...init });
  } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new Problem({ title: "No response", detail: "The server does not respond. Is chaffinch serve still running?" }, 0);
  }
  if (r.ok) return r;
  let body = {};
  try {
    body = await r.json();
  } catch {
    // not a problem document: only the status is known
  }
  const wait = r.headers.get("Retry-After");
  if (wait) body.detail = `${body.detail || body.title || "The server is busy"} Try again in ${wait} s.`;
  throw new Problem(body, r.status);
}

// get returns the JSON of a response.
export const get = async (path, params, signal) => (await ask(address(path, params), { signal, headers: { Accept: "application/json" } })).json();

// post sends a blob, or JSON for a plain object, and returns the response.
export function post(path, params, body, accept, signal) {
  const blob = body instanceof Blob;
  return ask(address(path, params), {
    method: "POST", signal, body: blob ? body : JSON.stringify(body),
    headers: { Accept: accept, "Content-Type": blob ? body.type || "application/octet-stream" : "application/json" },
  });
}

// remove deletes something on the server.
export const remove = async (path, params) => (await ask(address(path, params), { method: "DELETE", headers: { Accept: "application/json" } })).json();

// lines passes each line of JSON to a function as it arrives; a problem ends it.
export async function lines(path, params, signal, each) {
  const r = await ask(address(path, params), { signal, headers: { Accept: "application/x-ndjson" } });
  const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const parts = (rest + (value || "")).split("\n");
    rest = done ? "" : parts.pop();
    for (const p of parts.filter(p => p.trim())) {
      const line = JSON.parse(p);
      if (line.status >= 400) throw new Problem(line, line.status);
      each(line);
    }
    if (done) return;
  }
}
