package flow

import (
	"strings"
	"testing"

	"chaffinch/format/document"
)

func text(s string) []Span { return []Span{{Text: s}} }

func TestWriter(t *testing.T) {
	item := func(depth int, ordered bool, s string) Block {
		return Block{Para: &Para{Depth: depth, Ordered: ordered, Spans: text(s)}}
	}
	for name, c := range map[string]struct {
		blocks []Block
		want   string
	}{
		"paragraph": {
			[]Block{{Para: &Para{Lang: "de", Spans: []Span{{Text: "a\nb "}, {Text: "c", Style: Bold | Italic}, {Text: "d", Href: "http://x/"}, {Note: 1}}}}, {Para: &Para{Spans: text(" ")}}},
			"<p lang=\"de\">a<br>b <b><i>c</i></b><a href=\"http://x/\">d</a><a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a></p>\n",
		},
		"lists": {
			[]Block{item(1, false, "a"), item(2, true, "b"), item(2, true, "c"), item(1, false, "d"), {Para: &Para{Depth: 1, More: true, Spans: text("e")}}, item(1, true, "f"), {Para: &Para{Spans: text("g")}}},
			"<ul><li>a<ol><li>b</li>\n<li>c</li>\n</ol>\n</li>\n<li>d<p>e</p>\n</li>\n</ul>\n<ol><li>f</li>\n</ol>\n<p>g</p>\n",
		},
		"deep list": {[]Block{item(3, false, "a")}, "<ul><li><ul><li><ul><li>a</li>\n</ul>\n</li>\n</ul>\n</li>\n</ul>\n"},
		"contents": {
			[]Block{{Para: &Para{Role: document.Contents, Spans: text("1")}}, {Para: &Para{Role: document.Contents, Spans: text("2")}}, {Para: &Para{Tag: "h1", Spans: text("3")}}},
			"<nav role=\"doc-toc\"><p>1</p>\n<p>2</p>\n</nav><h1>3</h1>\n",
		},
		"table": {
			[]Block{{Table: &Table{Caption: text("T"), Rows: [][]Cell{
				{{Cols: 2, Head: true, Blocks: []Block{{Para: &Para{Spans: text("a")}}}}},
				{{Rows: 2, Blocks: []Block{item(1, false, "b")}}, {Blocks: []Block{{Para: &Para{Spans: text("c")}}, {Para: &Para{Spans: text("d")}}}}},
			}}}},
			"<table><caption>T</caption><tr><th colspan=\"2\">a</th>\n</tr>\n<tr><td rowspan=\"2\"><ul><li>b</li>\n</ul>\n</td>\n<td><p>c</p>\n<p>d</p>\n</td>\n</tr>\n</table>\n",
		},
		"part": {
			[]Block{item(1, false, "a"), {Tag: "aside", Within: []Block{item(1, false, "b")}}},
			"<ul><li>a</li>\n</ul>\n<aside><ul><li>b</li>\n</ul>\n</aside>\n",
		},
	} {
		b := document.NewBuilder(document.Default)
		w := NewWriter(b)
		w.Blocks(c.blocks)
		w.Flush()
		if got := strings.TrimSuffix(b.Document().HTML, "</body></html>\n"); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

func TestAdd(t *testing.T) {
	var p Para
	for _, s := range []Span{{Text: "a"}, {Text: "b"}, {}, {Text: "c", Style: Bold}, {Note: 1}, {Text: "d"}} {
		p.Add(s)
	}
	if len(p.Spans) != 4 || Text(p.Spans) != "abcd" {
		t.Errorf("spans %+v", p.Spans)
	}
}

func TestWebLink(t *testing.T) {
	for in, want := range map[string]string{" HTTP://a/": "HTTP://a/", "javascript:x": "", "file:///x": "", "": "", "mailto:a@b": "mailto:a@b", "../a": ""} {
		if got := WebLink(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
