package jsonl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/format/jsonl"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// documentPage extracts a page; blocks with the text "BAD" are labelled bad.
func documentPage(t testing.TB, html string) *page.Page {
	t.Helper()
	cfg := extract.Default
	cfg.Inline = true
	e := must.Get(extract.New(cfg))(t)
	p := &page.Page{ID: "id", HTML: html, MIME: "text/html"}
	must.Succeed(t, e.Do(context.Background(), p))
	for i := range p.Blocks {
		b := &p.Blocks[i]
		b.By, b.Label, b.Score = "keep/1", page.Good, .75
		if b.Text == "BAD" {
			b.Label, b.Reason = page.Bad, "short"
		}
	}
	return p
}

// blocksOf returns the blocks of a document, indented.
func blocksOf(t *testing.T, d jsonl.Document, p *page.Page) string {
	t.Helper()
	line := d.Append(nil, p)
	if bytes.IndexByte(line, '\n') != len(line)-1 {
		t.Errorf("not one line: %q", line)
	}
	var doc struct {
		ID     string          `json:"id"`
		Blocks json.RawMessage `json:"blocks"`
	}
	if err := json.Unmarshal(line, &doc); err != nil || doc.ID != p.ID {
		t.Fatalf("%v: %s", err, line)
	}
	out := strings.ReplaceAll(string(doc.Blocks), `{"kind"`, "\n{\"kind\"")
	return strings.TrimSpace(strings.TrimPrefix(out, "["))
}

func TestDocument(t *testing.T) {
	p := documentPage(t, `<h2>A "b"</h2><p>BAD<p>one <b>two</b> <a href="http://h/">th<i>re</i>e</a><img src=i.png alt=I>
<ol start=4><li>x<ul><li>y</ul></ol><blockquote>q</blockquote><pre class=language-c>
  f();
g();</pre><table><tr><th>k<th>v<tr><td>1<td colspan=2>2</table>`)
	p.Blocks[2].Role = page.RoleComment
	const want = `{"kind":"heading","level":2,"text":"A \"b\"","path":"html.body.h2","start":4,"end":9,"label":"good","score":0.75},
{"kind":"paragraph","text":"one two three","inline":[
{"kind":"strong","start":4,"end":7},
{"kind":"link","start":8,"end":13,"url":"http://h/"},
{"kind":"emphasis","start":10,"end":12},
{"kind":"image","start":13,"end":13,"url":"i.png","alt":"I"}],"path":"html.body.p","start":23,"end":70,"label":"good","role":"comment","score":0.75},
{"kind":"list","ordered":true,"blocks":[
{"kind":"item","number":4,"blocks":[
{"kind":"paragraph","text":"x","path":"html.body.ol.li","start":112,"end":113,"label":"good","score":0.75},
{"kind":"list","blocks":[
{"kind":"item","blocks":[
{"kind":"paragraph","text":"y","path":"html.body.ol.li.ul.li","start":121,"end":122,"label":"good","score":0.75}]}]}]}]},
{"kind":"quote","blocks":[
{"kind":"paragraph","text":"q","path":"html.body.blockquote","start":144,"end":145,"label":"good","score":0.75}]},
{"kind":"code","lang":"c","text":"  f();\ng();","path":"html.body.pre","start":183,"end":192,"label":"good","score":0.75},
{"kind":"table","blocks":[
{"kind":"row","header":true,"blocks":[
{"kind":"cell","header":true,"column":0,"blocks":[
{"kind":"paragraph","text":"k","path":"html.body.table.tr.th","start":213,"end":214,"label":"good","score":0.75}]},
{"kind":"cell","header":true,"column":1,"blocks":[
{"kind":"paragraph","text":"v","path":"html.body.table.tr.th","start":218,"end":219,"label":"good","score":0.75}]}]},
{"kind":"row","blocks":[
{"kind":"cell","column":0,"blocks":[
{"kind":"paragraph","text":"1","path":"html.body.table.tr.td","start":227,"end":228,"label":"good","score":0.75}]},
{"kind":"cell","column":1,"columns":2,"blocks":[
{"kind":"paragraph","text":"2","path":"html.body.table.tr.td","start":242,"end":243,"label":"good","score":0.75}]}]}]}]`
	if got := blocksOf(t, jsonl.Document{}, p); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestDocumentAnnotated(t *testing.T) {
	p := documentPage(t, `<p>BAD<ul><li>a <b>b</b></ul>`)
	p.Drop = page.AllBad
	if got := (jsonl.Document{}).Append(nil, p); len(got) > 0 {
		t.Errorf("a dropped page gives %s", got)
	}
	const want = `{"kind":"paragraph","text":"BAD","path":"html.body.p","start":3,"end":6,"by":"keep/1","label":"bad","score":0.75,"why":"short"},
{"kind":"paragraph","text":"a b","path":"html.body.ul.li","start":14,"end":20,"by":"keep/1","label":"good","score":0.75}]`
	if got := blocksOf(t, jsonl.Document{Annotate: true, Without: page.FeatureLists | page.FeatureMarks}, p); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func FuzzDocument(f *testing.F) {
	f.Add(`<ul><li>a<table><tr><th>b<td>c<pre>d<img src=x alt="\">`, uint16(0))
	f.Add("<p>\x00\xff\u2028\"\\<blockquote>BAD", uint16(1))
	f.Fuzz(func(t *testing.T, html string, without uint16) {
		if html == "" {
			return
		}
		p := documentPage(t, html)
		for _, d := range []jsonl.Document{{Without: page.Features(without)}, {Annotate: true}} {
			if line := d.Append(nil, p); len(line) > 0 && (!json.Valid(line) || bytes.IndexByte(line, '\n') != len(line)-1) {
				t.Fatalf("not one line of JSON: %q", line)
			}
		}
	})
}

// TestRoles wants the role of each block back from annotated lines and documents,
// also where it is called class, as it was when comment was the only one.
func TestRoles(t *testing.T) {
	p := &page.Page{ID: "a"}
	for r := page.NoRole; int(r) <= page.RoleCount; r++ {
		p.Blocks = append(p.Blocks, page.Block{Text: "block " + r.String(), Element: -1, Verdict: page.Verdict{By: "x/1", Label: page.Good, Role: r}})
	}
	read := func(line []byte) []page.Block {
		r := must.Get(jsonl.NewReader(bytes.NewReader(line), jsonl.Config{Kept: true}))(t)
		q := must.Get(r.Next())(t)
		return q.Blocks
	}
	for name, line := range map[string][]byte{
		"lines":     jsonl.Encoder{Annotate: true}.Append(nil, p),
		"document":  jsonl.Document{}.Append(nil, p),
		"annotated": jsonl.Document{Annotate: true}.Append(nil, p),
	} {
		blocks := read(line)
		if len(blocks) != len(p.Blocks) {
			t.Fatalf("%s: %d blocks, want %d", name, len(blocks), len(p.Blocks))
		}
		for i := range blocks {
			if blocks[i].Role != p.Blocks[i].Role {
				t.Errorf("%s: %s has the role %q", name, p.Blocks[i].Text, blocks[i].Role)
			}
		}
		if bytes.Contains(line, []byte(`"text":"block ","role"`)) || bytes.Count(line, []byte(`"role":`)) != page.RoleCount {
			t.Errorf("%s: a block without a role has one: %s", name, line)
		}
	}
	old := read([]byte(`{"id":"a","blocks":[{"kind":"paragraph","label":"good","class":"comment","text":"x"},{"kind":"paragraph","role":"of nobody","text":"y"}]}` + "\n"))
	if old[0].Role != page.RoleComment || old[1].Role != page.NoRole {
		t.Errorf("roles %q and %q, want comment and none", old[0].Role, old[1].Role)
	}
}

// TestLean: a lean document has the text, the structure and the roles.
func TestLean(t *testing.T) {
	p := documentPage(t, `<h2>A</h2><p>one <b>two</b><p hidden>three<ul><li>x</ul><pre class=language-c>f();</pre><table><tr><th>k<th>v<tr><td>1<td>2</table>`)
	p.Blocks[1].Role, p.Blocks[2].Lang = page.RoleComment, "en"
	const want = `{"kind":"heading","level":2,"text":"A"},
{"kind":"paragraph","text":"one two","role":"comment"},
{"kind":"paragraph","text":"three","hidden":true},
{"kind":"list","blocks":[
{"kind":"item","blocks":[
{"kind":"paragraph","text":"x"}]}]},
{"kind":"code","lang":"c","text":"f();"},
{"kind":"table","blocks":[
{"kind":"row","header":true,"blocks":[
{"kind":"cell","header":true,"column":0,"blocks":[
{"kind":"paragraph","text":"k"}]},
{"kind":"cell","header":true,"column":1,"blocks":[
{"kind":"paragraph","text":"v"}]}]},
{"kind":"row","blocks":[
{"kind":"cell","column":0,"blocks":[
{"kind":"paragraph","text":"1"}]},
{"kind":"cell","column":1,"blocks":[
{"kind":"paragraph","text":"2"}]}]}]}]`
	if got := blocksOf(t, jsonl.Document{Lean: true}, p); got != want {
		t.Errorf("%s\nwanted\n%s", got, want)
	}
}
