package tei_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chaffinch/format/tei"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// roles gives the kept blocks of p the roles in turn.
func roles(p *page.Page, list ...page.Role) *page.Page {
	for i := range p.Blocks {
		p.Blocks[i].Role = list[i%len(list)]
	}
	return p
}

const thread = `<h1>Strike ends</h1><p>By Ann</p><time>2020-02-03</time><p>All is well.</p><p>The ferry runs.</p><p><b>How it went</b></p><p>Slowly.</p>
<p>By Bo</p><img src=i.png alt=Ship><p>The <i>Anna</i></p><p>Photo: Cy</p><p>About Ann.</p><ul><li>one<ul><li>two</ul></ul><p>first!`

// TestRoles wants the elements of TEI that represent the role of a block.
func TestRoles(t *testing.T) {
	p := roles(pageOf(t, []byte(thread)), page.RoleTitle, page.RoleByline, page.RoleByline, page.RoleStandfirst, page.RoleBody, page.RoleHeading,
		page.RoleBody, page.RoleByline, page.RoleCaption, page.RoleCaption, page.RoleAside, page.RolePost, page.NoRole, page.RoleComment)
	want := `<div n="1">
<head rend="title">Strike ends</head>
<byline>By Ann</byline>
<docDate when="2020-02-03">2020-02-03</docDate>
<argument><p>All is well.</p>
</argument>
<p rend="body">The ferry runs.</p>
<div n="2">
<head rend="heading"><hi rend="bold">How it went</hi></head>
<p rend="body">Slowly.</p>
<p rend="byline">By Bo</p>
<figure><graphic url="https://example.org/dir/i.png"/><figDesc>Ship</figDesc><head>The <hi rend="italic">Anna</hi></head><head>Photo: Cy</head></figure>
<p rend="aside">About Ann.</p>
<list rend="bulleted">
<item rend="post">one
<list rend="bulleted">
<item>two</item>
</list>
</item>
</list>
</div>
</div>
<div type="comments">
<p>first!</p>
</div>`
	check(t, p, tei.Encoder{})
	if got := body(tei.Encoder{}.Append(nil, p)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	again(t, p)
}

// again wants the text and the role of each block back.
func again(t *testing.T, p *page.Page) {
	t.Helper()
	x := tei.Encoder{}.Append(nil, p)
	q := must.Get(tei.NewPages(bytes.NewReader(x)).Next())(t)
	list := func(p *page.Page) (last, text []string) {
		for i := range p.Blocks {
			b := &p.Blocks[i]
			line := b.Role.String() + ": " + strings.Join(strings.Fields(b.Text), " ")
			if b.Role == page.RoleComment { // in a division of their own
				last = append(last, line)
			} else {
				text = append(text, line)
			}
		}
		return last, text
	}
	gotLast, got := list(q)
	wantLast, want := list(p)
	if g, w := strings.Join(append(got, gotLast...), "\n"), strings.Join(append(want, wantLast...), "\n"); g != w {
		t.Errorf("read again as\n%s\nwant\n%s\nin\n%s", g, w, x)
	}
}

// TestAnyRoles: whatever roles the blocks have, the text is whole, each element
// stands where it may, and the roles are read again.
func TestAnyRoles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := pageOf(t, []byte(thread+`<blockquote><p>q</p><h3>r</h3></blockquote><table><caption>c</caption><tr><th>a<th>b<tr><td>1<td>2</table><pre>x</pre>`))
		for i := range p.Blocks {
			if r := page.Role(rnd.IntN(page.RoleCount + 1)); r != page.RoleComment { // check wants the order of the page
				p.Blocks[i].Role = r
			}
			if rnd.IntN(4) == 0 {
				p.Blocks[i].Label = page.Bad
			}
		}
		check(t, p, tei.Encoder{})
		check(t, p, tei.Encoder{Without: page.FeatureHeadings | page.FeatureImages})
	}
	for r := page.NoRole; int(r) <= page.RoleCount; r++ {
		p := roles(pageOf(t, []byte(thread)), r)
		check(t, p, tei.Encoder{})
		again(t, p)
	}
}

// TestImagesAgain reads the alternative text of images back, and not as text.
func TestImagesAgain(t *testing.T) {
	p := &page.Page{Blocks: []page.Block{
		{Text: "By Ann. Two", Element: -1, Inline: []page.Inline{
			{Kind: page.Picture, URL: "https://a.example/1.png", Alt: "Ann"}, {Kind: page.Picture, Start: 8, End: 8, URL: "https://a.example/2.png", Alt: "A view"},
		}},
	}}
	p.Blocks[0].Label = page.Good
	q := must.Get(tei.NewPages(bytes.NewReader(tei.Encoder{}.Append(nil, p))).Next())(t)
	if b := q.Blocks[0]; len(q.Blocks) != 1 || b.Text != p.Blocks[0].Text || !reflect.DeepEqual(b.Inline, p.Blocks[0].Inline) {
		t.Errorf("%q %+v, want %q %+v", b.Text, b.Inline, p.Blocks[0].Text, p.Blocks[0].Inline)
	}
}

// TestLevelsAgain reads the levels of headings back, also if the first is not the highest. In other
// documents n may be any number.
func TestLevelsAgain(t *testing.T) {
	p := &page.Page{}
	for _, level := range []uint8{2, 4, 3, 2, 6} {
		p.Blocks = append(p.Blocks, page.Block{Text: "Head", Kind: page.Heading, Level: level, Element: -1})
		p.Blocks[len(p.Blocks)-1].Label = page.Good
	}
	x := tei.Encoder{}.Append(nil, p)
	for _, c := range []struct {
		x    []byte
		want []uint8
	}{
		{x, []uint8{2, 4, 3, 2, 6}},
		{bytes.ReplaceAll(x, []byte(`ident="chaffinch"`), []byte(`ident="other"`)), []uint8{1, 2, 2, 1, 2}},
	} {
		q := must.Get(tei.NewPages(bytes.NewReader(c.x)).Next())(t)
		var got []uint8
		for i := range q.Blocks {
			got = append(got, q.Blocks[i].Level)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
