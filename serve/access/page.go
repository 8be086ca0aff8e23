package access

import (
	"html/template"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"chaffinch/internal/csp"
)

// A browser without the token gets a page with a field for it. The form is sent to the
// address of the page, so that the part of it after # is still there afterwards.

// maxTokenForm bounds the form, in bytes.
const maxTokenForm = 4 << 10

const pageStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto 0;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.4rem}label{display:block;margin:1rem 0 .3rem;font-weight:600}
input{box-sizing:border-box;width:100%;padding:.5rem;font:inherit;border:1px solid #767676;border-radius:4px;color:inherit;background:inherit}
button{margin-top:1rem;padding:.5rem 1rem;font:inherit}.wrong{color:#a40000}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}.wrong{color:#ff9c9c}}`

var page = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chaffinch: token needed</title>
<style>` + pageStyle + `</style>
</head>
<body data-ready="yes">
<h1>Chaffinch</h1>
{{if .}}<p class="wrong" role="alert">Wrong token.</p>
{{end}}<p>This server needs a token. It is part of the address printed at the start, after <code>token=</code>, or the value of <code>--token</code>. Users enter the token of their account.</p>
<form method="post">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Open</button>
</form>
</body>
</html>
`))

// pagePolicy lets the page have its style, and send its form to this server.
var pagePolicy = "default-src 'none'; style-src " + csp.Source(pageStyle) + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// wantsPage reports whether a request comes from a browser, which accepts HTML, unlike
// programs and scripts.
func wantsPage(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		if media, _, err := mime.ParseMediaType(part); err == nil && media == "text/html" {
			return true
		}
	}
	return false
}

// ask answers with the page.
func ask(w http.ResponseWriter, wrong bool) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Referrer-Policy", "same-origin") // or the form would come from nowhere, and be refused
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusUnauthorized)
	page.Execute(w, wrong) // a client that is gone needs no answer
}

// isTokenForm reports whether a request may be the form of the page.
func isTokenForm(r *http.Request) bool {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return r.Method == http.MethodPost && media == "application/x-www-form-urlencoded" && wantsPage(r)
}

// take gives a browser that sends the token in the form a cookie, and sends it on to the
// address where it was.
func (g *guard) take(w http.ResponseWriter, r *http.Request) {
	if g.sameSite.Check(r) != nil {
		g.foreign(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxTokenForm)
	token := strings.TrimSpace(r.PostFormValue("token"))
	if _, ok := g.find(token); !ok {
		ask(w, true)
		return
	}
	g.remember(w, r, token)
	to := &url.URL{Path: path.Clean("/" + r.URL.Path), RawQuery: r.URL.RawQuery}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}
