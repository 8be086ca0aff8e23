// Package oddpages generates unusual pages: deeply nested, unclosed, without line ends, or only
// brackets, marks or control characters. [All] lists the generators. Tests read the pages with
// every method and format, and command growth measures their cost.
package oddpages

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"
)

// Generator generates pages of one kind in any size.
type Generator struct {
	Name string
	// HTML is set for HTML pages and not for plain text.
	HTML  bool
	write func(b *strings.Builder, size int)
}

// Write returns a page of about size bytes. The same size gives the same page.
func (g Generator) Write(size int) []byte {
	var b strings.Builder
	if g.HTML {
		b.WriteString("<!DOCTYPE html><title>Odd</title>\n")
	}
	g.write(&b, size)
	return []byte(b.String())
}

// Ext returns the file name extension for the page.
func (g Generator) Ext() string {
	if g.HTML {
		return ".html"
	}
	return ".txt"
}

// All lists the generators, HTML first.
func All() []Generator {
	var all []Generator
	for _, g := range nests {
		all = append(all, Generator{"nested " + g.name, true, nested(g.open, g.close)})
	}
	for _, g := range rows {
		all = append(all, Generator{"many " + g.name, true, repeated(g.text)})
	}
	all = append(all, htmls...)
	for _, g := range lines {
		all = append(all, Generator{g.name, false, repeated(g.text)})
	}
	return append(all, texts...)
}

// nests lists elements that are nested in themselves.
var nests = []struct{ name, open, close string }{
	{"div", "<div>word ", "</div>"},
	{"dl", "<dl><dt>term<dd>what it is ", "</dl>"},
	{"blockquote", "<blockquote>said ", "</blockquote>"},
	{"hidden", "<div hidden>secret ", "</div>"},
	{"hidden span", "<span style='display:none'>secret ", "</span>"},
	{"h1", "<div><h1>head</h1>", "</div>"},
	{"open h1", "<h1>head <div>", ""},
	{"list", "<ul><li>item ", "</ul>"},
	{"ordered list", "<ol><li>item ", "</ol>"},
	{"table", "<table><tr><td>cell ", "</table>"},
	{"b", "<b><i>bold ", "</i></b>"},
	{"b unclosed", "<p><b>bold", ""},
	{"font", "<font><a href=x>word ", ""},
	{"span", "<span>word ", "</span>"},
	{"form", "<form><fieldset>field ", "</fieldset></form>"},
	{"svg", "<svg><g>", ""},
	{"math", "<math><mrow><mi>x</mi>", "</mrow></math>"},
	{"template", "<template><div>word", ""},
	{"select", "<select><option>choice ", ""},
	{"object", "<object>word ", "</object>"},
	{"button", "<button><span>press ", ""},
	{"unknown", "<x-box>word ", "</x-box>"},
	{"article", "<article><p class=author>by one</p> ", "</article>"},
	{"pre", "<pre>code\n", "</pre>"},
}

// nested opens elements up to two thirds of the size and closes them.
func nested(open, end string) func(b *strings.Builder, size int) {
	return func(b *strings.Builder, size int) {
		n := size / (len(open) + len(end))
		for range n {
			b.WriteString(open)
		}
		b.WriteString("the last word of all that was opened here.")
		for range n {
			b.WriteString(end)
		}
	}
}

// rows lists elements that are repeated.
var rows = []struct{ name, text string }{
	{"p", "<p>word"},
	{"sentences", "<p>It was a dark night, and the rain fell on us. Nobody came."},
	{"li", "<li>item"},
	{"h1", "<h1>head</h1>"},
	{"rows", "<tr><td>a<td>b"},
	{"cells", "<table><tr><td rowspan=9999 colspan=1000>a</table>"},
	{"spans", "<table><tr><td rowspan=65534 colspan=3>a<td colspan=1000>b<tr><td>c"},
	{"br", "x<br>"},
	{"hr", "<hr>"},
	{"hidden", "<p hidden>secret"},
	{"veiled", "shown <span hidden>secret</span> "},
	{"menus", "<ul><li><a href=/x>Home</a><li><a href=/y>News</a></ul>"},
	{"empty div", "<div></div>"},
	{"links", "<a href='https://example.org/a?b=c'>link</a> "},
	{"images", "<img src=x.png alt='a picture'>"},
	{"inline", "<i>a</i><b>b</b>"},
	{"tables", "<table><tr><td>a</table>"},
	{"closers", "</p></div></b>"},
	{"unknown closers", "</t1></t2></t3>"},
	{"comments", "<!-- x -->"},
	{"open comments", "<!-- <!-"},
	{"open tags", "<div <p "},
	{"open quotes", "<p title=\"x>y "},
	{"scripts", "<script>a<!--<script></script>"},
	{"open scripts", "<script><!--<script>"},
	{"brackets", "<<<<"},
	{"ampersands", "&&&&"},
	{"references", "&amp;&#x41;&eacute;&nosuch;"},
	{"titles", "<title>x</title>"},
	{"meta", "<meta name=author content='One, Two and Three'>"},
	{"linked data", `<script type="application/ld+json">{"@type":"Article","author":{"name":"A"}}</script>`},
	{"dates", "<time datetime=2020-01-02>2 January 2020</time> by Ann Other "},
	{"options", "<select><option>a</select>"},
	{"textareas", "<textarea>x</textarea>"},
	{"ids", "<p id=a class='b c d' role=note itemprop=x>word</p>"},
	{"items", "<div itemscope itemtype=https://schema.org/Article><p itemprop=author>A</p>"},
	{"breadcrumbs", "<nav class=breadcrumb><a href=/a>A</a> &gt; <a href=/b>B</a></nav>"},
	{"comments by readers", "<div class=comment id=c><p class=author>Ann</p><p>I think so.</p></div>"},
	{"bases", "<base href=//example.org/><a href=../x>y</a>"},
}

func repeated(text string) func(b *strings.Builder, size int) {
	return func(b *strings.Builder, size int) {
		for n := 0; n < size; n += len(text) {
			b.WriteString(text)
		}
	}
}

// htmls lists the HTML pages that are neither nested nor repeated.
var htmls = []Generator{
	{"closers of a deep stack", true, func(b *strings.Builder, size int) {
		n := min(size/20, 400)
		for i := range n {
			fmt.Fprintf(b, "<s%d>", i)
		}
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(b, "</t%d>", i)
		}
	}},
	{"paragraphs in deep markup", true, func(b *strings.Builder, size int) {
		b.WriteString(strings.Repeat("<b><i><code><sub>", 120))
		repeated("<p>word</p>")(b, size)
	}},
	{"one attribute", true, func(b *strings.Builder, size int) {
		b.WriteString(`<p class="`)
		repeated("word ")(b, size)
		b.WriteString(`" hidden>text`)
	}},
	{"many attributes", true, func(b *strings.Builder, size int) {
		b.WriteString("<p ")
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(b, "data-%d=%d ", i, i)
		}
		b.WriteString(">text")
	}},
	{"one style", true, func(b *strings.Builder, size int) {
		b.WriteString(`<p style="`)
		repeated("color:red;")(b, size)
		b.WriteString(`display:none">text`)
	}},
	{"one title", true, func(b *strings.Builder, size int) {
		b.WriteString("<title>")
		repeated("word - ")(b, size)
		b.WriteString("</title><p>text")
	}},
	{"one author", true, func(b *strings.Builder, size int) {
		b.WriteString("<p class=byline>By ")
		repeated("Ann Other and ")(b, size)
	}},
	{"one address", true, func(b *strings.Builder, size int) {
		b.WriteString("<p><a href='https://example.org/")
		repeated("../a/")(b, size)
		b.WriteString("'>text</a>")
	}},
	{"one word", true, func(b *strings.Builder, size int) { b.WriteString("<p>"); repeated("word")(b, size) }},
	{"one paragraph", true, func(b *strings.Builder, size int) {
		b.WriteString("<p>")
		repeated("It was a dark night, and the rain fell on us. ")(b, size)
	}},
	{"one pre", true, func(b *strings.Builder, size int) {
		b.WriteString("<pre>")
		repeated("if x {\r\n\ty()\r\r}\n")(b, size)
	}},
	{"one link", true, func(b *strings.Builder, size int) { b.WriteString("<a href=x>"); repeated("word <p>")(b, size) }},
	{"deep linked data", true, func(b *strings.Builder, size int) {
		b.WriteString(`<script type="application/ld+json">`)
		repeated(`{"a":[`)(b, size)
		b.WriteString("</script><p>text")
	}},
	{"wide linked data", true, func(b *strings.Builder, size int) {
		b.WriteString(`<script type="application/ld+json">[`)
		repeated(`{"@type":"Article","author":"A","headline":"B"},`)(b, size)
		b.WriteString("0]</script><p>text")
	}},
	{"classes of their own", true, func(b *strings.Builder, size int) {
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(b, "<e%d class=c%d id=i%d>word %d", i, i, i, i)
		}
	}},
	{"words of their own", true, func(b *strings.Builder, size int) {
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(b, "<p>word%d of%d this%d", i, i, i)
		}
	}},
	{"wide table", true, func(b *strings.Builder, size int) {
		b.WriteString("<table>")
		for b.Len() < size {
			b.WriteString("<tr>")
			for range 2000 {
				b.WriteString("<td>1")
			}
		}
	}},
	{"tags at random", true, func(b *strings.Builder, size int) {
		names := strings.Fields("a b p h1 li ul ol dl dt dd div table tr td th tbody caption form button select option svg math object pre span br br hr template address font nobr xmp ruby rt")
		rnd := rand.New(rand.NewPCG(1, 2))
		for b.Len() < size {
			slash := ""
			if rnd.IntN(3) == 0 {
				slash = "/"
			}
			fmt.Fprintf(b, "<%s%s>w ", slash, names[rnd.IntN(len(names))])
		}
	}},
}

// lines lists plain texts that repeat a line.
var lines = []struct{ name, text string }{
	{"ends in CR", "It was a dark night, and the rain fell.\r"},
	{"short lines in CR", "word\r"},
	{"form feeds", "word\f"},
	{"short lines", "word\n"},
	{"single letters", "a\n"},
	{"empty lines", "a\n\n"},
	{"blank lines", " \t\n"},
	{"wrapped lines", "the rain fell on us all through the long dark night and on\n"},
	{"brackets", "【一】"},
	{"lines of brackets", "【一】【二】\n"},
	{"lines of many brackets", strings.Repeat("【一】", 40) + "\n"},
	{"menus of characters", "一|二|三|四|五|六|七|八|九\n"},
	{"menus of one entry", "一\n\n[二]\n\n"},
	{"brackets and letters", "(a) [b] {c} <d>\n"},
	{"zero width", "\u200b\u200c\u200d\ufeff\u2060"},
	{"zero width between", "a\u200bb\u00adc "},
	{"marks", "e\u0301\u0302\u0303\u0304"},
	{"marks alone", "\u0301\u0302\n"},
	{"Chinese", "天下皆知美之为美斯恶已"},
	{"Chinese sentences", "天下皆知美之為美，斯惡已。"},
	{"Chinese letters apart", "天，下；皆！知？\n"},
	{"Japanese", "これはペンです。カタカナ\n"},
	{"Thai", "ภาษาไทยไม่มีช่องว่าง"},
	{"Khmer", "ខ្មែរ "},
	{"Arabic", "\u202bكان يا ما كان\u202c في قديم الزمان. "},
	{"bidi", "\u202e\u2066\u2069\u200f\u200e"},
	{"Korean", "각각의 사람은\n"},
	{"emoji", "👩‍👩‍👧‍👦🏳️‍🌈"},
	{"controls", "\x01\x02\x1b[31m\x7f\x0b"},
	{"C1 controls", "\u0080\u0085\u009b"},
	{"NUL", "a\x00"},
	{"broken UTF-8", "\xff\xfe\x80 \xc3("},
	{"replaced", "\ufffd\ufffd "},
	{"private use", "\ue000\uf8ff "},
	{"last characters", "\U0010ffff\uffff\ufffe"},
	{"case of other length", "\u2126\u212a\u0130\u03a3\u023a "},
	{"tabs", "a\tb\tc\n"},
	{"numbers", "12.345,67 2020-01-02 12:30 +49 30 1234567\n"},
	{"stops", "......"},
	{"one stop a word", "a. b. c. "},
	{"quotes", "\"'“”‘’"},
	{"hyphens", "a-b-c-"},
	{"bars", "Home | News | About\n"},
	{"web addresses", "https://example.org/a?b=c&d=e "},
	{"mail addresses", "a.b@example.org,"},
	{"mojibake", "Ã©Ã¼Ã¶ â€œ "},
	{"ampersands in text", "&amp;&lt;"},
	{"one long word", "a"},
	{"blanks", " "},
	{"ideographic blanks", "\u3000"},
	{"slashes", "/\\"},
	{"code", "}();{\"a\":\"b\"};\n"},
}

// texts lists the other plain texts.
var texts = []Generator{
	{"numbered lines", false, func(b *strings.Builder, size int) {
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(b, "line %d of them\n", i)
		}
	}},
	{"UTF-16", false, func(b *strings.Builder, size int) {
		unit := utf16.Encode([]rune("\ufeffIt was a dark night.\r天\n"))
		for b.Len() < size {
			for _, u := range unit {
				b.WriteByte(byte(u))
				b.WriteByte(byte(u >> 8))
			}
		}
	}},
	{"lines of growing length", false, func(b *strings.Builder, size int) {
		for i := 1; b.Len() < size; i++ {
			b.WriteString(strings.Repeat("word ", i%400))
			b.WriteByte('\n')
		}
	}},
	{"bytes at random", false, func(b *strings.Builder, size int) {
		rnd := rand.New(rand.NewPCG(3, 4))
		for range size {
			b.WriteByte(byte(rnd.UintN(255) + 1))
		}
	}},
	{"characters at random", false, func(b *strings.Builder, size int) {
		rnd := rand.New(rand.NewPCG(5, 6))
		for b.Len() < size {
			b.WriteRune(rune(rnd.UintN(0x3000) + 1))
		}
	}},
}
