package fetch

import (
	"cmp"
	"strings"
)

// accept prefers formats with text.
const accept = "text/html,application/xhtml+xml,text/plain;q=0.9,application/xml;q=0.9,*/*;q=0.5"

// request returns the bytes of the request. No field can contain control characters: URLs and
// settings are validated.
func (x *exchange) request() []byte {
	u, cfg := x.res.URL, &x.client.cfg
	var b strings.Builder
	b.WriteString("GET ")
	if x.client.proxy != nil && !u.TLS() {
		b.WriteString("http://" + u.HostPort())
	}
	b.WriteString(u.Target() + " HTTP/1.1\r\n")
	field := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + value + "\r\n")
		}
	}
	field("Host", u.HostPort())
	field("User-Agent", cfg.UserAgent)
	field("From", cfg.From)
	field("Accept", cmp.Or(printable(x.opts.Accept), accept))
	field("Accept-Language", cfg.AcceptLanguage)
	field("Accept-Encoding", "gzip, br, zstd")
	field("If-None-Match", printable(x.opts.ETag))
	field("If-Modified-Since", printable(x.opts.LastModified))
	if x.client.proxy != nil || x.client.idle.keepAlive <= 0 {
		field("Connection", "close")
	}
	if x.client.proxy != nil && !u.TLS() {
		b.WriteString(x.proxyAuthorization())
	}
	b.WriteString("\r\n")
	return []byte(b.String())
}

// printable returns s, which a server sent, if it is valid in a field; else "".
func printable(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return ""
		}
	}
	return s
}
