package sitemap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

func at(t testing.TB, raw string) weburl.URL {
	t.Helper()
	return must.Get(weburl.Parse(raw, nil))(t)
}

// list reads a list: an entry a line, with its date and alternates; "?" where
// something could not be read.
func list(t testing.TB, in io.Reader, cfg Config) string {
	t.Helper()
	r, err := NewReader(in, at(t, "https://a.example/s/map.xml"), cfg)
	if err != nil {
		return "! " + err.Error()
	}
	defer r.Close()
	var b strings.Builder
	for e, err := range r.All() {
		var bad *page.Error
		if errors.As(err, &bad) {
			b.WriteString("? ")
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if e.Sitemap {
			b.WriteString("map:")
		}
		b.WriteString(strings.TrimPrefix(e.URL.String(), "https://a.example"))
		if !e.Modified.IsZero() {
			b.WriteString(e.Modified.Format("@2006-01-02T15:04:05"))
		}
		for _, a := range e.Alternates {
			b.WriteString("[" + a.Lang + a.URL.Path() + "]")
		}
		b.WriteString(" ")
	}
	return strings.TrimSpace(b.String())
}

func TestLists(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"sitemap", `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/b?c=1&amp;d=2</loc>
			<lastmod>2024-05-06</lastmod><priority>0.5</priority></url><url>
			<loc>
			https://a.example/é </loc></url></urlset>`, "/b?c=1&d=2@2024-05-06T00:00:00 /%C3%A9"},
		{"index", `<sitemapindex><sitemap><loc>https://a.example/1.xml.gz</loc><lastmod>2024-05-06T07:08:09+02:00</lastmod></sitemap></sitemapindex>`,
			"map:/1.xml.gz@2024-05-06T05:08:09"},
		{"prefixes", `<s:urlset><s:url><s:loc>https://a.example/b</s:loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></s:url></s:urlset>`, "/b"},
		{"images and videos", `<urlset><url><loc>/b</loc><video:video><video:thumbnail_loc>/t</video:thumbnail_loc><video:publication_date>2001-01-01</video:publication_date></video:video></url></urlset>`, "/b"},
		{"languages", `<urlset><url><loc>/en</loc><xhtml:link rel="alternate" hreflang="gd" href="/gd"/><xhtml:link rel='ALTERNATE' hreflang='x-default' href='/x' /><xhtml:link rel="canonical" href="/c"/></url></urlset>`, "/en[gd/gd][x-default/x]"},
		{"CDATA", `<urlset><url><loc>https://a.example/<![CDATA[b?c&d]]></loc></url></urlset>`, "/b?c&d"},
		{"raw ampersands", `<urlset><url><loc>/b?c=1&d=2&copy=3&unknown;</loc></url></urlset>`, "/b?c=1&d=2&copy=3&unknown;"},
		{"capitals", `<URLSET><URL><LOC>/b</LOC><LastMod>2024-05</LastMod></URL></URLSET>`, "/b@2024-05-01T00:00:00"},
		{"several in one", `<sitemapindex><sitemap><loc>/1</loc><lastmod>2004-10-01</lastmod><loc>/2</loc><loc>/3</loc><lastmod>2005-10-01</lastmod></sitemap></sitemapindex>`,
			"map:/1@2004-10-01T00:00:00 map:/2 map:/3@2005-10-01T00:00:00"},
		{"url in loc", `<urlset><url><loc><url>/b</url></loc><lastmod>2024-05-06</lastmod></url><url><loc>/c</loc></url></urlset>`, "/b@2024-05-06T00:00:00 /c"},
		{"loc not closed", `<urlset><url><loc>/b<lastmod>2024-05-06</lastmod></url><url><loc>/c</url></urlset>`, "/b@2024-05-06T00:00:00 /c"},
		{"no loc", `<sitemapindex><sitemap>
			https://a.example/1?b=c&amp;d </sitemap><sitemap>x</sitemap></sitemapindex>`, "map:/1?b=c&d"},
		{"nothing in it", `<urlset><url><loc></loc></url><url/></urlset>`, ""},
		{"bad addresses", `<urlset><url><loc>mailto:a@b</loc></url><url><loc>http://</loc></url><url><loc>/b</loc></url></urlset>`, "? ? /b"},
		{"without its scheme", `<urlset><url><loc>www.b.example/c</loc></url></urlset>`, "https://www.b.example/c"},
		{"tags in disorder", `<urlset><url></url></b><url><loc>/b</loc></url></url></urlset></x>`, "/b"},
		{"ends early", `<urlset><url><loc>/b</loc><lastmod>2024-05-06</lastmod></url><url><loc>/c</loc><lastmo`, "/b@2024-05-06T00:00:00 /c ?"},
		{"ends in an address", `<urlset><url><loc>/b</loc></url><url><loc>https://a.exam`, "/b"},
		{"ends behind an address", `<urlset><url><loc>/b</loc></url><url><loc>/c</lo`, "/b /c ?"},
		{"not XML any more", `<urlset><url><loc>/b</loc></url><<url><loc>/c</loc></url></urlset>`, "/b ?"},
		{"control characters", "<urlset><url><loc>/b</loc>\x01\x0b</url><url><loc>/\xffc</loc></url></urlset>", "/b /%EF%BF%BDc"},
		{"entities of its own", `<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>/b</loc></url><url><loc>&x;</loc></url></urlset>`, "/b /s/&x;"},
		{"mark and blanks", "\ufeff\n \t<urlset><url><loc>/b</loc></url></urlset>", "/b"},
		{"Latin-1", "<?xml version='1.0' encoding='ISO-8859-1'?><urlset><url><loc>/\xe9</loc></url></urlset>", "/%C3%A9"},
		{"unknown encoding", "<?xml version='1.0' encoding='x-none'?><urlset><url><loc>/b</loc></url></urlset>", "/b"},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/feed" rel="self"/><updated>2001-01-01T00:00:00Z</updated><entry><link rel="edit" href="/edit"/><link href="/b"/>
			<published>2024-01-01T00:00:00Z</published><updated>2024-05-06T07:08:09.5Z</updated></entry><entry><link rel="alternate" href="/c"/><published>2024-01-01T00:00:00Z</published></entry></feed>`,
			"/b@2024-05-06T07:08:09 /c@2024-01-01T00:00:00"},
		{"Atom with bases", `<feed xml:base="/blog/"><entry xml:base="2026/"><link href="a"/></entry><entry><link xml:base="x/" href="b"/></entry><entry><link href="c"/></entry><entry xml:base="http://b.example/"><link href="e"/></entry></feed>`,
			"/blog/2026/a /blog/x/b /blog/c http://b.example/e"},
		{"RSS with a base", `<rss xml:base="/blog/"><channel><item><link>a</link></item><item xml:base="mailto:x"><link>/b</link></item></channel><item><link>c</link></item></rss><item><link>d</link></item>`, "/blog/a /b /blog/c /s/d"},
		{"RSS", `<rss version="2.0"><channel><link>/</link><image><url>/i.png</url><link>/</link></image><item><title>x</title><atom:link href="/self" rel="self"/><link>/b</link><pubDate>Mon, 06 May 2024 07:08:09 EST</pubDate></item>
			<item><guid>https://a.example/c</guid></item><item><guid isPermaLink="false">d</guid></item><item><link>/e</link><guid>/f</guid><pubDate>6 May 24 07:08:09 +0100</pubDate></item></channel></rss>`,
			"/b@2024-05-06T12:08:09 /c /e@2024-05-06T06:08:09"},
		{"RSS 1.0", `<rdf:RDF><channel rdf:about="/x"><link>/x</link></channel><item rdf:about="/b"><link>/b</link><dc:date>2024-05-06T07:08+00:00</dc:date></item><item rdf:about="/c"><title>c</title></item></rdf:RDF>`,
			"/b@2024-05-06T07:08:00 /c"},
		{"text", "https://a.example/b\r\n\r\n  https://a.example/c?d \nhttp://www.b.example/", "/b /c?d http://www.b.example/"},
		{"text, not all of it", "# list\nhttps://a.example/b\nhttp://\nwww.b.example/c\n", "? /b ? https://www.b.example/c"},
		{"long line", "https://a.example/" + strings.Repeat("b", 2*maxText) + "\nhttps://a.example/c\n", "? /c"},
		{"prose", strings.Repeat("no address here\n", 1000), strings.TrimSpace(strings.Repeat("? ", maxLeadingLines))},
		{"HTML", "<!DOCTYPE html><html><body><url><loc>/b</loc></url>", "?"},
		{"no elements", "<!-- nothing -->", "?"},
		{"nothing", "", "?"},
	} {
		if got := list(t, strings.NewReader(c.in), Default); got != c.want {
			t.Errorf("%s: %s\nwanted %s", c.name, got, c.want)
		}
	}
}

func TestPacked(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, "<urlset><url><loc>/b</loc></url><url><loc>/c</loc></url></urlset>")
	w.Close()
	if got := list(t, bytes.NewReader(b.Bytes()), Default); got != "/b /c" {
		t.Error(got)
	}
	if got := list(t, bytes.NewReader(b.Bytes()[:b.Len()-12]), Default); !strings.HasSuffix(got, "?") {
		t.Errorf("cut: %s", got)
	}
	b.Reset()
	for _, u := range utf16.Encode([]rune("\ufeff<urlset><url><loc>/é</loc></url></urlset>")) {
		b.Write([]byte{byte(u), byte(u >> 8)})
	}
	if got := list(t, &b, Default); got != "/%C3%A9" {
		t.Errorf("UTF-16: %s", got)
	}
}

func TestLimits(t *testing.T) {
	var b strings.Builder
	b.WriteString("<urlset>")
	for i := range 10 {
		fmt.Fprintf(&b, "<url><loc>/%d</loc></url>", i)
	}
	for _, in := range []string{b.String(), strings.NewReplacer("<urlset>", "", "<url><loc>", "https://a.example", "</loc></url>", "\n").Replace(b.String())} {
		if got := list(t, strings.NewReader(in), Config{MaxURLs: 3, MaxBytes: 1 << 20}); got != "/0 /1 /2 ?" {
			t.Errorf("3 addresses: %s", got)
		}
		if got := list(t, strings.NewReader(in), Config{MaxURLs: 10, MaxBytes: int64(len(in))}); strings.Contains(strings.TrimSuffix(got, " ?"), "?") || !strings.Contains(got, "/9") {
			t.Errorf("just enough: %s", got)
		}
		if got := list(t, strings.NewReader(in), Config{MaxURLs: 99, MaxBytes: 60}); !strings.HasPrefix(got, "/0 /1") || !strings.HasSuffix(got, " ?") {
			t.Errorf("60 bytes: %s", got)
		}
	}
	alternates := "<urlset><url><loc>/b</loc>" + strings.Repeat(`<xhtml:link rel="alternate" hreflang="gd" href="/c"/>`, 2*maxAlternates) + "</url>"
	r := must.Get(NewReader(strings.NewReader(alternates), at(t, "https://a.example/"), Default))(t)
	if e, err := r.Next(); err != nil || len(e.Alternates) != maxAlternates {
		t.Errorf("%d alternates: %v", len(e.Alternates), err)
	}
}

func TestPlace(t *testing.T) {
	r := must.Get(NewReader(strings.NewReader("https://a.example/b\nfoo\n"), at(t, "https://a.example/s.txt"), Default))(t)
	r.Next()
	if _, err := r.Next(); err == nil || err.Error() != `https://a.example/s.txt: line 2: "foo": not a URL` {
		t.Error(err)
	}
}

func TestDate(t *testing.T) {
	for in, want := range map[string]string{
		"2024":                            "2024-01-01T00:00:00Z",
		"2024-05-06T07:08+01:00":          "2024-05-06T06:08:00Z",
		"2024-05-06T07:08:09.123+0100":    "2024-05-06T06:08:09.123Z",
		"2024-05-06 07:08:09":             "2024-05-06T07:08:09Z",
		"Mon, 06 May 2024 07:08:09 GMT":   "2024-05-06T07:08:09Z",
		"Mon, 6 May 2024 07:08 +0000":     "2024-05-06T07:08:00Z",
		"06 May 24 07:08:09 PDT":          "2024-05-06T14:08:09Z",
		"":                                "",
		"yesterday":                       "",
		"2024-13-01":                      "",
		strings.Repeat("2024-05-06 ", 99): "",
	} {
		got := ""
		if d := date(in); !d.IsZero() {
			got = d.Format("2006-01-02T15:04:05.999Z07:00")
		}
		if got != want {
			t.Errorf("%q: %s, wanted %s", in, got, want)
		}
	}
}

// FuzzReader reads anything to its end, within its limits.
func FuzzReader(f *testing.F) {
	f.Add([]byte("<urlset><url><loc>/b</loc><xhtml:link rel='alternate' hreflang='x' href='/c'/></url>"))
	f.Add([]byte("<?xml encoding='utf-16'?><rss><item><link>/b</link><guid>x</guid></item><entry><link href='/c'/>"))
	f.Add([]byte("https://a.example/\nwww.b\n"))
	base := at(f, "https://a.example/s.xml")
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := NewReader(bytes.NewReader(in), base, Config{MaxURLs: 50, MaxBytes: 4 << 10})
		if err != nil {
			return
		}
		defer r.Close()
		n := 0
		for e, err := range r.All() {
			var bad *page.Error
			if err != nil && !errors.As(err, &bad) {
				t.Fatalf("an error without a place: %v", err)
			}
			if n++; n > 52 || err == nil && e.URL.IsZero() {
				t.Fatalf("%d entries, the last %+v", n, e)
			}
		}
	})
}
