package extract_test

import (
	"context"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// textOf returns the texts of the blocks of a page.
func textOf(t *testing.T, cfg extract.Config, html string) string {
	t.Helper()
	e := must.Get(extract.New(cfg))(t)
	p := &page.Page{HTML: html, MIME: "text/html"}
	must.Succeed(t, e.Do(context.Background(), p))
	var out []string
	for i := range p.Blocks {
		out = append(out, p.Blocks[i].Text)
	}
	return strings.Join(out, "|")
}

// TestSeams parts inline boxes that a style sheet sets apart, and no words.
func TestSeams(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		// Apart.
		{"boxes by case", `<span class=day>Tonight</span><span class=meal>Course: Main</span>`, "Tonight Course: Main"},
		{"boxes of one class", `<span class=tag>Linux</span><span class=tag>Windows</span>`, "Linux Windows"},
		{"boxes in lower case", `<span class=title>plain soup</span><span class=subtitle>served with bread</span>`, "plain soup served with bread"},
		{"a number and its unit", `<span class=amount>158</span><span class=unit>kcal</span>`, "158 kcal"},
		{"a name and a number", `<span class=user>ferry</span><span class=posts>1,204</span>`, "ferry 1,204"},
		{"capitals", `<span class=maker>REVA</span><span class=what>Lamp</span>`, "REVA Lamp"},
		{"one box", `ferry <b>Updated</b><span class=ago>Yesterday</span>`, "ferry Updated Yesterday"},
		{"emphasis with a class", `the quay<em class=label>New</em>`, "the quay New"},
		{"links", `<a href=/a>soup</a><a href=/b>bread</a><a href=/c>7</a><a href=/d>8</a>`, "soup bread 7 8"},
		{"label", `<label>size</label><span>large</span>`, "size large"},
		{"time", `by Nora<time>12 May</time>at home`, "by Nora 12 May at home"},
		{"image", `star<img src=s.png alt="">ferry`, "star ferry"},
		{"drawing", `ferry<svg><path/></svg>pilot`, "ferry pilot"},
		{"button", `ferry<button>Copy</button>pilot`, "ferry pilot"},
		{"style", `soup<span style="color:red; display : Block">bread</span>`, "soup bread"},
		{"element of its own", `<x-day>Tonight</x-day><x-meal>Soup</x-meal>`, "Tonight Soup"},
		{"behind a full stop", `It sailed.<a href=/x>Read on</a>`, "It sailed. Read on"},
		{"behind a colon", `<span class=k>Date:</span><span class=v>12 May</span>`, "Date: 12 May"},
		{"a price", `<span class=w>Lamp</span><span class=p>$12.50</span>`, "Lamp $12.50"},
		{"a count", `<a href=/x>Replies</a><span class=n>(12)</span>`, "Replies (12)"},
		{"a note", `on average<sup>2</sup> of`, "on average 2 of"},
		{"two pieces of code", `<code>ab</code><code>cd</code>`, "ab cd"},
		{"a margin", `<span class=font-bold>soup</span><span class="ml-2 text-sm">bread</span>`, "soup bread"},
		{"a margin behind", `<b class="mr-1">soup</b>bread`, "soup bread"},
		{"a margin on some screens", `soup<span class="md:mx-[6px]">bread</span> <i class=me-md-3>tea</i>milk`, "soup bread tea milk"},
		{"boxes on lines of their own", `<span class=block>soup</span><span class=block>bread</span>`, "soup bread"},
		{"a gap", `<span class="flex gap-2"><span>soup</span><span>bread</span></span>`, "soup bread"},
		{"space between", `<span class="inline-flex space-x-1.5"><b>soup</b><i>12</i></span> <span class="flex justify-between"><b>tea</b><i>milk</i></span>`, "soup 12 tea milk"},
		{"one letter behind a margin", `<span class=name>Nora</span><span class="mx-1 badge">A</span>`, "Nora A"},
		// Together.
		{"no margin", `fer<span class="ml-0 mr-4 text-sm">ry</span> fer<span class="inline-block">ry</span> fer<span class="-ml-px mb-2">ry</span>`, "ferry ferry ferry"},
		{"no gap", `<span class="flex gap-0 gap-y-2"><span>fer</span><span>ry</span></span>`, "ferry"},
		{"letters that move", `<span class="flex gap-1"><i class=block>f</i><i class=block>e</i><i class=block>r</i><i class=block>r</i><i class=block>y</i></span>`, "ferry"},
		{"emphasis", `Jo<b>Anne</b> and s<i>omeone</i>`, "JoAnne and someone"},
		{"a large initial", `<span class=dropcap>T</span><span class=rest>he ferry</span> <span class=cap>A</span>t`, "The ferry At"},
		{"plural of a link", `two <a href=/f>ferry</a>s, un<a href=/k>known</a>`, "two ferrys, unknown"},
		{"a link cut in two", `<a href=/f>fer</a><a href=/f>ry</a>`, "ferry"},
		{"spans of a word processor", `<span class="TextRun X1">fer</span><span class="TextRun Err X1">ry</span> <span class=c12>qu</span><span class=c5>ay</span>`, "ferry quay"},
		{"spans without a class", `<span>Fer</span><span>Ry</span>`, "FerRy"},
		{"an unknown element", `<kw>fer</kw><kw>Ry</kw>`, "ferRy"},
		{"powers and indexes", `H<sub>2</sub>O, 12 km<sup>2</sup>, 21<sup>st</sup>, the 18<span class=x><sup>th</sup></span>`, "H2O, 12 km2, 21st, the 18th"},
		{"code", `<code><span class=n>aB</span><span class=p>Cd</span>(</code><code class=x>UPDATE</code>s`, "aBCd(UPDATEs"},
		{"code in a pre", "<pre><span class=hi>ab</span><span class=num>Cd</span></pre>", "abCd"},
		{"a break opportunity", `Staub<wbr>Sauger`, "StaubSauger"},
		{"marks that close", `<a href=/x>ferry</a><span class=mark>, pilot</span><span class=end>.</span>`, "ferry, pilot."},
		{"marks that open", `<span class=q>“</span><span class=w>Ferry</span>`, "“Ferry"},
		{"numbers", `<span class=whole>12.</span><span class=cents>50</span> <span class=hour>12:</span><span class=minute>30</span>`, "12.50 12:30"},
		{"names with stops", `<span class=pre>list.</span><span class=name>append</span><span class=paren>(</span>`, "list.append("},
		{"Chinese", `<a href=/a>国内</a><a href=/b>国际</a>`, "国内国际"},
		{"text that is hidden", `fer<span class=x hidden>Ah</span>Ry`, "ferRy|Ah"},
		{"an image that is hidden", `fer<span hidden><img src=x></span>ry`, "ferry"},
	} {
		for _, inline := range []bool{false, true} {
			cfg := extract.Default
			cfg.Inline = inline
			if got := textOf(t, cfg, "<p>"+c.html); got != c.want {
				t.Errorf("%s (inline %v): %s\n got %q\nwant %q", c.name, inline, c.html, got, c.want)
			}
		}
	}
}
