// The view is stored in the address, after the #: part/more?name=value&name=value.
// Every view can be shared, and back and forward work.

let follow = () => {};

function plain(s) {
  try {
    return decodeURIComponent(s);
  } catch {
    return s;
  }
}

// read returns the path and the parameters of the address.
export function read() {
  const [, path, query] = /^#?([^?]*)\??(.*)$/s.exec(location.hash);
  return { path: path.split("/").map(plain), params: Object.fromEntries(new URLSearchParams(query)) };
}

// link returns the address of a view; empty parameters are omitted.
export function link(path, params = {}) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(params)) if (v !== undefined && v !== null && v !== "" && v !== false) q.set(k, v);
  const s = q.toString();
  return "#" + path.map(encodeURIComponent).join("/") + (s && "?" + s);
}

// go shows another view; with replace it replaces the current one in the history.
export function go(path, params, replace) {
  const to = link(path, params);
  if (to === (location.hash || "#")) follow();
  else if (replace) {
    history.replaceState(null, "", to);
    follow();
  } else location.hash = to;
}

// start calls show at once and at every change of the address.
export function start(show) {
  follow = show;
  addEventListener("hashchange", show);
  show();
}
