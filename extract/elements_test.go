package extract

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// chain writes the elements of block b from the outermost in.
func chain(p *page.Page, b *page.Block) string {
	var names []string
	for e := b.Element; e >= 0; e = p.Elements[e].Parent {
		el := &p.Elements[e]
		n := el.Name
		if el.Class != "" {
			n += "." + el.Class
		}
		if el.ID != "" {
			n += "#" + el.ID
		}
		names = append([]string{n}, names...)
	}
	return strings.Join(names, " ")
}

func TestElements(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"attributes of html and body count, first ones only", `<html class=h><body id=b class="x y"><body class=z><p>t`, "html.h body.x y#b p"},
		{"inline element around all text", `<div><span class=s><b>one</b> two</span></div>`, "html body div span.s"},
		{"text outside of it", `<div><span class=s>one</span> two</div>`, "html body div"},
		{"two links", `<li><a class=m>one</a><a class=n>two</a>`, "html body li"},
		{"formatting that is closed alone", `<p><b><i>one</b> two</i>`, "html body p"},
		{"a link that opens again", `<a class=m><div>one</a></div>`, "html body a.m div"},
		{"implied end tags", `<ul><li class=a>one<li class=b><em>two</em>`, "html body ul li.a|html body ul li.b em"},
		{"unknown element", `<X-Card class=q>one</X-Card>`, "html body x-card.q"},
	} {
		p := &page.Page{HTML: c.html, MIME: "text/html"}
		e := must.Get(New(Default))(t)
		must.Succeed(t, e.Do(context.Background(), p))
		var got []string
		for i := range p.Blocks {
			got = append(got, chain(p, &p.Blocks[i]))
		}
		must.Equal(t, strings.Join(got, "|"), c.want, c.name)
		for i, el := range p.Elements {
			if int(el.Parent) >= i {
				t.Errorf("%s: element %d has the parent %d", c.name, i, el.Parent)
			}
			if el.Start >= 0 && p.HTML[el.Start] != '<' {
				t.Errorf("%s: element %d does not begin at %d", c.name, i, el.Start)
			}
		}
	}
}

func TestInlineCounts(t *testing.T) {
	p := &page.Page{HTML: `<a href=x><p>one <b>two</b><br>three <img> <a href=y>four</a></p></a><p>five`, MIME: "text/html"}
	e := must.Get(New(Default))(t)
	must.Succeed(t, e.Do(context.Background(), p))
	b := p.Blocks[0]
	if b.Links != 2 || b.BoldChars != 3 || b.Breaks != 1 || b.Images != 1 {
		t.Errorf("links %d, bold %d, breaks %d, images %d", b.Links, b.BoldChars, b.Breaks, b.Images)
	}
	if p = (&page.Page{HTML: "just\n\ntext", MIME: "text/plain"}); e.Do(context.Background(), p) != nil || len(p.Elements) > 0 || p.Blocks[0].Element != -1 {
		t.Errorf("plain text: %d elements, block in %d", len(p.Elements), p.Blocks[0].Element)
	}
}

// TestStated: what the page states is there whatever else is read of it, and the
// same.
func TestStated(t *testing.T) {
	const src = `<html lang=en><title> </title><title>A &amp; b</title><title>c</title><link rel=Canonical href=/x><link rel=canonical href=/y>
		<link rel=alternate hreflang=nb href=/x><link rel=alternate hreflang=sv href=/sv><meta property=og:locale content=da_DK><meta name=language content=EN>
		<meta property="og:title" content="A &amp;  b"><meta name=description content=d><meta itemprop=datePublished content=2024-01-02>
		<script type="application/ld+json">{"@type":"NewsArticle","headline":"H","alternativeHeadline":"deck","author":{"@type":"Person","name":"Ada Lo"},
		"datePublished":"2024-01-03","articleBody":"It said &quot;no&quot;.","inLanguage":"da","publisher":{"name":"P"}}</script>
		<p itemprop=author>Not he<p>t`
	want := page.Stated{Title: "A &amp; b", Canonical: "/x", Titles: []string{"A & b", "H"}, Descriptions: []string{"d", "deck"},
		Authors: []string{"Ada Lo"}, Dates: []string{"2024-01-02", "2024-01-03"}, Langs: []string{"nb", "da", "da-DK"}, Text: `It said "no".`}
	for _, metadata := range []bool{true, false} {
		cfg := Default
		cfg.Metadata = metadata
		e := must.Get(New(cfg))(t)
		p := &page.Page{HTML: src, MIME: "text/html"}
		must.Succeed(t, e.Do(context.Background(), p))
		if !reflect.DeepEqual(p.Stated, want) {
			t.Errorf("metadata %v:\n%+v, want\n%+v", metadata, p.Stated, want)
		}
	}
}

// TestImagesAbove: a block knows the images between it and the block before.
func TestImagesAbove(t *testing.T) {
	e := must.Get(New(Default))(t)
	p := &page.Page{HTML: `<p>one<div><img alt=a><img alt="b &amp; c"></div><p>two<p>three<p><img>four`, MIME: "text/html"}
	must.Succeed(t, e.Do(context.Background(), p))
	var got []string
	for _, b := range p.Blocks {
		got = append(got, fmt.Sprint(b.Text, " ", b.ImagesAbove, " ", b.Alt))
	}
	must.Equal(t, strings.Join(got, "|"), "one 0 |two 2 b &amp; c|three 0 |four 1 ")
}
