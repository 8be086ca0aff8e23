package crawl

import (
	"bytes"
	"strings"
	"testing"

	"chaffinch/format/warc"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestReadSeeds reads seeds of each kind, with some that cannot be read.
func TestReadSeeds(t *testing.T) {
	var archive bytes.Buffer
	w := must.Get(warc.NewWriter(&archive, warc.WriterConfig{}))(t)
	var many strings.Builder
	for range 9 {
		many.WriteString("<a href=/" + strings.Repeat("x", many.Len()%97) + ">x</a>")
	}
	for _, e := range []struct{ url, head, body string }{
		{"https://a.example/", "200 OK\r\nContent-Type: text/html", "<base href=//b.example/><a href=x>x</a> <a href='https://c.example/#f'>c</a> <a href=mailto:x>m</a>" + many.String()},
		{"https://d.example/", "404 Gone\r\nContent-Type: text/html", "<a href=https://e.example/>e</a>"},
		{"https://d.example/i", "200 OK\r\nContent-Type: image/png", "<a href=https://e.example/>e</a>"},
	} {
		must.Succeed(t, must.Err(w.Write(warc.Entry{Type: "response", URI: e.url, Date: "2026-01-01T00:00:00Z", ContentType: "application/http; msgtype=response", Block: []byte("HTTP/1.1 " + e.head + "\r\n\r\n" + e.body)})))
	}
	for _, c := range []struct{ name, in, want, bad string }{
		{"list", "\ufeff# mine\nhttps://a.example/x?y\r\n\n  b.example\nhttps://c.example\t17\nhost\nftp://d.example/\n", "https://a.example/x?y b.example https://c.example", "line 6: line 7: "},
		{"table", "host\tpages\nhttps://a.example\t3\nhost\t1\n", "https://a.example", "line 3: "},
		{"trap", "https://a.example/a/a/a/a/a/a\nb.example\n", "b.example", "line 1: "},
		{"long line", strings.Repeat("x", maxSeedLine+1) + "\nb.example\n", "", "error"},
		{"sitemap", `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/1</loc></url><url><loc>/2</loc></url></urlset>`, "https://a.example/1", "\"/2\": "},
		{"feed", `<rss version="2.0"><channel><item><link>https://a.example/1</link></item><item><link>https://b.example/2</link></item></channel></rss>`, "https://a.example/1 https://b.example/2", ""},
		{"CDXJ", "example,a)/x 20260101000000 {\"url\": \"https://a.example/x\", \"status\": \"200\"}\nexample,b)/ 20260101000000 {\"status\": \"200\"}\n", "https://a.example/x", "line 2: "},
		{"JSON lines", `{"url":"https://a.example/x","text":"y"}` + "\n{\n", "https://a.example/x", "line 2: "},
		{"WARC", archive.String(), "https://a.example/ https://b.example/x https://c.example/ https://b.example/", ""},
		{"PDF", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "", "error"},
		{"none", "", "", ""},
	} {
		bad := ""
		seeds, err := ReadSeeds(strings.NewReader(c.in), "", func(e *page.Error) {
			bad += e.Error()[:strings.Index(e.Error(), ": ")+2]
		})
		if err != nil {
			bad = "error"
		}
		got := strings.Join(seeds, " ")
		if c.name == "WARC" { // some of the nine links besides
			if n := strings.Count(got, "https://b.example/"); n != maxHostSeeds || !strings.HasPrefix(got, c.want) || strings.Contains(got, "e.example") {
				t.Errorf("WARC: %d of a host in %q", n, got)
			}
			continue
		}
		if got != c.want || bad != c.bad {
			t.Errorf("%s: %q, bad %q (%v), want %q and %q", c.name, got, bad, err, c.want, c.bad)
		}
	}
}

// TestSeedFormats reads seeds in a format that their content does not show.
func TestSeedFormats(t *testing.T) {
	const lines = "<s>\nhttps://a.example/\nhttps://b.example/\n"
	bad := func(*page.Error) {}
	if _, err := ReadSeeds(strings.NewReader(lines), "tsv", bad); err == nil {
		t.Error("tsv: no error")
	}
	for format, want := range map[string]int{"": 0, "lines": 2, "sitemap": 0, "warc": 0} {
		seeds, _ := ReadSeeds(strings.NewReader(lines), format, bad)
		if len(seeds) != want {
			t.Errorf("%q: %q, want %d", format, seeds, want)
		}
	}
}
