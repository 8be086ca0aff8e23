package extract_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"chaffinch/extract"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestPathological reads pages that are made to hurt. Each must give what it
// says, and check's invariants; that none hangs is what the test's own time
// limit shows.
func TestPathological(t *testing.T) {
	testkit.Slow(t)
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	for _, c := range []struct {
		about, html string
		cut, drop   page.Reason
		blocks      int
		text        string // in the last block
	}{
		{"100,000 nested elements", many("<div>", 100_000) + "deep" + many("</div>", 100_000) + "<p>after", page.TooDeep, page.None, 2, "after"},
		{"100,000 nested formats", many("<b>", 100_000) + "x" + many("</b>", 100_000), page.TooDeep, page.None, 1, "x"},
		{"100,000 nested tables", many("<table><tr><td>", 100_000) + "x", page.TooDeep, page.None, 1, "x"},
		{"100,000 open links", many("<a href=x>", 100_000) + "x", page.None, page.None, 1, "x"},
		{"100,000 paragraphs never closed", many("<p>x", 100_000), page.None, page.None, 100_000, "x"},
		{"10,000 one-word blocks", many("<div>word</div>", 10_000), page.None, page.None, 10_000, "word"},
		{"5 MB in one block", "<p>" + many("word ", 1<<20), page.None, page.None, 1, "word word"},
		{"5 MB in one word", "<p>" + many("x", 5<<20), page.None, page.None, 1, "xxx"},
		{"1 MB of references", many("&amp;&#x41;&bogus;", 60_000), page.None, page.None, 1, "&A&bogus;"},
		{"1 MB of ampersands", many("&", 1<<20), page.None, page.None, 1, "&&"},
		{"1 MB of open angles", many("<", 1<<20), page.None, page.None, 1, "<<"},
		{"drawings never closed", many("<svg>", 50_000) + "<p>x", page.None, page.None, 1, "x"},
		{"every kind never closed", many("<select><svg><math><template><object><video><textarea><title><iframe><noscript>", 2000) + "<p>x", page.None, page.None, 1, "x"},
		{"scripts in comments in scripts", many("<script><!--<script>", 50_000), page.None, page.Scripted, 0, ""},
		{"the same, with one end tag each", many("<script><!--<script></script>", 50_000) + "<p>x", page.None, page.None, 1, "x"},
		{"raw text in a template", "<template>" + many("<textarea>", 100_000) + "</template>x", page.None, page.None, 1, "x"},
		{"shadow roots in shadow roots", many("<x-a><template shadowrootmode=open><slot></slot>", 20_000) + "x", page.TooDeep, page.None, 1, "x"},
		{"shadow roots in what slots take", many("<x-a><template shadowrootmode=open><b><slot></slot></b></template>", 20_000) + "x", page.TooDeep, page.None, 1, "x"},
		{"100,000 slots and children", "<div><template shadowrootmode=open>" + many("<slot name=a></slot><slot name=b></slot>", 50_000) + "</template>" + many("<p slot=b>x</p>", 50_000), page.None, page.None, 50_000, "x"},
		{"a state of nested lists", "<script>window.__STATE__=" + many("[", 500_000) + "</script>", page.None, page.Scripted, 0, ""},
		{"a state of nested objects", "<script>window.__STATE__=" + many(`{"a":`, 200_000) + "</script>", page.None, page.Scripted, 0, ""},
		{"a state of assignments", "<script>" + many("__a={", 200_000) + many("}", 200_000) + "</script>", page.None, page.Scripted, 0, ""},
		{"a state of states in strings", `<script type="application/json">` + many(`{"a":"{\"a\":`, 50_000) + "</script>", page.None, page.Scripted, 0, ""},
		{"a stream of texts", "<script>" + many(`self.__next_f.push([1,"1:T5,<p>"])`, 50_000) + "</script>", page.None, page.Scripted, 0, ""},
		{"comments never closed", many("<!--", 200_000), page.None, page.NoText, 0, ""},
		{"quotes never closed", many(`<a b="`, 100_001) + "><p>x", page.None, page.None, 1, "x"},
		{"a tag of 1 MB", "<p " + many("a=b ", 1<<18) + ">x", page.None, page.None, 1, "x"},
		{"a name of 1 MB", "<" + many("a", 1<<20) + ">x", page.None, page.None, 1, "x"},
		{"10,000 unknown elements", func() string {
			var b strings.Builder
			for i := range 10_000 {
				b.WriteString("<x" + string(rune('a'+i%26)) + many("y", i%50) + ">")
			}
			return b.String() + "x"
		}(), page.TooDeep, page.None, 1, "x"},
		{"every element in a path of its own", func() string {
			var b strings.Builder
			for i := range 100_000 {
				b.WriteString("<x" + strings.Repeat("y", i%300) + "><div>x</div>")
			}
			return b.String()
		}(), page.TooDeep, page.None, 100_000, "x"},
		{"NUL bytes", "<p>a\x00b<\x00p>c", page.None, page.None, 1, "ab<p>c"},
		{"only markup", many("<div><br></div>", 1000), page.None, page.NoText, 0, ""},
		{"white space", many(" \n", 1<<20), page.None, page.NoText, 0, ""},
		{"2 million elements", many("<br>", 2_000_000) + "x", page.TooManyNodes, page.NoText, 0, ""},
		{"17 MB", "<p>head</p>" + many("<p>x</p> <!-- "+many("-", 4000)+" -->", 4400), page.TooLarge, page.None, 4177, "x"},
	} {
		p := do(t, &page.Page{Raw: []byte(c.html), MIME: "text/html"})
		check(t, p)
		last := ""
		if len(p.Blocks) > 0 {
			last = p.Blocks[len(p.Blocks)-1].Text
		}
		if p.Cut != c.cut || p.Drop != c.drop || len(p.Blocks) != c.blocks || !strings.Contains(last, c.text) {
			t.Errorf("%s: cut %q, drop %q, %d blocks, last %.40q; want %q, %q, %d, %q",
				c.about, p.Cut, p.Drop, len(p.Blocks), last, c.cut, c.drop, c.blocks, c.text)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		about, raw, mime string
		drop             page.Reason
		becomes          string
		kind             page.Kind
	}{
		{"empty", "", "text/html", page.Empty, "text/html", 0},
		{"HTML by its first tag", "<!-- x --><Html><p>a", "", page.None, "text/html", page.Paragraph},
		{"HTML by its doctype", "\n<!DOCTYPE html><p>a", "", page.None, "text/html", page.Paragraph},
		{"HTML called text", "<html><p>a", "text/plain", page.None, "text/plain", page.Paragraph},
		{"HTML called bytes", "<div>a</div>", "application/octet-stream", page.None, "application/octet-stream", page.Paragraph},
		{"XHTML", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p>a</p></html>`, "application/xhtml+xml", page.None, "application/xhtml+xml", page.Paragraph},
		{"text", "a < b\r\n", "", page.None, "text/plain", page.Line},
		{"text in angles", "<you@example.org> wrote:", "", page.None, "text/plain", page.Line},
		{"PDF called HTML", "%PDF-1.4\n<html>", "text/html", page.NotText, "text/html", 0},
		{"an image", "\x89PNG\r\n", "image/png", page.NotText, "image/png", 0},
		{"XML", "<rss><channel>", "text/xml", page.NotText, "text/xml", 0},
		{"JSON", "{}", "application/json", page.NotText, "application/json", 0},
		{"HTML with a parameter", "<p>a", ` Text/HTML ; charset="utf-8"`, page.None, "text/html", page.Paragraph},
		{"text with a parameter", "a", "text/plain;charset=utf-8", page.None, "text/plain", page.Line},
		{"UTF-16", "\xFF\xFE<\x00p\x00>\x00a\x00", "", page.None, "text/html", page.Paragraph},
	} {
		p := do(t, &page.Page{Raw: []byte(c.raw), MIME: c.mime})
		if p.Drop != c.drop || p.MIME != c.becomes || c.drop == page.None && (len(p.Blocks) != 1 || p.Blocks[0].Kind != c.kind) {
			t.Errorf("%s: drop %q, type %q, blocks %v; want %q, %q, kind %s", c.about, p.Drop, p.MIME, p.Blocks, c.drop, c.becomes, c.kind)
		}
	}
}

func TestLimits(t *testing.T) {
	must.Fail(t, must.Err(extract.New(extract.Config{})), "MaxBytes")
	cfg := extract.Default
	cfg.MaxTime = time.Nanosecond
	e := must.Get(extract.New(cfg))(t)
	p := &page.Page{Raw: []byte(strings.Repeat("<p>x", 10_000)), MIME: "text/html"}
	if err := e.Do(context.Background(), p); err != nil || p.Cut != page.TooSlow || len(p.Blocks) == 0 || len(p.Blocks) == 10_000 {
		t.Errorf("in a nanosecond: error %v, cut %q, %d blocks; want a part of the page and too-slow", err, p.Cut, len(p.Blocks))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	must.Is(t, e.Do(ctx, new(page.Page)), context.Canceled)
}

// TestLineEnds reads lines that end in all the ways that files have.
func TestLineEnds(t *testing.T) {
	for _, raw := range []string{"a b\nc\n\n\nd", "a b\r\nc\r\n\r\nd\r\n", "a b\rc\r\rd", "a b\r\r\nc\r\r\nd", "a\tb\fc\n\fd\f", " a \u00a0 b \n \t c\n\u00a0\u200b\n\u3000d\n \n", "\xEF\xBB\xBFa b\nc\nd", "\xFF\xFEa\x00 \x00b\x00\n\x00c\x00\r\x00\n\x00d\x00"} {
		p := do(t, &page.Page{Raw: []byte(raw), MIME: "text/plain"})
		got := ""
		for i := range p.Blocks {
			b := &p.Blocks[i]
			got += "[" + b.Text + "]"
			if b.Kind != page.Line || strings.ContainsAny(p.HTML[b.Start:b.End], "\r\n\f") {
				t.Errorf("%q: block %q is a %s from %q", raw, b.Text, b.Kind, p.HTML[b.Start:b.End])
			}
		}
		if got != "[a b][c][d]" {
			t.Errorf("%q: blocks %s", raw, got)
		}
	}
}

// TestConversion: the text of a WET record may begin with a tag that its page shows.
func TestConversion(t *testing.T) {
	raw := []byte("<p> begins a paragraph\n<b> is bold")
	for kind, want := range map[string]string{"": "begins a paragraph is bold", "conversion": "<p> begins a paragraph"} {
		if p := do(t, &page.Page{Raw: raw, MIME: "text/plain", Source: page.Source{Type: kind}}); p.Blocks[0].Text != want {
			t.Errorf("record of type %q: %q, want %q", kind, p.Blocks[0].Text, want)
		}
	}
}

// TestGivenHTML reads pages whose text is decoded already.
func TestGivenHTML(t *testing.T) {
	p := do(t, &page.Page{HTML: "<p>caf\xE9</p>", MIME: "text/html"})
	if len(p.Blocks) != 1 || p.Blocks[0].Text != "caf\uFFFD" || p.HTML[p.Blocks[0].Start:p.Blocks[0].End] != "caf\uFFFD" {
		t.Errorf("blocks %+v of %q", p.Blocks, p.HTML)
	}
}
