package tei_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/format/tei"
	"chaffinch/internal/archive"
	"chaffinch/internal/layout"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/cases"
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/oddpages"
	"chaffinch/page"
)

// bodies is the file of cases.
const bodies = "testdata/body.txt"

var extractor = func() *extract.Extractor {
	cfg := extract.Default
	cfg.Inline = true
	e, err := extract.New(cfg)
	if err != nil {
		panic(err)
	}
	return e
}()

// pageOf extracts a page and keeps all that it shows.
func pageOf(t testing.TB, html []byte) *page.Page {
	t.Helper()
	p := &page.Page{ID: "id", URL: "https://example.org/dir/", Raw: html, MIME: "text/html", Lang: "en"}
	must.Succeed(t, extractor.Do(context.Background(), p))
	for i := range p.Blocks {
		if !p.Blocks[i].Hidden {
			p.Blocks[i].Label = page.Good
		}
	}
	return p
}

// body returns the content of the body of the TEI element.
func body(x []byte) string {
	_, rest, _ := strings.Cut(string(x), "<body>\n")
	in, _, _ := strings.Cut(rest, "</body>")
	return strings.TrimRight(in, "\n")
}

// TestCases runs testdata/body.txt, whose outputs are what the body of the page holds.
func TestCases(t *testing.T) {
	cases.Run(t, bodies, "\n====\n", func(t *testing.T, c cases.Case) string {
		p := pageOf(t, []byte(c.Input))
		check(t, p, tei.Encoder{})
		return body(tei.Encoder{}.Append(nil, p))
	})
}

func TestHeader(t *testing.T) {
	p := pageOf(t, []byte(`<h1>x</h1><p>y<p>first!`))
	p.Meta = page.Metadata{
		Title: `A < "B"`, Authors: []string{"C & D", "E"}, Date: "2020-02-03", Modified: "2021-02-03T04:05:06Z", Fetched: "yesterday",
		Canonical: "http://e.org/x y", Site: "S", Description: "About.", License: "https://l.org/", Optout: "meta robots: noai", Translated: "Google Translate", Categories: []string{"k"}, Tags: []string{"t", "u"},
	}
	p.Blocks[2].Role = page.RoleComment
	want := `<TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader>
<fileDesc>
<titleStmt><title>A &lt; "B"</title><author>C &amp; D</author><author>E</author></titleStmt>
<publicationStmt><publisher>S</publisher><availability><licence target="https://l.org/">https://l.org/</licence></availability></publicationStmt>
<notesStmt><note type="optout">meta robots: noai</note><note type="translated">Google Translate</note></notesStmt>
<sourceDesc>
<bibl><title>A &lt; "B"</title><author>C &amp; D</author><author>E</author><publisher>S</publisher><date when="2020-02-03">2020-02-03</date><date type="modified" when="2021-02-03T04:05:06Z">2021-02-03T04:05:06Z</date><ptr type="url" target="https://example.org/dir/"/><ptr type="canonical" target="http://e.org/x%20y"/><idno>id</idno></bibl>
</sourceDesc>
</fileDesc>
<encodingDesc><appInfo><application ident="chaffinch" version="1"><label>Chaffinch</label></application></appInfo></encodingDesc>
<profileDesc><abstract><p>About.</p></abstract><creation><date type="fetched">yesterday</date></creation><langUsage><language ident="en"/></langUsage><textClass><keywords n="categories"><term>k</term></keywords><keywords n="tags"><term>t</term><term>u</term></keywords></textClass></profileDesc>
</teiHeader>
<text xml:lang="en">
<body>
<div n="1">
<head>x</head>
<p>y</p>
</div>
<div type="comments">
<p>first!</p>
</div>
</body>
</text>
</TEI>
`
	check(t, p, tei.Encoder{})
	if got := string(tei.Encoder{}.Append(nil, p)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	p.Drop = page.AllBad
	if got := (tei.Encoder{}).Append(nil, p); len(got) > 0 {
		t.Errorf("a dropped page gives %s", got)
	}
}

// schema says what may stand in an element: children, attributes, and whether
// text may. It is the part of tei_all that we write.
var schema = func() map[string]rule {
	inter := "list table quote eg figure"
	phrase := "hi del code ref graphic lb formula"
	return map[string]rule{
		"TEI":             {children: "teiHeader text"},
		"teiHeader":       {children: "fileDesc encodingDesc profileDesc"},
		"fileDesc":        {children: "titleStmt publicationStmt notesStmt sourceDesc"},
		"titleStmt":       {children: "title author"},
		"title":           {text: true},
		"author":          {text: true},
		"publicationStmt": {children: "p publisher availability"},
		"publisher":       {text: true},
		"availability":    {children: "p licence"},
		"licence":         {attrs: "target", text: true},
		"notesStmt":       {children: "note"},
		"note":            {attrs: "type", text: true},
		"sourceDesc":      {children: "bibl"},
		"bibl":            {children: "title author publisher date ptr idno"},
		"date":            {attrs: "type when", text: true},
		"ptr":             {attrs: "type target"},
		"idno":            {text: true},
		"encodingDesc":    {children: "appInfo"},
		"appInfo":         {children: "application"},
		"application":     {attrs: "ident version", children: "label"},
		"label":           {text: true},
		"profileDesc":     {children: "abstract creation langUsage textClass"},
		"abstract":        {children: "p"},
		"creation":        {children: "date"},
		"langUsage":       {children: "language"},
		"language":        {attrs: "ident"},
		"textClass":       {children: "keywords"},
		"keywords":        {attrs: "n", children: "term"},
		"term":            {text: true},
		"text":            {attrs: "lang", children: "body"},
		"body":            {children: "byline docDate argument div p ab " + inter},
		"div":             {attrs: "n type", children: "head byline docDate argument div p ab " + inter},
		"head":            {attrs: "rend", children: phrase, text: true},
		"byline":          {children: phrase, text: true},
		"docDate":         {attrs: "when", children: phrase, text: true},
		"argument":        {children: "p"},
		"p":               {attrs: "rend", children: phrase, text: true},
		"ab":              {attrs: "type n rend", children: phrase, text: true},
		"list":            {attrs: "rend", children: "item"},
		"item":            {attrs: "n rend", children: "p ab " + inter + " " + phrase, text: true},
		"table":           {children: "head row"},
		"row":             {attrs: "role", children: "cell"},
		"cell":            {attrs: "role n cols rows rend", children: "p ab " + inter + " " + phrase, text: true},
		"quote":           {children: "p ab " + inter},
		"eg":              {attrs: "rend", children: "code"},
		"code":            {attrs: "lang rend space", text: true},
		"figure":          {children: "graphic figDesc head"},
		"figDesc":         {text: true},
		"graphic":         {attrs: "url", children: "desc"},
		"desc":            {text: true},
		"hi":              {attrs: "rend", children: phrase, text: true},
		"del":             {attrs: "rend", children: phrase, text: true},
		"ref":             {attrs: "target", children: phrase, text: true},
		"lb":              {},
		"formula":         {attrs: "notation", text: true},
	}
}()

type rule struct {
	attrs, children string
	text            bool
}

// check wants well-formed XML that keeps to the schema and holds the page's
// text.
func check(t testing.TB, p *page.Page, e tei.Encoder) {
	t.Helper()
	x := e.Append(nil, p)
	d := xml.NewDecoder(bytes.NewReader(x))
	var open []string
	var after []bool // a division stands in it already
	var solid []bool // more than what may stand at the top of a division does
	var text strings.Builder
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, x)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			name := tok.Name.Local
			r, ok := schema[name]
			if !ok {
				t.Fatalf("element %s", name)
			}
			for _, a := range tok.Attr {
				if a.Name.Local != "xmlns" && !slices.Contains(strings.Fields(r.attrs), a.Name.Local) {
					t.Fatalf("attribute %s of %s", a.Name.Local, name)
				}
			}
			if n := len(open); n > 0 {
				if !slices.Contains(strings.Fields(schema[open[n-1]].children), name) {
					t.Fatalf("%s in %s", name, open[n-1])
				}
				if after[n-1] && name != "div" {
					t.Fatalf("%s behind a division", name)
				}
				after[n-1] = after[n-1] || name == "div"
				if in := open[n-1]; in == "div" || in == "body" {
					switch name {
					case "head", "byline", "docDate", "argument":
						if solid[n-1] {
							t.Fatalf("%s not at the top of %s:\n%s", name, in, x)
						}
					case "figure":
					default:
						solid[n-1] = true
					}
				}
			}
			open, after, solid = append(open, name), append(after, false), append(solid, false)
			if slices.Contains([]string{"p", "ab", "head", "byline", "docDate", "item", "cell", "lb", "code"}, name) && (name != "code" || open[len(open)-2] == "eg") {
				text.WriteByte(' ')
			}
		case xml.EndElement:
			if n := len(open) - 1; open[n] == "body" && !solid[n] {
				t.Fatalf("nothing in the body:\n%s", x)
			}
			open, after, solid = open[:len(open)-1], after[:len(after)-1], solid[:len(solid)-1]
		case xml.CharData:
			in := open[max(len(open)-1, 0):]
			if len(in) > 0 && !schema[in[0]].text && len(bytes.TrimSpace(tok)) > 0 {
				t.Fatalf("text %q in %s", tok, in[0])
			}
			if slices.Contains(open, "body") && !slices.Contains(open, "figDesc") && !slices.Contains(open, "desc") {
				text.Write(tok)
			}
		}
	}
	var want strings.Builder
	for _, n := range flatten(layout.Build(p, layout.Config{Without: e.Without})) {
		want.WriteByte(' ')
		want.WriteString(p.Blocks[n].Kept())
	}
	g, w := strings.Join(strings.Fields(text.String()), " "), strings.Join(strings.Fields(valid(want.String())), " ")
	if g != w {
		t.Fatalf("text %q\nwant %q\nin\n%s", g, w, x)
	}
}

// flatten returns the blocks in the order in which they are written: the
// caption of a table stands before its rows, wherever the page has it.
func flatten(nodes []*layout.Node) (blocks []int) {
	captions, rest := []*layout.Node{}, []*layout.Node{}
	for _, n := range nodes {
		if n.Kind == layout.Caption {
			captions = append(captions, n)
		} else {
			rest = append(rest, n)
		}
	}
	for _, n := range append(captions, rest...) {
		if n.Kind == layout.Text {
			blocks = append(blocks, n.Index)
		}
		blocks = append(blocks, flatten(n.Nodes)...)
	}
	return blocks
}

// valid drops what XML has no place for.
func valid(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, s)
}

// TestHeaderNames: the text of a field includes the text of the elements in it.
func TestHeaderNames(t *testing.T) {
	const in = `<TEI><teiHeader><fileDesc><titleStmt><title>x</title><author><forename>Ann</forename> <surname>Lee</surname></author></titleStmt>
<sourceDesc><bibl><title>The <hi>old</hi> mill</title><date>2001</date></bibl></sourceDesc></fileDesc></teiHeader><text><body><p>a</p></body></text></TEI>`
	p, err := tei.NewPages(strings.NewReader(in)).Next()
	must.Succeed(t, err)
	if !slices.Equal(p.Meta.Authors, []string{"Ann Lee"}) || p.Meta.Title != "The old mill" || p.Meta.Date != "2001" {
		t.Errorf("%+v", p.Meta)
	}
	for title, want := range map[string]string{"Mills": "Mills", "http://x.example/a b": "http://x.example/a b", "http://x.example/a": "", "7": ""} {
		p, err = tei.NewPages(strings.NewReader(`<TEI><teiHeader><fileDesc><titleStmt><title>` + title + `</title></titleStmt><sourceDesc><bibl><idno>7</idno></bibl></sourceDesc></fileDesc></teiHeader><text><body><p>a</p></body></text></TEI>`)).Next()
		must.Succeed(t, err)
		if p.Meta.Title != want {
			t.Errorf("title %q: %q", title, p.Meta.Title)
		}
	}
}

// TestRead reads back images and formulas in text, the kinds of keywords, and restrictions.
func TestRead(t *testing.T) {
	in := &page.Page{Meta: page.Metadata{Categories: []string{"Sea"}, Tags: []string{"ferry", "fish"}, Optout: "meta robots: noai", Translated: "Google Translate"}, Blocks: []page.Block{
		{Text: "by Ann $x^2$ end", Element: -1, Verdict: page.Verdict{Label: page.Good}, Inline: []page.Inline{
			{Kind: page.Picture, Start: 3, End: 3, URL: "http://example.org/a.png", Alt: "Ann at sea"}, {Kind: page.Formula, Start: 7, End: 12},
		}},
	}}
	out := must.Get(tei.NewPages(bytes.NewReader(tei.Encoder{}.Append(nil, in))).Next())(t)
	if m := out.Meta; !slices.Equal(m.Categories, in.Meta.Categories) || !slices.Equal(m.Tags, in.Meta.Tags) || m.Optout != in.Meta.Optout || m.Translated != in.Meta.Translated {
		t.Errorf("%+v", m)
	}
	if got, want := fmt.Sprintf("%+v", out.Blocks[0].Inline), fmt.Sprintf("%+v", in.Blocks[0].Inline); out.Blocks[0].Text != in.Blocks[0].Text || got != want {
		t.Errorf("%q, %s\nwant %q, %s", out.Blocks[0].Text, got, in.Blocks[0].Text, want)
	}
}

// TestForeignText reads the text of files by other programs.
func TestForeignText(t *testing.T) {
	for in, want := range map[string]string{
		"<p>One <list><item>a</item><item>b</item></list> two</p>":                                        "One|a|b|two",
		"<head>Act</head><sp><speaker>ANN</speaker><p>To sea.</p><lg><l>row</l><l>row</l></lg></sp>":      "Act|ANN|To sea.|row|row",
		"<p>One<note n=\"1\">Foot <hi>note</hi></note> and two.<note><p>b</p><p>c</p></note></p><p>x</p>": "One and two.|x|Foot note|b|c",
		"<p>see <choice><sic>teh</sic><corr>the</corr></choice> exam-<lb break=\"no\"/>ple<lb/>here</p>":  "see the exam-ple here",
		"<closer><salute>Yours</salute><signed>Bob</signed></closer><fw>p. 7</fw>":                        "Yours|Bob",
		"<p>caf&eacute; \xe4</p>": "café ä",
	} {
		p, err := tei.NewPages(strings.NewReader("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><TEI><teiHeader/><text><body>" + in + "</body></text></TEI>")).Next()
		must.Succeed(t, err)
		var got []string
		for i := range p.Blocks {
			got = append(got, p.Blocks[i].Text)
		}
		if g := strings.Join(got, "|"); g != want {
			t.Errorf("%s: %q, want %q", in, g, want)
		}
	}
}

func FuzzAppend(f *testing.F) {
	for _, c := range cases.Read(f, bodies, "\n====\n") {
		f.Add(c.Input, "title", "http://x/", uint16(0))
		f.Add(c.Input, "\x00\ufffe]]>&\r", "::\x01%", uint16(0xFFFF))
	}
	f.Fuzz(func(t *testing.T, html, title, url string, without uint16) {
		p := pageOf(t, []byte(html))
		p.Meta.Title, p.URL, p.Meta.Canonical, p.Meta.Date, p.ID = title, url, title, title, url
		check(t, p, tei.Encoder{Without: page.Features(without)})
		check(t, oddpages.Cut(p), tei.Encoder{})
	})
}

// TestForeign writes a page that no extractor made: any text, any markup.
func TestForeign(t *testing.T) {
	p := &page.Page{ID: "\x00", Blocks: []page.Block{
		{Text: "a\x01b\uffff c", Kind: page.Heading, Element: -1},
		{Text: "x\ny", Kind: page.Code, Element: -1},
		{Text: "one two", Element: -1, Inline: []page.Inline{{Kind: page.Link, Start: 0, End: 3, URL: "http://[::1"}}},
	}}
	for i := range p.Blocks {
		p.Blocks[i].Label = page.Good
	}
	check(t, p, tei.Encoder{})
	if got, want := body(tei.Encoder{}.Append(nil, p)), "<div n=\"1\">\n<head>ab c</head>\n<eg><code rend=\"block\" xml:space=\"preserve\">x\ny</code></eg>\n<p><ref>one</ref> two</p>\n</div>"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestPages checks real pages.
func TestPages(t *testing.T) {
	n := 0
	err := archive.Walk(testkit.Data(t, "eval/cleaneval-en-dev.tar.zst"), func(name string, r io.Reader) error {
		if filepath.Base(filepath.Dir(name)) != "html" {
			return nil
		}
		html, err := io.ReadAll(r)
		if n++; err == nil {
			t.Run(fmt.Sprint(filepath.Base(name)), func(t *testing.T) {
				check(t, pageOf(t, html), tei.Encoder{})
				check(t, oddpages.Cut(pageOf(t, html)), tei.Encoder{})
			})
		}
		return err
	})
	if err != nil || n < 50 {
		t.Errorf("%d pages, %v", n, err)
	}
}
