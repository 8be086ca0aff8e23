package extract

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

const linksPage = `<!doctype html><title>A <a href="/title">title</a></title>
<base href=" https://example.org/x/ "><base href="/second">
<meta charset=utf-8><meta name="robots" content="noindex &amp; more">
<link rel=alternate hreflang=gd href="/gd/">
<meta http-equiv=" Refresh" content="3; URL='/soon?a=1&amp;b=2'"><meta http-equiv=refresh content=600>
<!-- <a href="/comment"> --><script>"<a href='/script'>"</script>
<noscript><a href=unscripted>x</a></noscript>
<p><a href="one?a=1&amp;b=2" rel="NoFollow ugc">one</a> <A HREF="t
	wo"><img src=x></A>
<svg><a href=drawn></a></svg><template><a href=later></a></template><select><a href=chosen>
<a name=anchor>none</a> <area href=" three
 "><iframe src=four></iframe><textarea>never closed <a href=five>`

// TestLinks wants the same links of both ways to read them.
func TestLinks(t *testing.T) {
	links, base := Links(linksPage)
	cfg := Default
	cfg.Links = true
	e := must.Get(New(cfg))(t)
	p := &page.Page{Raw: []byte(linksPage)}
	must.Succeed(t, e.Do(t.Context(), p))
	for name, got := range map[string][]page.Hyperlink{"Links": links, "Config.Links": p.Links} {
		var seen []page.Hyperlink
		for _, l := range got {
			if !strings.HasPrefix(linksPage[l.Start:], "<") {
				t.Errorf("%s: %q starts at %d, which is no tag", name, l.URL, l.Start)
			}
			l.Start = 0
			seen = append(seen, l)
		}
		want := []page.Hyperlink{
			{Element: "link", URL: "/gd/", Rel: "alternate", Lang: "gd"},
			{Element: "meta", URL: "/soon?a=1&b=2"},
			{Element: "a", URL: "unscripted"},
			{Element: "a", URL: "one?a=1&b=2", Rel: "NoFollow ugc"},
			{Element: "a", URL: "two"},
			{Element: "a", URL: "drawn"},
			{Element: "a", URL: "later"},
			{Element: "a", URL: "chosen"},
			{Element: "area", URL: "three"},
			{Element: "iframe", URL: "four"},
			{Element: "a", URL: "five"},
		}
		if !slices.Equal(seen, want) {
			t.Errorf("%s: links are\n%+v, want\n%+v", name, seen, want)
		}
	}
	if base != "https://example.org/x/" || p.Base != base {
		t.Errorf("base is %q and %q", base, p.Base)
	}
}

// TestRefreshURL reads the content of refreshes as browsers do.
func TestRefreshURL(t *testing.T) {
	for content, want := range map[string]string{
		"0;url=/a":                 "/a",
		" 5 ; URL = \"/a\" x":      "/a",
		"0,/a":                     "/a",
		"0 /a":                     "/a",
		"1.5; url='/a":             "/a",
		"0; url=url=/a":            "url=/a",
		"0;urlx":                   "urlx",
		"0; url":                   "url",
		"0":                        "",
		"":                         "",
		"0;":                       "",
		"0; url=":                  "",
		"0; url=\"\"":              "",
		"x; url=/a":                "",
		"0x; url=/a":               "",
		"/a":                       "",
		"0; url=https://a.example": "https://a.example",
	} {
		if got, ok := refreshURL(content); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", content, got, ok, want)
		}
	}
}

// TestIsList wants feeds and sitemaps told from pages, whatever servers call them.
func TestIsList(t *testing.T) {
	for in, want := range map[string]bool{
		"<rss version='2.0'>": true,
		"\ufeff \n<?xml version='1.0'?><?xml-stylesheet href='x'?><!-- <html> --><feed xmlns='x'>": true,
		"<!DOCTYPE rss [<!ELEMENT x ANY]><RSS>":                                                    true,
		"<rdf:RDF xmlns='x'>":                                                                      true,
		"<s:urlset/>":                                                                              true,
		"\xff\xfe<\x00r\x00s\x00s\x00>\x00":                                                        true,
		"<html><body><rss>":                                                                        false,
		"<!DOCTYPE html><feed>":                                                                    false,
		"<rssx>":                                                                                   false,
		"rss":                                                                                      false,
		"<rss":                                                                                     false,
		"<?xml":                                                                                    false,
		"":                                                                                         false,
	} {
		must.Equal(t, IsList([]byte(in)), want, in)
	}
	e := must.Get(New(Default))(t)
	p := &page.Page{MIME: "text/html", Raw: []byte("<rss><channel><item><title>The boats went out</title></item></channel></rss>")}
	if err := e.Do(t.Context(), p); err != nil || p.Drop != page.NotText {
		t.Errorf("a feed: dropped as %q, %v", p.Drop, err)
	}
}
