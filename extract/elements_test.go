package extract

import (
	"context"
	"strings"
	"testing"

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
		e, err := New(Default)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Do(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range p.Blocks {
			got = append(got, chain(p, &p.Blocks[i]))
		}
		if g := strings.Join(got, "|"); g != c.want {
			t.Errorf("%s: %q, want %q", c.name, g, c.want)
		}
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
	e, err := New(Default)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Do(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	b := p.Blocks[0]
	if b.Links != 2 || b.BoldChars != 3 || b.Breaks != 1 || b.Images != 1 {
		t.Errorf("links %d, bold %d, breaks %d, images %d", b.Links, b.BoldChars, b.Breaks, b.Images)
	}
	if p = (&page.Page{HTML: "just\n\ntext", MIME: "text/plain"}); e.Do(context.Background(), p) != nil || len(p.Elements) > 0 || p.Blocks[0].Element != -1 {
		t.Errorf("plain text: %d elements, block in %d", len(p.Elements), p.Blocks[0].Element)
	}
}

// TestStated: what the head states is there whatever else is read of it.
func TestStated(t *testing.T) {
	for _, metadata := range []bool{true, false} {
		cfg := Default
		cfg.Metadata = metadata
		e, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		p := &page.Page{HTML: `<title> </title><title>A &amp; b</title><title>c</title><link rel=Canonical href=/x><link rel=canonical href=/y><p>t`, MIME: "text/html"}
		if err := e.Do(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		if want := (page.Stated{Title: "A &amp; b", Canonical: "/x"}); p.Stated != want {
			t.Errorf("metadata %v: %+v, want %+v", metadata, p.Stated, want)
		}
	}
}
