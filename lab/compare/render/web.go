package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// shape is a page whose scripts write its text in the manner of a framework or a habit of the web.
type shape struct {
	name string
	// html is the page. N is replaced by its number, API by the origin of its data.
	html string
	// file, if set, is the script /N.js.
	file string
	// render reports whether the page needs its scripts: the state of some pages has all text.
	render bool
}

// show writes a document of the API into an element.
const show = `function show(to, d) { to.innerHTML = "<article><h1>" + d.title + "</h1>" + d.paragraphs.map(p => "<p>" + p + "</p>").join("") + "</article>"; }
const get = (path, options) => fetch(path, options).then(r => r.json());
`

func head(title string) string {
	return "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>" + title + "</title><link rel=stylesheet href=/style.css></head><body>"
}

// shapes are the pages of the simulated web. Their scripts and texts were written for it.
var shapes = []shape{
	{"root, bundle, JSON", head("Harbour") + `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/bundle.js"></script><script src="/N.js"></script></body>`,
		`get("/data/N").then(d => show(document.getElementById("root"), d));`, true},
	{"app, module", head("Harbour") + `<div id="app"></div><script type="module" src="/N.js"></script></body>`,
		`const d = await (await fetch("/data/N")).json(); const {default: f} = await import("/chunk.js"); f(document.querySelector("#app"), d);`, true},
	{"custom element of a framework", head("Harbour") + `<app-root></app-root><script src="/bundle.js"></script><script src="/N.js" defer></script></body>`,
		`const x = new XMLHttpRequest(); x.open("GET", "/data/N"); x.onload = () => show(document.querySelector("app-root"), JSON.parse(x.responseText)); x.send();`, true},
	{"empty body", head("Harbour") + `<script type="module" src="/N.js"></script></body>`,
		`const m = document.body.appendChild(document.createElement("main")); const d = await (await fetch("/data/N")).json();
		for (const p of d.paragraphs) m.appendChild(document.createElement("p")).textContent = p;`, true},
	{"loader in the root", head("Harbour") + `<div id="root"><div class="spinner"><div></div><span>Loading…</span></div></div><script src="/bundle.js"></script><script src="/N.js"></script></body>`,
		`setTimeout(() => get("/data/N").then(d => show(root, d)), 300);`, true},
	{"fragments of HTML", head("Harbour") + `<div id="main-app" data-get="/fragment/N"></div><script src="/N.js"></script></body>`,
		`for (const e of document.querySelectorAll("[data-get]")) fetch(e.dataset.get).then(r => r.text()).then(t => e.innerHTML = t);`, true},
	{"shadow root", head("Harbour") + `<app-shell></app-shell><script src="/N.js"></script></body>`,
		`customElements.define("app-shell", class extends HTMLElement { connectedCallback() { const s = this.attachShadow({mode: "open"}); const m = s.appendChild(document.createElement("main")); get("/data/N").then(d => show(m, d)); } });`, true},
	{"chunk with a style sheet", head("Harbour") + `<div id="__next"></div><script src="/N.js"></script></body>`,
		`const css = document.createElement("link"); css.rel = "stylesheet"; css.href = "/chunk.css"; const ready = new Promise((yes, no) => { css.onload = yes; css.onerror = no; }); document.head.append(css);
		Promise.all([ready, import("/chunk.js"), get("/data/N")]).then(([, m, d]) => m.default(document.getElementById("__next"), d));`, true},
	{"query in the address", head("Harbour") + `<div id="app"></div><script src="/bundle.js"></script><script src="/N.js"></script></body>`,
		`get("/graph?query=" + encodeURIComponent("{document(id:N){title paragraphs}}")).then(r => show(app, r.data.document));`, true},
	{"other origin with a preflight", head("Harbour") + `<div id="root"></div><script src="/N.js"></script></body>`,
		`get("API/data/N", {headers: {"X-Client": "web"}, credentials: "include"}).then(d => show(root, d));`, true},
	{"timers", head("Harbour") + `<div id="app"></div><script src="/N.js"></script></body>`,
		`get("/data/N").then(d => { const a = app.appendChild(document.createElement("article")); const next = i => { if (i < d.paragraphs.length) { a.appendChild(document.createElement("p")).textContent = d.paragraphs[i]; setTimeout(next, 250, i + 1); } }; next(0); });
		setInterval(() => document.title = "Harbour " + Date.now(), 50);`, true},
	{"when visible", head("Harbour") + `<div id="app"></div><script src="/N.js"></script></body>`,
		`const e = app.appendChild(document.createElement("div")); e.style.height = "10px"; new IntersectionObserver(list => { if (list.some(x => x.isIntersecting)) get("/data/N").then(d => show(app, d)); }).observe(e);`, true},
	{"when idle", head("Harbour") + `<div id="root"></div><script src="/N.js"></script></body>`,
		`requestIdleCallback(() => requestAnimationFrame(() => get("/data/N").then(d => show(root, d))));`, true},
	{"worker", head("Harbour") + `<div id="app"></div><script src="/N.js"></script></body>`,
		`if (typeof document === "undefined") fetch("/data/N").then(r => r.json()).then(d => postMessage(d)); else { const w = new Worker("/N.js"); w.onmessage = e => show(app, e.data); }`, true},
	{"notice and a library", head("Harbour") + `<noscript><p>This site needs JavaScript.</p></noscript><p>Harbour news</p><div class="content"></div><script src="/bundle.js"></script><script src="/N.js"></script></body>`,
		`addEventListener("load", () => { const x = new XMLHttpRequest(); x.open("GET", "/data/N"); x.onload = () => show(document.querySelector(".content"), JSON.parse(x.responseText)); x.send(); });`, true},
	{"frame of menus", head("Harbour") + `<header><nav><a href=/1>Home</a> <a href=/2>News</a> <a href=/3>Weather and tides</a> <a href=/4>Boats for sale</a> <a href=/5>Archive</a> <a href=/6>About us</a></nav></header><main id="app"></main>
		<footer><p>Harbour Office, Quay Street 4. Opening hours: Monday to Friday, 9 to 17. All rights reserved.</p><a href=/7>Contact</a> <a href=/8>Privacy</a></footer><script src="/bundle.js"></script><script src="/N.js"></script></body>`,
		`get("/data/N").then(d => show(app, d));`, true},
	{"routes of history", head("Harbour") + `<div id="root"></div><script src="/N.js"></script></body>`,
		`history.replaceState({}, "", "/N?view=full"); dispatchEvent(new PopStateEvent("popstate")); get("/data/N").then(d => { document.title = d.title; show(root, d); });`, true},
	{"query by POST", head("Harbour") + `<div id="root"></div><script src="/N.js"></script></body>`,
		`get("/graph", {method: "POST", body: JSON.stringify({query: "{document(id:N){title paragraphs}}"})}).then(r => show(root, r.data.document));`, true},
	{"state of a framework, JSON", head("Harbour") + `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"article":STATE}}}</script><script src="/bundle.js"></script><script src="/N.js"></script></body>`,
		`show(document.getElementById("__next"), JSON.parse(document.getElementById("__NEXT_DATA__").text).props.pageProps.article);`, false},
	{"state of a framework, script", head("Harbour") + `<div id="app"></div><script>window.__INITIAL_STATE__ = {"article": STATE};</script><script src="/bundle.js"></script><script src="/N.js"></script></body>`,
		`show(app, __INITIAL_STATE__.article);`, false},
}

// document is the text of a page.
type document struct {
	Title      string   `json:"title"`
	Paragraphs []string `json:"paragraphs"`
}

var (
	who    = []string{"the harbour master", "an old fisherman", "a teacher from the island", "the baker's daughter", "our neighbour", "a student of history", "the keeper of the light", "the doctor", "a carpenter", "the crew of the ferry"}
	did    = []string{"wrote down what happened that winter", "repaired the boats on the slipway", "counted the birds along the shore", "told the children about the great storm", "sold apples and fresh bread near the pier", "walked across the dunes before sunrise", "looked after the nets and the lines", "collected stories from the older families"}
	why    = []string{"because no other person remembered the names", "although the weather had turned cold again", "while the tide was still coming in", "so that the work would be finished before spring", "since the road to the town was closed", "as people had done for three hundred years"}
	result = []string{"Everyone agreed that it had been worth the trouble", "In the evening there was soup and music in the hall", "The letters are kept in the small museum today", "Few visitors learn that all depends on it", "Later the council paid for a new roof", "It took the village two years to recover"}
)

// newDocument returns the text of page n.
func newDocument(n int) document {
	d := document{Title: fmt.Sprintf("The harbour in the year %d", 1800+7*n)}
	pick := func(list []string, i int) string { return list[i%len(list)] }
	for p := range 6 {
		var b strings.Builder
		for s := range 4 {
			i := 13*n + 5*p + 3*s
			first := pick(who, i+p)
			fmt.Fprintf(&b, "In %d, %s %s, %s. %s. ", 1800+7*n+p, first, pick(did, i+n), pick(why, i/2+s), pick(result, i+2*p+s))
		}
		d.Paragraphs = append(d.Paragraphs, strings.TrimSpace(b.String()))
	}
	return d
}

func (d document) words() int {
	return len(strings.Fields(d.Title + " " + strings.Join(d.Paragraphs, " ")))
}

// bundle is a library that takes as long to load and run as libraries do.
var bundle = show + "(() => { const table = []; for (let i = 0; i < 2e6; i++) table[i & 4095] = Math.sqrt(i) + (table[(i * 31) & 4095] || 0); globalThis.table = table; })();\n" +
	strings.Repeat("globalThis.library = Object.assign(globalThis.library || {}, {method(a, b) { return a && b ? [a, b].map(x => x + 1) : null; }});\n", 1200)

// handler serves the simulated web. api is the origin of the data for other origins.
func handler(api string) http.Handler {
	mux := http.NewServeMux()
	script := func(w http.ResponseWriter, js string) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		fmt.Fprint(w, js)
	}
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nAllow: /\n") })
	mux.HandleFunc("/bundle.js", func(w http.ResponseWriter, _ *http.Request) { script(w, bundle) })
	mux.HandleFunc("/chunk.js", func(w http.ResponseWriter, _ *http.Request) { script(w, show+"export default show;") })
	mux.HandleFunc("/{file}", func(w http.ResponseWriter, q *http.Request) {
		var n int
		switch file := q.PathValue("file"); {
		case strings.HasSuffix(file, ".css"):
			w.Header().Set("Content-Type", "text/css")
		case scan(file, "%d.js", &n) && 1 <= n && n <= len(shapes):
			s := shapes[n-1]
			if !strings.Contains(s.html, "bundle.js") {
				s.file = show + s.file
			}
			script(w, fill(s.file, n, api))
		case scan(file, "%d", &n) && 1 <= n && n <= len(shapes):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, fill(shapes[n-1].html, n, api))
		default:
			http.NotFound(w, q)
		}
	})
	send := func(w http.ResponseWriter, q *http.Request, v any) {
		w.Header().Set("Content-Type", "application/json")
		if origin := q.Header.Get("Origin"); origin != "" {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Allow-Credentials", "true")
			w.Header().Set("Access-Control-Allow-Headers", "X-Client")
		}
		json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("/data/{n}", func(w http.ResponseWriter, q *http.Request) {
		var n int
		fmt.Sscan(q.PathValue("n"), &n)
		send(w, q, newDocument(n))
	})
	mux.HandleFunc("/fragment/{n}", func(w http.ResponseWriter, q *http.Request) {
		var n int
		fmt.Sscan(q.PathValue("n"), &n)
		d := newDocument(n)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<article><h1>%s</h1><p>%s</p></article>", d.Title, strings.Join(d.Paragraphs, "</p><p>"))
	})
	mux.HandleFunc("/graph", func(w http.ResponseWriter, q *http.Request) {
		query := q.FormValue("query")
		if q.Method == "POST" {
			var body struct{ Query string }
			json.NewDecoder(q.Body).Decode(&body)
			query = body.Query
		}
		var n int
		fmt.Sscanf(query, "{document(id:%d)", &n)
		send(w, q, map[string]any{"data": map[string]any{"document": newDocument(n)}})
	})
	return mux
}

// scan reports whether s has the format with one number.
func scan(s, format string, n *int) bool {
	_, err := fmt.Sscanf(s, format, n)
	return err == nil && fmt.Sprintf(format, *n) == s
}

// fill replaces the variables of a page or a script.
func fill(s string, n int, api string) string {
	state, _ := json.Marshal(newDocument(n))
	s = strings.ReplaceAll(s, "STATE", string(state))
	for _, mark := range []string{"/N.js", "/data/N", "/fragment/N", "/N?", "id:N"} {
		s = strings.ReplaceAll(s, mark, strings.Replace(mark, "N", fmt.Sprint(n), 1))
	}
	return strings.ReplaceAll(s, "API", api)
}
